import dataclasses
import datetime

import pytest

from conversations import FILTERED, HITS, filtered, filtered_out
from paraqa.events import Retrieved, Understood
from paraqa.types import Filters
from paraqa.ui.cards import evidence
from paraqa.ui.exchange import Exchange
from paraqa.ui.markup import join
from paraqa.ui.standing import standing
from scripted_library import covering, query


def after(events, question="q"):
    exchange = Exchange(number=1, question=question)
    for event in events:
        exchange = exchange.after(event)
    return exchange


def told(coverage, lang="en", hits=HITS, **asked):
    events = [Understood(query=query("q", **asked)), Retrieved(hits=hits, coverage=coverage)]
    return join(standing(after(events), lang))


def test_of_how_many_papers_how_many_match_and_how_many_are_shown():
    assert told(covering(12)) == '<p class="count">12 of 54 papers match, 5 shown</p>'
    assert told(covering(12), "zh") == '<p class="count">54 篇论文中有 12 篇匹配，显示 5 篇</p>'


def test_where_all_that_match_are_shown_one_number_is_enough():
    assert told(covering(5)) == '<p class="count">5 of 54 papers match</p>'


def test_one_paper_matches_in_the_singular():
    assert "1 of 54 papers matches<" in told(covering(1), hits=HITS[:1])


@pytest.mark.parametrize(
    ("lang", "label", "chips", "met"),
    [
        ("en", "Only papers", ("dated 2023 or later", "from NVIDIA"), "12 of 54 papers"),
        ("zh", "仅限", ("2023 年及以后", "来自 NVIDIA"), "54 篇中有 12 篇"),
    ],
)
def test_each_condition_read_from_the_question_is_a_chip(lang, label, chips, met):
    filters = Filters(since=datetime.date(2023, 1, 1), institutions=("NVIDIA",))
    line = told(covering(5, eligible=12), lang, filters=filters)
    spans = "".join(f'<span class="chip">{chip}</span>' for chip in chips)
    assert f'<span class="label">{label}</span>{spans}<span class="met">{met}</span>' in line


def test_without_conditions_there_are_no_chips():
    assert "filters" not in told(covering(5))


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", "None of the 54 papers meets these conditions."),
        ("zh", "54 篇论文均不符合这些条件。"),
    ],
)
def test_where_all_were_filtered_out_the_conditions_stand_beside_a_sentence(lang, words):
    page = evidence(after(filtered_out(lang), FILTERED[lang]), lang)
    assert words in page
    assert page.count('class="chip"') == 2
    assert 'class="count"' not in page
    assert "<ol" not in page


@pytest.mark.parametrize(
    ("strength", "en", "zh"),
    [
        ("weak", "only a part of what was asked", "所问内容的一部分"),
        ("none", "Nothing close was found", "没有找到相近的内容"),
    ],
)
def test_a_match_that_is_not_strong_says_so(strength, en, zh):
    assert en in told(covering(5, strength=strength))
    assert zh in told(covering(5, strength=strength), "zh")


def test_a_strong_match_needs_no_sentence():
    assert "note" not in told(covering(5))


def test_where_nothing_matches_that_is_said():
    assert "No paper matches the question." in told(covering(0, strength="none"), hits=())


def test_a_question_about_the_collection_is_told_apart():
    line = told(covering(5, strength="weak"), is_about_corpus=True)
    assert "about the collection itself" in line
    assert line.count('class="note"') == 1


def test_what_the_evidence_stands_on_does_not_change_when_the_answer_ends():
    *running, end = filtered()
    exchange = after(running)
    assert exchange.after(end).coverage == exchange.coverage == covering(3, eligible=31)
    assert dataclasses.replace(exchange).stopped().coverage == exchange.coverage
