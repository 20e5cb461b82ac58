"""Scaled numbers rewritten for the readers of the other language."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from paraqa.lang.language import HAN
from paraqa.lang.numerals import in_chinese, in_english, in_english_words
from paraqa.lang.quantities import Reading, readings

if TYPE_CHECKING:
    from paraqa.types import Lang


@dataclass(frozen=True)
class _Script:
    """How a language writes quantities, and which spellings are not its own."""

    foreign: re.Pattern[str]
    write: Callable[[Reading], str]
    joints: tuple[tuple[re.Pattern[str], str], ...]  # words between two numbers, and its own
    spaced: re.Pattern[str]  # two characters that a space must part


def convert_quantities(text: str, lang: Lang) -> str:
    """The text with scaled numbers, multiples and shares as a language writes them, exactly.

    For English 520亿参数 becomes 52 billion 参数; for Chinese 52 billion becomes 520亿. What is
    written in the language already, or is no quantity, stays.
    """
    script = _SCRIPTS[lang]
    found = readings(text)
    marks = [bool(script.foreign.search(text[r.start : _end(r)])) for r in found]
    pieces: list[tuple[int, int, str]] = []
    for place, reading in enumerate(found):
        opens = reading.joint is not None and marks[place + 1]
        if marks[place] or opens:
            pieces.append((reading.start, _end(reading), script.write(reading)))
        if reading.joint and (marks[place] or opens):
            start, end = reading.joint
            pieces.append((start, end, _joint(text[start:end], script)))
    return _replaced(text, pieces, script.spaced)


def _end(reading: Reading) -> int:
    return reading.end if reading.unit in _WRITTEN_UNITS else reading.number_end


def _joint(word: str, script: _Script) -> str:
    return next((own for foreign, own in script.joints if foreign.fullmatch(word)), word)


def _replaced(text: str, pieces: list[tuple[int, int, str]], spaced: re.Pattern[str]) -> str:
    result, done = "", 0
    for start, end, new in pieces:
        for piece in (text[done:start], new):
            result = _beside(result, piece, spaced)
        done = end
    return _beside(result, text[done:], spaced)


def _beside(left: str, right: str, spaced: re.Pattern[str]) -> str:
    return left + (" " if spaced.search(left[-1:] + right[:1]) else "") + right


def _english(reading: Reading) -> str:
    if reading.unit == "magnitude":
        word = "order" if reading.value == 1 else "orders"
        return f"{in_english_words(reading.value)} {word} of magnitude"
    return in_english(reading.value) + _WRITTEN_UNITS.get(reading.unit, "")


def _chinese(reading: Reading) -> str:
    if reading.unit == "magnitude":
        return f"{in_chinese(reading.value)}个数量级"
    unit = {"x": "倍"}.get(reading.unit, _WRITTEN_UNITS.get(reading.unit, ""))
    return in_chinese(reading.value) + unit


_WRITTEN_UNITS = {"x": "x", "%": "%", "magnitude": ""}
_SCRIPTS: dict[Lang, _Script] = {
    "en": _Script(
        foreign=re.compile(f"[{HAN}]"),
        write=_english,
        joints=(
            (re.compile(r"\s*(?:[到至~～–-]|to)\s*"), " to "),
            (re.compile(r"\s*[与和]\s*"), " and "),
        ),
        spaced=re.compile(f"[A-Za-z0-9%][{HAN}A-Za-z]|[{HAN}A-Za-z][A-Za-z0-9]"),
    ),
    "zh": _Script(
        foreign=re.compile(
            r"(?i)trillion|billion|million|thousand|hundred|(?<!\\)times|percent|magnitude"
        ),
        write=_chinese,
        joints=((re.compile(r"\s*to\s*"), "到"), (re.compile(r"\s*and\s*"), "和")),
        spaced=re.compile("(?!)"),
    ),
}
