"""Query to ranked hits: what is near in meaning, joined with what shares its words.

Filters come first: only papers that meet them are ranked. Each is scored by its vectors (the whole
entry, and its best sentence, in the nearer of its languages) and by the words of all variants of
the question (`ranking`). Here it is decided how deep a result goes, and what is told of each hit.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from llama_index.core.async_utils import asyncio_run
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle

from paraqa import lang
from paraqa.evidence import cover
from paraqa.facets import Mask
from paraqa.fusion import fused, ranked
from paraqa.lang import glossary
from paraqa.matrix import Vector
from paraqa.nodes import indexed_text, to_nodes
from paraqa.ranking import DATE, Demand, Ranker, Ranking, Scored, weighted_terms
from paraqa.settings import RetrievalSettings
from paraqa.types import (
    Coverage,
    Hit,
    Match,
    Order,
    Paper,
    Passage,
    Query,
    Strength,
    Variant,
    Why,
)

# A question and the sentences of one paper, often in two languages, differ little in distance: the
# words say more. The first sentence holds the fact asked for 22 times of 34, with 0.5 20 times.
NEAR_SENTENCE = 0.3
_LIKE = 30  # terms of a paper that others are compared with


class Searchable(Scored, Protocol):
    """What the retriever asks of a store."""

    def vector_of(self, paper_id: str) -> Vector | None:
        """The vector of a paper; None without one."""

    def papers_by_id(self, ids: Iterable[str]) -> dict[str, Paper]:
        """Papers by id."""

    def passages_of(self, ids: Iterable[str]) -> dict[str, tuple[Passage, ...]]:
        """Passages by paper id, in order."""


class Found(NamedTuple):
    """The hits, best first, and what of the corpus they stand on."""

    hits: list[Hit]
    coverage: Coverage


class Retriever(BaseRetriever):
    """Finds papers in a store; also a llama-index retriever, for query engines of one's own."""

    def __init__(self, store: Searchable, settings: RetrievalSettings) -> None:
        super().__init__()
        self._store = store
        self._settings = settings
        self._ranker = Ranker(store, settings)

    async def search(self, query: Query, k: int | None = None) -> Found:
        """The k best papers for a query, best first; none from an empty store.

        Without k, a question for a list gets all that match, up to `retrieval.list_k`. One that
        asks for an order gets those that match, ordered by date.
        """
        total = self._store.count()
        mask = await asyncio.to_thread(self._eligible, query)
        eligible = total if mask is None else int(mask.sum())
        if not eligible:
            return Found([], Coverage(papers=total))
        terms = weighted_terms(query.variants, self._settings)
        if (query.order or mask is not None) and not _says_something(terms):
            ranking = await asyncio.to_thread(self._by_date, query, mask, k or self._most())
            matching = eligible
        else:
            ranking = await self._ranker.ranking(query, terms, mask)
            matching = len(self._matching(ranking.scores))
            if query.order and matching:
                ranking = await asyncio.to_thread(self._in_order, query.order, ranking)
        order = ranking.places.get(DATE) or ranked(ranking.scores)
        best = order[: k or self._depth(query, matching)]
        hits = await asyncio.to_thread(self._hits, query, best, terms, ranking)
        strength = await asyncio.to_thread(self._strength, query, hits, terms)
        total = max(total, self._store.count())  # papers may come in while it is asked
        coverage = Coverage(
            papers=total,
            eligible=eligible,
            matching=0 if strength == "none" else matching,
            strength=strength,
        )
        return Found(hits, coverage)

    async def similar(self, paper: Paper, k: int | None = None) -> list[Hit]:
        """The k papers most like one of the store, best first, without itself."""
        vector = await asyncio.to_thread(self._store.vector_of, paper.id)
        if vector is None:
            return []
        query = _likeness(paper)
        terms = await asyncio.to_thread(self._telling, paper)
        demand = Demand(vector=vector, lang=query.lang, terms=terms, own=terms)
        ranking = await asyncio.to_thread(self._ranker.joined, demand)
        best = [id_ for id_ in ranked(ranking.scores) if id_ != paper.id]
        chosen = best[: k or self._settings.k]
        return await asyncio.to_thread(self._hits, query, chosen, terms, ranking)

    def _eligible(self, query: Query) -> Mask | None:
        """The papers that meet the conditions of a query; None where it has none."""
        if not query.is_filtered:
            return None
        mask = self._store.meeting(query.filters)
        for unwanted in query.without:
            held = self._store.meeting(unwanted)
            size = min(len(mask), len(held))  # a paper may have been added meanwhile
            mask = mask[:size] & ~held[:size]
        return mask

    def _by_date(self, query: Query, mask: Mask | None, n: int) -> Ranking:
        """The papers that meet the conditions, in the order asked for or else the newest first."""
        eligible = self._store.meeting(query.filters) if mask is None else mask
        return self._ranker.by_date(eligible, n, query.order)

    def _in_order(self, order: Order, ranking: Ranking) -> Ranking:
        """The ranking with the papers that match in the order of their dates, and no others."""
        matching = self._matching(ranking.scores)
        papers = self._store.papers_by_id(matching)
        days = {id_: paper.date for id_, paper in papers.items()}
        sign = -1 if order == "newest" else 1

        def age(id_: str) -> tuple[bool, int]:
            day = days.get(id_)
            return day is None, sign * day.toordinal() if day else 0

        return ranking._replace(places=ranking.places | {DATE: sorted(matching, key=age)})

    def _matching(self, scores: Mapping[str, float]) -> list[str]:
        """The papers that hold enough of what was asked for, best first."""
        least = self._settings.cutoff * max(scores.values(), default=0.0)
        return [id_ for id_ in ranked(scores) if scores[id_] >= least and scores[id_] > 0]

    def _depth(self, query: Query, matching: int) -> int:
        if query.kind != "list":
            return self._settings.k
        return min(max(matching, self._settings.k), self._most())

    def _most(self) -> int:
        return max(self._settings.list_k, self._settings.k)

    def _strength(self, query: Query, hits: Sequence[Hit], asked: Mapping[str, float]) -> Strength:
        if not hits:
            return "none"
        if not _says_something(asked):
            return "strong" if query.is_filtered or query.order else "none"
        # Of papers by date the first say least of how well any match.
        best = sorted(hits, key=lambda hit: -hit.score)
        covered = cover(query, best, self._store)
        if covered >= self._settings.strong:
            return "strong"
        return "weak" if covered >= self._settings.weak else "none"

    def _hits(
        self, query: Query, best: Sequence[str], asked: Mapping[str, float], ranking: Ranking
    ) -> list[Hit]:
        papers = self._store.papers_by_id(best)
        passages = self._store.passages_of(best)
        worth = self._worth(asked)
        readable = _readable(query.variants)
        # A paper that was taken out since the search has left the catalog first.
        present = [paper_id for paper_id in best if paper_id in papers]
        places = {
            name: {id_: place for place, id_ in enumerate(order, start=1)}
            for name, order in ranking.places.items()
        }
        return [
            Hit(
                rank=rank,
                paper=papers[paper_id],
                passages=best_passages(passages.get(paper_id, ()), ranking.near, worth)[
                    : self._settings.passages
                ],
                score=ranking.scores[paper_id],
                ranks={n: order[paper_id] for n, order in places.items() if paper_id in order},
                shares={
                    name: round(shares[paper_id], 4)
                    for name, shares in ranking.shares.items()
                    if paper_id in shares
                },
                matches=_matches(papers[paper_id], readable),
            )
            for rank, paper_id in enumerate(present, start=1)
        ]

    def _worth(self, asked: Mapping[str, float]) -> dict[str, float]:
        total = self._store.count()
        frequency = self._store.document_frequency(asked)
        return {
            term: weight * math.log(1 + total / (frequency.get(term, 0) + 1))
            for term, weight in asked.items()
        }

    def _telling(self, paper: Paper) -> dict[str, float]:
        """The terms of a paper that tell it apart most, with their weights."""
        words, _ = lang.terms(indexed_text(paper))
        worth = self._worth(dict.fromkeys(words, 1.0))
        telling = [term for term in worth if not lang.is_generic(term)]
        best = sorted(telling, key=lambda term: (-worth[term], term))[:_LIKE]
        return dict.fromkeys(best, 1.0)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        nodes: list[NodeWithScore] = asyncio_run(self._aretrieve(query_bundle))
        return nodes

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        hits, _ = await self.search(self._query(query_bundle.query_str))
        return [
            NodeWithScore(node=node, score=hit.score)
            for hit in hits
            for node in to_nodes([hit.paper])
            if node.node_id in {passage.id for passage in hit.passages}
        ]

    def _query(self, question: str) -> Query:
        """A question from llama-index, which knows no history and is asked in its own language."""
        language = lang.detect(question)
        return Query(
            text=question,
            standalone=question,
            lang=language,
            kind="answer",
            variants=glossary.variants(
                question,
                language,
                glossary_weight=self._settings.glossary_weight,
                bridge_weight=self._settings.bridge_weight,
            ),
        )


def best_passages(
    passages: Sequence[Passage], similarity: Mapping[str, float], worth: Mapping[str, float]
) -> tuple[Passage, ...]:
    """The sentences of a paper, best first; the whole entry only where there is no sentence.

    A sentence is as good as it is near to the question and as it holds the question's rare terms.
    """
    sentences = {p.id: p for p in passages if not p.is_whole}
    if not sentences:
        return tuple(passages)
    near = {id_: similarity[id_] for id_ in sentences if id_ in similarity}
    shared = {id_: _held(p.text, worth) for id_, p in sentences.items()}
    scores = fused([(NEAR_SENTENCE, near), (1.0 - NEAR_SENTENCE, shared)])
    order = sorted(sentences, key=lambda id_: (-scores[id_], sentences[id_].start))
    return tuple(sentences[id_] for id_ in order)


def _held(text: str, worth: Mapping[str, float]) -> float:
    words, bigrams = lang.terms(text)
    return math.fsum(worth.get(term, 0.0) for term in sorted({*words, *bigrams}))


def _says_something(asked: Iterable[str]) -> bool:
    """Whether a question has words of its own, beside what any paper does."""
    return any(not lang.is_generic(term) for term in asked)


def _likeness(paper: Paper) -> Query:
    language = lang.detect(paper.title)
    own = Variant(text=paper.title, lang=language, why="question", weight=1.0)
    return Query(
        text=paper.title, standalone=paper.title, lang=language, kind="list", variants=(own,)
    )


def _readable(variants: Iterable[Variant]) -> dict[str, tuple[str, Why]]:
    """Each term with the form in which a reader would know it, and why it was searched for."""
    forms: dict[str, tuple[str, Why]] = {}
    for variant in variants:
        for term, form in lang.surfaces(variant.text).items():
            forms.setdefault(term, (form, variant.why))
    return forms


def _matches(paper: Paper, readable: Mapping[str, tuple[str, Why]]) -> tuple[Match, ...]:
    words, bigrams = lang.terms(indexed_text(paper))
    held = {*words, *bigrams}
    found: dict[str, Why] = {}
    for term, (form, why) in readable.items():
        if term in held:
            found.setdefault(form, why)
    return tuple(Match(term=form, why=why) for form, why in found.items())
