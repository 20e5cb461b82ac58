"""Authors by their names in a text: whole names, and surnames that may be meant."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Collection
from typing import NamedTuple

from paraqa.lang.folding import aligned
from paraqa.lang.language import HAN
from paraqa.lang.registry import LANGUAGES

_HAN = re.compile(f"[{HAN}]")
_WORD = re.compile(rf"(?:(?![{HAN}])[^\W\d_])+(?:['-](?:(?![{HAN}])[^\W\d_])+)*")
_GAP = re.compile(r"\.?[ .]{0,2}")  # between the words of one name: `D. A. Patterson`
_CERTAIN = 3  # characters of a Chinese name that is hardly a piece of other words


class NamedAuthor(NamedTuple):
    """A place in a text where an author is named, and the name as it is known."""

    start: int
    end: int
    name: str


class People:
    """The authors that are known."""

    def __init__(self, authors: Collection[str]) -> None:
        self._whole: dict[tuple[str, ...], str] = {}
        self._most: dict[str, int] = defaultdict(int)
        self._surnames: dict[str, str] = {}
        self._han: dict[str, str] = {}
        for author in authors:
            self._add(author)

    def _add(self, author: str) -> None:
        if _HAN.search(author):
            self._han.setdefault(aligned(author).replace(" ", ""), author)
            return
        family, comma, given = author.partition(",")
        words = _WORD.findall(f"{given} {family}" if comma else author)
        if len(words) < 2:
            return
        key = tuple(map(aligned, words))
        self._whole.setdefault(key, author)
        self._most[key[0]] = max(self._most[key[0]], len(key))
        self._surnames.setdefault(key[-1], words[-1])

    def find(self, text: str) -> list[NamedAuthor]:
        """Where the text has the whole name of an author."""
        words = list(_WORD.finditer(text))
        found = [f for place in range(len(words)) if (f := self._at(place, words, text))]
        return found + [f for f in self._find_han(text) if f.end - f.start >= _CERTAIN]

    def find_surnames(self, text: str) -> list[NamedAuthor]:
        """Where it has a surname with a capital, or a Chinese name that may be other words."""
        found = [
            NamedAuthor(word.start(), word.end(), self._surnames[aligned(word[0])])
            for word in _WORD.finditer(text)
            if word[0][0].isupper() and aligned(word[0]) in self._surnames
        ]
        # The sign of the possessive is no part of a name.
        found += [
            NamedAuthor(word.start(), word.end() - 2, self._surnames[name])
            for word in _WORD.finditer(text)
            if word[0][0].isupper()
            and (name := aligned(word[0]).removesuffix("'s")) in self._surnames
            and name != aligned(word[0])
        ]
        return found + [f for f in self._find_han(text) if f.end - f.start < _CERTAIN]

    def _at(self, place: int, words: list[re.Match[str]], text: str) -> NamedAuthor | None:
        first = aligned(words[place][0])
        run = words[place : place + self._most.get(first, 0)]
        for length in range(len(run), 1, -1):
            part = run[:length]
            last = part[-1][0]
            key = (*(aligned(word[0]) for word in part[:-1]), aligned(last).removesuffix("'s"))
            name = self._whole.get(key) or self._whole.get((*key[:-1], aligned(last)))
            if name and _is_one(part, text) and not _is_ordinary(part):
                shift = 0 if aligned(last) == key[-1] else 2
                return NamedAuthor(part[0].start(), part[-1].end() - shift, name)
        return None

    def _find_han(self, text: str) -> list[NamedAuthor]:
        if not self._han:
            return []
        folded = aligned(text)
        return [
            NamedAuthor(start, start + length, self._han[folded[start : start + length]])
            for start in range(len(folded))
            for length in (4, 3, 2)
            if folded[start : start + length] in self._han and start + length <= len(folded)
        ]


_latest: tuple[Collection[str], int, People] | None = None


def people(authors: Collection[str]) -> People:
    """The authors with what finds them, kept for as long as the same object is given."""
    global _latest
    kept = _latest
    if kept is None or kept[0] is not authors or kept[1] != len(authors):
        kept = _latest = (authors, len(authors), People(authors))
    return kept[2]


def _is_one(words: list[re.Match[str]], text: str) -> bool:
    return all(
        _GAP.fullmatch(text, one.end(), two.start()) for one, two in itertools.pairwise(words)
    )


def _is_ordinary(words: list[re.Match[str]]) -> bool:
    """Whether these may be other words than a name: `yang you`, with no capital."""
    return any(
        word[0][0].islower()
        and (len(word[0]) == 1 or word[0].lower() in LANGUAGES["en"].stop_words)
        for word in words
    )
