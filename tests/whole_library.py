"""A scripted library with every method that the command line uses, and a way to run commands."""

from __future__ import annotations

import io
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from pathlib import Path

from paraqa.cli import main
from paraqa.cli.session import Outside
from paraqa.errors import ParaqaError, QuestionError
from paraqa.events import AskEvent, IngestEvent, Preparing
from paraqa.settings import Settings
from paraqa.types import Filters, Hit, Lang, Paper, SearchResult, Turn
from scripted_library import ScriptedLibrary, claim, covering, hit, paper, query, script

BREADTH = paper(
    "Breadth-First Pipeline Parallelism",
    "本文提出广度优先流水线并行。吞吐量提高43%。",
    where=("ServiceNow", "ServiceNow"),
    arxiv_id="2211.05953",
)
MERAK = paper("Merak", "Merak shifts the critical path.", date=None, url="https://example.org/m")
QUESTION = "which papers reduce pipeline bubbles?"
HITS = (
    hit(1, BREADTH, "吞吐量提高43%。"),
    hit(2, MERAK, "Merak shifts the critical path."),
)
CLAIMS = (
    claim("Throughput rises by 43%.", HITS[0], "吞吐量提高43%。"),
    claim(
        "Merak is fastest.",
        HITS[1],
        "Merak shifts the critical path.",
        support="partial",
        reason="it does not say fastest",
    ),
)
ANSWER = script(query(QUESTION), HITS, CLAIMS, lead="Two papers do:")
RESULT = SearchResult(query=query(QUESTION), hits=HITS, coverage=covering(2), seconds=0.25)


@dataclass
class WholeLibrary(ScriptedLibrary):
    """A scripted library that also ingests, searches, lists and prepares, by script."""

    held: Sequence[Paper] = (BREADTH, MERAK)
    ingestion: Sequence[IngestEvent | Exception] = ()
    preparation: Sequence[Preparing | Exception] = ()
    model: str = "local"
    search_error: Exception | None = None
    warm_error: ParaqaError | None = None
    calls: list[str] = field(default_factory=list)
    ingested: tuple[Path | str, ...] | None = None
    asked_with: tuple[Lang | None, int | None] | None = None
    searched: tuple[str, int | None] | None = None
    filtered_by: Filters | None = None
    result: SearchResult = field(default_factory=lambda: RESULT)

    async def ask(
        self,
        question: str,
        *,
        lang: Lang | None = None,
        llm: str | None = None,
        history: Sequence[Turn] = (),
        k: int | None = None,
        filters: Filters | None = None,
    ) -> AsyncGenerator[AskEvent]:
        """The events of the question's script."""
        self.asked_with = (lang, k)
        self.filtered_by = filters
        stream = super().ask(question, lang=lang, llm=llm, history=history, k=k)
        async with aclosing(stream) as events:
            async for event in events:
                yield event

    async def ingest(self, paths: Sequence[Path | str] = ()) -> AsyncGenerator[IngestEvent]:
        """The events of the script."""
        self.calls.append("ingest")
        self.ingested = tuple(paths)
        for event in self.ingestion:
            if isinstance(event, Exception):
                raise event
            yield event

    async def search(
        self, question, *, k=None, lang=None, history=(), filters=None
    ) -> SearchResult:
        """Both hits, or the result it was given, whatever is asked."""
        self.searched = (question, k)
        self.filtered_by = filters
        if self.search_error is not None:
            raise self.search_error
        return self.result

    async def similar(self, paper_id: str, *, k: int | None = None) -> tuple[Hit, ...]:
        """Its other papers, in order."""
        self.searched = (paper_id, k)
        if paper_id not in {paper.id for paper in self.held}:
            raise QuestionError("question.no_such_paper", id=paper_id)
        others = [paper for paper in self.held if paper.id != paper_id]
        return tuple(hit(rank, paper) for rank, paper in enumerate(others[:k], 1))

    async def prepare(self) -> AsyncGenerator[Preparing]:
        """The steps of the script."""
        self.calls.append("prepare")
        for step in self.preparation:
            if isinstance(step, Exception):
                raise step
            yield step

    async def warm(self) -> None:
        """Open the store, if the script lets it."""
        self.calls.append("warm")
        if self.warm_error is not None:
            raise self.warm_error

    def papers(self) -> list[Paper]:
        """The papers it holds."""
        return list(self.held)

    def count(self) -> int:
        """How many they are."""
        return len(self.held)

    def model_name(self, llm: str | None = None) -> str:
        """The model that would write."""
        return llm or self.model

    def with_settings(self, settings: Settings) -> WholeLibrary:
        """Itself, opened with settings."""
        self.settings = settings
        return self

    def close(self) -> None:
        """Say that it was closed."""
        self.calls.append("close")

    def __enter__(self) -> WholeLibrary:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


@dataclass
class Ran:
    """What a command did: its exit code, what it printed, the settings it opened a library with."""

    code: int
    out: str
    err: str
    settings: list[Settings]


def run(*argv: str, library: WholeLibrary | None = None, **around: object) -> Ran:
    """Run a command over a scripted library; `around` replaces parts of its surroundings."""
    opened: list[Settings] = []

    def open_library(settings: Settings) -> WholeLibrary:
        opened.append(settings)
        return (library or WholeLibrary(default=ANSWER)).with_settings(settings)

    outside = Outside(
        open_library=open_library,
        environ={"LANG": "en_US.UTF-8"},
        stdin=io.StringIO(),
        stdout=io.StringIO(),
        stderr=io.StringIO(),
    )
    outside = replace(outside, **around)
    code = main(argv, outside)
    return Ran(code, outside.stdout.getvalue(), outside.stderr.getvalue(), opened)
