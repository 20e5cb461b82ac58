"""The Chroma folder as a llama-index vector store: it keeps the vectors.

It holds vectors and what filters need; texts are in the catalog, and searches are made in memory
(`matrix`). Only this module and `store`
know Chroma, which is imported when a folder is opened.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import numpy as np
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.schema import BaseNode
from llama_index.core.vector_stores.types import (
    BasePydanticVectorStore,
    FilterCondition,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
    VectorStoreQuery,
    VectorStoreQueryResult,
)

from paraqa.errors import StoreError, StoreMismatch, StoreReadOnly
from paraqa.matrix import Vector
from paraqa.nodes import DATE, LANG, PAPER

_COLLECTION = "passages"
_DAMAGE = re.compile(r"\(code: (11|26)\)")  # SQLite's: malformed; not a database
_BATCH = 500  # Chroma refuses more than 5,461 at once; this many was fastest
_PAGE = 20_000  # vectors read at once: 30 MB


class PassageVectors(BasePydanticVectorStore):
    """Vectors by passage id, nearest by cosine. One process only may have a folder open."""

    stores_text: bool = False
    _folder: Path = PrivateAttr()
    _embedding: str = PrivateAttr()
    _client: Any = PrivateAttr()
    _collection: Any = PrivateAttr(default=None)

    @classmethod
    def open(cls, folder: Path, embedding: str) -> Self:
        """The vectors in a folder, which is made if need be.

        Raises StoreMismatch if they were made by another embedding.
        """
        vectors = cls()
        vectors._folder = folder
        vectors._embedding = embedding
        vectors._client = _connect(folder)
        try:
            vectors._find_collection()
        except BaseException:
            vectors.close()
            raise
        return vectors

    def close(self) -> None:
        """Release the folder."""
        self._client.close()

    @property
    def client(self) -> Any:
        """The Chroma client."""
        return self._client

    def count(self) -> int:
        """Number of vectors."""
        if not self._collection:
            return 0
        with _read(self._folder):
            return int(self._collection.count())

    def add(self, nodes: Sequence[BaseNode], **kwargs: Any) -> list[str]:
        """Ids of the nodes, which are added; those that exist already must be deleted before."""
        if not nodes:
            return []
        ids = [node.node_id for node in nodes]
        with _written(self._folder):
            self._require_dimension(len(nodes[0].get_embedding()))
            for start in range(0, len(nodes), _BATCH):
                batch = nodes[start : start + _BATCH]
                self._collection.add(
                    ids=ids[start : start + _BATCH],
                    embeddings=[node.get_embedding() for node in batch],
                    metadatas=[_filterable(node) for node in batch],
                )
        return ids

    def delete(self, ref_doc_id: str, **delete_kwargs: Any) -> None:
        """Delete the vectors of a paper."""
        if self._collection:
            with _written(self._folder):
                self._collection.delete(where={PAPER: ref_doc_id})

    def delete_nodes(
        self,
        node_ids: list[str] | None = None,
        filters: MetadataFilters | None = None,
        **delete_kwargs: Any,
    ) -> None:
        """Delete these vectors; ids that are not there do no harm."""
        if filters is not None and filters.filters:
            raise NotImplementedError("vectors are deleted by id or by paper")
        if not self._collection or not node_ids:
            return
        with _written(self._folder):
            for start in range(0, len(node_ids), _BATCH):
                self._collection.delete(ids=node_ids[start : start + _BATCH])

    def clear(self) -> None:
        """Delete all vectors."""
        if self._collection:
            with _written(self._folder):
                self._client.delete_collection(_COLLECTION)
            self._collection = None

    def query(self, query: VectorStoreQuery, **kwargs: Any) -> VectorStoreQueryResult:
        """Ids and cosine similarities of the nearest passages that meet the filters, best first.

        The search is exact. It reads every vector, which the store does once and keeps.
        """
        wanted = query.query_embedding
        if not self._collection or wanted is None or query.similarity_top_k < 1:
            return VectorStoreQueryResult(ids=[], similarities=[])
        self.require(len(wanted))
        unit = _unit(np.asarray([wanted], np.float32))[0]
        found: list[tuple[float, str]] = []
        for ids, metadatas, vectors in self.pages():
            values = (_unit(vectors) @ unit).tolist()
            met = [_meets(metadata, query.filters) for metadata in metadatas]
            found += [(v, i) for v, i, is_met in zip(values, ids, met, strict=True) if is_met]
        best = sorted(found, key=lambda pair: (-pair[0], pair[1]))[: query.similarity_top_k]
        return VectorStoreQueryResult(ids=[i for _, i in best], similarities=[v for v, _ in best])

    def require(self, dimension: int) -> None:
        """Raise StoreMismatch where the vectors here have another length."""
        stored = self._collection.metadata["dimension"] if self._collection else dimension
        if stored != dimension:
            raise StoreMismatch(
                "store.mismatch",
                path=_store(self._folder),
                stored=f"{self._embedding}, {stored}",
                wanted=f"{self._embedding}, {dimension}",
            )

    def pages(self) -> Iterator[tuple[list[str], list[dict[str, str]], Vector]]:
        """All vectors with their ids and metadata, so many at a time."""
        for start in range(0, self.count(), _PAGE):
            with _read(self._folder):
                page = self._collection.get(
                    include=["embeddings", "metadatas"], limit=_PAGE, offset=start
                )
            yield page["ids"], page["metadatas"], np.asarray(page["embeddings"], np.float32)

    def _find_collection(self) -> None:
        from chromadb.errors import NotFoundError

        with _read(self._folder):
            try:
                # None: with its default, Chroma would download a model for the first text it sees.
                found = self._client.get_collection(_COLLECTION, embedding_function=None)
            except NotFoundError:
                return
        stored = (found.metadata or {}).get("embedding")
        if stored != self._embedding:
            raise StoreMismatch(
                "store.mismatch", path=_store(self._folder), stored=stored, wanted=self._embedding
            )
        self._collection = found

    def _require_dimension(self, dimension: int) -> None:
        """The collection is made when the first vector shows how long vectors are."""
        if not self._collection:
            self._collection = self._client.create_collection(
                _COLLECTION,
                embedding_function=None,
                configuration={"hnsw": {"space": "cosine"}},
                metadata={"embedding": self._embedding, "dimension": dimension},
            )
        self.require(dimension)


def _connect(folder: Path) -> Any:
    import chromadb
    from chromadb.api.shared_system_client import SharedSystemClient
    from chromadb.config import Settings

    # Set here, the environment and a file named .env cannot turn them on.
    settings = Settings(anonymized_telemetry=False, chroma_otel_collection_endpoint="")
    try:
        with _written(folder):
            return chromadb.PersistentClient(path=str(folder), settings=settings)
    except ValueError as error:
        raise StoreError("store.damaged", path=_store(folder), problem=str(error)) from error
    except StoreError:
        # Chroma keeps what it failed to start, and would hand it to the next who opens the folder.
        SharedSystemClient._identifier_to_system.pop(str(folder), None)
        raise


def _filterable(node: BaseNode) -> dict[str, str]:
    return {key: node.metadata[key] for key in (PAPER, LANG, DATE) if key in node.metadata}


def _unit(vectors: Vector) -> Vector:
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Vector = vectors / np.maximum(norms, 1e-12)
    return unit


_COMPARISONS: dict[FilterOperator, Callable[[Any, Any], bool]] = {
    FilterOperator.EQ: operator.eq,
    FilterOperator.NE: operator.ne,
    FilterOperator.GT: operator.gt,
    FilterOperator.GTE: operator.ge,
    FilterOperator.LT: operator.lt,
    FilterOperator.LTE: operator.le,
    FilterOperator.IN: lambda held, wanted: held in wanted,
    FilterOperator.NIN: lambda held, wanted: held not in wanted,
}


def _meets(metadata: Mapping[str, str], filters: MetadataFilters | None) -> bool:
    """Whether a vector's metadata meet llama-index filters; what is not there meets none."""
    if filters is None or not filters.filters:
        return True
    met = (
        _meets_one(metadata, each) if isinstance(each, MetadataFilter) else _meets(metadata, each)
        for each in filters.filters
    )
    if filters.condition == FilterCondition.OR:
        return any(met)
    if filters.condition == FilterCondition.NOT:
        return not any(met)
    return all(met)


def _meets_one(metadata: Mapping[str, str], wanted: MetadataFilter) -> bool:
    compare = _COMPARISONS.get(wanted.operator)
    if compare is None:
        raise NotImplementedError(f"passages are not filtered by {wanted.operator.value}")
    return wanted.key in metadata and compare(metadata[wanted.key], wanted.value)


@contextmanager
def _written(folder: Path) -> Iterator[None]:
    from chromadb.errors import ChromaError

    try:
        yield
    except (ChromaError, OSError) as error:
        problem = str(error)
        if _DAMAGE.search(problem):
            raise StoreError("store.damaged", path=_store(folder), problem=problem) from error
        raise StoreReadOnly("store.read_only", path=_store(folder), problem=problem) from error


@contextmanager
def _read(folder: Path) -> Iterator[None]:
    from chromadb.errors import ChromaError

    try:
        yield
    except ChromaError as error:
        # A full disk may leave an index that Chroma cannot mend.
        raise StoreError("store.damaged", path=_store(folder), problem=str(error)) from error


def _store(folder: Path) -> str:
    """The folder that the user named: the one above."""
    return str(folder.parent)
