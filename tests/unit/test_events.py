import pytest
from pydantic import TypeAdapter

from paraqa.events import (
    AskEvent,
    Delta,
    Estimated,
    Finished,
    IngestEvent,
    Reason,
    Rejected,
    Retrieved,
    Settled,
    Translated,
    TranslateEvent,
    TranslationReport,
    Understood,
    gather,
)
from paraqa.types import Answer, Claim, Coverage, Query, Rendering, Variant, Verdict

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


COVERAGE = Coverage(papers=54, eligible=9, matching=2, strength="weak")


def test_the_evidence_says_what_it_stands_on():
    event = Retrieved(hits=(), coverage=COVERAGE)
    assert TypeAdapter(AskEvent).validate_json(event.model_dump_json()) == event
    assert Retrieved(hits=()).coverage == Coverage(strength="none")


def test_a_cancelled_answer_keeps_what_its_evidence_stands_on():
    events = [Understood(query=QUERY), Retrieved(hits=(), coverage=COVERAGE), Settled(claim=CLAIM)]
    assert gather(events).coverage == COVERAGE


@pytest.mark.parametrize(
    ("kind", "event"),
    [
        (IngestEvent, Estimated(papers=9, passages=90, seconds=12.5)),
        (
            TranslateEvent,
            Translated(
                paper_id="t1",
                title="Zeus",
                rendering=Rendering(lang="en", abstract="It saves.", origin="machine"),
                done=1,
                total=2,
            ),
        ),
        (TranslateEvent, TranslationReport(skipped=3)),
    ],
)
def test_an_event_of_taking_in_or_translating_reads_its_own_json(kind, event):
    assert TypeAdapter(kind).validate_json(event.model_dump_json()) == event


def test_a_reason_is_told_in_the_language_of_the_reader():
    reason = Reason.of("formats.no_such_date", line="2024-02-30")
    assert reason.text == reason.told("en") == "The date in '2024-02-30' does not exist."
    assert reason.told("zh") == "'2024-02-30' 中的日期不存在。"
