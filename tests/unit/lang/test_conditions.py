"""Filters in words."""

import datetime

import pytest

from paraqa.lang import LANGS, is_in_language
from paraqa.lang.conditions import conditions
from paraqa.types import Filters, Period


def day(text: str) -> datetime.date:
    return datetime.date.fromisoformat(text)


@pytest.mark.parametrize(
    ("since", "until", "english", "chinese"),
    [
        ("2023-01-01", "2023-12-31", "dated 2023", "2023 年"),
        ("2021-01-01", "2023-12-31", "dated 2021 to 2023", "2021 至 2023 年间"),
        ("2023-01-01", None, "dated 2023 or later", "2023 年及以后"),
        (None, "2022-12-31", "dated 2022 or earlier", "2022 年及以前"),
    ],
)
def test_whole_years_are_told_as_years(since, until, english, chinese):
    filters = Filters(since=since and day(since), until=until and day(until))
    assert conditions(filters, "en") == [english]
    assert conditions(filters, "zh") == [chinese]


@pytest.mark.parametrize(
    ("since", "until", "english", "chinese"),
    [
        (
            "2023-03-01",
            "2023-12-31",
            "dated 2023-03-01 to 2023-12-31",
            "2023-03-01 至 2023-12-31 之间",
        ),
        ("2023-03-01", None, "dated 2023-03-01 or later", "2023-03-01 及以后"),
        (None, "2022-06-30", "dated 2022-06-30 or earlier", "2022-06-30 及以前"),
    ],
)
def test_other_days_are_told_as_days(since, until, english, chinese):
    filters = Filters(since=since and day(since), until=until and day(until))
    assert conditions(filters, "en") == [english]
    assert conditions(filters, "zh") == [chinese]


@pytest.mark.parametrize(
    ("since", "until", "english", "chinese"),
    [
        ("2024-02-01", "2024-02-29", "dated 2024-02", "2024 年 2 月"),
        (
            "2024-02-01",
            "2024-02-28",
            "dated 2024-02-01 to 2024-02-28",
            "2024-02-01 至 2024-02-28 之间",
        ),
        ("2024-02-01", "2024-02-01", "dated 2024-02-01", "2024-02-01"),
    ],
)
def test_a_whole_month_and_a_single_day_are_told_as_such(since, until, english, chinese):
    filters = Filters(since=day(since), until=day(until))
    assert conditions(filters, "en") == [english]
    assert conditions(filters, "zh") == [chinese]


def test_of_several_periods_either_is_told():
    periods = [("2019-01-01", "2019-12-31"), ("2021-01-01", "2023-12-31")]
    filters = Filters(periods=tuple(Period(since=day(a), until=day(b)) for a, b in periods))
    assert conditions(filters, "en") == ["dated 2019 or 2021 to 2023"]
    assert conditions(filters, "zh") == ["2019 年或 2021 至 2023 年间"]


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        (
            "en",
            ["dated 2023", "in category cs.AR or cs.DC", "from NVIDIA or 清华大学", "by Jia"],
        ),
        ("zh", ["2023 年", "分类 cs.AR或cs.DC", "来自 NVIDIA或清华大学", "作者 Jia"]),
    ],
)
def test_each_condition_is_a_phrase_and_its_values_are_alternatives(lang, told):
    filters = Filters(
        since=day("2023-01-01"),
        until=day("2023-12-31"),
        categories=("cs.AR", "cs.DC"),
        institutions=("NVIDIA", "清华大学"),
        authors=("Jia",),
    )
    assert conditions(filters, lang) == told


def test_without_conditions_there_is_nothing_to_tell():
    assert [conditions(Filters(), lang) for lang in LANGS] == [[], []]


def test_the_phrases_are_in_the_language_of_the_reader():
    filters = Filters(since=day("2023-01-01"), authors=("Jia",), categories=("cs.AR",))
    for lang in LANGS:
        assert is_in_language(" ".join(conditions(filters, lang)), lang)


def test_braces_in_a_value_are_only_braces():
    assert conditions(Filters(authors=("{x}",)), "en") == ["by {x}"]
