"""The terms of the field in both languages, and the bridges between related ones.

`glossary.tsv` holds one concept to a line. A translation lets a question find papers written in
the other language; a bridge lets it find papers that solve the same problem without naming it.
A user's own files may add concepts.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from paraqa.lang.folding import fold
from paraqa.lang.language import HAN
from paraqa.lang.registry import LANGS
from paraqa.lang.vocabulary import stems
from paraqa.types import Lang, Variant

_EVERY = 6  # concepts to one of the background: about 140 for each language
USUAL_WEIGHT = 0.4  # of a related term with no weight of its own

_HAN = re.compile(f"[{HAN}]")
_SEPARATOR = "; "
_BETWEEN_FORMS = re.compile("[;；]")
_WEIGHTED = re.compile(r"(?P<term>.*?)\s+~\s*(?P<weight>\S+)")


class Related(NamedTuple):
    """A term that bears on a concept, and how closely, up to 1."""

    term: str
    weight: float


class Entry(NamedTuple):
    """One concept: its names, and terms that papers on it use though they may not name it."""

    names: tuple[str, ...]
    related: tuple[Related, ...]

    @property
    def bridges(self) -> tuple[str, ...]:
        """The related terms, without their weights."""
        return tuple(related.term for related in self.related)


def variants(
    question: str, lang: Lang, *, glossary_weight: float, bridge_weight: float
) -> tuple[Variant, ...]:
    """The forms of a question to search for: itself, then what `expand` adds."""
    own = Variant(text=question, lang=lang, why="question", weight=1.0)
    added = expand(question, glossary_weight=glossary_weight, bridge_weight=bridge_weight)
    return (own, *added)


def expand(question: str, *, glossary_weight: float, bridge_weight: float) -> tuple[Variant, ...]:
    """What else to search for: the other names of the concepts in a question, then the bridges.

    At most one variant for each language, reason and weight, its terms parted by `; `. A related
    term of the usual weight gets `bridge_weight`, a closer one more, up to 1.
    """
    found = mentioned(question)
    names = [name for entry in found for name in entry.names if not _has(question, name)]
    bridges: dict[str, float] = {}
    for term, weight in (related for entry in found for related in entry.related):
        if term not in names and not _has(question, term):
            bridges[term] = max(weight, bridges.get(term, 0.0))
    grouped: dict[float, list[str]] = defaultdict(list)
    for term, weight in bridges.items():
        grouped[min(1.0, bridge_weight * (weight / USUAL_WEIGHT))].append(term)
    translated = _variants(names, "glossary", glossary_weight)
    bridged = (_variants(grouped[weight], "bridge", weight) for weight in sorted(grouped)[::-1])
    return (*translated, *(variant for group in bridged for variant in group))


def concepts(text: str) -> tuple[str, ...]:
    """The concepts that a text names, each as the term `#` and the first of its names.

    As terms of an index they let a text in one language, or in other words, match another: with
    them, `pipeline bubbles` and 流水线气泡 are one.
    """
    glossary = _now()
    return tuple(f"#{fold(glossary.entries[place].names[0])}" for place in glossary.held(text))


def background(lang: Lang) -> tuple[str, ...]:
    """Some concepts of all fields, as the questions that might be asked of any paper."""
    names = (
        next((name for name in entry.names if _lang(name) == lang), None)
        for entry in _shipped()[::_EVERY]
    )
    return tuple(name for name in names if name)


def digest() -> str:
    """A name for the concepts there are now: equal for equal glossaries."""
    return _now().digest


def entries() -> tuple[Entry, ...]:
    """The concepts of the glossary, in its order, then those that `use` added."""
    return _now().entries


def edition() -> int:
    """A number that changes with `entries`, for those who keep what they worked out of them."""
    return _now().edition


def use(paths: Iterable[Path]) -> None:
    """Add the concepts of a user's files, in place of those that were added before.

    Where one cannot be read, nothing changes, and the ValueError names the file and the line.
    """
    added: list[Entry] = []
    for path in paths:
        try:
            added.extend(read(path))
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error
    global _current
    with _lock:
        number = _current.edition + 1 if _current else 1
        _current = _Glossary((*_shipped(), *added), number)


def read(path: Path) -> tuple[Entry, ...]:
    """The concepts of a file in the format of `glossary.tsv`.

    A ValueError says in which line something is wrong, and what.
    """
    raw = path.read_bytes()
    try:
        return _parsed(raw.decode("utf-8-sig"))  # spreadsheets begin a file with a mark
    except UnicodeDecodeError as error:
        number = raw.count(b"\n", 0, error.start) + 1
        raise ValueError(f"line {number}: this is no UTF-8 text") from error


def _parsed(text: str) -> tuple[Entry, ...]:
    found = []
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        if line.strip() and not line.startswith("#"):
            try:
                found.append(_entry(line))
            except ValueError as error:
                raise ValueError(f"line {number}: {error}") from error
    return tuple(found)


def _entry(line: str) -> Entry:
    columns = line.split("\t")
    if not 2 <= len(columns) <= 3:
        raise ValueError(f"there are {len(columns)} columns parted by tabs, and not 2 or 3")
    english, chinese, close = (*columns, "")[:3]
    entry = Entry((*_forms(english), *_forms(chinese)), tuple(map(_related, _forms(close))))
    if not entry.names:
        raise ValueError("the first two columns are empty: the concept has no name")
    seen: set[str] = set()
    for form in (*entry.names, *entry.bridges):
        if not stems(form).strip():
            raise ValueError(f"'{form}' has no letter and no digit")
        if fold(form) in seen:
            raise ValueError(f"'{form}' stands twice")
        seen.add(fold(form))
    return entry


def _forms(cell: str) -> tuple[str, ...]:
    return tuple(form.strip() for form in _BETWEEN_FORMS.split(cell) if form.strip())


def _related(form: str) -> Related:
    match = _WEIGHTED.fullmatch(form)
    if match is None:
        return Related(form, USUAL_WEIGHT)
    try:
        weight = float(match["weight"])
    except ValueError:
        weight = 0.0
    if not 0 < weight <= 1:
        raise ValueError(f"the weight of '{match['term']}' must be above 0 and at most 1")
    return Related(match["term"], weight)


class _Form(NamedTuple):
    """A name as it is looked for: folded where it is Chinese, stemmed where it is not."""

    text: str
    name: str
    entry: int  # its place among the entries


class _Glossary:
    """The concepts of one moment, and where to look for those that a question has."""

    def __init__(self, entries: tuple[Entry, ...], edition: int) -> None:
        self.entries = entries
        self.edition = edition

    @cached_property
    def digest(self) -> str:
        """A name for these concepts."""
        return hashlib.sha256(repr([entry.names for entry in self.entries]).encode()).hexdigest()

    @cached_property
    def _starts(self) -> dict[str, list[_Form]]:
        # By first stem or first two characters, so that a question is not held against each name.
        starts: dict[str, list[_Form]] = defaultdict(list)
        for place, entry in enumerate(self.entries):
            for name in entry.names:
                # A single character is part of too many other words to mean one thing.
                if len(name) > 1:
                    is_han = _HAN.search(name)
                    text = fold(name) if is_han else stems(name)
                    start = text[:2] if is_han else text.split()[0]
                    starts[start].append(_Form(text, name, place))
        return dict(starts)

    def held(self, question: str) -> dict[int, list[str]]:
        """The names that a question has, by the place of their entry, in the glossary's order."""
        folded, stemmed = _reduced(question)
        pairs = {folded[n : n + 2] for n in range(len(folded) - 1)}
        found: dict[int, list[str]] = defaultdict(list)
        for start in pairs.union(stemmed.split()):
            for form in self._starts.get(start, ()):
                if form.text in (folded if _HAN.search(form.name) else stemmed):
                    found[form.entry].append(form.name)
        return dict(sorted(found.items()))


_lock = threading.Lock()
_current: _Glossary | None = None  # replaced as a whole: a reader never sees half of a change


def _now() -> _Glossary:
    global _current
    with _lock:
        _current = _current or _Glossary(_shipped(), edition=0)
        return _current


@lru_cache(maxsize=1)
def _shipped() -> tuple[Entry, ...]:
    return _parsed(files(__package__).joinpath("glossary.tsv").read_text(encoding="utf-8"))


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


def mentioned(question: str) -> list[Entry]:
    """The concepts of a question; not those whose name is only part of a longer one there."""
    glossary = _now()
    found = {glossary.entries[place]: held for place, held in glossary.held(question).items()}
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


@lru_cache(maxsize=8192)  # forms of the glossary, and the questions of the moment
def _reduced(text: str) -> tuple[str, str]:
    return fold(text), stems(text)
