"""Papers scored for a question: by nearness in meaning, by shared words, by title, by date.

Nothing here decides how many are shown; the scores of two rankings are brought to one scale in
`fusion`, and docs/retrieval.md holds the measurements that chose it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from paraqa import lang
from paraqa.facets import Mask
from paraqa.fusion import joined, ranked
from paraqa.lang import glossary
from paraqa.lexicon import idf
from paraqa.matrix import Usual, Vector
from paraqa.nodes import place_of
from paraqa.settings import RetrievalSettings
from paraqa.types import Filters, Lang, Order, Query, Variant, title_key

DENSE, BM25, TITLE, DATE, EXCLUDED = "dense", "bm25", "title", "date", "excluded"
GENERIC = 0.25  # share of its weight that a word like `reduce` keeps
BAG = 0.5  # share of its weight that a word of a name keeps, where the name as a whole is a concept
AGAINST = 20.0  # deviations that a paper loses which holds all of what is not wanted
OWN = ("question", "spelling")  # the words that the reader chose, or meant
LIST_DEPTH = 2000  # papers read for a whole list, so that they can be counted
_UNDATED = 5_000_000  # days that a paper without a date is away: more than there are
_TITLE = 12  # letters of a title that are no chance match: `Zeus` is a word, a name and a title


class Scored(Protocol):
    """What scoring asks of a store."""

    async def embedded(self, question: str) -> Vector:
        """The unit vector of a question."""

    def nearest(
        self, vector: Vector, lang: Lang, n: int, eligible: Mask | None = None
    ) -> tuple[list[str], Usual]:
        """The n papers nearest to a question, best first, and what is usual for each language."""

    def similarities(
        self, paper_ids: Iterable[str], vector: Vector, lang: Lang, usual: Usual
    ) -> dict[str, float]:
        """How near all passages of these papers are, by passage id."""

    def lexical(
        self, weighted_terms: Mapping[str, float], n: int, eligible: Mask | None = None
    ) -> list[tuple[str, float]]:
        """The n papers that match best, as (paper id, sum of weight times BM25), best first."""

    def meeting(self, filters: Filters) -> Mask:
        """The papers that meet the filters."""

    def newest(self, eligible: Mask, n: int) -> list[tuple[str, int]]:
        """The n newest papers as (id, day), without a date last."""

    def titles(self, ids: Iterable[str]) -> dict[str, str]:
        """Titles by paper id."""

    def document_frequency(self, terms: Iterable[str]) -> dict[str, int]:
        """In how many papers each term stands."""

    def count(self) -> int:
        """Number of papers."""


class Ranking(NamedTuple):
    """Scores of the candidates, and what they were joined from."""

    scores: dict[str, float]
    shares: dict[str, dict[str, float]]  # what each ranking gave, by its name
    places: dict[str, Sequence[str]]  # the candidates of each ranking, best first
    near: dict[str, float]  # how near passages are, by passage id


class Demand(NamedTuple):
    """What is looked for."""

    vector: Vector
    lang: Lang
    terms: Mapping[str, float]  # with their weights
    own: Mapping[str, float]  # of these, the reader's own
    excluded: Mapping[str, float] = {}  # what papers should not hold
    eligible: Mask | None = None
    depth: int | None = None  # papers read from each ranking; unset, as the settings say


class Ranker:
    """Scores the papers of a store."""

    def __init__(self, store: Scored, settings: RetrievalSettings) -> None:
        self._store = store
        self._settings = settings

    async def ranking(
        self, query: Query, terms: Mapping[str, float], eligible: Mask | None
    ) -> Ranking:
        """The scores of the papers that may answer a query."""
        topic = query.topic or query.variants[0].text
        own = [variant for variant in query.variants if variant.why in OWN]
        demand = Demand(
            vector=await self._store.embedded(topic),
            lang=lang.detect(topic),
            terms=terms,
            own=weighted_terms(own, self._settings),
            excluded=weighted_terms(query.excluded, self._settings),
            eligible=eligible,
            depth=max(LIST_DEPTH, self._settings.depth) if query.kind == "list" else None,
        )
        ranking = await asyncio.to_thread(self.joined, demand)
        return await asyncio.to_thread(self._with_titles, query, ranking)

    def joined(self, demand: Demand) -> Ranking:
        """The scores of the papers that are near, or share words."""
        depth = demand.depth or self._settings.depth
        matching = dict(self._store.lexical(demand.terms, depth, demand.eligible))
        nearest, usual = self._store.nearest(demand.vector, demand.lang, depth, demand.eligible)
        candidates = sorted({*matching, *nearest})
        near = self._store.similarities(candidates, demand.vector, demand.lang, usual)
        dense = _mean(*by_paper(near))
        # A list that was not cut off holds every paper that shares a word: the others have none.
        least = min(matching.values()) if len(matching) >= depth else 0.0
        shares = joined(
            dense,
            dict.fromkeys(candidates, least) | matching,
            attainable=self._attainable(demand.own),
            share=self._settings.dense_weight,
        )
        if demand.excluded:
            shares |= {EXCLUDED: self._excluded(demand.excluded, candidates)}
        return Ranking(
            scores=_summed(shares, candidates),
            shares=shares,
            places={DENSE: ranked(dense), BM25: list(matching)},
            near=near,
        )

    def by_date(self, eligible: Mask, n: int, order: Order | None = None) -> Ranking:
        """The n newest papers that meet the filters, or the oldest: nothing else was asked for."""
        if order == "oldest":
            found = sorted(self._store.newest(eligible, len(eligible)), key=_age)[:n]
        else:
            found = self._store.newest(eligible, n)
        first = found[0][1] if found else 0
        # Papers of one day keep their order, so that fewer are the first of more.
        scores = {
            id_: 1.0 - (abs(first - day) if day else _UNDATED) / 1e7 - place / 1e12
            for place, (id_, day) in enumerate(found)
        }
        return Ranking(scores, {DATE: scores}, {DATE: ranked(scores)}, {})

    def _attainable(self, own: Mapping[str, float]) -> float:
        """The most that a paper could get for the question's own words."""
        total = self._store.count()
        frequency = self._store.document_frequency(own)
        return sum(weight * idf(frequency[term], total) for term, weight in own.items())

    def _excluded(
        self, excluded: Mapping[str, float], candidates: Sequence[str]
    ) -> dict[str, float]:
        """What papers lose that hold what the question does not want: as much as they hold."""
        most = max(self._attainable(excluded), 1e-9)
        held = dict(self._store.lexical(excluded, self._store.count()))
        return {id_: -AGAINST * min(1.0, held.get(id_, 0.0) / most) for id_ in candidates}

    def _with_titles(self, query: Query, ranking: Ranking) -> Ranking:
        """The ranking with the papers first whose whole title the question holds."""
        # A title in what is not wanted is not asked for.
        asked = query.variants[0].text if query.excluded else query.standalone
        named = _titled(title_key(asked), self._store.titles(ranking.scores))
        if not named:
            return ranking
        top = max(ranking.scores.values())
        bonus = {id_: top - ranking.scores[id_] + 1.0 for id_ in named}
        scores = {id_: score + bonus.get(id_, 0.0) for id_, score in ranking.scores.items()}
        return ranking._replace(
            scores=scores,
            shares=ranking.shares | {TITLE: bonus},
            places=ranking.places | {TITLE: ranked({id_: scores[id_] for id_ in named})},
        )


def _age(dated: tuple[str, int]) -> tuple[bool, int]:
    """What puts the oldest paper first, and those without a date last."""
    day = dated[1]
    return not day, day


def _summed(shares: Mapping[str, Mapping[str, float]], ids: Iterable[str]) -> dict[str, float]:
    return {id_: sum(share.get(id_, 0.0) for share in shares.values()) for id_ in ids}


def _titled(question: str, titles: Mapping[str, str]) -> list[str]:
    """The papers whose whole title is in a question; not those whose title is part of another's."""
    keys = {id_: title_key(title) for id_, title in titles.items()}
    named = {
        id_: key
        for id_, key in keys.items()
        if key == question or (_letters(key) >= _TITLE and key in question)
    }
    # `Attention Is All You Need` is in `Is Attention All You Need In …`, and is not meant.
    return [
        id_
        for id_, key in named.items()
        if not any(key != other and key in other for other in named.values())
    ]


def _letters(key: str) -> int:
    """How much a title says: a Chinese character counts as two letters."""
    return len(key) + sum(not c.isascii() for c in key)


def weighted_terms(variants: Iterable[Variant], settings: RetrievalSettings) -> dict[str, float]:
    """Each search term of the variants with the largest weight that any of them gives it.

    The concepts that a variant names are terms too. Of a name that was added, the words by
    themselves weigh half: `sit idle` is a concept, `sit` is a chance match.
    """
    weights: dict[str, float] = {}
    for variant in variants:
        is_own = variant.why in OWN
        words, bigrams = lang.terms(variant.text)
        found = glossary.concepts(variant.text)
        bag = variant.weight * (1.0 if is_own else BAG)
        named = variant.weight * (settings.glossary_weight if is_own else 1.0)
        for terms, weight in (
            (words, bag),
            (bigrams, bag * settings.bigram_weight),
            (found, named),
        ):
            for term in terms:
                worth = weight * (GENERIC if lang.is_generic(term) else 1.0)
                weights[term] = max(weights.get(term, 0.0), worth)
    return {term: weight for term, weight in weights.items() if weight > 0}


def _mean(*scores: Mapping[str, float]) -> dict[str, float]:
    """The mean of several scores of each paper, over those that it has."""
    keys = sorted({key for each in scores for key in each})
    held = {key: [each[key] for each in scores if key in each] for key in keys}
    return {key: sum(values) / len(values) for key, values in held.items()}


def by_paper(near: Mapping[str, float]) -> tuple[dict[str, float], dict[str, float]]:
    """Nearness of passages as that of papers: by the whole entry, and by the best sentence.

    Of two languages the nearer one counts.
    """
    whole: dict[str, float] = {}
    sentence: dict[str, float] = {}
    for passage_id, value in near.items():
        paper_id, _, number = place_of(passage_id)
        kind = sentence if number else whole
        kind[paper_id] = max(value, kind.get(paper_id, value))
    return whole, sentence
