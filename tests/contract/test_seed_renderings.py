"""The English renderings of the seeds: one for each paper, saying what the Chinese text says."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from pathlib import Path

import pytest

from paraqa.formats import read
from paraqa.lang import is_in_language, quantities
from paraqa.types import Paper

SEEDS = Path(__file__).parents[2] / "seeds"
PAPERS = [entry for entry in read(SEEDS / "parallelism.txt") if isinstance(entry, Paper)]
LINES = (SEEDS / "parallelism.en.jsonl").read_text(encoding="utf-8").splitlines()
RENDERINGS = [json.loads(line) for line in LINES]
ABSTRACTS = {rendering["title"]: rendering["abstract"] for rendering in RENDERINGS}

# Of a source, by title: a quantity as it is read, and as it is meant.
MISREAD = {
    # `$\sim 60\%$`: the backslash parts the number from its unit.
    "Modeling GPU Dynamic Parallelism for Self Similar Density Workloads": (
        (Decimal(60).normalize(), ""),
        (Decimal(60).normalize(), "%"),
    ),
}
# A100, ResNet-50, M2N, DHO$_2$, 3D, 1-D; of A100s, A100; of 500 GB-650 GB, none.
NAME = re.compile(r"(?<!\d )(?<![A-Za-z])[A-Za-z][A-Za-z$_-]*\d+[A-Z]*|\d-?D\b", re.ASCII)

each_paper = pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.title[:30])


def test_every_paper_has_one_rendering_in_the_order_of_the_listing():
    assert [rendering["title"] for rendering in RENDERINGS] == [paper.title for paper in PAPERS]


def test_a_rendering_holds_what_it_should_and_nothing_else():
    for rendering in RENDERINGS:
        assert rendering.keys() - {"note"} == {"title", "lang", "origin", "abstract"}
        assert (rendering["lang"], rendering["origin"]) == ("en", "curated")
        assert rendering["abstract"].strip()
        assert rendering.get("note", "none").strip()


@each_paper
def test_a_rendering_is_in_english(paper):
    assert is_in_language(ABSTRACTS[paper.title], "en")


@each_paper
def test_a_rendering_keeps_the_quantities_of_its_source(paper):
    expected = values(paper.abstract)
    if paper.title in MISREAD:
        read_as, meant = MISREAD[paper.title]
        assert read_as in expected, "read rightly now: no longer an exception"
        expected = expected - {read_as} | {meant}
    assert values(ABSTRACTS[paper.title]) == expected


@each_paper
def test_a_rendering_keeps_the_names_with_digits_of_its_source(paper):
    assert set(NAME.findall(paper.abstract)) <= set(NAME.findall(ABSTRACTS[paper.title]))


def values(text: str) -> set[tuple[Decimal, str]]:
    return {(quantity.value.normalize(), quantity.unit) for quantity in quantities(text)}
