"""The names that a rendering must keep: those in Latin letters with a digit or a capital inside."""

from __future__ import annotations

import re
from collections.abc import Iterator

from paraqa import lang
from paraqa.lang import glossary

_ADDRESS = re.compile(r"https?://\S+|www\.\S+")
_TOKEN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9$_+.-]*[A-Za-z0-9$+])?", re.ASCII)
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)", re.IGNORECASE)
# `multi-GPU` and `GPU-based` say GPU; the rest of them is translated.
_AROUND = re.compile("^(?:[a-z]{2,}-)+|(?:-[a-z]{2,})+$|^[^A-Za-z0-9]+|[^A-Za-z0-9+]+$")
_BETWEEN = r"[\s_.$^{}-]*"
_DIMENSIONS = re.compile(r"\d-?D")


def missing(source: str, rendering: str) -> list[str]:
    """The names of a text that its rendering lacks, in order, each once.

    A name that is a term of the glossary may have become another name of that term.
    """
    folded = lang.fold(rendering)
    lost = [n for n in names(source) if not _stands(n, folded) and not _is_termed(n, folded)]
    return list(dict.fromkeys(lost))


def names(text: str) -> Iterator[str]:
    """The names of a text, in order."""
    bare = _ADDRESS.sub(lambda m: " " * len(m[0]), text)
    taken = [(q.start, q.end) for q in lang.quantities(bare)]
    for match in _TOKEN.finditer(bare):
        name = _AROUND.sub("", match[0])
        is_figure = any(a < match.end() and match.start() < b for a, b in taken)
        if _is_name(name) and not (is_figure and match[0][0].isdigit()):
            yield name


def _is_name(name: str) -> bool:
    if _ORDINAL.fullmatch(name) or not re.search("[A-Za-z]", name):
        return False
    return bool(re.search("[0-9]", name) or re.search("[A-Z]", name[1:]))


def _stands(name: str, folded: str) -> bool:
    letters = [c for c in _singular(name) if c.isalnum() or c == "+"]
    pattern = _BETWEEN.join(map(re.escape, letters))
    return re.search(rf"(?<![a-z0-9]){pattern}(?:'?e?s)?(?![a-z0-9])", folded) is not None


def _is_termed(name: str, folded: str) -> bool:
    if _DIMENSIONS.fullmatch(name):
        return "维" in folded or "dimension" in folded
    forms = {lang.fold(name), _singular(name)}
    for entry in glossary.entries():
        known = {lang.fold(each) for each in entry.names}
        if known & forms and any(_is_said(each, folded) for each in known):
            return True
    return False


def _is_said(term: str, folded: str) -> bool:
    before, after = (r"(?<![a-z0-9])" if c.isascii() else "" for c in (term[0], term[-1]))
    ending = after and "(?:e?s)?(?![a-z0-9])"
    return re.search(before + re.escape(term) + ending, folded) is not None


def _singular(name: str) -> str:
    """The name folded, without the s of a plural as in `LLMs`."""
    return lang.fold(name[:-1] if re.search("[A-Z0-9]s$", name) else name)
