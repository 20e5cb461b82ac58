"""Chroma and the catalog kept as one: papers are in both, or count as in neither.

A write deletes the paper's old vectors, adds the new ones, and then commits its catalog row. The
row is the mark: after a crash, a paper without one (or with one marked unfinished) is done again,
and vectors without one are never returned. A folder bears one process, so the store locks it.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import TYPE_CHECKING, Self

from filelock import FileLock, Timeout

from paraqa.catalog import Catalog, Known, read_papers
from paraqa.errors import StoreBusy, StoreError, StoreNotFound, StoreReadOnly
from paraqa.nodes import to_nodes
from paraqa.types import Paper, Passage

if TYPE_CHECKING:
    from llama_index.core.base.embeddings.base import BaseEmbedding
    from llama_index.core.ingestion import IngestionPipeline
    from llama_index.core.schema import BaseNode

    from paraqa.vectors import PassageVectors

_CATALOG, _VECTORS, _LOCK, _OWNER = "catalog.sqlite", "chroma", "lock", "owner"


class Store:
    """Papers with their passages, found by vector or by words."""

    def __init__(
        self,
        path: Path,
        *,
        embedding: BaseEmbedding,
        catalog: Catalog,
        vectors: PassageVectors,
        release: ExitStack,
    ) -> None:
        self.path = path
        self.embedding = embedding
        self.vectors = vectors
        self._catalog = catalog
        self._release = release
        self._lock = RLock()  # a reader must not see vectors and catalog out of step
        self._may_lack = True

    @classmethod
    def open(cls, path: Path, embedding: BaseEmbedding) -> Self:
        """The store in a folder, which is made if need be.

        Raises StoreBusy, StoreReadOnly, StoreMismatch, or StoreError for a damaged one.
        """
        from paraqa.vectors import PassageVectors

        with ExitStack() as release, _translated(path):
            path.mkdir(parents=True, exist_ok=True)
            release.enter_context(_locked(path))
            catalog = Catalog(path / _CATALOG)
            release.callback(catalog.close)
            vectors = PassageVectors.open(path / _VECTORS, embedding.model_name)
            release.callback(vectors.close)
            _reconcile(catalog, vectors)
            return cls(
                path,
                embedding=embedding,
                catalog=catalog,
                vectors=vectors,
                release=release.pop_all(),
            )

    @staticmethod
    def require(path: Path) -> None:
        """Raise StoreNotFound where a folder holds no store; nothing is made."""
        try:
            if (path / _CATALOG).is_file():
                return
        except OSError as error:
            raise StoreError("store.damaged", path=str(path), problem=error.strerror) from error
        raise StoreNotFound("store.not_found", path=str(path))

    @staticmethod
    def read_papers(path: Path) -> list[Paper]:
        """All papers, without opening the store: another process may have it open.

        Raises StoreNotFound if there is none.
        """
        Store.require(path)
        try:
            return read_papers(path / _CATALOG)
        except (OSError, sqlite3.Error) as error:
            raise StoreError("store.damaged", path=str(path), problem=str(error)) from error

    def close(self) -> None:
        """Release the folder. Closing twice does no harm."""
        with self._lock:
            self._release.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    # --- reading

    def count(self) -> int:
        """Number of papers."""
        return self._catalog.count()

    def unfinished(self) -> list[Paper]:
        """Papers that had no vectors when the store was opened, and still have none.

        A store that was whole stays so for its readers: they never see a write half done.
        """
        if not self._may_lack:
            return []
        with self._lock:
            found = self._catalog.unfinished()
            self._may_lack = bool(found)
        return found

    def passage_count(self) -> int:
        """Number of passages."""
        return self._catalog.passage_count()

    def papers(self) -> list[Paper]:
        """All papers, by file and line."""
        return self._catalog.papers()

    def papers_by_id(self, ids: Iterable[str]) -> dict[str, Paper]:
        """Papers by id; unknown ids are left out."""
        return self._catalog.papers_by_id(ids)

    def passages_of(self, paper_ids: Iterable[str]) -> dict[str, tuple[Passage, ...]]:
        """Passages of each paper, in order; unknown ids are left out."""
        return self._catalog.passages_of(paper_ids)

    def known(self, ids: Iterable[str]) -> dict[str, Known]:
        """Content hash, place and date of these papers; unknown ids are left out."""
        return self._catalog.known(ids)

    def document_frequency(self, terms: Iterable[str]) -> dict[str, int]:
        """In how many papers each term stands."""
        return self._catalog.document_frequency(terms)

    def lexical(self, weighted_terms: Mapping[str, float], n: int) -> list[tuple[str, float]]:
        """The n best papers as (id, sum of weight times BM25 of each term), best first."""
        return self._catalog.lexical(weighted_terms, n)

    async def vectors_for(self, text: str, n: int) -> list[tuple[str, float]]:
        """The n passages nearest to a question as (id, cosine similarity), best first."""
        return await asyncio.to_thread(self._nearest, text, n)

    def _nearest(self, text: str, n: int) -> list[tuple[str, float]]:
        from llama_index.core.vector_stores.types import VectorStoreQuery

        if not self.count():
            return []
        vector = self.embedding.get_query_embedding(text)
        with self._lock:
            found = self.vectors.query(VectorStoreQuery(query_embedding=vector, similarity_top_k=n))
            ids, similarities = found.ids or [], found.similarities or []
            known = self._catalog.passage_ids({id_.rpartition("#")[0] for id_ in ids})
        return [pair for pair in zip(ids, similarities, strict=True) if pair[0] in known]

    # --- writing

    async def write(self, papers: Sequence[Paper]) -> int:
        """Number of passages written. Papers that are known are replaced.

        Cancelled while it embeds, it writes nothing; cancelled later, it writes everything.
        """
        nodes = await self._embedded(await asyncio.to_thread(to_nodes, papers))
        await _finished(self._commit, papers, nodes)
        return len(nodes)

    def relocate(self, papers: Iterable[Paper]) -> None:
        """Note that these papers, otherwise unchanged, stand in another place."""
        with _translated(self.path):
            self._catalog.relocate(papers)

    def remove(self, paper_ids: Iterable[str]) -> None:
        """Forget these papers."""
        ids = list(paper_ids)
        with self._lock, _translated(self.path):
            passages = self._catalog.passage_ids(ids)
            self._catalog.remove(ids)
            self.vectors.delete_nodes(sorted(passages))

    async def _embedded(self, nodes: Sequence[BaseNode]) -> list[BaseNode]:
        pipeline = await asyncio.to_thread(_pipeline, self.embedding)
        size = self.embedding.embed_batch_size
        done: list[BaseNode] = []
        for start in range(0, len(nodes), size):  # a slice at a time, to stop when cancelled
            done += await asyncio.to_thread(pipeline.run, nodes=nodes[start : start + size])
        return done

    def _commit(self, papers: Sequence[Paper], nodes: Sequence[BaseNode]) -> None:
        ids = [paper.id for paper in papers]
        with self._lock, _translated(self.path):
            self._catalog.mark_unfinished(ids)
            # Chroma ignores the addition of an id that exists, and keeps its old vector.
            stale = self._catalog.passage_ids(ids) | {node.node_id for node in nodes}
            self.vectors.delete_nodes(sorted(stale))
            self.vectors.add(nodes)
            self._catalog.upsert(papers)


def _pipeline(embedding: BaseEmbedding) -> IngestionPipeline:
    from llama_index.core.ingestion import IngestionPipeline

    # Without a docstore: the catalog's content hash decides what is to be done.
    return IngestionPipeline(transformations=[embedding], disable_cache=True)


def _reconcile(catalog: Catalog, vectors: PassageVectors) -> None:
    """Make the halves agree if one was deleted or put back: what is missing is done again."""
    if not catalog.count():
        vectors.clear()
    elif vectors.count() < catalog.finished_passage_count():
        catalog.mark_all_unfinished()


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    owner = path / _OWNER
    lock = FileLock(path / _LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        pid = owner.read_text(encoding="ascii") if owner.exists() else "?"
        raise StoreBusy("store.busy", path=str(path), pid=pid) from error
    try:
        owner.write_text(str(os.getpid()), encoding="ascii")
        yield
    finally:
        owner.unlink(missing_ok=True)
        lock.release()


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.OperationalError) as error:
        problem = getattr(error, "strerror", None) or str(error)
        raise StoreReadOnly("store.read_only", path=str(path), problem=problem) from error
    except sqlite3.DatabaseError as error:
        raise StoreError("store.damaged", path=str(path), problem=str(error)) from error


async def _finished(work: Callable[..., None], *values: object) -> None:
    """Run it in a thread to its end, even if cancelled meanwhile; then be cancelled."""
    running = asyncio.get_running_loop().run_in_executor(None, work, *values)
    cancelled: asyncio.CancelledError | None = None
    while not running.done():
        try:
            await asyncio.wait([running])
        except asyncio.CancelledError as error:
            cancelled = error
    running.result()
    if cancelled is not None:
        raise cancelled
