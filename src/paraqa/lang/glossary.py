"""The terms of the field in both languages, and the bridges between related ones.

`glossary.tsv` holds one concept to a line. A translation lets a question find papers written in
the other language; a bridge lets it find papers that solve the same problem without naming it.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from paraqa.lang.folding import fold
from paraqa.lang.language import HAN
from paraqa.lang.registry import LANGS
from paraqa.lang.vocabulary import stems
from paraqa.types import Lang, Variant

_HAN = re.compile(f"[{HAN}]")
_SEPARATOR = "; "


class Entry(NamedTuple):
    """One concept: its names, and names of techniques that bear on it."""

    names: tuple[str, ...]
    related: tuple[str, ...]


def variants(
    question: str, lang: Lang, *, glossary_weight: float, bridge_weight: float
) -> tuple[Variant, ...]:
    """The forms of a question to search for: itself, then what `expand` adds."""
    own = Variant(text=question, lang=lang, why="question", weight=1.0)
    added = expand(question, glossary_weight=glossary_weight, bridge_weight=bridge_weight)
    return (own, *added)


def expand(question: str, *, glossary_weight: float, bridge_weight: float) -> tuple[Variant, ...]:
    """What else to search for: the other names of the concepts in a question, then the bridges.

    At most one variant for each language and reason, its terms parted by `; `.
    """
    found = _mentioned(question)
    names = [name for entry in found for name in entry.names if not _has(question, name)]
    related = [term for entry in found for term in entry.related if not _has(question, term)]
    translated = _variants(names, "glossary", glossary_weight)
    bridged = _variants([t for t in related if t not in names], "bridge", bridge_weight)
    return (*translated, *bridged)


@cache
def entries() -> tuple[Entry, ...]:
    """The concepts of the glossary, in its order."""
    table = files(__package__).joinpath("glossary.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in table.splitlines() if line and line[0] != "#"]
    return tuple(
        Entry(_forms(english) + _forms(chinese), _forms(*related))
        for english, chinese, *related in rows
    )


def _forms(cell: str = "") -> tuple[str, ...]:
    return tuple(form for form in cell.split(_SEPARATOR) if form)


def _variants(terms: list[str], why: str, weight: float) -> tuple[Variant, ...]:
    if weight <= 0:
        return ()
    by_lang = {lang: [t for t in dict.fromkeys(terms) if _lang(t) == lang] for lang in LANGS}
    return tuple(
        Variant.model_validate(
            {"text": _SEPARATOR.join(members), "lang": lang, "why": why, "weight": weight}
        )
        for lang, members in by_lang.items()
        if members
    )


def _lang(term: str) -> Lang:
    return "zh" if _HAN.search(term) else "en"


def _mentioned(question: str) -> list[Entry]:
    """The concepts of a question; not those whose name is only part of a longer one there."""
    # A single character is part of too many other words to mean one thing.
    found = {e: [n for n in e.names if len(n) > 1 and _has(question, n)] for e in entries()}
    names = [name for held in found.values() for name in held]
    return [
        entry
        for entry, held in found.items()
        if any(not _is_part(name, entry, names) for name in held)
    ]


def _is_part(name: str, entry: Entry, names: list[str]) -> bool:
    return any(len(n) > len(name) and n not in entry.names and _has(n, name) for n in names)


def _has(question: str, name: str) -> bool:
    folded, stemmed = _reduced(question)
    name_folded, name_stemmed = _reduced(name)
    return name_folded in folded if _HAN.search(name) else name_stemmed in stemmed


@lru_cache(maxsize=4096)  # the glossary's own forms, and the questions of the moment
def _reduced(text: str) -> tuple[str, str]:
    return fold(text), stems(text)
