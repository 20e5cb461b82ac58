"""How well the real library must find papers, on the questions that ship."""

from __future__ import annotations

from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from paraqa.evaluation import Report, run

if TYPE_CHECKING:
    from paraqa import Library
    from paraqa.types import Lang

pytestmark = pytest.mark.integration

FOLDER = Path(__file__).parents[2] / "evals" / "parallelism"
ONE_ANSWER = ("lookup", "numeric", "compare")
CORE = ("multi", *ONE_ANSWER)


async def measured(library: Library) -> Report:
    stream = run(
        library,
        questions=FOLDER / "dev.jsonl",
        papers=FOLDER / "papers.tsv",
        only="retrieval",
    )
    async with aclosing(stream) as events:
        *_, report = [event async for event in events]
    assert isinstance(report, Report)
    return report


def pooled(report: Report, measure: str, lang: Lang, types: tuple[str, ...]) -> float:
    """The mean of a measure over all questions of some types."""
    found = [report.figure(measure, lang=lang, type=kind) for kind in types]
    figures = [figure for figure in found if figure is not None]
    assert len(figures) == len(types)
    return sum(f.mean * f.questions for f in figures) / sum(f.questions for f in figures)


@pytest.mark.parametrize(
    ("question", "lang"),
    [("which papers reduce pipeline bubbles?", "en"), ("哪些论文减少了流水线气泡?", "zh")],
)
async def test_the_headline_question_finds_its_three_papers(
    seed_library: Library, question: str, lang: Lang
) -> None:
    found = await seed_library.search(question, k=8)
    titles = {hit.paper.title for hit in found.hits}
    assert found.query.lang == lang
    assert {
        "Breadth-First Pipeline Parallelism",
        "Merak: An Efficient Distributed DNN Training Framework with Automated 3D Parallelism"
        " for Giant Foundation Models",
        "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM",
    } <= titles


async def test_the_papers_that_answer_are_among_the_first_five(seed_library: Library) -> None:
    report = await measured(seed_library)
    assert report.missing == ()
    recall = {
        (lang, types): pooled(report, "recall@5", lang, types)
        for lang in ("en", "zh")
        for types in (ONE_ANSWER, CORE)
    }
    bars = {ONE_ANSWER: 0.97, CORE: 0.90}
    assert {key: value for key, value in recall.items() if value < bars[key[1]]} == {}
