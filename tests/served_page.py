"""Serves the page over any library, for tests and for screenshots."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import uvicorn
from fastapi import FastAPI

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from paraqa.ui.needs import PageLibrary


@contextmanager
def served(library: PageLibrary) -> Iterator[str]:
    """The address of the page over a library, in a server of its own."""
    from paraqa import ui

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config = uvicorn.Config(
        ui.mount(FastAPI(), library),
        host="127.0.0.1",
        port=port,
        log_level="error",
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 30
    while not server.started:
        assert time.monotonic() < deadline, "the server did not start"
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{port}/"
    finally:
        server.should_exit = True
        thread.join(15)


def ask(page: Page, question: str) -> None:
    """Type a question into the page and send it."""
    box = page.locator("#question textarea")
    box.fill(question)
    box.press("Enter")
