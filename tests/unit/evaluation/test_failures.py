"""Questions that lack papers among the first five."""

from __future__ import annotations

from paraqa.evaluation.failures import Missing, failures
from unit.evaluation.samples import question, result


def test_missing_papers_are_given_with_their_ranks() -> None:
    asked = question("A-en", type="multi", relevant=("X", "R", "Last"))
    given = result("A-en", ranked=("x", *"abcde", "r"))
    [found] = failures([asked], [given])
    assert found.missing == (Missing(title="R", rank=7), Missing(title="Last", rank=None))
    assert (found.first, found.relevant, found.depth) == ("x", 3, 7)
    assert (found.id, found.lang, found.type, found.text) == ("A-en", "en", "multi", "A-en")


def test_borderline_papers_take_no_place() -> None:
    asked = question("A-zh", relevant=("R",), borderline=("a", "b"))
    assert failures([asked], [result("A-zh", ranked=(*"abcdef", "R"))]) == []
    [found] = failures([asked], [result("A-zh", ranked=(*"abcdefg", "R"))])
    assert found.missing == (Missing(title="R", rank=6),)
    assert found.first == "c"


def test_a_question_that_has_its_papers_or_needs_none_is_no_failure() -> None:
    asked = [question("A-en", relevant=("R",)), question("B-en", type="unanswerable")]
    given = [result("A-en", ranked=(*"abcd", "R")), result("B-en", ranked=("a",))]
    assert failures(asked, given) == []


def test_a_search_that_finds_nothing_has_no_first_paper() -> None:
    [found] = failures([question("A-en", relevant=("R",))], [result("A-en")])
    assert found.first is None
    assert found.missing == (Missing(title="R", rank=None),)
