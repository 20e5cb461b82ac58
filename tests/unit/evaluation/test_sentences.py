"""Sentences of abstracts as questions."""

from __future__ import annotations

from pathlib import Path

import pytest

from paraqa.errors import EvaluationError
from paraqa.evaluation.sentences import Original, Share, chosen, read_originals, shares
from unit.evaluation.samples import write_lines


def original(abstract: str, title: str = "A title", kind: str = "abstract") -> Original:
    return Original(title=title, abstract_en=abstract, kind=kind)


def test_the_longest_sentence_that_is_not_the_first_is_chosen() -> None:
    abstract = "This first sentence is the longest of all. It is short. It is not so short."
    assert chosen(original(abstract)) == "It is not so short."


def test_of_two_equally_long_sentences_the_earlier_is_chosen() -> None:
    assert chosen(original("First. It gains much. It costs little.")) == "It gains much."


def test_a_sentence_that_names_the_system_is_passed_over() -> None:
    abstract = "First. The method merak gains a great deal. It gains 43%. Merakish it is."
    assert chosen(original(abstract, "Merak: Fast Training")) == "It gains 43%."
    assert chosen(original(abstract, "Merak")) == "The method merak gains a great deal."


def test_where_every_sentence_names_the_system_the_name_is_taken_out() -> None:
    assert chosen(original("First. Merak gains 43%.", "Merak: Fast")) == "gains 43%."
    assert chosen(original("Only one.", "Merak: Fast")) == "Only one."


def test_the_shares_are_given_for_all_and_by_kind() -> None:
    originals = [
        original("x", "One"),
        original("x", "Two"),
        original("x", "Three", "sentence"),
    ]
    found = {"One": ["Other", "ONE!"], "Two": ["One"], "Three": ["Three"]}
    every, *by_kind = shares(originals, found)
    assert (every.kind, every.share) == (None, pytest.approx(2 / 3))
    assert by_kind == [
        Share(kind="abstract", papers=2, found=1),
        Share(kind="sentence", papers=1, found=1),
    ]


def test_originals_are_read_without_what_is_for_people(tmp_path: Path) -> None:
    line = {"n": 1, "title": "T", "abstract_en": "A.", "kind": "sentence", "aff": ""}
    assert read_originals(write_lines(tmp_path / "o.jsonl", line)) == [
        original("A.", "T", "sentence")
    ]


@pytest.mark.parametrize(
    ("content", "key"), [("{}\n", "bad_line"), ("{", "bad_line"), ("", "empty")]
)
def test_a_file_of_something_else_is_an_error(tmp_path: Path, content: str, key: str) -> None:
    path = tmp_path / "o.jsonl"
    path.write_text(content, "utf-8")
    with pytest.raises(EvaluationError) as caught:
        read_originals(path)
    assert caught.value.key == f"eval.{key}"
