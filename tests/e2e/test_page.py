"""The page in a real browser, over a library on a script."""

from __future__ import annotations

import json
import time

import httpx
import pytest
from playwright.sync_api import Page, expect

from conversations import (
    ABSTAINED,
    ATTACK,
    CHINESE,
    ENGLISH,
    HOSTILE,
    PAUSED,
    ZEROPP,
    chinese,
    conversations,
    english,
)
from paraqa.errors import StoreNotFound
from paraqa.events import Preparing
from scripted_library import Gate, ScriptedLibrary

pytestmark = pytest.mark.e2e


def ask(page: Page, question: str) -> None:
    box = page.locator("#question textarea")
    box.fill(question)
    box.press("Enter")


def wait_until(condition, seconds=5.0):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come true"
        time.sleep(0.02)


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


def test_an_example_is_asked_by_a_click(serve, open_page):
    page = open_page(serve(conversations()))
    page.get_by_role("button", name=CHINESE).click()
    expect(page.locator("#current .question")).to_have_text(CHINESE)
    expect(page.locator("#current .finished")).to_be_visible()
    expect(page.locator("#welcome")).to_be_hidden()


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
    card.get_by_role("link", name="to the sentence that cites it").click()
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


def test_hostile_text_is_shown_and_does_nothing(serve, open_page):
    page = open_page(serve(conversations()))
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    ask(page, HOSTILE)
    expect(page.locator("#current .finished")).to_be_visible()
    expect(page.locator("#current .question")).to_have_text(HOSTILE)
    expect(page.locator("#t1-1 h3")).to_have_text(f"Wicked {ATTACK}")
    assert page.locator("#desk :is(img, script, iframe, object, video, audio)").count() == 0
    assert page.locator("#current .cite").count() == 1  # [7] in the text is text
    page.locator("#current .cite").click()
    assert page.title() == "paraqa"


def test_an_error_is_a_sentence_with_a_way_out(serve, open_page):
    library = ScriptedLibrary(default=[StoreNotFound("store.not_found", path="vectorstore")])
    page = open_page(serve(library), locale="zh-CN")
    ask(page, "什么？")
    expect(page.get_by_role("alert")).to_contain_text("请先运行")
    expect(page.locator("#ask")).to_be_visible()


def test_two_readers_at_once_do_not_mix(serve, open_page):
    gates = {"one": Gate(), "two": Gate()}
    library = ScriptedLibrary(
        scripts={
            "one": english(before_last=gates["one"]),
            "two": [*chinese()[:4], gates["two"], *chinese()[4:]],
        }
    )
    address = serve(library)
    pages = {name: open_page(address, locale="en-US") for name in gates}
    for name, page in pages.items():
        ask(page, name)
    assert all(gate.reached.wait(5) for gate in gates.values())
    pages["two"].get_by_role("radio", name="中文").check()
    for gate in gates.values():
        gate.open()
    for name, page in pages.items():
        expect(page.locator("#current .finished")).to_be_visible()
        expect(page.locator(".question")).to_have_text([name])
    expect(pages["one"].locator("#current .opening")).to_contain_text("Three of the papers")
    expect(pages["two"].locator("#current .opening")).to_contain_text("三篇")
    expect(pages["one"].locator("#current .status")).to_contain_text("sentences")
    expect(pages["two"].locator("#current .status")).to_contain_text("句")


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


def test_what_is_no_question_is_told_above_the_box(serve, open_page):
    from paraqa.errors import QuestionError

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
            {"type": kind, "key": "Process", "code": "Enter", "windowsVirtualKeyCode": 229},
        )
    session.send("Input.insertText", {"text": "流"})
    expect(page.locator("#question textarea")).to_have_value("流")
    assert library.asked == []


def test_a_forged_file_path_is_not_read(serve, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("TOPSECRET")
    forged = {"path": str(secret), "meta": {"_type": "gradio.FileData"}}
    address = serve(conversations())
    config = httpx.get(address + "config").json()
    tried = 0
    for number, event in enumerate(config["dependencies"]):
        session = f"forged{number}"
        body = {
            "fn_index": event["id"],
            "data": [forged for _ in event["inputs"]],
            "session_hash": session,
        }
        with httpx.Client(base_url=address, timeout=10) as client:
            if client.post("gradio_api/queue/join", json=body).status_code != 200:
                continue
            told = _messages(client, session)
        assert "TOPSECRET" not in told
        assert secret.name not in told or "not uploaded by a user" in told or not event["outputs"]
        tried += 1
    assert tried >= 5


def _messages(client: httpx.Client, session: str) -> str:
    lines = []
    with client.stream("GET", f"gradio_api/queue/data?session_hash={session}") as reply:
        for line in reply.iter_lines():
            lines.append(line)
            if line.startswith("data:") and json.loads(line[5:])["msg"] == "process_completed":
                break
    return "\n".join(lines)
