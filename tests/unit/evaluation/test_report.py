"""The report and its tables."""

from __future__ import annotations

from paraqa.evaluation.report import Report, _width, report
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
    return report(ASKED, GIVEN, corpus=CORPUS, only=None, llm="local")


def test_a_figure_is_found_by_measure_language_and_type() -> None:
    found = whole()
    rank = found.figure("mrr@10")
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


def test_columns_line_up_where_characters_are_wide() -> None:
    lines = whole().table("zh").splitlines()
    block = lines[lines.index("") + 1 :]
    block = block[: block.index("")]
    assert len({_width(line) for line in block}) == 1


def test_a_report_on_rankings_says_nothing_of_answers() -> None:
    found = report(ASKED, GIVEN, corpus=CORPUS, only="retrieval", llm=None)
    assert {figure.measure for figure in found.figures} == {
        "recall@5", "recall@10", "crecall@5", "crecall@10", "mrr@10", "ndcg@10",
    }  # fmt: skip
    assert "Answers by" not in found.table("en")
