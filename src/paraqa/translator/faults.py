"""What is wrong with a rendering, as far as code can see it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from paraqa import lang
from paraqa.lang.language import HAN
from paraqa.lang.text import say
from paraqa.translator import figures, naming
from paraqa.types import Lang, title_key

_HAN = re.compile(f"[{HAN}]")
_WORD = re.compile(r"[A-Za-z0-9][\w.,%'/-]*", re.ASCII)
_PER_WORD = 1.7  # Chinese characters that an English word becomes
# A rendering by hand has 0.80 to 1.29 of its source's measure (the 54 of seeds/); the room is for
# single sentences.
_SHORTEST, _LONGEST, _SLACK = 0.5, 2.0, 6
_STRAY = 0.05  # share of characters of another script: a name or two
_RUN = re.compile(f"[0-9]*[{HAN}]+")
_LOOP = re.compile(r"(.{8,150}?)\1{2,}", re.DOTALL)
_WHOLE = 8  # characters of a sentence that is none by accident twice
_QUOTED = re.compile(
    '[(\uff08][^()\uff08\uff09]*[)\uff09]|\u201c[^\u201d]*\u201d|\u300c[^\u300d]*\u300d|\u300a[^\u300b]*\u300b|"[^"]*"'
)
_SHOWN = 60  # characters of a sentence in a reason


class Original(NamedTuple):
    """A text to be rendered, the title above it, and the language it is to be in."""

    text: str
    title: str
    to: Lang


class Fault(NamedTuple):
    """One thing that is wrong: a pair in `translate.toml`, and what it is about."""

    name: str
    what: str = ""

    @property
    def is_slight(self) -> bool:
        """Whether a rendering may be kept in spite of it, where asking again did not help."""
        return self.name == "stray"

    @property
    def key(self) -> str:
        """The sentences that tell a reader."""
        return f"translate.{self.name}"

    @property
    def demand(self) -> str:
        """The sentences that tell the model."""
        return f"translate.{self.name}_demand"


def faults(original: Original, rendering: str, *, finish: str | None) -> list[Fault]:
    """All that is wrong, what a reader should know first in front; empty for a good rendering.

    `finish`: why the model ended, as endpoints say it.
    """
    if not rendering:
        return [Fault("empty")]
    found = [*_form(original, rendering, finish), *_language(original, rendering)]
    if any(not fault.is_slight for fault in found):
        return found  # figures of a text that is none would be noise
    return [*_content(original, rendering), *found]


def measure(text: str) -> float:
    """The length of a text in Chinese characters, words taken for what they become."""
    return len(_HAN.findall(text)) + _PER_WORD * len(_WORD.findall(text))


def is_looping(text: str) -> bool:
    """Whether the same words come three times in a row."""
    return _LOOP.search(text) is not None


def _form(original: Original, rendering: str, finish: str | None) -> Iterator[Fault]:
    if _repeats(rendering) and not _repeats(original.text):
        yield Fault("repeated")
    elif finish not in ("stop", None):
        yield Fault("cut")
    if any(re.match(say("translate.talk", code), rendering, re.I) for code in lang.LANGS):
        yield Fault("aside", rendering[:_SHOWN])
    if title_key(rendering) == title_key(original.title):
        yield Fault("title")
    have, need = measure(rendering), measure(original.text)
    if have + _SLACK < _SHORTEST * need:
        yield Fault("short", rendering[:_SHOWN])
    elif have > _LONGEST * need + _SLACK:
        yield Fault("long")


def _language(original: Original, rendering: str) -> Iterator[Fault]:
    for start, end in lang.sentences(rendering):
        if not lang.is_in_language(rendering[start:end], original.to):
            yield Fault("language", rendering[start:end][:_SHOWN])
            return
    own = _QUOTED.sub(" ", rendering)
    stray = [run for run in _RUN.findall(own) if not lang.is_in_language(run, original.to)]
    if stray:
        is_much = len("".join(stray)) > _STRAY * len(own)
        yield Fault("language" if is_much else "stray", ", ".join(stray)[:_SHOWN])


def _content(original: Original, rendering: str) -> Iterator[Fault]:
    missing, added = figures.differences(original.text, rendering, original.to)
    if missing:
        yield Fault("figures", ", ".join(missing))
    if added:
        yield Fault("added", ", ".join(added))
    if lost := naming.missing(original.text, rendering):
        yield Fault("names", ", ".join(lost))


def _repeats(text: str) -> bool:
    said = Counter(lang.fold(text[a:b]) for a, b in lang.sentences(text) if b - a >= _WHOLE)
    return is_looping(text) or any(count > 1 for count in said.values())
