import datetime
import json

import pytest

from paraqa.errors import StoreNotFound
from paraqa.types import Filters, SearchResult
from scripted_library import covering, query
from whole_library import HITS, QUESTION, WholeLibrary, run

RECENT = Filters(since=datetime.date(2023, 1, 1), institutions=("NVIDIA",))


def test_each_paper_has_its_number_title_date_and_best_sentence():
    done = run("search", QUESTION)
    assert done.code == 0
    assert done.out == (
        "  1. Breadth-First Pipeline Parallelism (2023-07-10)\n"
        "     吞吐量提高43%。\n"
        "  2. Merak\n"
        "     Merak shifts the critical path.\n"
        "2 of 54 papers match\n"
    )
    assert done.err == "2 papers, 0.25 s\n"


def test_as_json_the_query_and_the_hits_are_one_document():
    done = run("search", QUESTION, "--json")
    assert SearchResult.model_validate_json(done.out).query.text == QUESTION
    assert [hit["rank"] for hit in json.loads(done.out)["hits"]] == [1, 2]


def test_the_number_of_papers_reaches_the_library():
    library = WholeLibrary()
    run("search", QUESTION, "-k", "3", library=library)
    assert library.searched == (QUESTION, 3)


def test_a_missing_store_is_an_error_with_a_hint():
    library = WholeLibrary(search_error=StoreNotFound("server.not_found"))
    done = run("search", QUESTION, "--json", library=library)
    assert (done.code, done.out) == (1, "")
    assert "hint: " in done.err


def result(*, matching=2, eligible=54, strength="strong", hits=HITS, **asked):
    coverage = covering(matching, eligible=eligible, strength=strength)
    return SearchResult(query=query(QUESTION, **asked), hits=hits, coverage=coverage, seconds=0.25)


def searched(found, *, locale="en_US.UTF-8"):
    """The lines under the hits."""
    done = run("search", QUESTION, library=WholeLibrary(result=found), environ={"LC_ALL": locale})
    assert done.code == 0
    return done.out.splitlines()[2 * len(found.hits) :]


def test_the_filters_that_were_read_stand_in_the_closing_line():
    found = result(eligible=12, filters=RECENT)
    assert searched(found) == [
        "2 of 54 papers match; filters: dated 2023 or later, from NVIDIA (met by 12 of 54)"
    ]
    assert searched(found, locale="zh_CN.UTF-8") == [
        "54 篇论文中有 2 篇匹配；筛选条件：2023 年及以后，来自 NVIDIA（54 篇中有 12 篇符合）"
    ]


def test_one_paper_matches_in_the_singular():
    assert searched(result(matching=1)) == ["1 of 54 papers matches"]


@pytest.mark.parametrize(
    ("strength", "matching", "closing", "remark"),
    [
        ("weak", 2, "2 of 54 papers match; match: weak", "hold only a part of what was asked"),
        ("none", 0, "0 of 54 papers match; match: none", "these papers are only the nearest"),
    ],
)
def test_a_match_that_is_not_strong_says_so(strength, matching, closing, remark):
    told = searched(result(strength=strength, matching=matching))
    assert told[0] == closing
    assert remark in told[1]


def test_where_no_paper_holds_anything_that_is_said():
    told = searched(result(matching=0, strength="none", hits=()))
    assert told == [
        "0 of 54 papers match; match: none",
        "No paper holds anything of what was asked.",
    ]


@pytest.mark.parametrize(
    ("locale", "words"),
    [
        (
            "en_US.UTF-8",
            "None of the 54 papers meets the conditions: dated 2023 or later, from NVIDIA.",
        ),
        ("zh_CN.UTF-8", "54 篇论文均不符合条件：2023 年及以后，来自 NVIDIA。"),
    ],
)
def test_where_all_were_filtered_out_the_conditions_are_named(locale, words):
    found = result(matching=0, eligible=0, strength="none", hits=(), filters=RECENT)
    [told] = searched(found, locale=locale)
    assert told.startswith(words)
    assert "--no-filters" in told


def test_a_question_about_the_collection_is_told_apart():
    told = searched(result(strength="weak", is_about_corpus=True))
    assert len(told) == 2
    assert told[1].startswith("The question is about the collection itself")


def test_what_a_result_stands_on_is_part_of_it_even_when_quiet():
    done = run("search", QUESTION, "-q")
    assert done.out.endswith("2 of 54 papers match\n")
    assert done.err == ""
