import dataclasses

import pytest

from conversations import CLAIMS_EN, HITS, chinese, english, silent
from paraqa.events import Delta, Preparing, Retrieved, Understood
from paraqa.types import ModelUsage
from paraqa.ui.exchange import Exchange
from paraqa.ui.status import model_label, outcome, progress, understood
from scripted_library import query


def after(events):
    exchange = Exchange(number=1, question="q")
    for event in events:
        exchange = exchange.after(event)
    return exchange


FOUND = [Understood(query=query("q")), Retrieved(hits=HITS)]


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ([], "Searching the papers"),
        (FOUND, "Reading the evidence"),
        ([*FOUND, Preparing(step="joining")], "Preparing the local model"),
        ([*FOUND, Preparing(step="ready")], "Reading the evidence"),
        ([*FOUND, Delta(number=3, text="x")], "Writing from source 3"),
    ],
)
def test_a_running_answer_says_its_step(events, words):
    line = "".join(progress(after(events), "en"))
    assert words in line
    assert 'data-template="{} s"' in line


def test_a_finished_answer_says_sentences_model_and_seconds():
    line = outcome(after(english()), "en")
    assert ">3 sentences, 2 supported, 1 partly supported<" in line
    assert ">local model<" in line
    assert ">6.1 s<" in line
    line = outcome(after(chinese()), "zh")
    assert ">3 句，其中 2 句有据<" in line
    assert ">6.1 秒<" in line


def test_a_running_answer_has_no_outcome():
    assert outcome(after(FOUND), "en") is None


def test_one_sentence_is_singular_and_full_support_needs_no_count():
    exchange = dataclasses.replace(after(english()), claims=CLAIMS_EN[:1])
    assert ">1 sentence<" in outcome(exchange, "en")


def test_an_abstention_names_no_model():
    line = outcome(after(silent("en")), "en")
    assert "No answer in these papers" in line
    assert "model" not in line


def test_a_stop_says_what_was_kept():
    line = outcome(dataclasses.replace(after(FOUND), claims=CLAIMS_EN[:2]).stopped(), "en")
    assert "Stopped" in line
    assert "2 sentences" in line


def test_the_tokens_are_at_hand():
    exchange = after(english())
    usage = ModelUsage(calls=2, prompt_tokens=100, cached_tokens=20, generated_tokens=30)
    answer = exchange.answer.model_copy(update={"usage": usage})
    line = outcome(dataclasses.replace(exchange, answer=answer), "en")
    assert 'title="120 tokens read, 30 written, in 2 calls"' in line


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("local", "local model"),
        ("extractive", "quoted, no model"),
        ("openai:qwen3", "model openai:qwen3"),
    ],
)
def test_the_model_is_named(name, label):
    assert model_label(name, "en") == label


def test_what_was_understood_shows_the_other_forms_that_are_searched():
    line = understood(after([Understood(query=query("pipeline", "流水线", is_list=True))]), "en")
    assert "a list of papers" in line
    assert '<span class="term" lang="zh">流水线</span>' in line


def test_of_many_forms_some_of_each_kind_are_shown_and_the_rest_is_at_hand():
    asked = query("bubbles", "气泡; 空泡；空闲", "idle; stall; wait; gap")
    line = understood(after([Understood(query=asked)]), "en")
    shown = ("气泡", "idle", "空泡", "stall", "空闲")
    assert [line.index(f">{form}<") for form in shown] == sorted(
        line.index(f">{form}<") for form in shown
    )
    assert ">wait<" not in line
    assert 'title="气泡; 空泡；空闲\nidle; stall; wait; gap">+2<' in line


def test_a_follow_up_shows_what_it_was_taken_for():
    asked = query("and its energy?").model_copy(update={"standalone": "energy of Zeus"})
    assert "Understood as: energy of Zeus" in understood(after([Understood(query=asked)]), "en")


def test_a_plain_question_needs_no_line():
    assert understood(after([Understood(query=query("q"))]), "en") is None
    assert understood(after([]), "en") is None
