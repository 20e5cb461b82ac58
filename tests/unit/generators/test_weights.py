"""Joining the local model from parts, on parts of a few bytes."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from threading import Event, Thread

import pytest
from filelock import FileLock

from paraqa.errors import ModelError, ModelNotFound
from paraqa.generators import weights
from paraqa.generators.weights import Release, Stopped

WHOLE = b"GGUF" + b"a" * 10 + b"b" * 5
RELEASE = Release(size=len(WHOLE), sha256=hashlib.sha256(WHOLE).hexdigest())


@pytest.fixture
def parts(tmp_path: Path) -> list[Path]:
    files = [tmp_path / "part1.bin", tmp_path / "part2.bin"]
    files[0].write_bytes(WHOLE[:14])
    files[1].write_bytes(WHOLE[14:])
    return files


def left_over(target: Path) -> list[str]:
    return sorted(p.name for p in target.parent.iterdir() if not p.name.endswith(".lock"))


def test_the_parts_are_joined_with_their_progress(tmp_path: Path, parts: list[Path]) -> None:
    heard: list[int] = []
    target = tmp_path / "cache" / "m.gguf"
    weights.ready(target, lambda: parts, release=RELEASE, report=heard.append)
    assert target.read_bytes() == WHOLE
    assert heard == [14, 19]
    assert left_over(target) == ["m.gguf", "m.gguf.verified"]


def test_parts_that_are_not_the_release_leave_nothing(tmp_path: Path, parts: list[Path]) -> None:
    target = tmp_path / "cache" / "m.gguf"
    with pytest.raises(ModelNotFound) as caught:
        weights.ready(target, lambda: parts[::-1], release=RELEASE)
    assert caught.value.key == "model.wrong_checksum"
    assert "--force-reinstall" in caught.value.hint("zh")
    assert left_over(target) == []


def test_a_file_verified_before_is_neither_joined_nor_hashed_again(
    tmp_path: Path, parts: list[Path]
) -> None:
    target = tmp_path / "m.gguf"
    weights.ready(target, lambda: parts, release=RELEASE)
    before = target.stat()
    target.write_bytes(bytes(len(WHOLE)))
    os.utime(target, ns=(before.st_atime_ns, before.st_mtime_ns))
    weights.ready(target, list, release=RELEASE)
    assert target.read_bytes() == bytes(len(WHOLE))


@pytest.mark.parametrize("content", [WHOLE[:-1], bytes(len(WHOLE))])
def test_a_file_that_was_changed_since_is_joined_again(
    tmp_path: Path, parts: list[Path], content: bytes
) -> None:
    target = tmp_path / "m.gguf"
    weights.ready(target, lambda: parts, release=RELEASE)
    target.write_bytes(content)
    os.utime(target, ns=(1, 1))
    weights.ready(target, lambda: parts, release=RELEASE)
    assert target.read_bytes() == WHOLE


def test_a_good_file_without_its_marker_is_hashed_and_kept(tmp_path: Path) -> None:
    target = tmp_path / "m.gguf"
    target.write_bytes(WHOLE)
    weights.ready(target, list, release=RELEASE)
    assert left_over(target) == ["m.gguf", "m.gguf.verified"]


def test_stopping_leaves_no_half_of_a_file(tmp_path: Path, parts: list[Path]) -> None:
    target = tmp_path / "cache" / "m.gguf"
    with pytest.raises(Stopped):
        weights.ready(target, lambda: parts, release=RELEASE, is_stopped=lambda: True)
    assert left_over(target) == []


def test_a_second_process_waits_for_the_first_and_joins_nothing(
    tmp_path: Path, parts: list[Path]
) -> None:
    target = tmp_path / "m.gguf"
    other = FileLock(str(target) + ".lock")
    seen, opened = Event(), Event()
    with other:
        (tmp_path / "m.gguf.part").write_bytes(WHOLE[:7])
        second = Thread(
            target=weights.ready,
            args=(target, lambda: opened.set() or parts),
            kwargs={"release": RELEASE, "report": lambda done: seen.set() if done == 7 else None},
        )
        second.start()
        assert seen.wait(3)
        (tmp_path / "m.gguf.part").replace(target)
        target.write_bytes(WHOLE)
    second.join()
    assert not opened.is_set()


def test_waiting_for_another_process_can_be_stopped(tmp_path: Path, parts: list[Path]) -> None:
    target = tmp_path / "m.gguf"
    with FileLock(str(target) + ".lock"), pytest.raises(Stopped):
        weights.ready(target, lambda: parts, release=RELEASE, is_stopped=lambda: True)


def test_no_place_to_write_is_said_with_the_folder(tmp_path: Path, parts: list[Path]) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(ModelError) as caught:
        weights.ready(tmp_path / "file" / "m.gguf", lambda: parts, release=RELEASE)
    assert caught.value.key == "model.cannot_join"
    assert str(tmp_path / "file") in str(caught.value)


def test_the_file_lies_in_the_folder_that_the_setting_names(tmp_path: Path) -> None:
    assert weights.path(tmp_path).parent == tmp_path
    assert weights.path(None).parent.name == "models"
