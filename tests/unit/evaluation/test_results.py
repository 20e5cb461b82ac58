"""Result files, whole and torn."""

from __future__ import annotations

from pathlib import Path

import pytest

from paraqa.errors import EvaluationError
from paraqa.evaluation.results import Result, ResultFile, check_run
from unit.evaluation.samples import question, result

FIRST, SECOND = result("A-en", answer="Yes.\u2028 43% [1]"), result("A-zh", answer="是。")


def written(path: Path, *results: Result) -> Path:
    file = ResultFile(path)
    for each in results:
        file.add(each)
    file.close()
    return path


def resumed(path: Path, *more: Result) -> list[str]:
    """Ids that were there, after which more are added."""
    file = ResultFile.resume(path)
    for each in more:
        file.add(each)
    file.close()
    return [each.id for each in file.results]


def test_results_are_read_as_they_were_written(tmp_path: Path) -> None:
    file = ResultFile.resume(written(tmp_path / "deep" / "out.jsonl", FIRST, SECOND))
    file.close()
    assert file.results == (FIRST, SECOND)


def test_a_result_is_on_disk_at_once(tmp_path: Path) -> None:
    file = ResultFile(tmp_path / "out.jsonl")
    file.add(FIRST)
    on_disk = (tmp_path / "out.jsonl").read_text("utf-8")
    file.close()
    assert on_disk == FIRST.model_dump_json() + "\n"


def test_a_new_run_begins_the_file_anew(tmp_path: Path) -> None:
    path = written(tmp_path / "out.jsonl", FIRST)
    written(path, SECOND)
    assert resumed(path) == ["A-zh"]


@pytest.mark.parametrize("kept", [1, 20, -2])
def test_a_torn_last_line_is_taken_away(tmp_path: Path, kept: int) -> None:
    path = written(tmp_path / "out.jsonl", FIRST)
    torn = SECOND.model_dump_json().encode()[:kept]
    path.write_bytes(path.read_bytes() + torn)
    assert resumed(path, SECOND) == ["A-en"]
    assert resumed(path) == ["A-en", "A-zh"]


def test_a_line_torn_inside_a_character_is_taken_away(tmp_path: Path) -> None:
    path = written(tmp_path / "out.jsonl", FIRST)
    text = SECOND.model_dump_json().encode()
    path.write_bytes(path.read_bytes() + text[: text.index("是".encode()) + 1] + b"\n")
    assert resumed(path, SECOND) == ["A-en"]
    assert resumed(path) == ["A-en", "A-zh"]


def test_a_whole_last_line_without_its_end_is_kept(tmp_path: Path) -> None:
    path = written(tmp_path / "out.jsonl", FIRST)
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    assert resumed(path, SECOND) == ["A-en"]
    assert resumed(path) == ["A-en", "A-zh"]


def test_there_is_nothing_to_resume_in_a_missing_file(tmp_path: Path) -> None:
    assert resumed(tmp_path / "out.jsonl", FIRST) == []
    assert resumed(tmp_path / "out.jsonl") == ["A-en"]


@pytest.mark.parametrize("line", ["{torn\n", '{"id": "A-en"}\n'])
def test_a_file_of_something_else_is_left_alone(tmp_path: Path, line: str) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text(line + FIRST.model_dump_json() + "\n", "utf-8")
    before = path.read_bytes()
    with pytest.raises(EvaluationError) as caught:
        ResultFile.resume(path)
    assert (caught.value.key, caught.value.values["line"]) == ("eval.bad_result", 1)
    assert path.read_bytes() == before


def test_a_folder_cannot_take_results(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError) as caught:
        ResultFile(tmp_path)
    assert caught.value.key == "eval.unwritable"
    assert caught.value.hint("zh")


@pytest.mark.parametrize(
    ("asked", "llm", "key"),
    [
        (question("B-en"), None, "eval.other_questions"),
        (question("A-en", text="Other words?"), None, "eval.other_questions"),
        (question("A-en"), "local", "eval.other_model"),
    ],
)
def test_results_of_another_run_are_refused(
    tmp_path: Path, asked: object, llm: str | None, key: str
) -> None:
    with pytest.raises(EvaluationError) as caught:
        check_run(tmp_path, [FIRST], [asked], llm)
    assert caught.value.key == key
    assert caught.value.message("zh")
    assert caught.value.hint("zh")


def test_results_of_the_same_run_are_taken(tmp_path: Path) -> None:
    check_run(tmp_path, [FIRST], [question("A-en"), question("C-en")], None)
