"""Listings to the store: only what is new or changed, with an account of the rest.

The content hash in the catalog decides what is done again. A paper that several entries describe
is one paper: the entry with the newest date is kept, the later one where dates are equal.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from paraqa.catalog import Known, content_hash
from paraqa.events import (
    Estimated,
    Indexed,
    Ingested,
    IngestEvent,
    IngestReport,
    Parsed,
    Rejected,
    Started,
)
from paraqa.formats import discover, read, shown
from paraqa.nodes import indexed_passages
from paraqa.types import Lang, Paper, Rendered, Rendering, title_key

if TYPE_CHECKING:
    from paraqa.settings import Settings
    from paraqa.store import Store


_LONGEST = 60  # characters of a title in a message


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
        orphans = await asyncio.to_thread(self._render, plan)
        for event in orphans:
            yield event
        rejected += orphans
        await asyncio.to_thread(self._store.relocate, list(plan.moved.values()))
        done, passages, before = 0, 0, self._computed()
        batches = _batches(plan.work.values(), self._settings.embedding.batch)
        for number, batch in enumerate(batches):
            begun = time.perf_counter()
            written = await self._store.write(batch)
            if number == 1 and (estimate := self._estimate(plan, written, begun)):
                yield estimate
            passages += written
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
            embedded=passages if before is None else (self._computed() or 0) - before,
            seconds=time.perf_counter() - begin,
        )
        yield Ingested(report=report)

    def _estimate(self, plan: _Plan, written: int, begun: float) -> Estimated | None:
        """How long the rest takes, where a reader would want to know.

        The second part tells: the first has to load the model.
        """
        passages = sum(len(indexed_passages(paper)) for paper in plan.work.values())
        if passages < self._settings.embedding.large or not written:
            return None
        each = (time.perf_counter() - begun) / written
        return Estimated(
            papers=len(plan.work), passages=passages, seconds=each * (passages - written)
        )

    def _computed(self) -> int | None:
        """How many passages were embedded so far, where the embedding keeps what it has made."""
        count: int | None = getattr(self._store.embedding, "computed", None)
        return count

    def _parse(self, file: Path, plan: _Plan) -> tuple[list[Paper], list[Rejected]]:
        entries = list(read(file))
        papers = [entry for entry in entries if isinstance(entry, Paper)]
        known = self._store.known(paper.id for paper in papers)
        for paper in papers:
            plan.consider(paper, known.get(paper.id))
        plan.rendered += [entry for entry in entries if isinstance(entry, Rendered)]
        return papers, [entry for entry in entries if isinstance(entry, Rejected)]

    def _mend(self, plan: _Plan) -> None:
        """Plan for the papers that lost their vectors, wherever their listings are now."""
        lost = [paper for paper in self._store.unfinished() if paper.id not in plan.dates]
        known = self._store.known(paper.id for paper in lost)
        for paper in lost:
            plan.consider(paper, known[paper.id])

    def _render(self, plan: _Plan) -> list[Rejected]:
        """Give papers their renderings, those of this run and those that are kept.

        What comes back are the renderings of papers that neither this run nor the store has.
        """
        by_title = {title_key(paper.title): paper.id for paper in plan.seen.values()}
        given: dict[str, dict[Lang, Rendering]] = {}
        orphans = []
        wanted = {id(each): _target(each, by_title) for each in plan.rendered}
        kept = self._store.papers_by_id({*wanted.values(), *plan.work, *plan.moved})
        for each in plan.rendered:
            target = wanted[id(each)]
            if target in kept or target in plan.seen:
                _put(given.setdefault(target, {}), each.rendering)
            else:
                orphans.append(_orphan(each))
        for paper_id in {*given, *plan.work, *plan.moved}:
            plan.render(paper_id, kept.get(paper_id), given.get(paper_id, {}))
        return orphans


def _target(rendered: Rendered, by_title: Mapping[str, str]) -> str:
    """The id of the paper that a rendering belongs to, if there is one."""
    if rendered.id:
        return rendered.id
    key = title_key(rendered.title)
    if key in by_title:
        return by_title[key]
    return Paper(title=rendered.title, source=rendered.source).id


def _put(held: dict[Lang, Rendering], new: Rendering) -> None:
    """Put a rendering beside others; a machine's does not take the place of a curated one."""
    old = held.get(new.lang)
    if old is None or new.origin == "curated" or old.origin == "machine":
        held[new.lang] = new


def _orphan(rendered: Rendered) -> Rejected:
    name = rendered.title or rendered.id
    return Rejected.because(
        rendered.source.file, rendered.source.line, "formats.orphan_rendering", name=name[:_LONGEST]
    )


class _Plan:
    """What one run has to do: each paper once, whatever the number of its entries."""

    def __init__(self) -> None:
        self.seen: dict[str, Paper] = {}  # the entry that counts, for each paper seen
        self.rendered: list[Rendered] = []
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
        self.seen[paper.id] = paper
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

    def render(self, paper_id: str, kept: Paper | None, given: Mapping[Lang, Rendering]) -> None:
        """Put the renderings of a paper to what is planned for it.

        A machine's rendering of a text that has changed since is out of date, and goes; it never
        takes the place of a curated one.
        """
        planned = self.work.get(paper_id) or self.moved.get(paper_id)
        paper = planned or kept
        if paper is None:
            return
        before = {r.lang: r for r in kept.alternates} if kept else {}
        if kept and kept.abstract != paper.abstract:
            before = {lang: r for lang, r in before.items() if r.origin == "curated"}
        after = dict(before)
        for rendering in given.values():
            _put(after, rendering)
        rendered = paper.model_copy(
            update={"alternates": tuple(after[key] for key in sorted(after))}
        )
        if paper_id in self.work or (kept and rendered.alternates != kept.alternates):
            self.moved.pop(paper_id, None)
            self.work[paper_id] = rendered
            self.dates.setdefault(paper_id, rendered.date.isoformat() if rendered.date else "")
            if kept:
                self.stored.add(paper_id)
        elif paper_id in self.moved:
            self.moved[paper_id] = rendered


def _batches(papers: Iterable[Paper], passages: int) -> Iterator[list[Paper]]:
    """The papers in groups of at least so many passages."""
    batch: list[Paper] = []
    size = 0
    for paper in papers:
        batch.append(paper)
        size += len(indexed_passages(paper))
        if size >= passages:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
