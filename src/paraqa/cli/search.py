"""`paraqa search`: the papers that match a question."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from paraqa.cli import closing, explain, limits

if TYPE_CHECKING:
    from paraqa.cli.console import Console
    from paraqa.cli.session import Session
    from paraqa.types import Hit, Paper, SearchResult


def run(session: Session) -> int:
    """0 once the hits are printed."""
    question, options = session.question(), session.options
    filters = limits.filters(options)
    with session.library() as library:
        result = asyncio.run(library.search(question, k=options.k, filters=filters))
    if options.json:
        session.console.json(result)
        return 0
    if options.explain:
        _show_explained(result, session.console)
    else:
        _show(result, session.console)
    session.console.note(
        session.console.text("found", count=len(result.hits), seconds=f"{result.seconds:.2f}")
    )
    return 0


def _show(result: SearchResult, console: Console) -> None:
    for hit in result.hits:
        show(hit, console)
    told = closing.counts(result.query, result.coverage, console.lang)
    if told and result.coverage.strength != "strong":
        told.append(closing.strength(result.coverage, console.lang))
    _close(result, told, console)


def _show_explained(result: SearchResult, console: Console) -> None:
    explain.show_query(result.query, console)
    for hit in result.hits:
        show(hit, console)
        explain.show_hit(hit, result.query.filters, console)
    if result.hits:
        console.line()
    told = closing.counts(result.query, result.coverage, console.lang)
    _close(result, [*told, closing.strength(result.coverage, console.lang)], console)


def _close(result: SearchResult, told: list[str], console: Console) -> None:
    if told:
        console.line((closing.joined(told, console.lang), "dim"))
    for remark in closing.remarks(result, console.lang):
        console.line((remark, "yellow"))


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
