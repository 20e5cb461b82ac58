"""Means, intervals, gaps and times over many questions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraqa.evaluation.figures import Figure, Times, figures, interval, rates, times
from unit.evaluation.samples import USAGE, result, scores

FOUR = [
    scores("A-en", recall_at_5=1.0, declined=0),
    scores("A-zh", recall_at_5=0.5, declined=0),
    scores("B-en", "multi", recall_at_5=0.0),
    scores("B-zh", "multi", recall_at_5=0.1),
    scores("C-en", "unanswerable", abstention=1),
]


def test_means_are_given_for_all_per_language_per_type_and_for_both() -> None:
    means = {(f.measure, f.lang, f.type): (f.questions, f.mean) for f in figures(FOUR)}
    assert means["recall@5", None, None] == (4, pytest.approx(0.4))
    assert means["recall@5", "en", None] == (2, 0.5)
    assert means["recall@5", "zh", None] == (2, pytest.approx(0.3))
    assert means["recall@5", None, "lookup"] == (2, 0.75)
    assert means["recall@5", "zh", "multi"] == (1, 0.1)
    assert means["abstention", None, None] == (1, 1)
    assert ("abstention", "zh", None) not in means
    assert ("recall@5", None, "unanswerable") not in means


def test_the_core_is_a_group_of_types() -> None:
    given = [
        scores("A-en", "multi", recall_at_5=0.0),
        scores("B-en", "compare", recall_at_5=0.5),
        scores("C-en", "numeric", recall_at_5=1.0),
        scores("D-en", "filter", recall_at_5=0.0),
    ]
    found = {(f.measure, f.lang, f.type): (f.questions, f.mean) for f in figures(given)}
    assert found["recall@5", None, "core"] == found["recall@5", "en", "core"] == (3, 0.5)
    assert ("recall@5", "zh", "core") not in found


def test_a_style_has_figures_of_its_own() -> None:
    given = [
        scores("A-en", style="short", recall_at_5=1.0),
        scores("A-zh", style="short", recall_at_5=0.0),
        scores("B-en", recall_at_5=0.5),
    ]
    found = {(f.lang, f.type, f.style): (f.questions, f.mean) for f in figures(given)}
    assert found[None, None, "short"] == (2, 0.5)
    assert found["zh", None, "short"] == (1, 0)
    assert found[None, None, None] == (3, 0.5)
    assert (None, "lookup", "short") not in found


def test_the_interval_of_equal_values_is_that_value() -> None:
    assert interval([("A", 0.5), ("B", 0.5)]) == (0.5, 0.5)


def test_two_forms_of_a_question_do_not_narrow_the_interval() -> None:
    # 100 pairs, equal within: 0.5 ± 1.96 · 0.5 / √100, where 200 questions would give ± 0.069.
    low, high = interval([(str(i), float(i % 2)) for i in range(100) for _ in "ab"])
    assert low == pytest.approx(0.402, abs=0.011)
    assert high == pytest.approx(0.598, abs=0.011)


def test_the_interval_is_that_of_the_normal_distribution_for_many_questions() -> None:
    # Of 400 questions half succeed: 0.5 ± 1.96 · 0.5 / √400.
    low, high = interval([(str(i), float(i % 2)) for i in range(400)])
    assert low == pytest.approx(0.451, abs=0.006)
    assert high == pytest.approx(0.549, abs=0.006)


@given(st.lists(st.tuples(st.sampled_from("ABCDE"), st.floats(0, 1)), min_size=1, max_size=10))
def test_the_interval_lies_within_the_values_and_does_not_change(
    values: list[tuple[str, float]],
) -> None:
    low, high = interval(values)
    only = [value for _, value in values]
    assert min(only) - 1e-9 <= low <= high <= max(only) + 1e-9
    assert interval(values) == (low, high)


def test_times_are_medians_and_percentiles_per_language() -> None:
    # 1 to 5 seconds: the 95th percentile lies four fifths of the way from 4 to 5.
    english = [("en", result("A-en", seconds=float(s))) for s in (1, 2, 3, 4, 5)]
    chinese = [("zh", result("A-zh", seconds=7.0, first_evidence_seconds=0.5))]
    found = times([*english, *chinese])
    assert Times(mark="seconds", lang="en", questions=5, p50=3, p95=4.8) in found
    assert Times(mark="seconds", lang="zh", questions=1, p50=7, p95=7) in found
    evidence = [t for t in found if t.mark == "first_evidence_seconds"]
    assert [(t.lang, t.questions) for t in evidence] == [(None, 1), ("zh", 1)]


def test_rates_are_tokens_over_the_seconds_of_the_model() -> None:
    found = rates([result("A-en", usage=USAGE), result("A-zh", usage=USAGE), result("B-en")])
    assert (found.calls, found.prompt_tokens, found.cached_tokens) == (4, 140, 20)
    assert found.prefill == 35
    assert found.generation == 5


def test_without_a_model_there_is_no_rate() -> None:
    found = rates([result("A-en")])
    assert found.prefill is None
    assert found.generation is None


def test_a_figure_says_what_it_is_of() -> None:
    [figure, *_] = figures([scores("A-en", recall_at_5=1)])
    assert figure == Figure(
        measure="recall@5", lang=None, type=None, questions=1, mean=1, low=1, high=1
    )
