"""The embedders' fixtures: the real model, loaded once, and a tiny one in the same file format."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from paraqa.embedders.bundled import BundledEmbedding

WIDTH, INNER, POSITIONS = 32, 64, 12
PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁", "▁passage", ":", "▁a", "▁b", "ab"]


@pytest.fixture(scope="session")
def graphs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the real model's graphs are kept."""
    return tmp_path_factory.mktemp("graphs")


@pytest.fixture(scope="session")
def bundled(graphs: Path) -> BundledEmbedding:
    """The model that is used where none is named."""
    return BundledEmbedding.with_threads(2, folder=graphs)


@pytest.fixture(scope="session")
def published(graphs: Path) -> BundledEmbedding:
    """The model as it was published, with no adapter."""
    return BundledEmbedding.with_threads(2, folder=graphs, is_adapted=False)


@pytest.fixture
def tiny_file(tmp_path: Path) -> Path:
    """A model file of one layer, with weights by chance."""
    path = tmp_path / "tiny.bin"
    path.write_bytes(_tiny())
    return path


def _tiny() -> bytes:
    head = b"E5S1" + struct.pack("<I", 1)
    head += struct.pack("<7ifi", WIDTH, 1, 1, INNER, len(PIECES), POSITIONS, 2, 1e-12, 32)
    blobs = [piece.encode() for piece in PIECES]
    head += struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, sum(map(len, blobs)))
    head += np.cumsum([0, *map(len, blobs)]).astype("<u4").tobytes()
    head += np.linspace(-1, -2, len(PIECES)).astype("<f4").tobytes() + b"".join(blobs)
    replacements = struct.pack("<IBI", ord("Ａ"), 1, ord("a")) + struct.pack("<IB", 0xAD, 0)
    head += struct.pack("<iI", 2, len(replacements)) + replacements
    tensors = _tensors()
    place = len(head) + 4 + sum(2 + len(name) + 21 for name in tensors)
    index = struct.pack("<i", len(tensors))
    for name, content in tensors.items():
        index += struct.pack("<H", len(name)) + name.encode()
        index += struct.pack("<BIQQ", 0, 0, place, len(content))
        place += len(content)
    return head + index + b"".join(tensors.values())


def _tensors() -> dict[str, bytes]:
    chance = np.random.default_rng(1)

    def full(count: int) -> bytes:
        return chance.normal(0, 0.5, count).astype("<f4").tobytes()

    def packed(rows: int, columns: int) -> bytes:
        blocks = np.empty(rows * columns // 32, [("scale", "<f2"), ("pairs", "u1", 16)])
        blocks["scale"] = 0.05
        blocks["pairs"] = chance.integers(0, 256, (len(blocks), 16))
        return blocks.tobytes()

    found = {"emb.word": packed(len(PIECES), WIDTH)}
    found |= {"emb.pos": full(POSITIONS * WIDTH), "emb.type": full(2 * WIDTH)}
    for name in ("emb.ln", "l0.aln", "l0.oln"):
        found |= {f"{name}.w": full(WIDTH), f"{name}.b": full(WIDTH)}
    shapes = dict.fromkeys(("q", "k", "v", "ao"), (WIDTH, WIDTH))
    shapes |= {"fi": (INNER, WIDTH), "fo": (WIDTH, INNER)}
    for name, (rows, columns) in shapes.items():
        found |= {f"l0.{name}.w": packed(rows, columns), f"l0.{name}.b": full(rows)}
    return found
