"""How alike the two languages fare: gaps in the measures, and whether they find the same papers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, get_args

from paraqa.evaluation.figures import LANGS, MEASURES, interval, mean
from paraqa.evaluation.measures import Scores, keys
from paraqa.evaluation.questions import Question, is_of
from paraqa.evaluation.results import Result
from paraqa.types import Lang, Record

Group = Literal["all", "core", "single"]

PARITY_GROUPS: tuple[Group, ...] = get_args(Group)

_FIRST = 5  # papers of each ranking that are compared


class Parity(Record):
    """How far the two languages differ in a measure, over pairs that have it in both."""

    measure: str
    group: Group = "all"
    pairs: int
    gap: float  # English mean minus Chinese mean
    absolute: float  # mean absolute difference of a pair


class Jaccard(Record):
    """How much the first five papers of the two languages have in common, over pairs.

    `low` and `high` are the bootstrap 95% interval of the mean.
    """

    group: Group
    pairs: int
    mean: float
    low: float
    high: float


def parity(scores: Iterable[Scores]) -> list[Parity]:
    """The difference of the languages in every measure, over complete pairs, for each group."""
    pairs: dict[str, dict[Lang, Scores]] = {}
    for score in scores:
        pairs.setdefault(score.pair, {})[score.lang] = score
    complete = [(p["en"], p["zh"]) for p in pairs.values() if len(p) == len(LANGS)]
    found = []
    for group in PARITY_GROUPS:
        both = [(en.values, zh.values) for en, zh in complete if _is_in(en.type, group)]
        for measure in MEASURES:
            gaps = [en[measure] - zh[measure] for en, zh in both if measure in en and measure in zh]
            if gaps:
                found.append(
                    Parity(
                        measure=measure,
                        group=group,
                        pairs=len(gaps),
                        gap=mean(gaps),
                        absolute=mean([abs(gap) for gap in gaps]),
                    )
                )
    return found


def jaccard(questions: Sequence[Question], results: Sequence[Result]) -> list[Jaccard]:
    """The mean similarity of the first five papers of the two languages, for each group.

    Over complete pairs with a ranking. Borderline papers stay in: nothing is judged here.
    """
    pairs: dict[str, dict[Lang, Result]] = {}
    types: dict[str, str] = {}
    for question, result in zip(questions, results, strict=True):
        pairs.setdefault(question.pair, {})[question.lang] = result
        types[question.pair] = question.type
    alike = {
        name: similarity(_first(pair["en"]), _first(pair["zh"]))
        for name, pair in pairs.items()
        if len(pair) == len(LANGS) and any(result.ranked for result in pair.values())
    }
    found = []
    for group in PARITY_GROUPS:
        values = [(name, value) for name, value in alike.items() if _is_in(types[name], group)]
        if values:
            low, high = interval(values)
            average = mean([value for _, value in values])
            found.append(Jaccard(group=group, pairs=len(values), mean=average, low=low, high=high))
    return found


def similarity(one: Iterable[str], other: Iterable[str]) -> float:
    """What two sets have in common, over all that is in either (Jaccard 1912); one is not empty."""
    left, right = set(one), set(other)
    return len(left & right) / len(left | right)


def _first(result: Result) -> list[str]:
    return list(keys(result.ranked))[:_FIRST]


def _is_in(kind: str, group: Group) -> bool:
    return group == "all" or is_of(kind, group)
