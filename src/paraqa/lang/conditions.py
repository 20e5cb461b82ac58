"""Filters in words, as the reader's language puts them."""

from __future__ import annotations

import datetime

from paraqa.lang.text import say
from paraqa.types import Filters, Lang, Period, Query


def conditions_of(query: Query, lang: Lang) -> list[str]:
    """One phrase for each condition that papers must meet to answer a query."""
    unwanted = (phrase for each in query.without for phrase in conditions(each, lang))
    return [
        *conditions(query.filters, lang),
        *(say("filters.except", lang, condition=phrase) for phrase in unwanted),
    ]


def conditions(filters: Filters, lang: Lang) -> list[str]:
    """One phrase for each condition: `since 2025`, `in cs.AR`, `from NVIDIA`."""
    either = say("filters.or", lang)
    bounds = _days(Period(since=filters.since, until=filters.until), lang)
    periods = say("filters.or_days", lang).join(_days(each, lang) for each in filters.periods)
    told = [say("filters.dated", lang, days=days) for days in (bounds, periods) if days]
    for key, values in (
        ("category", filters.categories),
        ("institution", filters.institutions),
        ("author", filters.authors),
    ):
        if values:
            told.append(say(f"filters.{key}", lang, values=either.join(values)))
    return told


def _days(period: Period, lang: Lang) -> str:
    """The days of a period: whole years and a whole month as such; empty where both ends are open.

    >>> _days(Period(since=datetime.date(2022, 8, 1), until=datetime.date(2022, 8, 31)), "zh")
    '2022 年 8 月'
    """
    since, until = period.since, period.until
    if since and until:
        return _between(since, until, lang)
    if since:
        if (since.month, since.day) == (1, 1):
            return say("filters.since", lang, since=since.year)
        return say("filters.since_day", lang, since=since.isoformat())
    if until:
        if (until.month, until.day) == (12, 31):
            return say("filters.until", lang, until=until.year)
        return say("filters.until_day", lang, until=until.isoformat())
    return ""


def _between(since: datetime.date, until: datetime.date, lang: Lang) -> str:
    if (since.month, since.day, until.month, until.day) == (1, 1, 12, 31):
        if since.year == until.year:
            return say("filters.year", lang, year=since.year)
        return say("filters.between", lang, since=since.year, until=until.year)
    if since == until:
        return since.isoformat()
    if (since.year, since.month, since.day) == (until.year, until.month, 1) and (
        until + datetime.timedelta(days=1)
    ).day == 1:
        return say("filters.month", lang, year=since.year, month=since.month)
    return say("filters.between_days", lang, since=since.isoformat(), until=until.isoformat())
