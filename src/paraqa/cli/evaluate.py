"""`paraqa eval`: how good the answers are on a file of questions."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

from paraqa.cli.progress import Progress

if TYPE_CHECKING:
    from paraqa.cli.session import Session
    from paraqa.evaluation import Report


def run(session: Session) -> int:
    """0 once the scores are printed."""
    report = asyncio.run(_measured(session))
    if session.options.json:
        session.console.json(report)
        return 0
    for line in report.table(session.lang).splitlines():
        session.console.line(line)
    return 0


async def _measured(session: Session) -> Report:
    from paraqa.evaluation import Progress as Done

    options, console = session.options, session.console
    report: Report | None = None
    with session.library() as library, Progress(console, console.text("evaluating")) as progress:
        stream = session.outside.measure(
            library,
            questions=options.questions,
            papers=options.papers,
            only=options.only,
            llm=options.llm,
            limit=options.limit,
            out=options.out,
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
