"""Questions understood."""

import pytest

from paraqa.errors import QuestionError
from paraqa.lang import LANGS
from paraqa.rewriter import LIMIT, Rewriter
from paraqa.settings import RetrievalSettings
from paraqa.types import Turn

REWRITER = Rewriter(RetrievalSettings())


def rewrite(question, *said, lang=None, titles=None):
    """The query for a question after turns that begin with the user's."""
    roles = ("user", "assistant")
    history = [
        Turn(role=roles[i % 2], text=turn) if isinstance(turn, str) else turn
        for i, turn in enumerate(said)
    ]
    return REWRITER.rewrite(question, lang=lang, history=history, titles=titles)


LISTED = ("Which papers are on MoE?", "1. MoE Parallel Folding [1]\n2. MegaScale-Infer [2]")
LISTED_ZH = ("哪些论文涉及混合专家?", "1. MoE并行折叠 [1];2. MegaScale-Infer [2]。")


@pytest.mark.parametrize(
    ("question", "said", "standalone"),
    [
        (
            "Does it save energy?",
            ("Tell me about Zeus.", "Zeus [1] is a framework."),
            "Does Zeus save energy?",
        ),
        ("它能省电吗?", ("介绍一下Zeus。", "Zeus [1] 是一个框架。"), "Zeus能省电吗?"),
        (
            "What speedup did it reach?",
            ("Is there one for Theano?", "Yes, Synkhronos [1] from UC Berkeley."),
            "What speedup did Synkhronos reach?",
        ),
        (
            "它用8个GPU达到了多少倍?",
            ("Theano有吗?", "有,加州大学伯克利分校的Synkhronos [1]。"),
            "Synkhronos用8个GPU达到了多少倍?",
        ),
        (
            "What is its throughput?",
            ("Tell me about Zeus.", "Zeus [1] is good."),
            "What is Zeus's throughput?",
        ),
        ("And the second one, how fast is it?", LISTED, "And MegaScale-Infer, how fast is it?"),
        ("第二篇有多快?", LISTED_ZH, "MegaScale-Infer有多快?"),
        ("Who wrote the former?", LISTED, "Who wrote MoE Parallel Folding?"),
        ("后者的作者是谁?", LISTED_ZH, "MegaScale-Infer的作者是谁?"),
        ("Compare them.", LISTED, "Compare MoE Parallel Folding and MegaScale-Infer."),
        ("它们有什么区别?", LISTED_ZH, "MoE并行折叠和MegaScale-Infer有什么区别?"),
        (
            "这篇论文来自哪里?",
            ("哪篇论文提升43%?", "是《Breadth-First Pipeline Parallelism》[1]。"),
            "Breadth-First Pipeline Parallelism来自哪里?",
        ),
    ],
)
def test_a_follow_up_names_what_it_refers_to(question, said, standalone):
    query = rewrite(question, *said)
    assert query.standalone == query.variants[0].text == standalone
    assert query.text == question


@pytest.mark.parametrize(
    "question",
    [
        "Which paper runs state-space models on several GPUs, and how does it cut communication?",
        "Zeus and Merak were measured. What do they improve?",
        "How do LLM serving systems reduce their latency?",
        "Is it possible to train on one GPU?",
        "Who are the authors of FlexFlow?",
        "When a GPU fails, does it recover?",
        "Which of these papers trains on TPUs?",
        "哪项工作为推理定制硬件?它报告哪些指标?",
        "序列并行和Tesseract都做了比较,它们各自改进了什么?",
        "尤其是其他流水线并行方法有哪些?",
        "这些论文中哪一篇在TPU上训练?",
        "What is a pipeline bubble?",
    ],
)
def test_a_question_that_stands_alone_is_never_touched(question):
    assert rewrite(question, *LISTED).standalone == question


@pytest.mark.parametrize("question", ["Does it save energy?", "它能省电吗?", "And the energy?"])
def test_without_a_history_nothing_can_be_referred_to(question):
    assert rewrite(question).standalone == question


def test_a_continuation_stands_behind_the_question_that_it_goes_on_from():
    assert (
        rewrite("And the energy?", *LISTED).standalone == "Which papers are on MoE? And the energy?"
    )
    assert rewrite("那能耗呢?", *LISTED_ZH).standalone == "哪些论文涉及混合专家?那能耗呢?"


def test_a_continuation_about_one_paper_names_it():
    assert rewrite("And the energy?", "Tell me of Zeus.", "Zeus [1] is good.").standalone == (
        "Zeus: And the energy?"
    )


def test_titles_of_cited_papers_are_used_where_the_answer_named_none():
    quotes = Turn(role="assistant", text="「方法一」[3]\n「方法二」[5]", cited=("a", "b"))
    titles = {"a": "Breadth-First Pipeline Parallelism", "b": "Zeus: Understanding GPU Energy"}
    query = rewrite("第二篇讲了什么?", "有哪些方法?", quotes, titles=titles)
    assert query.standalone == "Zeus讲了什么?"


def test_the_latest_turn_that_names_something_is_meant():
    said = (
        "Tell me about Zeus.",
        "Zeus [1] is old.",
        "And Merak?",
        "Merak [2] is new.",
        "Thanks.",
        "Yes.",
    )
    assert rewrite("Is it fast?", *said).standalone == "Is Merak fast?"


def test_a_place_that_was_not_listed_leaves_the_question_with_the_one_before():
    assert rewrite("And the fifth one?", *LISTED).standalone == (
        "Which papers are on MoE? And the fifth one?"
    )


@pytest.mark.parametrize(
    "question",
    [
        "which papers reduce pipeline bubbles?",
        "List the papers dated 2025 or later.",
        "Show me the papers from NVIDIA.",
        "What was published in 2019?",
        "Which 2024 papers are about training?",
        "Are there any papers from Google?",
        "哪些论文减少了流水线气泡?",
        "有哪些论文来自NVIDIA?",
        "列出2025年及以后的论文。",
        "2024年的论文里哪些是关于训练的?",
        "有没有关于能耗的论文?",
    ],
)
def test_a_question_for_all_papers_is_a_list_question(question):
    assert rewrite(question).kind == "list"


@pytest.mark.parametrize(
    "question",
    [
        "Which paper scales graph neural networks?",
        "How large was the model?",
        "What do the letters of SOAP stand for?",
        "哪篇论文把图神经网络扩展到大规模图?它结合了哪些算法?",
        "SOAP搜索空间包含哪四个维度?",
        "Merak加速多少倍?",
    ],
)
def test_any_other_question_asks_for_an_answer(question):
    assert rewrite(question).kind == "answer"


def test_the_answer_is_in_the_language_of_the_question_unless_another_is_wanted():
    assert rewrite("流水线气泡").lang == "zh"
    assert rewrite("流水线气泡", lang="en").lang == "en"
    assert rewrite("流水线气泡", lang="en").variants[0].lang == "zh"


def test_translations_and_bridges_weigh_what_the_settings_say():
    settings = RetrievalSettings(glossary_weight=0.7, bridge_weight=0.3)
    query = Rewriter(settings).rewrite("pipeline bubbles", lang=None, history=())
    assert {(v.why, v.weight) for v in query.variants} == {
        ("question", 1.0), ("glossary", 0.7), ("bridge", 0.3),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("", "question.empty"),
        (" \n ", "question.empty"),
        ("\u200b\u202e", "question.unreadable"),
        ("?!…", "question.unreadable"),
        ("\ufffd\ufffd\ufffda", "question.unreadable"),
        ("x" * (LIMIT + 1), "question.too_long"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_both_languages(question, key):
    with pytest.raises(QuestionError) as error:
        rewrite(question)
    assert error.value.key == key
    assert all(error.value.message(lang) and error.value.hint(lang) for lang in LANGS)


def test_a_question_as_long_as_the_limit_is_read():
    assert rewrite("x" * LIMIT).standalone == "x" * LIMIT
