"""Listing files to papers: one module per format, found by looking at the text.

A format says how sure it is of a file (`sniff`) and yields the entries (`parse`). An entry that
cannot be used is yielded as `Rejected`, in its place, and the others go on.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from paraqa.errors import FormatError
from paraqa.events import Rejected
from paraqa.formats.listing import Listing
from paraqa.formats.renderings import Renderings
from paraqa.types import Paper, Rendered, clean

_HEAD = 65_536  # bytes read of a file to tell what it is; the longest entry seen has 4,000
_UNDECODED = re.compile("[\ud800-\udfff]")  # how Python holds bytes of a name that are not UTF-8
_MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32",  # before UTF-16, whose mark is the beginning of this one
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}


class Format(Protocol):
    """What a format module offers."""

    name: str

    def sniff(self, path: str, head: str) -> float:
        """How sure it is that the file has this format, from 0 to 1."""
        ...

    def parse(self, text: str, path: str) -> Iterator[Paper | Rendered | Rejected]:
        """The entries of a file, in order."""
        ...


FORMATS: tuple[Format, ...] = (Listing(), Renderings())


def known() -> str:
    """Names of the known formats, for messages."""
    return ", ".join(f.name for f in FORMATS)


def read(path: Path) -> Iterator[Paper | Rendered | Rejected]:
    """The entries of a file; one `Rejected` if the file as a whole cannot be read."""
    try:
        text = _decode(path, _bytes(path))
        chosen = _recognise(path, text)
    except FormatError as error:
        values = {name: str(value) for name, value in error.values.items()}
        yield Rejected.because(shown(path), None, error.key, **values)
        return
    yield from chosen.parse(text, shown(path))


def shown(path: Path) -> str:
    """The path as text that can be written: bytes of a name that are not UTF-8 are replaced."""
    return _UNDECODED.sub("\ufffd", str(path))


def discover(paths: Sequence[Path]) -> list[Path]:
    """Files to read: those named, and the listings in the folders named.

    Raises FormatError for a path that does not exist and for a folder without listings.
    """
    found: dict[Path, Path] = {}
    for path in paths:
        for file in _files(path):
            found.setdefault(file.resolve(), file)
    return list(found.values())


def _files(path: Path) -> list[Path]:
    try:
        if path.is_dir():
            listings = [f for f in sorted(_visible(path)) if _is_listing(f)]
            if not listings:
                raise FormatError("formats.none_found", path=shown(path), known=known())
            return listings
        if path.is_file():
            return [path]
    except OSError as error:
        raise FormatError("formats.unreadable", path=shown(path), problem=error.strerror) from error
    raise FormatError("formats.missing", path=shown(path))


def _visible(folder: Path) -> Iterable[Path]:
    for file in folder.rglob("*"):
        names = file.relative_to(folder).parts
        is_hidden = any(name.startswith(".") for name in names)
        if not is_hidden and not file.name.casefold().startswith("readme") and file.is_file():
            yield file


def _is_listing(path: Path) -> bool:
    try:
        head = _decode(path, _bytes(path, _HEAD), is_cut=True)
    except FormatError as error:
        # A listing in another encoding must be reported by `read`, not overlooked.
        return error.key in {"formats.encoding", "formats.unreadable"}
    return any(f.sniff(shown(path), head) > 0 for f in FORMATS)


def _recognise(path: Path, text: str) -> Format:
    if not clean(text):
        raise FormatError("formats.empty", path=shown(path), known=known())
    best = max(FORMATS, key=lambda f: f.sniff(shown(path), text[:_HEAD]))
    if best.sniff(shown(path), text[:_HEAD]) <= 0:
        raise FormatError("formats.unknown", path=shown(path), known=known())
    return best


def _bytes(path: Path, size: int = -1) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(size)
    except OSError as error:
        raise FormatError("formats.unreadable", path=shown(path), problem=error.strerror) from error


def _decode(path: Path, data: bytes, *, is_cut: bool = False) -> str:
    for mark, name in _MARKS.items():
        if data.startswith(mark):
            raise FormatError("formats.encoding", path=shown(path), encoding=name)
    if b"\0" in data:
        raise FormatError("formats.binary", path=shown(path), known=known())
    if (text := _try_decode(data, "utf-8-sig", is_cut=is_cut)) is not None:
        return text
    # GB18030 holds GBK and GB2312, and is the only other encoding that Chinese listings come in.
    if _try_decode(data, "gb18030", is_cut=is_cut) is not None:
        raise FormatError("formats.encoding", path=shown(path), encoding="GBK")
    raise FormatError("formats.binary", path=shown(path), known=known())


def _try_decode(data: bytes, encoding: str, *, is_cut: bool) -> str | None:
    try:
        return codecs.getincrementaldecoder(encoding)().decode(data, final=not is_cut)
    except UnicodeDecodeError:
        return None
