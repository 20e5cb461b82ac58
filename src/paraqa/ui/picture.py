"""What a session looks like, as updates of the components."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gradio as gr

from paraqa.events import Delta, Dropped, Preparing
from paraqa.lang.text import say
from paraqa.ui import cards, frame, transcript
from paraqa.ui.running import Redraw

if TYPE_CHECKING:
    from pathlib import Path

    from paraqa.errors import ParaqaError
    from paraqa.events import AskEvent
    from paraqa.ui.layout import Layout
    from paraqa.ui.session import Session

Updates = dict[Any, Any]


class Picture:
    """Draws sessions with the components of a layout."""

    def __init__(self, parts: Layout, seeds: Path) -> None:
        self.parts = parts
        self.seeds = seeds

    def still(self, session: Session, papers: int) -> Updates:
        """What does not change while an answer is written."""
        lang, parts = session.lang, self.parts
        return {
            parts.language: gr.Radio(value=lang, label=say("page.language", lang)),
            parts.heading: frame.heading(lang, papers),
            parts.welcome: frame.welcome(lang, papers, self.seeds),
            parts.notice: "",
            parts.question: gr.Textbox(
                label=say("page.question", lang), placeholder=say("page.question_placeholder", lang)
            ),
            **{example: gr.Button(visible=papers > 0) for example in parts.examples},
        }

    def moving(self, session: Session) -> Updates:
        """What does."""
        lang, parts = session.lang, self.parts
        return {
            parts.earlier: transcript.transcript(session.earlier, lang),
            parts.earlier_cards: cards.earlier_evidence(session.earlier, lang),
            **self.latest(session),
            **self.buttons(session),
        }

    def opening(self, session: Session) -> Updates:
        """A question that was just asked: it is in its place, and its box is empty."""
        return {**self.moving(session), self.parts.notice: "", self.parts.question: ""}

    def refused(self, session: Session, *, question: str, error: ParaqaError) -> Updates:
        """A question that was none: it goes back into its box, with the reason above it."""
        note = transcript.error_note(error.message(session.lang), error.hint(session.lang))
        back = {self.parts.notice: note, self.parts.question: question}
        return {**self.moving(session), **back}

    def after(self, event: AskEvent | Redraw, session: Session) -> Updates:
        """What an event of the running answer changes."""
        if isinstance(event, Redraw):
            return self.moving(session)
        if isinstance(event, Delta | Dropped | Preparing):
            return self.current(session)  # words alone change nothing in the evidence
        return self.latest(session)

    def latest(self, session: Session) -> Updates:
        """The latest exchange with its evidence."""
        exchange, lang = session.latest, session.lang
        evidence = cards.evidence(exchange, lang) if exchange else cards.no_evidence(lang)
        return {self.parts.cards: evidence, **self.current(session)}

    def current(self, session: Session) -> Updates:
        """The latest exchange alone."""
        exchange = session.latest
        page = transcript.exchange_markup(exchange, session.lang) if exchange else ""
        return {self.parts.current: page}

    def buttons(self, session: Session) -> Updates:
        """Ask, or stop while an answer is written."""
        lang, latest = session.lang, session.latest
        is_running = latest is not None and latest.state == "running"
        return {
            self.parts.ask: gr.Button(say("page.ask", lang), visible=not is_running),
            self.parts.stop: gr.Button(say("page.stop", lang), visible=is_running),
        }

    def preparation(self, status: Preparing | None, session: Session) -> Updates:
        """How far the local model is; the clock runs while there is something to wait for."""
        is_waiting = status is not None and status.step != "ready"
        return {
            self.parts.preparation: frame.preparation(status, session.lang),
            self.parts.clock: gr.Timer(active=is_waiting),
        }
