import os
import sys
from pathlib import Path

import pytest

from paraqa.errors import FormatError
from paraqa.events import Rejected
from paraqa.formats import discover, read, shown
from paraqa.types import Paper

ENTRY = "Title\n本文提出一种方法。\n2024-01-02 cs.DC\n"


def write(path: Path, text: str = ENTRY, encoding: str = "utf-8") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode(encoding))
    return path


def rejected(path: Path) -> Rejected:
    (event,) = read(path)
    assert isinstance(event, Rejected)
    assert event.path == str(path)
    assert event.line is None
    return event


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_utf8_is_read_with_and_without_a_mark(tmp_path, encoding):
    (paper,) = read(write(tmp_path / "list.txt", encoding=encoding))
    assert isinstance(paper, Paper)
    assert paper.title == "Title"


@pytest.mark.parametrize(
    ("encoding", "name"), [("gbk", "GBK"), ("utf-16", "UTF-16"), ("utf-32", "UTF-32")]
)
def test_another_encoding_is_named_and_refused(tmp_path, encoding, name):
    reason = rejected(write(tmp_path / "list.txt", encoding=encoding)).reason
    assert f"looks like {name}" in reason
    assert "Save it as UTF-8" in reason


@pytest.mark.parametrize(
    "data", [b"\x00\x01\x02", b"\x89PNG\r\n\x1a\n\xff\xff", b"Universit\xe0 di Udine"]
)
def test_a_file_that_is_no_text_is_refused(tmp_path, data):
    path = tmp_path / "image.png"
    path.write_bytes(data)
    assert "is not UTF-8 text" in rejected(path).reason


def test_an_unknown_format_is_refused_with_the_known_ones(tmp_path):
    reason = rejected(write(tmp_path / "refs.bib", "@misc{a, title={B}}")).reason
    assert "Known formats: listing" in reason


def test_an_empty_file_is_refused(tmp_path):
    assert "is empty" in rejected(write(tmp_path / "list.txt", "\ufeff \n\n")).reason


def test_a_file_that_has_gone_is_refused(tmp_path):
    assert "No such file" in rejected(tmp_path / "gone.txt").reason


def test_a_folder_gives_its_listings_in_order(tmp_path):
    second, first = write(tmp_path / "b.txt"), write(tmp_path / "a.txt")
    third = write(tmp_path / "deeper" / "c.txt")
    assert discover([tmp_path]) == [first, second, third]


def test_what_is_no_listing_is_passed_over_in_a_folder(tmp_path):
    listing = write(tmp_path / "list.txt")
    write(tmp_path / "README.md", f"An entry looks like this:\n{ENTRY}")
    write(tmp_path / ".hidden.txt")
    write(tmp_path / ".git" / "list.txt")
    write(tmp_path / "notes.txt", "Nothing to see here.\n")
    write(tmp_path / "empty.txt", "")
    (tmp_path / "image.png").write_bytes(b"\x89PNG\r\n\x1a\n\xff\xff\x00")
    assert discover([tmp_path]) == [listing]


def test_a_listing_in_another_encoding_is_not_passed_over(tmp_path):
    listing = write(tmp_path / "list.txt", encoding="gbk")
    assert discover([tmp_path]) == [listing]


def test_a_character_cut_in_two_at_the_end_of_the_head_does_no_harm(tmp_path):
    listing = write(tmp_path / "list.txt", ENTRY + "a" + "字" * 30_000)
    assert discover([tmp_path]) == [listing]


def test_a_file_given_twice_is_read_once(tmp_path):
    listing = write(tmp_path / "list.txt")
    assert discover([listing, tmp_path, tmp_path / ".." / tmp_path.name / "list.txt"]) == [listing]


@pytest.mark.parametrize("name", ["gone", "gone\0", "n" * 5000])
def test_a_path_that_is_not_there_is_an_error(tmp_path, name):
    with pytest.raises(FormatError) as caught:
        discover([tmp_path / name])
    assert caught.value.key in {"formats.missing", "formats.unreadable"}


def test_a_folder_without_listings_is_an_error(tmp_path):
    write(tmp_path / "README.md")
    with pytest.raises(FormatError) as caught:
        discover([tmp_path])
    assert caught.value.key == "formats.none_found"
    assert str(tmp_path) in caught.value.message("zh")
    assert "listing" in caught.value.hint("zh")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere names are Unicode")
def test_the_bytes_of_a_name_that_are_not_utf8_are_replaced(tmp_path):
    path = write(tmp_path / os.fsdecode("列表".encode() + b"\xff\xfe.txt"))
    assert shown(path) == str(tmp_path / "列表\ufffd\ufffd.txt")
    (paper,) = read(path)
    assert isinstance(paper, Paper)
    assert paper.source.file == shown(path)
    (event,) = read(write(tmp_path / os.fsdecode(b"\xff.txt"), ""))
    assert isinstance(event, Rejected)
    assert event.path == str(tmp_path / "\ufffd.txt")
    assert "\ufffd.txt' is empty" in event.reason
    assert event.model_dump_json()


def test_a_file_is_refused_in_each_language_with_what_to_do(tmp_path):
    event = rejected(write(tmp_path / "list.txt", encoding="gbk"))
    assert (event.key, event.told("en")) == ("formats.encoding", event.reason)
    assert "可能是 GBK。请将其另存为 UTF-8" in event.told("zh")
