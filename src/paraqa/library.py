"""A library of papers: builds the parts from settings once, takes listings in, answers questions.

`Library.ask` is the whole system on one page: question to `Query`, `Query` to `Hit`s, `Hit`s to
`Draft`s, `Draft`s to `Claim`s, and the events that tell a reader what happens.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

from paraqa import answerer as answerers
from paraqa import settings as settings_module
from paraqa.errors import (
    ModelError,
    QuestionError,
    SettingsError,
    StoreError,
    StoreNotFound,
)
from paraqa.events import (
    AskEvent,
    Finished,
    IngestEvent,
    Preparing,
    Retrieved,
    Settled,
    TranslateEvent,
    TranslationReport,
    Understood,
    gather,
)
from paraqa.generators import EXTRACTIVE
from paraqa.lang import glossary, warm
from paraqa.lang.text import say
from paraqa.models import Models
from paraqa.settings import Settings
from paraqa.synchronous import Synchronous
from paraqa.types import (
    Answer,
    Claim,
    Coverage,
    Draft,
    Filters,
    Hit,
    Lang,
    Paper,
    Query,
    SearchResult,
    Timings,
    Turn,
)

if TYPE_CHECKING:
    from paraqa.ingester import Ingester
    from paraqa.retriever import Retriever
    from paraqa.rewriter import Rewriter
    from paraqa.store import Store
    from paraqa.verifier import Verifier


@dataclass(frozen=True)
class _Parts:
    """The stages over one open store."""

    store: Store
    ingester: Ingester
    rewriter: Rewriter
    retriever: Retriever
    verifier: Verifier


class Library(Synchronous):
    """Papers in a folder, and everything that can be asked of them.

    The asynchronous methods may be used from any event loop; the `…_sync` forms are for scripts.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._parts: _Parts | None = None
        self._models = Models(settings)
        self._lock = threading.Lock()

    @classmethod
    def open(cls, store: Path | str | None = None, settings: Settings | None = None) -> Self:
        """A library on a folder; nothing is read or made before it is needed.

        Raises SettingsError where a setting is not valid.
        """
        chosen = settings or settings_module.load()
        if store is not None:
            section = chosen.store.model_copy(update={"path": Path(store)})
            chosen = chosen.model_copy(update={"store": section})
        return cls(chosen)

    def close(self) -> None:
        """Release the store and the model."""
        self._leave_loop()
        self._models.close()
        with self._lock:
            if self._parts is not None:
                self._parts.store.close()
                self._parts = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- taking papers in ---------------------------------------------------------------------

    async def ingest(
        self, paths: Sequence[Path | str] | Path | str = ()
    ) -> AsyncGenerator[IngestEvent, None]:
        """Events of reading listings into the store; without paths, those of `store.seeds`.

        Raises FormatError for a path that is not there, StoreError for a store that cannot be
        written. Closing the iterator stops; what was indexed stays.
        """
        given = [paths] if isinstance(paths, str | Path) else paths
        chosen = [Path(path) for path in given] or [self.settings.store.seeds]
        parts = await self._open_parts()
        async with aclosing(parts.ingester.ingest(chosen)) as events:
            async for event in events:
                yield event

    async def translate(
        self,
        to: Lang | None = None,
        *,
        llm: str | None = None,
        limit: int | None = None,
        again: bool = False,
    ) -> AsyncGenerator[TranslateEvent, None]:
        """Events of translating the abstracts that have no rendering; the last is the report.

        Without a language, each paper goes into the other one. `again` redoes those by a machine.
        Closing the iterator stops; what was translated stays. Raises ModelError, StoreError.
        """
        from paraqa.translator import Translator, plan

        model = self._models.resolve(llm)
        store = (await self._filled_parts()).store
        papers = await asyncio.to_thread(store.papers)
        wanted = await asyncio.to_thread(plan, papers, to, limit=limit, again=again)
        if not wanted.papers:
            yield TranslationReport(skipped=wanted.skipped)
            return
        async with aclosing(self._models.prepare(model)) as steps:
            async for step in steps:
                yield step
        writer = self._models.llm(model)
        if writer is None:
            raise ModelError("translate.no_model", name=model)
        async with aclosing(Translator(store, writer).translate(wanted)) as events:
            async for event in events:
                yield event

    def papers(self) -> list[Paper]:
        """All papers, in the order of their listings. Raises StoreNotFound without a store."""
        if self._parts is not None:
            return self._parts.store.papers()
        from paraqa.store import Store

        return Store.read_papers(self.settings.store.path)

    def count(self) -> int:
        """Number of papers; 0 without a store."""
        if self._parts is not None:
            return self._parts.store.count()
        try:
            return len(self.papers())
        except StoreNotFound:
            return 0

    # ---- asking -------------------------------------------------------------------------------

    async def search(
        self,
        question: str,
        *,
        k: int | None = None,
        lang: Lang | None = None,
        history: Sequence[Turn] = (),
        filters: Filters | None = None,
    ) -> SearchResult:
        """The papers that match a question, best first.

        `filters` take the place of those that the question's own words ask for. Raises
        QuestionError, StoreNotFound.
        """
        started = time.perf_counter()
        parts = await self._filled_parts()
        asked = _Asked(question, lang, history, k, filters)
        query = await asyncio.to_thread(asked.understood, parts)
        hits, coverage = await parts.retriever.search(query, k)
        return SearchResult(
            query=query,
            hits=tuple(hits),
            coverage=coverage,
            seconds=round(time.perf_counter() - started, 4),
        )

    async def similar(self, paper_id: str, *, k: int | None = None) -> tuple[Hit, ...]:
        """The papers most like one, best first, without itself.

        Raises QuestionError where the store has no such paper, StoreNotFound.
        """
        if k is not None and k < 1:
            raise QuestionError("question.bad_k", k=k)
        parts = await self._filled_parts()
        found = await asyncio.to_thread(parts.store.papers_by_id, [paper_id])
        if paper_id not in found:
            raise QuestionError("question.no_such_paper", id=paper_id)
        return tuple(await parts.retriever.similar(found[paper_id], k))

    async def ask(
        self,
        question: str,
        *,
        lang: Lang | None = None,
        llm: str | None = None,
        history: Sequence[Turn] = (),
        k: int | None = None,
        filters: Filters | None = None,
    ) -> AsyncGenerator[AskEvent, None]:
        """Events of answering a question; the last one is `Finished`.

        `llm` is a model as in the setting `llm.model`. Closing the iterator stops the model.
        Raises QuestionError, StoreNotFound, ModelError.
        """
        clock = _Clock()
        model = self._models.resolve(llm)
        parts = await self._filled_parts()
        asked = _Asked(question, lang, history, k, filters)
        query = await asyncio.to_thread(asked.understood, parts)
        yield Understood(query=query)

        hits, coverage = await parts.retriever.search(query, k)
        clock.mark("first_evidence")
        yield Retrieved(hits=tuple(hits), coverage=coverage)

        reason = await asyncio.to_thread(parts.verifier.enough, query, hits, coverage)
        if reason is not None:
            answer = _abstained(query, hits, coverage, reason, EXTRACTIVE)
            yield Finished(answer=clock.on(answer))
            return

        async with aclosing(self._models.prepare(model)) as steps:
            async for step in steps:
                yield step

        answerer = answerers.build(self.settings.answer, self._models.llm(model))
        claims: list[Claim] = []
        removed = 0
        async with aclosing(answerer.write(query, hits)) as pieces:
            async for piece in pieces:
                if not isinstance(piece, Draft):
                    yield piece
                    continue
                removed += piece.removed_markers
                claim = await asyncio.to_thread(parts.verifier.verify, piece, hits, query)
                if not claims:
                    clock.mark("first_claim")
                clock.mark("last_claim")
                claims.append(claim)
                yield Settled(claim=claim)

        if claims:
            answer = Answer(
                query=query,
                status="answered",
                lead=answerer.lead(query, claims, coverage),
                claims=tuple(claims),
                hits=tuple(hits),
                coverage=coverage,
                model=answerer.name,
                usage=answerer.usage,
                removed_markers=removed,
            )
        else:
            reason = say("answer.nothing_supported", query.lang)
            answer = _abstained(query, hits, coverage, reason, answerer.name)
            answer = answer.model_copy(update={"usage": answerer.usage})
        yield Finished(answer=clock.on(answer))

    async def answer(
        self,
        question: str,
        *,
        lang: Lang | None = None,
        llm: str | None = None,
        history: Sequence[Turn] = (),
        k: int | None = None,
        filters: Filters | None = None,
    ) -> Answer:
        """The whole answer to a question, as `ask` would stream it."""
        stream = self.ask(question, lang=lang, llm=llm, history=history, k=k, filters=filters)
        async with aclosing(stream) as events:
            return gather([event async for event in events])

    # ---- the local model ----------------------------------------------------------------------

    async def warm(self) -> None:
        """Open the store and load what the first question needs. Raises StoreError."""
        parts = await self._open_parts()
        await asyncio.to_thread(warm)
        if parts.store.count():
            await self.search("warm")

    async def prepare(self) -> AsyncGenerator[Preparing, None]:
        """Steps of making the model in force ready; none where nothing has to be prepared."""
        async with aclosing(self._models.prepare(self._models.resolve(None))) as steps:
            async for step in steps:
                yield step

    @property
    def model_status(self) -> Preparing | None:
        """How far the local model is; None where another model, or none, is in force."""
        return self._models.status

    def model_name(self, llm: str | None = None) -> str:
        """The model that would write: `extractive`, `local`, or `openai:NAME`."""
        return self._models.resolve(llm)

    # ---- the parts ----------------------------------------------------------------------------

    async def _open_parts(self) -> _Parts:
        return await asyncio.to_thread(self._opened)

    async def _filled_parts(self) -> _Parts:
        """The stages over a store that holds papers, all with vectors; asking makes no store."""
        path = self.settings.store.path
        if self._parts is None:
            await asyncio.to_thread(_require_store, path)
        parts = await self._open_parts()
        if (papers := parts.store.count()) == 0:
            raise StoreNotFound("store.empty", path=str(path))
        if lacking := len(await asyncio.to_thread(parts.store.unfinished)):
            raise StoreError("store.incomplete", path=str(path), lacking=lacking, papers=papers)
        return parts

    def _opened(self) -> _Parts:
        from paraqa import embedders
        from paraqa.ingester import Ingester
        from paraqa.retriever import Retriever
        from paraqa.rewriter import Rewriter
        from paraqa.store import Store
        from paraqa.verifier import Verifier

        with self._lock:
            if self._parts is None:
                settings = self.settings
                _use_glossary(settings.retrieval.glossary)
                store = Store.open(settings.store.path, embedders.build(settings.embedding))
                self._parts = _Parts(
                    store=store,
                    ingester=Ingester(store, settings),
                    rewriter=Rewriter(settings.retrieval),
                    retriever=Retriever(store, settings.retrieval),
                    verifier=Verifier(store, settings.verify),
                )
            return self._parts


def _use_glossary(path: Path | None) -> None:
    """Take the reader's own terms in. Raises SettingsError where their file cannot be read."""
    try:
        glossary.use([path] if path else [])
    except OSError as error:
        problem = error.strerror or type(error).__name__
        raise SettingsError("settings.unreadable", path=str(path), problem=problem) from error
    except ValueError as error:
        raise SettingsError("settings.bad_glossary", problem=str(error)) from error


def _require_store(path: Path) -> None:
    from paraqa.store import Store

    Store.require(path)


class _Asked(NamedTuple):
    """A question as it was put."""

    question: str
    lang: Lang | None
    history: Sequence[Turn]
    k: int | None
    filters: Filters | None

    def understood(self, parts: _Parts) -> Query:
        """What is meant by it."""
        if self.k is not None and self.k < 1:
            raise QuestionError("question.bad_k", k=self.k)
        cited = {paper_id for turn in self.history for paper_id in turn.cited}
        papers = parts.store.papers_by_id(cited)
        return parts.rewriter.rewrite(
            self.question,
            lang=self.lang,
            history=self.history,
            titles={paper_id: paper.title for paper_id, paper in papers.items()},
            corpus=parts.store,
            filters=self.filters,
        )


def _abstained(
    query: Query, hits: Sequence[Hit], coverage: Coverage, reason: str, model: str
) -> Answer:
    return Answer(
        query=query,
        status="abstained",
        hits=tuple(hits),
        coverage=coverage,
        reason=reason,
        model=model,
    )


class _Clock:
    """Seconds from now to each mark."""

    def __init__(self) -> None:
        self._start = time.perf_counter()
        self._marks: dict[str, float] = {}

    def mark(self, name: str) -> None:
        """Set a mark, or move it."""
        self._marks[name] = round(time.perf_counter() - self._start, 4)

    def on(self, answer: Answer) -> Answer:
        """The answer with all marks, and now, as its timings."""
        self.mark("total")
        return answer.model_copy(update={"timings": Timings(**self._marks)})
