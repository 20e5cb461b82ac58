"""Chroma and the catalog kept as one: papers are in both, or count as in neither.

A write deletes the paper's old vectors, adds the new ones, and then commits its catalog row. The
row is the mark: after a crash, a paper without one (or with one marked unfinished) is done again,
and vectors without one are never returned. A folder bears one process, so the store locks it.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import TYPE_CHECKING, Self

import numpy as np

from paraqa.catalog import Catalog, Known, read_papers
from paraqa.errors import StoreError, StoreNotFound
from paraqa.facets import Mask
from paraqa.folder import locked, translated
from paraqa.index import Index
from paraqa.lang import LANGS, glossary
from paraqa.lang.institutions import Directory
from paraqa.lang.spelling import near
from paraqa.matrix import Usual, Vector
from paraqa.nodes import to_nodes
from paraqa.types import Filters, Lang, Paper, Passage

if TYPE_CHECKING:
    from llama_index.core.base.embeddings.base import BaseEmbedding
    from llama_index.core.ingestion import IngestionPipeline
    from llama_index.core.schema import BaseNode

    from paraqa.vectors import PassageVectors

_CATALOG, _VECTORS = "catalog.sqlite", "chroma"


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
        self._vectors_read: Index | None = None
        self._vocabulary: list[str] | None = None

    @classmethod
    def open(cls, path: Path, embedding: BaseEmbedding) -> Self:
        """The store in a folder, which is made if need be.

        Raises StoreBusy, StoreReadOnly, StoreMismatch, or StoreError for a damaged one.
        """
        from paraqa.vectors import PassageVectors

        with ExitStack() as release, translated(path):
            path.mkdir(parents=True, exist_ok=True)
            release.enter_context(locked(path))
            catalog = Catalog(path / _CATALOG)
            release.callback(catalog.close)
            catalog.renew()
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

    def lexical(
        self, weighted_terms: Mapping[str, float], n: int, eligible: Mask | None = None
    ) -> list[tuple[str, float]]:
        """The n best papers as (id, sum of weight times BM25 of each term), best first."""
        return self._catalog.lexical(weighted_terms, n, eligible)

    def near_terms(self, term: str) -> list[str]:
        """The terms of the corpus that a term may be a misspelling of, best first."""
        if self._vocabulary is None:
            self._vocabulary = self._catalog.vocabulary()
        return near(term, self._vocabulary)

    def directory(self) -> Directory:
        """The institutions of the corpus, with what else they are called."""
        return self._catalog.directory()

    def authors(self) -> frozenset[str]:
        """The authors of the corpus, as the listings write them."""
        return self._catalog.authors()

    def meeting(self, filters: Filters) -> Mask:
        """The papers that meet all conditions, as a mask that the rankings take."""
        return self._catalog.meeting(filters)

    def newest(self, eligible: Mask, n: int) -> list[tuple[str, int]]:
        """The n newest of these papers as (id, ordinal of the day), without a date (0) last."""
        return self._catalog.newest(eligible, n)

    def titles(self, ids: Iterable[str]) -> dict[str, str]:
        """Titles by paper id; unknown ids are left out."""
        return self._catalog.titles(ids)

    async def embedded(self, question: str) -> Vector:
        """The unit vector of a question. Raises StoreMismatch."""
        vector = await asyncio.to_thread(self.embedding.get_query_embedding, question)
        self.vectors.require(len(vector))
        found = np.asarray(vector, np.float32)
        return found / max(float(np.linalg.norm(found)), 1e-12)

    def nearest(
        self, vector: Vector, lang: Lang, n: int, eligible: Mask | None = None
    ) -> tuple[list[str], Usual]:
        """The n papers nearest to a question by their whole text, best first.

        With them comes what similarities are usual for each language, which `similarities` takes.
        """
        with self._lock:
            numbers, usual = self._index().wholes.nearest(vector, lang, n, eligible)
            return self._catalog.ids(numbers), usual

    def similarities(
        self, paper_ids: Iterable[str], vector: Vector, lang: Lang, usual: Usual
    ) -> dict[str, float]:
        """How near all passages of these papers are, by deviations from what is usual."""
        with self._lock:
            index = self._index()
            numbers = list(self._catalog.numbers(paper_ids).values())
            return index.wholes.of(numbers, vector, lang, usual) | index.sentences.of(
                numbers, vector, lang, usual
            )

    def vector_of(self, paper_id: str) -> Vector | None:
        """The mean of the vectors of a paper's whole texts, of unit length; None without one."""
        with self._lock:
            number = self._catalog.numbers([paper_id]).get(paper_id)
            if number is None:
                return None
            found = self._index().wholes.vectors_of(number)
        if not len(found):
            return None
        mean: Vector = found.mean(axis=0)
        return mean / max(float(np.linalg.norm(mean)), 1e-12)

    def _index(self) -> Index:
        """The vectors in memory, read at the first search."""
        if self._vectors_read is None:
            self._vectors_read = Index.read(
                self.vectors, self._catalog, _background(self.embedding)
            )
        return self._vectors_read

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
        with translated(self.path):
            self._catalog.relocate(papers)

    def remove(self, paper_ids: Iterable[str]) -> None:
        """Forget these papers."""
        ids = list(paper_ids)
        with self._lock, translated(self.path):
            passages = self._catalog.passage_ids(ids)
            self._forget(ids)
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
        with self._lock, translated(self.path):
            self._catalog.mark_unfinished(ids)
            # Chroma ignores the addition of an id that exists, and keeps its old vector.
            stale = self._catalog.passage_ids(ids) | {node.node_id for node in nodes}
            self._forget(ids)
            self.vectors.delete_nodes(sorted(stale))
            self.vectors.add(nodes)
            self._catalog.upsert(papers)
            if self._vectors_read is not None:
                self._vectors_read.add(nodes, self._catalog.numbers(ids))

    def _forget(self, paper_ids: Sequence[str]) -> None:
        self._vocabulary = None
        if self._vectors_read is not None:
            self._vectors_read.remove(self._catalog.numbers(paper_ids).values())


def _background(embedding: BaseEmbedding) -> dict[str, Vector]:
    """Unit vectors of questions that tell hubs, where the embedding keeps what it has made."""
    embed: Callable[[list[str]], list[list[float]]] | None = getattr(embedding, "questions", None)
    if embed is None:
        return {}
    found: dict[str, Vector] = {}
    for lang in LANGS:
        vectors = np.asarray(embed(list(glossary.background(lang))), np.float32)
        found[lang] = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    return found


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
