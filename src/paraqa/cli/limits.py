"""The options that limit which papers are found, and the filters that they amount to."""

from __future__ import annotations

import argparse
import calendar
import datetime
import re
from typing import TYPE_CHECKING

from paraqa.lang.text import say

if TYPE_CHECKING:
    from collections.abc import Callable

    from paraqa.types import Filters, Lang

_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?", re.ASCII)

Days = tuple[datetime.date, datetime.date]


def days(given: str) -> Days:
    """The first and the last day of a year, a month or a day. Raises ValueError.

    >>> [day.isoformat() for day in days("2024-02")]
    ['2024-02-01', '2024-02-29']
    """
    found = _DATE.fullmatch(given.strip())
    if found is None:
        raise ValueError(given)
    year, month, day = found.groups()
    first = datetime.date(int(year), int(month or 1), int(day or 1))
    if day:
        return first, first
    last = first if month else first.replace(month=12)
    return first, last.replace(day=calendar.monthrange(last.year, last.month)[1])


def date(lang: Lang) -> Callable[[str], Days]:
    """The type of an option that takes a date."""

    def read(given: str) -> Days:
        try:
            return days(given)
        except ValueError as error:
            complaint = say("cli.not_a_date", lang, given=given)
            raise argparse.ArgumentTypeError(complaint) from error

    return read


def name(lang: Lang) -> Callable[[str], str]:
    """The type of an option that takes a name."""

    def read(given: str) -> str:
        if not given.strip():
            raise argparse.ArgumentTypeError(say("cli.blank", lang))
        return given.strip()

    return read


def filters(options: argparse.Namespace) -> Filters | None:
    """The filters that the options set; None where the question's own words decide.

    Raises QuestionError where no date can meet them.
    """
    from paraqa.errors import QuestionError
    from paraqa.types import Filters

    given = Filters(
        since=options.since[0] if options.since else None,
        until=options.until[1] if options.until else None,
        categories=tuple(options.category),
        institutions=tuple(options.institution),
        authors=tuple(options.author),
    )
    if given.since and given.until and given.since > given.until:
        since, until = given.since.isoformat(), given.until.isoformat()
        raise QuestionError("cli.dates_reversed", since=since, until=until)
    return given if given or options.no_filters else None
