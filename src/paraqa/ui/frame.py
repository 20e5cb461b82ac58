"""What stands around the conversation: the heading, the welcome, the state of the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paraqa.lang.text import say
from paraqa.ui.markup import Markup, element, prose

if TYPE_CHECKING:
    from pathlib import Path

    from paraqa.events import Preparing
    from paraqa.types import Lang


def heading(lang: Lang, papers: int) -> Markup:
    """The name of the page and what it holds; its language is read by the page's script."""
    number = "one" if papers == 1 else "other"
    return element(
        "header",
        element("h1", say("page.title", lang)),
        element("p", say(f"page.tagline_{number}", lang, count=papers)) if papers else None,
        class_="brand",
        data_lang=lang,
    )


def welcome(lang: Lang, papers: int, seeds: Path) -> Markup:
    """What a reader meets before the first question; without papers, how to add some."""
    if not papers:
        return element(
            "div",
            element("h2", say("page.empty", lang)),
            element("p", prose(say("page.empty_text", lang, path=str(seeds)))),
            class_="welcome empty",
        )
    return element(
        "div",
        element("h2", say("page.welcome", lang)),
        element("p", say("page.welcome_text", lang)),
        element("p", say("page.welcome_examples", lang), class_="examples-heading"),
        class_="welcome",
    )


def preparation(status: Preparing | None, lang: Lang) -> Markup:
    """How far the local model is, and what answers are until then; empty when it is ready."""
    if status is None or status.step == "ready":
        return Markup("")
    percent = 100 * status.done // status.total if status.total else 0
    bar = element("progress", max=100, value=percent if status.total else None)
    return element(
        "div",
        bar,
        element("span", say(f"page.model_{status.step}", lang, percent=percent), class_="step"),
        " ",
        element("span", say("page.model_until", lang)),
        class_="preparation",
        role="status",
    )
