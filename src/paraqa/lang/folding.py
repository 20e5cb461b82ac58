"""Text reduced for matching: never shown, never stored as the text itself."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files

_HYPHENS = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d", "-")
)
_QUOTES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"'})
_MATH = re.compile(r"\$(?!\s)([^$\n]{1,80})(?<!\s)\$(?!\d)")  # not `$5 and $6`
_MACRO = re.compile(r"\\(?:text(?:it|bf|tt|sc)?|emph|mathrm|mathbf|mathcal)\b")
_MARKUP = str.maketrans("", "", "_^{}$\\")


def fold(text: str) -> str:
    """The text with one spelling for each character: `ＧＰＵ` is `gpu`, `訓練` is `训练`.

    NFKC, lower case, simplified characters, plain hyphens and quotes, and inline LaTeX as the
    plain text it stands for, as in `DHO$_2$`, which is `dho2`.
    """
    plain = _MACRO.sub("", _MATH.sub(_without_markup, text))
    folded = unicodedata.normalize("NFKC", plain).casefold()
    return folded.translate(_simplified()).translate(_HYPHENS).translate(_QUOTES)


def aligned(text: str) -> str:
    """The text folded character by character: as long as the text, so that offsets hold in both.

    What `fold` writes with several characters stays; letters lose their accents, private
    characters become spaces.
    """
    if text.isascii():
        return text.lower()
    return "".join(map(_aligned, text))


@lru_cache(maxsize=16_384)
def _aligned(character: str) -> str:
    kind = unicodedata.category(character)
    if kind == "Co":
        return " "
    folded = unicodedata.normalize("NFKC", character).lower()
    if len(folded) != 1:
        return character
    folded = folded.translate(_simplified()).translate(_HYPHENS).translate(_QUOTES)
    base = unicodedata.normalize("NFD", folded)
    return base[0] if len(base) > 1 and base[0].isascii() else folded


def _without_markup(match: re.Match[str]) -> str:
    inner = _MACRO.sub("", match[1]).replace("\\times", "×").replace("\\%", "%")
    return inner.translate(_MARKUP)


@cache
def _simplified() -> dict[int, str]:
    # One character to one character: words that differ by region (軟體, 软件) are the glossary's.
    table = files(__package__).joinpath("traditional.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in table.splitlines() if not line.startswith("#"))
    return {ord(old): new for olds, news in rows for old, new in zip(olds, news, strict=True)}
