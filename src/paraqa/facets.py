"""What papers can be filtered by: dates, categories, institutions, authors.

A filter becomes a mask over the numbers of papers, which both rankings apply before they rank, so
that a filtered result is what ranking the filtered papers alone would give.
"""

from __future__ import annotations

import datetime
import json
import sqlite3
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from paraqa.lang import fold
from paraqa.lang.institutions import Directory
from paraqa.types import Affiliation, Filters, Paper, Period

Mask = NDArray[np.bool_]
_Value = TypeVar("_Value")

TABLES = (
    "CREATE TABLE IF NOT EXISTS facets (kind TEXT NOT NULL, value TEXT NOT NULL, "
    "paper INTEGER NOT NULL, PRIMARY KEY (kind, value, paper)) WITHOUT ROWID",
    "CREATE INDEX IF NOT EXISTS facets_of ON facets (paper)",
    "CREATE TABLE IF NOT EXISTS dates (paper INTEGER PRIMARY KEY, day INTEGER NOT NULL)",
)
_CATEGORY, _INSTITUTION, _AUTHOR = "category", "institution", "author"
_HOLDERS = """
SELECT DISTINCT paper FROM facets WHERE kind = ? AND value IN (SELECT value FROM json_each(?))
"""


class Facets:
    """The facets of the papers, by number. Its caller locks and opens transactions."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def add(self, number: int, paper: Paper) -> None:
        """Note the facets of a paper that is not in it."""
        self._forget()
        rows = [(_CATEGORY, category) for category in paper.categories]
        rows += [(_INSTITUTION, a.model_dump_json()) for a in paper.affiliations]
        rows += [(_AUTHOR, author) for author in paper.authors]
        self._db.executemany(
            "INSERT OR IGNORE INTO facets VALUES (?, ?, ?)", [(*row, number) for row in rows]
        )
        if paper.date:
            self._db.execute("INSERT INTO dates VALUES (?, ?)", (number, paper.date.toordinal()))

    def remove(self, number: int) -> None:
        """Take a paper out."""
        self._forget()
        self._db.execute("DELETE FROM facets WHERE paper = ?", (number,))
        self._db.execute("DELETE FROM dates WHERE paper = ?", (number,))

    def directory(self) -> Directory:
        """The institutions of the corpus, with what else they are called."""
        return self._directory

    def authors(self) -> frozenset[str]:
        """The authors of the corpus, as the listings write them."""
        return self._authors

    def newest(self, eligible: Mask, n: int) -> list[tuple[int, int]]:
        """The n newest of these papers as (number, ordinal of the day), those without one last."""
        numbers = np.flatnonzero(eligible)
        days = np.zeros(max(len(eligible), len(self._days)), np.int64)
        days[: len(self._days)] = self._days
        order = numbers[np.argsort(-days[numbers], kind="stable")][:n]
        return [(int(number), int(days[number])) for number in order]

    def meeting(self, filters: Filters, size: int) -> Mask:
        """The papers that meet all conditions, as a mask over the numbers below `size`."""
        mask = np.ones(size, dtype=np.bool_)
        for periods in _dated(filters):
            mask &= np.logical_or.reduce([self._within(period, size) for period in periods])
        for kind, values, is_met in (
            (_CATEGORY, filters.categories, is_in_category),
            (_INSTITUTION, filters.institutions, self._is_from),
            (_AUTHOR, filters.authors, is_by),
        ):
            if values:
                mask &= self._holding(kind, values, is_met, size)
        return mask

    def _within(self, period: Period, size: int) -> Mask:
        if period == Period():
            return np.ones(size, dtype=np.bool_)
        first = (period.since or datetime.date.min).toordinal()
        last = (period.until or datetime.date.max).toordinal()
        days = np.zeros(size, np.int64)
        known = self._days[:size]
        days[: len(known)] = known
        return (days >= first) & (days <= last)

    def _holding(
        self, kind: str, wanted: Iterable[str], is_met: Callable[[str, str], bool], size: int
    ) -> Mask:
        held = [value for value in self._values(kind) if any(is_met(w, value) for w in wanted)]
        rows = self._db.execute(_HOLDERS, (kind, json.dumps(held)))
        return _mask((number for (number,) in rows), size)

    def _values(self, kind: str) -> list[str]:
        rows = self._db.execute("SELECT DISTINCT value FROM facets WHERE kind = ?", (kind,))
        return [value for (value,) in rows]

    def _is_from(self, wanted: str, value: str) -> bool:
        return self._directory.matches(wanted, self._institutions[value])

    @cached_property
    def _institutions(self) -> dict[str, Affiliation]:
        return {v: Affiliation.model_validate_json(v) for v in self._values(_INSTITUTION)}

    @cached_property
    def _directory(self) -> Directory:
        return Directory(self._institutions.values())

    @cached_property
    def _days(self) -> NDArray[np.int64]:
        """The date of each paper by number, as a proleptic Gregorian ordinal; 0 without one."""
        rows = self._db.execute("SELECT paper, day FROM dates").fetchall()
        table = np.array(rows, dtype=np.int64).reshape(-1, 2)
        days = np.zeros(int(table[:, 0].max(initial=0)) + 1, np.int64)
        days[table[:, 0]] = table[:, 1]
        return days

    @cached_property
    def _authors(self) -> frozenset[str]:
        return frozenset(self._values(_AUTHOR))

    def _forget(self) -> None:
        for name in ("_institutions", "_directory", "_authors", "_days"):
            self.__dict__.pop(name, None)


def meets(paper: Paper, filters: Filters, directory: Directory) -> bool:
    """Whether one paper meets all conditions: what the masks are, said for each paper."""
    return (
        all(any(period.holds(paper.date) for period in periods) for periods in _dated(filters))
        and _any(filters.categories, paper.categories, is_in_category)
        and _any(filters.institutions, paper.affiliations, directory.matches)
        and _any(filters.authors, paper.authors, is_by)
    )


def _dated(filters: Filters) -> tuple[tuple[Period, ...], ...]:
    """What the date must meet: of each of these, one period."""
    bounds = (Period(since=filters.since, until=filters.until),)
    return tuple(each for each in (bounds, filters.periods) if each)


def is_in_category(wanted: str, category: str) -> bool:
    """Whether a category is the one wanted, or belongs to the archive wanted."""
    folded, other = wanted.casefold(), category.casefold()
    return other == folded or other.startswith(folded + ".")


def is_by(wanted: str, author: str) -> bool:
    """Whether an author has the whole name, or the surname, that is wanted."""
    folded, other = fold(wanted).split(), fold(author).replace(",", " ").split()
    if folded == other or sorted(folded) == sorted(other):
        return True
    return len(folded) == 1 and bool(other) and folded[0] in (other[-1], other[0])


def _any(
    wanted: Iterable[str], held: Iterable[_Value], is_met: Callable[[str, _Value], bool]
) -> bool:
    wanted, held = list(wanted), list(held)
    return not wanted or any(is_met(w, h) for w in wanted for h in held)


def _mask(numbers: Iterable[int], size: int) -> Mask:
    mask = np.zeros(size, dtype=np.bool_)
    mask[np.fromiter(numbers, dtype=np.int64)] = True
    return mask
