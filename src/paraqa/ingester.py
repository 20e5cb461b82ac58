"""Listings to the store: only what is new or changed, with an account of the rest.

The content hash in the catalog decides what is done again. A paper that several entries describe
is one paper: the entry with the newest date is kept, the later one where dates are equal.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from paraqa.catalog import Known, content_hash
from paraqa.events import (
    Indexed,
    Ingested,
    IngestEvent,
    IngestReport,
    Parsed,
    Rejected,
    Started,
)
from paraqa.formats import discover, read, shown
from paraqa.nodes import passages_of
from paraqa.types import Paper

if TYPE_CHECKING:
    from paraqa.settings import Settings
    from paraqa.store import Store


class Ingester:
    """Reads listings into a store."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings

    async def ingest(self, paths: Sequence[Path]) -> AsyncGenerator[IngestEvent]:
        """Events of reading these files and folders; without any, those of `store.seeds`.

        It may be stopped at any point: what was indexed stays, and the next run does the rest.
        Raises FormatError for a path that is not there, StoreReadOnly if nothing can be written.
        """
        begin = time.perf_counter()
        files = await asyncio.to_thread(discover, paths or [self._settings.store.seeds])
        yield Started(files=tuple(map(shown, files)))
        plan = _Plan()
        rejected: list[Rejected] = []
        for file in files:
            papers, refused = await asyncio.to_thread(self._parse, file, plan)
            for event in refused:
                yield event
            rejected += refused
            new = sum(plan.work.get(paper.id) is paper for paper in papers)
            yield Parsed(path=shown(file), papers=len({p.id for p in papers}), new=new)
        await asyncio.to_thread(self._mend, plan)
        await asyncio.to_thread(self._store.relocate, list(plan.moved.values()))
        done, passages = 0, 0
        for batch in _batches(plan.work.values(), self._settings.embedding.batch):
            passages += await self._store.write(batch)
            done += len(batch)
            yield Indexed(papers=done, passages=passages, total=len(plan.work))
        added = len(plan.work.keys() - plan.stored)
        report = IngestReport(
            files=len(files),
            added=added,
            updated=done - added,
            unchanged=len(plan.dates) - done,
            rejected=tuple(rejected),
            passages=passages,
            embedded=passages,
            seconds=time.perf_counter() - begin,
        )
        yield Ingested(report=report)

    def _parse(self, file: Path, plan: _Plan) -> tuple[list[Paper], list[Rejected]]:
        entries = list(read(file))
        papers = [entry for entry in entries if isinstance(entry, Paper)]
        known = self._store.known(paper.id for paper in papers)
        for paper in papers:
            plan.consider(paper, known.get(paper.id))
        return papers, [entry for entry in entries if isinstance(entry, Rejected)]

    def _mend(self, plan: _Plan) -> None:
        """Plan for the papers that lost their vectors, wherever their listings are now."""
        lost = [paper for paper in self._store.unfinished() if paper.id not in plan.dates]
        known = self._store.known(paper.id for paper in lost)
        for paper in lost:
            plan.consider(paper, known[paper.id])


class _Plan:
    """What one run has to do: each paper once, whatever the number of its entries."""

    def __init__(self) -> None:
        self.work: dict[str, Paper] = {}  # to be embedded and written
        self.moved: dict[str, Paper] = {}  # the same as before, in another place
        self.dates: dict[str, str] = {}  # of the entry that counts, for each paper seen
        self.stored: set[str] = set()  # those seen that the store holds already

    def consider(self, paper: Paper, kept: Known | None) -> None:
        """Take an entry in, given what is kept of its paper."""
        date = paper.date.isoformat() if paper.date else ""
        if date < self.dates.get(paper.id, ""):
            return  # an older entry of a paper that this run has seen
        self.dates[paper.id] = date
        self.work.pop(paper.id, None)
        self.moved.pop(paper.id, None)
        if kept is None:
            self.work[paper.id] = paper
            return
        self.stored.add(paper.id)
        place = (paper.source.file, paper.source.line)
        if kept.hash == content_hash(paper):
            if place != (kept.file, kept.line):
                self.moved[paper.id] = paper
        elif not kept.hash or kept.file == paper.source.file or date >= kept.date:
            self.work[paper.id] = paper


def _batches(papers: Iterable[Paper], passages: int) -> Iterator[list[Paper]]:
    """The papers in groups of at least so many passages."""
    batch: list[Paper] = []
    size = 0
    for paper in papers:
        batch.append(paper)
        size += len(passages_of(paper))
        if size >= passages:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
