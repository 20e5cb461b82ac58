"""The report of one run: everything that was measured."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from paraqa import __version__
from paraqa.evaluation import tables
from paraqa.evaluation.baseline import Baseline, Comparison, baseline, compare
from paraqa.evaluation.failures import Failure, failures
from paraqa.evaluation.figures import Figure, Rates, Times, figures, rates, times
from paraqa.evaluation.measures import Only, Scores, score
from paraqa.evaluation.parity import Jaccard, Parity, jaccard, parity
from paraqa.evaluation.questions import Question
from paraqa.evaluation.results import Result
from paraqa.types import Lang, Paper, Record, title_key


class Report(Record):
    """Everything measured in one run."""

    name: str  # of the question set
    questions: int
    papers: int  # in the library
    only: Only | None
    llm: str | None  # the model asked for; None where only rankings were measured
    types: tuple[str, ...]
    styles: tuple[str, ...] = ()  # empty where the questions name none
    missing: tuple[str, ...]  # titles that count as relevant, but are not in the library
    figures: tuple[Figure, ...]
    parity: tuple[Parity, ...]
    jaccard: tuple[Jaccard, ...] = ()  # of the rankings, where they were measured
    comparison: Comparison | None = None
    failures: tuple[Failure, ...] = ()  # of the rankings, where they were measured
    times: tuple[Times, ...]
    rates: Rates
    scores: tuple[Scores, ...] = ()

    def figure(
        self,
        measure: str,
        *,
        lang: Lang | None = None,
        type: str | None = None,  # noqa: A002
        style: str | None = None,
    ) -> Figure | None:
        """The figure of a measure; None where it is not defined for any of these questions."""
        wanted = (measure, lang, type, style)
        found = (f for f in self.figures if (f.measure, f.lang, f.type, f.style) == wanted)
        return next(found, None)

    def table(self, lang: Lang) -> str:
        """The report as text, for a terminal."""
        return tables.table(self, lang)

    def failure_list(self, lang: Lang) -> str:
        """The questions that lack papers among the first five, as text, for a terminal."""
        return tables.failure_list(self, lang)

    def beside(self, kept: Baseline) -> Report:
        """This report, held against a baseline."""
        return self.model_copy(update={"comparison": compare(kept, self.scores)})

    def baseline(self) -> Baseline:
        """What later runs can be held against."""
        return baseline(self.scores, version=__version__, name=self.name, papers=self.papers)


def report(
    name: str,
    questions: Sequence[Question],
    results: Sequence[Result],
    *,
    corpus: Iterable[Paper],
    only: Only | None,
    llm: str | None,
) -> Report:
    """The report over some questions and, in the same order, their results."""
    scores = score(questions, results, only)
    titles = [title_key(paper.title) for paper in corpus]
    held = set(titles)
    relevant = dict.fromkeys(title for question in questions for title in question.relevant)
    langs = [question.lang for question in questions]
    is_ranked = only != "answers"
    return Report(
        name=name,
        questions=len(questions),
        papers=len(titles),
        only=only,
        llm=llm,
        types=tuple(dict.fromkeys(question.type for question in questions)),
        styles=tuple(dict.fromkeys(q.style for q in questions if q.style is not None)),
        missing=tuple(title for title in relevant if title_key(title) not in held),
        figures=tuple(figures(scores)),
        parity=tuple(parity(scores)),
        jaccard=tuple(jaccard(questions, results)) if is_ranked else (),
        failures=tuple(failures(questions, results)) if is_ranked else (),
        times=tuple(times(list(zip(langs, results, strict=True)))),
        rates=rates(results),
        scores=tuple(scores),
    )
