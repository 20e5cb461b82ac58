"""The plain forms of a library's asynchronous calls, for scripts and notebooks."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any, Protocol, TypeVar

from anyio.from_thread import BlockingPortal, start_blocking_portal

from paraqa.events import (
    Ingested,
    IngestEvent,
    IngestReport,
    TranslateEvent,
    TranslationReport,
)
from paraqa.types import Answer, Filters, Hit, Lang, SearchResult, Turn

_Result = TypeVar("_Result")


class _Asynchronous(Protocol):
    def ingest(
        self, paths: Sequence[Path | str] | Path | str = ()
    ) -> AsyncGenerator[IngestEvent, None]: ...

    def translate(
        self,
        to: Lang | None = None,
        *,
        llm: str | None = None,
        limit: int | None = None,
        again: bool = False,
    ) -> AsyncGenerator[TranslateEvent, None]: ...

    async def search(
        self,
        question: str,
        *,
        k: int | None = None,
        lang: Lang | None = None,
        filters: Filters | None = None,
    ) -> SearchResult: ...

    async def similar(self, paper_id: str, *, k: int | None = None) -> tuple[Hit, ...]: ...

    async def answer(
        self,
        question: str,
        *,
        lang: Lang | None = None,
        llm: str | None = None,
        history: Sequence[Turn] = (),
        k: int | None = None,
        filters: Filters | None = None,
    ) -> Answer: ...

    def run(self, call: Callable[[], Coroutine[Any, Any, _Result]]) -> _Result: ...


class Synchronous:
    """The `…_sync` forms, over one event loop of their own."""

    _portal: BlockingPortal | None = None
    _portal_exit: Callable[..., object] | None = None

    def ingest_sync(
        self: _Asynchronous, paths: Sequence[Path | str] | Path | str = ()
    ) -> IngestReport:
        """The account of reading listings into the store; see `ingest`."""

        async def run() -> IngestReport:
            async with aclosing(self.ingest(paths)) as events:
                async for event in events:
                    if isinstance(event, Ingested):
                        return event.report
            raise AssertionError("ingestion ended without a report")

        return self.run(run)

    def translate_sync(
        self: _Asynchronous,
        to: Lang | None = None,
        *,
        llm: str | None = None,
        limit: int | None = None,
        again: bool = False,
    ) -> TranslationReport:
        """The account of translating abstracts; see `translate`."""

        async def run() -> TranslationReport:
            stream = self.translate(to, llm=llm, limit=limit, again=again)
            async with aclosing(stream) as events:
                async for event in events:
                    if isinstance(event, TranslationReport):
                        return event
            raise AssertionError("translation ended without a report")

        return self.run(run)

    def search_sync(
        self: _Asynchronous,
        question: str,
        *,
        k: int | None = None,
        lang: Lang | None = None,
        filters: Filters | None = None,
    ) -> SearchResult:
        """The papers that match a question; see `search`."""
        return self.run(lambda: self.search(question, k=k, lang=lang, filters=filters))

    def similar_sync(
        self: _Asynchronous, paper_id: str, *, k: int | None = None
    ) -> tuple[Hit, ...]:
        """The papers most like one; see `similar`."""
        return self.run(lambda: self.similar(paper_id, k=k))

    def answer_sync(
        self: _Asynchronous,
        question: str,
        *,
        lang: Lang | None = None,
        llm: str | None = None,
        history: Sequence[Turn] = (),
        k: int | None = None,
        filters: Filters | None = None,
    ) -> Answer:
        """The whole answer to a question; see `ask`."""
        return self.run(
            lambda: self.answer(question, lang=lang, llm=llm, history=history, k=k, filters=filters)
        )

    def run(self, call: Callable[[], Coroutine[Any, Any, _Result]]) -> _Result:
        """What a coroutine returns, run in a thread of its own.

        It also works where a loop already runs, as in a notebook.
        """
        if self._portal is None:
            manager = start_blocking_portal()
            self._portal = manager.__enter__()
            self._portal_exit = manager.__exit__
        result: _Result = self._portal.call(call)
        return result

    def _leave_loop(self) -> None:
        if self._portal_exit is not None:
            self._portal_exit(None, None, None)
            self._portal = self._portal_exit = None
