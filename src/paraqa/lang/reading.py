"""One reading of a question: what is known in it, and what of that papers are to meet.

Institutions, authors and categories are found first and put out of the text by signs; the patterns
of each language (`Asking`) then say which of them are asked for, and which are only mentioned, as
NVIDIA is in `runs on NVIDIA GPUs`.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from paraqa.lang import venues
from paraqa.lang.categories import ARCHIVES, category
from paraqa.lang.folding import aligned
from paraqa.lang.institutions import Directory
from paraqa.lang.language import ARCHIVE, CODE, DONE, PERSON, PLACE, SURNAME, VENUE
from paraqa.lang.people import People
from paraqa.lang.periods import periods
from paraqa.lang.registry import LANGUAGES
from paraqa.types import Filters, Period

# In Python sources full-width signs are written by their numbers: few fonts tell them apart.
QUOTED = re.compile(
    r"\u300a[^\u300a\u300b]{2,200}\u300b|\u300c[^\u300c\u300d]{2,200}\u300d|"
    r"\u201c[^\u201c\u201d]{2,200}\u201d|\"[^\"]{2,200}\""
)
_CODE = re.compile(
    r"(?<![a-z0-9_.-])[a-z]+(?:-[a-z]+)?(?:\.(?:[a-z]+(?:-[a-z]+)?|\*))?(?![a-z0-9_-])"
)
_CAPITAL = re.compile(r" (?:[A-Z]|\w*\d)")
_TIMED = re.compile(r"\d{4}|[\u3007\u96f6\u4e00-\u4e5d]{4}|year|month|decade|[\u5e74\u6708]")
_VENUE = re.compile(rf"(?<![a-z0-9-]){venues.PLAIN}(?![a-z0-9])")
_CAPITALS = re.compile(r"(?<![A-Za-z0-9-])[A-Z]{2,5}(?![A-Za-z0-9-])")
_KIND = {PLACE: PLACE, PERSON: PERSON, SURNAME: PERSON, CODE: CODE, ARCHIVE: CODE}
_NAMES = re.compile(f"[{PLACE}{PERSON}{SURNAME}]")
_NEAR = 40  # characters before a filter that may exclude it
_BEFORE = 120  # characters before a name that say what is done to its bearer's work


class Named(NamedTuple):
    """A name in the text, and the sign of what it is."""

    start: int
    end: int
    name: str
    sign: str


class Found(NamedTuple):
    """A phrase that is a filter, and what stands for it in the topic."""

    start: int
    end: int
    put: str = ""
    periods: tuple[Period, ...] = ()  # of a time, any of them
    is_moment: bool = False  # a time beside which another will do as well
    is_excluded: bool = False


class Reading:
    """One reading of a text: what is known in it, and what of that is asked for."""

    def __init__(
        self, text: str, today: datetime.date, directory: Directory, known: People
    ) -> None:
        self._text = text
        self._today = today
        self._signed = list(aligned(text))
        self._names: list[Named] = []
        for code in _CODE.finditer(aligned(text)):
            self._add_code(code)
        for sign, names in (
            (PLACE, directory.find(text)),
            (PERSON, known.find(text)),
            (SURNAME, known.find_surnames(text)),
        ):
            for start, end, name in names:
                self._add(Named(start, end, name, sign))
        self._hide_quotes()
        self._asking = [language.asking for language in LANGUAGES.values()]
        self._is_timed = _TIMED.search("".join(self._signed)) is not None
        if self._is_timed:
            self._pass_over_times()

    def found(self) -> list[Found]:
        """The phrases of the text that are filters, in order."""
        found = self._chosen(self._categories())
        text = "".join(self._signed)
        if any(compiled(asking.verifying).search(text) for asking in self._asking):
            return sorted(found)
        if not any(compiled(asking.dating).search(text) for asking in self._asking):
            found += self._chosen(self._periods())
        found += self._chosen(self._origins())
        return sorted(found)

    def named(self, phrases: Iterable[Found]) -> Filters:
        """The categories, institutions and authors that these phrases ask for."""
        found = [phrase for phrase in phrases if not phrase.periods]
        named: dict[str, dict[str, None]] = {PLACE: {}, PERSON: {}, CODE: {}}
        for name in self._names:
            if any(f.start <= name.start and name.end <= f.end for f in found):
                named[_KIND[name.sign]][name.name] = None
        return Filters(
            categories=tuple(named[CODE]),
            institutions=tuple(named[PLACE]),
            authors=tuple(named[PERSON]),
        )

    def _add(self, named: Named) -> None:
        if not set(_KIND).intersection(self._signed[named.start : named.end]):
            self._names.append(named)
            self._sign(named.start, named.end, named.sign)

    def _add_code(self, match: re.Match[str]) -> None:
        code = category(match[0])
        archive = match[0].removesuffix(".*")
        if code:
            self._add(Named(match.start(), match.end(), code, CODE))
        elif archive in ARCHIVES:
            sign = CODE if match[0].endswith(".*") else ARCHIVE
            self._add(Named(match.start(), match.end(), archive, sign))

    def _hide_quotes(self) -> None:
        for quote in QUOTED.finditer(self._text):
            inside = (quote.start() + 1, quote.end() - 1)
            if all((n.start, n.end) != inside for n in self._names):  # papers from "NVIDIA"
                self._sign(quote.start(), quote.end(), " ")

    def _pass_over_times(self) -> None:
        """Put out of the text what is a time, but no one that papers can be held against."""
        folded = aligned(self._text)
        found = [venue.span() for venue in _VENUE.finditer(folded)]
        found += [w.span() for w in _CAPITALS.finditer(self._text) if w[0] in venues.CAPITALS]
        for start, end in found:
            if "".join(self._signed[start:end]) == folded[start:end]:
                self._sign(start, end, VENUE)
        for asking in self._asking:
            for match in compiled(asking.unsharp).finditer("".join(self._signed)):
                if match["vague"]:
                    self._sign(match.start(), match.end(), DONE)
        # A conference with no year is a word like others.
        self._signed = [
            character if sign == VENUE else sign
            for sign, character in zip(self._signed, folded, strict=True)
        ]

    def _sign(self, start: int, end: int, sign: str) -> None:
        self._signed[start:end] = sign * (end - start)

    def _chosen(self, candidates: Iterable[Found]) -> list[Found]:
        """The longest of the phrases at each place, put out of the text."""
        chosen: list[Found] = []
        for found in sorted(candidates, key=lambda f: (f.start - f.end, f.start)):
            if not any(c.start < found.end and found.start < c.end for c in chosen):
                chosen.append(self._with_exclusion(found))
        for found in chosen:
            self._sign(found.start, found.end, DONE)
        return chosen

    def _with_exclusion(self, found: Found) -> Found:
        """The phrase with the words around it that say that it is not wanted, if there are any."""
        first = max(0, found.start - _NEAR)
        before = "".join(self._signed[first : found.start])
        after = "".join(self._signed[found.end : found.end + _NEAR])
        start, end = found.start, found.end
        for asking in self._asking:
            if match := compiled(asking.excluding).search(before):
                start = min(start, first + match.start())
            if match := compiled(asking.excluding_after).match(after):
                end = max(end, found.end + match.end())
        if (start, end) == (found.start, found.end):
            return found
        return found._replace(start=start, end=end, is_excluded=True, is_moment=False)

    def _categories(self) -> Iterator[Found]:
        text = "".join(self._signed)
        if CODE not in text and ARCHIVE not in text:
            return
        for asking in self._asking:
            for pattern in asking.categories:
                yield from (_phrase(match) for match in compiled(pattern).finditer(text))

    def _periods(self) -> Iterator[Found]:
        if not self._is_timed:
            return
        text = "".join(self._signed)
        for asking in self._asking:
            for rule, pattern in asking.periods:
                for match in compiled(pattern).finditer(text):
                    found = _phrase(match)
                    if rule == "adjective" and self._follows_name(found.start):
                        continue
                    days = periods(rule, match, asking, today=self._today)
                    if days:
                        is_moment = rule in {"in", "between", "adjective"}
                        yield found._replace(periods=days, is_moment=is_moment)

    def _follows_name(self, place: int) -> bool:
        """Whether a year is part of a name before it: `the ICLR 2024 papers`."""
        words = self._text[:place].split()
        if not words or not place or not self._text[place - 1].isspace():
            return False
        word = words[-1]
        is_known = self._signed[place - 2] in (PLACE, PERSON, SURNAME, DONE)
        return len(words) > 1 and any(c.isupper() for c in word) and not is_known

    def _origins(self) -> Iterator[Found]:
        text = "".join(self._signed)
        if not set(text) & {PLACE, PERSON, SURNAME}:
            return
        whole = (n for n in self._names if n.sign == PERSON and text[n.start] == PERSON)
        yield from (
            Found(name.start, name.end)
            for name in whole
            if not self._is_mentioned(text, name.start)
        )
        for language in LANGUAGES.values():
            asking = language.asking
            for pattern in (*asking.origins, *asking.authorship):
                for match in compiled(pattern).finditer(text):
                    found = _phrase(match, clause=language.papers)
                    names = _NAMES.search(text, found.start, found.end)
                    if names and self._is_mentioned(text, names.start()):
                        continue
                    if not self._is_before_product(found):
                        yield found

    def _is_mentioned(self, text: str, place: int) -> bool:
        """Whether the bearer of a name is one whose work others cite or surpass."""
        before = text[max(0, place - _BEFORE) : place]
        return any(
            compiled(asking.mentioning).search(before)
            or (asking.mentioning_after and compiled(asking.mentioning_after).match(text, place))
            for asking in self._asking
        )

    def _is_before_product(self, found: Found) -> bool:
        """Whether a name goes on behind the phrase: `from Microsoft DeepSpeed`."""
        first, last = self._signed[found.start], self._signed[found.end - 1]
        if last != PLACE or first == PLACE or found.put:
            return False
        after = _CAPITAL.match(self._text, found.end)
        return after is not None and any(c.islower() for c in self._text)


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern of a language, compiled when it is first needed."""
    return re.compile(pattern)


def _phrase(match: re.Match[str], *, clause: str = "") -> Found:
    """The part of a match that a topic does without."""
    groups = match.re.groupindex
    if "clause" in groups:
        return Found(*match.span("clause"), put=clause)
    return Found(*match.span("cut" if "cut" in groups else 0))
