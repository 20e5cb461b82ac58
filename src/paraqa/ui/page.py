"""The page as Gradio components, and what happens on each event.

A finished conversation and its evidence are components of their own: while an answer is written,
only the running exchange is sent, and nothing above it is drawn again.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import gradio as gr

from paraqa.errors import QuestionError
from paraqa.events import Delta, Dropped, Preparing
from paraqa.lang import LANGS
from paraqa.lang.text import say
from paraqa.types import Lang
from paraqa.ui import cards, frame, transcript
from paraqa.ui.locale import preferred_language
from paraqa.ui.session import Session

if TYPE_CHECKING:
    from paraqa.ui.needs import PageLibrary

# The library says what is too long; this only bounds what a browser sends. It lies far above, so
# that a long question is refused with a sentence, not cut in silence.
MAX_TYPED = 20_000
EXAMPLES = 3
_WAITING = 64  # questions in the queue of all readers, beyond which Gradio refuses more
_AT_ONCE = 16
_STATUS_SECONDS = 1.0
_QUIET: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
_AT_ONCE_QUIET: dict[str, Any] = {**_QUIET, "queue": False}

Updates = dict[Any, Any]


class Page:
    """The components, and the handlers of their events."""

    def __init__(self, library: PageLibrary) -> None:
        self.library = library
        # For the end of a tab, of which Gradio tells only the session's name.
        self._sessions: WeakValueDictionary[str, Session] = WeakValueDictionary()
        with gr.Blocks(title="paraqa", analytics_enabled=False, fill_width=True) as self.blocks:
            self._lay_out()
            self._connect()
        self.blocks.queue(max_size=_WAITING, default_concurrency_limit=_AT_ONCE)

    # ---- components ---------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self.session = gr.State()
        self.remembered = gr.BrowserState(None, storage_key="paraqa-language", secret="paraqa")  # noqa: S106  a language is no secret
        self.clock = gr.Timer(_STATUS_SECONDS, active=False)
        with gr.Row(elem_id="top"):
            self.heading = _html("heading")
            names: list[tuple[str, str | int | float]] = [
                (say("page.language_name", lang), lang) for lang in reversed(LANGS)
            ]
            self.language = gr.Radio(names, container=False, elem_id="language", min_width=100)
        self.preparation = _html("preparation")
        with gr.Row(elem_id="desk"):
            with gr.Column(elem_id="conversation"):
                with gr.Column(elem_id="talk"):
                    self._lay_out_welcome()
                    self.earlier = _html("earlier")
                    self.current = _html("current")
                self._lay_out_composer()
            with gr.Column(elem_id="evidence"):
                self.cards = _html("cards")
                self.earlier_cards = _html("earlier-cards")

    def _lay_out_welcome(self) -> None:
        with gr.Column(elem_id="welcome"):
            self.welcome = _html("welcome-text")
            with gr.Column(elem_id="examples"):
                self.examples = [
                    gr.Button(say(f"page.example_{number}", lang), elem_classes=f"example {lang}")
                    for lang in LANGS
                    for number in range(1, EXAMPLES + 1)
                ]

    def _lay_out_composer(self) -> None:
        with gr.Column(elem_id="composer"):
            self.notice = _html("notice")
            with gr.Row(elem_id="composer-row"):
                self.question = gr.Textbox(
                    elem_id="question",
                    lines=1,
                    max_lines=6,
                    max_length=MAX_TYPED,
                    container=False,
                    autofocus=True,
                    scale=1,
                )
                self.ask_button = gr.Button(elem_id="ask", variant="primary", min_width=76, scale=0)
                self.stop_button = gr.Button(elem_id="stop", visible=False, min_width=76, scale=0)

    # ---- events -------------------------------------------------------------------------------

    def _connect(self) -> None:
        everything = [
            self.session, self.language, self.clock, self.heading, self.preparation, self.welcome,
            self.earlier, self.current, self.notice, self.question, self.ask_button,
            self.stop_button, self.cards, self.earlier_cards, *self.examples,
        ]  # fmt: skip
        self.blocks.load(self.open, [self.remembered], everything, **_QUIET)
        self.language.input(
            self.switch,
            [self.language, self.session],
            [*everything, self.remembered],
            **_AT_ONCE_QUIET,
        )
        self.clock.tick(
            self.watch_model, [self.session], [self.preparation, self.clock], **_AT_ONCE_QUIET
        )
        asking = [self.question.submit, self.ask_button.click]
        for listen, source in [
            *((listen, self.question) for listen in asking),
            *((example.click, example) for example in self.examples),
        ]:
            listen(
                self.ask,
                [source, self.session],
                everything,
                concurrency_id="ask",
                trigger_mode="multiple",
                **_QUIET,
            )
        self.stop_button.click(self.stop, [self.session], None, **_AT_ONCE_QUIET)
        self.blocks.unload(self.leave)

    async def open(self, remembered: str | None, request: gr.Request) -> Updates:
        """A new session, in the language chosen before, set, or preferred by the browser."""
        chosen = (remembered, self.library.settings.ui.lang)
        lang = next(
            (known for wanted in chosen for known in LANGS if known == wanted),
            preferred_language(request.headers.get("accept-language", "")),
        )
        session = Session(lang=lang)
        self._sessions[request.session_hash or ""] = session
        return {self.session: session, **await self._whole(session)}

    async def switch(self, wanted: str, session: Session | None) -> Updates:
        """The whole page in another language; an answer that is being written goes on in it."""
        if session is None or wanted not in LANGS:
            return {self.notice: ""}
        session.lang = next(known for known in LANGS if known == wanted)
        return {self.remembered: wanted, **await self._whole(session)}

    async def ask(self, question: str | None, session: Session | None) -> AsyncGenerator[Updates]:
        """The question on the page, then its evidence, then its answer as it grows."""
        if session is None or session.running is not None:
            yield {self.notice: gr.skip()}  # Enter during an answer: the typed text stays
            return
        stream = self.library.ask(question or "", llm=self._model_now(), history=session.history())
        session.begin(question or "", stream)
        try:
            async with aclosing(self._answer(session, question)) as updates:
                async for update in updates:
                    yield update
        finally:
            await session.leave()

    async def _answer(self, session: Session, question: str | None) -> AsyncGenerator[Updates]:
        total = await asyncio.to_thread(self.library.count)
        yield self._opening(session, total)
        try:
            async with aclosing(session.follow()) as events:
                async for event in events:
                    is_text = isinstance(event, Delta | Dropped | Preparing)
                    yield self._current(session) if is_text else self._latest(session, total)
        except QuestionError as error:
            yield self._refused(session, question, error, total)
            return
        yield {**self._latest(session, total), **self._buttons(session)}

    def stop(self, session: Session | None) -> None:
        """End the answer that is being written."""
        if session is not None:
            session.stop()

    def leave(self, request: gr.Request) -> None:
        """End the answer of a tab that was closed."""
        self.stop(self._sessions.get(request.session_hash or ""))

    def watch_model(self, session: Session | None) -> Updates:
        """How far the local model is; the clock stops when there is nothing to wait for."""
        lang = session.lang if session else LANGS[0]
        status = self.library.model_status
        return {
            self.preparation: frame.preparation(status, lang),
            self.clock: gr.Timer(active=status is not None and status.step != "ready"),
        }

    def _model_now(self) -> str | None:
        status = self.library.model_status
        return "extractive" if status is not None and status.step != "ready" else None

    # ---- what is shown ------------------------------------------------------------------------

    async def _whole(self, session: Session) -> Updates:
        lang = session.lang
        total = await asyncio.to_thread(self.library.count)
        return {
            **self.watch_model(session),
            **self._earlier(session),
            **self._latest(session, total),
            **self._buttons(session),
            self.language: gr.Radio(value=lang, label=say("page.language", lang)),
            self.heading: frame.heading(lang, total),
            self.welcome: frame.welcome(lang, total, self.library.settings.store.seeds),
            self.notice: "",
            self.question: gr.Textbox(
                label=say("page.question", lang), placeholder=say("page.question_placeholder", lang)
            ),
            **{example: gr.Button(visible=total > 0) for example in self.examples},
        }

    def _opening(self, session: Session, total: int) -> Updates:
        return {
            **self._earlier(session),
            **self._latest(session, total),
            **self._buttons(session),
            self.notice: "",
            self.question: "",
        }

    def _refused(
        self, session: Session, question: str | None, error: QuestionError, total: int
    ) -> Updates:
        """The question was none: it goes back into its box, with the reason above it."""
        note = transcript.error_note(error.message(session.lang), error.hint(session.lang))
        return {**self._opening(session, total), self.question: question or "", self.notice: note}

    def _earlier(self, session: Session) -> Updates:
        return {
            self.earlier: transcript.transcript(session.earlier, session.lang),
            self.earlier_cards: cards.earlier_evidence(session.earlier, session.lang),
        }

    def _latest(self, session: Session, total: int) -> Updates:
        exchange = session.latest
        if exchange is None:
            evidence = cards.no_evidence(session.lang)
        else:
            evidence = cards.evidence(exchange, session.lang, total)
        return {self.cards: evidence, **self._current(session)}

    def _current(self, session: Session) -> Updates:
        exchange = session.latest
        if exchange is None:
            return {self.current: ""}
        return {self.current: transcript.exchange_markup(exchange, session.lang)}

    def _buttons(self, session: Session) -> Updates:
        is_running = session.running is not None
        return {
            self.ask_button: gr.Button(say("page.ask", session.lang), visible=not is_running),
            self.stop_button: gr.Button(say("page.stop", session.lang), visible=is_running),
        }


def _html(name: str) -> gr.HTML:
    # Without Gradio's own text styles, and without its default listener: nothing here listens.
    return gr.HTML(elem_id=name, apply_default_css=False, js_on_load=None)
