"""Questions whose papers are not all among the first five, and where those papers stand."""

from __future__ import annotations

from collections.abc import Sequence

from paraqa.evaluation.measures import counted
from paraqa.evaluation.questions import Question
from paraqa.evaluation.results import Result
from paraqa.types import Lang, Record, title_key

_FIRST = 5


class Missing(Record):
    """A relevant paper after the first five; without a rank where it was not found at all."""

    title: str
    rank: int | None


class Failure(Record):
    """A question whose recall@5 is below 1."""

    id: str
    lang: Lang
    type: str
    text: str
    relevant: int  # papers that answer it
    depth: int  # papers that were looked at
    missing: tuple[Missing, ...]  # best rank first
    first: str | None  # the title that stood first; None where nothing was found


def failures(questions: Sequence[Question], results: Sequence[Result]) -> list[Failure]:
    """The failures among some questions and, in the same order, their results."""
    found = []
    for question, result in zip(questions, results, strict=True):
        ranked = counted(question, result)
        missing = _missing(question, list(ranked))
        if missing:
            found.append(
                Failure(
                    id=question.id,
                    lang=question.lang,
                    type=question.type,
                    text=question.text,
                    relevant=len({title_key(title) for title in question.relevant}),
                    depth=len(result.ranked),
                    missing=tuple(missing),
                    first=next(iter(ranked.values()), None),
                )
            )
    return found


def _missing(question: Question, ranked: Sequence[str]) -> list[Missing]:
    ranks = {key: rank for rank, key in enumerate(ranked, start=1)}
    titles = {title_key(title): title for title in question.relevant}
    late = [
        Missing(title=title, rank=ranks.get(key))
        for key, title in titles.items()
        if ranks.get(key, _FIRST + 1) > _FIRST
    ]
    return sorted(late, key=lambda each: each.rank or len(ranked) + 1)
