"""One clean sentence out of what a model streams."""

from __future__ import annotations

import pytest

from papers import BREADTH_FIRST
from paraqa.answerer.sentence import Sentence
from paraqa.types import Lang, Paper, Source

PAPER = Paper(title="Some: Paper", source=Source(file="list.txt", line=1))


def stream(text: str, lang: Lang, size: int = 1) -> tuple[Sentence, str]:
    """The sentence after the text, and all that the reader was shown meanwhile."""
    sentence, shown = Sentence(lang, PAPER), ""
    for end in range(size, len(text) + size, size):
        shown += sentence.feed(text[:end])
    return sentence, shown


@pytest.mark.parametrize(
    ("raw", "text", "removed"),
    [
        ("It gains 43% [1].", "It gains 43%.", 1),
        ("It gains 43%[1][2].", "It gains 43%.", 2),
        ("It gains 43% [1, 2-4].", "It gains 43%.", 1),
        ("It gains 43% [^3].", "It gains 43%.", 1),
        ("It gains 43% [Source 1].", "It gains 43%.", 1),
        ("It gains 43% (Source 2).", "It gains 43%.", 1),
        ("It gains 43% (1).", "It gains 43%.", 1),
        ("It gains 43% [1](http://x.example/a).", "It gains 43%.", 1),
        ("It gains 43%【1】.", "It gains 43%.", 1),
        ("It gains 43%.[P18]", "It gains 43%.", 1),
        ("It was shown (2021) on a grid [sic].", "It was shown (2021) on a grid [sic].", 0),
        ("It starts with g=[2,16] and stops.", "It starts with g=[2,16] and stops.", 0),
        ("It has (1) a planner and (2) a cache.", "It has (1) a planner and (2) a cache.", 0),
    ],
)
def test_markers_that_a_model_wrote_are_removed_and_counted_and_prose_stays(
    raw: str, text: str, removed: int
) -> None:
    sentence, _ = stream(raw, "en")
    assert sentence.finished(is_cut=False) == text
    assert sentence.removed_markers == removed


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("它提升43%[1]。", "它提升43%。"),
        ("它提升43%【1,2】。", "它提升43%。"),
        ("它提升43%(来源1)。", "它提升43%。"),
        ("它提升43%(1)。", "它提升43%。"),
        ("它发表于(2021)年。", "它发表于(2021)年。"),
    ],
)
def test_markers_in_chinese_go_too(raw: str, text: str) -> None:
    assert stream(raw, "zh")[0].finished(is_cut=False) == text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("![x](http://evil.example/?q=1) It runs.", "It runs."),
        ("It <b>runs</b><script>alert(1)</script> fast.", "It runsalert(1) fast."),
        ("It is [here](http://evil.example).", "It is here."),
        ("**It** runs `fast`.", "It runs fast."),
        ("- It runs.", "It runs."),
        ("<think>[1] Let me see. </think>It runs.", "It runs."),
        ("Answer: It runs.", "It runs."),
        ("Sure! It runs.", "It runs."),
        ("Here is the sentence:\nIt runs.", "It runs."),
        ("It needs 5 < 6 steps.", "It needs 5 < 6 steps."),
    ],
)
def test_markup_thoughts_and_preambles_are_taken_out(raw: str, text: str) -> None:
    assert stream(raw, "en")[0].finished(is_cut=False) == text


def test_what_is_shown_meanwhile_never_holds_a_marker_or_markup() -> None:
    raw = "It gains <b>43%</b> [Source 1] over ![x](http://evil.example) others."
    for size in (1, 3, 7):
        _, shown = stream(raw, "en", size)
        assert "It gains 43% over others.".startswith(shown.strip())
        assert len(shown) > 10


def test_thoughts_are_not_shown_while_they_last() -> None:
    sentence, shown = stream("<think>Is it 43? The", "en")
    assert shown == ""
    assert sentence.finished(is_cut=True) is None


def test_only_the_first_sentence_is_kept() -> None:
    sentence, shown = stream("It gains 1.42 times, e.g. on GPUs. It also", "en")
    assert sentence.is_complete
    assert shown == sentence.finished(is_cut=True) == "It gains 1.42 times, e.g. on GPUs."


def test_the_question_said_again_is_no_answer() -> None:
    assert stream("它能处理多长的序列?它能处理114K个令牌。", "zh")[0].finished(is_cut=False) == (
        "它能处理114K个令牌。"
    )
    assert stream("How long is it?", "en")[0].finished(is_cut=False) is None


def test_a_sentence_that_was_cut_off_ends_at_its_last_whole_clause() -> None:
    raw = "它提出了一个可编程的流水线并行训练框架，支持灵活的调度探索，相比已有系统最高加速1."
    assert stream(raw[:-1], "zh")[0].finished(is_cut=True) == (
        "它提出了一个可编程的流水线并行训练框架，支持灵活的调度探索。"
    )


def test_a_sentence_that_was_cut_off_early_is_given_up() -> None:
    assert stream("This paper proposes a new and very", "en")[0].finished(is_cut=True) is None


def test_an_answer_that_the_model_ended_itself_gets_its_full_stop() -> None:
    assert stream("It is from NVIDIA", "en")[0].finished(is_cut=False) == "It is from NVIDIA."
    assert stream("由英伟达提出", "zh")[0].finished(is_cut=False) == "由英伟达提出。"


@pytest.mark.parametrize(
    ("raw", "lang", "text"),
    [
        ("FlexPipe", "en", "Some gives the answer: FlexPipe."),
        ("52 billion.", "en", "Some gives the answer: 52 billion."),
        ("FlexPipe", "zh", "《Some》给出的答案是:FlexPipe。"),
        ("Meta公司。", "zh", "《Some》给出的答案是:Meta公司。"),
    ],
)
def test_an_answer_that_is_no_sentence_is_put_behind_its_title(
    raw: str, lang: Lang, text: str
) -> None:
    assert stream(raw, lang)[0].finished(is_cut=False) == text


@pytest.mark.parametrize(
    ("raw", "lang"),
    [
        ("NOT STATED", "en"),
        ("NOT STATED.", "en"),
        ("The price is NOT STATED.", "en"),
        ("The paper does not mention a price.", "en"),
        ("未提及", "zh"),
        ("文中没有提到价格。", "zh"),
        ("未提及。", "en"),
    ],
)
def test_a_model_that_finds_no_answer_has_declined(raw: str, lang: Lang) -> None:
    sentence, shown = stream(raw, lang)
    assert sentence.has_declined
    assert raw not in shown


def test_an_answer_about_what_is_not_done_is_no_decline() -> None:
    assert not stream("It does not need offline measurements.", "en")[0].has_declined
    assert not stream("它不需要离线测量。", "zh")[0].has_declined


def test_quantities_are_written_as_the_answers_language_writes_them() -> None:
    assert stream("It has 520亿 parameters.", "en")[0].finished(is_cut=False) == (
        "It has 52 billion parameters."
    )
    assert stream("它有 52 billion 参数。", "zh")[0].finished(is_cut=False) == "它有 520亿 参数。"


def test_a_stray_term_of_the_glossary_is_translated() -> None:
    sentence, _ = stream("It combines流水线并行 with sharding.", "en")
    assert sentence.finished(is_cut=False) == "It combines pipeline parallelism with sharding."


@pytest.mark.parametrize(
    ("raw", "lang"),
    [
        ("It combines 某种别的东西 with sharding.", "en"),
        ("这是中文。", "en"),
        ("It is English.", "zh"),
    ],
)
def test_a_sentence_in_the_wrong_language_is_given_up(raw: str, lang: Lang) -> None:
    assert stream(raw, lang)[0].finished(is_cut=False) is None


def test_a_copy_of_the_title_is_no_sentence() -> None:
    sentence = Sentence("en", BREADTH_FIRST)
    sentence.feed("Breadth-First Pipeline Parallelism")
    assert sentence.finished(is_cut=False) is None
