"""Question files and papers files."""

from __future__ import annotations

from pathlib import Path

import pytest

from paraqa.errors import EvaluationError
from paraqa.evaluation.questions import is_of, read, read_papers, select
from unit.evaluation.samples import CORPUS, MERAK, ZEUS, question, write_lines

LINE = {"id": "A-en", "lang": "en", "pair": "A", "type": "lookup", "question": "Which?"}


def ids(limit: int | None, *names: str) -> list[str]:
    """What is selected of questions written as `type:id`."""
    questions = []
    for name in names:
        kind, own = name.split(":")
        questions.append(question(own, type=kind))
    return [chosen.id for chosen in select(questions, limit)]


def test_papers_are_named_by_id_or_by_title(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "q.jsonl", LINE | {"relevant": ["P1", "zeus"], "note": "why"})
    [found] = read(path, {"P1": "Merak"}, CORPUS)
    assert found.relevant == ("Merak", "zeus")
    assert found.text == "Which?"


def test_a_question_without_a_pair_is_its_own_pair(tmp_path: Path) -> None:
    line = {key: value for key, value in LINE.items() if key != "pair"}
    [found] = read(write_lines(tmp_path / "q.jsonl", line), {}, CORPUS)
    assert found.pair == "A-en"


def test_a_question_may_say_how_it_is_put(tmp_path: Path) -> None:
    lines = [LINE | {"style": "keywords"}, LINE | {"id": "B-en"}]
    path = write_lines(tmp_path / "q.jsonl", *lines)
    assert [each.style for each in read(path, {}, CORPUS)] == ["keywords", None]


def test_a_type_is_of_its_own_name_and_of_its_groups() -> None:
    assert is_of("filter", "filter")
    assert is_of("multi", "core")
    assert is_of("compare", "single")
    assert not is_of("multi", "single")
    assert not is_of("followup", "core")


def test_the_history_knows_which_papers_it_cited(tmp_path: Path) -> None:
    history = [
        {"role": "user", "content": "Which papers?"},
        {"role": "assistant", "content": "1. 宙斯 [P2]; 2. Merak [P1\uff0cP9]. [P2]"},
    ]
    path = write_lines(tmp_path / "q.jsonl", LINE | {"history": history})
    [found] = read(path, {"P1": "MERAK", "P2": "Zeus", "P9": "Elsewhere"}, CORPUS)
    assert [turn.role for turn in found.history] == ["user", "assistant"]
    assert found.history[1].text == "1. 宙斯 [P2]; 2. Merak [P1\uff0cP9]. [P2]"
    assert found.history[1].cited == (ZEUS.id, MERAK.id)


def test_blank_lines_and_a_byte_order_mark_do_no_harm(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "q.jsonl", LINE)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes() + b"\r\n\n")
    assert [each.id for each in read(path, {}, CORPUS)] == ["A-en"]


def test_a_line_separator_inside_a_question_ends_no_line(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "q.jsonl", LINE | {"question": "a\u2028b"})
    assert [each.text for each in read(path, {}, CORPUS)] == ["a\u2028b"]


@pytest.mark.parametrize(
    "second",
    ['{"id": "B-en"', "[]", '{"id": "B-en", "lang": "fr", "type": "x", "question": "?"}', "null"],
)
def test_a_bad_line_is_named_by_its_number(tmp_path: Path, second: str) -> None:
    path = write_lines(tmp_path / "q.jsonl", LINE)
    path.write_text(path.read_text("utf-8") + "\n" + second + "\n", "utf-8")
    with pytest.raises(EvaluationError) as caught:
        read(path, {}, CORPUS)
    assert caught.value.key == "eval.bad_line"
    assert caught.value.values["line"] == 3
    assert "3" in caught.value.message("zh")
    assert caught.value.hint("zh")


def test_an_id_used_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError) as caught:
        read(write_lines(tmp_path / "q.jsonl", LINE, LINE), {}, CORPUS)
    assert (caught.value.key, caught.value.values["line"]) == ("eval.duplicate", 2)


@pytest.mark.parametrize("field", ["relevant", "required", "borderline"])
def test_an_unknown_paper_is_refused(tmp_path: Path, field: str) -> None:
    path = write_lines(tmp_path / "q.jsonl", LINE | {field: ["P7"]})
    with pytest.raises(EvaluationError) as caught:
        read(path, {"P1": "Merak"}, CORPUS)
    assert caught.value.key == "eval.unknown_paper"
    assert "P7" in str(caught.value)
    assert "A-en" in str(caught.value)


def test_a_missing_an_empty_and_a_foreign_file_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("\n", "utf-8")
    (tmp_path / "gbk.jsonl").write_bytes("流水线".encode("gbk"))
    keys = []
    for name in ("none.jsonl", "empty.jsonl", "gbk.jsonl", "."):
        with pytest.raises(EvaluationError) as caught:
            read(tmp_path / name, {}, CORPUS)
        keys.append(caught.value.key)
    assert keys == ["eval.not_found", "eval.empty", "eval.unreadable", "eval.unreadable"]


def test_titles_stand_under_their_ids_whatever_the_columns(tmp_path: Path) -> None:
    path = tmp_path / "papers.tsv"
    path.write_text('date\tid\ttitle\n2024\tP1\tA "B" C\n\n2023\tP2\t并行\n', "utf-8")
    assert read_papers(path) == {"P1": 'A "B" C', "P2": "并行"}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "eval.papers_head"),
        ("id,title\nP1,A\n", "eval.papers_head"),
        ("id\ttitle\nP1\n", "eval.papers_row"),
        ("id\ttitle\nP1\tA\nP1\tB\n", "eval.papers_row"),
    ],
)
def test_a_papers_file_without_ids_and_titles_is_refused(
    tmp_path: Path, text: str, key: str
) -> None:
    path = tmp_path / "papers.tsv"
    path.write_text(text, "utf-8")
    with pytest.raises(EvaluationError) as caught:
        read_papers(path)
    assert caught.value.key == key


def test_a_limit_takes_whole_pairs_from_every_type_in_turn() -> None:
    names = ("m:A-en", "m:A-zh", "m:B-en", "m:B-zh", "n:C-en", "n:C-zh", "n:D-en", "n:D-zh")
    assert ids(None, *names) == [name[2:] for name in names]
    assert ids(4, *names) == ["A-en", "A-zh", "C-en", "C-zh"]
    assert ids(6, *names) == ["A-en", "A-zh", "B-en", "B-zh", "C-en", "C-zh"]
    assert ids(100, *names) == ids(None, *names)


def test_a_limit_is_not_exceeded_except_by_one_pair() -> None:
    names = ("m:A-en", "m:A-zh", "n:C-en", "n:C-zh")
    assert ids(3, *names) == ["A-en", "A-zh"]
    assert ids(1, *names) == ["A-en", "A-zh"]


def test_a_limit_of_nothing_is_refused() -> None:
    with pytest.raises(EvaluationError) as caught:
        ids(0, "m:A-en")
    assert caught.value.key == "eval.limit"
    assert caught.value.hint("en")


def test_the_shipped_questions_are_complete() -> None:
    folder = Path(__file__).parents[3] / "evals" / "parallelism"
    questions = read(folder / "dev.jsonl", read_papers(folder / "papers.tsv"), ())
    chosen = select(questions, 40)
    assert len(questions) == 134
    assert len(chosen) == 40
    assert {each.type for each in chosen} == {each.type for each in questions}
    assert all(set(each.required) <= set(each.relevant) for each in questions)
