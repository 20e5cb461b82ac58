"""`paraqa search`: the papers that match a question."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paraqa.cli.console import Console
    from paraqa.cli.session import Session
    from paraqa.types import Hit, Paper


def run(session: Session) -> int:
    """0 once the hits are printed."""
    question = session.question()
    with session.library() as library:
        result = asyncio.run(library.search(question, k=session.options.k))
    if session.options.json:
        session.console.json(result)
        return 0
    for hit in result.hits:
        show(hit, session.console)
    session.console.note(
        session.console.text("found", count=len(result.hits), seconds=f"{result.seconds:.2f}")
    )
    return 0


def show(hit: Hit, console: Console) -> None:
    """Print a hit: its number, title, date, and the passage that matched best."""
    console.line((f"{hit.rank:>3}. ", "cyan"), *headline(hit.paper))
    sentences = [passage for passage in hit.passages if not passage.is_whole]
    if sentences:
        console.line(f"     {sentences[0].text}")


def headline(paper: Paper) -> list[str | tuple[str, str]]:
    """The title of a paper and, where known, its date."""
    spans: list[str | tuple[str, str]] = [(paper.title, "bold")]
    if paper.date is not None:
        spans.append((f" ({paper.date.isoformat()})", "dim"))
    return spans
