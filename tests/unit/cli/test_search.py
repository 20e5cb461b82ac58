import json

from paraqa.errors import StoreNotFound
from paraqa.types import SearchResult
from whole_library import QUESTION, WholeLibrary, run


def test_each_paper_has_its_number_title_date_and_best_sentence():
    done = run("search", QUESTION)
    assert done.code == 0
    assert done.out == (
        "  1. Breadth-First Pipeline Parallelism (2023-07-10)\n"
        "     吞吐量提高43%。\n"
        "  2. Merak\n"
        "     Merak shifts the critical path.\n"
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
