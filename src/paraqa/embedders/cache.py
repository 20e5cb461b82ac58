"""An embedding that embeds no text twice, whichever run, store or process asks for it again."""

from __future__ import annotations

import asyncio
import hashlib
import threading
from array import array
from collections import OrderedDict
from pathlib import Path
from typing import Any, Self

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr

from paraqa.embedders.kept import KeptVectors, Vector

_QUESTION = "question\0"  # before a text that is embedded as one; no passage holds a NUL
_QUESTIONS = 256  # kept in memory, for pages that are reloaded and evaluations that are repeated


class CachedEmbedding(BaseEmbedding):
    """Another embedding, asked only for what it has not embedded before."""

    _embedding: Any = PrivateAttr()
    _kept: Any = PrivateAttr(default=None)
    _questions: Any = PrivateAttr(default_factory=OrderedDict)
    _lock: Any = PrivateAttr(default_factory=threading.Lock)
    _computed: int = PrivateAttr(default=0)

    @classmethod
    def over(cls, embedding: BaseEmbedding, kept: KeptVectors | None) -> Self:
        """The embedding with what is kept of it; without `kept`, passages are always embedded."""
        cached = cls(model_name=embedding.model_name, embed_batch_size=embedding.embed_batch_size)
        cached._embedding = embedding
        cached._kept = kept
        return cached

    @property
    def embedding(self) -> BaseEmbedding:
        """The one that does the work."""
        found: BaseEmbedding = self._embedding
        return found

    @property
    def computed(self) -> int:
        """How many passages were really embedded so far."""
        return self._computed

    def _get_text_embedding(self, text: str) -> Vector:
        return self._get_text_embeddings([text])[0]

    def _get_text_embeddings(self, texts: list[str]) -> list[Vector]:
        hashes = [_hash(text) for text in texts]
        by_hash = dict(zip(hashes, texts, strict=True))
        kept: KeptVectors | None = self._kept
        found = kept.find(list(by_hash)) if kept else {}
        missing = {key: text for key, text in by_hash.items() if key not in found}
        if missing:
            new = self._embedded(missing)
            if kept:
                kept.keep(new)
            found |= new
        return [list(found[key]) for key in hashes]

    def _embedded(self, missing: dict[bytes, str]) -> dict[bytes, Vector]:
        vectors = self._embedding.get_text_embedding_batch(list(missing.values()))
        with self._lock:
            self._computed += len(vectors)
        # As exact as they are kept, so that a vector is the same now and when it is found again.
        rounded = [array("f", vector).tolist() for vector in vectors]
        return dict(zip(missing, rounded, strict=True))

    def questions(self, texts: list[str]) -> list[Vector]:
        """The vectors of questions that are asked again and again, kept as passages are."""
        kept: KeptVectors | None = self._kept
        by_hash = {_hash(f"{_QUESTION}{text}"): text for text in texts}
        found = kept.find(list(by_hash)) if kept else {}
        missing = {key: text for key, text in by_hash.items() if key not in found}
        for key, text in missing.items():
            found[key] = array("f", self._embedding.get_query_embedding(text)).tolist()
        if kept and missing:
            kept.keep({key: found[key] for key in missing})
        return [list(found[_hash(f"{_QUESTION}{text}")]) for text in texts]

    def _get_query_embedding(self, query: str) -> Vector:
        questions: OrderedDict[str, Vector] = self._questions
        with self._lock:
            if query in questions:
                questions.move_to_end(query)
                return list(questions[query])
        vector: Vector = self._embedding.get_query_embedding(query)
        with self._lock:
            questions[query] = vector
            if len(questions) > _QUESTIONS:
                questions.popitem(last=False)
        return list(vector)

    async def _aget_query_embedding(self, query: str) -> Vector:
        return await asyncio.to_thread(self._get_query_embedding, query)

    async def _aget_text_embedding(self, text: str) -> Vector:
        return await asyncio.to_thread(self._get_text_embedding, text)

    async def _aget_text_embeddings(self, texts: list[str]) -> list[Vector]:
        return await asyncio.to_thread(self._get_text_embeddings, texts)


def file(folder: Path, *identity: object) -> Path:
    """Where vectors are kept that only depend on their text and these values."""
    named = hashlib.sha256(repr(identity).encode()).hexdigest()
    return folder / f"{named[:32]}.sqlite"


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", errors="surrogatepass")).digest()
