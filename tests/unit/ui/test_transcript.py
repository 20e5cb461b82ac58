import dataclasses

import pytest

from conversations import ABSTAINED, CLAIMS_EN, CLAIMS_ZH, HITS, chinese, english, silent
from paraqa.errors import StoreNotFound
from paraqa.events import Delta, Retrieved, Understood
from paraqa.ui.exchange import Exchange
from paraqa.ui.transcript import exchange_markup, transcript
from scripted_library import query


def after(events, question="q", number=1):
    exchange = Exchange(number=number, question=question)
    for event in events:
        exchange = exchange.after(event)
    return exchange


def test_a_marker_leads_to_its_card_and_names_it():
    page = exchange_markup(after(english()), "en")
    assert (
        '<a class="cite" href="#t1-1" '
        'aria-label="source 1: Breadth-First Pipeline Parallelism"' in page
    )
    assert 'aria-label="来源 1：Breadth-First' in exchange_markup(after(english()), "zh")


def test_markers_come_from_citations_and_never_from_the_text():
    claim = CLAIMS_EN[0].model_copy(update={"text": "It gains 43% [2] [9]."})
    exchange = Exchange(number=1, question="q", hits=HITS, claims=(claim,))
    page = exchange_markup(exchange, "en")
    assert "It gains 43% [2] [9].</span>" in page
    assert page.count('class="cite"') == 1
    assert 'href="#t1-1"' in page


def test_a_number_without_a_card_makes_no_link():
    citation = CLAIMS_EN[0].citations[0].model_copy(update={"number": 9})
    claim = CLAIMS_EN[0].model_copy(update={"citations": (citation,)})
    page = exchange_markup(Exchange(number=1, question="q", hits=HITS, claims=(claim,)), "en")
    assert "cite" not in page


@pytest.mark.parametrize(
    ("support", "shape", "english", "chinese"),
    [
        ("full", "●", "supported by the source", "有原文支持"),
        ("partial", "◐", "partly supported", "部分有据"),
        ("none", "○", "not supported", "缺乏依据"),
        ("contradicted", "✕", "contradicted by the source", "与原文矛盾"),
    ],
)
def test_a_verdict_is_a_shape_and_a_word(support, shape, english, chinese):
    verdict = CLAIMS_EN[0].verdict.model_copy(update={"support": support})
    claim = CLAIMS_EN[0].model_copy(update={"verdict": verdict})
    exchange = Exchange(number=1, question="q", hits=HITS, claims=(claim,))
    assert f'aria-label="{english}" title="{english}">{shape}<' in exchange_markup(exchange, "en")
    assert f'title="{chinese}">{shape}<' in exchange_markup(exchange, "zh")


def test_the_reason_of_a_doubt_is_written_out():
    page = exchange_markup(after(chinese()), "zh")
    assert CLAIMS_ZH[2].verdict.reason in page.split('class="doubt"')[1]
    assert page.count('class="doubt"') == 1


def test_provisional_text_is_marked_as_such_and_has_no_marker():
    exchange = after([Retrieved(hits=HITS), Delta(number=1, text="It gains [1]")])
    page = exchange_markup(exchange, "en")
    assert '<li class="claim provisional">' in page
    assert "not checked yet" in page
    assert "cite" not in page


def test_an_abstention_tells_the_reason_and_the_nearest_papers():
    page = exchange_markup(after(silent("en"), ABSTAINED["en"]), "en")
    assert "No paper here mentions “vLLM”" in page
    assert [f'href="#t1-{n}"' in page for n in (1, 2, 3, 4)] == [True, True, True, False]
    assert "alert" not in page
    assert "No answer in these papers" in page


def test_a_partial_answer_keeps_its_sentences_and_says_what_is_missing():
    exchange = after(english())
    answer = exchange.answer.model_copy(update={"status": "partial", "reason": "no price"})
    page = exchange_markup(dataclasses.replace(exchange, answer=answer), "en")
    assert page.count('class="claim ') == 3
    assert "no price" in page


@pytest.mark.parametrize(("lang", "words"), [("en", "There is no store"), ("zh", "没有存储")])
def test_an_error_is_told_in_the_language_of_the_page(lang, words):
    exchange = after([]).failed(StoreNotFound("store.not_found", path="x"))
    page = exchange_markup(exchange, lang)
    assert words in page
    assert "<code>paraqa ingest</code>" in page
    assert 'role="alert"' in page


def test_a_defect_tells_no_details():
    assert "Something went wrong." in exchange_markup(after([]).failed(None), "en")


def test_a_stop_before_the_first_sentence_is_said():
    assert "Stopped before the first sentence." in exchange_markup(after([]).stopped(), "en")


def test_the_answer_is_announced_when_it_is_whole():
    assert 'aria-busy="true"' in exchange_markup(after([Understood(query=query("q"))]), "en")
    assert 'aria-busy="false"' in exchange_markup(after(english()), "en")


def test_a_transcript_is_its_exchanges_in_order():
    page = transcript([after(english(), number=1), after(english(), number=2)], "en")
    assert page.index('id="t1"') < page.index('id="t2"')


def test_the_line_before_the_sentences_is_the_step_and_then_the_lead():
    found = exchange_markup(after(english()[:2]), "zh")
    assert '<p class="opening"><span class="step">正在阅读证据</span>' in found
    finished = exchange_markup(after(english()), "zh")
    assert '<p class="opening" lang="en">Three of the papers found speak to this:</p>' in finished
