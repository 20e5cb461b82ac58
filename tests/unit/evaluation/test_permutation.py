"""The paired randomisation test, against values worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraqa.evaluation.permutation import p_value

differences = st.lists(st.floats(-1, 1), max_size=30)


@pytest.mark.parametrize("same", [[], [0.0], [0.0] * 50])
def test_runs_that_are_identical_have_a_p_of_one(same: list[float]) -> None:
    assert p_value(same) == 1


def test_few_differences_are_tested_exactly() -> None:
    # Of the eight signs of 1, 1, 1 only all plus and all minus reach a sum of 3.
    assert p_value([1, 1, 1]) == 2 / 8
    # Of those of 3, 1, -1 every one reaches 3 - 2 = 1; two reach 5.
    assert p_value([3, 1, 1]) == 2 / 8
    assert p_value([1, -1]) == 1


def test_questions_without_a_difference_do_not_matter() -> None:
    assert p_value([0.5, 0.0, 0.5, 0.0, 0.5]) == p_value([0.5, 0.5, 0.5])


def test_a_clear_difference_has_a_small_p() -> None:
    assert p_value([0.2] * 10) == 2 / 2**10
    assert p_value([0.2] * 40) == pytest.approx(1 / 10_001)


def test_a_difference_of_chance_has_a_large_p() -> None:
    # 21 of 40 got better: a fair coin is as far from 20 as that in 87 of 100 cases.
    assert p_value([0.5] * 21 + [-0.5] * 19) == pytest.approx(0.875, abs=0.02)


def test_drawn_flips_agree_with_the_binomial_distribution() -> None:
    # 25 of 40 got better: two-sided sign test, 0.154.
    assert p_value([1.0] * 25 + [-1.0] * 15) == pytest.approx(0.154, abs=0.012)


@given(differences)
def test_the_test_is_symmetric_and_does_not_change(values: list[float]) -> None:
    found = p_value(values)
    assert 0 < found <= 1
    assert p_value([-value for value in values]) == found
    assert p_value(values) == found
