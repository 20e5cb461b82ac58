"""The measures of one question, against numbers worked out by hand."""

from __future__ import annotations

from math import log2

import pytest

from paraqa.evaluation.measures import Only, score
from paraqa.evaluation.questions import Question
from paraqa.evaluation.results import Result
from unit.evaluation.samples import question, result


def values(asked: Question, given: Result, only: Only | None = None) -> dict[str, float]:
    [scores] = score([asked], [given], only)
    return scores.values


def test_a_ranking_is_measured_as_by_hand() -> None:
    # Relevant are A, B and C; A stands second, B seventh, C nowhere.
    asked = question("Q-en", relevant=("A", "B", "C"))
    found = values(asked, result("Q-en", ranked=("x", "A", *"rstu", "B", "v")), "retrieval")
    best = 1 + 1 / log2(3) + 1 / log2(4)
    assert found == pytest.approx(
        {
            "recall@5": 1 / 3,
            "recall@10": 2 / 3,
            "recall@20": 2 / 3,
            "crecall@5": 1 / 3,
            "crecall@10": 2 / 3,
            "crecall@20": 2 / 3,
            "rr@10": 1 / 2,
            "ndcg@10": (1 / log2(3) + 1 / log2(8)) / best,
        }
    )


def test_capped_recall_reaches_one_where_recall_cannot() -> None:
    asked = question("Q-en", relevant=tuple("ABCDEFGH"))
    found = values(asked, result("Q-en", ranked=tuple("ABCDEx")), "retrieval")
    assert found["recall@5"] == pytest.approx(5 / 8)
    assert found["crecall@5"] == 1
    assert found["recall@10"] == found["crecall@10"] == pytest.approx(5 / 8)


def test_a_long_list_is_followed_to_the_twentieth_paper() -> None:
    # 25 are relevant; of the first twenty papers, the last ten are.
    asked = question("Q-en", relevant=tuple(f"R{n}" for n in range(25)))
    ranked = (*(f"x{n}" for n in range(10)), *(f"R{n}" for n in range(15)))
    found = values(asked, result("Q-en", ranked=ranked), "retrieval")
    assert found["recall@20"] == pytest.approx(10 / 25)
    assert found["crecall@20"] == pytest.approx(10 / 20)
    assert found["recall@10"] == found["crecall@10"] == found["rr@10"] == 0


def test_borderline_papers_take_no_place_in_a_ranking() -> None:
    asked = question("Q-en", relevant=("A",), borderline=("b", "c"))
    found = values(asked, result("Q-en", ranked=("b", "C", "A")), "retrieval")
    assert found["rr@10"] == found["ndcg@10"] == 1


def test_a_relevant_paper_after_the_tenth_counts_at_twenty_only() -> None:
    asked = question("Q-en", relevant=("A",))
    found = values(asked, result("Q-en", ranked=(*"abcdefghij"[1:], "k", "A")), "retrieval")
    assert {measure for measure, value in found.items() if value} == {"recall@20", "crecall@20"}


def test_a_paper_ranked_twice_counts_once() -> None:
    asked = question("Q-zh", relevant=("并行",))
    found = values(asked, result("Q-zh", ranked=("x", "X!", "并行")), "retrieval")
    assert found["rr@10"] == 1 / 2


def test_an_empty_ranking_scores_zero() -> None:
    found = values(question("Q-en", relevant=("A",)), result("Q-en"), "retrieval")
    assert set(found.values()) == {0}
    assert len(found) == 8


def test_a_question_that_nothing_answers_has_no_ranking_to_measure() -> None:
    asked = question("Q-en", type="unanswerable")
    assert values(asked, result("Q-en", ranked=("x",)), "retrieval") == {}


def test_citations_are_measured_as_by_hand() -> None:
    asked = question("Q-en", relevant=("A", "B", "C", "D"), required=("A", "B"), borderline=("E",))
    found = values(asked, result("Q-en", answer="Yes.", cited=("A", "x", "c", "E")), "answers")
    assert found["citation_precision"] == pytest.approx(2 / 3)
    assert found["citation_recall_required"] == 1 / 2
    assert found["citation_recall_relevant"] == 1 / 2


def test_precision_leaves_out_an_answer_without_citations() -> None:
    asked = question("Q-en", relevant=("A",), required=("A",), borderline=("E",))
    for cited in ((), ("E",)):
        found = values(asked, result("Q-en", answer="Yes.", cited=cited), "answers")
        assert "citation_precision" not in found
        assert found["citation_recall_required"] == 0


def test_citing_papers_for_what_cannot_be_answered_is_imprecise() -> None:
    asked = question("Q-en", type="unanswerable", borderline=("E",))
    found = values(asked, result("Q-en", answer="Yes.", cited=("E", "A")), "answers")
    assert found["citation_precision"] == 0
    assert "citation_recall_required" not in found


def test_declining_is_right_only_where_there_is_no_answer() -> None:
    impossible, possible = question("Q-en", type="unanswerable"), question("Q-en")
    declined = result("Q-en", status="abstained", answer="The papers do not say.")
    answered = result("Q-en", status="partial", answer="They say so.")
    assert values(impossible, declined, "answers")["abstention"] == 1
    assert values(impossible, answered, "answers")["abstention"] == 0
    assert values(possible, declined, "answers")["declined"] == 1
    assert values(possible, answered, "answers")["declined"] == 0
    assert "declined" not in values(impossible, declined, "answers")
    assert "abstention" not in values(possible, declined, "answers")


def test_facts_count_only_where_some_are_expected() -> None:
    given = result("Q-en", answer="It gains 43%.")
    assert values(question("Q-en", facts=("43%", "52B")), given)["fact_coverage"] == 0.5
    assert "fact_coverage" not in values(question("Q-en"), given)


@pytest.mark.parametrize(
    ("name", "answer", "expected"),
    [
        ("Q-en", "Merak speeds training up. [1]", 1),
        ("Q-zh", "Merak 加快了训练速度。 [1]", 1),
        ("Q-en", "Merak 加快了训练速度。 [1]", 0),
        ("Q-zh", "Merak speeds training up. [1]", 0),
        ("Q-en", "Merak speeds training up. [1]\n它加快了训练速度。 [1]", 0),
        ("Q-en", "", 0),
    ],
)
def test_every_sentence_must_be_in_the_language_of_the_question(
    name: str, answer: str, expected: int
) -> None:
    given = result(name, answer=answer, status="answered")
    assert values(question(name), given, "answers")["language"] == expected


def test_a_citation_that_does_not_resolve_lowers_the_share() -> None:
    given = result("Q-en", answer="Yes. [1] [9]", citations=4, dangling=1, removed_markers=2)
    found = values(question("Q-en"), given, "answers")
    assert found["resolving"] == 0.75
    assert found["removed_markers"] == 2
    assert "resolving" not in values(question("Q-en"), result("Q-en", answer="No."), "answers")


def test_each_kind_of_measure_can_be_taken_alone() -> None:
    asked, given = question("Q-en", relevant=("A",)), result("Q-en", answer="Yes.", ranked=("A",))
    both = values(asked, given)
    assert both == values(asked, given, "retrieval") | values(asked, given, "answers")
    assert "recall@5" not in values(asked, given, "answers")
    assert "language" not in values(asked, given, "retrieval")
