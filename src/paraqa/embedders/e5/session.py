"""The network, opened by onnxruntime: written once into a folder, and read from there afterwards.

A file that is cut off or changed is written anew; a folder that cannot be written costs a second
at each start, and nothing else.
"""

from __future__ import annotations

import os
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filelock import FileLock

from paraqa.embedders.e5 import network
from paraqa.embedders.e5.protobuf import chunk

if TYPE_CHECKING:
    from paraqa.embedders.e5.adapter import Adapter
    from paraqa.embedders.e5.network import Precision
    from paraqa.embedders.e5.weights import Weights

_SEAL = 6  # the model's field for a comment; ours comes last and holds a checksum of the rest
_BLOCK = 1 << 20
_WAIT = 10.0  # seconds for another process to write 85 MB


def opened(
    weights: Weights, precision: Precision, file: Path, adapter: Adapter | None = None
) -> Any:
    """A session over the model in a file, which is written first where it is not there."""
    if _is_whole(file):
        return _session(str(file))
    model = sealed(network.written(weights, precision, adapter))
    try:
        _keep(file, model)
    except OSError:  # it is only kept to save time
        return _session(model)
    # Not from the bytes: the session would hold them as long as it lives.
    return _session(str(file))


def sealed(model: bytes) -> bytes:
    """The model with its checksum."""
    return model + _seal(zlib.crc32(model))


def _seal(checksum: int) -> bytes:
    return chunk(_SEAL, f"{checksum:08x}")


def _is_whole(file: Path) -> bool:
    checksum = 0
    try:
        with file.open("rb") as stream:
            left = os.fstat(stream.fileno()).st_size - len(_seal(0))
            while left > 0 and (block := stream.read(min(left, _BLOCK))):
                checksum = zlib.crc32(block, checksum)
                left -= len(block)
            return stream.read() == _seal(checksum)
    except OSError:
        return False


def _keep(file: Path, model: bytes) -> None:
    """Write the file, or wait for another process that is writing it: the same. Raises OSError."""
    file.parent.mkdir(parents=True, exist_ok=True)
    temporary = file.with_name(file.name + ".part")
    with FileLock(str(file) + ".lock", timeout=_WAIT):
        if _is_whole(file):
            return
        try:
            temporary.write_bytes(model)
            temporary.replace(file)  # others may be reading: the name has always a whole file
        finally:
            temporary.unlink(missing_ok=True)


def _session(model: str | bytes) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    # Texts run side by side: two threads on one text would wait for each other.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    # The next level joins additions and normalisations into an operator that is slower than both.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.log_severity_level = 3  # errors; they are raised, too
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
