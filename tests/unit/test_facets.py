"""What papers can be filtered by, and that a filter is what asking each paper gives."""

import datetime
import sqlite3
from itertools import count

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraqa.facets import TABLES, Facets, is_by, is_in_category, meets
from paraqa.types import Affiliation, Filters, Paper, Period, Source

lines = count(1)


def paper(title: str = "T", **fields) -> Paper:
    return Paper(title=title, source=Source(file="a.txt", line=next(lines)), **fields)


def day(text: str) -> datetime.date:
    return datetime.date.fromisoformat(text)


OLD = paper(date=day("2021-12-31"), categories=("cs.DC",), authors=("Zhihao Jia", "Wei Wang"))
NEW = paper(
    date=day("2024-01-01"),
    categories=("cs.AR", "cs.LG"),
    affiliations=(Affiliation(en="Tsinghua University", zh="清华大学"), Affiliation(en="NVIDIA")),
    authors=("Müller, Jürgen",),
)
TIMELESS = paper(categories=("math.CO",), affiliations=(Affiliation(zh="北京大学"),))
SHELF = (OLD, NEW, TIMELESS)


def filled(*papers: Paper) -> Facets:
    db = sqlite3.connect(":memory:", isolation_level=None)
    for statement in TABLES:
        db.execute(statement)
    facets = Facets(db)
    for number, one in enumerate(papers, start=1):
        facets.add(number, one)
    return facets


def met(facets: Facets, size: int, **conditions) -> list[int]:
    mask = facets.meeting(Filters(**conditions), size)
    assert len(mask) == size
    return [number for number in range(1, size) if mask[number]]


@pytest.fixture
def facets():
    found = filled(*SHELF)
    yield found
    found._db.close()


@pytest.mark.parametrize(
    ("conditions", "numbers"),
    [
        ({}, [1, 2, 3]),
        ({"since": day("2021-12-31")}, [1, 2]),
        ({"since": day("2022-01-01")}, [2]),
        ({"until": day("2024-01-01")}, [1, 2]),
        ({"until": day("2023-12-31")}, [1]),
        ({"since": day("2022-01-01"), "until": day("2023-01-01")}, []),
        ({"periods": (Period(until=day("2021-12-31")), Period(since=day("2024-01-01")))}, [1, 2]),
        ({"periods": (Period(until=day("2020-12-31")), Period(since=day("2024-01-01")))}, [2]),
        ({"periods": (Period(since=day("2021-01-01")),), "until": day("2022-01-01")}, [1]),
        ({"periods": (Period(),)}, [1, 2, 3]),
    ],
)
def test_dates_are_met_from_the_first_day_to_the_last_and_never_without_a_date(
    facets, conditions, numbers
):
    assert met(facets, 4, **conditions) == numbers


@pytest.mark.parametrize(
    ("categories", "numbers"),
    [
        (("cs.AR",), [2]),
        (("cs",), [1, 2]),
        (("CS.dc",), [1]),
        (("c",), []),
        (("cs.",), []),
        (("math", "cs.LG"), [2, 3]),
    ],
)
def test_a_category_is_met_by_itself_and_by_what_belongs_to_its_archive(
    facets, categories, numbers
):
    assert met(facets, 4, categories=categories) == numbers


@pytest.mark.parametrize(
    ("institutions", "numbers"),
    [
        (("Tsinghua University",), [2]),
        (("清华",), [2]),
        (("THU",), [2]),
        (("英伟达",), [2]),
        (("Peking University",), [3]),
        (("北大", "nvidia"), [2, 3]),
        (("MIT",), []),
    ],
)
def test_an_institution_is_met_by_any_of_its_names(facets, institutions, numbers):
    assert met(facets, 4, institutions=institutions) == numbers


@pytest.mark.parametrize(
    ("authors", "numbers"),
    [
        (("Zhihao Jia",), [1]),
        (("jia",), [1]),
        (("Jia Zhihao",), [1]),
        (("Müller",), [2]),
        (("Jürgen Müller",), [2]),
        (("Wang", "müller"), [1, 2]),
        (("Zhi",), []),
    ],
)
def test_an_author_is_met_by_the_whole_name_or_the_surname(facets, authors, numbers):
    assert met(facets, 4, authors=authors) == numbers


def test_all_conditions_that_are_set_must_be_met(facets):
    assert met(facets, 4, categories=("cs",), authors=("Jia", "Müller")) == [1, 2]
    assert met(facets, 4, categories=("cs.AR",), authors=("Jia",)) == []
    assert met(facets, 4, categories=("cs",), since=day("2022-01-01"), institutions=("清华",)) == [
        2
    ]


def test_a_removed_paper_meets_nothing_and_a_new_one_its_own(facets):
    assert met(facets, 4, categories=("cs",)) == [1, 2]
    facets.remove(2)
    facets.remove(9)
    assert met(facets, 4, categories=("cs",)) == [1]
    assert met(facets, 4, since=day("2022-01-01")) == []
    assert "Müller, Jürgen" not in facets.authors()
    facets.add(4, NEW)
    assert met(facets, 5, categories=("cs",)) == [1, 4]
    assert met(facets, 5, since=day("2022-01-01"), institutions=("清华",)) == [4]
    assert facets.authors() == {"Zhihao Jia", "Wei Wang", "Müller, Jürgen"}


def test_the_institutions_of_the_papers_are_known_by_the_names_that_these_give(facets):
    facets.add(4, paper(affiliations=(Affiliation(en="Zuse Works", zh="楚泽工厂"),)))
    assert [named.name for named in facets.directory().find("论文来自楚泽工厂")] == ["Zuse Works"]
    assert met(facets, 5, institutions=("楚泽工厂",)) == [4]


def test_the_newest_of_some_papers_come_first_and_those_of_one_day_in_order(facets):
    facets.add(4, paper(date=day("2021-12-31")))
    everything = np.array([False, True, True, True, True])
    days = {
        number: day(text).toordinal() for number, text in ((2, "2024-01-01"), (1, "2021-12-31"))
    }
    assert facets.newest(everything, 9) == [(2, days[2]), (1, days[1]), (4, days[1]), (3, 0)]
    assert facets.newest(everything, 2) == [(2, days[2]), (1, days[1])]
    assert facets.newest(np.array([False, True, False, True]), 9) == [(1, days[1]), (3, 0)]


def test_an_empty_shelf_meets_nothing():
    facets = filled()
    assert met(facets, 1, categories=("cs",), since=day("2022-01-01")) == []
    assert facets.authors() == frozenset()
    facets._db.close()


@pytest.mark.parametrize(
    ("wanted", "category", "is_met"),
    [("cs", "cs.DC", True), ("cs", "cs", True), ("cs.D", "cs.DC", False), ("cs.DC", "cs", False)],
)
def test_an_archive_is_more_than_a_beginning(wanted, category, is_met):
    assert is_in_category(wanted, category) is is_met


@pytest.mark.parametrize(
    ("wanted", "author", "is_met"),
    [
        ("Zhou", "Zhou, Ming", True),
        ("周明", "周明", True),
        ("Ｚｈｏｕ", "Ming Zhou", True),
        ("Ming Z", "Ming Zhou", False),
        ("", "Ming Zhou", False),
        ("Zhou", "", False),
    ],
)
def test_a_surname_stands_first_or_last(wanted, author, is_met):
    assert is_by(wanted, author) is is_met


# ---- R26: a filter is what asking each paper gives

DATES = st.dates(min_value=day("2019-01-01"), max_value=day("2025-12-31")) | st.sampled_from(
    [day("2024-01-01"), datetime.date.min, datetime.date.max]
)
CATEGORIES = st.sampled_from(["cs.DC", "cs.AR", "cs.LG", "math.CO", "cs", "CS.dc", ""])
NAMES = st.sampled_from(
    ["Zhihao Jia", "Jia", "Wang, Wei", "wei wang", "Müller", "周明", "", "O'Neil", "a,b"]
)
INSTITUTIONS = ["Tsinghua University", "清华大学", "NVIDIA", "英伟达", "Peking University", "MIT"]
AFFILIATIONS = st.builds(
    Affiliation,
    en=st.none() | st.sampled_from([*INSTITUTIONS, "School of Law, Peking University", "Zuse"]),
    zh=st.none() | st.sampled_from(["清华大学", "北京大学", "楚泽工厂", ""]),
)


def tuples(values: st.SearchStrategy, size: int = 3) -> st.SearchStrategy:
    return st.lists(values, max_size=size, unique=True).map(tuple)


PAPERS = st.builds(
    paper,
    date=st.none() | DATES,
    categories=tuples(CATEGORIES),
    authors=tuples(NAMES),
    affiliations=tuples(AFFILIATIONS),
)
FILTERS = st.builds(
    Filters,
    since=st.none() | DATES,
    until=st.none() | DATES,
    periods=tuples(st.builds(Period, since=st.none() | DATES, until=st.none() | DATES)),
    categories=tuples(CATEGORIES, 2),
    institutions=tuples(st.sampled_from([*INSTITUTIONS, "清华", "楚泽工厂", "Nowhere", ""]), 2),
    authors=tuples(NAMES, 2),
)


@given(papers=st.lists(PAPERS, max_size=8), filters=FILTERS, removed=st.sets(st.integers(1, 8)))
@settings(max_examples=60, deadline=None)
def test_r26_a_mask_is_what_asking_each_paper_gives(papers, filters, removed):
    facets = filled(*papers)
    gone = {number for number in removed if number <= len(papers)}
    for number in gone:
        facets.remove(number)
    mask = facets.meeting(filters, len(papers) + 1)
    directory = facets.directory()
    for number, one in enumerate(papers, start=1):
        if number not in gone:
            assert mask[number] == meets(one, filters, directory), one
    facets._db.close()
