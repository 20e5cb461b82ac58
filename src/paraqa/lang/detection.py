"""Which language a text is in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from paraqa.lang.language import HAN
from paraqa.lang.registry import LANGUAGES

if TYPE_CHECKING:
    from paraqa.types import Lang

_HAN = re.compile(f"[{HAN}]")
_LATIN = re.compile(r"[A-Za-z][A-Za-z'-]*")
_PAIRS = {"“": "”", "‘": "’", "「": "」", "『": "』", "《": "》", "〈": "〉", '"': '"'}
_GLOSS = re.compile(r"[(（][^()（）]*[)）]")
_MARKER = re.compile(r"\[\d+\]|\[P\d+\]")
_CHINESE_NUMBER = re.compile(f"\\d\\s*[万亿千百倍][{HAN}]?")


def detect(text: str) -> Lang:
    """The language of a question or a sentence.

    What stands in quotation marks, and the glosses in brackets, count only where nothing else is
    there: `What is “流水线气泡”?` is English, `“pipeline bubble”是什么?` is Chinese.
    """
    own = _without_quotes(text)
    bare = _GLOSS.sub(" ", own)
    for candidate in (bare, own, text):
        if _HAN.search(candidate) or _LATIN.search(candidate):
            return _detect(candidate)
    return "en"


def is_in_language(text: str, lang: Lang) -> bool:
    """Whether a sentence's own words are in a language.

    Quoted passages, titles, markers and glosses in brackets may be in any; so may names, as long
    as the sentence around them is in the language. A text with no own words is in every language.
    """
    own = _MARKER.sub(" ", _GLOSS.sub(" ", _without_quotes(text)))
    han = len(_HAN.findall(own))
    words = _LATIN.findall(own)
    if not han and not words:
        return True
    plain = sum(1 for word in words if word.islower() and len(word) > 1)
    if lang == "zh":
        return han > 0 and plain <= han
    foreign = _CHINESE_NUMBER.search(own) or LANGUAGES["zh"].function_words.search(own)
    return bool(words) and (not han or (not foreign and han <= 2 * plain))


def quoted(text: str, lang: Lang) -> str:
    """The text in the quotation marks of a language: “…” or 「…」."""
    opening, closing = LANGUAGES[lang].quotes
    return f"{opening}{text}{closing}"


def preferred(environ: Mapping[str, str]) -> Lang:
    """The language that the environment's locale asks for; English where it asks for none."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        locale = environ.get(name, "").casefold()
        if locale:
            return next(
                (code for code, known in LANGUAGES.items() if locale.startswith(known.locale)), "en"
            )
    return "en"


def _detect(text: str) -> Lang:
    han = len(_HAN.findall(text))
    if not han:
        return "en"
    chinese = LANGUAGES["zh"].function_words.search(text)
    english = LANGUAGES["en"].function_words.search(text)
    if chinese and not english:
        return "zh"
    if english and not chinese:
        return "en"
    # Words that begin with a capital may be a title or a name inside a Chinese sentence.
    return "zh" if han >= sum(1 for word in _LATIN.findall(text) if word[0].islower()) else "en"


def _without_quotes(text: str) -> str:
    """The text with each quoted passage, and what is quoted inside it, replaced by a space."""
    kept: list[str] = []
    closing: list[str] = []
    opened_at = 0
    for place, character in enumerate(text):
        if closing and character == closing[-1]:
            closing.pop()
            if not closing:
                kept.append(" ")
        elif character in _PAIRS:
            if not closing:
                opened_at = place
            closing.append(_PAIRS[character])
        elif not closing:
            kept.append(character)
    if closing:  # never closed: it was no quotation
        kept.append(text[opened_at:])
    return "".join(kept)
