"""The page: what happens on each event."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import gradio as gr

from paraqa.errors import QuestionError
from paraqa.lang import LANGS
from paraqa.ui.layout import Layout
from paraqa.ui.locale import preferred_language
from paraqa.ui.picture import Picture, Updates
from paraqa.ui.session import Session

if TYPE_CHECKING:
    from paraqa.ui.needs import PageLibrary

# Questions of all readers that wait, beyond which Gradio refuses more, and those that are answered
# at the same time; the library shares out its model among them.
_WAITING = 64
_AT_ONCE = 16
# How long an event waits for the handler that opens the page, which a quick reader can overtake.
_OPENING_SECONDS = 60.0
_GLANCE_SECONDS = 0.05
_QUIET: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
_DIRECT: dict[str, Any] = {**_QUIET, "queue": False}


class Page:
    """The blocks over a library, and the handlers of their events."""

    def __init__(self, library: PageLibrary) -> None:
        self.library = library
        # For the end of a tab, of which Gradio tells only the session's name.
        self._sessions: WeakValueDictionary[str, Session] = WeakValueDictionary()
        self.blocks: gr.Blocks = gr.Blocks(title="paraqa", analytics_enabled=False, fill_width=True)
        with self.blocks:
            self.parts = Layout()
            self.picture = Picture(self.parts, library.settings.store.seeds)
            self._connect()
        self.blocks.queue(max_size=_WAITING, default_concurrency_limit=_AT_ONCE)

    def _connect(self) -> None:
        parts = self.parts
        self.blocks.load(self.open, [parts.remembered], parts.shown, **_QUIET)
        self.blocks.unload(self.leave)
        parts.language.input(
            self.switch,
            [parts.language, parts.session],
            [*parts.shown, parts.remembered],
            **_DIRECT,
        )
        parts.clock.tick(
            self.watch_model, [parts.session], [parts.preparation, parts.clock], **_DIRECT
        )
        parts.stop.click(self.stop, [parts.session], None, **_DIRECT)
        for listen, source in [
            (parts.question.submit, parts.question),
            (parts.ask.click, parts.question),
            *((example.click, example) for example in parts.examples),
        ]:
            listen(
                self.ask,
                [source, parts.session],
                parts.shown,
                concurrency_id="ask",
                trigger_mode="multiple",
                **_QUIET,
            )

    async def open(self, remembered: str | None, request: gr.Request) -> Updates:
        """A new session, in the language chosen before, set, or preferred by the browser."""
        chosen = (remembered, self.library.settings.ui.lang)
        lang = next(
            (known for wanted in chosen for known in LANGS if known == wanted),
            preferred_language(request.headers.get("accept-language", "")),
        )
        session = Session(lang=lang)
        self._sessions[request.session_hash or ""] = session
        papers = await self._papers()
        picture = {
            self.parts.session: session,
            **self.watch_model(session),
            **self.picture.still(session, papers),
            **self.picture.moving(session),
        }
        session.is_open = True
        return picture

    async def switch(self, wanted: str, session: Session | None, request: gr.Request) -> Updates:
        """The page in another language; an answer that is being written goes on in it."""
        lang = next((known for known in LANGS if known == wanted), None)
        session = session or await self._opened(request)
        if session is None or lang is None:
            return {self.parts.notice: ""}
        papers = await self._papers()
        session.switch(lang)
        # What a running answer may still change is sent by its own stream, see `Redraw`.
        rest = self.picture.moving(session) if session.running is None else {}
        return {
            self.parts.remembered: lang,
            **self.watch_model(session),
            **self.picture.still(session, papers),
            **rest,
        }

    async def ask(
        self, question: str | None, session: Session | None, request: gr.Request
    ) -> AsyncGenerator[Updates]:
        """The question on the page, then its evidence, then its answer as it grows."""
        session = session or await self._opened(request)
        if session is None or session.running is not None:
            yield {self.parts.notice: gr.skip()}  # Enter during an answer: the typed text stays
            return
        asked = question or ""
        stream = self.library.ask(asked, llm=self._model_now(), history=session.history())
        session.begin(asked, stream)
        try:
            async with aclosing(self._answer(session, asked)) as updates:
                async for update in updates:
                    yield update
        finally:
            await session.leave()

    async def _opened(self, request: gr.Request) -> Session | None:
        """The session of a tab whose event came before its page was open; None if it never opens.

        The picture of the opened page is on its way by then, so it cannot hide what follows.
        """
        deadline = time.monotonic() + _OPENING_SECONDS
        while time.monotonic() < deadline:
            session = self._sessions.get(request.session_hash or "")
            if session is not None and session.is_open:
                return session
            await asyncio.sleep(_GLANCE_SECONDS)
        return None

    async def _answer(self, session: Session, asked: str) -> AsyncGenerator[Updates]:
        yield self.picture.opening(session)
        try:
            async with aclosing(session.follow()) as events:
                async for event in events:
                    yield self.picture.after(event, session)
        except QuestionError as error:
            yield self.picture.refused(session, question=asked, error=error)
            return
        shown = session.lang
        yield {**self.picture.latest(session), **self.picture.buttons(session)}
        while shown != session.lang:  # switched while the last picture was on its way
            shown = session.lang
            yield self.picture.moving(session)

    def stop(self, session: Session | None) -> None:
        """End the answer that is being written."""
        if session is not None:
            session.stop()

    def leave(self, request: gr.Request) -> None:
        """End the answer of a tab that was closed."""
        self.stop(self._sessions.get(request.session_hash or ""))

    def watch_model(self, session: Session | None) -> Updates:
        """How far the local model is."""
        return self.picture.preparation(self.library.model_status, session or Session())

    def _model_now(self) -> str | None:
        status = self.library.model_status
        return "extractive" if status is not None and status.step != "ready" else None

    async def _papers(self) -> int:
        return await asyncio.to_thread(self.library.count)
