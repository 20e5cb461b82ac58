"""Whether an answer states a fact, however it spells it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache

_DASHES = re.compile("[\u2010-\u2015\u2212]")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
# A hyphen inside a word counts as the space that it replaces; one between two figures is a range.
_HYPHEN = re.compile(r"(?<=\w)-(?=[^\W\d])|(?<=[^\W\d])-(?=\w)")
_TIMES = re.compile(r"(?<=\d)\s*(?:×|倍|times(?![a-z]))")
_PERCENT = re.compile(r"(?<=\d)\s*per\s?cent(?![a-z])")
_CHINESE_PERCENT = re.compile(r"百分之\s*(\d+(?:\.\d+)?)")

_TOKEN = re.compile(r"\d+(?:\.\d+)*|\S")
_LATIN = re.compile(r"[a-z]")
_ABBREVIATION = re.compile(r"[A-Z]{2,}")
_SHORT_UNIT = re.compile(r"\d\s*[a-z]{1,2}$")

# A figure stands alone: 7.5 is found neither in 17.5 nor in 7.52, nor 5 in 7.5 or in H5.
_FIGURE_STARTS = r"(?<![a-z\d])(?<!\d\.)"
_FIGURE_ENDS = r"(?!\.?\d)"
_BARE_FIGURE_ENDS = r"(?!\s*[%万亿])"  # 454 is not found in 454万
_UNIT_ENDS = r"(?![a-z\d])"  # 1T is not found in "1 trillion", nor 3x in 3x3
_WORD_STARTS = r"(?<![a-z])"  # "latency" is found in "low-latency", FT not in "software"
_ABBREVIATION_ENDS = r"s?(?![a-z\d])"  # SMA is not found in "small"; other words may be stems


def coverage(facts: Sequence[str], answer: str) -> float:
    """Share of the facts (at least one) that the answer states."""
    return sum(is_stated(fact, answer) for fact in facts) / len(facts)


def is_stated(fact: str, answer: str) -> bool:
    """Whether the answer holds one of the spellings of a fact, which ` | ` separates."""
    text = _fold(answer)
    spellings = [spelling for spelling in fact.split(" | ") if spelling.strip()]
    return any(_pattern(spelling).search(text) for spelling in spellings)


def _fold(text: str) -> str:
    """The text with one spelling for width, case, dashes, thousands, `x` and `%`."""
    text = unicodedata.normalize("NFKC", text).casefold()
    text = _THOUSANDS.sub("", _DASHES.sub("-", text))
    text = _HYPHEN.sub(" ", text)
    text = _CHINESE_PERCENT.sub(r"\1%", _PERCENT.sub("%", text))
    return _TIMES.sub("x", text)


@cache
def _pattern(spelling: str) -> re.Pattern[str]:
    """What matches the spelling with any white space, or none, between its characters."""
    folded = _fold(spelling).strip()
    tokens = _TOKEN.findall(folded)
    befores = ["", *tokens[:-1]]
    parts = [_token_pattern(token, before) for token, before in zip(tokens, befores, strict=True)]
    start = _WORD_STARTS if _LATIN.match(folded) else ""
    return re.compile(start + r"\s*".join(parts) + _end(spelling.strip(), folded, tokens[-1]))


def _token_pattern(token: str, before: str) -> str:
    if not token[0].isdigit():
        return re.escape(token)
    start = "" if _LATIN.match(before) else _FIGURE_STARTS
    return start + re.escape(token) + _FIGURE_ENDS


def _end(spelling: str, folded: str, last: str) -> str:
    """What may not follow the spelling."""
    if last[0].isdigit():
        return _BARE_FIGURE_ENDS
    if _SHORT_UNIT.search(folded):
        return _UNIT_ENDS
    return _ABBREVIATION_ENDS if _ABBREVIATION.fullmatch(spelling) else ""
