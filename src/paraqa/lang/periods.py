"""Phrases of time as the days that they mean."""

from __future__ import annotations

import calendar
import datetime
import re
from collections.abc import Callable
from typing import NamedTuple

from paraqa.lang.language import Asking

_RECENT = 36  # months that `recent years` means
_DECADE = 10


class Period(NamedTuple):
    """Days from `since` to `until`, both included; None where it is open."""

    since: datetime.date | None = None
    until: datetime.date | None = None


class _Days(NamedTuple):
    first: datetime.date
    last: datetime.date


def period(
    rule: str, match: re.Match[str], asking: Asking, *, today: datetime.date
) -> Period | None:
    """The days that a match of one of the patterns of `asking.periods` means.

    None where what looked like a year is none, as 2048 is.
    """
    if rule in _LASTING:
        months = _months(match, asking) if rule == "past" else _RECENT
        return Period(since=_before(today, months))
    one = _days(match, 1, asking, today)
    if one is None:
        return None
    if rule == "between":
        two = _days(match, 2, asking, today)
        return two and Period(min(one.first, two.first), max(one.last, two.last))
    return _RULES[rule](one)


_LASTING = frozenset({"past", "recent"})
_DAY = datetime.timedelta(days=1)
_RULES: dict[str, Callable[[_Days], Period]] = {
    "in": lambda days: Period(days.first, days.last),
    "adjective": lambda days: Period(days.first, days.last),
    "since": lambda days: Period(since=days.first),
    "after": lambda days: Period(since=days.last + _DAY),
    "until": lambda days: Period(until=days.last),
    "before": lambda days: Period(until=days.first - _DAY),
}


def _days(match: re.Match[str], n: int, asking: Asking, today: datetime.date) -> _Days | None:
    """The first and the last day of the n-th moment of a match."""
    groups = match.groupdict()
    relative = groups.get(f"r{n}")
    if relative:
        offset = next((k for word, k in asking.years.items() if relative.startswith(word)), 0)
        return _of_year(today.year + offset)
    year = _year(groups.get(f"y{n}") or "", asking)
    if not 1900 <= year <= today.year + 1:
        return None
    if groups.get(f"s{n}"):
        start = year - year % _DECADE
        return _Days(datetime.date(start, 1, 1), datetime.date(start + _DECADE - 1, 12, 31))
    month = _month(groups.get(f"m{n}") or groups.get(f"q{n}") or "", asking)
    if month is None:
        return _of_year(year)
    length = calendar.monthrange(year, month)[1]
    day = int(groups.get(f"d{n}") or groups.get(f"e{n}") or 0)
    if 1 <= day <= length:
        return _Days(datetime.date(year, month, day), datetime.date(year, month, day))
    return _Days(datetime.date(year, month, 1), datetime.date(year, month, length))


def _of_year(year: int) -> _Days:
    return _Days(datetime.date(year, 1, 1), datetime.date(year, 12, 31))


def _year(text: str, asking: Asking) -> int:
    digits = (str(int(asking.numerals.get(c, -1))) if not c.isdigit() else c for c in text)
    number = "".join(digits)
    return int(number) if number.isdigit() else 0


def _month(text: str, asking: Asking) -> int | None:
    if text.isdigit():
        return int(text)
    return next((k for name, k in asking.months.items() if text.startswith(name)), None)


def _months(match: re.Match[str], asking: Asking) -> int:
    groups = match.groupdict()
    count = (groups.get("n") or groups.get("k") or "").split()
    number = 1.0
    if count:
        number = float(count[0]) if count[0].isdigit() else asking.numerals.get(count[0], 1)
    unit = next((k for name, k in asking.units.items() if match["u"].startswith(name)), 1)
    return round(number * unit)


def _before(today: datetime.date, months: int) -> datetime.date:
    """The day so many months earlier, or the last of its month."""
    total = max(today.year * 12 + today.month - 1 - months, 12)
    year, month = total // 12, total % 12 + 1
    return datetime.date(year, month, min(today.day, calendar.monthrange(year, month)[1]))
