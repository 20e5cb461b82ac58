import asyncio
import logging

import pytest

from conversations import CLAIMS_EN, ENGLISH, FAILED, PAUSED, conversations
from paraqa.errors import QuestionError
from paraqa.ui.session import KEPT_EXCHANGES, KEPT_TURNS, Session
from scripted_library import Gate, ScriptedLibrary


async def asked(session, library, question):
    session.begin(question, library.ask(question, history=session.history()))
    try:
        return [event async for event in session.follow()]
    finally:
        await session.leave()


async def test_the_next_question_knows_the_last_answer():
    library, session = conversations(), Session()
    await asked(session, library, ENGLISH)
    await asked(session, library, ENGLISH)
    assert [turn.role for turn in library.asked[1].history] == ["user", "assistant"]
    assert [exchange.number for exchange in session.exchanges] == [1, 2]


async def test_a_stopped_question_is_shown_but_is_no_history():
    gate = Gate()
    library, session = conversations(gate), Session()
    session.begin(PAUSED, library.ask(PAUSED))
    async for _ in session.follow():
        if gate.reached.is_set():
            session.stop()
    assert session.latest.state == "stopped"
    assert session.latest.claims == CLAIMS_EN[:2]
    assert session.history() == ()
    assert library.asked[0].ended == "closed"


async def test_leaving_before_the_first_event_closes_the_stream():
    library, session = conversations(Gate()), Session()
    session.begin(PAUSED, library.ask(PAUSED))
    await asyncio.sleep(0.01)
    await session.leave()
    await session.leave()
    assert library.asked[0].ended == "closed"
    assert (session.latest.state, session.running) == ("stopped", None)


async def test_an_expected_error_ends_the_exchange_with_its_sentences():
    session = Session()
    await asked(session, conversations(), FAILED)
    assert session.latest.state == "failed"
    assert session.latest.error.key == "store.not_found"


async def test_a_defect_ends_the_exchange_and_goes_to_the_log(caplog):
    session = Session()
    with caplog.at_level(logging.ERROR):
        await asked(session, ScriptedLibrary(default=[ZeroDivisionError("oops")]), "q")
    assert (session.latest.state, session.latest.error) == ("failed", None)
    assert "oops" in caplog.text


async def test_a_question_that_is_none_is_taken_back():
    session = Session()
    await asked(session, conversations(), ENGLISH)
    with pytest.raises(QuestionError):
        await asked(session, ScriptedLibrary(default=[QuestionError("question.empty")]), " ")
    assert [exchange.number for exchange in session.exchanges] == [1]
    await asked(session, conversations(), ENGLISH)
    assert [exchange.number for exchange in session.exchanges] == [1, 2]


async def test_a_long_conversation_keeps_its_last_part():
    library, session = conversations(), Session()
    for _ in range(KEPT_EXCHANGES + 2):
        await asked(session, library, ENGLISH)
    assert len(session.exchanges) == KEPT_EXCHANGES
    assert session.latest.number == KEPT_EXCHANGES + 2
    assert len(session.history()) == KEPT_TURNS
