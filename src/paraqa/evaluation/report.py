"""The report of one run: every figure, and the tables that a person reads."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from paraqa.evaluation.figures import (
    LANGS,
    MARKS,
    MEASURES,
    Figure,
    Parity,
    Rates,
    Times,
    figures,
    parity,
    rates,
    times,
)
from paraqa.evaluation.measures import Only, score
from paraqa.evaluation.questions import Question
from paraqa.evaluation.results import Result
from paraqa.lang.text import say
from paraqa.types import Lang, Paper, Record, title_key

_NOTHING = "–"


class Report(Record):
    """Everything measured in one run."""

    questions: int
    papers: int  # in the library
    only: Only | None
    llm: str | None  # the model asked for; None where only rankings were measured
    types: tuple[str, ...]
    missing: tuple[str, ...]  # titles that count as relevant, but are not in the library
    figures: tuple[Figure, ...]
    parity: tuple[Parity, ...]
    times: tuple[Times, ...]
    rates: Rates

    def figure(
        self,
        measure: str,
        *,
        lang: Lang | None = None,
        type: str | None = None,  # noqa: A002
    ) -> Figure | None:
        """The figure of a measure; None where it is not defined for any of these questions."""
        wanted = (measure, lang, type)
        return next((f for f in self.figures if (f.measure, f.lang, f.type) == wanted), None)

    def table(self, lang: Lang) -> str:
        """The report as text, for a terminal."""
        parts = [
            say("eval.head", lang, questions=self.questions, papers=self.papers),
            say("eval.head_llm", lang, llm=self.llm) if self.llm else "",
            say("eval.missing", lang, titles="; ".join(self.missing)) if self.missing else "",
        ]
        blocks = [
            "\n".join(part for part in parts if part),
            _grid(self._overall(lang)),
            say("eval.by_type", lang) + "\n" + _grid(self._by_type(lang)),
            say("eval.times", lang) + "\n" + _grid(self._times(lang)),
        ]
        if self.rates.calls:
            blocks.append(self._rates(lang))
        return "\n\n".join(blocks) + "\n"

    def _measures(self) -> list[str]:
        present = {figure.measure for figure in self.figures}
        return [measure for measure in MEASURES if measure in present]

    def _overall(self, lang: Lang) -> list[list[str]]:
        head = ["", *(say(f"eval.{key}", lang) for key in ("all", *LANGS, "gap", "absolute"))]
        gaps = {p.measure: (f"{p.gap:+.3f}", f"{p.absolute:.3f}") for p in self.parity}
        rows = [
            [
                say(f"eval.{measure}", lang),
                *(_with_interval(self.figure(measure, lang=each)) for each in (None, *LANGS)),
                *gaps.get(measure, (_NOTHING, _NOTHING)),
            ]
            for measure in self._measures()
        ]
        return [head, *rows]

    def _by_type(self, lang: Lang) -> list[list[str]]:
        rows = [
            [
                say(f"eval.{measure}", lang),
                *(
                    "/".join(_mean(self.figure(measure, lang=each, type=kind)) for each in LANGS)
                    for kind in self.types
                ),
            ]
            for measure in self._measures()
        ]
        return [["", *self.types], *rows]

    def _times(self, lang: Lang) -> list[list[str]]:
        head = ["", *(say(f"eval.{key}", lang) for key in ("all", *LANGS))]
        found = {(t.mark, t.lang): f"{t.p50:.2f} / {t.p95:.2f}" for t in self.times}
        rows = [
            [
                say(f"eval.{mark}", lang),
                *(found.get((mark, each), _NOTHING) for each in (None, *LANGS)),
            ]
            for mark in MARKS
            if (mark, None) in found
        ]
        return [head, *rows]

    def _rates(self, lang: Lang) -> str:
        speeds = {
            name: _NOTHING if speed is None else f"{speed:.1f}"
            for name, speed in (
                ("prefill", self.rates.prefill),
                ("generation", self.rates.generation),
            )
        }
        return say(
            "eval.rates",
            lang,
            calls=self.rates.calls,
            prompt=self.rates.prompt_tokens,
            cached=self.rates.cached_tokens,
            generated=self.rates.generated_tokens,
            **speeds,
        )


def report(
    questions: Sequence[Question],
    results: Sequence[Result],
    *,
    corpus: Iterable[Paper],
    only: Only | None,
    llm: str | None,
) -> Report:
    """The report over some questions and, in the same order, their results."""
    scores = score(questions, results, only)
    keys = [title_key(paper.title) for paper in corpus]
    relevant = dict.fromkeys(title for question in questions for title in question.relevant)
    langs = [question.lang for question in questions]
    return Report(
        questions=len(questions),
        papers=len(keys),
        only=only,
        llm=llm,
        types=tuple(dict.fromkeys(question.type for question in questions)),
        missing=tuple(title for title in relevant if title_key(title) not in set(keys)),
        figures=tuple(figures(scores)),
        parity=tuple(parity(scores)),
        times=tuple(times(list(zip(langs, results, strict=True)))),
        rates=rates(results),
    )


def _with_interval(figure: Figure | None) -> str:
    if figure is None:
        return _NOTHING
    return f"{figure.mean:.3f} [{figure.low:.2f}, {figure.high:.2f}]"


def _mean(figure: Figure | None) -> str:
    return _NOTHING if figure is None else f"{figure.mean:.2f}"


def _grid(rows: Sequence[Sequence[str]]) -> str:
    """The rows as lines, the first column to the left, the others to the right."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *rest in rows:
        cells = [first + " " * (widths[0] - _width(first))]
        cells += [
            " " * (width - _width(cell)) + cell
            for cell, width in zip(rest, widths[1:], strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _width(text: str) -> int:
    """Columns on a terminal, where a Chinese character takes two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
