"""Which language a text is in."""

import pytest

from paraqa.lang import LANGS, detect, is_in_language, preferred, quoted


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("which papers reduce pipeline bubbles?", "en"),
        ("哪些论文减少了流水线气泡?", "zh"),
        ("哪些論文減少了管線氣泡？", "zh"),
        ("Megatron-LM在多少个GPU上训练?", "zh"),
        ("GPU集群", "zh"),
        ("What is 流水线气泡?", "en"),
        ("“流水线气泡” means what?", "en"),
        ("「pipeline bubble」是什么?", "zh"),
        ("Papers from Peking University (北京大学)", "en"),
        ("有哪些论文来自NVIDIA(英伟达)?", "zh"),
        ("本文提出Beyond Data and Model Parallelism for Deep Neural Networks", "zh"),
        ("", "en"),
        ("42?", "en"),
    ],
)
def test_a_question_is_in_the_language_of_its_own_words(text, language):
    assert detect(text) == language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("It reaches 43% more throughput. [1]", "en"),
        ("It says “提出广度优先流水线并行” [1].", "en"),
        ("Synergy (协同) is by ByteDance (字节跳动公司).", "en"),
        ("它在520亿参数模型上提升43%。[1]", "zh"),
        ("Breadth-First Pipeline Parallelism 提升43%", "zh"),
        ("「trains a model with 52 billion parameters」[1]", "zh"),
        ("「trains a model with 52 billion parameters」[1]", "en"),
        ("43% [1]", "en"),
        ("43% [1]", "zh"),
    ],
)
def test_quotes_names_and_glosses_do_not_change_the_language_of_a_sentence(text, language):
    assert is_in_language(text, language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("It trains 520亿 parameters.", "en"),
        ("它提升了吞吐量。", "en"),
        ("This sentence is English.", "zh"),
        ("它 uses a schedule that keeps every device busy", "zh"),
    ],
)
def test_a_sentence_in_the_other_language_is_noticed(text, language):
    assert not is_in_language(text, language)


def test_a_quotation_mark_that_is_never_closed_quotes_nothing():
    assert not is_in_language("“它提升了吞吐量", "en")


@pytest.mark.parametrize("language", LANGS)
def test_what_is_quoted_may_be_in_any_language(language):
    assert is_in_language(quoted("一半 half", language), language)


def test_each_language_has_its_own_quotation_marks():
    assert quoted("x", "en") == "“x”"
    assert quoted("x", "zh") == "「x」"


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_TW"}, "zh"),
        ({"LC_ALL": "C", "LANG": "zh_CN"}, "en"),
        ({"LC_ALL": "", "LC_MESSAGES": "zh_CN", "LANG": "en_US"}, "zh"),
        ({"LANG": "de_DE"}, "en"),
        ({}, "en"),
    ],
)
def test_the_locale_chooses_the_language(environ, language):
    assert preferred(environ) == language
