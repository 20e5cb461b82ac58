"""An ONNX model as bytes, without the package `onnx`: the few messages of its format in use here.

Numbers of fields and types are those of
[onnx.proto](https://github.com/onnx/onnx/blob/main/onnx/onnx.proto).
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_INTEGER, _CHUNK, _REAL = 0, 2, 5  # how the value of a field is written
_TYPES = {"float32": 1, "int8": 3, "int64": 7}
_IR_VERSION = 8
# From 18 on, ReduceMean takes its axes as an input.
_OPSETS = {"": 17, "com.microsoft": 1}
CONTRIBUTED = "com.microsoft"  # operators of onnxruntime that the standard does not have

Attribute = int | float | Sequence[int]


def varint(number: int) -> bytes:
    """A number in groups of 7 bits, the lowest first; a negative one as 64 bits."""
    number &= (1 << 64) - 1
    groups = bytearray()
    while number > 0x7F:
        groups.append(number & 0x7F | 0x80)
        number >>= 7
    groups.append(number)
    return bytes(groups)


def integer(field: int, number: int) -> bytes:
    """A field that holds a whole number."""
    return varint(field << 3 | _INTEGER) + varint(number)


def real(field: int, number: float) -> bytes:
    """A field that holds a number of 32 bits."""
    return varint(field << 3 | _REAL) + struct.pack("<f", number)


def chunk(field: int, content: bytes | str) -> bytes:
    """A field that holds text, bytes, or another message."""
    data = content.encode() if isinstance(content, str) else content
    return b"".join((varint(field << 3 | _CHUNK), varint(len(data)), data))


class Graph:
    """Nodes and constants of a model; a value is known by its name."""

    def __init__(self) -> None:
        self._nodes: list[bytes] = []
        self._constants: list[bytes] = []

    def constant(self, values: NDArray[Any]) -> str:
        """The name of a value that is always the same."""
        name = f"constant{len(self._constants)}"
        dims = b"".join(integer(1, length) for length in values.shape)
        kind = integer(2, _TYPES[values.dtype.name])
        content = chunk(9, np.ascontiguousarray(values).tobytes())
        self._constants.append(chunk(5, dims + kind + chunk(8, name) + content))
        return name

    def node(self, operator: str, *inputs: str, domain: str = "", **attributes: Attribute) -> str:
        """The name of what an operator makes of these values."""
        return self.nodes(operator, *inputs, outputs=1, domain=domain, **attributes)[0]

    def nodes(
        self, operator: str, *inputs: str, outputs: int, domain: str = "", **attributes: Attribute
    ) -> list[str]:
        """The names of the so many values that an operator makes of these."""
        names = [f"value{len(self._nodes)}.{number}" for number in range(outputs)]
        parts = [chunk(1, name) for name in inputs]
        parts += [chunk(2, name) for name in names]
        parts.append(chunk(4, operator))
        parts += [chunk(5, _attribute(name, value)) for name, value in attributes.items()]
        parts.append(chunk(7, domain))
        self._nodes.append(chunk(1, b"".join(parts)))
        return names

    def model(self, source: bytes, result: bytes) -> bytes:
        """The whole model, from one input to one output (both of `described`)."""
        graph = (*self._nodes, chunk(2, "e5"), *self._constants, chunk(11, source))
        opsets = (chunk(8, chunk(1, name) + integer(2, n)) for name, n in _OPSETS.items())
        head = integer(1, _IR_VERSION) + chunk(2, "paraqa")
        return b"".join((head, *opsets, chunk(7, b"".join((*graph, chunk(12, result))))))


def described(name: str, *dims: int | str) -> bytes:
    """An input or output: an array of float32, with a number or a name for each dimension."""
    lengths = [integer(1, dim) if isinstance(dim, int) else chunk(2, dim) for dim in dims]
    shape = b"".join(chunk(1, length) for length in lengths)
    array = integer(1, _TYPES["float32"]) + chunk(2, shape)
    return chunk(1, name) + chunk(2, chunk(1, array))


def _attribute(name: str, value: Attribute) -> bytes:
    if isinstance(value, float):
        return chunk(1, name) + real(2, value) + integer(20, 1)
    if isinstance(value, int):
        return chunk(1, name) + integer(3, value) + integer(20, 2)
    return chunk(1, name) + b"".join(integer(8, number) for number in value) + integer(20, 7)
