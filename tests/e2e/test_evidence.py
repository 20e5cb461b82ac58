"""The evidence of an answer, and the way between a number and its card."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from conversations import CHINESE, ENGLISH, FILTERED, ZEROPP, chinese, conversations, english
from scripted_library import Gate, ScriptedLibrary
from served_page import ask

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize(
    ("locale", "question", "word", "model"),
    [
        ("en-US", ENGLISH, "Ask", "local model"),
        ("zh-CN", CHINESE, "提问", "本地模型"),
    ],
)
def test_the_evidence_is_there_before_the_first_word(
    serve, open_page, locale, question, word, model
):
    gate = Gate()
    library = ScriptedLibrary(scripts={ENGLISH: english(before_words=gate)})
    library.scripts[CHINESE] = [*chinese()[:2], gate, *chinese()[2:]]
    page = open_page(serve(library), locale=locale)
    expect(page.locator("#ask")).to_have_text(word)
    ask(page, question)
    expect(page.locator("#cards .card")).to_have_count(5)
    expect(page.locator("#current .claim")).to_have_count(0)
    expect(page.locator("#current .clock")).to_contain_text(".")  # seconds so far
    gate.open()
    expect(page.locator("#current .finished")).to_be_visible()
    expect(page.locator("#current .claim")).to_have_count(3)
    expect(page.locator("#current .status")).to_contain_text(model)
    expect(page.locator("#current .status")).to_contain_text("6.1")


def test_a_number_leads_to_its_card_and_back(serve, open_page):
    page = open_page(serve(conversations()), height=600)
    ask(page, ENGLISH)
    link = page.get_by_role("link", name=f"source 2: {ZEROPP.title}")
    link.click()
    card = page.locator("#t1-2")
    expect(card).to_be_in_viewport(ratio=0.9)
    expect(card).to_be_focused()
    expect(card.locator("mark")).to_have_text("相比三维并行实现高达33%的性能提升")
    assert card.evaluate("card => card.matches(':target')")
    page.locator("#evidence").evaluate("pane => pane.scrollTo(0, 0)")
    page.mouse.move(5, 5)
    link.click()  # the same number again is a jump again
    expect(card).to_be_in_viewport(ratio=0.9)
    card.get_by_role("link", name="to sentence 2, which cites it").click()
    assert page.locator("#t1-s2").evaluate("claim => claim.matches(':target')")


def test_a_number_followed_under_an_address_with_a_query_stays_on_the_page(serve, open_page):
    page = open_page(serve(conversations()) + "?__theme=dark")
    ask(page, ENGLISH)
    page.locator("#current .cite").first.click()
    expect(page.locator("#t1-1")).to_be_focused()
    assert page.url.endswith("?__theme=dark#t1-1")


def test_what_belongs_together_is_lit_together(serve, open_page):
    page = open_page(serve(conversations()))
    ask(page, ENGLISH)
    page.locator("#current .cite").nth(1).hover()
    expect(page.locator(".card.lit")).to_have_attribute("id", "t1-2")
    page.locator("#t1-3").hover()
    expect(page.locator(".claim.lit")).to_have_attribute("id", "t1-s3")


def test_the_evidence_of_an_earlier_question_opens_when_its_number_is_followed(serve, open_page):
    page = open_page(serve(conversations()))
    ask(page, ENGLISH)
    expect(page.locator("#current .finished")).to_be_visible()
    ask(page, CHINESE)
    expect(page.locator("#current #t2.finished")).to_be_visible()
    expect(page.locator("#t1-3")).to_be_hidden()
    page.locator("#earlier .cite").nth(2).click()
    expect(page.locator("#t1-3")).to_be_in_viewport()
    assert page.locator("#t1-3").evaluate("card => card.matches(':target')")
    assert not page.locator("#t2-3").evaluate("card => card.matches(':target')")


def test_why_a_paper_was_found_opens_below_its_terms(serve, open_page):
    page = open_page(serve(conversations()))
    ask(page, ENGLISH)
    why = page.locator("#t1-1 .why")
    expect(why.get_by_title("from the glossary")).to_have_text("流水线")
    expect(why.get_by_text("place by meaning 1, words 2")).to_be_hidden()
    why.locator("summary").click()
    expect(why.get_by_text("place by meaning 1, words 2")).to_be_visible()


@pytest.mark.parametrize(("locale", "use"), [("en-US", "For reading only"), ("zh-CN", "仅供阅读")])
def test_a_rendering_opens_below_the_source_and_says_that_it_is_none(serve, open_page, locale, use):
    page = open_page(serve(conversations()), locale=locale)
    ask(page, ENGLISH)
    rendering = page.locator("#t1-1 .rendering")
    expect(rendering.locator(".text")).to_be_hidden()
    rendering.locator("summary").click()
    expect(rendering.locator(".text")).to_contain_text("breadth-first scheduling")
    expect(rendering).to_contain_text(use)


def test_what_was_opened_stays_open_while_the_answer_goes_on(serve, open_page):
    gate = Gate()
    library = ScriptedLibrary(scripts={ENGLISH: english(before_words=gate)})
    page = open_page(serve(library))
    ask(page, ENGLISH)
    page.locator("#t1-1 .rendering summary").click()
    page.locator("#t1-3 .why summary").click()
    gate.open()
    expect(page.locator("#current .finished")).to_be_visible()
    expect(page.locator("#t1-1 .rendering .text")).to_be_visible()
    expect(page.locator("#t1-3 .why ul")).to_be_visible()


@pytest.mark.parametrize("width", [1440, 390])
def test_conditions_stand_above_the_evidence_and_say_when_nothing_meets_them(
    serve, open_page, width
):
    page = open_page(serve(conversations()), width=width)
    ask(page, FILTERED["en"])
    expect(page.locator("#cards .chip")).to_have_text(["dated 2031 or later", "from NVIDIA"])
    expect(page.locator("#cards .note")).to_contain_text("None of the 54 papers")
    expect(page.locator("#cards .card")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_narrow_page_is_one_column_with_the_evidence_below(serve, open_page):
    page = open_page(serve(conversations()), width=390, height=844)
    ask(page, ENGLISH)
    expect(page.locator("#current .finished")).to_be_visible()
    answer = page.locator("#current .exchange").bounding_box()
    evidence = page.locator("#cards").bounding_box()
    assert evidence["y"] >= answer["y"] + answer["height"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator("#current .cite").nth(1).click()
    expect(page.locator("#t1-2")).to_be_in_viewport()
    page.locator("#t1-2 footer a").click()
    expect(page.locator("#t1-s2")).to_be_in_viewport()
