"""Figures over many questions: means with their intervals, times, and the model's work."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from paraqa.evaluation.measures import ANSWERS, RETRIEVAL, Scores
from paraqa.evaluation.questions import is_of
from paraqa.evaluation.results import Result
from paraqa.types import Lang, Record

Mark = Literal["first_evidence_seconds", "first_claim_seconds", "last_claim_seconds", "seconds"]

CORE = "core"
MEASURES = RETRIEVAL + ANSWERS
MARKS: tuple[Mark, ...] = get_args(Mark)
LANGS: tuple[Lang, ...] = get_args(Lang)

_RESAMPLES = 2000  # the ends of the intervals are then stable to about 0.005
_SEED = 20260101  # fixed, so that the same results give the same report


class Figure(Record):
    """The mean of a measure over some questions: those of a language, a type, a style.

    None stands for all; `type` may be the group `core`. `low` and `high` are the bootstrap 95%
    interval.
    """

    measure: str
    lang: Lang | None
    type: str | None
    style: str | None = None
    questions: int
    mean: float
    low: float
    high: float


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
    """Every measure for all questions, the core, each type and each style; and per language."""
    types: list[str | None] = [None, CORE, *dict.fromkeys(score.type for score in scores)]
    styles = dict.fromkeys(score.style for score in scores if score.style is not None)
    groups = [*((kind, None) for kind in dict.fromkeys(types)), *((None, each) for each in styles)]
    found = []
    for kind, style in groups:
        group = [s for s in scores if (kind is None or is_of(s.type, kind))]
        group = [s for s in group if style in {None, s.style}]
        for lang in (None, *LANGS):
            found += _figures([s for s in group if lang in {None, s.lang}], lang, kind, style)
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


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean of at least one value."""
    return sum(values) / len(values)


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


def _figures(
    group: Sequence[Scores], lang: Lang | None, kind: str | None, style: str | None
) -> list[Figure]:
    found = []
    for measure in MEASURES:
        values = [(s.pair, s.values[measure]) for s in group if measure in s.values]
        if values:
            low, high = interval(values)
            found.append(
                Figure(
                    measure=measure,
                    lang=lang,
                    type=kind,
                    style=style,
                    questions=len(values),
                    mean=mean([value for _, value in values]),
                    low=low,
                    high=high,
                )
            )
    return found


def _marks(mark: Mark, results: Iterable[Result]) -> list[float]:
    seconds = [getattr(result, mark) for result in results]
    return [value for value in seconds if value is not None]


def _rate(tokens: int, seconds: float) -> float | None:
    return tokens / seconds if seconds else None
