"""Renderings that were accepted and are not in the store yet."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from paraqa.types import Paper, Rendering

if TYPE_CHECKING:
    from paraqa.store import Store

_MOST = 8  # papers that wait: a write embeds all their passages
_LONGEST = 30.0  # seconds that the first of them waits


class Pending:
    """A few papers with their new renderings, written together."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: dict[str, tuple[Paper, Rendering]] = {}
        self._since = 0.0

    def add(self, paper: Paper, rendering: Rendering) -> None:
        """Take one in."""
        if not self._waiting:
            self._since = time.monotonic()
        self._waiting[paper.id] = (paper, rendering)

    @property
    def is_due(self) -> bool:
        """Whether enough wait, or the first has waited long enough."""
        has_waited = time.monotonic() - self._since >= _LONGEST
        return len(self._waiting) >= _MOST or (bool(self._waiting) and has_waited)

    async def keep(self) -> None:
        """Write all of them, except where the paper has changed meanwhile."""
        held = await asyncio.to_thread(self._store.papers_by_id, list(self._waiting))
        papers = [
            rendered
            for paper_id, (paper, rendering) in self._waiting.items()
            if paper_id in held and (rendered := _rendered(held[paper_id], paper, rendering))
        ]
        if papers:
            await self._store.write(papers)
        self._waiting.clear()


def _rendered(held: Paper, read: Paper, rendering: Rendering) -> Paper | None:
    """The paper as it is held, with a rendering of what was read; None where that is no more."""
    if held.abstract != read.abstract:
        return None
    others = {r.lang: r for r in held.alternates}
    if rendering.lang in others and others[rendering.lang].origin == "curated":
        return None
    others[rendering.lang] = rendering
    return held.model_copy(update={"alternates": tuple(others[key] for key in sorted(others))})
