"""Asking, stopping, and what the page says when there is no plain answer."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect

from conversations import ABSTAINED, CHINESE, ENGLISH, PAUSED, conversations, english
from paraqa.errors import QuestionError, StoreNotFound
from paraqa.events import Preparing
from scripted_library import Gate, ScriptedLibrary
from served_page import ask

pytestmark = pytest.mark.e2e


def wait_until(condition, seconds=5.0):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come true"
        time.sleep(0.02)


def test_an_example_is_asked_by_a_click(serve, open_page):
    page = open_page(serve(conversations()))
    page.get_by_role("button", name=CHINESE).click()
    expect(page.locator("#current .question")).to_have_text(CHINESE)
    expect(page.locator("#current .finished")).to_be_visible()
    expect(page.locator("#welcome")).to_be_hidden()


def test_a_question_sent_before_the_page_is_open_is_not_lost(serve, open_page):
    library = conversations()
    library.before_count = Gate()
    page = open_page(serve(library), wait=False)
    ask(page, ENGLISH)
    assert library.before_count.reached.wait(10)
    assert library.asked == []
    library.before_count.open()
    expect(page.locator("#current .finished")).to_be_visible()
    expect(page.locator("#cards .card")).not_to_have_count(0)
    expect(page.locator("[data-lang=en]")).to_have_count(1)


def test_stop_ends_the_model_and_keeps_what_settled(serve, open_page):
    gate = Gate()
    library = conversations(gate)
    page = open_page(serve(library))
    ask(page, PAUSED)
    expect(page.locator("#current .provisional")).to_be_visible()
    expect(page.locator("#current .claim.full")).to_have_count(2)
    expect(page.locator("#ask")).to_be_hidden()
    page.locator("#stop").click()
    expect(page.locator("#current .stopped .status")).to_contain_text("Stopped")
    assert library.asked[0].ended == "closed"
    expect(page.locator("#current .claim")).to_have_count(2)
    expect(page.locator("#current .provisional")).to_have_count(0)
    ask(page, ENGLISH)
    expect(page.locator("#current #t2.finished")).to_be_visible()
    assert library.asked[1].history == ()


def test_a_closed_tab_ends_the_model(serve, open_page):
    library = conversations(Gate())
    page = open_page(serve(library))
    ask(page, PAUSED)
    expect(page.locator("#current .provisional")).to_be_visible()
    page.close()
    wait_until(lambda: library.asked[0].ended == "closed")


def test_writing_neither_redraws_what_is_above_nor_moves_the_reader(serve, open_page):
    gate = Gate()
    library = conversations()
    library.scripts[PAUSED] = english(before_last=gate)
    page = open_page(serve(library), height=600)
    ask(page, ENGLISH)
    expect(page.locator("#current .finished")).to_be_visible()
    ask(page, PAUSED)
    expect(page.locator("#current .claim.full")).to_have_count(2)
    expect(page.locator("#current .provisional")).to_be_visible()
    expect(page.locator("#current .question")).to_be_in_viewport()
    page.evaluate(
        """() => {
            document.querySelector("#t1-s1").seen = true;
            document.querySelector("#t2-s1").seen = true;
            document.querySelector("#talk").scrollTo(0, 40);
        }"""
    )
    gate.open()
    expect(page.locator("#current .finished")).to_be_visible()
    assert page.evaluate("[...document.querySelectorAll('.claim')].filter(c => c.seen).length") == 2
    assert page.locator("#talk").evaluate("pane => pane.scrollTop") == 40


@pytest.mark.parametrize(("locale", "lang"), [("en-US", "en"), ("zh-CN", "zh")])
def test_an_abstention_is_calm_and_shows_the_nearest_papers(serve, open_page, locale, lang):
    page = open_page(serve(conversations()), locale=locale)
    ask(page, ABSTAINED[lang])
    calm = page.locator("#current .calm")
    expect(calm).to_contain_text("vLLM")
    expect(calm.locator(".cite")).to_have_count(3)
    expect(page.locator("[role=alert]")).to_have_count(0)
    calm.locator(".cite").nth(2).click()
    expect(page.locator("#t1-3")).to_be_focused()


def test_an_error_is_a_sentence_with_a_way_out(serve, open_page):
    library = ScriptedLibrary(default=[StoreNotFound("store.not_found", path="vectorstore")])
    page = open_page(serve(library), locale="zh-CN")
    ask(page, "什么？")
    expect(page.get_by_role("alert")).to_contain_text("请先运行")
    expect(page.locator("#ask")).to_be_visible()


def test_the_language_is_switched_while_an_answer_is_written_and_is_remembered(serve, open_page):
    gate = Gate()
    library = conversations()
    library.scripts[ENGLISH] = english(before_last=gate)
    page = open_page(serve(library), locale="en-US")
    ask(page, ENGLISH)
    expect(page.locator("#current .provisional")).to_be_visible()
    page.get_by_role("radio", name="中文").check()
    expect(page.locator("#stop")).to_have_text("停止")
    expect(page.locator("#current .opening")).to_contain_text("撰写")
    gate.open()
    expect(page.locator("#current .finished .status")).to_contain_text("3 句")
    expect(page.locator("html")).to_have_attribute("lang", "zh")
    later = page.context.new_page()
    later.goto(page.url)
    expect(later.locator("#ask")).to_have_text("提问")


def test_what_is_no_question_is_told_above_the_box(serve, open_page):
    refusal = QuestionError("store.not_found", path="here")  # any pair of sentences will do
    library = conversations()
    library.scripts["   "] = [refusal]
    page = open_page(serve(library))
    ask(page, "   ")
    expect(page.locator("#notice")).to_contain_text("There is no store in 'here'.")
    expect(page.locator(".exchange")).to_have_count(0)
    ask(page, ENGLISH)
    expect(page.locator("#current #t1.finished")).to_be_visible()
    expect(page.locator("#notice .error")).to_have_count(0)


def test_a_long_question_arrives_whole(serve, open_page):
    library = conversations()
    page = open_page(serve(library))
    ask(page, "很长" * 4000)
    expect(page.locator("#current .finished")).to_be_visible()
    assert library.asked[0].question == "很长" * 4000


def test_the_page_says_that_the_model_is_being_prepared_and_then_stops_saying_it(serve, open_page):
    library = conversations()
    library.model_status = Preparing(step="joining", done=1, total=4)
    page = open_page(serve(library))
    expect(page.locator("#preparation")).to_contain_text("25 %")
    ask(page, ENGLISH)
    expect(page.locator("#current .finished")).to_be_visible()
    assert library.asked[0].llm == "extractive"
    library.model_status = Preparing(step="ready")
    expect(page.locator("#preparation")).to_be_hidden()
    ask(page, ENGLISH)
    expect(page.locator("#current #t2.finished")).to_be_visible()
    assert library.asked[1].llm is None


def test_an_empty_store_explains_itself(serve, open_page):
    page = open_page(serve(ScriptedLibrary(papers_held=0)))
    expect(page.locator("#welcome")).to_contain_text("There are no papers yet.")
    expect(page.locator(".example").first).to_be_hidden()


def test_enter_that_ends_a_composition_does_not_ask(serve, open_page):
    library = conversations()
    page = open_page(serve(library))
    page.locator("#question textarea").focus()
    session = page.context.new_cdp_session(page)
    session.send("Input.imeSetComposition", {"text": "liu", "selectionStart": 3, "selectionEnd": 3})
    for kind in ("rawKeyDown", "keyUp"):  # as an input method sends it: key code 229, no character
        session.send(
            "Input.dispatchKeyEvent",
            {"type": kind, "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 229},
        )
    session.send("Input.insertText", {"text": "流"})
    expect(page.locator("#question textarea")).to_have_value("流")
    assert library.asked == []
