"""Rules of finding that hold whatever the embedding: each test is named by its rule.

The embedding here knows characters only; what depends on the real one is in tests/integration.
"""

from __future__ import annotations

import asyncio
import datetime
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakes import HashEmbedding
from paraqa import Library, lang
from paraqa.errors import StoreNotFound
from paraqa.facets import meets
from paraqa.lang.institutions import Directory
from paraqa.settings import EmbeddingSettings, LlmSettings, Settings
from paraqa.store import Store
from paraqa.types import Affiliation, Filters, Hit, Paper, Period, Source, title_key

ROOT = Path(__file__).parents[2]
SETTINGS = Settings(
    embedding=EmbeddingSettings(model="fakes:HashEmbedding"), llm=LlmSettings(model="extractive")
)


def paper(title: str, abstract: str = "", line: int = 1, **fields) -> Paper:
    return Paper(title=title, abstract=abstract, source=Source(file="l.txt", line=line), **fields)


def day(year: int, month: int = 1) -> datetime.date:
    return datetime.date(year, month, 1)


def holding(folder: Path, *papers: Paper) -> Library:
    """A library over a store of these papers."""
    with Store.open(folder / "vectorstore", HashEmbedding()) as store:
        asyncio.run(store.write(papers))
    return Library.open(folder / "vectorstore", SETTINGS)


def titles(library: Library, question: str, **more) -> list[str]:
    return [hit.paper.title for hit in library.search_sync(question, **more).hits]


TSINGHUA = Affiliation(en="Tsinghua University", zh="清华大学")
SHELF = (
    paper(
        "Serving with Blocks",
        "本文用vLLM服务大模型。吞吐量更高。",
        date=day(2023, 9),
        categories=("cs.LG", "cs.DC"),
        authors=("Woosuk Kwon", "Zhuohan Li"),
    ),
    paper(
        "Training in Four Dimensions",
        "系统采用4D并行训练。它自动选择策略。",
        date=day(2024, 2),
        categories=("cs.DC",),
        affiliations=(TSINGHUA,),
        authors=("Zhihao Jia",),
    ),
    paper(
        "Beyond Layers",
        "We partition operators. The search takes minutes.",
        date=day(2019, 3),
        categories=("cs.DC",),
        authors=("Zhihao Jia", "Matei Zaharia"),
    ),
    paper(
        "Templates for Kernels",
        "The kernels are written in C++ and run on the A100.",
        date=day(2022, 5),
        categories=("cs.PL",),
        affiliations=(Affiliation(en="NVIDIA", zh="英伟达"),),
    ),
    paper(
        "Counting Crossings",
        "识别斑马线上的行人。准确率很高。",
        date=day(2021, 7),
        categories=("cs.CV",),
        affiliations=(Affiliation(en="Peking University", zh="北京大学"),),
    ),
    paper("Sharded States", "优化器状态用ZeRO-3切分。显存减少八倍。", date=day(2020, 1)),
    paper(
        "Breadth‑First Schedules",
        "採用廣度優先的流水線調度。訓練更快。",
        date=day(2023, 7),
        categories=("cs.DC",),
    ),
    paper("Ｗｉｄｅ Ｌｅｔｔｅｒｓ", "本文研究ＧＰＵ的能耗。", date=day(2022, 11)),
    paper("A Theory of Queues", "We prove bounds on waiting.", categories=("math.PR",)),
    *(
        paper(f"Notes, Part {n}", f"第{n}部分的笔记。内容很少。", date=day(2015 + n % 3))
        for n in range(12)
    ),
)


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Iterator[Library]:
    with holding(tmp_path_factory.mktemp("requirements"), *SHELF) as opened:
        yield opened


# ---- R07: words

ONLY_ONCE = [
    ("vLLM", "Serving with Blocks"),
    ("4D并行", "Training in Four Dimensions"),
    ("C++", "Templates for Kernels"),
    ("A100", "Templates for Kernels"),
    ("斑马线", "Counting Crossings"),
    ("ZeRO-3", "Sharded States"),
    ("partition operators", "Beyond Layers"),
]


@pytest.mark.parametrize(("term", "title"), ONLY_ONCE)
@pytest.mark.parametrize("form", ["{}", "Which paper mentions {}?", "哪篇论文提到了{}?"])
def test_r07_a_term_of_one_abstract_ranks_its_paper_first(library, form, term, title):
    first = library.search_sync(form.format(term)).hits[0]
    assert first.paper.title == title
    assert first.ranks["bm25"] == 1
    assert first.matched


@pytest.mark.parametrize(("term", "title"), ONLY_ONCE)
def test_r07_the_share_of_each_leg_can_be_seen(library, term, title):
    hits = library.search_sync(term, k=len(SHELF)).hits
    assert hits[0].paper.title == title
    for hit in hits:
        assert {"dense", "bm25"} <= hit.shares.keys()
        assert sum(hit.shares.values()) == pytest.approx(hit.score, abs=1e-3)
    best = max(hits, key=lambda hit: hit.shares["bm25"])
    assert best.paper.title == title
    assert best.shares["bm25"] > 0


# ---- R08: spellings

SAME = [
    ("GPU的能耗", "ＧＰＵ的能耗"),
    ("GPU的能耗", "gpu的能耗"),
    ("广度优先的流水线调度", "廣度優先的流水線調度"),
    ("减少显存的论文", "減少顯存的論文"),
    ("breadth-first schedules", "Breadth‑First Schedules"),
    ("breadth-first schedules", "BREADTH–FIRST SCHEDULES"),
    ("wide letters", "Ｗｉｄｅ Ｌｅｔｔｅｒｓ"),
    ("ZeRO-3", "zero−3"),
    ("内容很少的笔记", "內容很少的筆記"),
    ("显存减少", "顯存減少"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_r08_spellings_of_a_question_find_the_same_words(library, one, other):
    def by_words(question: str) -> list[str]:
        hits = library.search_sync(question, k=len(SHELF)).hits
        found = [hit for hit in hits if "bm25" in hit.ranks]
        return [hit.paper.id for hit in sorted(found, key=lambda hit: hit.ranks["bm25"])]

    assert by_words(one) == by_words(other) != []


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("GPU的能耗", "Ｗｉｄｅ Ｌｅｔｔｅｒｓ"),
        ("广度优先的流水线调度", "Breadth‑First Schedules"),
        ("breadth-first schedules", "Breadth‑First Schedules"),
        ("wide letters", "Ｗｉｄｅ Ｌｅｔｔｅｒｓ"),
    ],
)
def test_r08_what_is_shown_is_what_was_stored_however_it_is_asked_for(library, question, title):
    (hit, *_) = library.search_sync(question).hits
    assert hit.paper.title == title
    assert hit.paper in SHELF
    assert all(p.text == hit.paper.text[p.start : p.end] for p in hit.passages)
    assert library.papers() == sorted(SHELF, key=lambda p: p.source.line)


TEXT = st.text(
    alphabet=st.sampled_from("ＧＰＵgpuG-‑–—−“”’é½訓練訓练調层層。.! 流水線²$_^{}\\％％ｱﬁ㎏"),
    min_size=1,
    max_size=30,
)


@given(title=TEXT.filter(str.strip), abstract=TEXT)
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_r08_folding_never_changes_stored_text(tmp_path, title, abstract):
    given_paper = paper(title, abstract)
    shutil.rmtree(tmp_path / "vectorstore", ignore_errors=True)
    with holding(tmp_path, given_paper) as library:
        assert library.papers() == [given_paper]
        assert given_paper.title == " ".join(title.split())
        if any(c.isalnum() for c in title):
            (hit,) = library.search_sync(title).hits
            assert hit.paper == given_paper


# ---- R10: what is named comes first

ALIKE = (
    "Attention Is All You Need",
    "Attention Is All You Need in Pipelines",
    "Is Attention All You Need?",
    "Attention Is Not All You Need",
    "Attention Was All You Needed",
    "All You Need Is Attention",
    "流水线并行训练综述",
    "流水线并行训练综述与展望",
    "流水线并行推理综述",
)


@pytest.fixture(scope="module")
def alike(tmp_path_factory) -> Iterator[Library]:
    papers = [
        paper(title, "注意力机制。Attention is all that is needed.", n)
        for n, title in enumerate(ALIKE, start=1)
    ]
    with holding(tmp_path_factory.mktemp("alike"), *papers) as opened:
        yield opened


FORMS = [
    "{}",
    "What does {} propose?",
    "What is the main idea of “{}”, and who wrote it?",
    "《{}》提出了什么方法?",
    "请介绍「{}」这篇论文",
]


@pytest.mark.parametrize("title", ALIKE)
@pytest.mark.parametrize("form", FORMS)
def test_r10_an_exact_title_comes_first_among_near_identical_ones(alike, title, form):
    for spelled in (title, title.upper(), title.lower()):
        assert titles(alike, form.format(spelled))[0] == title


@pytest.fixture(scope="module")
def seeds(tmp_path_factory) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("seeds") / "vectorstore", SETTINGS) as opened:
        assert opened.ingest_sync([ROOT / "seeds"]).added == 54
        yield opened


@pytest.mark.parametrize("form", FORMS)
def test_r10_each_paper_that_ships_comes_first_by_its_title(seeds, form):
    missed = [
        one.title
        for one in seeds.papers()
        if title_key(titles(seeds, form.format(one.title))[0]) != title_key(one.title)
    ]
    assert missed == []


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("What did Zhihao Jia publish in 2019?", "Beyond Layers"),
        ("papers by Zhihao Jia from 2024", "Training in Four Dimensions"),
        ("Zhihao Jia 2019", "Beyond Layers"),
        ("Zhihao Jia在2024年发表了什么?", "Training in Four Dimensions"),
        ("Woosuk Kwon 2023年的论文", "Serving with Blocks"),
    ],
)
def test_r10_author_and_year_name_a_paper(library, question, title):
    assert titles(library, question)[0] == title


# ---- R18: how strong a match is, and why there is none


def test_r18_an_empty_corpus_is_an_error_of_its_own(tmp_path):
    Store.open(tmp_path / "vectorstore", HashEmbedding()).close()
    with Library.open(tmp_path / "vectorstore", SETTINGS) as empty:
        for ask in (empty.search_sync, empty.answer_sync):
            with pytest.raises(StoreNotFound) as caught:
                ask("Which paper mentions vLLM?")
            assert caught.value.key == "store.empty"
            assert "holds no papers" in caught.value.message("en")
            assert "没有论文" in caught.value.message("zh")


NOTHING_CLOSE = {"en": "How do I bake sourdough bread?", "zh": "怎么做红烧肉?"}
FILTERED_OUT = {"en": "Which papers from 1999 mention GPUs?", "zh": "1999年有哪些关于GPU的论文?"}
ABOUT_CORPUS = {"en": "How many papers are there?", "zh": "一共有多少篇论文?"}
CLOSE = {"en": "Which paper mentions vLLM?", "zh": "哪篇论文提到了vLLM?"}


@pytest.mark.parametrize("language", lang.LANGS)
def test_r18_nothing_close_is_told(library, language):
    question = NOTHING_CLOSE[language]
    found, answer = library.search_sync(question), library.answer_sync(question)
    for coverage in (found.coverage, answer.coverage):
        assert (coverage.papers, coverage.eligible) == (len(SHELF), len(SHELF))
        assert coverage.strength == "none"
    assert answer.status == "abstained"
    assert lang.is_in_language(answer.reason or "", language)


@pytest.mark.parametrize("language", lang.LANGS)
def test_r18_all_filtered_out_is_told_with_the_conditions(library, language):
    question = FILTERED_OUT[language]
    found, answer = library.search_sync(question), library.answer_sync(question)
    assert found.hits == answer.hits == ()
    for coverage in (found.coverage, answer.coverage):
        assert (coverage.papers, coverage.eligible) == (len(SHELF), 0)
        assert (coverage.matching, coverage.strength) == (0, "none")
    assert answer.status == "abstained"
    assert "1999" in (answer.reason or "")
    assert lang.is_in_language(answer.reason or "", language)


@pytest.mark.parametrize("language", lang.LANGS)
def test_r18_a_question_about_the_collection_is_told_apart(library, language):
    question = ABOUT_CORPUS[language]
    found, answer = library.search_sync(question), library.answer_sync(question)
    assert found.query.is_about_corpus
    assert answer.query.is_about_corpus
    assert answer.status == "abstained"
    assert str(len(SHELF)) in (answer.reason or "")
    assert lang.is_in_language(answer.reason or "", language)


@pytest.mark.parametrize("language", lang.LANGS)
def test_r18_a_match_is_told_as_strong(library, language):
    question = CLOSE[language]
    found, answer = library.search_sync(question), library.answer_sync(question)
    for coverage in (found.coverage, answer.coverage):
        assert coverage.strength == "strong"
        assert coverage.eligible == len(SHELF)
        assert 1 <= coverage.matching <= len(SHELF)
    assert answer.status == "answered"
    assert not found.query.is_about_corpus


@pytest.mark.parametrize("language", lang.LANGS)
def test_r18_the_four_are_four_different_answers(library, language):
    asked = (NOTHING_CLOSE, FILTERED_OUT, ABOUT_CORPUS, CLOSE)
    answers = [library.answer_sync(questions[language]) for questions in asked]
    assert len({(a.status, a.reason) for a in answers}) == len(asked)


# ---- R26: any number, any filter

QUESTIONS = [
    "Which paper mentions vLLM?",
    "哪些论文讨论流水线调度?",
    "GPU能耗",
    "Beyond Layers",
    "papers about notes",
    "zebra",
]
ONLY_FILTERS = ["papers", "论文", "?a"]
DAYS = st.dates(min_value=day(2014), max_value=day(2026))
FILTERS = st.builds(
    Filters,
    since=st.none() | DAYS,
    until=st.none() | DAYS,
    periods=st.lists(
        st.builds(Period, since=st.none() | DAYS, until=st.none() | DAYS), max_size=2
    ).map(tuple),
    categories=st.lists(st.sampled_from(["cs", "cs.DC", "math", "q"]), max_size=2).map(tuple),
    institutions=st.lists(
        st.sampled_from(["清华", "NVIDIA", "Peking University", "MIT"]), max_size=2
    ).map(tuple),
    authors=st.lists(st.sampled_from(["Jia", "Woosuk Kwon", "Nobody"]), max_size=1).map(tuple),
)


def ranking(hits: tuple[Hit, ...]) -> list[str]:
    return [hit.paper.id for hit in hits]


@given(question=st.sampled_from(QUESTIONS), k=st.integers(1, 40), filters=FILTERS)
@settings(max_examples=60, deadline=None)
def test_r26_a_filtered_search_is_the_whole_ranking_without_the_others(
    library, question, k, filters
):
    directory = Directory(a for p in SHELF for a in p.affiliations)
    everything = library.search_sync(question, k=len(SHELF)).hits
    met = [hit.paper.id for hit in everything if meets(hit.paper, filters, directory)]
    found = library.search_sync(question, k=k, filters=filters)
    assert len(everything) == len(SHELF)
    assert ranking(found.hits) == met[:k]
    assert [hit.rank for hit in found.hits] == list(range(1, len(found.hits) + 1))
    assert found.coverage.eligible == len(met)


@given(
    question=st.sampled_from(ONLY_FILTERS),
    k=st.integers(1, 40),
    filters=FILTERS.filter(lambda filters: bool(filters)),
)
@settings(max_examples=60, deadline=None)
def test_r26_filters_alone_give_the_newest_of_the_papers_that_meet_them(
    library, question, k, filters
):
    directory = Directory(a for p in SHELF for a in p.affiliations)
    met = [p for p in SHELF if meets(p, filters, directory)]
    order = sorted(met, key=lambda p: -(p.date or datetime.date.min).toordinal())
    found = library.search_sync(question, k=k, filters=filters)
    assert ranking(found.hits) == [p.id for p in order][:k]
    assert found.coverage.eligible == found.coverage.matching == len(met)


@given(question=st.sampled_from(QUESTIONS), k=st.integers(1, 40), filters=FILTERS)
@settings(max_examples=30, deadline=None)
def test_r26_the_same_question_asked_twice_gives_the_same_ranking(library, question, k, filters):
    first, second = (library.search_sync(question, k=k, filters=filters) for _ in range(2))
    assert first.hits == second.hits
    assert first.coverage == second.coverage


@given(question=st.sampled_from(QUESTIONS), k=st.integers(1, 1000), filters=FILTERS)
@settings(max_examples=30, deadline=None)
def test_r26_a_corpus_of_one_paper_is_found_whole_or_not_at_all(alone, question, k, filters):
    found = alone.search_sync(question, k=k, filters=filters)
    is_met = meets(SHELF[1], filters, Directory(SHELF[1].affiliations))
    assert [hit.paper for hit in found.hits] == [SHELF[1]] * is_met
    assert found.coverage.eligible == is_met


@pytest.fixture(scope="module")
def alone(tmp_path_factory) -> Iterator[Library]:
    with holding(tmp_path_factory.mktemp("alone"), SHELF[1]) as opened:
        yield opened
