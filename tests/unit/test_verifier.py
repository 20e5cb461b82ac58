"""The judge: whether there is an answer, and whether the paper says the sentence."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterable, Sequence

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
from paraqa.nodes import lexical_text, passages_of
from paraqa.settings import VerifySettings
from paraqa.types import Coverage, Draft, Filters, Hit, Lang, Paper, Query
from paraqa.verifier import Verifier

ALL = (BREADTH_FIRST, MERAK, MEGATRON, FLEXPIPE, ZEUS, BACKBONE, ENGLISH)


class Corpus:
    """Frequencies of terms over some papers."""

    def __init__(self, papers: Sequence[Paper]) -> None:
        self._papers = papers
        self._held: Counter[str] = Counter()
        for paper in papers:
            words, bigrams = lang.terms(lexical_text(paper))
            self._held.update({*words, *bigrams})

    def document_frequency(self, terms: Iterable[str]) -> dict[str, int]:
        return {term: self._held[term] for term in terms}

    def count(self) -> int:
        return len(self._papers)


VERIFIER = Verifier(Corpus(ALL), VerifySettings())
ASKED = query_of("What does it do?", "en")


def covering(hits: Sequence[Hit], *, eligible: int | None = None) -> Coverage:
    """What a result of these hits stands on."""
    met = len(ALL) if eligible is None else eligible
    return Coverage(papers=len(ALL), eligible=met, matching=len(hits), strength="strong")


def enough(query: Query, hits: Sequence[Hit], *, eligible: int | None = None) -> str | None:
    return VERIFIER.enough(query, hits, covering(hits, eligible=eligible))


def reason(question: str, language: Lang, *papers: Paper, kind: str = "answer") -> str | None:
    return enough(query_of(question, language, kind), hits_of(*(papers or ALL)))


# ---- enough


@pytest.mark.parametrize(
    ("question", "language", "said"),
    [
        ("Which paper uses FP8 for training?", "en", "FP8"),
        ("哪篇论文在训练中使用了FP8?", "zh", "FP8"),
        (
            "Which paper measures itself against vLLM's PagedAttention?",
            "en",
            "vLLM, PagedAttention",
        ),
        ("Are there any papers from Google?", "en", "Google"),
        ("有没有来自谷歌(Google)的论文?", "zh", "Google"),
        ("Who won the 2022 World Cup?", "en", "World Cup"),
        ("Which papers use federated learning?", "en", "“federated learning”"),
        ("哪些论文研究联邦学习?", "zh", "「联邦学习」"),
        ("What GPU price did Zeus report?", "en", "price"),
        ("Zeus报告的GPU价格是多少?", "zh", "价格"),
        ("What learning rate did Breadth-First Pipeline Parallelism use?", "en", "learning rate"),
        ("广度优先流水线并行用了多大的学习率?", "zh", "学习率"),
    ],
)
def test_what_no_paper_has_is_named_in_the_reason(question: str, language: Lang, said: str) -> None:
    given = reason(question, language)
    assert given is not None
    assert said in given
    assert lang.is_in_language(given, language)


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("which papers reduce pipeline bubbles?", "en"),
        ("哪些论文减少了流水线气泡?", "zh"),
        ("WHICH PAPERS REDUCE PIPELINE BUBBLES?", "en"),
        ("What architecture has a GPU-like mode for training?", "en"),
        ("Which training runs like Mamba on pipelines?", "en"),
        ("哪篇论文类似Mamba,加速流水线训练?", "zh"),
        ("Compare the gains of Breadth-First Pipeline Parallelism and FlexPipe.", "en"),
        ("How much faster is Merak? What did it report?", "en"),
        ("Show me the papers from NVIDIA or Google.", "en"),
        ("有哪些论文来自英伟达?", "zh"),
        ("List the arXiv papers on training.", "en"),
        ("How much did FlexPipe gain over Megatron-LM?", "en"),
        ("What did Megtron-LM train?", "en"),
        ("How do LLMs train on GPUs?", "en"),
        ("What energy efficiency does Zeus reach?", "en"),
    ],
)
def test_a_question_that_can_be_answered_passes(question: str, language: Lang) -> None:
    assert reason(question, language) is None


def test_no_hits_are_not_enough() -> None:
    for language in lang.LANGS:
        given = enough(query_of("pipeline?", language), [])
        assert given is not None
        assert lang.is_in_language(given, language)


def test_a_question_that_shares_nothing_with_the_papers_is_declined() -> None:
    assert reason("谁赢得了世界杯?", "zh") is not None
    assert reason("who won the football match yesterday evening?", "en") is not None


# ---- verify


def claim(text: str, paper: Paper, language: Lang = "en") -> object:
    query = query_of("它做了什么?" if language == "zh" else ASKED.text, language)
    return VERIFIER.verify(Draft(text=text, number=1), hits_of(paper), query)


@pytest.mark.parametrize(
    ("text", "paper"),
    [
        ("It trains a model of 52 billion parameters, 43% faster than Megatron-LM.", BREADTH_FIRST),
        ("它在520亿参数模型上比Megatron-LM提升43%。", BREADTH_FIRST),
        ("A 52-billion-parameter model gained 43 percent.", BREADTH_FIRST),
        ("ServiceNow Research dated it 2023.", BREADTH_FIRST),
        ("Merak speeds training up 1.42x, 1.39x, 1.43x and 1.61 times on 64 GPUs.", MERAK),
        ("It uses Merak, a framework for 3D parallelism of DNNs.", MERAK),
        ("FlexPipe is up to 2.28 times faster than Megatron-LM.", FLEXPIPE),
        ("It trains LLMs with 1 trillion parameters at 502 petaFLOP/s on 3,072 GPUs.", MEGATRON),
        ("它以502 petaFLOP/s的速度训练一万亿参数的LLM。", MEGATRON),
        ("It handles 1.2 to 1.6 billion flows, or 500 GB to 650 GB, in 24 hours.", BACKBONE),
        ("Tally 排序了520亿个键。", ENGLISH),
    ],
)
def test_a_sentence_whose_figures_and_names_are_the_papers_stays(text: str, paper: Paper) -> None:
    checked = claim(text, paper)
    assert checked.text == text, checked.verdict.reason
    assert (checked.verdict.support, checked.verdict.method) == ("partial", "rules")


@pytest.mark.parametrize(
    ("text", "paper", "problem"),
    [
        ("It trains a model of 520 billion parameters.", BREADTH_FIRST, "520 billion"),
        ("它在52亿参数模型上训练。", BREADTH_FIRST, "52亿"),
        ("It gains 34% over Megatron-LM.", BREADTH_FIRST, "34%"),
        ("It gains 43 times.", BREADTH_FIRST, "43 times"),
        ("It gains 43% over DeepSpeed.", BREADTH_FIRST, "DeepSpeed"),
        ("它由Google提出。", BREADTH_FIRST, "Google"),
        ("FlexPipe runs on the H100.", FLEXPIPE, "H100"),
    ],
)
def test_a_sentence_that_disagrees_is_replaced_by_the_papers_own_words(
    text: str, paper: Paper, problem: str
) -> None:
    checked = claim(text, paper)
    assert checked.is_quote
    assert text not in checked.text
    assert problem in checked.verdict.reason
    assert (checked.verdict.support, checked.verdict.method) == ("full", "quote")
    cited = checked.citations[0]
    assert cited.quote in checked.text
    assert paper.text[cited.start : cited.end] == cited.quote


def test_the_citation_is_the_sentence_that_has_the_figures() -> None:
    checked = claim("Merak speeds training up 1.42 times on 64 GPUs.", MERAK)
    (cited,) = checked.citations
    assert cited.quote.startswith("在64个GPU上")
    assert MERAK.text[cited.start : cited.end] == cited.quote
    assert cited.passage_id == f"{MERAK.id}#4"
    assert cited.passage_id in [p.id for p in passages_of(MERAK)]


def test_a_quotation_is_supported_by_itself() -> None:
    start = BREADTH_FIRST.text.index("本文")
    draft = Draft(text="It states: …", number=1, is_quote=True, quote=(start, start + 10))
    checked = VERIFIER.verify(draft, hits_of(BREADTH_FIRST), ASKED)
    assert checked.text == draft.text
    assert checked.citations[0].quote == BREADTH_FIRST.text[start : start + 10]
    assert (checked.verdict.support, checked.verdict.method) == ("full", "quote")


@pytest.mark.parametrize("language", lang.LANGS)
def test_reasons_are_in_the_answers_language(language: Lang) -> None:
    for text in ("It gains 43%.", "It gains 99%."):
        checked = claim(text, BREADTH_FIRST, language)
        assert lang.is_in_language(checked.verdict.reason, language)


@pytest.mark.parametrize(
    ("question", "language", "reason"),
    [
        ("hello, thanks", "en", "names nothing"),
        ("what is 1?", "en", "names nothing"),
        ("的了吗呢", "zh", "没有可以查找的内容"),
        ("what treatment reduces blood pressure?", "en", "share too little"),
        ("怎么做红烧肉?", "zh", "共同之处太少"),
    ],
)
def test_a_question_without_a_word_of_substance_in_common_is_declined(question, language, reason):
    query = query_of(question, language)
    assert reason in (enough(query, hits_of(*ALL)) or "")


def test_a_year_is_something_to_look_for():
    query = query_of("What was published in 2023?", "en", "list")
    assert enough(query, hits_of(*ALL)) is None
    filtered = query_of("论文", "zh", "list").model_copy(update={"filters": IN_2023})
    assert enough(filtered, hits_of(*ALL)) is None
    assert enough(filtered, []) is not None


IN_2023 = Filters(since=datetime.date(2023, 1, 1), until=datetime.date(2023, 12, 31))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ("7", "dated 2023", "in category cs.XX")),
        ("zh", ("7", "2023 年", "分类 cs.XX")),
    ],
)
def test_filters_that_no_paper_meets_are_told_with_what_they_ask_for(language, said):
    filters = IN_2023.model_copy(update={"categories": ("cs.XX",)})
    query = query_of("pipeline?", language).model_copy(update={"filters": filters})
    given = enough(query, [], eligible=0)
    assert given is not None
    assert all(part in given for part in said)
    assert lang.is_in_language(given, language)


@pytest.mark.parametrize(
    ("question", "language"), [("How many papers are there?", "en"), ("一共有多少篇论文?", "zh")]
)
def test_a_question_about_the_collection_is_told_how_large_it_is(question, language):
    query = query_of(question, language).model_copy(update={"is_about_corpus": True})
    given = enough(query, hits_of(*ALL))
    assert given is not None
    assert "7" in given
    assert lang.is_in_language(given, language)


def test_the_reasons_for_no_answer_are_all_different():
    given = [
        enough(query_of("pipeline?", "en").model_copy(update={"filters": IN_2023}), [], eligible=0),
        enough(query_of("pipeline?", "en").model_copy(update={"is_about_corpus": True}), []),
        enough(query_of("pipeline?", "en"), []),
        reason("what treatment reduces blood pressure?", "en"),
        reason("hello, thanks", "en"),
    ]
    assert None not in given
    assert len(set(given)) == len(given)
