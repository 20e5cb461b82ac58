"""A served page and a browser for the tests of the page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from browser import ARGUMENTS, MISSING, find_browser
from served_page import served

if TYPE_CHECKING:
    from paraqa.ui.needs import PageLibrary

Serve = Callable[["PageLibrary"], str]
Open = Callable[..., Page]

_HERE = re.compile(r"(http|ws)://127\.0\.0\.1[:/]|data:|blob:")
_WAIT_MS = 15_000


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serves the page over a library and gives its address: `serve(library)`."""
    with ExitStack() as stack:
        yield lambda library: stack.enter_context(served(library))


# Not for the whole session: while Playwright runs in a thread, no asynchronous test can.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The browser. Without one these tests fail: the page would go untested in silence."""
    place = find_browser()
    if place is None:
        pytest.fail(MISSING, pytrace=False)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=place, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Browser) -> Iterator[Open]:
    """Opens an address in a context of its own: `open_page(address, locale=…, width=…)`.

    At the end no page may have asked another host for anything, or written an error.
    """
    outside: list[str] = []
    complaints: list[str] = []
    with ExitStack() as stack:

        def open_in_new_context(
            address: str,
            *,
            locale: str = "en-US",
            width: int = 1440,
            height: int = 900,
            wait: bool = True,
            **more: str,
        ) -> Page:
            context = chromium.new_context(
                locale=locale, viewport={"width": width, "height": height}, **more
            )
            stack.callback(context.close)
            page = context.new_page()
            page.set_default_timeout(_WAIT_MS)
            page.on("request", lambda r: None if _HERE.match(r.url) else outside.append(r.url))
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on(
                "console",
                lambda m: complaints.append(m.text) if m.type in {"error", "warning"} else None,
            )
            page.goto(address)
            if wait:
                page.locator("[data-lang]").wait_for()
            return page

        yield open_in_new_context
        assert outside == []
        assert complaints == []
