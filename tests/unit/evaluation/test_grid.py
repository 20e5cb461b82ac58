"""Columns of text."""

from __future__ import annotations

from paraqa.evaluation.grid import WIDEST, grid, width


def test_the_first_column_stands_left_and_the_others_right() -> None:
    rows = [["", "all", "English"], ["recall@5", "0.9", "–"], ["x", "12.25", "1"]]
    assert grid(rows).splitlines() == [
        "            all  English",
        "recall@5    0.9        –",
        "x         12.25        1",
    ]


def test_a_wide_character_counts_as_two() -> None:
    assert width("召回率@5") == 8
    assert width("e\u0301") == 1
    lines = grid([["", "全部"], ["召回率@5", "1.00"], ["RR@10", "0.5"]]).splitlines()
    assert lines == ["          全部", "召回率@5  1.00", "RR@10      0.5"]


def test_what_is_too_wide_goes_on_below_with_the_first_column() -> None:
    rows = [["", *(f"column-{n:02}" for n in range(20))], ["row", *(str(n) for n in range(20))]]
    first, second = grid(rows).split("\n\n")
    assert max(map(width, (*first.splitlines(), *second.splitlines()))) <= WIDEST
    assert first.splitlines()[1].startswith("row")
    assert second.splitlines()[1].startswith("row")
    assert (first + second).count("column-") == 20


def test_a_cell_is_one_line_without_control_characters() -> None:
    assert grid([["a\nb", "\x1bc"]]) == "a b  c"
