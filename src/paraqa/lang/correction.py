"""A question's words that no paper holds, and the words that they may stand for."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple, Protocol

from rapidfuzz.distance import Prefix

from paraqa.lang import glossary
from paraqa.lang.folding import aligned, fold
from paraqa.lang.language import HAN
from paraqa.lang.spelling import near, slips
from paraqa.lang.vocabulary import is_generic, stems, terms

_WORD = re.compile(rf"(?:(?![{HAN}])[^\W_])+")
_BETWEEN = re.compile("[ -]")  # the parts of a name that others write as one
_LONG, _LONGER, _LONGEST = 6, 8, 10  # letters of words for which ever more will do
_DOUBLED = re.compile(r"(.)\1")
_JOINED = 6  # letters of a name that two words make
_PART, _LONG_PART, _SHORT_PART = 3, 5, 2  # letters of the parts of one
_LONGEST_WORD = 40  # letters of what may be a word at all
_MOST = 8  # words of a question that are looked at: each is compared with all of the papers'
# What is put behind a stem to make a word of it, and what makes one word of another.
_INFLECTED = (
    "",
    "s",
    "e",
    "es",
    "ed",
    "ing",
    "y",
    "ies",
    "er",
    "ers",
    "or",
    "ion",
    "ions",
    "ation",
)
_ENDING = re.compile(
    "(?:e?s|e|ed|ing|d|y|ies|ied|i|[eo]rs?|er?y|ar?y|ory|ions?|ations?|al(?:ly)?|iti?e?s?|ity|ly|"
    "ive(?:ly)?|[ai]ble|ments?|ness|less|ful|i[sz]e[ds]?|i[sz]ing|ists?|isms?|ics?|an[ct]e?s?|"
    "en[ct]e?s?|en|est|ate[ds]?|ous(?:ly)?|ure)?"
)
_STEM = 3  # letters before an ending


class Corpus(Protocol):
    """What is asked of the papers."""

    def document_frequency(self, terms: Iterable[str]) -> dict[str, int]:
        """In how many papers each term stands."""

    def near_terms(self, term: str) -> list[str]:
        """The terms of the papers that a term may be a misspelling of, best first."""


class Correction(NamedTuple):
    """A text with its misspelt words replaced, and all words that it may mean beside its own."""

    text: str
    words: tuple[str, ...] = ()
    missing: frozenset[str] = frozenset()  # terms that no paper and no concept has in any spelling


class _Word(NamedTuple):
    start: int
    end: int
    text: str  # as typed
    term: str

    @property
    def is_name(self) -> bool:
        """Whether it has a capital that no beginning of a sentence gives it."""
        return any(c.isupper() for c in self.text) and self.start > 0


def corrected(text: str, corpus: Corpus) -> Correction:
    """What a text says where the papers know its words by another spelling."""
    words = list(_words(text))
    if not words:
        return Correction(text)
    joined = list(_joined(text, words))
    held = corpus.document_frequency({w.term for w in words} | {j.term for j in joined})
    whole = [j for j in joined if held[j.term]]
    found: list[str] = [j.text.lower() for j in whole]
    replaced: list[tuple[_Word, str]] = []
    unknown = [
        word
        for word in words
        if not held[word.term] and not any(_covers(j, word) for j in whole) and _may_be_wrong(word)
    ]
    missing = {word.term for word in unknown if word.term in _ordinary()}
    # Names first: no one asks in more words that are misspelt.
    looked_at = sorted((w for w in unknown if w.term not in missing), key=lambda w: not w.is_name)
    for word in looked_at[:_MOST]:
        candidates, number = _candidates(word, corpus)
        parts = _parts(word.text.lower(), corpus) if number != 1 else []
        if parts:
            found += parts
        elif candidates:
            replaced.append((word, candidates[0]))
            found += candidates
        else:
            missing.add(word.term)
    replaced.sort()
    return Correction(_with(text, replaced), tuple(dict.fromkeys(found)), frozenset(missing))


def _words(text: str) -> Iterator[_Word]:
    for match in _WORD.finditer(aligned(text)):
        found = terms(match[0]).words
        if len(found) == 1:
            yield _Word(match.start(), match.end(), text[match.start() : match.end()], found[0])


def _joined(text: str, words: list[_Word]) -> Iterator[_Word]:
    """Neighbouring words as one: `deep speed` may be DeepSpeed."""
    for one, two in itertools.pairwise(words):
        both = one.text + two.text
        if len(both) >= _JOINED and _BETWEEN.fullmatch(text, one.end, two.start):
            found = terms(both).words
            if len(found) == 1:
                yield _Word(one.start, two.end, both, found[0])


def _covers(joined: _Word, word: _Word) -> bool:
    return joined.start <= word.start and word.end <= joined.end


def _may_be_wrong(word: _Word) -> bool:
    return not (
        word.term.isdigit()
        or len(word.text) > _LONGEST_WORD
        or is_generic(word.term)
        or word.term in _concepts(glossary.edition())
    )


def _candidates(word: _Word, corpus: Corpus) -> tuple[list[str], int]:
    """The words that this one may stand for, as a reader would write them, and their slips."""
    known = _concepts(glossary.edition())
    typed = word.text.lower()
    found: dict[str, tuple[int, str]] = {}
    # As typed too: the stem of Zues is `zue`, which is near to nothing.
    for form in dict.fromkeys((typed,) if word.is_name else (word.term, typed)):
        for other in (*corpus.near_terms(form), *near(form, _stems(glossary.edition()))):
            if other in found or is_generic(other):
                continue
            written = _written(other, typed, known.get(other) or _ordinary().get(other, other))
            is_near = slips(typed, written) <= (1 if len(typed) < _LONGER else 2)
            if is_near and _is_likely(typed, written, is_concept=other in known):
                found[other] = slips(typed, written), written
    least = min((number for number, _ in found.values()), default=0)
    return [written for number, written in found.values() if number == least], least


def _written(stem: str, typed: str, usual: str) -> str:
    """The word of this stem that is nearest to what was typed; the usual one before others."""
    forms = (usual, *(stem + ending for ending in _INFLECTED))
    words = [form for form in forms if stems(form).strip() == stem]
    return min(words, key=lambda w: (slips(typed, w), not _are_alike(typed, w)), default=stem)


def _is_likely(word: str, other: str, *, is_concept: bool) -> bool:
    """Whether one word is the other misspelt, and not one of the many that have some word near.

    The list of common words does not tell that `tarsal` is right: so a short word must have letters
    that changed places or are doubled, or lack one of a concept's; a longer one must begin and end
    well; and `trainee` is no slip of `trained`.
    """
    if _are_alike(word, other):
        return True
    if word[0] != other[0] or _is_derived(word, other):
        return False
    if len(word) < _LONG:
        return is_concept and len(other) > len(word) and word[-1] == other[-1]
    if len(word) < _LONGER:
        return word[-1] == other[-1]
    return is_concept or len(word) >= _LONGEST or slips(word, other) == 1


def _is_derived(word: str, other: str) -> bool:
    """Whether two words differ in nothing but what is put behind their stem."""
    alike = Prefix.similarity(word, other)
    return any(
        _ENDING.fullmatch(word, place) and _ENDING.fullmatch(other, place)
        for place in range(alike, _STEM - 1, -1)
    )


def _are_alike(word: str, other: str) -> bool:
    """Whether two words have the same letters, but in another order or more often."""
    return sorted(word) == sorted(other) or _undoubled(word) == _undoubled(other)


def _undoubled(word: str) -> str:
    return _DOUBLED.sub(r"\1", word)


def _parts(word: str, corpus: Corpus) -> list[str]:
    """The two words of the papers that a word is made of: `pipedream` may be Pipe Dream."""
    pairs = [(word[:place], word[place:]) for place in range(_SHORT_PART, len(word) - 1)]
    pairs = [pair for pair in pairs if _are_long(pair)]
    single = {part: terms(part).words for pair in pairs for part in pair}
    held = corpus.document_frequency({w[0] for w in single.values() if len(w) == 1})
    pairs = [p for p in pairs if all(len(single[q]) == 1 and held[single[q][0]] for q in p)]
    return list(max(pairs, key=lambda pair: min(map(len, pair)), default=()))


def _are_long(pair: tuple[str, str]) -> bool:
    short, long = sorted(map(len, pair))
    return short >= _PART or (short == _SHORT_PART and long >= _LONG_PART)


def _with(text: str, replaced: list[tuple[_Word, str]]) -> str:
    for word, other in reversed(replaced):
        text = text[: word.start] + other + text[word.end :]
    return text


@cache
def _ordinary() -> dict[str, str]:
    """Common English words by their stems."""
    table = files(__package__).joinpath("ordinary.txt").read_text(encoding="utf-8")
    lines = (line for line in table.splitlines() if not line.startswith("#"))
    return {stems(word).strip(): word for line in lines for word in line.split()}


@lru_cache(maxsize=1)
def _stems(edition: int) -> tuple[str, ...]:
    return tuple(_concepts(edition))


@lru_cache(maxsize=1)  # worked out anew when a user's glossary is added
def _concepts(_edition: int) -> dict[str, str]:
    """The stems of the words that the glossary uses, each with its shortest word."""
    concepts: dict[str, str] = {}
    for entry in glossary.entries():
        for form in (*entry.names, *entry.bridges):
            for word in _WORD.findall(fold(form)):
                stem = stems(word).strip()
                if len(word) < len(concepts.get(stem, word + " ")):
                    concepts[stem] = word
    return concepts
