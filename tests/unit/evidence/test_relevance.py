"""Which sentences of a paper, and which papers, bear on a question."""

from __future__ import annotations

import pytest

from papers import (
    BACKBONE,
    BREADTH_FIRST,
    ENGLISH,
    FLEXPIPE,
    MEGATRON,
    MERAK,
    ZEUS,
    hits_of,
    query_of,
)
from paraqa import lang
from paraqa.evidence import (
    asks_for_figures,
    asks_for_origin,
    asks_to_compare,
    in_focus,
    on_topic,
    proposes,
    ranked,
    supporting,
)
from paraqa.types import Lang


@pytest.mark.parametrize(
    ("question", "language", "start"),
    [
        ("How much faster does Merak train on GPUs?", "en", "在64个GPU上"),
        ("Merak把训练性能提高了多少倍?", "zh", "在64个GPU上"),
        ("Which pipeline schedule does Merak use?", "en", "它使用了几种技术"),
        ("Merak用了什么流水线调度?", "zh", "它使用了几种技术"),
    ],
)
def test_the_sentence_that_bears_most_on_a_question_comes_first(
    question: str, language: Lang, start: str
) -> None:
    (hit,) = hits_of(MERAK)
    best = ranked(query_of(question, language), hit)
    assert best[0].text.startswith(start)
    assert len(best) == 4


def test_without_a_word_in_common_the_sentence_that_says_what_is_done_comes_first() -> None:
    (hit,) = hits_of(ENGLISH)
    assert ranked(query_of("它是什么?", "zh"), hit)[0].text.startswith("We present Tally")


@pytest.mark.parametrize(
    ("sentence", "start"),
    [
        ("It is faster by 1.42 and 1.61 times.", "在64个GPU上"),
        ("Merak is a framework with high utilization.", "我们提出了Merak"),
        ("它采用移位关键路线流水线调度。", "它使用了几种技术"),
    ],
)
def test_a_claim_is_supported_by_the_sentence_that_shares_its_figures_names_and_words(
    sentence: str, start: str
) -> None:
    (hit,) = hits_of(MERAK)
    found = supporting(sentence, query_of("What?", lang.detect(sentence)), hit)
    assert found.text.startswith(start)


def test_the_focus_is_on_the_papers_that_a_question_names() -> None:
    hits = hits_of(BREADTH_FIRST, MERAK, MEGATRON, FLEXPIPE, ZEUS, BACKBONE)
    named = in_focus(query_of("How do Merak and Zeus differ?", "en"), hits)
    assert [h.paper for h in named] == [MERAK, ZEUS]
    dated = in_focus(query_of("2022年的论文做了什么?", "zh"), hits)
    assert [h.paper for h in dated] == [ZEUS]


def test_a_name_that_many_papers_have_tells_nothing_apart() -> None:
    hits = hits_of(BREADTH_FIRST, MERAK, MEGATRON)
    assert in_focus(query_of("Which use a GPU?", "en", "list"), hits) == hits


def test_papers_from_an_institution_are_those_that_are_from_there() -> None:
    hits = hits_of(ZEUS, MEGATRON, MERAK)
    for query in (
        query_of("Which papers come from the University of Michigan?", "en", "list"),
        query_of("哪些论文来自密歇根大学?", "zh", "list"),
    ):
        assert [h.paper for h in on_topic(query, hits)] == [ZEUS]


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("How many GPUs were used?", "en"),
        ("What speedup does it report?", "en"),
        ("By how much does it reduce the load?", "en"),
        ("加速多少倍?", "zh"),
        ("在多大的模型上训练?", "zh"),
    ],
)
def test_a_question_for_figures_is_known(question: str, language: Lang) -> None:
    assert asks_for_figures(query_of(question, language))


def test_other_questions_do_not_ask_for_figures() -> None:
    assert not asks_for_figures(query_of("Which framework runs operators in parallel?", "en"))
    assert not asks_for_figures(query_of("哪个框架并行执行算子?", "zh"))


def test_questions_for_the_origin_and_for_a_comparison_are_known() -> None:
    assert asks_for_origin(query_of("Which company is behind it?", "en"))
    assert asks_for_origin(query_of("它出自哪家机构?", "zh"))
    assert not asks_for_origin(query_of("Which framework adds parallelism to Theano?", "en"))
    assert asks_to_compare(query_of("How do A and B differ?", "en"))
    assert asks_to_compare(query_of("A与B有什么不同?", "zh"))
    assert not asks_to_compare(query_of("哪篇论文更快?", "zh"))


def test_a_sentence_that_proposes_is_told_from_background() -> None:
    assert proposes("In this paper we propose a planner.")
    assert proposes("我们提出了一个规划器。")
    assert not proposes("Training is slow.")
    assert not proposes("训练很慢。")
