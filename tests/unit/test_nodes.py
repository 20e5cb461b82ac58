import datetime

import pytest
from llama_index.core.schema import MetadataMode

from paraqa.nodes import (
    embedding_text,
    from_node,
    indexed_passages,
    indexed_terms,
    indexed_text,
    lexical_text,
    passages_of,
    place_of,
    to_nodes,
)
from paraqa.types import Affiliation, Paper, Rendering, Source

BREADTH = Paper(
    title="Breadth-First Pipeline Parallelism",
    abstract="本文提出广度优先流水线并行。吞吐量提升43%。",
    authors=("Joel Lamy-Poirier",),
    affiliations=(Affiliation(en="ServiceNow Research", zh="ServiceNow研究院"),),
    date=datetime.date(2023, 7, 6),
    categories=("cs.DC", "cs.LG"),
    source=Source(file="list.txt", line=1),
)
RENDERED = BREADTH.model_copy(
    update={
        "alternates": (
            Rendering(
                lang="en", abstract="A breadth-first schedule. It is fast.", origin="curated"
            ),
        )
    }
)
BARE = Paper(title="Zeus", source=Source(file="list.txt", line=5))


def test_passage_0_is_the_entry_and_the_others_are_its_sentences():
    whole, first, second = passages_of(BREADTH)
    assert whole.text == BREADTH.text
    assert (first.text, second.text) == ("本文提出广度优先流水线并行。", "吞吐量提升43%。")
    assert [p.id for p in (whole, first, second)] == [f"{BREADTH.id}#{n}" for n in range(3)]
    assert {p.paper_id for p in (whole, first, second)} == {BREADTH.id}


@pytest.mark.parametrize("paper", [BREADTH, BARE])
def test_a_passage_is_a_slice_of_its_paper(paper):
    assert all(p.text == paper.text[p.start : p.end] for p in passages_of(paper))


def test_a_paper_without_abstract_is_one_passage():
    (only,) = passages_of(BARE)
    assert (only.text, only.lang, only.is_whole) == ("Zeus", "en", True)


def test_a_passage_has_the_language_of_its_text():
    mixed = BREADTH.model_copy(update={"abstract": "本文提出一种方法。It is fast and small."})
    assert [p.lang for p in passages_of(mixed)[1:]] == ["zh", "en"]
    assert passages_of(BREADTH)[0].lang == "zh"


def test_a_sentence_is_embedded_behind_its_title():
    whole, first, _ = passages_of(BREADTH)
    assert embedding_text(BREADTH, whole) == BREADTH.text
    assert embedding_text(BREADTH, first) == (
        "Breadth-First Pipeline Parallelism. 本文提出广度优先流水线并行。"
    )


@pytest.mark.parametrize("paper", [BREADTH, BARE, RENDERED])
def test_llama_index_embeds_the_embedding_text(paper):
    embedded = [node.get_content(MetadataMode.EMBED) for node in to_nodes([paper])]
    assert embedded == [embedding_text(paper, p) for p in indexed_passages(paper)]


def test_braces_in_a_text_are_only_braces():
    paper = BARE.model_copy(update={"title": "{x}", "abstract": "使用{content}与{0}。"})
    _, sentence = to_nodes([paper])
    assert sentence.get_content(MetadataMode.EMBED) == "{x}. 使用{content}与{0}。"


def test_a_node_has_the_id_of_its_passage_and_knows_its_paper():
    node = to_nodes([BREADTH])[2]
    assert node.node_id == f"{BREADTH.id}#2"
    assert node.ref_doc_id == BREADTH.id
    assert node.metadata == {
        "paper_id": BREADTH.id,
        "lang": "zh",
        "origin": "source",
        "date": "2023-07-06",
        "title": BREADTH.title,
    }


@pytest.mark.parametrize("paper", [BREADTH, BARE, RENDERED])
def test_a_passage_comes_back_from_its_node(paper):
    assert [from_node(node) for node in to_nodes([paper])] == indexed_passages(paper)


def test_words_are_matched_in_everything_a_reader_may_name_a_paper_by():
    lines = lexical_text(BREADTH).splitlines()
    assert lines == [
        "Breadth-First Pipeline Parallelism",
        "本文提出广度优先流水线并行。吞吐量提升43%。",
        "ServiceNow Research",
        "ServiceNow研究院",
        "Joel Lamy-Poirier",
        "2023-07-06",
        "2023",
        "cs.DC",
        "cs.LG",
    ]


def test_a_title_as_long_as_a_page_is_not_embedded_with_each_sentence():
    paper = Paper(title="T" * 5000, abstract="One. Two.", source=Source(file="f", line=1))
    _, first, _ = passages_of(paper)
    assert len(embedding_text(paper, first)) < 400
    embedded = [node.get_content(MetadataMode.EMBED) for node in to_nodes([paper])]
    assert embedded[1] == embedding_text(paper, first)


# ---- renderings


def test_a_rendering_has_passages_of_its_own_behind_those_of_the_entry():
    passages = indexed_passages(RENDERED)
    assert passages[:3] == passages_of(RENDERED) == passages_of(BREADTH)
    assert [(p.id, p.lang, p.origin) for p in passages[3:]] == [
        (f"{BREADTH.id}#en{n}", "en", "curated") for n in range(3)
    ]
    assert passages[3].text == f"{BREADTH.title}\nA breadth-first schedule. It is fast."
    assert [p.text for p in passages[4:]] == ["A breadth-first schedule.", "It is fast."]
    assert [p.is_whole for p in passages] == [True, False, False, True, False, False]


def test_a_passage_of_a_rendering_is_a_slice_of_the_title_and_its_abstract():
    whole, *rest = indexed_passages(RENDERED)[3:]
    assert all(p.text == whole.text[p.start : p.end] for p in rest)


def test_a_passage_of_a_rendering_has_the_language_that_the_rendering_says():
    names = RENDERED.alternates[0].model_copy(update={"abstract": "GPU。Merak。"})
    paper = BREADTH.model_copy(update={"alternates": (names.model_copy(update={"lang": "zh"}),)})
    assert {p.lang for p in indexed_passages(paper)[3:]} == {"zh"}


@pytest.mark.parametrize(
    ("passage_id", "place"),
    [
        ("t01#0", ("t01", "", 0)),
        ("t01#12", ("t01", "", 12)),
        ("doi:10.1/a#b#en3", ("doi:10.1/a#b", "en", 3)),
        ("arxiv:2401.00001#zh0", ("arxiv:2401.00001", "zh", 0)),
    ],
)
def test_an_id_tells_paper_language_and_number(passage_id, place):
    assert place_of(passage_id) == place


def test_a_paper_is_matched_by_the_words_of_its_renderings_too():
    assert indexed_text(RENDERED) == f"{lexical_text(BREADTH)}\n{RENDERED.alternates[0].abstract}"
    assert "schedul" in indexed_terms(RENDERED).words
    assert "schedul" not in indexed_terms(BREADTH).words


def test_a_concept_is_one_term_in_both_languages():
    english = Paper(title="Filling pipeline bubbles", source=Source(file="f", line=1))
    chinese = Paper(title="填充流水线气泡", source=Source(file="f", line=2))
    shared = {*indexed_terms(english).bigrams} & {*indexed_terms(chinese).bigrams}
    assert "#pipeline bubble" in shared
    assert not any(term.startswith("#") for term in indexed_terms(english).words)
