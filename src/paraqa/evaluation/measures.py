"""The measures of one question, as `evals/parallelism/README.md` defines them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from typing import Literal

from paraqa.errors import EvaluationError
from paraqa.evaluation.facts import coverage
from paraqa.evaluation.questions import Question
from paraqa.evaluation.results import Result
from paraqa.lang import is_in_language
from paraqa.types import Lang, Record, title_key

Only = Literal["retrieval", "answers"]

RETRIEVAL = (
    "recall@5", "recall@10", "recall@20", "crecall@5", "crecall@10", "crecall@20",
    "rr@10", "ndcg@10",
)  # fmt: skip
ANSWERS = (
    "citation_precision", "citation_recall_required", "citation_recall_relevant", "fact_coverage",
    "abstention", "declined", "language", "resolving", "removed_markers",
)  # fmt: skip

_CUTS = (5, 10, 20)
_NAMES = {f"R@{k}": f"recall@{k}" for k in _CUTS} | {"RR@10": "rr@10", "nDCG@10": "ndcg@10"}


class Scores(Record):
    """The measures of one question. One that is not defined for it is not there."""

    id: str
    pair: str
    lang: Lang
    type: str
    style: str | None = None
    values: dict[str, float]


def check_installed(only: Only | None) -> None:
    """Raise EvaluationError, before any question is asked, where rankings cannot be measured."""
    if only != "answers" and find_spec("ir_measures") is None:
        raise EvaluationError("eval.no_ir_measures")


def score(
    questions: Sequence[Question], results: Sequence[Result], only: Only | None
) -> list[Scores]:
    """The measures of each question; the results are in the same order."""
    together = list(zip(questions, results, strict=True))
    values: dict[str, dict[str, float]] = {question.id: {} for question in questions}
    if only != "answers":
        for name, measure, value in _rankings(together):
            values[name][measure] = value
    if only != "retrieval":
        for question, result in together:
            values[question.id] |= _answer(question, result)
    return [
        Scores(id=q.id, pair=q.pair, lang=q.lang, type=q.type, style=q.style, values=values[q.id])
        for q in questions
    ]


def capped_recall(relevant: Iterable[str], ranked: Sequence[str], k: int) -> float:
    """Relevant papers (at least one) in the first k, over as many as k could hold.

    Recall at k cannot reach 1 where more than k papers are relevant; this can.
    """
    wanted = set(relevant)
    return len(wanted & set(ranked[:k])) / min(k, len(wanted))


def counted(question: Question, result: Result) -> dict[str, str]:
    """Titles of the ranked papers by their keys, best first, without the borderline ones."""
    borderline = keys(question.borderline)
    titles: dict[str, str] = {}
    for title in result.ranked:
        titles.setdefault(title_key(title), title)
    return {key: title for key, title in titles.items() if key not in borderline}


def keys(titles: Iterable[str]) -> dict[str, None]:
    """The papers behind some titles, each once, in order."""
    return dict.fromkeys(title_key(title) for title in titles)


def _rankings(
    together: Iterable[tuple[Question, Result]],
) -> Iterable[tuple[str, str, float]]:
    """Id of the question, measure and value, for questions that some paper answers."""
    import ir_measures
    from ir_measures import RR, R, nDCG

    qrels, run, found = [], [], []
    for question, result in together:
        relevant = keys(question.relevant)
        if not relevant:
            continue
        qrels += [ir_measures.Qrel(question.id, key, 1) for key in relevant]
        ranked = list(counted(question, result))
        run += [ir_measures.ScoredDoc(question.id, key, -rank) for rank, key in enumerate(ranked)]
        for k in _CUTS:
            capped = capped_recall(relevant, ranked, k)
            found.append((question.id, f"crecall@{k}", capped))
    if not qrels:
        return found
    measures = [*(R @ k for k in _CUTS), RR @ 10, nDCG @ 10]
    measured = ir_measures.iter_calc(measures, qrels, run)
    return found + [(m.query_id, _NAMES[str(m.measure)], float(m.value)) for m in measured]


def _answer(question: Question, result: Result) -> dict[str, float]:
    borderline = keys(question.borderline)
    cited = [key for key in keys(result.cited) if key not in borderline]
    relevant, required = keys(question.relevant), keys(question.required)
    has_abstained = float(result.status == "abstained")
    values = {
        "language": float(_is_in_language(result.answer, question.lang)),
        "removed_markers": float(result.removed_markers),
        "declined" if question.is_answerable else "abstention": has_abstained,
    }
    if cited:
        values["citation_precision"] = _share(cited, relevant)
    if relevant:
        values["citation_recall_relevant"] = _share(relevant, cited)
    if required:
        values["citation_recall_required"] = _share(required, cited)
    if question.facts:
        values["fact_coverage"] = coverage(question.facts, result.answer)
    if result.citations:
        values["resolving"] = 1 - result.dangling / result.citations
    return values


def _is_in_language(answer: str, lang: Lang) -> bool:
    """Whether every sentence is (an answer has one a line); one foreign sentence is too many."""
    lines = answer.splitlines()
    return bool(lines) and all(is_in_language(line, lang) for line in lines)


def _share(of: Iterable[str], among: Iterable[str]) -> float:
    """Share of the first that is among the second."""
    items, others = list(of), set(among)
    return sum(item in others for item in items) / len(items)
