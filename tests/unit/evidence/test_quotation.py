"""A sentence in the reader's language around a paper's own words."""

from __future__ import annotations

from papers import BREADTH_FIRST, ENGLISH, MERAK, ZEUS, hits_of, query_of
from paraqa import lang
from paraqa.evidence import origin, quotation, quotations
from paraqa.types import Affiliation, Paper, Source


def test_a_quotation_is_in_the_readers_language_around_an_exact_slice() -> None:
    (hit,) = hits_of(ZEUS)
    for query in (query_of("What does Zeus reach?", "en"), query_of("Zeus达到了什么?", "zh")):
        draft = quotation(query, hit)
        assert draft.quote is not None
        start, end = draft.quote
        assert lang.quoted(ZEUS.text[start:end], query.lang) in draft.text
        assert lang.is_in_language(draft.text, query.lang)


def test_two_neighbouring_sentences_are_one_quotation() -> None:
    (draft,) = quotations(
        query_of("What is Zeus, an energy efficiency framework?", "en"), *hits_of(ZEUS)
    )
    assert draft.quote == (ZEUS.text.index("我们提出"), len(ZEUS.text))


def test_a_list_quotes_one_sentence_of_each_paper() -> None:
    drafts = quotations(query_of("List the papers on training.", "en", "list"), *hits_of(MERAK))
    assert len(drafts) == 1
    assert drafts[0].text.count("。") == 1


def test_only_figures_that_a_reader_would_misread_are_converted() -> None:
    english = quotation(query_of("How many parameters?", "en"), *hits_of(BREADTH_FIRST))
    assert english.text.endswith(" (520亿 = 52 billion)")
    chinese = quotation(query_of("排序了多少个键?", "zh"), *hits_of(ENGLISH))
    assert chinese.text.endswith("\uff0852 billion = 520亿\uff09")
    times = quotation(query_of("How many times faster is Merak?", "en"), *hits_of(MERAK))
    assert times.text.endswith("”")


def test_the_origin_is_written_in_the_readers_language_where_the_entry_has_it() -> None:
    paper = Paper(
        title="T",
        affiliations=(Affiliation(en="NVIDIA", zh="英伟达"), Affiliation(en="Snowflake")),
        source=Source(file="l", line=1),
    )
    assert origin(paper, "en") == "NVIDIA, Snowflake"
    assert origin(paper, "zh") == "英伟达\uff0cSnowflake"
