import pytest
from pydantic import TypeAdapter

from paraqa.events import (
    AskEvent,
    Delta,
    Finished,
    Rejected,
    Retrieved,
    Settled,
    Understood,
    gather,
)
from paraqa.types import Answer, Claim, Query, Variant, Verdict

QUERY = Query(
    text="q?",
    standalone="q?",
    lang="en",
    kind="answer",
    variants=(Variant(text="q?", lang="en", why="question", weight=1.0),),
)
CLAIM = Claim(text="It gains 43%.", citations=(), verdict=Verdict(support="full", method="quote"))


def test_events_without_an_end_are_a_cancelled_answer_with_what_settled():
    events = [
        Understood(query=QUERY),
        Retrieved(hits=()),
        Settled(claim=CLAIM),
        Delta(number=2, text="half a sen"),
    ]
    answer = gather(events)
    assert answer.status == "cancelled"
    assert answer.claims == (CLAIM,)


def test_a_finished_answer_is_taken_as_it_is():
    answer = Answer(query=QUERY, status="answered", claims=(CLAIM,), model="m")
    assert gather([Understood(query=QUERY), Finished(answer=answer)]) is answer


def test_nothing_understood_is_no_answer():
    with pytest.raises(ValueError, match="no event"):
        gather([])


def test_an_event_reads_its_own_json():
    adapter = TypeAdapter(AskEvent)
    event = Finished(answer=Answer(query=QUERY, status="answered", claims=(CLAIM,), model="m"))
    assert adapter.validate_json(event.model_dump_json()) == event


def test_a_rejection_is_told_in_the_language_of_the_reader_and_read_from_its_own_json():
    lost = Rejected.because("a.txt", 7, "formats.no_such_date", line="2024-02-30")
    assert lost.reason == lost.told("en") == "The date in '2024-02-30' does not exist."
    assert lost.told("zh") == "'2024-02-30' 中的日期不存在。"
    assert Rejected.model_validate_json(lost.model_dump_json()) == lost


def test_a_rejection_without_a_pair_is_told_as_it_is():
    assert Rejected(path="a", line=None, reason="no date").told("zh") == "no date"
