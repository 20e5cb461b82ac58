"""A library of papers: builds the parts from settings once, takes listings in, answers questions.

`Library.ask` is the whole system on one page: question to `Query`, `Query` to `Hit`s, `Hit`s to
`Draft`s, `Draft`s to `Claim`s, and the events that tell a reader what happens.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from anyio.from_thread import BlockingPortal, start_blocking_portal

from paraqa import answerer as answerers
from paraqa import settings as settings_module
from paraqa.errors import QuestionError, StoreError, StoreNotFound
from paraqa.events import (
    AskEvent,
    Finished,
    Ingested,
    IngestEvent,
    IngestReport,
    Preparing,
    Retrieved,
    Settled,
    Understood,
    gather,
)
from paraqa.generators import EXTRACTIVE
from paraqa.lang import warm
from paraqa.lang.text import say
from paraqa.models import Models
from paraqa.settings import Settings
from paraqa.types import Answer, Claim, Draft, Hit, Lang, Paper, Query, SearchResult, Timings, Turn

if TYPE_CHECKING:
    from paraqa.ingester import Ingester
    from paraqa.retriever import Retriever
    from paraqa.rewriter import Rewriter
    from paraqa.store import Store
    from paraqa.verifier import Verifier

_Result = TypeVar("_Result")


@dataclass(frozen=True)
class _Parts:
    """The stages over one open store."""

    store: Store
    ingester: Ingester
    rewriter: Rewriter
    retriever: Retriever
    verifier: Verifier


class Library:
    """Papers in a folder, and everything that can be asked of them.

    The asynchronous methods may be used from any event loop; the `…_sync` forms are for scripts.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._parts: _Parts | None = None
        self._models = Models(settings)
        self._lock = threading.Lock()
        self._portal: BlockingPortal | None = None
        self._portal_exit: Callable[..., object] | None = None

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
        if self._portal_exit is not None:
            self._portal_exit(None, None, None)
            self._portal = self._portal_exit = None
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
    ) -> SearchResult:
        """The papers that match a question, best first. Raises QuestionError, StoreNotFound."""
        started = time.perf_counter()
        parts = await self._filled_parts()
        query = await asyncio.to_thread(_understood, parts, question, lang, history, k)
        hits = await parts.retriever.search(query, k)
        return SearchResult(
            query=query, hits=tuple(hits), seconds=round(time.perf_counter() - started, 4)
        )

    async def ask(
        self,
        question: str,
        *,
        lang: Lang | None = None,
        llm: str | None = None,
        history: Sequence[Turn] = (),
        k: int | None = None,
    ) -> AsyncGenerator[AskEvent, None]:
        """Events of answering a question; the last one is `Finished`.

        `llm` is a model as in the setting `llm.model`. Closing the iterator stops the model.
        Raises QuestionError, StoreNotFound, ModelError.
        """
        clock = _Clock()
        model = self._models.resolve(llm)
        parts = await self._filled_parts()
        query = await asyncio.to_thread(_understood, parts, question, lang, history, k)
        yield Understood(query=query)

        hits = await parts.retriever.search(query, k)
        clock.mark("first_evidence")
        yield Retrieved(hits=tuple(hits))

        reason = await asyncio.to_thread(parts.verifier.enough, query, hits)
        if reason is not None:
            answer = _abstained(query, hits, reason, EXTRACTIVE)
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
                lead=answerer.lead(query, claims),
                claims=tuple(claims),
                hits=tuple(hits),
                model=answerer.name,
                usage=answerer.usage,
                removed_markers=removed,
            )
        else:
            reason = say("answer.nothing_supported", query.lang)
            answer = _abstained(query, hits, reason, answerer.name)
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
    ) -> Answer:
        """The whole answer to a question, as `ask` would stream it."""
        stream = self.ask(question, lang=lang, llm=llm, history=history, k=k)
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

    # ---- synchronous forms --------------------------------------------------------------------

    def ingest_sync(self, paths: Sequence[Path | str] | Path | str = ()) -> IngestReport:
        """The account of reading listings into the store; see `ingest`."""

        async def run() -> IngestReport:
            async with aclosing(self.ingest(paths)) as events:
                async for event in events:
                    if isinstance(event, Ingested):
                        return event.report
            raise AssertionError("ingestion ended without a report")

        return self._run(run)

    def search_sync(
        self, question: str, *, k: int | None = None, lang: Lang | None = None
    ) -> SearchResult:
        """The papers that match a question; see `search`."""
        return self._run(lambda: self.search(question, k=k, lang=lang))

    def answer_sync(
        self,
        question: str,
        *,
        lang: Lang | None = None,
        llm: str | None = None,
        history: Sequence[Turn] = (),
        k: int | None = None,
    ) -> Answer:
        """The whole answer to a question; see `ask`."""
        return self._run(lambda: self.answer(question, lang=lang, llm=llm, history=history, k=k))

    def _run(self, call: Callable[[], Coroutine[Any, Any, _Result]]) -> _Result:
        # One loop for all synchronous calls, in a thread of its own: it also works where a loop
        # already runs, as in a notebook.
        if self._portal is None:
            manager = start_blocking_portal()
            self._portal = manager.__enter__()
            self._portal_exit = manager.__exit__
        result: _Result = self._portal.call(call)
        return result

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
                store = Store.open(settings.store.path, embedders.build(settings.embedding))
                self._parts = _Parts(
                    store=store,
                    ingester=Ingester(store, settings),
                    rewriter=Rewriter(settings.retrieval),
                    retriever=Retriever(store, settings.retrieval),
                    verifier=Verifier(store, settings.verify),
                )
            return self._parts


def _require_store(path: Path) -> None:
    from paraqa.store import Store

    Store.require(path)


def _understood(
    parts: _Parts, question: str, lang: Lang | None, history: Sequence[Turn], k: int | None
) -> Query:
    if k is not None and k < 1:
        raise QuestionError("question.bad_k", k=k)
    cited = parts.store.papers_by_id({paper_id for turn in history for paper_id in turn.cited})
    titles = {paper_id: paper.title for paper_id, paper in cited.items()}
    return parts.rewriter.rewrite(question, lang=lang, history=history, titles=titles)


def _abstained(query: Query, hits: Sequence[Hit], reason: str, model: str) -> Answer:
    return Answer(query=query, status="abstained", hits=tuple(hits), reason=reason, model=model)


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
