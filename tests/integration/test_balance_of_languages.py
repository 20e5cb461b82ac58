"""R06: papers are found in both languages, and in a corpus that grows in one of them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from paraqa import Library, formats
from paraqa.evaluation.questions import Question, read, read_papers
from paraqa.lang import LANGS, detect
from paraqa.types import title_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from paraqa.types import Lang

pytestmark = pytest.mark.integration

EVALS = Path(__file__).parents[2] / "evals"
LEAST, MOST_LOST = 0.90, 0.10
ADDED = 160


@pytest.fixture(scope="module")
def listings(tmp_path_factory) -> dict[Lang, Path]:
    """Listings of the same 160 papers of another field, with Chinese and with English abstracts."""
    english = tmp_path_factory.mktemp("originals") / "listing.txt"
    lines = (EVALS / "cl" / "originals.jsonl").read_text(encoding="utf-8").splitlines()
    entries = [json.loads(line) for line in lines]
    english.write_text(
        "".join(
            f"{entry['title']}\n{entry['abstract_en']}\n{entry['date']} {entry['cats']}\n"
            for entry in entries
        ),
        encoding="utf-8",
    )
    return {"zh": EVALS / "cl" / "listing.txt", "en": english}


@pytest.fixture(scope="module")
def found(seed_store, listings, tmp_path_factory) -> dict[str, dict[Lang, float]]:
    """hit@5 of each language: of the papers that ship alone, and after papers were added."""
    measured = {}
    for added in ("nothing", *LANGS):
        copy = tmp_path_factory.mktemp(f"added-{added}") / "vectorstore"
        shutil.copytree(seed_store, copy)
        with Library.open(copy) as library:
            if added != "nothing":
                report = library.ingest_sync([listings[added]])
                assert (report.added, report.rejected) == (ADDED, ())
                assert library.count() == 54 + ADDED
            measured[added] = _hit_at_5(library)
    return measured


def _hit_at_5(library: Library) -> dict[Lang, float]:
    titles = read_papers(EVALS / "parallelism" / "papers.tsv")
    questions = read(EVALS / "parallelism" / "dev.jsonl", titles, library.papers())
    return {
        lang: _share(library, [q for q in questions if q.lang == lang and q.relevant])
        for lang in LANGS
    }


def _share(library: Library, questions: Sequence[Question]) -> float:
    assert len(questions) >= 50
    return sum(_is_hit(library, question) for question in questions) / len(questions)


def _is_hit(library: Library, question: Question) -> bool:
    relevant = {title_key(title) for title in question.relevant}
    search = library.run(lambda: library.search(question.text, k=5, history=question.history))
    return any(title_key(hit.paper.title) in relevant for hit in search.hits)


@pytest.mark.parametrize("lang", LANGS)
def test_r06_questions_of_either_language_find_a_paper_among_the_first_five(found, lang):
    assert found["nothing"][lang] >= LEAST


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("added", LANGS)
def test_r06_papers_of_either_language_that_are_added_hide_few_of_them(found, lang, added):
    assert found[added][lang] >= found["nothing"][lang] - MOST_LOST


def test_r06_what_is_added_is_of_the_language_that_it_should_be(listings):
    for lang, path in listings.items():
        added = list(formats.read(path))
        assert len(added) == ADDED
        assert sum(detect(paper.abstract) == lang for paper in added) >= 0.95 * ADDED
