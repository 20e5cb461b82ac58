"""The report and its tables."""

from __future__ import annotations

from paraqa.evaluation.grid import WIDEST, width
from paraqa.evaluation.report import Report, report
from unit.evaluation.samples import CORPUS, USAGE, question, result

ASKED = [
    question("A-en", relevant=("Merak", "Elsewhere"), facts=("43%",)),
    question("A-zh", relevant=("Merak", "Elsewhere"), facts=("43%",)),
    question("B-en", type="unanswerable"),
]
GIVEN = [
    result("A-en", ranked=("Merak",), answer="It gains 43%.", seconds=2.0, usage=USAGE),
    result("A-zh", ranked=("x", "merak"), answer="它更快。", seconds=4.0),
    result("B-en", answer="The papers do not say.", status="abstained"),
]


def whole() -> Report:
    return report("small", ASKED, GIVEN, corpus=CORPUS, only=None, llm="local")


def test_a_figure_is_found_by_measure_language_and_type() -> None:
    found = whole()
    rank = found.figure("rr@10")
    assert rank is not None
    assert (rank.questions, rank.mean) == (2, 0.75)
    chinese = found.figure("fact_coverage", lang="zh", type="lookup")
    assert chinese is not None
    assert chinese.mean == 0
    assert found.figure("fact_coverage", type="unanswerable") is None


def test_relevant_papers_that_the_library_lacks_are_named() -> None:
    assert whole().missing == ("Elsewhere",)
    assert "Elsewhere" in whole().table("en")


def test_the_report_survives_its_own_json() -> None:
    assert Report.model_validate_json(whole().model_dump_json()) == whole()


def test_the_table_speaks_both_languages() -> None:
    english, chinese = whole().table("en"), whole().table("zh")
    assert "3 questions over 4 papers" in english
    assert "fact coverage" in english
    assert "事实覆盖率" in chinese
    assert "+0.500" in english
    assert "+0.500" in chinese
    assert "1.00/0.00" in english
    assert "35.0" in chinese


def blocks(text: str) -> list[list[str]]:
    return [block.splitlines() for block in text.strip().split("\n\n")]


def test_columns_line_up_where_characters_are_wide() -> None:
    _, overall, by_type, *_ = blocks(whole().table("zh"))
    assert len({width(line) for line in overall}) == 1
    assert len({width(line) for line in by_type[1:]}) == 1


def test_no_table_is_wider_than_it_may_be() -> None:
    many = [question(f"A{n}-en", type=f"type-number-{n}", relevant=("Merak",)) for n in range(12)]
    given = [result(each.id, answer="It gains 43%.") for each in many]
    table = report("wide", many, given, corpus=CORPUS, only=None, llm="local").table("en")
    assert max(map(width, table.splitlines())) <= WIDEST
    assert all(f"type-number-{n}" in table for n in range(12))


def test_the_core_stands_beside_the_languages_and_before_the_types() -> None:
    _, overall, by_type, *_ = blocks(whole().table("en"))
    assert overall[0].split() == ["all", "English", "Chinese", "core"]
    assert by_type[1].split() == ["core", "lookup", "unanswerable"]
    assert by_type[2].split() == ["questions", "1/1", "1/1", "1/0"]


def test_styles_are_shown_where_the_questions_name_them() -> None:
    assert "By style" not in whole().table("en")
    asked = [ASKED[0].model_copy(update={"style": "short"}), *ASKED[1:]]
    found = report("small", asked, GIVEN, corpus=CORPUS, only="retrieval", llm=None)
    assert found.styles == ("short",)
    [block] = [b for b in blocks(found.table("en")) if b[0].startswith("By style")]
    assert block[1].split() == ["short"]
    assert block[3].split() == ["recall@5", "0.50/–"]


def test_parity_is_shown_with_the_papers_in_common() -> None:
    [block] = [b for b in blocks(whole().table("en")) if b[0].startswith("Parity")]
    assert block[1].split() == ["all", "core", "one", "answer"]
    # One of the two papers that either language found is in both.
    assert block[-1].split("  ")[0] == "same papers in the first five (Jaccard)"
    assert block[-1].count("0.500 [0.50, 0.50]") == 3


def test_a_report_is_held_against_its_own_baseline() -> None:
    found = whole().beside(whole().baseline())
    table = found.table("en")
    assert "paraqa " in table
    assert "randomisation" in table
    assert "Left out" not in table
    assert found.comparison is not None
    assert {change.p for change in found.comparison.changes} == {1.0}
    assert Report.model_validate_json(found.model_dump_json()) == found


def test_questions_that_the_baseline_lacks_are_said_to_be_left_out() -> None:
    kept = report("small", ASKED[:1], GIVEN[:1], corpus=CORPUS, only=None, llm="local").baseline()
    assert "not in both: 2 questions" in whole().beside(kept).table("en")
    assert "有 2 个问题" in whole().beside(kept).table("zh")


def test_failures_are_listed_with_what_stood_first() -> None:
    english, chinese = whole().failure_list("en"), whole().failure_list("zh")
    assert english.startswith(
        "small: 2 questions lack papers among the first five\n\nA-en (lookup): A-en\n"
    )
    assert "  not in the first 1: Elsewhere\n  stood first: Merak\n" in english
    assert "  排在首位：x\n" in chinese
    found = report("small", ASKED[2:], GIVEN[2:], corpus=CORPUS, only="answers", llm="local")
    assert found.failure_list("en") == ""


def test_a_report_without_failures_says_so() -> None:
    asked = question("A-en", relevant=("Merak",))
    found = report("small", [asked], GIVEN[:1], corpus=CORPUS, only="retrieval", llm=None)
    assert found.failure_list("en") == "small: every question has its papers among the first five\n"


def test_a_report_on_rankings_says_nothing_of_answers() -> None:
    found = report("small", ASKED, GIVEN, corpus=CORPUS, only="retrieval", llm=None)
    assert {figure.measure for figure in found.figures} == {
        "recall@5", "recall@10", "recall@20", "crecall@5", "crecall@10", "crecall@20",
        "rr@10", "ndcg@10",
    }  # fmt: skip
    assert "Answers by" not in found.table("en")


def test_a_report_on_answers_says_nothing_of_rankings() -> None:
    found = report("small", ASKED, GIVEN, corpus=CORPUS, only="answers", llm="local")
    assert (found.jaccard, found.failures) == ((), ())
    assert "Jaccard" not in found.table("en")
