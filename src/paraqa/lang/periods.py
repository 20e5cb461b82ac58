"""Phrases of time as the days that they mean."""

from __future__ import annotations

import calendar
import datetime
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from paraqa.lang.language import Asking
from paraqa.types import Period

_RECENT = 36  # months that `recent years` means
_DECADE = 10
_NO_YEAR = -1  # of a number that is none
_QUARTER, _HALF = 3, 6  # months


class _Days(NamedTuple):
    first: datetime.date
    last: datetime.date


class _Moment(NamedTuple):
    """What a phrase names: the year None where it is that of another beside it."""

    year: int | None
    month: int | None = None
    day: int | None = None
    months: int = 1  # from `month` on
    is_decade: bool = False


def periods(
    rule: str, match: re.Match[str], asking: Asking, *, today: datetime.date
) -> tuple[Period, ...]:
    """The days that a match of one of the patterns of `asking.periods` means: any of these.

    None where what looked like a year is none, as 2048 is.
    """
    if rule in _LASTING:
        months = _months(match, asking) if rule == "past" else _RECENT
        return (Period(since=_before(today, months)),)
    if rule in _LISTS:
        return _listed(match, asking, today)
    groups = match.groupdict()
    if rule == "between":
        two = _span(_moments(match, asking, today, ("1", "2")))
        return (Period(since=two.first, until=two.last),) if two else ()
    one = _span(_moments(match, asking, today, ("1",)))
    if one is None:
        return ()
    if groups.get("with"):
        rule = _WITH.get(rule, rule)
    if groups.get("without"):
        rule = _WITHOUT.get(rule, rule)
    return (_RULES[rule](one),)


def merged(found: Iterable[Period]) -> tuple[Period, ...]:
    """The same days as few periods, in order: 2019 and 2020 are one."""
    ordered = sorted(found, key=lambda period: period.since or datetime.date.min)
    kept: list[Period] = []
    for period in ordered:
        if kept and _meet(kept[-1], period):
            ends = (kept[-1].until, period.until)
            until = max(end for end in ends if end) if all(ends) else None
            kept[-1] = Period(since=kept[-1].since, until=until)
        else:
            kept.append(period)
    return tuple(kept)


def _meet(one: Period, other: Period) -> bool:
    """Whether no day lies between two periods, of which the second begins no earlier."""
    if one.until is None or other.since is None or one.until == datetime.date.max:
        return True
    return other.since <= one.until + _DAY


_LASTING, _LISTS = frozenset({"past", "recent"}), frozenset({"in", "adjective"})
_DAY = datetime.timedelta(days=1)
_RULES: dict[str, Callable[[_Days], Period]] = {
    "since": lambda days: Period(since=days.first),
    "after": lambda days: Period(since=days.last + _DAY),
    "until": lambda days: Period(until=days.last),
    "before": lambda days: Period(until=days.first - _DAY),
}
# `before 2022 (inclusive)`, `until 2022 (exclusive)`.
_WITH = {"before": "until", "after": "since"}
_WITHOUT = {"until": "before", "since": "after"}


def _listed(match: re.Match[str], asking: Asking, today: datetime.date) -> tuple[Period, ...]:
    """The periods of a list: `2019, 2021 to 2023 and May 2025`."""
    place = match.span("cut" if "cut" in match.re.groupindex else 0)
    items = list(_compiled(asking.item).finditer(match.string, *place))
    read = [_read(item, n, asking, today) for item in items for n in ("1", "2")]
    known = _with_years([moment for moment in read if moment])
    found: list[Period] = []
    for n in range(len(items)):
        size = sum(1 for moment in read[2 * n : 2 * n + 2] if moment)
        days = _span(known[:size])
        known = known[size:]
        if days is None:
            return ()
        found.append(Period(since=days.first, until=days.last))
    return tuple(found)


def _moments(
    match: re.Match[str], asking: Asking, today: datetime.date, numbers: Sequence[str]
) -> list[_Moment]:
    """The moments of a match by their numbers; none where one of them is missing."""
    read = [_read(match, n, asking, today) for n in numbers]
    return _with_years([m for m in read if m]) if all(read) else []


def _with_years(moments: list[_Moment]) -> list[_Moment]:
    """The moments with the year of a neighbour where they name none: `March to May 2022`."""
    filled: list[_Moment] = []
    for place, moment in enumerate(moments):
        later = next((m.year for m in moments[place:] if m.year), None)
        before = filled[-1].year if filled and moments[0].year else None
        filled.append(moment._replace(year=moment.year or before or later))
    return filled


def _span(moments: Sequence[_Moment]) -> _Days | None:
    """From the first to the last day of one or two moments; None if one of them is none."""
    days = [_days(moment) for moment in moments]
    known = [each for each in days if each]
    if not known or len(known) < len(days):
        return None
    return _Days(min(each.first for each in known), max(each.last for each in known))


def _read(match: re.Match[str], n: str, asking: Asking, today: datetime.date) -> _Moment | None:
    """The n-th moment of a match; its groups begin with what they hold and end with the number."""
    parts = {
        name[0]: text
        for name, text in match.groupdict().items()
        if text is not None and name[-1] == n
    }
    if not parts:
        return None
    year = _year_of(parts, asking, today)
    month = _number(parts.get("m", ""), asking.months)
    if quarter := _number(parts.get("q", ""), asking.ordinals):
        return _Moment(year, (quarter - 1) * _QUARTER + 1, months=_QUARTER)
    if half := _number(parts.get("h", ""), asking.halves):
        return _Moment(year, (half - 1) * _HALF + 1, months=_HALF)
    return _Moment(year, month, _number(parts.get("d", ""), {}), is_decade="s" in parts)


def _year_of(parts: dict[str, str], asking: Asking, today: datetime.date) -> int | None:
    if "r" in parts:
        words = ((k, word) for word, k in asking.years.items())
        offset = next((k for k, word in words if parts["r"].startswith(word)), 0)
        return today.year + offset
    if "y" not in parts:
        return None
    year = _year(parts["y"], asking)
    return year if 1900 <= year <= today.year + 1 else _NO_YEAR


def _days(moment: _Moment) -> _Days | None:
    """The first and the last day of a moment; None without a year."""
    year = moment.year
    if year is None or year == _NO_YEAR:
        return None
    if moment.is_decade:
        start = year - year % _DECADE
        return _Days(datetime.date(start, 1, 1), datetime.date(start + _DECADE - 1, 12, 31))
    if moment.month is None:
        return _Days(datetime.date(year, 1, 1), datetime.date(year, 12, 31))
    last = moment.month + moment.months - 1
    length = calendar.monthrange(year, last)[1]
    if moment.day and 1 <= moment.day <= length:
        day = datetime.date(year, moment.month, moment.day)
        return _Days(day, day)
    return _Days(datetime.date(year, moment.month, 1), datetime.date(year, last, length))


def _year(text: str, asking: Asking) -> int:
    digits = (str(int(asking.numerals.get(c, -1))) if not c.isdigit() else c for c in text)
    number = "".join(digits)
    return int(number) if number.isdigit() else 0


def _number(text: str, named: Mapping[str, int]) -> int | None:
    if text.isdigit():
        return int(text)
    return next((k for name, k in named.items() if text.startswith(name)), None)


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


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
