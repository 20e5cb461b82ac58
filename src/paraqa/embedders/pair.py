"""Two embeddings as one: each vector is the two, weighted, one behind the other.

The cosine of two such vectors is the weighted mean of the two cosines, so that one matrix, one
store and one search serve both.
"""

from __future__ import annotations

import asyncio
import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Self

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr

Vector = list[float]


class PairEmbedding(BaseEmbedding):
    """Unit vectors, as long as those of both embeddings together."""

    _first: Any = PrivateAttr()
    _second: Any = PrivateAttr()
    _share: float = PrivateAttr()
    _pool: Any = PrivateAttr()

    @classmethod
    def of(cls, first: BaseEmbedding, second: BaseEmbedding, *, share: float) -> Self:
        """Both, with `share` (between 0 and 1) of the cosine from the first."""
        name = f"{first.model_name} ~{share:g} + {second.model_name}"
        pair = cls(model_name=name, embed_batch_size=first.embed_batch_size)
        pair._first, pair._second, pair._share = first, second, share
        pair._pool = ThreadPoolExecutor(1, "second-embedding")
        return pair

    def _get_query_embedding(self, query: str) -> Vector:
        # Side by side: both leave Python's lock while they work, and a reader waits for both.
        other = self._pool.submit(self._second.get_query_embedding, query)
        return self._joined([self._first.get_query_embedding(query)], [other.result()])[0]

    def _get_text_embedding(self, text: str) -> Vector:
        return self._get_text_embeddings([text])[0]

    def _get_text_embeddings(self, texts: list[str]) -> list[Vector]:
        return self._joined(
            self._first.get_text_embedding_batch(texts),
            self._second.get_text_embedding_batch(texts),
        )

    async def _aget_query_embedding(self, query: str) -> Vector:
        return await asyncio.to_thread(self._get_query_embedding, query)

    async def _aget_text_embedding(self, text: str) -> Vector:
        return await asyncio.to_thread(self._get_text_embedding, text)

    async def _aget_text_embeddings(self, texts: list[str]) -> list[Vector]:
        return await asyncio.to_thread(self._get_text_embeddings, texts)

    def _joined(self, first: list[Vector], second: list[Vector]) -> list[Vector]:
        one = _unit(first) * math.sqrt(self._share)
        other = _unit(second) * math.sqrt(1.0 - self._share)
        joined: list[Vector] = np.hstack([one, other]).astype(np.float32).tolist()
        return joined


def _unit(vectors: list[Vector]) -> np.ndarray[Any, np.dtype[np.float64]]:
    matrix = np.asarray(vectors, np.float64)
    unit: np.ndarray[Any, np.dtype[np.float64]] = matrix / np.maximum(
        np.linalg.norm(matrix, axis=1, keepdims=True), 1e-12
    )
    return unit
