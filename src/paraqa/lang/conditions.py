"""Filters in words, as the reader's language puts them."""

from __future__ import annotations

import datetime

from paraqa.lang.text import say
from paraqa.types import Filters, Lang, Query


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
    told = [_dates(filters.since, filters.until, lang)]
    for key, values in (
        ("category", filters.categories),
        ("institution", filters.institutions),
        ("author", filters.authors),
    ):
        if values:
            told.append(say(f"filters.{key}", lang, values=either.join(values)))
    return [phrase for phrase in told if phrase]


def _dates(since: datetime.date | None, until: datetime.date | None, lang: Lang) -> str:
    if since and until:
        if (since.month, since.day, until.month, until.day) == (1, 1, 12, 31):
            if since.year == until.year:
                return say("filters.year", lang, year=since.year)
            return say("filters.between", lang, since=since.year, until=until.year)
        return say("filters.between_days", lang, since=since.isoformat(), until=until.isoformat())
    if since:
        if (since.month, since.day) == (1, 1):
            return say("filters.since", lang, since=since.year)
        return say("filters.since_day", lang, since=since.isoformat())
    if until:
        if (until.month, until.day) == (12, 31):
            return say("filters.until", lang, until=until.year)
        return say("filters.until_day", lang, until=until.isoformat())
    return ""
