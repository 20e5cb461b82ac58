"""`paraqa eval`: how good retrieval and answers are on question sets."""

from __future__ import annotations

import asyncio
import re
from contextlib import aclosing
from typing import TYPE_CHECKING

from paraqa.cli.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from paraqa.cli.session import Session
    from paraqa.evaluation import Report
    from paraqa.evaluation.sets import QuestionSet
    from paraqa.library import Library

_SPACES = re.compile("( +)")


def run(session: Session) -> int:
    """0 once the scores of every set are printed."""
    from paraqa.evaluation import sets

    options = session.options
    found = sets.find(options.questions, options.papers)
    for path in (options.out, options.baseline, options.save_baseline):
        sets.check_own(found, path)
    reports = asyncio.run(_all(session, found))
    if options.json:
        session.console.json(list(reports))
    return 0


async def _all(session: Session, sets: Sequence[QuestionSet]) -> list[Report]:
    """The report of each set. A table is shown as soon as its set is done."""
    from paraqa.evaluation import baseline

    options = session.options
    paths = [each.own(options.baseline) for each in sets]
    kept = [baseline.load(path) if path else None for path in paths]
    reports: list[Report] = []
    with session.library() as library:
        for each, before in zip(sets, kept, strict=True):
            report = await _measured(session, library, each, is_alone=len(sets) == 1)
            if before:
                report = report.beside(before)
            if not options.json:
                _show(session, report, is_first=not reports)
            if path := each.own(options.save_baseline):
                baseline.save(report.baseline(), path)
            reports.append(report)
    return reports


async def _measured(
    session: Session, library: Library, questions: QuestionSet, *, is_alone: bool
) -> Report:
    from paraqa.evaluation import Progress as Done

    options, console = session.options, session.console
    report: Report | None = None
    label = console.text("evaluating") + ("" if is_alone else f" {questions.name}")
    with Progress(console, label) as progress:
        stream = session.outside.measure(
            library,
            name=questions.name,
            questions=questions.questions,
            papers=questions.papers,
            only=options.only,
            llm=options.llm,
            limit=options.limit,
            out=questions.own(options.out),
            resume=options.resume,
        )
        async with aclosing(stream) as events:
            async for event in events:
                if isinstance(event, Done):
                    progress.at(event.done, event.total)
                else:
                    report = event
    if report is None:
        raise AssertionError("the evaluation ended without a report")
    return report


def _show(session: Session, report: Report, *, is_first: bool) -> None:
    text = report.table(session.lang)
    if session.options.failures and (listed := report.failure_list(session.lang)):
        text += "\n" + listed
    for line in text.splitlines() if is_first else ("", *text.splitlines()):
        # The console joins the spaces inside a span, and would undo the columns.
        session.console.line(*_SPACES.split(line))
