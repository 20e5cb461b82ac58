"""Which sentences of a paper, and which papers, bear on a question."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from paraqa import lang
from paraqa.evidence.source import figure, masked, mentions, names, source
from paraqa.lang import glossary
from paraqa.lang.text import say
from paraqa.nodes import passages_of
from paraqa.types import Hit, Paper, Passage, Query

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
# Weights of a sentence's place among the hit's best passages, of a figure where one is asked for
# (it moved the right sentence from 80 to 85 of 100 first places and to all of the first two), and
# of proposing something.
_CONCEPT = 0.8  # weight of a concept beside that of the words that name it
_RANKED, _FIGURE, _PROPOSAL = 0.5, 0.4, 0.3


def ranked(query: Query, hit: Hit) -> list[Passage]:
    """The sentences of a hit's paper, those that bear most on the question first."""
    return [passage for passage, _ in scored(query, hit)]


def scored(query: Query, hit: Hit) -> list[tuple[Passage, float]]:
    """The same with their scores, which are comparable within one paper only."""
    passages = sentences_of(hit.paper)
    held = [Counter((*_terms(p.text), *_concepts(p.text))) for p in passages]
    spread = Counter(term for terms in held for term in terms)
    wanted = list(_wanted(query))
    order = [p.id for p in hit.passages if not p.is_whole]
    asks = asks_for_figures(query)

    def score(place: int) -> float:
        passage = passages[place]
        value = sum(w * _share(terms, held[place], spread) for w, terms in wanted)
        if passage.id in order:
            value += _RANKED / (1 + order.index(passage.id))
        if asks:
            return value + (_FIGURE if lang.quantities(passage.text) else 0)
        return value + (_PROPOSAL if proposes(passage.text) else 0)

    values = [score(place) for place in range(len(passages))]
    best = sorted(range(len(passages)), key=lambda place: -values[place])
    return [(passages[place], values[place]) for place in best]


def _wanted(query: Query) -> Iterator[tuple[float, tuple[str, ...]]]:
    """What a sentence may hold, with its weight: words of the question, concepts of all variants.

    A concept has many names, of which a sentence has one: as words they would ask for all of them.
    """
    for variant in query.variants:
        if variant.why in ("question", "spelling"):
            yield variant.weight, _terms(variant.text)
        if concepts := _concepts(variant.text):
            yield variant.weight * _CONCEPT, concepts


def sentences_of(paper: Paper) -> list[Passage]:
    """The sentences of an abstract; the title alone where there is none."""
    whole, *rest = passages_of(paper)
    return rest or [whole]


def supporting(sentence: str, query: Query, hit: Hit) -> Passage:
    """The sentence of a paper that supports a claim best: shared figures, names, then words."""
    figures = {figure(q) for q in lang.quantities(sentence)}
    named = {lang.fold(name) for name in names(sentence)}
    expanded = glossary.expand(sentence, glossary_weight=1.0, bridge_weight=0.0)
    words = set(_terms(sentence)).union(*(_terms(variant.text) for variant in expanded))

    def score(passage: Passage) -> float:
        folded = lang.fold(passage.text)
        value = 2.0 * sum(figure(q) in figures for q in lang.quantities(passage.text))
        value += sum(name in folded for name in named)
        value += len(words.intersection(_terms(passage.text))) / 4
        return value + (0.5 if proposes(passage.text) else 0)

    return max(ranked(query, hit), key=score)


def in_focus(query: Query, hits: Sequence[Hit]) -> list[Hit]:
    """The hits that a question is about: where it names what only some have, those that have it.

    Each name counts the more the fewer hits have it. All hits where nothing tells them apart.
    """
    held = distinctive(query, hits)
    holders = Counter(name for names_held in held.values() for name in names_held)
    worth = {rank: sum(1 / holders[name] for name in found) for rank, found in held.items()}
    most = max(worth.values(), default=0.0)
    return [hit for hit in hits if worth[hit.rank] * 2 >= most]


def distinctive(query: Query, hits: Sequence[Hit]) -> dict[int, set[str]]:
    """For each hit by rank, the names and years of the question that it has and few others have."""
    held: dict[int, set[str]] = {hit.rank: set() for hit in hits}
    for forms in _named(query.standalone):
        holders = [hit.rank for hit in hits if any(map(source(hit.paper).has_name, forms))]
        if len(holders) <= max(1, len(hits) // 3):
            for rank in holders:
                held[rank].add(forms[0])
    return held


def _named(question: str) -> list[tuple[str, ...]]:
    """What a question names, each with its other names, in either language."""
    rest, groups = question, []
    folded = lang.fold(question)
    for entry in glossary.entries():
        if _is_proper(entry) and any(len(n) > 1 and mentions(folded, n) for n in entry.names):
            groups.append(entry.names)
            for name in entry.names:
                rest = masked(rest, name)
    return groups + [(name,) for name in (*names(rest), *_YEAR.findall(rest))]


def on_topic(query: Query, hits: Sequence[Hit]) -> list[Hit]:
    """The hits that have what a question is about by another name, or come from where it says.

    A question on pipeline bubbles shares the word pipeline with any pipeline of data: where no hit
    has a concept by name, those with what the glossary bridges it to are kept. One for papers from
    an institution shares the word university with most.
    """
    question = lang.fold(query.standalone)
    is_by_place = query.kind == "list" and asks_for_origin(query)
    kept = list(hits)
    for entry in glossary.entries():
        if not any(mentions(question, n) for n in entry.names if len(n) > 1):
            continue
        if is_by_place and _is_proper(entry):
            kept = _having(kept, entry.names) or kept
        elif entry.related and not _having(kept, entry.names):
            kept = _having(kept, entry.bridges) or kept
    return kept


def _is_proper(entry: glossary.Entry) -> bool:
    # Institutions: Peking University, NVIDIA; not GPU, which is also a graphics processing unit.
    return all(name[0].isupper() or not name.isascii() for name in entry.names)


def _having(hits: Sequence[Hit], terms: Sequence[str]) -> list[Hit]:
    return [h for h in hits if any(mentions(source(h.paper).folded, term) for term in terms)]


def asks_for_figures(query: Query) -> bool:
    """Whether the question wants numbers."""
    return _is_like("answer.asks_for_figures", query.standalone)


def asks_to_compare(query: Query) -> bool:
    """Whether the question is about several papers side by side."""
    return _is_like("answer.asks_to_compare", query.standalone)


def asks_for_origin(query: Query) -> bool:
    """Whether the question is about who made a paper, where, or when."""
    return _is_like("answer.asks_for_origin", query.standalone)


def proposes(sentence: str) -> bool:
    """Whether a sentence says what its paper does, rather than what is known."""
    return _is_like("answer.proposes", sentence)


def _is_like(key: str, text: str) -> bool:
    return any(re.search(say(key, code), text, re.IGNORECASE) for code in lang.LANGS)


def _share(wanted: Sequence[str], held: Counter[str], spread: Counter[str]) -> float:
    # A term that each sentence of the paper has does not tell them apart.
    worth = {term: 1 / (1 + spread[term]) for term in set(wanted)}
    total = sum(worth.values())
    return sum(w for term, w in worth.items() if term in held) / total if total else 0.0


def _concepts(text: str) -> tuple[str, ...]:
    return _concepts_of(text, glossary.edition())


@lru_cache(maxsize=4096)
def _concepts_of(text: str, _edition: int) -> tuple[str, ...]:
    return glossary.concepts(text)


@lru_cache(maxsize=4096)
def _terms(text: str) -> tuple[str, ...]:
    found = lang.terms(text)
    return found.words + found.bigrams
