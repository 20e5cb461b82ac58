"""`paraqa translate`: abstracts into the other language, with the model."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import aclosing, nullcontext
from math import ceil
from typing import TYPE_CHECKING, Self

from paraqa.cli.progress import Preparation, Progress
from paraqa.errors import ModelError
from paraqa.events import Preparing, Refused, Translated, Translating, TranslationReport

if TYPE_CHECKING:
    from pathlib import Path
    from typing import TextIO

    from paraqa.cli.console import Console
    from paraqa.cli.session import Session
    from paraqa.library import Library


def run(session: Session) -> int:
    """0 once the run is over; that nothing at all could be translated is an error."""
    console, out = session.console, session.options.out
    with session.library() as library, _Lines(out) if out else nullcontext() as lines:
        report = asyncio.run(_translated(library, session, lines))
    if session.options.json:
        console.json(report)
    else:
        console.line(
            console.text(
                "translated",
                translated=len(report.translated),
                refused=len(report.refused),
                skipped=report.skipped,
                seconds=f"{report.seconds:.1f}",
            )
        )
    if report.stopped is not None:
        error = ModelError(report.stopped.key, **report.stopped.values)
        console.error(error.message(console.lang), error.hint(console.lang))
    return 0


async def _translated(
    library: Library, session: Session, lines: _Lines | None
) -> TranslationReport:
    options = session.options
    report = TranslationReport()
    stream = library.translate(
        options.to, llm=options.llm, limit=options.limit, again=options.again
    )
    with _Show(session.console) as show:
        async with aclosing(stream) as events:
            async for event in events:
                match event:
                    case Preparing():
                        show.preparation.show(event)
                    case Translating(total=total):
                        show.begin(total)
                    case Translated():
                        if lines:
                            lines.add(event)
                        show.at(event)
                    case Refused():
                        show.at(event)
                    case TranslationReport():
                        report = event
    return report


class _Show:
    """A bar on a terminal; elsewhere a line for each paper, with its pace and what is left."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._begin = 0.0
        self.preparation = Preparation(console)
        self._progress = Progress(
            console, console.text("translating"), unit=console.text("unit_papers")
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.preparation.close()
        self._progress.__exit__()

    def begin(self, total: int) -> None:
        """The model is ready: time runs."""
        self.preparation.close()
        self._begin = time.monotonic()
        if self._console.shows_bars:
            self._progress.at(0, total)

    def at(self, event: Translated | Refused) -> None:
        """What became of a paper, and how far the work is."""
        console = self._console
        if isinstance(event, Refused):
            reason = event.reason.told(console.lang)
            self._progress.note(console.text("refused_one", title=event.title, reason=reason))
        if console.shows_bars:
            self._progress.at(event.done, event.total)
            return
        each = (time.monotonic() - self._begin) / event.done
        left = ceil(each * (event.total - event.done) / 60)
        console.note(
            console.text(
                "translated_one",
                done=event.done,
                total=event.total,
                title=event.title,
                each=f"{each:.1f}",
                left=left,
            )
        )


class _Lines:
    """A file of renderings, as `paraqa ingest` reads it, that is added to."""

    def __init__(self, path: Path) -> None:
        try:
            self._file: TextIO = path.open("a+", encoding="utf-8", newline="\n")
            self._file.seek(0)
            if not (self._file.read() or "\n").endswith("\n"):
                self._file.write("\n")
        except (OSError, UnicodeDecodeError) as error:
            problem = getattr(error, "strerror", None) or str(error)
            raise ModelError("translate.unwritable", path=str(path), problem=problem) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, event: Translated) -> None:
        """Append a rendering, at once: the run may be stopped at any point."""
        rendering = event.rendering
        line = {
            "title": event.title,
            "id": event.paper_id,
            "lang": rendering.lang,
            "origin": rendering.origin,
            "abstract": rendering.abstract,
        }
        self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._file.flush()
