"""Texts to vectors."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

import numpy as np

from paraqa.embedders.e5 import session
from paraqa.embedders.e5.adapter import Adapter
from paraqa.embedders.e5.network import FORMAT, INPUT, Precision
from paraqa.embedders.e5.tokens import Tokenizer
from paraqa.embedders.e5.weights import Floats, Weights, expanded


class E5:
    """The model, ready to use. Threads may share it: each call works in its own."""

    def __init__(self, weights: Weights, opened: Any) -> None:
        width = weights.shape.width
        self._session = opened
        self._tokenizer = Tokenizer(weights)
        self._marks = weights.marks
        self._room = weights.shape.positions - 2  # two marks frame the text
        # A quarter of a million rows: they stay as they are in the file, and only those of a
        # text's own tokens are expanded.
        self._words = weights.blocks("emb.word", width)
        places = weights.vector("emb.pos").reshape(-1, width)
        self._places: Floats = places + weights.vector("emb.type")[:width]

    @classmethod
    def load(
        cls, precision: Precision, folder: Path, version: str, adapter: Adapter | None = None
    ) -> Self:
        """The model with the installed weights, of that version; its graph is kept in a folder.

        Raises OSError, ValueError or KeyError where the weights are not what they should be.
        """
        weights = Weights.installed()
        learned = f"-{adapter.name}" if adapter else ""
        name = f"e5-small-{precision}-{FORMAT}-{version}{learned}.onnx"
        return cls(weights, session.opened(weights, precision, folder / name, adapter))

    def query(self, text: str) -> Floats:
        """The unit vector of a question."""
        return self._vector("query: " + text)

    def passage(self, text: str) -> Floats:
        """The unit vector of a text that may answer one."""
        return self._vector("passage: " + text)

    def _vector(self, text: str) -> Floats:
        numbers = self._tokenizer.numbers(text)
        starts = range(0, len(numbers), self._room)
        windows = [numbers[start : start + self._room] for start in starts]
        means = np.stack([self._mean(window) for window in windows])
        total: Floats = np.array([len(window) for window in windows], np.float32) @ means
        return total / np.linalg.norm(total)

    def _mean(self, window: list[int]) -> Floats:
        marked = [self._marks.begin, *window, self._marks.end]
        embedded = expanded(self._words[marked]) + self._places[: len(marked)]
        # One text in a call: with others, it would be padded, and a batch is no faster.
        mean: Floats = self._session.run(None, {INPUT: embedded[None]})[0][0]
        return mean
