"""Search terms."""

import subprocess
import sys

import pytest

from paraqa.lang import is_generic, surfaces, terms


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("GPUs", "gpu"),
        ("DNNs and LLMs", "dnn llm"),
        ("parallelisation", "parallelization"),
        ("pipelines", "pipeline"),
        ("深度學習", "深度学习"),
        ("Ｔｒａｎｓｆｏｒｍｅｒ", "transformer"),
        ("1.42x", "1.42"),
        ("1.42倍", "1.42 倍"),
        ("GPU上的训练", "gpu 上的 训练"),
    ],
)
def test_forms_of_one_word_are_one_term(one, other):
    assert terms(one).words == terms(other).words != ()


def test_a_category_is_found_whole_and_in_parts():
    assert terms("cs.AR").words == ("cs.ar", "cs", "ar")


def test_a_date_is_found_by_its_year():
    assert "2019" in terms("2019-06-11").words


def test_numbers_keep_their_point():
    assert "1.42" in terms("1.42x").words
    assert "1.42" in terms("快1.42倍").words


def test_words_that_ask_are_no_terms():
    assert terms("which of these papers is it?") == ((), ())
    assert terms("有哪些论文?") == ((), ())


def test_bigrams_fill_in_what_the_words_do_not_hold():
    assert terms("流水线并行") == (("流水线", "并行"), ("流水", "水线", "线并"))


def test_no_bigram_reaches_over_a_stop_word_or_a_break():
    assert terms("气泡的调度").bigrams == ()
    assert terms("气泡;调度").bigrams == ()


def test_repetitions_are_kept_because_documents_are_weighed_by_them():
    assert terms("gpu GPU").words == ("gpu", "gpu")


def test_a_text_without_words_has_no_terms():
    assert terms("") == terms("?!—🙂") == ((), ())


def test_a_term_can_be_shown_as_the_reader_wrote_it():
    assert surfaces("parallelised pipelines 流水线") == {
        "parallel": "parallelised",
        "pipelin": "pipelines",
        "流水线": "流水线",
    }


def test_what_any_paper_does_is_generic():
    assert is_generic("reduc")
    assert is_generic("提高")
    assert not is_generic("pipelin")


def test_loading_the_dictionary_is_silent_and_warns_of_nothing():
    code = "from paraqa.lang import warm, terms; warm(); assert terms('流水线').words"
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_importing_the_language_loads_no_dictionary():
    code = "import sys, paraqa.lang; assert not {'jieba', 'Stemmer'} & set(sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
