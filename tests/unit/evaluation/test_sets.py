"""Question sets as files and folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from paraqa.errors import EvaluationError
from paraqa.evaluation.sets import QuestionSet, check_own, find


def folder(path: Path, *names: str) -> Path:
    path.mkdir()
    for name in names:
        (path / name).write_text("", "utf-8")
    return path


def test_a_folder_means_its_questions_and_its_papers(tmp_path: Path) -> None:
    one = folder(tmp_path / "one", "dev.jsonl", "papers.tsv", "originals.jsonl")
    two = folder(tmp_path / "two", "questions.jsonl")
    assert find([one, two]) == [
        QuestionSet(name="one", questions=one / "dev.jsonl", papers=one / "papers.tsv"),
        QuestionSet(name="two", questions=two / "questions.jsonl"),
    ]


def test_a_file_is_taken_as_it_is(tmp_path: Path) -> None:
    own = folder(tmp_path / "set", "dev.jsonl", "other.jsonl", "papers.tsv")
    table = tmp_path / "p.tsv"
    assert find([own / "dev.jsonl", own / "other.jsonl"], table) == [
        QuestionSet(name="set", questions=own / "dev.jsonl", papers=table),
        QuestionSet(name="other", questions=own / "other.jsonl", papers=table),
    ]
    assert find([own / "dev.jsonl"])[0].papers is None


def test_a_named_table_of_papers_replaces_that_of_the_folder(tmp_path: Path) -> None:
    own = folder(tmp_path / "set", "dev.jsonl", "papers.tsv")
    assert find([own], Path("p.tsv"))[0].papers == Path("p.tsv")


def test_a_folder_without_questions_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError) as caught:
        find([folder(tmp_path / "empty", "originals.jsonl")])
    assert caught.value.key == "eval.no_questions"
    assert "questions.jsonl, dev.jsonl" in caught.value.message("zh")


def test_two_sets_of_one_name_are_an_error(tmp_path: Path) -> None:
    own = folder(tmp_path / "set", "dev.jsonl")
    with pytest.raises(EvaluationError) as caught:
        find([own, own / "dev.jsonl"])
    assert caught.value.key == "eval.same_name"


def test_the_name_of_the_set_is_put_into_its_own_files() -> None:
    one = QuestionSet(name="cl", questions=Path("q.jsonl"))
    assert one.own(Path("evals/{set}/baselines/{set}.json")) == Path("evals/cl/baselines/cl.json")
    assert one.own(Path("x.json")) == Path("x.json")
    assert one.own(None) is None


def test_several_sets_do_not_share_a_file_of_their_own() -> None:
    sets = [QuestionSet(name=name, questions=Path("q.jsonl")) for name in ("a", "b")]
    check_own(sets, None)
    check_own(sets, Path("{set}.json"))
    check_own(sets[:1], Path("x.json"))
    with pytest.raises(EvaluationError) as caught:
        check_own(sets, Path("x.json"))
    assert caught.value.key == "eval.shared_file"
    assert "{set}" in caught.value.hint("en")
    assert "{set}" in caught.value.hint("zh")
