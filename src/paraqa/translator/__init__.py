"""Abstracts in the other language, by a model, each checked by code before it is kept.

What a model writes here serves the index, and is shown as a gloss beside the source. It is never
quoted: `Paper.text` does not hold it.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import anyio

from paraqa import lang
from paraqa.errors import ModelError
from paraqa.events import Reason, Refused, Translated, Translating, TranslationReport
from paraqa.translator.pending import Pending
from paraqa.translator.renderer import Renderer
from paraqa.types import Lang, ModelUsage, Paper, Rendering

if TYPE_CHECKING:
    from llama_index.core.llms import LLM

    from paraqa.store import Store

_PATIENCE = 3  # papers in a row on which the model itself fails


class Plan(NamedTuple):
    """The papers to translate, each with the language, and how many need nothing."""

    papers: tuple[tuple[Paper, Lang], ...]
    skipped: int


def plan(
    papers: Sequence[Paper], to: Lang | None, *, limit: int | None = None, again: bool = False
) -> Plan:
    """What is to be done; without a language, each paper goes into the other one.

    `again`: renderings by a machine are made anew. Curated ones are never touched.
    """
    wanted = [(paper, target) for paper in papers if (target := _target(paper, to, again=again))]
    return Plan(tuple(wanted[:limit]), skipped=len(papers) - len(wanted))


class Translator:
    """Renders abstracts with a model."""

    def __init__(self, store: Store, llm: LLM) -> None:
        self._store = store
        self._renderer = Renderer(llm)

    async def translate(
        self, wanted: Plan
    ) -> AsyncGenerator[Translating | Translated | Refused | TranslationReport]:
        """What becomes of each paper, then the report.

        It may be stopped at any point: what was accepted is in the store, and the next run does
        the rest. Raises StoreError, and ModelError where nothing at all could be translated.
        """
        account = _Account(wanted)
        pending = Pending(self._store)
        yield Translating(total=len(wanted.papers))
        try:
            for paper, to in wanted.papers:
                outcome = await self._outcome(paper, to)
                if isinstance(outcome, Rendering):
                    pending.add(paper, outcome)
                yield account.enter(paper, outcome)
                if account.is_hopeless:
                    break
                if pending.is_due:
                    await pending.keep()
        finally:
            with anyio.CancelScope(shield=True):
                await pending.keep()
        yield account.closed(self._renderer.usage)

    async def _outcome(self, paper: Paper, to: Lang) -> Rendering | Reason | ModelError:
        try:
            return await self._renderer.render(paper, to)
        except ModelError as error:  # the next paper may fare better: a filter, a moment's load
            return error


def _target(paper: Paper, to: Lang | None, *, again: bool) -> Lang | None:
    """The language that a paper is to be translated into; None where it needs none."""
    if not paper.abstract:
        return None
    own = lang.detect(paper.abstract)
    target = to or next(code for code in lang.LANGS if code != own)
    held = next((r.origin for r in paper.alternates if r.lang == target), None)
    is_wanted = held is None or (again and held == "machine")
    return target if target != own and is_wanted else None


class _Account:
    """What became of the papers so far."""

    def __init__(self, wanted: Plan) -> None:
        self._wanted = wanted
        self._begin = time.perf_counter()
        self._translated: list[Translated] = []
        self._refused: list[Refused] = []
        self._failures: list[ModelError] = []  # since the last paper that the model dealt with

    def enter(self, paper: Paper, outcome: Rendering | Reason | ModelError) -> Translated | Refused:
        """The event that tells what became of one more paper."""
        done, total = len(self._translated) + len(self._refused) + 1, len(self._wanted.papers)
        self._failures = [*self._failures, outcome] if isinstance(outcome, ModelError) else []
        if isinstance(outcome, Rendering):
            translated = Translated(
                paper_id=paper.id, title=paper.title, rendering=outcome, done=done, total=total
            )
            self._translated.append(translated)
            return translated
        reason = outcome if isinstance(outcome, Reason) else _reason(outcome)
        refused = Refused(
            paper_id=paper.id, title=paper.title, reason=reason, done=done, total=total
        )
        self._refused.append(refused)
        return refused

    @property
    def is_hopeless(self) -> bool:
        """Whether the model has failed too often to go on."""
        return len(self._failures) == _PATIENCE

    def closed(self, usage: ModelUsage) -> TranslationReport:
        """The report. Raises ModelError where the model did nothing but fail."""
        if self._failures and not self._translated:
            raise self._failures[-1]
        return TranslationReport(
            translated=tuple(self._translated),
            refused=tuple(self._refused),
            skipped=self._wanted.skipped,
            seconds=time.perf_counter() - self._begin,
            usage=usage,
            stopped=_reason(self._failures[-1]) if self.is_hopeless else None,
        )


def _reason(error: ModelError) -> Reason:
    return Reason.of(error.key, **{name: str(value) for name, value in error.values.items()})
