"""The vectors of a store in memory: those of entries are searched, those of sentences read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Self

import numpy as np

from paraqa.matrix import Matrix, Row, Vector
from paraqa.nodes import LANG, PAPER, place_of

if TYPE_CHECKING:
    from llama_index.core.schema import BaseNode

    from paraqa.catalog import Catalog
    from paraqa.vectors import PassageVectors


class Index:
    """The vectors in memory: those of whole entries, which are searched, and of sentences."""

    def __init__(self, background: Mapping[str, Vector]) -> None:
        self.wholes = Matrix(background)
        self.sentences = Matrix(background)

    @classmethod
    def read(
        cls, vectors: PassageVectors, catalog: Catalog, background: Mapping[str, Vector]
    ) -> Self:
        """All vectors of papers that the catalog has."""
        index = cls(background)
        numbers = catalog.numbers()
        known = catalog.passage_ids(numbers)
        for ids, metadatas, values in vectors.pages():
            places = [place for place, id_ in enumerate(ids) if id_ in known]
            rows = [
                Row(ids[place], numbers[metadatas[place][PAPER]], metadatas[place][LANG])
                for place in places
            ]
            index._add(rows, values[places])
        return index

    def add(self, nodes: Sequence[BaseNode], numbers: Mapping[str, int]) -> None:
        """Take in the vectors of papers that are not in it."""
        rows = [
            Row(node.node_id, numbers[node.metadata[PAPER]], node.metadata[LANG]) for node in nodes
        ]
        if rows:
            self._add(rows, np.asarray([node.get_embedding() for node in nodes], np.float32))

    def remove(self, papers: Iterable[int]) -> None:
        """Take the vectors of these papers out."""
        gone = list(papers)
        self.wholes.remove(gone)
        self.sentences.remove(gone)

    def _add(self, rows: Sequence[Row], values: Vector) -> None:
        is_whole = np.array([place_of(row.passage)[2] == 0 for row in rows], np.bool_)
        for matrix, wanted in ((self.wholes, is_whole), (self.sentences, ~is_whole)):
            chosen = [row for row, is_in in zip(rows, wanted, strict=True) if is_in]
            matrix.add(chosen, values[wanted])
