import datetime
import json

import pytest
from pydantic import ValidationError

from paraqa.types import (
    Affiliation,
    Answer,
    Citation,
    Claim,
    Coverage,
    Filters,
    Hit,
    Match,
    Paper,
    Passage,
    Query,
    Rendered,
    Rendering,
    SearchResult,
    Source,
    Variant,
    Verdict,
    clean,
    title_key,
)

SOURCE = Source(file="list.txt", line=1)


def paper(**fields: object) -> Paper:
    return Paper.model_validate({"title": "Zeus", "source": SOURCE} | fields)


def claim(text: str, *numbers: int) -> Claim:
    citations = tuple(
        Citation(number=n, paper_id="p", passage_id="p#1", quote="q", start=0, end=1)
        for n in numbers
    )
    return Claim(text=text, citations=citations, verdict=Verdict(support="full", method="quote"))


def answer(**fields: object) -> Answer:
    variant = Variant(text="why?", lang="en", why="question", weight=1)
    query = Query(text="why?", standalone="why?", lang="en", kind="answer", variants=(variant,))
    return Answer.model_validate(
        {"query": query, "status": "answered", "model": "extractive"} | fields
    )


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ("  a \n\t b\u3000c ", "a b c"),
        ("a\x00b\x1b[31m", "ab[31m"),
        ("\ufeffzero\u200bwidth\u202e", "zerowidth"),
        ("\ud800a", "a"),
        ("13.7\\times ½ é Ａ", "13.7\\times ½ é Ａ"),
    ],
)
def test_cleaning_takes_away_only_what_cannot_be_seen(raw, cleaned):
    assert clean(raw) == cleaned


def test_cleaning_twice_is_cleaning_once():
    once = clean(" a\x00 \u200b b ")
    assert clean(once) == once


def test_two_spellings_of_a_title_are_one_paper():
    assert title_key("DHO$_2$: A  Test") == title_key("dho2 a test")
    assert paper(title="Pipe-Line: 流水线").id == paper(title="pipeline 流水线").id


def test_a_paper_is_known_by_doi_then_arxiv_id_then_title():
    assert paper(doi="10.1/A", arxiv_id="2401.1").id == "doi:10.1/a"
    assert paper(arxiv_id="2401.00001").id == "arxiv:2401.00001"
    assert paper().id.startswith("t")
    assert len(paper().id) == 17


def test_the_text_is_title_and_abstract_on_two_lines():
    assert paper(abstract="节能。").text == "Zeus\n节能。"
    assert paper().text == "Zeus"


def test_a_title_of_nothing_visible_is_refused():
    with pytest.raises(ValidationError):
        paper(title=" \u200b ")


def test_an_unknown_field_is_refused():
    with pytest.raises(ValidationError, match="colour"):
        paper(colour="red")


def test_a_record_cannot_be_changed():
    with pytest.raises(ValidationError):
        paper().title = "other"  # type: ignore[misc]


def test_a_paper_reads_its_own_json_again():
    original = paper(
        abstract="节能。",
        affiliations=(Affiliation(en="MIT", zh="麻省理工学院"), Affiliation(en="NVIDIA")),
        date=datetime.date(2024, 1, 2),
        categories=("cs.DC",),
    )
    text = original.model_dump_json()
    assert json.loads(text)["id"] == original.id
    assert Paper.model_validate_json(text) == original


def test_passage_number_0_is_the_whole_entry():
    whole = Passage(id="p#0", paper_id="p", text="a", lang="en", start=0, end=1)
    tenth = whole.model_copy(update={"id": "p#10"})
    assert (whole.is_whole, tenth.is_whole) == (True, False)


def test_a_claim_is_followed_by_each_of_its_markers_once():
    assert claim("It gains 43%.", 1, 3, 1).marked == "It gains 43%. [1] [3]"


def test_an_answer_is_its_lead_and_its_claims():
    found = answer(lead="Two papers:", claims=(claim("A.", 2), claim("B.", 1, 2)))
    assert found.text == "Two papers:\nA. [2]\nB. [1] [2]"
    assert found.references == (2, 1)


def test_an_answer_without_claims_is_its_reason():
    assert answer(status="abstained", reason="The listing is silent.").text == (
        "The listing is silent."
    )


def test_an_answer_reads_its_own_json_again():
    original = answer(claims=(claim("A.", 1),))
    assert Answer.model_validate_json(original.model_dump_json()) == original


@pytest.mark.parametrize(("one", "other"), [("Parallel C++", "Parallel C#"), ("???", "!!!")])
def test_titles_that_differ_in_signs_only_are_two_papers(one, other):
    source = Source(file="f", line=1)
    assert Paper(title=one, source=source).id != Paper(title=other, source=source).id


# ---- renderings


def rendering(**fields: object) -> Rendering:
    given = {"lang": "en", "abstract": "It saves energy.", "origin": "machine"} | fields
    return Rendering.model_validate(given)


def test_a_paper_reads_its_own_json_with_its_renderings():
    original = paper(abstract="节能。", alternates=(rendering(note="doubtful"),))
    assert Paper.model_validate_json(original.model_dump_json()) == original


def test_a_rendering_changes_neither_the_name_nor_the_text_of_its_paper():
    plain, rendered = paper(abstract="节能。"), paper(abstract="节能。", alternates=(rendering(),))
    assert (plain.id, plain.text) == (rendered.id, rendered.text)


def test_a_rendering_is_curated_or_by_a_machine_and_says_something():
    for wrong in ({"origin": "source"}, {"abstract": " \u200b "}, {"lang": "fr"}):
        with pytest.raises(ValidationError):
            rendering(**wrong)


def test_a_rendering_of_a_file_names_its_paper_by_title_or_id():
    read = Rendered(title=" Zeus ", rendering=rendering(), source=SOURCE)
    assert (read.title, read.id) == ("Zeus", "")


def test_passage_0_of_a_rendering_is_whole_too():
    whole = Passage(id="t#en0", paper_id="t", text="a", lang="en", start=0, end=1)
    sentence = whole.model_copy(update={"id": "t#zh10"})
    assert (whole.is_whole, sentence.is_whole) == (True, False)


# ---- filters, hits and coverage


def test_filters_without_a_condition_are_none():
    assert not Filters()
    assert Filters(authors=("A",))
    assert Filters(since=datetime.date(2024, 1, 1))


def test_a_hit_names_its_matching_terms_without_the_reasons():
    hit = Hit(
        rank=1,
        paper=paper(),
        passages=(),
        score=1.5,
        ranks={"dense": 1},
        shares={"dense": 1.5},
        matches=(Match(term="GPU", why="question"), Match(term="图形处理器", why="glossary")),
    )
    assert hit.matched == ("GPU", "图形处理器")
    assert Hit.model_validate_json(hit.model_dump_json()) == hit


def test_a_result_says_of_itself_that_nothing_matches_until_it_is_told_otherwise():
    assert Coverage() == Coverage(papers=0, eligible=0, matching=0, strength="none")
    query = answer().query
    result = SearchResult(query=query, hits=(), seconds=0.1)
    assert result.coverage == Coverage()
    assert SearchResult.model_validate_json(result.model_dump_json()) == result


def test_a_query_asks_for_everything_unless_it_says_otherwise():
    query = answer().query
    assert (query.filters, query.excluded, query.unknown) == (Filters(), (), ())
    assert not query.is_about_corpus
