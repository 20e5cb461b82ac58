"""What training added to the network's matrices, so that everyday words find what they mean.

A low-rank adapter (LoRA, Hu et al. 2021, arXiv:2106.09685): for a matrix W of the network there are
two thin ones, and W + up @ down takes its place. The published weights stay as they are. How it
was trained, and on what: `training/README.md`.
"""

from __future__ import annotations

import hashlib
from importlib import resources
from typing import Self

import numpy as np

from paraqa.embedders.e5.weights import Floats

FILE = "adapter.npz"
_NAMED = 8  # characters of the digest


class Adapter:
    """The two thin matrices for each matrix that was trained. `name` tells versions apart."""

    def __init__(self, name: str, pairs: dict[str, tuple[Floats, Floats]]) -> None:
        self.name = name
        self._pairs = pairs

    @classmethod
    def shipped(cls) -> Self:
        """The one inside this package. Raises OSError or ValueError where it is broken."""
        file = resources.files(__package__) / FILE
        content = file.read_bytes()
        with resources.as_file(file) as path, np.load(path, allow_pickle=False) as kept:
            arrays = {key: kept[key].astype(np.float32) for key in kept.files}
        names = sorted(key.removesuffix(".up") for key in arrays if key.endswith(".up"))
        pairs = {name: (arrays[f"{name}.up"], arrays[f"{name}.down"]) for name in names}
        return cls(hashlib.sha256(content).hexdigest()[:_NAMED], pairs)

    def on(self, name: str, matrix: Floats) -> Floats:
        """The matrix of that name with what was learned; itself where nothing was."""
        if name not in self._pairs:
            return matrix
        up, down = self._pairs[name]
        adapted: Floats = matrix + up @ down
        return adapted
