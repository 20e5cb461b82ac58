"""What one entry holds, in whichever of its languages: names, figures, terms."""

from __future__ import annotations

import re
from functools import lru_cache

from paraqa import lang
from paraqa.lang import glossary
from paraqa.lang.numerals import CHINESE_DIGITS, ENGLISH_DIGITS
from paraqa.nodes import lexical_text
from paraqa.types import Paper

_NAME = re.compile(r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9]*(?:[-_./][A-Za-z0-9]+)*")
_LATIN = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def names(text: str) -> list[str]:
    """The Latin names in a text, each once: FP8, vLLM, Megatron-LM, Zeus.

    Words with a digit or a second capital are names; capitalised ones inside a sentence too.
    """
    return list(dict.fromkeys(m[0] for m in _NAME.finditer(text) if _is_name(m)))


def _is_name(match: re.Match[str]) -> bool:
    word, text = match[0], match.string
    if not lang.terms(word).words:  # What, The, I
        return False
    if any(c.isdigit() for c in word) or sum(c.isupper() for c in word) > 1 or _is_mixed(word):
        return True
    if not word[0].isupper():
        return False
    before = text[: match.start()].rstrip()
    opens = not before or before[-1] in '.!?:;"“「『(\n。！？：；'
    goes_on = re.match(r"\s+[a-z]|['’]", text[match.end() :]) is not None
    return not (opens and goes_on)


def _is_mixed(word: str) -> bool:
    return any(part[1:] != part[1:].lower() for part in re.split(r"[-_./]", word))


class Source:
    """All that an entry says, prepared for looking things up in it."""

    def __init__(self, paper: Paper) -> None:
        self.text = lexical_text(paper)
        self.folded = lang.fold(self.text)
        self.terms = frozenset(lang.terms(self.text).words)
        # What tells only whether a paper is about something: a rendering is no evidence.
        rendered = "\n".join(rendering.abstract for rendering in paper.alternates)
        self.rendered = lang.fold(rendered)
        self.rendered_terms = frozenset(lang.terms(rendered).words)
        self.figures = frozenset(figure(q) for q in lang.quantities(self.text))
        self._latin = frozenset(_LATIN.findall(self.folded))

    def missing_names(self, text: str) -> list[str]:
        """The names in a text that the entry does not have, in either language or a near spelling.

        Something that the entry calls by its other name (LLM, 大语言模型) is not missing.
        """
        rest = text
        for entry in glossary.entries():
            if any(mentions(self.folded, name) for name in entry.names):
                for name in entry.names:
                    rest = masked(rest, name)
        return [name for name in names(rest) if not self.has_name(name)]

    def has_name(self, name: str) -> bool:
        """Whether the entry has a name, its parts, or a near spelling of it."""
        if not name.isascii():
            return lang.fold(name) in self.folded
        parts = [p for p in re.split(r"[-_/]", name) if p != p.lower() or any(map(str.isdigit, p))]
        if parts and all(set(lang.terms(part).words) <= self.terms for part in parts):
            return True
        folded = lang.fold(name)
        return any(is_near(folded, other) for other in self._latin)

    def missing_figures(self, text: str, *, question: str = "") -> list[str]:
        """The quantities in a text that the entry does not have, as they stand there.

        A count may be a word in the entry or the question: four models, 四种模型.
        """
        words = self.folded + lang.fold(question)
        return [
            quantity.text.strip()
            for quantity in lang.quantities(text)
            if not self._has_figure(quantity) and not _is_counted(quantity, words)
        ]

    def _has_figure(self, quantity: lang.Quantity) -> bool:
        value = quantity.value.normalize()
        # A unit may be said in other words, as in a speedup of 7.6 for 7.6倍.
        is_bare = not quantity.unit or (value, "") in self.figures
        own = {figure_value for figure_value, _ in self.figures}
        return figure(quantity) in self.figures or (is_bare and value in own)


def _is_counted(quantity: lang.Quantity, folded: str) -> bool:
    word = next((w for w, n in ENGLISH_DIGITS.items() if n == quantity.value), None)
    if quantity.unit or word is None:
        return False
    chinese = [c for n, c in enumerate(CHINESE_DIGITS[:10]) if n == quantity.value]
    return mentions(folded, word) or any(c in folded for c in chinese)


@lru_cache(maxsize=256)
def source(paper: Paper) -> Source:
    """The prepared entry of a paper."""
    return Source(paper)


def mentions(folded: str, name: str) -> bool:
    """Whether folded text has a term: Han anywhere, Latin as whole words."""
    wanted = _folded(name)
    if not wanted.isascii() or wanted not in folded:
        return wanted in folded
    return re.search(rf"(?<![a-z0-9]){re.escape(wanted)}s?(?![a-z0-9])", folded) is not None


@lru_cache(maxsize=16_384)  # the glossary's names are looked for in every text
def _folded(name: str) -> str:
    return lang.fold(name)


def glossary_forms(name: str) -> list[str]:
    """A name, and what else the glossary calls it."""
    folded = lang.fold(name)
    others = (e.names for e in glossary.entries() if folded in map(_folded, e.names))
    return list(dict.fromkeys([name, *(form for group in others for form in group)]))


def is_near(one: str, other: str) -> bool:
    """Whether two folded names are one with a slip: megatron-lm, megtron-lm; never a100, v100."""
    if min(len(one), len(other)) < 5 or re.sub(r"\D", "", one) != re.sub(r"\D", "", other):
        return False
    allowed = 1 if min(len(one), len(other)) < 9 else 2
    return abs(len(one) - len(other)) <= allowed and _distance(one, other) <= allowed


def figure(quantity: lang.Quantity) -> tuple[object, str]:
    """What makes two quantities the same: the value and the unit."""
    return quantity.value.normalize(), quantity.unit


def masked(text: str, name: str) -> str:
    """The text without a Latin name."""
    if not name.isascii():
        return text
    return re.sub(rf"(?<![A-Za-z0-9]){re.escape(name)}s?(?![A-Za-z0-9])", " ", text, flags=re.I)


def _distance(one: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        previous, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (a != b))
    return row[-1]
