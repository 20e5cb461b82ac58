"""Small real implementations of the parts, for tests: deterministic, fast, offline."""

from __future__ import annotations

import hashlib
import math
import threading

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr


class HashEmbedding(BaseEmbedding):
    """Hashed pairs of characters: texts that share characters are near. Counts what it embeds."""

    model_name: str = "hash"
    dimension: int = 64
    _texts: list[str] = PrivateAttr(default_factory=list)
    _embedded: threading.Event = PrivateAttr(default_factory=threading.Event)

    @property
    def texts(self) -> list[str]:
        """The passages embedded so far, in order."""
        return self._texts

    @property
    def embedded(self) -> threading.Event:
        """Set as soon as the first passage is embedded."""
        return self._embedded

    def _get_text_embedding(self, text: str) -> list[float]:
        self._texts.append(text)
        self._embedded.set()
        return self._vector(text)

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._vector(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._vector(query)

    def _vector(self, text: str) -> list[float]:
        values = [0.0] * self.dimension
        folded = f" {text.casefold()} "
        for i in range(len(folded) - 1):
            digest = hashlib.blake2b(folded[i : i + 2].encode(), digest_size=4).digest()
            values[int.from_bytes(digest) % self.dimension] += 1.0
        length = math.sqrt(sum(v * v for v in values)) or 1.0
        return [v / length for v in values]
