"""Names and figures of an entry, in whichever of its languages."""

from __future__ import annotations

import pytest

from papers import BREADTH_FIRST, ENGLISH, FLEXPIPE, MEGATRON, MERAK, ZEUS
from paraqa.evidence import glossary_forms, is_near, mentions, names, source
from paraqa.types import Paper


def test_names_are_told_from_words() -> None:
    text = "What does the vLLM of Google do on an A100? The FP8 of 3D parallelism. zeus"
    assert names(text) == ["vLLM", "Google", "A100", "FP8"]
    assert names("Zeus把DNN训练的能效提高了") == ["Zeus", "DNN"]
    assert names("How do I use it? We train.") == []


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("megatron-lm", "megtron-lm", True),
        ("galvatron", "galvtron", True),
        ("a100", "h100", False),
        ("gpt-3.5", "gpt-4.5", False),
        ("flexflow", "flexpipe", False),
    ],
)
def test_a_slip_of_the_pen_is_near_and_another_number_is_not(
    one: str, other: str, *, near: bool
) -> None:
    assert is_near(one, other) is near


@pytest.mark.parametrize(
    ("paper", "name"),
    [
        (BREADTH_FIRST, "Breadth-First"),
        (BREADTH_FIRST, "ServiceNow"),
        (BREADTH_FIRST, "GPUs"),
        (FLEXPIPE, "Megatron-LM"),
        (ZEUS, "密歇根大学"),
    ],
)
def test_an_entry_has_names_of_its_title_institutions_and_abstract(paper: Paper, name: str) -> None:
    assert source(paper).has_name(name)


def test_an_entry_does_not_have_what_only_looks_like_its_names() -> None:
    assert not source(FLEXPIPE).has_name("FlexFlow")
    assert not source(MERAK).has_name("Zeus")


def test_a_concept_under_its_other_name_is_not_missing() -> None:
    assert source(MEGATRON).missing_names("It trains an LLM on GPUs.") == []
    assert source(ZEUS).missing_names("It trains an LLM.") == ["LLM"]


def test_figures_agree_across_languages_and_units() -> None:
    held = "52 billion, 43%, 43 percent, 520亿"
    assert source(BREADTH_FIRST).missing_figures(held) == []
    assert source(ENGLISH).missing_figures("520亿个键,快1.4倍") == []
    assert source(BREADTH_FIRST).missing_figures("5.2 billion, 43x") == ["5.2 billion", "43x"]


def test_a_unit_may_be_said_in_other_words() -> None:
    assert source(FLEXPIPE).missing_figures("a speedup of 2.28") == []


def test_a_count_may_be_a_word_of_the_entry_or_of_the_question() -> None:
    question = "Merak对四种规模的模型分别加速多少倍?"
    assert source(ZEUS).missing_figures("对4种规模加速") == ["4"]
    assert source(ZEUS).missing_figures("对4种规模加速", question=question) == []
    assert source(ENGLISH).missing_figures("It runs on 8 machines.") == []


def test_latin_terms_are_mentioned_as_whole_words() -> None:
    assert mentions("two bubbles in a pipeline", "bubble")
    assert not mentions("apple pipelines", "lines")
    assert mentions("流水线气泡", "气泡")


def test_the_glossary_has_other_names_for_a_name() -> None:
    assert "谷歌" in glossary_forms("Google")
    assert glossary_forms("Zeus") == ["Zeus"]
