"""How much of a question papers hold, under its own words or under others for the same thing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Protocol

from paraqa import lang
from paraqa.evidence.source import mentions, source
from paraqa.lang import glossary
from paraqa.types import Hit, Query

NEAREST = 3  # papers that the question's terms are looked for in
_UNKNOWABLE = 0.3  # weight of a word that a paper in the other language could not hold


class Frequencies(Protocol):
    """What is asked of a store."""

    def document_frequency(self, terms: Iterable[str]) -> dict[str, int]:
        """In how many papers each term stands."""

    def count(self) -> int:
        """Number of papers."""


def cover(query: Query, hits: Sequence[Hit], corpus: Frequencies) -> float:
    """The idf-weighted share of the question's terms that the best hit holds, from 0 to 1.

    A term is also held under another name of its concept, or over a bridge.
    """
    topic = query.topic or query.variants[0].text
    terms = dict.fromkeys(lang.terms(topic).words)
    frequency = corpus.document_frequency(terms)
    total = max(corpus.count(), 1)
    others = synonyms(topic)
    worth = {}
    for term in terms:
        weight = math.log(1 + total / (frequency[term] + 1))
        is_unknowable = not frequency[term] and term not in others and term.isascii()
        worth[term] = weight * (_UNKNOWABLE if is_unknowable else 1)
    whole = sum(worth.values())
    if not whole:
        return 1.0

    def held(hit: Hit) -> float:
        return sum(weight for term, weight in worth.items() if holds(hit, term, others))

    return max((held(hit) for hit in hits[:NEAREST]), default=0.0) / whole


def holds(hit: Hit, term: str, others: dict[str, list[str]]) -> bool:
    """Whether a paper has a term, or one of its other names, in whichever of its languages."""
    entry = source(hit.paper)
    if term in entry.terms or term in entry.rendered_terms:
        return True
    texts = (entry.folded, entry.rendered)
    return any(mentions(text, name) for name in others.get(term, ()) for text in texts)


def synonyms(question: str) -> dict[str, list[str]]:
    """For each term of the question's concepts, their other names and what they are bridged to."""
    found: dict[str, list[str]] = {}
    for entry in glossary.mentioned(question):
        others = [*entry.names, *entry.bridges]
        for name in entry.names:
            for term in lang.terms(name).words:
                found.setdefault(term, []).extend(others)
    return {term: list(dict.fromkeys(others)) for term, others in found.items()}
