"""Papers found."""

import datetime
import sqlite3
import threading

import numpy as np
import pytest
from llama_index.core.schema import QueryBundle

from fakes import HashEmbedding
from paraqa import lang
from paraqa.facets import meets
from paraqa.lang import glossary
from paraqa.lang.institutions import Directory
from paraqa.lexicon import TABLES, Lexicon
from paraqa.matrix import Matrix, Row
from paraqa.nodes import embedding_text, indexed_passages, indexed_terms, passages_of
from paraqa.retriever import Retriever, best_passages
from paraqa.settings import RetrievalSettings
from paraqa.types import (
    Affiliation,
    Coverage,
    Filters,
    Paper,
    Query,
    Rendering,
    Source,
    Variant,
)


def paper(title, abstract="", **rest):
    return Paper(title=title, abstract=abstract, source=Source(file="x.txt", line=1), **rest)


PIPELINE = paper("Breadth-First Pipeline Parallelism", "提出广度优先流水线调度。吞吐量提升43%。")
ENERGY = paper(
    "Zeus: GPU Energy",
    "优化训练的能耗。避免离线测量。",
    affiliations=(Affiliation(en="University of Michigan", zh="密歇根大学"),),
)
TITLE_ONLY = paper("Graph Colouring")
FILLERS = [paper(f"Filler Number {n}", f"与此无关的第{n}段文字。") for n in range(4)]


class Shelf:
    """A store in memory, of the same parts: vectors in matrices, words in a lexicon."""

    def __init__(self, papers):
        self._papers = {p.id: p for p in papers}
        self._numbers = {id_: n for n, id_ in enumerate(self._papers, start=1)}
        self._embedding = HashEmbedding()
        self._wholes, self._sentences = Matrix(), Matrix()
        db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        for statement in TABLES:
            db.execute(statement)
        self._lexicon, self._lock = Lexicon(db), threading.Lock()
        for p in papers:
            self._lexicon.add([(self._numbers[p.id], indexed_terms(p))])
            for passage in indexed_passages(p):
                vector = self._embedding.get_text_embedding(embedding_text(p, passage))
                matrix = self._wholes if passage.is_whole else self._sentences
                row = Row(passage.id, self._numbers[p.id], passage.lang)
                matrix.add([row], np.asarray([vector], np.float32))

    async def embedded(self, question):
        return np.asarray(self._embedding.get_query_embedding(question), np.float32)

    def nearest(self, vector, lang, n, eligible=None):
        found, usual = self._wholes.nearest(vector, lang, n, eligible)
        return self._ids(found), usual

    def similarities(self, paper_ids, vector, lang, usual):
        numbers = [self._numbers[id_] for id_ in paper_ids]
        whole = self._wholes.of(numbers, vector, lang, usual)
        return whole | self._sentences.of(numbers, vector, lang, usual)

    def vector_of(self, paper_id):
        found = self._wholes.vectors_of(self._numbers.get(paper_id, -1))
        return found.mean(axis=0) if len(found) else None

    def lexical(self, weighted, n, eligible=None):
        with self._lock:
            found = self._lexicon.search(weighted, n, eligible)
        names = self._ids([number for number, _ in found])
        return [(id_, score) for id_, (_, score) in zip(names, found, strict=True)]

    def meeting(self, filters):
        directory = Directory(a for p in self._papers.values() for a in p.affiliations)
        return np.array([False, *(meets(p, filters, directory) for p in self._papers.values())])

    def ids(self, mask):
        return self._ids(np.flatnonzero(mask).tolist())

    def newest(self, eligible, n):
        days = {i: self._papers[i].date for i in self.ids(eligible)}
        ordinals = {i: day.toordinal() if day else 0 for i, day in days.items()}
        return sorted(ordinals.items(), key=lambda pair: -pair[1])[:n]

    def titles(self, ids):
        return {i: self._papers[i].title for i in ids}

    def document_frequency(self, terms):
        with self._lock:
            return self._lexicon.document_frequency(terms)

    def count(self):
        return len(self._papers)

    def papers_by_id(self, ids):
        return {i: self._papers[i] for i in ids if i in self._papers}

    def passages_of(self, ids):
        return {i: tuple(passages_of(p)) for i, p in self.papers_by_id(ids).items()}

    def _ids(self, numbers):
        names = list(self._papers)
        return [names[number - 1] for number in numbers]


def ask(text, kind="answer", **more):
    language = lang.detect(text)
    found = glossary.variants(text, language, glossary_weight=0.8, bridge_weight=0.4)
    return Query(text=text, standalone=text, lang=language, kind=kind, variants=found, **more)


async def hits_for(query, k=None, *, retriever=None):
    return (await (retriever or RETRIEVER).search(query, k)).hits


SETTINGS = RetrievalSettings(k=3, dense_weight=0.3)  # hashed vectors know little
RETRIEVER = Retriever(Shelf([*FILLERS, PIPELINE, ENERGY, TITLE_ONLY]), SETTINGS)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("which papers reduce pipeline bubbles?", PIPELINE),
        ("哪些论文减少了流水线气泡?", PIPELINE),
        ("Which papers are about energy consumption?", ENERGY),
        ("哪些論文討論能耗?", ENERGY),
        ("密歇根大学的论文", ENERGY),
        ("graph colouring", TITLE_ONLY),
    ],
)
async def test_the_paper_that_answers_comes_first(question, expected):
    hits = await hits_for(ask(question))
    assert hits[0].paper == expected


async def test_hits_are_numbered_and_fall_in_score():
    hits = await hits_for(ask("pipeline bubbles"))
    assert [hit.rank for hit in hits] == [1, 2, 3]
    assert [hit.score for hit in hits] == sorted((h.score for h in hits), reverse=True)


async def test_k_is_the_callers_or_else_that_of_the_settings():
    assert len(await hits_for(ask("GPU"), k=5)) == 5
    assert len(await hits_for(ask("GPU"))) == 3
    assert len(await hits_for(ask("GPU"), k=500)) == 7


async def test_the_same_question_finds_the_same_papers():
    first = await RETRIEVER.search(ask("which GPU?"), k=7)
    assert await RETRIEVER.search(ask("which GPU?"), k=7) == first


async def test_papers_with_equal_scores_are_ordered_by_id():
    twins = [paper(title, "同样的文字。") for title in ("Aa", "aA.", "AA!")]
    same = [t.model_copy(update={"title": "Aa", "doi": f"10.1/{n}"}) for n, t in enumerate(twins)]
    hits = await hits_for(ask("文字"), retriever=Retriever(Shelf(same[::-1]), SETTINGS))
    assert [hit.paper.id for hit in hits] == ["doi:10.1/0", "doi:10.1/1", "doi:10.1/2"]


async def test_an_empty_store_finds_nothing():
    found = await Retriever(Shelf([]), SETTINGS).search(ask("pipeline"))
    assert found == ([], Coverage(papers=0, eligible=0, matching=0, strength="none"))


async def test_a_hit_shows_the_best_sentences_and_not_the_whole_entry():
    hits = await hits_for(ask("广度优先流水线调度"))
    assert [p.text for p in hits[0].passages] == ["提出广度优先流水线调度。", "吞吐量提升43%。"]


async def test_an_entry_without_sentences_is_shown_whole():
    hits = await hits_for(ask("graph colouring"))
    assert [p.text for p in hits[0].passages] == ["Graph Colouring"]


async def test_no_more_passages_are_shown_than_the_settings_say():
    long = paper("Long", "一句话。" * 9)
    retriever = Retriever(Shelf([long]), RetrievalSettings(passages=2))
    assert len((await hits_for(ask("话"), retriever=retriever))[0].passages) == 2


async def test_a_hit_says_which_ranking_found_it_and_where():
    hits = await hits_for(ask("energy"), k=7)
    ranks = {hit.paper.id: hit.ranks for hit in hits}
    assert ranks[ENERGY.id]["bm25"] == 1
    assert "bm25" not in ranks[TITLE_ONLY.id]
    assert all(1 <= r["dense"] <= 7 for r in ranks.values())


async def test_a_hit_names_the_words_that_it_shares_as_they_were_written():
    hits = await hits_for(ask("Do pipelines schedule?"))
    assert hits[0].paper == PIPELINE
    assert {"pipelines", "流水线", "调度"} <= set(hits[0].matched)
    assert "bubble" not in hits[0].matched


async def test_a_short_list_of_neighbours_still_ranks_every_match():
    retriever = Retriever(
        Shelf([*FILLERS, PIPELINE, ENERGY]), RetrievalSettings(depth=1, dense_weight=0.1)
    )
    assert (await hits_for(ask("能耗"), retriever=retriever))[0].paper == ENERGY


async def test_a_paper_removed_since_the_search_is_left_out():
    class Forgetful(Shelf):
        def papers_by_id(self, ids):
            return {i: p for i, p in super().papers_by_id(ids).items() if i != PIPELINE.id}

    retriever = Retriever(Forgetful([PIPELINE, ENERGY]), SETTINGS)
    hits = await hits_for(ask("流水线"), retriever=retriever)
    assert [(hit.rank, hit.paper) for hit in hits] == [(1, ENERGY)]


async def test_it_serves_as_a_llama_index_retriever():
    nodes = await RETRIEVER.aretrieve("流水线气泡")
    assert nodes[0].node.ref_doc_id == PIPELINE.id
    assert nodes[0].score >= nodes[-1].score


def test_it_serves_as_a_synchronous_llama_index_retriever():
    nodes = RETRIEVER.retrieve(QueryBundle("流水线气泡"))
    assert nodes[0].node.ref_doc_id == PIPELINE.id


def test_a_sentence_is_better_for_holding_rare_words_of_the_question():
    _, first, second = passages_of(PIPELINE)
    near = {first.id: 0.8, second.id: 0.8}
    assert best_passages([first, second], near, {"吞吐量": 2.0}) == (second, first)
    assert best_passages([first, second], near, {}) == (first, second)


# ---- what each ranking gave


async def test_the_shares_of_a_hit_add_up_to_its_score():
    for query in (ask("energy"), ask("哪些论文减少了流水线气泡?"), ask("Graph Colouring")):
        for hit in await hits_for(query, 7):
            assert sum(hit.shares.values()) == pytest.approx(hit.score, abs=1e-3)
            assert {"dense", "bm25"} <= hit.shares.keys()


async def test_words_alone_and_nearness_alone_count_where_the_setting_says_so():
    shelf = Shelf([*FILLERS, PIPELINE, ENERGY])
    for weight, silent in ((0.0, "dense"), (1.0, "bm25")):
        retriever = Retriever(shelf, RetrievalSettings(dense_weight=weight))
        hits = await hits_for(ask("能耗"), 6, retriever=retriever)
        assert {hit.shares[silent] for hit in hits} == {0.0}


async def test_a_match_tells_why_its_term_was_searched_for():
    hits = await hits_for(ask("Do pipelines schedule?"))
    reasons = {match.term: match.why for match in hits[0].matches}
    assert reasons["pipelines"] == "question"
    assert reasons["流水线"] == "glossary"


# ---- titles

LONG = paper("Attention Is All You Need in Graph Colouring", "一种方法。")
SHORT = paper("Attention Is All You Need", "另一种方法。")


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What does Attention Is All You Need propose?", SHORT),
        ("「attention is all you need」提出了什么?", SHORT),
        ("What does Attention Is All You Need in Graph Colouring propose?", LONG),
    ],
)
async def test_the_paper_whose_whole_title_is_asked_for_comes_first(question, first):
    retriever = Retriever(Shelf([LONG, SHORT, *FILLERS]), SETTINGS)
    hits = await hits_for(ask(question), retriever=retriever)
    assert hits[0].paper == first
    assert hits[0].ranks["title"] == 1
    assert hits[0].shares["title"] > 0
    assert all("title" not in hit.shares for hit in hits[1:])


# ---- filters

OLD = paper("Old Pipelines", "流水线调度。", date=datetime.date(2020, 5, 1), categories=("cs.DC",))
NEW = paper("New Pipelines", "流水线调度。", date=datetime.date(2024, 5, 1), categories=("cs.AR",))
NEWER = paper("Newer Energy", "优化能耗。", date=datetime.date(2025, 5, 1), categories=("cs.AR",))
DATED = Retriever(Shelf([OLD, NEW, NEWER, PIPELINE]), SETTINGS)
SINCE = Filters(since=datetime.date(2021, 1, 1))


async def test_only_papers_that_meet_the_filters_are_found():
    hits, coverage = await DATED.search(ask("流水线调度", filters=SINCE), 10)
    assert [hit.paper for hit in hits] == [NEW, NEWER]
    assert (coverage.papers, coverage.eligible) == (4, 2)


async def test_filters_that_no_paper_meets_leave_nothing():
    none = Filters(categories=("math.CO",))
    hits, coverage = await DATED.search(ask("流水线调度", filters=none))
    assert hits == []
    assert coverage == Coverage(papers=4, eligible=0, matching=0, strength="none")


async def test_where_only_filters_were_asked_for_the_newest_paper_comes_first():
    hits, coverage = await DATED.search(ask("论文", kind="list", filters=SINCE))
    assert [hit.paper for hit in hits] == [NEWER, NEW]
    assert hits[0].ranks == {"date": 1}
    assert coverage == Coverage(papers=4, eligible=2, matching=2, strength="strong")


@pytest.mark.parametrize(
    ("order", "first"), [("newest", [NEWER, NEW, OLD]), ("oldest", [OLD, NEW, NEWER])]
)
async def test_where_only_an_order_was_asked_for_all_papers_come_by_date(order, first):
    hits, coverage = await DATED.search(ask("论文", kind="list", order=order))
    assert [hit.paper for hit in hits] == [*first, PIPELINE]  # without a date, last
    assert coverage == Coverage(papers=4, eligible=4, matching=4, strength="strong")
    fewer = await hits_for(ask("论文", order=order), k=2, retriever=DATED)
    assert [hit.paper for hit in fewer] == first[:2]


@pytest.mark.parametrize(
    ("order", "expected"),
    [("newest", [NEW, OLD, PIPELINE]), ("oldest", [OLD, NEW, PIPELINE])],
)
async def test_papers_that_match_come_in_the_order_asked_for_and_no_others(order, expected):
    retriever = Retriever(Shelf([OLD, PIPELINE, NEWER, NEW, *FILLERS]), SETTINGS)
    unordered = await retriever.search(ask("流水线调度", kind="list"))
    hits, coverage = await retriever.search(ask("流水线调度", kind="list", order=order))
    assert [hit.paper for hit in hits] == expected
    assert [hit.rank for hit in hits] == [hit.ranks["date"] for hit in hits] == [1, 2, 3]
    assert coverage == unordered.coverage
    fewer = await hits_for(ask("流水线调度", order=order), k=1, retriever=retriever)
    assert [hit.paper for hit in fewer] == expected[:1]


async def test_what_is_not_wanted_comes_last():
    energy = (Variant(text="energy", lang="en", why="question", weight=1.0),)
    papers = [paper("Pipeline Energy", "流水线。"), paper("Pipeline Memory", "流水线。")]
    retriever = Retriever(Shelf([*papers, *FILLERS]), SETTINGS)
    hits = await hits_for(ask("pipeline", excluded=energy), retriever=retriever)
    assert hits[0].paper == papers[1]
    shares = {hit.paper.title: hit.shares["excluded"] for hit in hits}
    assert shares["Pipeline Memory"] == 0


# ---- how many

MANY = [paper(f"Pipeline {n}", "流水线调度。") for n in range(9)]


async def test_a_list_without_k_holds_all_papers_that_match_up_to_its_limit():
    shelf = Shelf([*MANY, *FILLERS])
    for limit, length in ((20, 9), (5, 5)):
        retriever = Retriever(shelf, SETTINGS.model_copy(update={"list_k": limit}))
        hits, coverage = await retriever.search(ask("流水线", kind="list"))
        assert len(hits) == length
        assert coverage.matching == 9


async def test_what_is_covered_tells_how_strong_the_match_is():
    strengths = [
        (await RETRIEVER.search(ask(question))).coverage.strength
        for question in ("Zeus GPU energy", "Zeus blockchain", "量子密码学")
    ]
    assert strengths == ["strong", "weak", "none"]


# ---- renderings

RENDERED = paper(
    "Obscure",
    "一种晦涩的方法。",
    alternates=(
        Rendering(lang="en", abstract="It schedules zeppelins. It is fast.", origin="machine"),
    ),
)


async def test_a_paper_is_found_by_its_rendering_and_quoted_by_its_own_words():
    retriever = Retriever(Shelf([*FILLERS, PIPELINE, RENDERED]), SETTINGS)
    hits = await hits_for(ask("zeppelin scheduling"), retriever=retriever)
    assert hits[0].paper == RENDERED
    assert [p.text for p in hits[0].passages] == ["一种晦涩的方法。"]
    assert "zeppelin" in hits[0].matched


# ---- papers like one


async def test_the_papers_most_like_one_come_first_and_it_is_not_among_them():
    twin = paper("Breadth-First Pipeline Schedules", "提出广度优先流水线调度。")
    retriever = Retriever(Shelf([*FILLERS, PIPELINE, ENERGY, twin]), SETTINGS)
    hits = await retriever.similar(PIPELINE, 4)
    assert hits[0].paper == twin
    assert len(hits) == 4
    assert PIPELINE not in [hit.paper for hit in hits]
    assert await retriever.similar(paper("Unknown")) == []
