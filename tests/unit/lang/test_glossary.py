"""The glossary and its bridges."""

import pytest

from paraqa.lang import fold
from paraqa.lang.glossary import entries, expand, variants


def texts(question, why):
    found = expand(question, glossary_weight=0.8, bridge_weight=0.4)
    return {v.lang: v.text.split("; ") for v in found if v.why == why}


@pytest.mark.parametrize(
    ("question", "lang", "term"),
    [
        ("which papers reduce pipeline bubbles?", "zh", "流水线气泡"),
        ("哪些论文减少了流水线气泡?", "en", "pipeline bubble"),
        ("mixture-of-experts models", "zh", "混合专家"),
        ("GPU energy consumption", "zh", "能耗"),
        ("顯存有多大?", "en", "GPU memory"),
        ("Papers from UIUC", "zh", "伊利诺伊大学厄巴纳-香槟分校"),
        ("清华大学的论文", "en", "Tsinghua University"),
    ],
)
def test_a_concept_is_searched_for_in_the_other_language(question, lang, term):
    assert term in texts(question, "glossary")[lang]


@pytest.mark.parametrize(
    "question", ["which papers reduce pipeline bubbles?", "哪些论文减少了流水线气泡?"]
)
def test_a_bridge_leads_to_techniques_that_do_not_use_the_word(question):
    bridge = texts(question, "bridge")
    assert "interleaved" in bridge["en"]
    assert "调度" in bridge["zh"]


def test_a_name_inside_a_longer_name_is_not_a_concept_of_the_question():
    assert "language model" not in texts("large language models", "glossary").get("en", [])
    assert "语言模型" not in texts("large language models", "glossary")["zh"]


def test_a_question_without_concepts_has_no_expansion():
    assert expand("Who won?", glossary_weight=0.8, bridge_weight=0.4) == ()


def test_a_weight_of_zero_leaves_the_expansion_out():
    found = expand("pipeline bubbles", glossary_weight=0.8, bridge_weight=0)
    assert {v.why for v in found} == {"glossary"}


def test_the_question_itself_is_the_first_variant():
    first, *others = variants("流水线气泡", "zh", glossary_weight=0.8, bridge_weight=0.4)
    assert (first.text, first.lang, first.why, first.weight) == (
        "流水线气泡",
        "zh",
        "question",
        1.0,
    )
    assert {v.weight for v in others} == {0.8, 0.4}


def test_every_line_names_its_concept_once_in_each_form():
    assert len(entries()) > 150
    for entry in entries():
        assert len(entry.names) >= 2
        folded = [fold(form) for form in entry.related]
        assert len(folded) == len(set(folded))
        assert all(form == form.strip() and ";" not in form for form in entry.names + entry.related)
