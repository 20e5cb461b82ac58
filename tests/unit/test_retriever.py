"""Papers found."""

import math
from collections import Counter

import pytest
from llama_index.core.schema import QueryBundle

from fakes import HashEmbedding
from paraqa import lang
from paraqa.lang import glossary
from paraqa.nodes import embedding_text, lexical_text, passages_of
from paraqa.retriever import Retriever, best_passages, by_paper, weighted_terms
from paraqa.settings import RetrievalSettings
from paraqa.types import Affiliation, Paper, Query, Source, Variant


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
    """A store in memory: all vectors compared, all words counted."""

    def __init__(self, papers):
        self._papers = {p.id: p for p in papers}
        self._embedding = HashEmbedding()
        self._terms = {
            p.id: Counter([*(t := lang.terms(lexical_text(p))).words, *t.bigrams]) for p in papers
        }

    async def vectors_for(self, text, n):
        question = self._embedding.get_query_embedding(text)
        near = []
        for p in self._papers.values():
            for passage in passages_of(p):
                vector = self._embedding.get_text_embedding(embedding_text(p, passage))
                product = sum(a * b for a, b in zip(question, vector, strict=True))
                near.append((passage.id, product))
        return sorted(near, key=lambda pair: -pair[1])[:n]

    def lexical(self, weighted, n):
        frequency = self.document_frequency(weighted)
        scores = {
            id_: sum(
                weight * math.log(1 + len(self._papers) / frequency[t])
                for t, weight in weighted.items()
                if t in held
            )
            for id_, held in self._terms.items()
        }
        found = [(id_, score) for id_, score in scores.items() if score > 0]
        return sorted(found, key=lambda pair: -pair[1])[:n]

    def document_frequency(self, terms):
        return {t: sum(t in held for held in self._terms.values()) for t in terms}

    def count(self):
        return len(self._papers)

    def papers_by_id(self, ids):
        return {i: self._papers[i] for i in ids if i in self._papers}

    def passages_of(self, ids):
        return {i: tuple(passages_of(p)) for i, p in self.papers_by_id(ids).items()}


def ask(text):
    language = lang.detect(text)
    found = glossary.variants(text, language, glossary_weight=0.8, bridge_weight=0.4)
    return Query(text=text, standalone=text, lang=language, kind="answer", variants=found)


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
    hits = await RETRIEVER.search(ask(question))
    assert hits[0].paper == expected


async def test_hits_are_numbered_and_fall_in_score():
    hits = await RETRIEVER.search(ask("pipeline bubbles"))
    assert [hit.rank for hit in hits] == [1, 2, 3]
    assert [hit.score for hit in hits] == sorted((h.score for h in hits), reverse=True)


async def test_k_is_the_callers_or_else_that_of_the_settings():
    assert len(await RETRIEVER.search(ask("GPU"), k=5)) == 5
    assert len(await RETRIEVER.search(ask("GPU"))) == 3
    assert len(await RETRIEVER.search(ask("GPU"), k=500)) == 7


async def test_the_same_question_finds_the_same_papers():
    first = await RETRIEVER.search(ask("which GPU?"), k=7)
    assert await RETRIEVER.search(ask("which GPU?"), k=7) == first


async def test_papers_with_equal_scores_are_ordered_by_id():
    twins = [paper(title, "同样的文字。") for title in ("Aa", "aA.", "AA!")]
    same = [t.model_copy(update={"title": "Aa", "doi": f"10.1/{n}"}) for n, t in enumerate(twins)]
    hits = await Retriever(Shelf(same[::-1]), SETTINGS).search(ask("文字"))
    assert [hit.paper.id for hit in hits] == ["doi:10.1/0", "doi:10.1/1", "doi:10.1/2"]


async def test_an_empty_store_finds_nothing():
    assert await Retriever(Shelf([]), SETTINGS).search(ask("pipeline")) == []


async def test_a_hit_shows_the_best_sentences_and_not_the_whole_entry():
    hits = await RETRIEVER.search(ask("广度优先流水线调度"))
    assert [p.text for p in hits[0].passages] == ["提出广度优先流水线调度。", "吞吐量提升43%。"]


async def test_an_entry_without_sentences_is_shown_whole():
    hits = await RETRIEVER.search(ask("graph colouring"))
    assert [p.text for p in hits[0].passages] == ["Graph Colouring"]


async def test_no_more_passages_are_shown_than_the_settings_say():
    long = paper("Long", "一句话。" * 9)
    retriever = Retriever(Shelf([long]), RetrievalSettings(passages=2))
    assert len((await retriever.search(ask("话")))[0].passages) == 2


async def test_a_hit_says_which_ranking_found_it_and_where():
    hits = await RETRIEVER.search(ask("energy"), k=7)
    ranks = {hit.paper.id: hit.ranks for hit in hits}
    assert ranks[ENERGY.id]["bm25"] == 1
    assert "bm25" not in ranks[TITLE_ONLY.id]
    assert all(1 <= r["dense"] <= 7 for r in ranks.values())


async def test_a_hit_names_the_words_that_it_shares_as_they_were_written():
    hits = await RETRIEVER.search(ask("Do pipelines schedule?"))
    assert hits[0].paper == PIPELINE
    assert {"pipelines", "流水线", "调度"} <= set(hits[0].matched)
    assert "bubble" not in hits[0].matched


async def test_a_short_list_of_neighbours_still_ranks_every_match():
    retriever = Retriever(
        Shelf([*FILLERS, PIPELINE, ENERGY]), RetrievalSettings(depth=1, dense_weight=0.1)
    )
    assert (await retriever.search(ask("能耗")))[0].paper == ENERGY


async def test_a_paper_removed_since_the_search_is_left_out():
    class Forgetful(Shelf):
        def papers_by_id(self, ids):
            return {i: p for i, p in super().papers_by_id(ids).items() if i != PIPELINE.id}

    hits = await Retriever(Forgetful([PIPELINE, ENERGY]), SETTINGS).search(ask("流水线"))
    assert [(hit.rank, hit.paper) for hit in hits] == [(1, ENERGY)]


async def test_it_serves_as_a_llama_index_retriever():
    nodes = await RETRIEVER.aretrieve("流水线气泡")
    assert nodes[0].node.ref_doc_id == PIPELINE.id
    assert nodes[0].score >= nodes[-1].score


def test_it_serves_as_a_synchronous_llama_index_retriever():
    nodes = RETRIEVER.retrieve(QueryBundle("流水线气泡"))
    assert nodes[0].node.ref_doc_id == PIPELINE.id


def test_a_term_has_the_largest_weight_that_a_variant_gives_it():
    found = weighted_terms(
        [
            Variant(text="气泡", lang="zh", why="bridge", weight=0.4),
            Variant(text="流水线气泡", lang="zh", why="question", weight=1.0),
        ],
        bigram_weight=0.5,
    )
    assert found == {"气泡": 1.0, "流水线": 1.0, "流水": 0.5, "水线": 0.5, "线气": 0.5}


def test_what_any_paper_does_weighs_less():
    question = Variant(text="reduce bubbles", lang="en", why="question", weight=1.0)
    assert weighted_terms([question], bigram_weight=0.5) == {"reduc": 0.5, "bubbl": 1.0}


def test_a_paper_is_as_near_as_its_entry_and_as_its_nearest_sentence():
    assert by_paper({"a#0": 0.7, "a#1": 0.8, "a#2": 0.9, "b#1": 0.6}) == (
        {"a": 0.7},
        {"a": 0.9, "b": 0.6},
    )


def test_a_sentence_is_better_for_holding_rare_words_of_the_question():
    _, first, second = passages_of(PIPELINE)
    near = {first.id: 0.8, second.id: 0.8}
    assert best_passages([first, second], near, {"吞吐量": 2.0}) == (second, first)
    assert best_passages([first, second], near, {}) == (first, second)
