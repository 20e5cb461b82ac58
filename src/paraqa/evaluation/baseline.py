"""A kept report: the measures of each question, to hold later runs against."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from paraqa.errors import EvaluationError
from paraqa.evaluation.figures import MEASURES, mean
from paraqa.evaluation.measures import Scores
from paraqa.evaluation.permutation import p_value
from paraqa.evaluation.questions import problem_of, read_text
from paraqa.types import Record

_DIGITS = 6  # kept of a value; no difference that matters is smaller


class Baseline(Record):
    """The measures of each question in one run. Questions without any are not there."""

    version: str  # of paraqa
    set: str
    papers: int  # in the library
    means: dict[str, float]
    questions: dict[str, dict[str, float]]

    @property
    def text(self) -> str:
        """The file: JSON with a line for each question, keys in a fixed order."""
        head = self.model_dump(exclude={"questions"})
        lines = [f"{json.dumps(key)}: {_json(value)}" for key, value in head.items()]
        questions = ",\n".join(
            f"{_json(name)}: {_json(values)}" for name, values in self.questions.items()
        )
        return "{\n" + ",\n".join(lines) + ',\n"questions": {\n' + questions + "\n}\n}\n"


class Change(Record):
    """A measure in both runs, over the questions that have it in both.

    `p` is the chance of such a difference between runs that are alike.
    """

    measure: str
    questions: int
    kept: float
    now: float
    difference: float  # now minus kept
    p: float


class Comparison(Record):
    """A run held against a baseline. Questions that are in one of them only are left out."""

    version: str
    papers: int
    questions: int  # in both
    left_out: tuple[str, ...]  # ids
    changes: tuple[Change, ...]


def baseline(scores: Iterable[Scores], *, version: str, name: str, papers: int) -> Baseline:
    """What is to be kept of a run."""
    questions = {score.id: _rounded(score.values) for score in scores if score.values}
    means = {}
    for measure in MEASURES:
        values = [each[measure] for each in questions.values() if measure in each]
        if values:
            means[measure] = round(mean(values), _DIGITS)
    return Baseline(version=version, set=name, papers=papers, means=means, questions=questions)


def compare(kept: Baseline, scores: Sequence[Scores]) -> Comparison:
    """The differences of a run from a baseline, each with its paired test.

    A question and its form in the other language rise and fall together, so the test flips them
    together: its unit is the pair.
    """
    now = {score.id: _rounded(score.values) for score in scores if score.values}
    shared = now.keys() & kept.questions.keys()
    changes = []
    for measure in MEASURES:
        triples = [
            (score.pair, kept.questions[score.id][measure], now[score.id][measure])
            for score in scores
            if score.id in shared and measure in kept.questions[score.id].keys() & now[score.id]
        ]
        if triples:
            changes.append(_change(measure, triples))
    return Comparison(
        version=kept.version,
        papers=kept.papers,
        questions=len(shared),
        left_out=tuple(name for name in {**kept.questions, **now} if name not in shared),
        changes=tuple(changes),
    )


def load(path: Path) -> Baseline:
    """The baseline in a file. Raises EvaluationError where there is none."""
    try:
        return Baseline.model_validate_json(read_text(path))
    except ValidationError as error:
        problem = problem_of(error)
        raise EvaluationError("eval.bad_baseline", path=str(path), problem=problem) from error
    except EvaluationError as error:
        if error.key != "eval.not_found":
            raise
        raise EvaluationError("eval.no_baseline", path=str(path)) from error


def save(kept: Baseline, path: Path) -> None:
    """Write a baseline to a file. Raises EvaluationError where that is not possible."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(kept.text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise EvaluationError("eval.unwritable", path=str(path), problem=str(error)) from error


def _change(measure: str, triples: Sequence[tuple[str, float, float]]) -> Change:
    by_pair: dict[str, float] = {}
    for pair, before, after in triples:
        by_pair[pair] = by_pair.get(pair, 0.0) + after - before
    before, after = mean([t[1] for t in triples]), mean([t[2] for t in triples])
    return Change(
        measure=measure,
        questions=len(triples),
        kept=before,
        now=after,
        difference=after - before,
        p=p_value(list(by_pair.values())),
    )


def _rounded(values: Mapping[str, float]) -> dict[str, float]:
    return {key: round(values[key], _DIGITS) for key in MEASURES if key in values}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
