import json

from paraqa.types import Paper
from whole_library import BREADTH, MERAK, WholeLibrary, run


def test_each_paper_is_a_line_with_its_number_and_its_id():
    done = run("papers")
    assert done.out == (
        "  1. Breadth-First Pipeline Parallelism (2023-07-10)  arxiv:2211.05953\n"
        f"  2. Merak  {MERAK.id}\n"
    )
    assert done.err == "2 papers\n"


def test_as_json_the_papers_are_one_document():
    records = json.loads(run("papers", "--json").out)
    assert [Paper.model_validate(record) for record in records] == [BREADTH, MERAK]


def test_of_no_papers_the_json_is_an_empty_list():
    assert json.loads(run("papers", "--json", library=WholeLibrary(held=())).out) == []
