"""What a question asks papers to meet, and what it asks about apart from that."""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from paraqa.lang.detection import detect
from paraqa.lang.folding import aligned
from paraqa.lang.institutions import Directory
from paraqa.lang.language import HAN
from paraqa.lang.people import people
from paraqa.lang.periods import merged
from paraqa.lang.reading import QUOTED, Found, Reading, compiled
from paraqa.lang.registry import LANGUAGES
from paraqa.types import Filters, Order

_CLOSE = re.compile(f"[{HAN}]|\\s")  # no space is put beside these
_ROUNDS = 8
_MARKS = ",;:\uff0c\u3001\uff1b\uff1a"
_ENDS = ".?!\u3002\uff1f\uff01"
_TIDY = (
    (re.compile("[(\uff08]\\s*[)\uff09]"), " "),
    (re.compile(r"\s+"), " "),
    (re.compile(f" (?=[{_MARKS}{_ENDS})\uff09])"), ""),
    (re.compile("(?<=[(\uff08]) "), ""),
    (re.compile(f"([{_MARKS}])(?: ?[{_MARKS}])+"), r"\1"),
    (re.compile(f"[{_MARKS}] ?(?=[{_ENDS}]|$)"), ""),
    (re.compile(f"^[{_MARKS}{_ENDS} ]+(?=.)"), ""),
)


class Asked(NamedTuple):
    """What papers must meet, what is asked about, and the phrases that were read, as typed.

    A paper that meets any of `without` is not wanted.
    """

    filters: Filters
    topic: str
    read: tuple[str, ...]
    without: tuple[Filters, ...] = ()


class Ordered(NamedTuple):
    """Which papers are to come first, and the rest of a question."""

    order: Order | None
    topic: str


def ordered(question: str) -> Ordered:
    """In which order a question asks for papers, and the question without that."""
    order: Order | None = None
    for _ in range(_ROUNDS):  # `the newest papers, newest first`
        found = _order(question)
        if found is None:
            break
        order = order or found[0]
        question = _without(question, [found[1]])
    return Ordered(order, question)


def _order(question: str) -> tuple[Order, Found] | None:
    """The first phrase that asks for papers by date, and which of them come first."""
    text = aligned(QUOTED.sub(lambda quote: " " * len(quote[0]), question))
    found = (
        (order, Found(*match.span("cut")))
        for language in LANGUAGES.values()
        for order, pattern in language.asking.orders
        for match in compiled(pattern).finditer(text)
    )
    return min(found, key=lambda pair: (pair[1].start, -pair[1].end), default=None)


def asked(
    question: str,
    *,
    today: datetime.date,
    directory: Directory,
    authors: Collection[str] = (),
) -> Asked:
    """What a question asks papers to meet, in either language or both, and the rest of it.

    `authors` are the whole names that are known; pass the same object as long as they are the same.
    """
    known = people(authors)
    topic, filters = question, Filters()
    times: list[Found] = []
    read: tuple[str, ...] = ()
    without: tuple[Filters, ...] = ()
    # What a phrase parted may be one when it is gone: a topic holds no filter.
    for _ in range(_ROUNDS):
        reading = Reading(topic, today, directory, known)
        found = reading.found()
        if not found:
            return Asked(_dated(filters, times), topic, read, without)
        wanted = [phrase for phrase in found if not phrase.is_excluded]
        times += [phrase for phrase in wanted if phrase.periods]
        filters = _either(filters, reading.named(wanted))
        without += tuple(_dated(reading.named([f]), [f]) for f in found if f.is_excluded)
        read = (*read, *(topic[f.start : f.end].strip() for f in found))
        topic = _without(topic, found)
    return Asked(Filters(), question, ())  # nobody asks so: `2019年2019年2019年…`


def _dated(filters: Filters, times: Iterable[Found]) -> Filters:
    """The filters with the dates that phrases of time mean together."""
    times = list(times)
    listed = merged(period for time in times if time.is_moment for period in time.periods)
    bounds = [period for time in times if not time.is_moment for period in time.periods]
    if len(listed) == 1:  # in 2019
        bounds, listed = [*bounds, *listed], ()
    since = max((period.since for period in bounds if period.since), default=None)
    until = min((period.until for period in bounds if period.until), default=None)
    if since and until and since > until:  # before 2015 or after 2020
        since = until = None
        listed = merged([*bounds, *listed])
    if len(listed) == 1:
        return filters.model_copy(update=listed[0].model_dump())
    return filters.model_copy(update={"since": since, "until": until, "periods": listed})


def _either(one: Filters, other: Filters) -> Filters:
    """What meets one of the institutions, authors and categories of both."""
    return Filters(
        categories=tuple(dict.fromkeys(one.categories + other.categories)),
        institutions=tuple(dict.fromkeys(one.institutions + other.institutions)),
        authors=tuple(dict.fromkeys(one.authors + other.authors)),
    )


def _without(text: str, found: Sequence[Found]) -> str:
    """The text without these phrases, and without what only joined them to the rest."""
    rest, place = "", 0
    for phrase in (*found, None):
        piece = text[place : phrase.start if phrase else None]
        if place and phrase and _is_joining(piece):
            piece = " "
        is_parted = bool(rest and piece and not _CLOSE.search(rest[-1] + piece[0]))
        rest += (" " if is_parted else "") + piece
        if phrase:
            rest += phrase.put
            place = phrase.end
    for language in LANGUAGES.values():
        rest = compiled(language.asking.dangling).sub("", rest)
    for pattern, instead in _TIDY:
        rest = pattern.sub(instead, rest)
    if any(c.isalnum() for c in rest):
        return rest.strip()
    return LANGUAGES[detect(text)].papers


def _is_joining(piece: str) -> bool:
    """Whether a piece of text only joins what is on both sides of it."""
    asking = (language.asking for language in LANGUAGES.values())
    return any(compiled(each.joining).fullmatch(piece.lower()) for each in asking)
