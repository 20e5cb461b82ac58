"""Photographs the page into a folder, in both languages, light and dark, wide and narrow.

python tests/e2e/screenshots.py FOLDER             over the store in force: one real answer
python tests/e2e/screenshots.py FOLDER --scripted  every state, over a library on a script
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.sync_api import Browser, Page, sync_playwright

from browser import ARGUMENTS, MISSING, find_browser
from conversations import ABSTAINED, CHINESE, ENGLISH, FAILED, FILTERED, PAUSED, conversations
from paraqa.events import Preparing
from scripted_library import ScriptedLibrary
from served_page import ask, served

if TYPE_CHECKING:
    from paraqa.ui.needs import PageLibrary

Held = TypeVar("Held", bound="PageLibrary")

LOCALES = {"en": "en-US", "zh": "zh-CN"}
QUESTIONS = {"en": ENGLISH, "zh": CHINESE}
REAL = {
    "en": "How large was the model in Breadth-First Pipeline Parallelism, and how much training "
    "throughput did it gain over Megatron-LM?",
    "zh": CHINESE,
}
WIDTHS = {"wide": (1440, 900), "narrow": (390, 844)}
ANSWER_MS = 300_000


class Camera:
    """Opens the page in one size, language and scheme, and keeps what it sees."""

    def __init__(self, browser: Browser, address: str, folder: Path) -> None:
        self.browser, self.address, self.folder = browser, address, folder

    @contextmanager
    def look(self, lang: str, width: str, scheme: str = "light") -> Iterator[Page]:
        """The page, opened."""
        wide, high = WIDTHS[width]
        context = self.browser.new_context(
            locale=LOCALES[lang],
            viewport={"width": wide, "height": high},
            color_scheme="dark" if scheme == "dark" else "light",
        )
        page = context.new_page()
        page.goto(self.address)
        page.locator("[data-lang]").wait_for()
        yield page
        context.close()

    def keep(self, page: Page, *name: str) -> None:
        """One picture, its name made of the parts."""
        page.wait_for_timeout(400)
        page.screenshot(path=self.folder / f"{'-'.join(name)}.png")


def real(camera: Camera, _: PageLibrary) -> None:
    """One question in each language, answered by the model in force."""
    for lang, question in REAL.items():
        with camera.look(lang, "wide") as page:
            ask(page, question)
            page.locator("#current .exchange:not(.running)").wait_for(timeout=ANSWER_MS)
            camera.keep(page, "page", lang)


def scripted(camera: Camera, library: ScriptedLibrary) -> None:
    """Every state of the page."""
    for lang, width, scheme in [
        ("en", "wide", "light"),
        ("zh", "wide", "dark"),
        ("zh", "narrow", "light"),
        ("en", "narrow", "dark"),
    ]:
        name = (width, lang, scheme)
        library.model_status = Preparing(step="joining", done=41, total=100)
        with camera.look(lang, width, scheme) as page:
            camera.keep(page, *name, "0-preparing")
        library.model_status, library.papers_held = None, 0
        with camera.look(lang, width, scheme) as page:
            camera.keep(page, *name, "0-without-papers")
        library.papers_held = 54
        with camera.look(lang, width, scheme) as page:
            _conversation(camera, page, lang, name)


def _conversation(camera: Camera, page: Page, lang: str, name: tuple[str, ...]) -> None:
    camera.keep(page, *name, "1-empty")
    ask(page, PAUSED)
    page.locator(".provisional").wait_for()
    camera.keep(page, *name, "2-writing")
    page.locator("#stop").click()
    page.locator("#current .stopped").wait_for()
    camera.keep(page, *name, "3-stopped")
    ask(page, QUESTIONS[lang])
    page.locator("#current .finished").wait_for()
    camera.keep(page, *name, "4-finished")
    page.locator("#current .cite").nth(1).click()
    camera.keep(page, *name, "5-followed")
    for closed in page.locator("#cards .card").first.locator("summary").all():
        closed.click()
    camera.keep(page, *name, "6-opened")
    ask(page, ABSTAINED[lang])
    page.locator("#current .calm").wait_for()
    camera.keep(page, *name, "7-abstained")
    ask(page, FILTERED[lang])
    page.locator("#cards .filters").wait_for()
    camera.keep(page, *name, "8-filtered-out")
    ask(page, FAILED)
    page.locator("#current .error").wait_for()
    camera.keep(page, *name, "9-failed")


def main() -> int:
    """Make the pictures."""
    arguments = sys.argv[1:]
    place = find_browser()
    if place is None or not arguments:
        print(MISSING if arguments else __doc__, file=sys.stderr)
        return 1
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    if "--scripted" in arguments:
        _photograph(conversations(), place, folder, scripted)
        return 0
    from paraqa import Library

    with Library.open() as library:
        library.answer_sync(QUESTIONS["en"])  # loads the model, so that it answers on the picture
        _photograph(library, place, folder, real)
    return 0


def _photograph(
    library: Held, place: Path, folder: Path, pictures: Callable[[Camera, Held], None]
) -> None:
    with served(library) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=place, args=ARGUMENTS)
        pictures(Camera(browser, address, folder), library)
        browser.close()


if __name__ == "__main__":
    raise SystemExit(main())
