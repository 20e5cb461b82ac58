"""The record of everything that differs from one language to the next."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paraqa.types import Lang, Order

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"

# Before the patterns of a language look for filters, what is known in a question is put out by
# these signs, as many as it has characters: an institution, an author's whole name, a surname that
# may be one, the code of a category, a word that may be one (`cs`), what is read already or is
# not to be read, and a conference, until its years are passed over.
PLACE, PERSON, SURNAME, CODE, ARCHIVE, DONE, VENUE = "\ue000\ue001\ue002\ue003\ue004\ue005\ue006"
_AND = r"\s*(?:,|/|\u3001|&|,?\s*\b(?:and/or|and|or)\b|[和与及或]|以及)\s*"
_AGAIN = r"(?:(?:from|by|at|in|the)\s+|来自\s*)*"


def _several(signs: str) -> str:
    # Atomic: what the signs stand for is never taken in part. No one names more than a dozen.
    return f"(?<![{signs}])(?>[{signs}]+(?:{_AND}{_AGAIN}[{signs}]+){{0,11}})"


ORIGINS, AUTHORS = _several(PLACE + PERSON), _several(PERSON + SURNAME)
CODES, ARCHIVES = f"(?={CODE}){_several(CODE + ARCHIVE)}", _several(ARCHIVE)


@dataclass(frozen=True)
class Asking:
    """How a language asks for papers that meet a filter.

    The patterns are compiled when the first question is asked, and held against text that is
    `folding.aligned`. What a match says is taken out of the question: its group `cut`, else all of
    it; for its group `clause`, `Language.papers` stands.
    """

    periods: tuple[tuple[str, str], ...]  # rules of `periods` and how they are said
    item: str  # one of several times, a moment or a span
    unsharp: str  # a time that no day ends, or the year of a venue: groups `vague`, `sharp`
    orders: tuple[tuple[Order, str], ...]  # asks for papers by date
    years: Mapping[str, int]  # words for years, counted from this one
    months: Mapping[str, int]  # how the names of months begin
    ordinals: Mapping[str, int]  # which quarter it is
    halves: Mapping[str, int]  # which half
    numerals: Mapping[str, float]  # small numbers as words
    units: Mapping[str, int]  # how units of time begin, in months
    origins: tuple[str, ...]  # asks for what comes from institutions or authors
    authorship: tuple[str, ...]  # shows that a surname means its bearer's papers
    categories: tuple[str, ...]  # the code of a category with the words beside it
    mentioning: str  # ends what stands before an institution that is only spoken of
    mentioning_after: str  # with what begins behind it: `与谷歌的方法相比`
    verifying: str  # asks whether a paper is from somewhere or some time
    dating: str  # asks for the time itself
    excluding: str  # ends what stands before a filter that is meant not to hold
    excluding_after: str  # begins what stands behind one
    dangling: str  # joins two things, of which one may be gone
    joining: str  # joins them where both may be


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
    comparison: re.Pattern[str]  # sets two things side by side, whatever else it asks
    comparison_of: re.Pattern[str]  # the same, unless it asks for papers that do
    interrogative: re.Pattern[str]  # words of questions that a bare phrase has not
    unwanted: re.Pattern[str]  # says what is not asked for: group `phrase`
    frame: re.Pattern[str]  # the words around a topic that make a question of it
    about_corpus: re.Pattern[str]  # asks about the collection itself
    papers: str  # what is asked for where a filter was all of a clause
    asking: Asking
    reference: re.Pattern[str]  # points back: groups `one`, `many`, `owner`, `place`
    definite: re.Pattern[str]  # references that a name may follow: `the authors of X`
    subject: re.Pattern[str]  # ends what stands before a reference that is the subject
    plural_owners: frozenset[str]
    expletive: re.Pattern[str]  # looks like a reference, and is none
    elliptical: re.Pattern[str]  # opens a question that goes on from the one before
    places: tuple[tuple[str, int], ...]  # words in `place` to indexes into what was named
    clause: re.Pattern[str]  # where a clause of a question ends
    owner_form: str  # how a name is put for `its`


def unnamed(pattern: str) -> str:
    """A pattern without the names of its groups, to stand in another once more."""
    return re.sub(r"\(\?P<\w+>", "(?:", pattern)


def words(text: str) -> frozenset[str]:
    """The words of a text that are parted by spaces."""
    return frozenset(text.split())
