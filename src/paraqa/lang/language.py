"""The record of everything that differs from one language to the next."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paraqa.types import Lang

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"


@dataclass(frozen=True)
class Language:
    """One language; code that must differ by language reads a field here instead."""

    code: Lang
    locale: str  # how names of its locales begin
    quotes: tuple[str, str]  # the marks that answers put around quoted text
    enders: str  # characters that end a sentence wherever they stand
    abbreviations: frozenset[str]  # words whose full stop ends no sentence
    stop_words: frozenset[str]  # folded; they tell papers apart in no corpus
    generic_words: frozenset[str]  # folded; what any paper may be said to do: they count for less
    function_words: re.Pattern[str]  # words that only a sentence of this language has
    separator: str  # between the members of a list
    list_question: re.Pattern[str]  # asks for all papers that …
    reference: re.Pattern[str]  # points back: groups `one`, `many`, `owner`, `place`
    definite: re.Pattern[str]  # references that a name may follow: `the authors of X`
    subject: re.Pattern[str]  # ends what stands before a reference that is the subject
    plural_owners: frozenset[str]
    expletive: re.Pattern[str]  # looks like a reference, and is none
    elliptical: re.Pattern[str]  # opens a question that goes on from the one before
    places: tuple[tuple[str, int], ...]  # words in `place` to indexes into what was named
    clause: re.Pattern[str]  # where a clause of a question ends
    owner_form: str  # how a name is put for `its`


def words(text: str) -> frozenset[str]:
    """The words of a text that are parted by spaces."""
    return frozenset(text.split())
