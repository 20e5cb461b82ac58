"""The arithmetic of joining rankings."""

import pytest

from paraqa.fusion import LEXICAL, fused, joined, ranked, standardised


def test_scores_become_deviations_from_their_mean():
    assert standardised({"a": 1.0, "b": 3.0}) == {"a": -1.0, "b": 1.0}


def test_scores_that_are_all_equal_say_nothing():
    assert standardised({"a": 0.9, "b": 0.9}) == {"a": 0.0, "b": 0.0}
    assert standardised({}) == {}


def test_the_scale_of_a_ranking_does_not_matter():
    small = {"a": 0.71, "b": 0.72, "c": 0.79}
    large = {key: 1000 * value - 5 for key, value in small.items()}
    assert standardised(small) == pytest.approx(standardised(large))


def test_a_ranking_counts_by_its_weight():
    one, other = {"a": 1.0, "b": 0.0}, {"a": 0.0, "b": 1.0}
    assert ranked(fused([(0.7, one), (0.3, other)])) == ["a", "b"]
    assert ranked(fused([(0.3, one), (0.7, other)])) == ["b", "a"]


def test_what_a_ranking_does_not_hold_has_its_least_score():
    assert fused([(1.0, {"a": 2.0, "b": 1.0}), (0.0, {"c": 1.0})]) == fused(
        [(1.0, {"a": 2.0, "b": 1.0, "c": 1.0})]
    )


def test_an_empty_ranking_changes_nothing():
    assert fused([(0.5, {"a": 1.0, "b": 0.0}), (0.5, {})]) == {"a": 0.5, "b": -0.5}
    assert fused([]) == {}


def test_equal_scores_are_ordered_by_key():
    assert ranked({"b": 1.0, "a": 1.0, "c": 2.0}) == ["c", "a", "b"]


def test_nearness_and_words_are_joined_by_their_share():
    assert joined({"a": 2.0, "b": -1.0}, {"a": 3.0, "b": 6.0}, attainable=6.0, share=0.25) == {
        "dense": {"a": 0.5, "b": -0.25},
        "bm25": {"a": 0.75 * LEXICAL * 0.5, "b": 0.75 * LEXICAL},
    }


@pytest.mark.parametrize(("share", "first"), [(1.0, "a"), (0.0, "b")])
def test_one_ranking_alone_counts_where_the_share_says_so(share, first):
    shares = joined({"a": 1.0, "b": 0.0}, {"a": 0.0, "b": 1.0}, attainable=2.0, share=share)
    assert ranked({key: sum(s[key] for s in shares.values()) for key in "ab"})[0] == first


def test_words_that_are_a_small_part_of_the_question_weigh_little():
    few, most = (
        joined({}, {"a": 1.0}, attainable=attainable, share=0.5)["bm25"]["a"]
        for attainable in (10.0, 1.0)
    )
    assert most == pytest.approx(10 * few)


def test_a_question_without_words_of_its_own_divides_by_nothing():
    assert joined({"a": 1.0}, {"a": 0.0}, attainable=0.0, share=0.5) == {
        "dense": {"a": 0.5},
        "bm25": {"a": 0.0},
    }
    assert joined({}, {}, attainable=0.0, share=0.5) == {"dense": {}, "bm25": {}}
