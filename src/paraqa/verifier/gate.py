"""Whether papers found can answer a question at all, by what the question asks for.

A score of retrieval does not say: the best of 54 wrong papers looks like the best of 54 right ones.
So the question is read for what an answer must be about (names, concepts, aspects), and the reason
to abstain says which of them is missing. In doubt the question passes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Protocol

from paraqa import lang
from paraqa.evidence import (
    cover,
    glossary_forms,
    holds,
    in_focus,
    mentions,
    names,
    source,
    synonyms,
)
from paraqa.lang import glossary
from paraqa.lang.text import pairs, say
from paraqa.types import Hit, Query

_NEAREST = 3  # papers that an aspect or the question's terms are looked for in
# `GPU-like`, `like Mamba`, `类似Mamba`, `(Mamba-like)`: compared with, not asked for.
_COMPARED = re.compile(
    r"\b[\w.]+-(?:like|style|based|level|free|only)\b"
    r"|(?:\b(?:like|such as|similar to|e\.g\.|as in)\s+|类似于?|例如|比如|诸如|如同|像|类)"
    r"\s*[A-Za-z][\w.-]*",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_ALTERNATIVE = re.compile(r"\bor\b|或|还是", re.IGNORECASE)
_WELL = 0.5  # share of the question that the best paper has, above which one concept may be missing


class Corpus(Protocol):
    """What the gate asks of a store."""

    def document_frequency(self, terms: Iterable[str]) -> dict[str, int]:
        """In how many papers each term stands."""

    def count(self) -> int:
        """Number of papers."""


def reason_to_abstain(
    query: Query, hits: Sequence[Hit], corpus: Corpus, *, min_cover: float
) -> str | None:
    """Why these hits cannot answer, in the answer's language; None if they may."""
    if not _specific(query):
        # What was asked for was a year, a place, a category: those were met.
        return (
            None
            if (query.is_filtered or query.order) and hits
            else say("verify.no_content", query.lang)
        )
    if not hits:
        return say("verify.nothing_found", query.lang)
    separator = say("verify.separator", query.lang)
    if unknown := unknown_names(query, hits, corpus):
        return say("verify.unknown_name", query.lang, names=separator.join(unknown))
    covered = cover(query, hits, corpus)
    if covered < _WELL and (concepts := unknown_concepts(query, corpus)):
        shown = separator.join(lang.quoted(concept, query.lang) for concept in concepts)
        return say("verify.unknown_concept", query.lang, concepts=shown)
    if aspect := unstated_aspect(query, hits):
        return say("verify.unstated", query.lang, aspect=say(f"aspect.{aspect}", query.lang))
    if covered < min_cover or shares_nothing_specific(query, hits):
        return say("verify.no_cover", query.lang)
    return None


def unknown_names(query: Query, hits: Sequence[Hit], corpus: Corpus) -> list[str]:
    """The names asked for that no paper of the corpus has, in any spelling or language."""
    question = query.variants[0].text
    asked = names(_COMPARED.sub(" ", question))
    words = re.findall(r"[A-Za-z]{2,}", question)
    if len(words) > 3 and sum(word[0].isupper() for word in words) > 0.6 * len(words):
        asked = [name for name in asked if any(map(str.isdigit, name))]  # capitals say nothing here
    unknown = [
        name
        for name in asked
        if not _is_about_entries(name)
        and not any(_is_held(form, corpus) for form in glossary_forms(name))
        and not any(source(hit.paper).has_name(name) for hit in hits)
    ]
    if len(unknown) < len(asked) and _ALTERNATIVE.search(question):
        return []
    return _joined(unknown, question)


def unknown_concepts(query: Query, corpus: Corpus) -> list[str]:
    """The concepts asked for that the glossary knows and no paper has under any name.

    One that the glossary bridges to others may be there without its name, if they are there.
    """
    question = lang.fold(_COMPARED.sub(" ", query.variants[0].text))
    asked: dict[str, glossary.Entry] = {}
    for entry in glossary.entries():
        held = [n for n in entry.names if len(n) > 1 and mentions(question, n)]
        if held and not any(map(_is_about_entries, entry.names)):
            asked[max(held, key=len)] = entry
    unknown = [
        name
        for name, entry in asked.items()
        if not any(_is_held(form, corpus) for form in (*entry.names, *entry.bridges))
    ]
    if len(unknown) < len(asked) and _ALTERNATIVE.search(query.standalone):
        return []
    return unknown


def unstated_aspect(query: Query, hits: Sequence[Hit]) -> str | None:
    """The aspect that is asked for and that the nearest papers say nothing about."""
    texts = [source(hit.paper).text for hit in in_focus(query, hits)[:_NEAREST]]
    for aspect in pairs("aspect"):
        if aspect.endswith("_words"):
            continue
        patterns = [say(f"aspect.{aspect}_words", code) for code in lang.LANGS]
        if _has_any(patterns, [query.standalone]) and not _has_any(patterns, texts):
            return aspect
    return None


def shares_nothing_specific(query: Query, hits: Sequence[Hit]) -> bool:
    """Whether the nearest papers hold none of the question's words but generic ones, as 提高."""
    others = synonyms(query.variants[0].text)
    return not any(holds(hit, term, others) for term in _specific(query) for hit in hits[:_NEAREST])


def _specific(query: Query) -> list[str]:
    """The question's words that say what it is about; a bare figure does not, a year does."""
    words = dict.fromkeys(lang.terms(query.variants[0].text).words)
    return [w for w in words if not lang.is_generic(w) and (not w.isdigit() or _YEAR.fullmatch(w))]


def _is_held(name: str, corpus: Corpus) -> bool:
    words, bigrams = lang.terms(name)
    return bool(words) and all(corpus.document_frequency(words + bigrams).values())


def _is_about_entries(name: str) -> bool:
    patterns = (say("verify.about_entries", code) for code in lang.LANGS)
    return any(re.fullmatch(p, name, re.IGNORECASE) for p in patterns)


def _joined(found: Sequence[str], text: str) -> list[str]:
    """Names that stand side by side in a text as one: World Cup."""
    joined: list[str] = []
    for name in found:
        if joined and f"{joined[-1]} {name}" in text:
            joined[-1] += f" {name}"
        else:
            joined.append(name)
    return joined


def _has_any(patterns: Sequence[str], texts: Sequence[str]) -> bool:
    return any(re.search(p, text, re.IGNORECASE) for p in patterns for text in texts)
