"""The Gradio components of the page. Their words come with the session, in its language."""

from __future__ import annotations

import gradio as gr

from paraqa.lang import LANGS
from paraqa.lang.text import say

# The library says what is too long; this only bounds what a browser sends. It lies far above, so
# that a long question is refused with a sentence, not cut in silence.
MAX_TYPED = 20_000
EXAMPLES = 3
STATUS_SECONDS = 1.0


class Layout:
    """The components, to be made within `gr.Blocks`.

    A finished conversation and its evidence are components of their own: while an answer is
    written, only the running exchange is sent, and nothing above it is drawn again.
    """

    def __init__(self) -> None:
        self.session = gr.State()
        # The secret only hides the value from other pages; a language needs no hiding.
        self.remembered = gr.BrowserState(None, storage_key="paraqa-language", secret="-")  # noqa: S106
        self.clock = gr.Timer(STATUS_SECONDS, active=False)
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
                    self._welcome()
                    self.earlier = _html("earlier")
                    self.current = _html("current")
                self._composer()
            with gr.Column(elem_id="evidence"):
                self.cards = _html("cards")
                self.earlier_cards = _html("earlier-cards")

    def _welcome(self) -> None:
        with gr.Column(elem_id="welcome"):
            self.welcome = _html("welcome-text")
            with gr.Column(elem_id="examples"):
                self.examples = [
                    gr.Button(say(f"page.example_{number}", lang), elem_classes=f"example {lang}")
                    for lang in LANGS
                    for number in range(1, EXAMPLES + 1)
                ]

    def _composer(self) -> None:
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
                self.ask = gr.Button(elem_id="ask", variant="primary", min_width=76, scale=0)
                self.stop = gr.Button(elem_id="stop", visible=False, min_width=76, scale=0)

    @property
    def shown(self) -> list[gr.components.Component]:
        """Everything that the handlers may change."""
        return [
            self.session, self.language, self.clock, self.heading, self.preparation, self.welcome,
            self.earlier, self.current, self.notice, self.question, self.ask, self.stop,
            self.cards, self.earlier_cards, *self.examples,
        ]  # fmt: skip


def _html(name: str) -> gr.HTML:
    # Without Gradio's own text styles, and without its default listener: nothing here listens.
    return gr.HTML(elem_id=name, apply_default_css=False, js_on_load=None)
