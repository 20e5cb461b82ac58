"""Figures over many questions: means with their intervals, gaps between languages, times."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from paraqa.evaluation.measures import ANSWERS, RETRIEVAL, Scores
from paraqa.evaluation.results import Result
from paraqa.types import Lang, Record

Mark = Literal["first_evidence_seconds", "first_claim_seconds", "last_claim_seconds", "seconds"]

MEASURES = RETRIEVAL + ANSWERS
MARKS: tuple[Mark, ...] = get_args(Mark)
LANGS: tuple[Lang, ...] = get_args(Lang)

_RESAMPLES = 2000  # the ends of the intervals are then stable to about 0.005
_SEED = 20260101  # fixed, so that the same results give the same report


class Figure(Record):
    """The mean of a measure over the questions of a language and a type; None stands for all.

    `low` and `high` are the bootstrap 95% interval.
    """

    measure: str
    lang: Lang | None
    type: str | None
    questions: int
    mean: float
    low: float
    high: float


class Parity(Record):
    """How far the two languages differ in a measure, over pairs that have it in both."""

    measure: str
    pairs: int
    gap: float  # English mean minus Chinese mean
    absolute: float  # mean absolute difference of a pair


class Times(Record):
    """Seconds from the question to a mark: the median and the 95th percentile."""

    mark: Mark
    lang: Lang | None
    questions: int
    p50: float
    p95: float


class Rates(Record):
    """What the model read and wrote in all, and how fast, in tokens a second."""

    calls: int
    prompt_tokens: int
    cached_tokens: int
    generated_tokens: int
    prefill: float | None
    generation: float | None


def figures(scores: Sequence[Scores]) -> list[Figure]:
    """Every measure for all questions, per language, per type, and per type and language."""
    types: list[str | None] = [None, *dict.fromkeys(score.type for score in scores)]
    groups = [(lang, kind) for kind in types for lang in (None, *LANGS)]
    found = []
    for lang, kind in groups:
        group = [s for s in scores if lang in {None, s.lang} and kind in {None, s.type}]
        for measure in MEASURES:
            values = [(s.pair, s.values[measure]) for s in group if measure in s.values]
            if values:
                found.append(_figure(measure, lang, kind, values))
    return found


def parity(scores: Iterable[Scores]) -> list[Parity]:
    """The difference of the languages in every measure, over complete pairs."""
    pairs: dict[str, dict[Lang, Scores]] = {}
    for score in scores:
        pairs.setdefault(score.pair, {})[score.lang] = score
    both = [(p["en"].values, p["zh"].values) for p in pairs.values() if len(p) == len(LANGS)]
    found = []
    for measure in MEASURES:
        gaps = [en[measure] - zh[measure] for en, zh in both if measure in en and measure in zh]
        if gaps:
            absolute = [abs(gap) for gap in gaps]
            found.append(
                Parity(measure=measure, pairs=len(gaps), gap=_mean(gaps), absolute=_mean(absolute))
            )
    return found


def times(results: Sequence[tuple[Lang, Result]]) -> list[Times]:
    """The times to each mark, for all questions and per language of the question."""
    found = []
    for mark in MARKS:
        for lang in (None, *LANGS):
            of_mark = _marks(mark, [r for asked, r in results if lang in {None, asked}])
            if of_mark:
                p50, p95 = np.percentile(of_mark, [50, 95])
                found.append(Times(mark=mark, lang=lang, questions=len(of_mark), p50=p50, p95=p95))
    return found


def rates(results: Iterable[Result]) -> Rates:
    """The work of the model, summed over the answers."""
    usages = [result.usage for result in results]
    prompt = sum(usage.prompt_tokens for usage in usages)
    generated = sum(usage.generated_tokens for usage in usages)
    return Rates(
        calls=sum(usage.calls for usage in usages),
        prompt_tokens=prompt,
        cached_tokens=sum(usage.cached_tokens for usage in usages),
        generated_tokens=generated,
        prefill=_rate(prompt, sum(usage.prompt_seconds for usage in usages)),
        generation=_rate(generated, sum(usage.generation_seconds for usage in usages)),
    )


def interval(values: Sequence[tuple[str, float]]) -> tuple[float, float]:
    """The bootstrap 95% interval of the mean of values, each given with its pair.

    Whole pairs are drawn: the two forms of a question rise and fall together, and as if they were
    independent the interval would be too narrow (Efron and Tibshirani 1993, chapter 8).
    """
    pairs = list(dict.fromkeys(pair for pair, _ in values))
    place = {pair: i for i, pair in enumerate(pairs)}
    sums, counts = np.zeros(len(pairs)), np.zeros(len(pairs))
    for pair, value in values:
        sums[place[pair]] += value
        counts[place[pair]] += 1
    random = np.random.default_rng(_SEED)
    draws = random.integers(len(pairs), size=(_RESAMPLES, len(pairs)))
    means: NDArray[np.float64] = sums[draws].sum(axis=1) / counts[draws].sum(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def _figure(
    measure: str, lang: Lang | None, kind: str | None, values: Sequence[tuple[str, float]]
) -> Figure:
    low, high = interval(values)
    mean = _mean([value for _, value in values])
    return Figure(
        measure=measure, lang=lang, type=kind, questions=len(values), mean=mean, low=low, high=high
    )


def _marks(mark: Mark, results: Iterable[Result]) -> list[float]:
    seconds = [getattr(result, mark) for result in results]
    return [value for value in seconds if value is not None]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _rate(tokens: int, seconds: float) -> float | None:
    return tokens / seconds if seconds else None
