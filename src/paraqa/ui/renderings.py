"""A paper's abstract in another language: an aid to reading, which no answer quotes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paraqa.lang.text import say
from paraqa.ui.markup import Markup, element

if TYPE_CHECKING:
    from paraqa.types import Lang, Paper, Rendering


def renderings(paper: Paper, lang: Lang) -> list[Markup]:
    """Each rendering, closed, the one in the language of the page first."""
    ordered = sorted(paper.alternates, key=lambda rendering: rendering.lang != lang)
    return [_rendering(rendering, lang) for rendering in ordered]


def _rendering(rendering: Rendering, lang: Lang) -> Markup:
    name = say(f"page.rendering_{rendering.lang}_{rendering.origin}", lang)
    note = say("page.rendering_note", lang, note=rendering.note) if rendering.note else None
    return element(
        "details",
        element("summary", name),
        element("p", say("page.rendering_use", lang), class_="use"),
        element("p", rendering.abstract, class_="text", lang=rendering.lang),
        element("p", note, class_="use") if note else None,
        class_=f"rendering {rendering.lang}",
    )
