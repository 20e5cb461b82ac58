"""The page: a question box, the answer as it is written, and the evidence beside it.

It shows what a library does and decides nothing. Gradio takes seconds to import, so it is imported
when the page is built.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import gradio as gr
    from fastapi import FastAPI

    from paraqa.ui.needs import PageLibrary

_Made = TypeVar("_Made")

# Gradio reads these when it is imported. Without the first it looks for its own versions and
# reports usage, without the second its client asks a model hub; the others keep it from making
# statistics of every event, which nobody can see here.
_ENVIRONMENT = {
    "GRADIO_ANALYTICS_ENABLED": "False",
    "HF_HUB_OFFLINE": "1",
    "GRADIO_ANALYTICS_CACHE_FREQUENCY": "1000000000",
    "GRADIO_ANALYTICS_MAX_EVENTS": "1",
}


def build(library: PageLibrary) -> gr.Blocks:
    """The page over a library, not yet served."""
    os.environ.update(_ENVIRONMENT)
    from paraqa.ui.page import Page

    return _within_a_loop(lambda: Page(library).blocks)


def mount(app: FastAPI, library: PageLibrary) -> FastAPI:
    """The application with the page at `/`; routes it already has come first."""
    blocks = build(library)
    from paraqa.ui.serving import serve_page

    return _within_a_loop(lambda: serve_page(app, blocks))


def _within_a_loop(make: Callable[[], _Made]) -> _Made:
    # Where no event loop runs, Gradio makes one for each of its locks, and closes none of them.
    try:
        asyncio.get_running_loop()
    except RuntimeError:

        async def made() -> _Made:
            return make()

        return asyncio.run(made())
    return make()
