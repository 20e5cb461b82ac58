"""The handlers of the page, called as Gradio calls them."""

import asyncio
import os
from types import SimpleNamespace

import pytest

from conversations import ABSTAINED, CHINESE, ENGLISH, PAUSED, conversations, english
from paraqa import ui
from paraqa.errors import QuestionError
from paraqa.events import Preparing
from paraqa.settings import Settings, UiSettings
from scripted_library import Gate, ScriptedLibrary


@pytest.fixture
def make():
    """Builds a page; to be called in an asynchronous test, as Gradio wants a running loop."""
    from paraqa.ui.page import Page

    return Page


def request(accepted="en-US", name="tab"):
    return SimpleNamespace(headers={"accept-language": accepted}, session_hash=name)


async def opened(page, **more):
    return (await page.open(None, request(**more)))[page.parts.session]


async def asked(page, question, session):
    return [update async for update in page.ask(question, session, request())]


async def test_the_language_is_the_one_chosen_before_else_set_else_the_browsers(make):
    page = make(conversations())
    assert (await page.open("zh", request("en")))[page.parts.session].lang == "zh"
    assert (await page.open(None, request("zh-TW,en;q=0.5")))[page.parts.session].lang == "zh"
    assert (await page.open("tlh", request("fr")))[page.parts.session].lang == "en"
    fixed = Settings(ui=UiSettings(lang="zh"))
    page = make(ScriptedLibrary(settings=fixed))
    assert (await page.open(None, request("en")))[page.parts.session].lang == "zh"


async def test_the_question_is_in_place_first_then_evidence_then_words(make):
    page = make(conversations())
    first, *more = await asked(page, ENGLISH, await opened(page))
    assert ENGLISH in first[page.parts.current]
    assert first[page.parts.question] == ""
    with_cards = next(n for n, u in enumerate(more) if 'id="t1-1"' in str(u.get(page.parts.cards)))
    with_words = next(n for n, u in enumerate(more) if "claim" in str(u[page.parts.current]))
    assert with_cards < with_words


async def test_words_alone_do_not_send_the_evidence_again(make):
    page = make(conversations())
    updates = await asked(page, ENGLISH, await opened(page))
    writing = [u for u in updates if "provisional" in str(u.get(page.parts.current))]
    assert writing
    assert all(
        page.parts.cards not in update and page.parts.earlier not in update for update in writing
    )


async def test_a_second_question_moves_the_first_one_up(make):
    page = make(conversations())
    session = await opened(page)
    await asked(page, ENGLISH, session)
    first, *_ = await asked(page, CHINESE, session)
    assert 'id="t1"' in first[page.parts.earlier]
    assert 'id="t1-1"' in first[page.parts.earlier_cards]
    assert 'id="t2"' in first[page.parts.current]


async def test_stopping_ends_the_answer_and_keeps_what_settled(make):
    gate = Gate()
    library = conversations(gate)
    page = make(library)
    session = await opened(page)
    last = {}
    async for update in page.ask(PAUSED, session, request()):
        last = update
        if gate.reached.is_set():
            page.stop(session)
    assert library.asked[0].ended == "closed"
    assert "stopped" in last[page.parts.current]
    assert str(last[page.parts.current]).count('class="claim full"') == 2


async def test_a_closed_tab_ends_its_answer_and_no_other(make):
    gates = {"a": Gate(), "b": Gate()}
    library = ScriptedLibrary(scripts={name: [gate] for name, gate in gates.items()})
    page = make(library)
    streams = {}
    for name in gates:
        session = await opened(page, name=name)
        streams[name] = page.ask(name, session, request())
        await anext(streams[name])
    page.leave(request(name="a"))
    assert [u async for u in streams["a"]]
    assert [record.ended for record in library.asked] == ["closed", "running"]
    await streams["b"].aclose()
    assert library.asked[1].ended == "closed"


async def test_a_question_during_an_answer_is_not_asked(make):
    gate = Gate()
    library = ScriptedLibrary(default=[gate])
    page = make(library)
    session = await opened(page)
    running = page.ask("one", session, request())
    await anext(running)
    assert await asyncio.to_thread(gate.reached.wait, 5)
    [update] = await asked(page, "two", session)
    assert page.parts.question not in update
    assert [record.question for record in library.asked] == ["one"]
    await running.aclose()


async def test_what_is_no_question_goes_back_into_its_box_with_the_reason(make):
    error = QuestionError("store.not_found", path="x")
    page = make(ScriptedLibrary(default=[error]))
    session = await opened(page)
    *_, last = await asked(page, "  ", session)
    assert last[page.parts.question] == "  "
    assert "There is no store" in last[page.parts.notice]
    assert last[page.parts.current] == ""
    assert last[page.parts.ask].visible
    assert not last[page.parts.stop].visible
    assert session.exchanges == []


@pytest.mark.parametrize(
    ("status", "llm"),
    [
        (None, None),
        (Preparing(step="ready"), None),
        (Preparing(step="joining"), "extractive"),
        (Preparing(step="loading"), "extractive"),
    ],
)
async def test_until_the_model_is_ready_answers_are_quotes(make, status, llm):
    library = conversations()
    library.model_status = status
    page = make(library)
    await asked(page, ENGLISH, await opened(page))
    assert library.asked[0].llm == llm


async def test_the_state_of_the_model_is_watched_until_it_is_ready(make):
    library = conversations()
    page = make(library)
    session = await opened(page)
    library.model_status = Preparing(step="loading")
    update = page.watch_model(session)
    assert "being prepared" in update[page.parts.preparation]
    assert update[page.parts.clock].active
    library.model_status = Preparing(step="ready")
    update = page.watch_model(session)
    assert update[page.parts.preparation] == ""
    assert not update[page.parts.clock].active


async def test_switching_turns_the_whole_page_and_is_remembered(make):
    page = make(conversations())
    session = await opened(page)
    await asked(page, ABSTAINED["en"], session)
    update = await page.switch("zh", session, request())
    assert update[page.parts.remembered] == "zh"
    assert "最接近的论文" in update[page.parts.current]
    assert (
        "No paper here mentions" in update[page.parts.current]
    )  # the answer stays as it was given
    assert "证据" in update[page.parts.cards]
    assert "基于 54 篇论文" in update[page.parts.heading]


async def test_switching_during_an_answer_goes_through_its_own_stream(make):
    gate = Gate()
    page = make(ScriptedLibrary(default=english(before_last=gate)))
    session = await opened(page)
    updates = []
    async for update in page.ask(ENGLISH, session, request()):
        updates.append(update)
        if gate.reached.is_set() and session.lang == "en":
            direct = await page.switch("zh", session, request())
            gate.open()
    assert page.parts.current not in direct
    assert "基于 54 篇论文" in direct[page.parts.heading]
    written = [u for u in updates if "撰写" in str(u.get(page.parts.current))]
    assert any(page.parts.stop in u and u[page.parts.stop].value == "停止" for u in written)
    assert "3 句" in updates[-1][page.parts.current]


async def test_switching_as_the_answer_ends_leaves_no_half_of_the_page_behind(make):
    page = make(conversations())
    session = await opened(page)
    updates = []
    async for update in page.ask(ENGLISH, session, request()):
        updates.append(update)
        if "finished" in str(update.get(page.parts.current)) and page.parts.ask in update:
            await page.switch("zh", session, request())
    assert "3 句" in updates[-1][page.parts.current]
    assert updates[-1][page.parts.ask].value == "提问"


async def test_a_forged_language_changes_nothing(make):
    page = make(conversations())
    session = await opened(page)
    await page.switch("<script>", session, request())
    assert session.lang == "en"


async def test_an_empty_store_shows_no_examples(make):
    page = make(ScriptedLibrary(papers_held=0))
    update = await page.open(None, request())
    assert "There are no papers yet." in update[page.parts.welcome]
    assert not any(update[example].visible for example in page.parts.examples)


async def test_nothing_of_the_page_is_offered_to_programs(make):
    page = make(conversations())
    assert page.blocks.get_api_info()["named_endpoints"] == {}


def test_building_the_page_turns_reports_and_look_ups_off():
    ui.build(conversations())
    assert os.environ["GRADIO_ANALYTICS_ENABLED"] == "False"
    assert os.environ["HF_HUB_OFFLINE"] == "1"


async def test_a_question_sent_before_the_page_is_open_is_answered_when_it_is(make):
    library = conversations()
    counting = Gate()
    library.before_count = counting
    page = make(library)
    opening = asyncio.create_task(opened(page))
    asking = asyncio.create_task(asked(page, ENGLISH, None))
    assert await asyncio.to_thread(counting.reached.wait, 10)
    assert library.asked == []
    counting.open()
    updates = await asking
    assert "finished" in updates[-1][page.parts.current]
    assert (await opening).latest.question == ENGLISH


async def test_a_question_of_a_page_that_never_opens_stays_in_the_box(make, monkeypatch):
    monkeypatch.setattr("paraqa.ui.page._OPENING_SECONDS", 0.1)
    page = make(conversations())
    (update,) = await asked(page, ENGLISH, None)
    assert page.parts.question not in update
