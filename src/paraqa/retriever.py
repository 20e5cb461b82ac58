"""Query to ranked hits: what is near in meaning, joined with what shares its words.

Each paper is scored twice by its vectors (the whole entry, and its best sentence) and once by the
words of all variants of the question. The z-scores are summed; the measurements that chose this
are in docs/retrieval.md.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from llama_index.core.async_utils import asyncio_run
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle

from paraqa import lang
from paraqa.fusion import fused, ranked
from paraqa.lang import glossary
from paraqa.nodes import lexical_text, to_nodes
from paraqa.settings import RetrievalSettings
from paraqa.types import Hit, Paper, Passage, Query, Variant

DENSE, BM25 = "dense", "bm25"
GENERIC = 0.5  # share of its weight that a word like `reduce` keeps; flat from 0.25 to 0.5
# A question and the sentences of one paper, often in two languages, differ little in distance: the
# words say more. The first sentence holds the fact asked for 22 times of 34, with 0.5 20 times.
NEAR_SENTENCE = 0.3


class Searchable(Protocol):
    """What the retriever asks of a store."""

    async def vectors_for(self, text: str, n: int) -> list[tuple[str, float]]:
        """The n passages nearest to a question, as (passage id, similarity), best first."""

    def lexical(self, weighted_terms: Mapping[str, float], n: int) -> list[tuple[str, float]]:
        """The n papers that match best, as (paper id, sum of weight times BM25), best first."""

    def document_frequency(self, terms: Iterable[str]) -> dict[str, int]:
        """In how many papers each term stands."""

    def count(self) -> int:
        """Number of papers."""

    def papers_by_id(self, ids: Iterable[str]) -> dict[str, Paper]:
        """Papers by id."""

    def passages_of(self, ids: Iterable[str]) -> dict[str, tuple[Passage, ...]]:
        """Passages by paper id, in order."""


class Retriever(BaseRetriever):
    """Finds papers in a store; also a llama-index retriever, for query engines of one's own."""

    def __init__(self, store: Searchable, settings: RetrievalSettings) -> None:
        super().__init__()
        self._store = store
        self._settings = settings

    async def search(self, query: Query, k: int | None = None) -> list[Hit]:
        """The k best papers for a query, best first; none from an empty store."""
        if not self._store.count():
            return []
        asked = weighted_terms(query.variants, self._settings.bigram_weight)
        near, matching = await asyncio.gather(
            self._store.vectors_for(query.standalone, self._settings.depth),
            asyncio.to_thread(self._store.lexical, asked, self._settings.depth),
        )
        similarity = dict(near)
        dense = fused([(0.5, papers) for papers in by_paper(similarity)])
        lexical = self._completed(dict(matching), dense)
        share = self._settings.dense_weight
        scores = fused([(share, dense), (1.0 - share, lexical)])
        best = ranked(scores)[: k or self._settings.k]
        places = {DENSE: ranked(dense), BM25: [paper_id for paper_id, _ in matching]}
        return await asyncio.to_thread(
            self._hits, query, best, asked=asked, scores=scores, places=places, near=similarity
        )

    def _completed(
        self, lexical: dict[str, float], dense: Mapping[str, float]
    ) -> Mapping[str, float]:
        # A list that was not cut off holds every paper that shares a word: the others have none.
        if len(lexical) >= self._settings.depth:
            return lexical
        return dict.fromkeys(dense, 0.0) | lexical

    def _hits(
        self,
        query: Query,
        best: Sequence[str],
        *,
        asked: Mapping[str, float],
        scores: Mapping[str, float],
        places: Mapping[str, Sequence[str]],
        near: Mapping[str, float],
    ) -> list[Hit]:
        papers = self._store.papers_by_id(best)
        passages = self._store.passages_of(best)
        worth = self._worth(asked)
        readable = _readable(query.variants)
        # A paper that was taken out since the search has left the catalog first.
        present = [paper_id for paper_id in best if paper_id in papers]
        return [
            Hit(
                rank=rank,
                paper=papers[paper_id],
                passages=best_passages(passages.get(paper_id, ()), near, worth)[
                    : self._settings.passages
                ],
                score=scores[paper_id],
                ranks={
                    name: order.index(paper_id) + 1
                    for name, order in places.items()
                    if paper_id in order
                },
                matched=_matched(papers[paper_id], readable),
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

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        nodes: list[NodeWithScore] = asyncio_run(self._aretrieve(query_bundle))
        return nodes

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        hits = await self.search(self._query(query_bundle.query_str))
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


def weighted_terms(variants: Iterable[Variant], bigram_weight: float) -> dict[str, float]:
    """Each search term of the variants with the largest weight that any of them gives it."""
    weights: dict[str, float] = {}
    for variant in variants:
        words, bigrams = lang.terms(variant.text)
        for terms, factor in ((words, 1.0), (bigrams, bigram_weight)):
            for term in terms:
                weight = variant.weight * factor * (GENERIC if lang.is_generic(term) else 1.0)
                weights[term] = max(weights.get(term, 0.0), weight)
    return {term: weight for term, weight in weights.items() if weight > 0}


def by_paper(similarity: Mapping[str, float]) -> tuple[dict[str, float], dict[str, float]]:
    """Similarities of passages as those of papers: by the whole entry, and by the best sentence."""
    whole: dict[str, float] = {}
    sentence: dict[str, float] = {}
    for passage_id, value in similarity.items():
        paper_id, _, number = passage_id.rpartition("#")
        kind = whole if number == "0" else sentence
        kind[paper_id] = max(value, kind.get(paper_id, value))
    return whole, sentence


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


def _readable(variants: Iterable[Variant]) -> dict[str, str]:
    forms: dict[str, str] = {}
    for variant in variants:
        forms = lang.surfaces(variant.text) | forms
    return forms


def _matched(paper: Paper, readable: Mapping[str, str]) -> tuple[str, ...]:
    words, bigrams = lang.terms(lexical_text(paper))
    held = {*words, *bigrams}
    return tuple(dict.fromkeys(form for term, form in readable.items() if term in held))
