"""The page over the listing that ships, with the real local model and real embeddings."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.e2e, pytest.mark.integration]

ANSWERED_MS = 240_000  # the model writes some sentences a minute on a busy machine
WANTED = ("Breadth-First Pipeline Parallelism", "Merak:", "Using Megatron-LM")


@pytest.fixture(scope="module")
def ready_library(seed_library):
    """The library with its local model loaded, so that the page does not wait for it."""
    answer = seed_library.answer_sync("What is Zeus?", llm="local")
    assert answer.model != "extractive"
    return seed_library


def ask(page: Page, question: str) -> None:
    box = page.locator("#question textarea")
    box.fill(question)
    box.press("Enter")


@pytest.mark.parametrize(
    ("locale", "question"),
    [("en-US", "which papers reduce pipeline bubbles?"), ("zh-CN", "哪些论文减少了流水线气泡?")],
)
def test_a_reader_asks_and_follows_a_citation(ready_library, serve, open_page, locale, question):
    page = open_page(serve(ready_library), locale=locale)
    ask(page, question)
    found = len(ready_library.search_sync(question).hits)
    expect(page.locator("#cards .card")).to_have_count(found, timeout=20_000)
    assert page.locator("#current .finished").count() == 0  # the evidence is there before the end
    titles = " ".join(page.locator("#cards .card h3").all_inner_texts())
    assert all(wanted in titles for wanted in WANTED)
    expect(page.locator("#current .finished")).to_be_visible(timeout=ANSWERED_MS)
    links = page.locator("#current .cite")
    cited = {link.get_attribute("href") for link in links.all()}
    names = [page.locator(f"{href} h3").inner_text() for href in cited]
    assert sum(any(wanted in name for name in names) for wanted in WANTED) >= 2
    links.first.click()
    target = page.locator(links.first.get_attribute("href"))
    expect(target).to_be_in_viewport(ratio=0.5)
    expect(target.locator("mark").first).to_be_visible()


def test_stopping_midway_keeps_the_evidence_and_the_next_question_is_answered(
    ready_library, serve, open_page
):
    page = open_page(serve(ready_library))
    ask(page, "which papers reduce pipeline bubbles?")
    expect(page.locator("#current .provisional")).to_be_visible(timeout=ANSWERED_MS)
    page.locator("#stop").click()
    expect(page.locator("#current .stopped")).to_be_visible()
    expect(page.locator("#cards .card").nth(7)).to_be_visible()
    ask(page, "What is Zeus?")
    expect(page.locator("#current .finished")).to_be_visible(timeout=ANSWERED_MS)
