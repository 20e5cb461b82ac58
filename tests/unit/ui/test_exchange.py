from conversations import CLAIMS_EN, HITS, english, paused
from paraqa.errors import StoreNotFound
from paraqa.events import AskEvent, Delta, Dropped, Settled
from paraqa.ui.exchange import Exchange
from scripted_library import Gate


def after(events) -> Exchange:
    exchange = Exchange(number=1, question="q")
    for event in events:
        if isinstance(event, AskEvent.__origin__):
            exchange = exchange.after(event)
    return exchange


def test_deltas_add_up_and_the_settled_claim_replaces_them():
    writing = after([Delta(number=1, text="It "), Delta(number=1, text="gains")])
    assert (writing.writing, writing.writing_from) == ("It gains", 1)
    settled = writing.after(Settled(claim=CLAIMS_EN[0]))
    assert (settled.writing, settled.writing_from) == ("", None)
    assert settled.claims == (CLAIMS_EN[0],)


def test_dropped_text_leaves_no_trace():
    exchange = after([Delta(number=4, text="nothing"), Dropped(number=4)])
    assert exchange.writing == ""
    assert exchange.claims == ()


def test_text_from_another_paper_starts_anew():
    exchange = after([Delta(number=1, text="a"), Delta(number=2, text="b")])
    assert (exchange.writing, exchange.writing_from) == ("b", 2)


def test_a_finished_exchange_is_two_turns_with_the_papers_it_cited():
    question, answer = after(english()).turns()
    assert (question.role, question.text) == ("user", "q")
    assert "[1]" in answer.text
    assert answer.cited == tuple(hit.paper.id for hit in HITS[:3])


def test_stopping_keeps_what_settled_and_takes_the_rest_away():
    stopped = after(paused(Gate())).stopped()
    assert stopped.state == "stopped"
    assert stopped.claims == CLAIMS_EN[:2]
    assert stopped.writing == ""


def test_what_did_not_finish_is_no_history():
    running = after(paused(Gate()))
    assert running.turns() == ()
    assert running.stopped().turns() == ()
    assert running.failed(StoreNotFound("store.not_found", path="x")).turns() == ()


def test_the_quotes_of_a_paper_are_those_of_its_number():
    exchange = after(english())
    assert exchange.citations(2) == CLAIMS_EN[1].citations
    assert exchange.citations(5) == ()
