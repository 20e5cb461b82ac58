"""How much of a question papers hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import pytest

from papers import BACKBONE, BREADTH_FIRST, ENGLISH, MEGATRON, MERAK, ZEUS, hits_of, query_of
from paraqa import lang
from paraqa.evidence import cover, holds, synonyms
from paraqa.evidence.covering import NEAREST
from paraqa.nodes import lexical_text
from paraqa.types import Lang, Paper, Source, Variant

ALL = (ZEUS, MERAK, MEGATRON, BREADTH_FIRST, BACKBONE, ENGLISH)


class Corpus:
    """Frequencies of terms over some papers."""

    def __init__(self, papers: Sequence[Paper]) -> None:
        self._count = len(papers)
        self._held = Counter(
            term for paper in papers for term in {*lang.terms(lexical_text(paper)).words}
        )

    def document_frequency(self, terms: Iterable[str]) -> dict[str, int]:
        return {term: self._held[term] for term in terms}

    def count(self) -> int:
        return self._count


CORPUS = Corpus(ALL)


def covered(question: str, language: Lang, *papers: Paper) -> float:
    return cover(query_of(question, language), hits_of(*(papers or ALL)), CORPUS)


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Merak framework", "en"),
        ("Merak框架", "zh"),
        ("Zeus GPU energy consumption", "en"),
        ("Zeus的GPU能耗", "zh"),
    ],
)
def test_a_paper_that_holds_every_term_covers_the_question(question, language):
    assert covered(question, language) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("question", "language"),
    [("zebra stripes", "en"), ("长颈鹿与斑马", "zh")],
)
def test_papers_that_hold_none_of_the_terms_cover_nothing(question, language):
    assert covered(question, language) == 0.0


def test_the_share_grows_with_each_term_that_is_held():
    shares = [
        covered(question, "en")
        for question in ("zebra stripes neck", "Zeus stripes neck", "Zeus GPU neck", "Zeus GPU DNN")
    ]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, pytest.approx(1.0))


def test_a_rare_term_is_a_larger_share_than_a_common_one():
    # All but a few hold GPU; Tally is one paper's.
    rare = cover(query_of("Tally GPU", "en"), hits_of(ENGLISH), CORPUS)
    common = cover(query_of("Tally GPU", "en"), hits_of(MERAK), CORPUS)
    assert rare > common > 0


def test_it_is_the_best_paper_that_counts_and_not_all_together():
    apart = covered("Zeus Tally", "en", ZEUS, ENGLISH)
    assert apart == max(covered("Zeus Tally", "en", ZEUS), covered("Zeus Tally", "en", ENGLISH))
    assert 0 < apart < 1


def test_only_the_nearest_papers_are_looked_at():
    others = [BACKBONE, MEGATRON, BREADTH_FIRST][:NEAREST]
    assert covered("Zeus", "en", *others, ZEUS) == 0.0
    assert covered("Zeus", "en", *others[1:], ZEUS) == pytest.approx(1.0)


def test_without_hits_nothing_is_covered_and_without_terms_all_is():
    assert cover(query_of("Zeus", "en"), [], CORPUS) == 0.0
    assert cover(query_of("的了吗", "zh"), hits_of(ZEUS), CORPUS) == 1.0
    assert cover(query_of("Zeus", "en"), [], Corpus(())) == 0.0


def test_a_term_is_held_under_another_name_of_its_concept():
    (hit,) = hits_of(ZEUS)  # it says energy consumption, and 能源效率
    assert holds(hit, "power", synonyms("power consumption"))
    assert not holds(hit, "power", {})


def test_a_term_is_held_over_a_bridge():
    (hit,) = hits_of(BREADTH_FIRST)  # it has a breadth-first schedule, and no bubble
    assert holds(hit, "bubbl", synonyms("pipeline bubbles"))
    assert holds(hit, "气泡", synonyms("流水线气泡"))
    assert not holds(hit, "bubbl", {})


def test_a_word_that_a_paper_in_the_other_language_could_not_hold_weighs_less():
    chinese = covered("Zeus 斑马", "zh", ZEUS)
    english = covered("Zeus zebra", "en", ZEUS)
    assert english > chinese


def test_what_is_asked_about_counts_and_not_the_filters_around_it():
    query = query_of("Zeus", "en")
    whole = query.model_copy(update={"standalone": "papers about Zeus by Nobody since 2021"})
    hits = hits_of(ZEUS)
    assert cover(whole, hits, CORPUS) == cover(query, hits, CORPUS)
    other = whole.model_copy(
        update={"variants": (Variant(text="zebra", lang="en", why="question", weight=1.0),)}
    )
    assert cover(other, hits, CORPUS) == 0.0


def test_synonyms_are_those_of_all_concepts_of_a_question_each_once():
    found = synonyms("energy of pipeline bubbles")
    assert {"energi", "bubbl"} <= found.keys()
    assert "能耗" in found["energi"]
    assert "气泡" in found["bubbl"]
    assert "流水线调度" in found["bubbl"]
    assert all(len(names) == len(set(names)) for names in found.values())
    assert synonyms("zebra") == {}


def test_an_entry_without_an_abstract_covers_by_its_title():
    bare = Paper(title="Zebra Stripes", source=Source(file="l", line=1))
    assert cover(query_of("zebra stripes", "en"), hits_of(bare), CORPUS) == pytest.approx(1.0)
