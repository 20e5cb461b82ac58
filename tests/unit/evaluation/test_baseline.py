"""Kept reports, and runs held against them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paraqa.errors import EvaluationError
from paraqa.evaluation.baseline import Baseline, baseline, compare, load, save
from unit.evaluation.samples import scores

BEFORE = [
    scores("A-en", ndcg_at_10=1 / 3, recall_at_5=0.5),
    scores("A-zh", recall_at_5=0.5),
    scores("B-en", recall_at_5=1.0),
    scores("U-en", "unanswerable"),
]


def kept() -> Baseline:
    return baseline(BEFORE, version="0.9", name="small", papers=4)


def test_a_baseline_holds_the_measures_of_each_question_and_their_means() -> None:
    assert kept().questions == {
        "A-en": {"recall@5": 0.5, "ndcg@10": 0.333333},
        "A-zh": {"recall@5": 0.5},
        "B-en": {"recall@5": 1.0},
    }
    assert kept().means == {"recall@5": 0.666667, "ndcg@10": 0.333333}


def test_a_baseline_survives_its_file(tmp_path: Path) -> None:
    path = tmp_path / "new" / "kept.json"
    save(kept(), path)
    assert load(path) == kept()


def test_the_file_is_json_with_a_line_for_each_question_in_a_fixed_order(tmp_path: Path) -> None:
    save(kept(), tmp_path / "kept.json")
    text = (tmp_path / "kept.json").read_text("utf-8")
    assert list(json.loads(text)) == ["version", "set", "papers", "means", "questions"]
    assert '"A-en": {"recall@5": 0.5, "ndcg@10": 0.333333},\n"A-zh":' in text
    again = [
        each.model_copy(update={"values": dict(reversed(each.values.items()))}) for each in BEFORE
    ]
    assert baseline(again, version="0.9", name="small", papers=4).text == text


def test_an_empty_run_can_be_kept(tmp_path: Path) -> None:
    save(baseline([], version="0.9", name="none", papers=0), tmp_path / "kept.json")
    assert load(tmp_path / "kept.json").questions == {}


def test_the_same_run_shows_no_difference() -> None:
    found = compare(kept(), BEFORE)
    assert {(change.difference, change.p) for change in found.changes} == {(0, 1)}
    assert (found.questions, found.left_out) == (3, ())


def test_differences_are_over_the_questions_that_are_in_both() -> None:
    now = [
        scores("A-en", recall_at_5=1.0),
        scores("A-zh", recall_at_5=0.5),
        scores("N-en", recall_at_5=0.0),
    ]
    found = compare(kept(), now)
    [change] = found.changes
    assert (change.measure, change.questions) == ("recall@5", 2)
    assert (change.kept, change.now, change.difference) == (0.5, 0.75, 0.25)
    assert found.questions == 2
    assert found.left_out == ("B-en", "N-en")


def test_both_forms_of_a_question_are_flipped_together() -> None:
    # Three pairs rise in both languages: 2 of 8 signs, where six questions would give 2 of 64.
    names = [f"{pair}-{lang}" for pair in "ABC" for lang in ("en", "zh")]
    before = baseline(
        [scores(name, recall_at_5=0.0) for name in names], version="0.9", name="s", papers=4
    )
    [change] = compare(before, [scores(name, recall_at_5=1.0) for name in names]).changes
    assert (change.difference, change.p) == (1, 0.25)


@pytest.mark.parametrize(
    ("content", "key"),
    [(None, "eval.no_baseline"), ("{}", "eval.bad_baseline"), ("recall", "eval.bad_baseline")],
)
def test_what_is_no_baseline_is_named(tmp_path: Path, content: str | None, key: str) -> None:
    path = tmp_path / "kept.json"
    if content is not None:
        path.write_text(content, "utf-8")
    with pytest.raises(EvaluationError) as caught:
        load(path)
    assert caught.value.key == key
    for lang in ("en", "zh"):
        assert "kept.json" in caught.value.message(lang)
        assert caught.value.hint(lang)


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(EvaluationError) as caught:
        save(kept(), tmp_path / "file" / "kept.json")
    assert caught.value.key == "eval.unwritable"
