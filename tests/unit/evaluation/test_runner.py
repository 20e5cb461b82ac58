"""Runs over a small library: what is written, and what can be resumed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from paraqa.errors import EvaluationError
from paraqa.evaluation import Progress, Report, run
from paraqa.types import Answer
from unit.evaluation.samples import (
    CORPUS,
    MERAK,
    USAGE,
    ZEUS,
    FakeLibrary,
    answer,
    citation,
    claim,
    write_lines,
)

LINES: list[dict[str, object]] = [
    {"id": "A-en", "lang": "en", "pair": "A", "type": "lookup", "question": "How fast?"},
    {"id": "A-zh", "lang": "zh", "pair": "A", "type": "lookup", "question": "多快?"},
]
LINES = [
    line | {"relevant": ["P1"], "required": ["P1"], "facts": ["43%"], "note": "-"} for line in LINES
]
ENGLISH = answer(
    "How fast?",
    claim("Merak gains 43%.", citation(2, MERAK)),
    claim("So does Zeus.", citation(1, ZEUS)),
    found=(ZEUS, MERAK),
    usage=USAGE,
    removed_markers=3,
)
CHINESE = answer("多快?", claim("它提升43%。", citation(1, MERAK)), lang="zh")


def library(**fields: Any) -> FakeLibrary:
    answers: Mapping[str, Answer] = {"How fast?": ENGLISH, "多快?": CHINESE}
    return FakeLibrary(answers, **fields)


async def ran(folder: Path, over: FakeLibrary, **options: Any) -> tuple[list[Progress], Report]:
    """The progress and the report of a run over the two questions."""
    questions = write_lines(folder / "q.jsonl", *LINES)
    (folder / "papers.tsv").write_text("id\ttitle\nP1\tMerak\n", "utf-8")
    stream = run(over, questions=questions, papers=folder / "papers.tsv", **options)
    async with aclosing(stream) as events:
        *progress, report = [event async for event in events]
    return progress, report


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


async def test_a_result_holds_what_the_library_gave(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    await ran(tmp_path, library(), out=out)
    line = lines(out)[0]
    assert line["id"] == "A-en"
    assert line["ranked"] == [paper.title for paper in CORPUS]
    assert line["cited"] == ["Merak", "Zeus"]
    assert line["hits"] == ["Zeus", "Merak"]
    assert line["answer"] == "Merak gains 43%. [2]\nSo does Zeus. [1]"
    assert line["status"] == "answered"
    assert line["verdicts"] == ["full", "full"]
    assert line["usage"]["prompt_tokens"] == 70
    assert (line["model"], line["removed_markers"]) == ("extractive", 3)
    assert (line["citations"], line["dangling"]) == (2, 0)


async def test_the_marks_of_an_answer_are_timed_in_order(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    await ran(tmp_path, library(), out=out)
    line = lines(out)[0]
    marks = ("first_evidence_seconds", "first_claim_seconds", "last_claim_seconds", "seconds")
    seconds = [line[mark] for mark in marks]
    assert 0 < seconds[0] <= seconds[1] <= seconds[2] <= seconds[3] < 1
    assert seconds == sorted(seconds)


async def test_the_loading_of_a_model_is_not_timed(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    await ran(tmp_path, library(loading=0.3), out=out)
    for line in lines(out):
        assert line["first_evidence_seconds"] <= line["first_claim_seconds"] < 0.3
        assert line["seconds"] < 0.3


async def test_a_run_reports_its_progress_and_then_the_figures(tmp_path: Path) -> None:
    over = library()
    progress, report = await ran(tmp_path, over, llm="local")
    assert [(step.id, step.done, step.total) for step in progress] == [
        ("A-en", 1, 2),
        ("A-zh", 2, 2),
    ]
    assert over.models == ["local", "local"]
    assert over.closed == 2
    assert (report.name, report.llm, report.questions) == ("q", "local", 2)
    precision = report.figure("citation_precision")
    assert precision is not None
    assert precision.mean == 0.75
    facts = report.figure("fact_coverage")
    assert facts is not None
    assert facts.mean == 1


async def test_rankings_alone_need_no_answer(tmp_path: Path) -> None:
    over, out = library(), tmp_path / "out.jsonl"
    _, report = await ran(tmp_path, over, only="retrieval", out=out)
    assert over.asked == []
    assert over.searched == [("How fast?", 50), ("多快?", 50)]
    line = lines(out)[1]
    assert (line["status"], line["answer"], line["cited"]) == ("retrieved", "", [])
    assert line["seconds"] == line["first_evidence_seconds"] == 0.25
    assert report.figure("fact_coverage") is None


async def test_a_killed_run_is_resumed_where_it_stopped(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with pytest.raises(KeyboardInterrupt):
        await ran(tmp_path, library(fails_on="多快?"), out=out)
    before = lines(out)
    over = library()
    progress, report = await ran(tmp_path, over, out=out, resume=True)
    assert over.asked == ["多快?"]
    assert [(step.id, step.done) for step in progress] == [("A-zh", 2)]
    assert [line["id"] for line in lines(out)] == ["A-en", "A-zh"]
    assert lines(out)[0] == before[0]
    assert report.questions == 2


async def test_a_finished_run_is_only_reported_again(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    _, first = await ran(tmp_path, library(), out=out)
    over = library()
    progress, second = await ran(tmp_path, over, out=out, resume=True)
    assert (progress, over.asked, over.searched) == ([], [], [])
    assert first == second


async def test_a_run_with_another_model_is_not_mixed_in(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    await ran(tmp_path, library(), out=out)
    for options in ({"llm": "local"}, {"only": "retrieval"}):
        with pytest.raises(EvaluationError) as caught:
            await ran(tmp_path, library(), out=out, resume=True, **options)
        assert caught.value.key == "eval.other_model"
    assert len(lines(out)) == 2


async def test_resuming_needs_a_file(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError) as caught:
        await ran(tmp_path, library(), resume=True)
    assert caught.value.key == "eval.resume_what"


async def test_a_citation_of_another_paper_or_of_no_quote_is_counted(tmp_path: Path) -> None:
    bad = answer(
        "How fast?",
        claim("It gains 43%.", citation(1, ZEUS)),  # hit 1 is Merak
        claim("It gains 43%.", citation(1, MERAK).model_copy(update={"paper_id": ZEUS.id})),
        claim("It gains 43%.", citation(9, MERAK)),  # there is no hit 9
        claim("It gains 43%.", citation(1, MERAK, "It gains 44%.")),
        claim("See also [7].", citation(1, MERAK)),
    )
    out = tmp_path / "out.jsonl"
    await ran(tmp_path, FakeLibrary({"How fast?": bad, "多快?": CHINESE}), out=out)
    line = lines(out)[0]
    assert (line["citations"], line["dangling"]) == (6, 5)
    assert line["cited"] == ["Merak"]


async def test_earlier_turns_reach_the_library(tmp_path: Path) -> None:
    history = [{"role": "assistant", "content": "Merak [P1]."}]
    questions = write_lines(tmp_path / "q.jsonl", LINES[0] | {"history": history})
    (tmp_path / "papers.tsv").write_text("id\ttitle\nP1\tMerak\n", "utf-8")
    over = library()
    stream = run(over, questions=questions, papers=tmp_path / "papers.tsv")
    async with aclosing(stream) as events:
        assert [type(event) async for event in events] == [Progress, Report]
    assert len(over.histories) == 2
    assert {turns[0].cited for turns in over.histories} == {(MERAK.id,)}


async def test_a_run_that_is_stopped_midway_keeps_what_it_has(tmp_path: Path) -> None:
    bare = [line | {"relevant": [], "required": []} for line in LINES]
    questions, out = write_lines(tmp_path / "q.jsonl", *bare), tmp_path / "out.jsonl"
    over = library()
    async with aclosing(run(over, questions=questions, out=out)) as events:
        await anext(events)
    assert [line["id"] for line in lines(out)] == ["A-en"]
    assert over.asked == ["How fast?"]
