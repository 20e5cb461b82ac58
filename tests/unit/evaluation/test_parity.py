"""How alike the two languages fare."""

from __future__ import annotations

import pytest

from paraqa.evaluation.parity import jaccard, parity, similarity
from unit.evaluation.samples import question, result, scores

FOUR = [
    scores("A-en", recall_at_5=1.0, declined=0),
    scores("A-zh", recall_at_5=0.5, declined=0),
    scores("B-en", "multi", recall_at_5=0.0),
    scores("B-zh", "multi", recall_at_5=0.1),
    scores("C-en", "unanswerable", abstention=1),
]


def test_the_gap_is_taken_over_complete_pairs() -> None:
    found = {(p.measure, p.group): p for p in parity(FOUR)}
    gap = found["recall@5", "all"]
    assert gap.pairs == 2
    assert gap.gap == pytest.approx((0.5 - 0.1) / 2)
    assert gap.absolute == pytest.approx((0.5 + 0.1) / 2)
    assert ("abstention", "all") not in found


def test_the_gap_is_taken_for_each_group() -> None:
    found = {(p.measure, p.group): (p.pairs, p.gap) for p in parity(FOUR)}
    assert found["recall@5", "core"] == (2, pytest.approx(0.2))
    assert found["recall@5", "single"] == (1, 0.5)
    filters = [scores("A-en", "filter", recall_at_5=1), scores("A-zh", "filter", recall_at_5=1)]
    assert [p.group for p in parity(filters)] == ["all"]


def test_a_pair_that_lacks_a_measure_in_one_language_is_left_out() -> None:
    one_sided = [scores("A-en", citation_precision=1), scores("A-zh", language=1)]
    assert parity(one_sided) == []


def test_similarity_is_what_is_common_over_what_is_in_either() -> None:
    assert similarity("ABCDE", "ABCFG") == pytest.approx(3 / 7)
    assert similarity("AB", "BA") == 1
    assert similarity("A", "B") == similarity("A", "") == 0


def test_the_first_five_papers_of_a_pair_are_compared() -> None:
    # Of A, three of the seven papers in either five are in both; of B, all.
    asked = [
        question("A-en"),
        question("A-zh"),
        question("B-en", type="multi"),
        question("B-zh", type="multi"),
    ]
    given = [
        result("A-en", ranked=("p1", "p2", "p3", "p4", "p5", "p8")),
        result("A-zh", ranked=("P3!", "p2", "p1", "p6", "p7", "p8")),
        result("B-en", ranked=("p1", "p2")),
        result("B-zh", ranked=("p2", "p1")),
    ]
    found = {j.group: (j.pairs, j.mean) for j in jaccard(asked, given)}
    assert found == {
        "all": (2, pytest.approx((3 / 7 + 1) / 2)),
        "core": (2, pytest.approx((3 / 7 + 1) / 2)),
        "single": (1, pytest.approx(3 / 7)),
    }
    [every, *_] = jaccard(asked, given)
    assert (every.low, every.high) == pytest.approx((3 / 7, 1))


def test_only_complete_pairs_with_a_ranking_are_compared() -> None:
    asked = [question(name) for name in ("A-en", "B-en", "B-zh", "C-en", "C-zh")]
    nothing = [result("B-en"), result("B-zh")]
    one_sided = [result("C-en", ranked=("p1",)), result("C-zh")]
    given = [result("A-en", ranked=("p1",)), *nothing, *one_sided]
    assert {(j.pairs, j.mean) for j in jaccard(asked, given)} == {(1, 0)}
    assert jaccard(asked[:3], given[:3]) == []
