"""Proper names in a text: of systems, papers, institutions, as a reader would repeat them."""

from __future__ import annotations

import re
from functools import lru_cache

from paraqa.lang.folding import fold
from paraqa.lang.glossary import Entry, edition, entries
from paraqa.lang.language import HAN
from paraqa.lang.registry import LANGUAGES
from paraqa.lang.vocabulary import stems

_MARKER = re.compile(r"\s*\[P?\d+\]")
_ITEM = re.compile(r"^[\s;；]*(?:\d{1,2}[.、)]|[-*•])\s*")
_TITLE = re.compile("《([^《》]{2,200})》")
_LETTER = "A-Za-z0-9À-ÖØ-öø-ÿ"  # no Han: names stand beside them with no space
_WORD = rf"[A-ZÀ-ÖØ-Þ0-9$](?:[{_LETTER}$_.+-]*[{_LETTER}$_+])?"
_SMALL = "(?:for|in|of|the|a|an)"  # not `and`: Zeus and FlexFlow are two
_NAME = re.compile(
    rf"(?<![{_LETTER}-])(?:{_WORD})(?:(?::? | {_SMALL} (?:{_SMALL} )?)(?:{_WORD})(?![{_LETTER}]))*"
)
_SHORT = 60  # characters of a list item that is nothing but a name


def names(text: str) -> list[str]:
    """The names in a text, in order, each once: titles in 《》, and runs of capitalised words.

    Words that every text of the field holds (GPU, Training at the start of a sentence) are none.
    """
    found = [(m.start(), m[1]) for m in _TITLE.finditer(text)]
    bare = _TITLE.sub(lambda m: " " * len(m[0]), text)
    for match in _NAME.finditer(bare):
        name = _without_common_start(match[0].rstrip(".,:"))
        if name:
            found.append((match.start(), name))
    return list(dict.fromkeys(name for _, name in sorted(found)))


def mentions(text: str) -> list[str]:
    """What an answer names, one for each of its markers `[n]`, in order; else all names in it."""
    pieces = _MARKER.split(text)
    if len(pieces) == 1:
        return names(text)
    found = (_marked_name(piece) for piece in pieces[:-1])
    return list(dict.fromkeys(name for name in found if name))


def _marked_name(piece: str) -> str | None:
    """The name that stands before a marker, else the first one of its sentence."""
    item = _ITEM.sub("", piece)
    if item != piece and 0 < len(item) <= _SHORT and not re.search("[.。,，!?]\\s", item):
        return item.strip()
    held = names(piece)
    if not held:
        return None
    last = held[-1]
    return last if piece.rstrip("》 .。").endswith(last) else held[0]


def _without_common_start(name: str) -> str:
    words = name.split(" ")
    while words and _is_common(words[0]) and (len(words) == 1 or _is_function(words[0])):
        words = words[1:]
    return " ".join(words).strip(" .,:")


def _is_function(word: str) -> bool:
    return fold(word).strip(".,:") in LANGUAGES["en"].stop_words


def _is_common(word: str) -> bool:
    if _is_function(word) or word.replace(".", "").replace(",", "").isdigit():
        return True
    return all(part in _common_stems(edition()) for part in stems(word).split())


@lru_cache(maxsize=1)  # worked out anew when a user's glossary is added
def _common_stems(_edition: int) -> frozenset[str]:
    """Stems that the glossary uses in lower case, and the acronyms of its concepts."""
    generic = [
        n for e in entries() for n in e.names if n.islower() or (n.isupper() and _spelled(e))
    ]
    return frozenset(part for name in generic for part in stems(name).split())


def _spelled(entry: Entry) -> bool:
    return any(n.islower() and not re.search(f"[{HAN}]", n) for n in entry.names)
