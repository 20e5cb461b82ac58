import json

import pytest

from paraqa.types import Hit
from scripted_library import paper
from whole_library import BREADTH, MERAK, WholeLibrary, run

ZEROPP = paper("ZeroPP: Tensor-Parallelism-Free Methodology", "x", date="2024-05-24")
HELD = (BREADTH, MERAK, ZEROPP)


def similar(given, *options, held=HELD, locale="en_US.UTF-8"):
    library = WholeLibrary(held=held)
    return library, run("similar", given, *options, library=library, environ={"LC_ALL": locale})


def test_the_papers_most_like_one_are_listed():
    _, done = similar(BREADTH.id)
    assert done.code == 0
    assert done.out == (
        "  1. Merak\n  2. ZeroPP: Tensor-Parallelism-Free Methodology (2024-05-24)\n"
    )
    assert done.err == "Most like Breadth-First Pipeline Parallelism\n"


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (MERAK.id, MERAK),
        ("merak", MERAK),
        ("ＭＥＲＡＫ ", MERAK),
        ("2", MERAK),
        ("3", ZEROPP),
        ("breadth first", BREADTH),
        ("tensor-parallelism", ZEROPP),
    ],
)
def test_a_paper_is_known_by_id_title_number_or_a_part_of_its_title(given, meant):
    library, done = similar(given)
    assert done.code == 0
    assert library.searched == (meant.id, None)


def test_a_whole_title_goes_before_a_part_of_others():
    longer = paper("Merak Revisited", "x")
    library, _ = similar("Merak", held=(longer, MERAK))
    assert library.searched == (MERAK.id, None)


def test_as_json_the_hits_are_a_list():
    library, done = similar("2", "--json", "-k", "1")
    assert [Hit.model_validate(record).paper for record in json.loads(done.out)] == [BREADTH]
    assert library.searched == (MERAK.id, 1)


@pytest.mark.parametrize("given", ["0", "4", "99999999999", "no such", "arxiv:0", " ", "-"])
def test_an_unknown_paper_is_an_error_with_the_next_step(given):
    library, done = similar("--", given)
    assert (done.code, done.out) == (1, "")
    assert "error: No paper is known as" in done.err
    assert "hint: Give an id, a title or a part of one, or a number from 1 to 3" in done.err
    assert library.searched is None


@pytest.mark.parametrize(
    ("locale", "error", "hint"),
    [
        ("en_US.UTF-8", "error: 'parallelism' could be any of 2 papers.", "hint: Give the number"),
        ("zh_CN.UTF-8", "错误：'parallelism' 对应 2 篇论文。", "提示：请改用"),
    ],
)
def test_a_part_of_several_titles_lists_them(locale, error, hint):
    library, done = similar("parallelism", locale=locale)
    assert (done.code, done.out) == (1, "")
    lines = done.err.splitlines()
    assert lines[:3] == [
        "  1. Breadth-First Pipeline Parallelism (2023-07-10) arxiv:2211.05953",
        f"  3. ZeroPP: Tensor-Parallelism-Free Methodology (2024-05-24) {ZEROPP.id}",
        error,
    ]
    assert lines[3].startswith(hint)
    assert library.searched is None


def test_of_very_many_candidates_some_are_listed():
    many = [paper(f"Pipeline {number}", "x") for number in range(14)]
    _, done = similar("pipeline", held=many)
    assert done.err.count("Pipeline ") == 10
    assert "… and 4 more\n" in done.err


def test_two_papers_of_one_title_are_told_apart_by_number_and_id():
    twin = MERAK.model_copy(update={"arxiv_id": "2206.04959"})
    library, done = similar("Merak", held=(MERAK, twin))
    assert done.code == 1
    assert twin.id in done.err
    library, _ = similar("2", held=(MERAK, twin))
    assert library.searched == (twin.id, None)


def test_a_paper_alone_is_like_no_other():
    _, done = similar("1", held=(MERAK,))
    assert (done.code, done.out) == (0, "There is no other paper to compare it with.\n")
