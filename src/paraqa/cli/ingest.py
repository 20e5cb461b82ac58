"""`paraqa ingest`: listings into the store."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

from paraqa.cli.progress import Progress
from paraqa.events import Estimated, Indexed, Ingested, IngestReport, Parsed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from paraqa.cli.console import Console
    from paraqa.cli.session import Session
    from paraqa.library import Library


def run(session: Session) -> int:
    """0 when something could be read, 1 when every entry was rejected."""
    console = session.console
    with session.library() as library:
        report = asyncio.run(take_in(library, session.options.paths, console))
    if session.options.json:
        console.json(report)
    else:
        show(report, console)
    read = report.added + report.updated + report.unchanged
    return 1 if report.rejected and not read else 0


async def take_in(library: Library, paths: Sequence[Path], console: Console) -> IngestReport:
    """The account of reading listings, with the progress shown on the way."""
    report = IngestReport()
    label = console.text("indexing")
    with Progress(console, label, unit=console.text("unit_papers")) as progress:
        async with aclosing(library.ingest(paths)) as events:
            async for event in events:
                match event:
                    case Parsed(path=path, papers=papers, new=new):
                        progress.note(console.text("parsed", path=path, papers=papers, new=new))
                    case Estimated(papers=papers, passages=passages, seconds=seconds):
                        progress.note(
                            console.text(
                                "estimated",
                                papers=papers,
                                passages=passages,
                                minutes=max(1, round(seconds / 60)),
                            )
                        )
                    case Indexed(papers=done, total=total):
                        progress.at(done, total)
                    case Ingested(report=finished):
                        report = finished
                    case _:
                        pass
    return report


def show(report: IngestReport, console: Console) -> None:
    """Print the totals, and each entry that was rejected with its place and reason."""
    for rejected in report.rejected:
        place = rejected.path if rejected.line is None else f"{rejected.path}:{rejected.line}"
        console.warn(console.text("rejected", place=place, reason=rejected.told(console.lang)))
    counts = report.model_dump(exclude={"rejected", "seconds"})
    console.line(
        console.text(
            "ingested", rejected=len(report.rejected), seconds=f"{report.seconds:.1f}", **counts
        )
    )
