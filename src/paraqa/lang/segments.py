"""Sentences as slices of a text, for English, Chinese, and both in one line."""

from __future__ import annotations

import re
from functools import cache

from paraqa.lang.language import HAN
from paraqa.lang.registry import LANGUAGES

_CLOSERS = re.escape("”’\"')）」』】》〉]")
_VISIBLE = re.compile(r"\S")
_LONGEST = 24  # characters that an abbreviation can have


def sentences(text: str) -> list[tuple[int, int]]:
    """Slices of the text, each one sentence, trimmed, in order, together all of its characters."""
    slices: list[tuple[int, int]] = []
    start = 0
    for match in _candidates().finditer(text):
        if not _ends_sentence(text, match):
            continue
        slices.append(_trimmed(text, start, match.end()))
        start = match.end()
    slices.append(_trimmed(text, start, len(text)))
    return [(a, b) for a, b in slices if a < b]


@cache
def _candidates() -> re.Pattern[str]:
    always = "".join(language.enders for language in LANGUAGES.values())
    return re.compile(f"(?P<always>[{always}]+[{_CLOSERS}]*|\n+)|[.!?]+[{_CLOSERS}]*")


def _ends_sentence(text: str, match: re.Match[str]) -> bool:
    rest = text[match.end() : match.end() + 1]
    if match["always"] or not rest:
        return True
    before = text[max(0, match.start() - _LONGEST) : match.start()]
    if not rest.isspace():
        # Machine-translated Chinese often keeps the Latin mark, with no space: `Megatron-LM.我们`
        return _is_han(rest) and not before[-1:].isdigit()
    visible = _VISIBLE.search(text, match.end())
    following = visible[0] if visible else ""
    if match[0][0] != ".":
        return not following.islower()
    return not following.islower() and not _is_abbreviation(before)


def _is_abbreviation(before: str) -> bool:
    word = re.search(r"(?<![A-Za-z0-9])[A-Za-z.]+$", before)
    last = word[0].casefold().lstrip(".") if word else ""
    if len(last) == 1:
        return True  # an initial, as in `J. Smith`
    return any(last in language.abbreviations for language in LANGUAGES.values())


def _is_han(character: str) -> bool:
    return re.match(f"[{HAN}]", character) is not None


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return start + left, start + max(left, len(piece.rstrip()))
