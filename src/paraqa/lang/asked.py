"""What a question asks papers to meet, and what it asks about apart from that.

Institutions, authors and categories are found first and put out of the text by signs; the patterns
of each language (`Asking`) then say which of them are asked for, and which are only mentioned, as
NVIDIA is in `runs on NVIDIA GPUs`.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from paraqa.lang.categories import ARCHIVES, category
from paraqa.lang.detection import detect
from paraqa.lang.folding import aligned
from paraqa.lang.institutions import Directory
from paraqa.lang.language import ARCHIVE, CODE, DONE, HAN, PERSON, PLACE, SURNAME
from paraqa.lang.people import People, people
from paraqa.lang.periods import Period, period
from paraqa.lang.registry import LANGUAGES
from paraqa.types import Filters

# In Python sources full-width signs are written by their numbers: few fonts tell them apart.
_QUOTED = re.compile(
    r"\u300a[^\u300a\u300b]{2,200}\u300b|\u300c[^\u300c\u300d]{2,200}\u300d|"
    r"\u201c[^\u201c\u201d]{2,200}\u201d|\"[^\"]{2,200}\""
)
_CODE = re.compile(
    r"(?<![a-z0-9_.-])[a-z]+(?:-[a-z]+)?(?:\.(?:[a-z]+(?:-[a-z]+)?|\*))?(?![a-z0-9_-])"
)
_CAPITAL = re.compile(r" (?:[A-Z]|\w*\d)")
_CLOSE = re.compile(f"[{HAN}]|\\s")  # no space is put beside these
_KIND = {PLACE: PLACE, PERSON: PERSON, SURNAME: PERSON, CODE: CODE, ARCHIVE: CODE}
_ROUNDS = 8
_NEAR = 40  # characters before a filter that may exclude it
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


class _Named(NamedTuple):
    start: int
    end: int
    name: str
    sign: str


class _Found(NamedTuple):
    """A phrase that is a filter, and what stands for it in the topic."""

    start: int
    end: int
    put: str = ""
    period: Period | None = None
    is_moment: bool = False  # a time beside which another will do as well
    is_excluded: bool = False


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
    read: tuple[str, ...] = ()
    without: tuple[Filters, ...] = ()
    # What a phrase parted may be one when it is gone: a topic holds no filter.
    for _ in range(_ROUNDS):
        reading = _Reading(topic, today, directory, known)
        found = reading.found()
        if not found:
            return Asked(filters, topic, read, without)
        filters = _both(filters, reading.filters(f for f in found if not f.is_excluded))
        without += tuple(reading.filters([f]) for f in found if f.is_excluded)
        read = (*read, *(topic[f.start : f.end].strip() for f in found))
        topic = _without(topic, found)
    return Asked(Filters(), question, ())  # nobody asks so: `2019年2019年2019年…`


class _Reading:
    """One reading of a text: what is known in it, and what of that is asked for."""

    def __init__(
        self, text: str, today: datetime.date, directory: Directory, known: People
    ) -> None:
        self._text = text
        self._today = today
        self._signed = list(aligned(text))
        self._names: list[_Named] = []
        for code in _CODE.finditer(aligned(text)):
            self._add_code(code)
        for sign, names in (
            (PLACE, directory.find(text)),
            (PERSON, known.find(text)),
            (SURNAME, known.find_surnames(text)),
        ):
            for start, end, name in names:
                self._add(_Named(start, end, name, sign))
        self._hide_quotes()
        self._asking = [language.asking for language in LANGUAGES.values()]

    def found(self) -> list[_Found]:
        """The phrases of the text that are filters, in order."""
        found = self._chosen(self._categories())
        text = "".join(self._signed)
        if any(_pattern(asking.verifying).search(text) for asking in self._asking):
            return sorted(found)
        if not any(_pattern(asking.dating).search(text) for asking in self._asking):
            found += self._chosen(self._periods())
        found += self._chosen(self._origins())
        return sorted(found)

    def filters(self, phrases: Iterable[_Found]) -> Filters:
        """What these phrases say together."""
        found = list(phrases)
        named: dict[str, dict[str, None]] = {PLACE: {}, PERSON: {}, CODE: {}}
        since: list[datetime.date] = []
        until: list[datetime.date] = []
        moments = [f.period for f in found if f.period and f.is_moment]
        periods = [f.period for f in found if f.period and not f.is_moment]
        if moments:  # in 2019 or in 2021
            periods.append(
                Period(
                    min((p.since for p in moments if p.since), default=None),
                    max((p.until for p in moments if p.until), default=None),
                )
            )
        for one in periods:
            since += [one.since] if one.since else []
            until += [one.until] if one.until else []
        for name in self._names:
            if any(f.start <= name.start and name.end <= f.end for f in found if not f.period):
                named[_KIND[name.sign]][name.name] = None
        return Filters(
            since=max(since, default=None),
            until=min(until, default=None),
            categories=tuple(named[CODE]),
            institutions=tuple(named[PLACE]),
            authors=tuple(named[PERSON]),
        )

    def _add(self, named: _Named) -> None:
        if not set(_KIND).intersection(self._signed[named.start : named.end]):
            self._names.append(named)
            self._sign(named.start, named.end, named.sign)

    def _add_code(self, match: re.Match[str]) -> None:
        code = category(match[0])
        archive = match[0].removesuffix(".*")
        if code:
            self._add(_Named(match.start(), match.end(), code, CODE))
        elif archive in ARCHIVES:
            sign = CODE if match[0].endswith(".*") else ARCHIVE
            self._add(_Named(match.start(), match.end(), archive, sign))

    def _hide_quotes(self) -> None:
        for quote in _QUOTED.finditer(self._text):
            inside = (quote.start() + 1, quote.end() - 1)
            if all((n.start, n.end) != inside for n in self._names):  # papers from "NVIDIA"
                self._sign(quote.start(), quote.end(), " ")

    def _sign(self, start: int, end: int, sign: str) -> None:
        self._signed[start:end] = sign * (end - start)

    def _chosen(self, candidates: Iterable[_Found]) -> list[_Found]:
        """The longest of the phrases at each place, put out of the text."""
        chosen: list[_Found] = []
        for found in sorted(candidates, key=lambda f: (f.start - f.end, f.start)):
            if not any(c.start < found.end and found.start < c.end for c in chosen):
                chosen.append(self._with_exclusion(found))
        for found in chosen:
            self._sign(found.start, found.end, DONE)
        return chosen

    def _with_exclusion(self, found: _Found) -> _Found:
        """The phrase with the words around it that say that it is not wanted, if there are any."""
        first = max(0, found.start - _NEAR)
        before = "".join(self._signed[first : found.start])
        after = "".join(self._signed[found.end : found.end + _NEAR])
        start, end = found.start, found.end
        for asking in self._asking:
            if match := _pattern(asking.excluding).search(before):
                start = min(start, first + match.start())
            if match := _pattern(asking.excluding_after).match(after):
                end = max(end, found.end + match.end())
        if (start, end) == (found.start, found.end):
            return found
        return found._replace(start=start, end=end, is_excluded=True, is_moment=False)

    def _categories(self) -> Iterator[_Found]:
        text = "".join(self._signed)
        if CODE not in text and ARCHIVE not in text:
            return
        for asking in self._asking:
            for pattern in asking.categories:
                yield from (_phrase(match) for match in _pattern(pattern).finditer(text))

    def _periods(self) -> Iterator[_Found]:
        text = "".join(self._signed)
        for asking in self._asking:
            for rule, pattern in asking.periods:
                for match in _pattern(pattern).finditer(text):
                    days = period(rule, match, asking, today=self._today)
                    if days and not (rule == "adjective" and self._follows_name(match.start())):
                        is_moment = rule in {"in", "between", "adjective"}
                        yield _phrase(match)._replace(period=days, is_moment=is_moment)

    def _follows_name(self, place: int) -> bool:
        """Whether a year is part of a name before it: `the ICLR 2024 papers`."""
        words = self._text[:place].split()
        if not words or not place or not self._text[place - 1].isspace():
            return False
        word = words[-1]
        is_known = self._signed[place - 2] in (PLACE, PERSON, SURNAME, DONE)
        return len(words) > 1 and any(c.isupper() for c in word) and not is_known

    def _origins(self) -> Iterator[_Found]:
        text = "".join(self._signed)
        if not set(text) & {PLACE, PERSON, SURNAME}:
            return
        whole = (n for n in self._names if n.sign == PERSON and text[n.start] == PERSON)
        yield from (_Found(name.start, name.end) for name in whole)
        for language in LANGUAGES.values():
            asking = language.asking
            for pattern in (*asking.origins, *asking.authorship):
                for match in _pattern(pattern).finditer(text):
                    found = _phrase(match, clause=language.papers)
                    if not self._is_before_product(found):
                        yield found

    def _is_before_product(self, found: _Found) -> bool:
        """Whether a name goes on behind the phrase: `from Microsoft DeepSpeed`."""
        first, last = self._signed[found.start], self._signed[found.end - 1]
        if last != PLACE or first == PLACE or found.put:
            return False
        after = _CAPITAL.match(self._text, found.end)
        return after is not None and any(c.islower() for c in self._text)


@cache
def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _phrase(match: re.Match[str], *, clause: str = "") -> _Found:
    """The part of a match that a topic does without."""
    groups = match.re.groupindex
    if "clause" in groups:
        return _Found(*match.span("clause"), put=clause)
    return _Found(*match.span("cut" if "cut" in groups else 0))


def _both(one: Filters, other: Filters) -> Filters:
    """What meets both; of institutions, authors and categories either."""
    since = [day for day in (one.since, other.since) if day]
    until = [day for day in (one.until, other.until) if day]
    return Filters(
        since=max(since, default=None),
        until=min(until, default=None),
        categories=tuple(dict.fromkeys(one.categories + other.categories)),
        institutions=tuple(dict.fromkeys(one.institutions + other.institutions)),
        authors=tuple(dict.fromkeys(one.authors + other.authors)),
    )


def _without(text: str, found: Sequence[_Found]) -> str:
    """The text without these phrases, and without what only joined them to the rest."""
    rest, place = "", 0
    for phrase in (*found, None):
        piece = text[place : phrase.start if phrase else None]
        is_parted = bool(rest and piece and not _CLOSE.search(rest[-1] + piece[0]))
        rest += (" " if is_parted else "") + piece
        if phrase:
            rest += phrase.put
            place = phrase.end
    for language in LANGUAGES.values():
        rest = _pattern(language.asking.dangling).sub("", rest)
    for pattern, instead in _TIDY:
        rest = pattern.sub(instead, rest)
    if any(c.isalnum() for c in rest):
        return rest.strip()
    return LANGUAGES[detect(text)].papers
