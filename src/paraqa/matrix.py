"""Vectors in memory, searched exactly: near by cosine, and balanced between languages.

A search by an approximate index finds most of the nearest passages, and fewer under a filter; a
matrix product finds them all, and takes 30 ms for 100,000. A model puts texts of the question's
own language nearer than others, whatever they say (measured in docs/retrieval.md): so that a
corpus of one language does not hide the papers of the other, similarities are compared with what
is usual for the text's language.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
Mask = NDArray[np.bool_]

_FIRST = 1024  # rows to begin with; the room doubles
_NEAREST = 5  # background questions that say how much of a hub a passage is
_HUB = 0.7  # share of that which is taken away
_FEW = 10  # papers of a language below which the whole corpus says more about what is usual


class Row(NamedTuple):
    """A vector of a passage: its id, the number of its paper, and its language."""

    passage: str
    paper: int
    lang: str


class Spread(NamedTuple):
    """What similarities are usual for the texts of one language: mean and deviation."""

    mean: float
    deviation: float


Usual = Mapping[str, Spread]  # by language


class Matrix:
    """Unit vectors of passages. Its caller locks.

    Some passages are near to any question: hubs. What is near to a passage's nearest background
    questions is taken off its similarities, as in cross-domain similarity local scaling (Conneau et
    al. 2018). `background` holds vectors of such questions by the language that they are in.
    """

    def __init__(self, background: Mapping[str, Vector] | None = None) -> None:
        self._background = dict(background or {})
        self._known: list[str] = []  # languages, by their number in `_langs`
        self._empty()

    def _empty(self) -> None:
        self._vectors: Vector = np.empty((0, 0), np.float32)
        self._papers = np.empty(0, np.int64)  # -1 where a row was taken out
        self._langs = np.empty(0, np.int16)
        self._hubs = {lang: np.empty(0, np.float32) for lang in self._background}
        self._passages: list[str] = []
        self._rows: dict[int, list[int]] = {}  # of each paper

    def __len__(self) -> int:
        return sum(len(rows) for rows in self._rows.values())

    def add(self, rows: Sequence[Row], vectors: Vector) -> None:
        """Take vectors in, one for each row."""
        if not rows:
            return
        start = len(self._passages)
        self._reserve(start + len(rows), vectors.shape[1])
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        self._vectors[start : start + len(rows)] = vectors / np.maximum(norms, 1e-12)
        for lang, questions in self._background.items():
            self._hubs[lang][start : start + len(rows)] = self._hubness(start, len(rows), questions)
        for place, row in enumerate(rows, start=start):
            self._passages.append(row.passage)
            self._papers[place] = row.paper
            self._langs[place] = self._number(row.lang)
            self._rows.setdefault(row.paper, []).append(place)

    def remove(self, papers: Iterable[int]) -> None:
        """Take the vectors of these papers out."""
        for paper in papers:
            for place in self._rows.pop(paper, ()):
                self._papers[place] = -1
        if len(self._passages) > 2 * _FIRST and len(self) < len(self._passages) // 2:
            self._compact()

    def _hubness(self, start: int, count: int, questions: Vector) -> NDArray[np.float32]:
        """How near rows are to those background questions that are nearest to each."""
        found = np.empty(count, np.float32)
        few = min(_NEAREST, len(questions))
        for first in range(0, count, _FIRST):
            last = min(count, first + _FIRST)
            near = self._vectors[start + first : start + last] @ questions.T
            found[first:last] = np.partition(near, -few, axis=1)[:, -few:].mean(axis=1)
        return _HUB * found

    def usual(self, vector: Vector, lang: str) -> tuple[NDArray[np.float32], Usual]:
        """The similarity of each row to a question, and what is usual for each language.

        The mean of a language with few texts leans on that of all.
        """
        size = len(self._passages)
        if not size:  # nothing says yet how long vectors are
            return np.empty(0, np.float32), {}
        similarity: NDArray[np.float32] = self._vectors[:size] @ vector
        if lang in self._hubs:
            similarity -= self._hubs[lang][:size]
        is_there = self._papers[:size] >= 0
        present = similarity[is_there]
        if not present.size:
            return similarity, {}
        mean, deviation = float(present.mean()), max(float(present.std()), 1e-6)
        found: dict[str, Spread] = {}
        for number, name in enumerate(self._known):
            own = similarity[is_there & (self._langs[:size] == number)]
            if own.size:
                share = own.size / (own.size + _FEW)
                spread = share * float(own.std()) + (1 - share) * deviation
                centre = share * float(own.mean()) + (1 - share) * mean
                found[name] = Spread(centre, max(spread, 1e-6))
        return similarity, found

    def nearest(
        self, vector: Vector, lang: str, n: int, eligible: Mask | None = None
    ) -> tuple[list[int], Usual]:
        """Numbers of the n papers nearest to a question, best first, and what is usual.

        A paper is as near as its nearest text is, by deviations from what is usual for the
        language of that text; equal ones stand in order of number.
        """
        similarity, usual = self.usual(vector, lang)
        papers = self._papers[: len(similarity)]
        is_there = papers >= 0
        if eligible is not None:
            is_there &= _taken(eligible, papers)
        if not is_there.any():
            return [], usual
        values = self._balanced(similarity, usual)[is_there]
        numbers = papers[is_there]
        best = np.full(int(numbers.max()) + 1, -np.inf)
        np.maximum.at(best, numbers, values)
        found = np.flatnonzero(np.isfinite(best))
        if len(found) > n:
            least = np.partition(best[found], len(found) - n)[len(found) - n]
            found = found[best[found] >= least]
        order = found[np.argsort(-best[found], kind="stable")][:n]
        return [int(number) for number in order], usual

    def of(
        self, papers: Iterable[int], vector: Vector, lang: str, usual: Usual
    ) -> dict[str, float]:
        """Balanced similarities of all passages of these papers, by passage id."""
        places = [place for paper in papers for place in self._rows.get(paper, ())]
        if not places:
            return {}
        similarity = self._vectors[places] @ vector
        if lang in self._hubs:
            similarity -= self._hubs[lang][places]
        everything = Spread(0.0, 1.0)
        found = {}
        for place, value in zip(places, similarity.tolist(), strict=True):
            common = usual.get(self._known[self._langs[place]], everything)
            found[self._passages[place]] = (value - common.mean) / common.deviation
        return found

    def vectors_of(self, paper: int) -> Vector:
        """The vectors of one paper, one a row."""
        return self._vectors[self._rows.get(paper, [])]

    def _balanced(self, similarity: NDArray[np.float32], usual: Usual) -> NDArray[np.float64]:
        means = np.array([usual[n].mean if n in usual else 0.0 for n in self._known])
        deviations = np.array([usual[n].deviation if n in usual else 1.0 for n in self._known])
        langs = self._langs[: len(similarity)]
        balanced: NDArray[np.float64] = (similarity - means[langs]) / deviations[langs]
        return balanced

    def _number(self, lang: str) -> int:
        if lang not in self._known:
            self._known.append(lang)
        return self._known.index(lang)

    def _reserve(self, size: int, width: int) -> None:
        room = max(_FIRST, len(self._papers))
        while room < size:
            room *= 2
        if room == len(self._papers) and self._vectors.shape[1] == width:
            return
        vectors = np.zeros((room, width), np.float32)
        used = len(self._passages)
        if used:
            vectors[:used] = self._vectors[:used]
        self._vectors = vectors
        self._papers = np.concatenate([self._papers[:used], np.full(room - used, -1, np.int64)])
        self._langs = np.concatenate([self._langs[:used], np.zeros(room - used, np.int16)])
        for lang, hubs in self._hubs.items():
            self._hubs[lang] = np.concatenate([hubs[:used], np.zeros(room - used, np.float32)])

    def _compact(self) -> None:
        kept = np.flatnonzero(self._papers[: len(self._passages)] >= 0)
        rows = [
            Row(self._passages[i], int(self._papers[i]), self._known[self._langs[i]]) for i in kept
        ]
        vectors = self._vectors[kept]
        self._empty()
        self.add(rows, vectors)


def _taken(eligible: Mask, papers: NDArray[np.int64]) -> Mask:
    inside = (papers >= 0) & (papers < len(eligible))
    found: Mask = np.zeros(len(papers), np.bool_)
    found[inside] = eligible[papers[inside]]
    return found
