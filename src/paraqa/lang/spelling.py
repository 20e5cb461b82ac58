"""Words that a misspelt one may stand for."""

from __future__ import annotations

import re
from collections.abc import Collection

from rapidfuzz import process
from rapidfuzz.distance import OSA

from paraqa.lang.language import HAN

_HAN = re.compile(f"[{HAN}]")
_DIGITS = re.compile(r"\D+")
_SHORTEST, _LONG = 4, 8  # letters of a word that may have one slip, and of one that may have two


def near(word: str, vocabulary: Collection[str], most: int = 3) -> list[str]:
    """The folded words of a vocabulary that are a slip away from this one, the nearest first.

    A slip is a letter too many, too few, in another's place, or two that changed places. Digits
    must be the same, and beside few letters tell names apart: `a100` is not `v100`.
    """
    digits = _DIGITS.sub("", word)
    if len(word) - len(digits) < _SHORTEST or _HAN.search(word):
        return []
    slips = 1 if len(word) < _LONG else 2
    # A mapping would be searched by its values.
    words = vocabulary if isinstance(vocabulary, list | tuple) else list(vocabulary)
    found = process.extract(
        word, words, scorer=OSA.distance, score_cutoff=slips, limit=None, processor=None
    )
    kept = [(other, slip) for other, slip, _ in found if other != word and len(other) > 2]
    kept = [(other, slip) for other, slip in kept if _DIGITS.sub("", other) == digits]
    # A first letter is seldom wrong, and letters that changed places are the commonest slip.
    kept.sort(key=lambda pair: (pair[1], *_oddness(word, pair[0]), pair[0]))
    return [other for other, _ in kept[:most]]


def slips(word: str, other: str) -> int:
    """By how many slips two words differ."""
    return int(OSA.distance(word, other))


def _oddness(word: str, other: str) -> tuple[bool, bool]:
    return word[0] != other[0], sorted(word) != sorted(other)
