"""The tables of a report, as a person reads them on a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from paraqa.evaluation.figures import CORE, LANGS, MARKS, MEASURES, Figure
from paraqa.evaluation.grid import grid
from paraqa.evaluation.parity import PARITY_GROUPS
from paraqa.evaluation.questions import is_of
from paraqa.lang.text import say
from paraqa.types import clean

if TYPE_CHECKING:
    from paraqa.evaluation.baseline import Comparison
    from paraqa.evaluation.failures import Failure
    from paraqa.evaluation.measures import Scores
    from paraqa.evaluation.report import Report
    from paraqa.types import Lang

_NOTHING = "–"
_LEAST_P = 0.001

Rows = list[list[str]]


class _Group(NamedTuple):
    """Questions of a type (or a group of types) or of a style, under the head of their column."""

    head: str
    type: str | None = None
    style: str | None = None

    def holds(self, score: Scores) -> bool:
        """Whether a question is one of them."""
        if self.type is not None:
            return is_of(score.type, self.type)
        return score.style == self.style


def table(report: Report, lang: Lang) -> str:
    """Every table of a report."""
    return "\n\n".join(block for block in _blocks(report, lang) if block) + "\n"


def failure_list(report: Report, lang: Lang) -> str:
    """Each question that lacks papers among the first five, and where they are instead."""
    if not any(figure.measure == "recall@5" for figure in report.figures):
        return ""
    if not report.failures:
        return say("eval.no_failures", lang, name=report.name) + "\n"
    head = say("eval.failures", lang, name=report.name, questions=len(report.failures))
    return "\n\n".join([head, *(_failure(each, lang) for each in report.failures)]) + "\n"


def _blocks(report: Report, lang: Lang) -> Iterator[str]:
    yield _head(report, lang)
    measures = [m for m in MEASURES if m in {figure.measure for figure in report.figures}]
    yield grid(_overall(report, measures, lang))
    core = _Group(say("eval.core", lang), type=CORE)
    types = [core, *(_Group(kind, type=kind) for kind in report.types if kind != CORE)]
    yield _titled("by_type", grid(_by_group(report, measures, types, lang)), lang)
    if report.styles:
        styles = [_Group(style, style=style) for style in report.styles]
        yield _titled("by_style", grid(_by_group(report, measures, styles, lang)), lang)
    if report.parity or report.jaccard:
        yield _titled("parity", grid(_parity(report, measures, lang)), lang)
    if report.comparison:
        yield _comparison(report.comparison, lang)
    yield _titled("times", grid(_times(report, lang)), lang)
    if report.rates.calls:
        yield _rates(report, lang)


def _titled(key: str, text: str, lang: Lang) -> str:
    return say(f"eval.{key}", lang) + "\n" + text


def _head(report: Report, lang: Lang) -> str:
    parts = [
        say("eval.head", lang, name=report.name, questions=report.questions, papers=report.papers)
    ]
    if report.llm:
        parts.append(say("eval.head_llm", lang, llm=report.llm))
    if report.missing:
        parts.append(say("eval.missing", lang, titles="; ".join(report.missing)))
    return "\n".join(parts)


def _overall(report: Report, measures: Sequence[str], lang: Lang) -> Rows:
    head = ["", *(say(f"eval.{key}", lang) for key in ("all", *LANGS, "core"))]
    rows = []
    for measure in measures:
        found = [report.figure(measure, lang=each) for each in (None, *LANGS)]
        found.append(report.figure(measure, type=CORE))
        rows.append([say(f"eval.{measure}", lang), *map(_with_interval, found)])
    return [head, *rows]


def _by_group(
    report: Report, measures: Sequence[str], groups: Sequence[_Group], lang: Lang
) -> Rows:
    """A column for each group, with the figures of both languages."""
    head = ["", *(group.head for group in groups)]
    asked = [
        "/".join(
            str(sum(s.lang == each and group.holds(s) for s in report.scores)) for each in LANGS
        )
        for group in groups
    ]
    rows = [[say("eval.questions", lang), *asked]]
    for measure in measures:
        row = [say(f"eval.{measure}", lang)]
        for group in groups:
            found = [
                report.figure(measure, lang=each, type=group.type, style=group.style)
                for each in LANGS
            ]
            row.append(_pair(found))
        rows.append(row)
    return [head, *rows]


def _parity(report: Report, measures: Sequence[str], lang: Lang) -> Rows:
    gaps = {(p.measure, p.group): f"{p.gap:+.3f} / {p.absolute:.3f}" for p in report.parity}
    alike = {j.group: f"{j.mean:.3f} [{j.low:.2f}, {j.high:.2f}]" for j in report.jaccard}
    present = {group for _, group in gaps} | alike.keys()
    groups = [group for group in PARITY_GROUPS if group in present]
    rows = [
        [
            say(f"eval.{measure}", lang),
            *(gaps.get((measure, group), _NOTHING) for group in groups),
        ]
        for measure in measures
    ]
    if alike:
        row = [alike.get(group, _NOTHING) for group in groups]
        rows.append([say("eval.jaccard", lang), *row])
    return [["", *(say(f"eval.{group}", lang) for group in groups)], *rows]


def _comparison(found: Comparison, lang: Lang) -> str:
    keys = ("kept", "now", "difference", "p", "questions")
    rows = [["", *(say(f"eval.{key}", lang) for key in keys)]]
    rows += [
        [
            say(f"eval.{change.measure}", lang),
            f"{change.kept:.3f}",
            f"{change.now:.3f}",
            f"{change.difference:+.3f}",
            f"<{_LEAST_P}" if change.p < _LEAST_P else f"{change.p:.3f}",
            str(change.questions),
        ]
        for change in found.changes
    ]
    head = say("eval.comparison", lang, version=found.version, papers=found.papers)
    lines = [head, grid(rows)]
    if found.left_out:
        lines.append(say("eval.left_out", lang, questions=len(found.left_out)))
    return "\n".join(lines)


def _times(report: Report, lang: Lang) -> Rows:
    head = ["", *(say(f"eval.{key}", lang) for key in ("all", *LANGS))]
    found = {(t.mark, t.lang): f"{t.p50:.2f} / {t.p95:.2f}" for t in report.times}
    rows = [
        [
            say(f"eval.{mark}", lang),
            *(found.get((mark, each), _NOTHING) for each in (None, *LANGS)),
        ]
        for mark in MARKS
        if (mark, None) in found
    ]
    return [head, *rows]


def _rates(report: Report, lang: Lang) -> str:
    prefill, generation = (
        _NOTHING if speed is None else f"{speed:.1f}"
        for speed in (report.rates.prefill, report.rates.generation)
    )
    return say(
        "eval.rates",
        lang,
        calls=report.rates.calls,
        prompt=report.rates.prompt_tokens,
        cached=report.rates.cached_tokens,
        generated=report.rates.generated_tokens,
        prefill=prefill,
        generation=generation,
    )


def _failure(failure: Failure, lang: Lang) -> str:
    lines = [f"{failure.id} ({failure.type}): {clean(failure.text)}"]
    for each in failure.missing:
        key = "missing_at" if each.rank else "missing_beyond"
        values = {"title": each.title, "rank": each.rank, "depth": failure.depth}
        lines.append("  " + say(f"eval.{key}", lang, **values))
    if failure.first is not None:
        lines.append("  " + say("eval.stood_first", lang, title=failure.first))
    return "\n".join(lines)


def _with_interval(figure: Figure | None) -> str:
    if figure is None:
        return _NOTHING
    return f"{figure.mean:.3f} [{figure.low:.2f}, {figure.high:.2f}]"


def _pair(found: Sequence[Figure | None]) -> str:
    """The means of both languages."""
    return "/".join(_NOTHING if figure is None else f"{figure.mean:.2f}" for figure in found)
