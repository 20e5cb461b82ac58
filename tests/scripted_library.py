"""A library whose answers are written beforehand: real events, no model and no store.

A script is a list of events. A `Gate` in it holds the answer until the test opens it, an exception
in it is raised. Every question is kept, and how its stream ended.
"""

from __future__ import annotations

import asyncio
import datetime
import threading
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from paraqa.events import (
    AskEvent,
    Delta,
    Finished,
    Preparing,
    Retrieved,
    Settled,
    Understood,
)
from paraqa.lang import detect
from paraqa.settings import Settings
from paraqa.types import (
    Affiliation,
    Answer,
    Citation,
    Claim,
    Coverage,
    Filters,
    Hit,
    Lang,
    Match,
    Paper,
    Passage,
    Query,
    Source,
    Support,
    Timings,
    Turn,
    Variant,
    Verdict,
)


class Gate:
    """A place in a script where the answer waits; tests open it from their own thread."""

    def __init__(self) -> None:
        self._opened = threading.Event()
        self.reached = threading.Event()

    def open(self) -> None:
        """Let the answer go on."""
        self._opened.set()

    def wait(self) -> None:
        """Returns when the gate is open; for what runs in a thread."""
        self.reached.set()
        self._opened.wait(60)

    async def passed(self) -> None:
        """Returns when the gate is open."""
        self.reached.set()
        while not self._opened.is_set():  # noqa: ASYNC110  it is opened from another thread
            await asyncio.sleep(0.005)


Script = Sequence[AskEvent | Gate | Exception]


@dataclass
class Asked:
    """One question as the library got it, and how its stream ended."""

    question: str
    llm: str | None
    history: tuple[Turn, ...]
    ended: Literal["running", "finished", "failed", "closed"] = "running"


@dataclass
class ScriptedLibrary:
    """Answers each question by its script, others by `default`."""

    scripts: dict[str, Script] = field(default_factory=dict)
    default: Script = ()
    papers_held: int = 54
    model_status: Preparing | None = None
    settings: Settings = field(default_factory=Settings)
    asked: list[Asked] = field(default_factory=list)
    before_count: Gate | None = None

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
        record = Asked(question, llm, tuple(history))
        self.asked.append(record)
        try:
            for step in self.scripts.get(question, self.default):
                if isinstance(step, Exception):
                    record.ended = "failed"
                    raise step
                if isinstance(step, Gate):
                    await step.passed()
                    continue
                await asyncio.sleep(0)
                yield step
            record.ended = "finished"
        finally:
            if record.ended == "running":
                record.ended = "closed"

    def count(self) -> int:
        """Number of papers it claims to hold; waits at the gate `before_count`, if there is one."""
        if self.before_count is not None:
            self.before_count.wait()
        return self.papers_held


def paper(
    title: str,
    abstract: str,
    *,
    where: tuple[str, str] | None = None,
    date: str | None = "2023-07-10",
    **more: Any,
) -> Paper:
    """A paper as a listing would give it; `where` is its institution in English and Chinese."""
    values = {
        "title": title,
        "abstract": abstract,
        "affiliations": (Affiliation(en=where[0], zh=where[1]),) if where else (),
        "date": datetime.date.fromisoformat(date) if date else None,
        "categories": ("cs.DC", "cs.LG"),
        "source": Source(file="papers.txt", line=1),
    }
    return Paper(**(values | more))


def passage(of: Paper, text: str, number: int = 1) -> Passage:
    """A passage of a paper: that sentence of it."""
    start = of.text.index(text)
    return Passage(
        id=f"{of.id}#{number}",
        paper_id=of.id,
        text=text,
        lang=detect(text),
        start=start,
        end=start + len(text),
    )


def hit(
    rank: int,
    of: Paper,
    *sentences: str,
    matches: tuple[Match, ...] = (),
    words: int | None = None,
) -> Hit:
    """A paper found, with those of its sentences that speak to the question.

    By meaning it stands at its rank; `words` is its place by words.
    """
    found = tuple(passage(of, text, number) for number, text in enumerate(sentences, 1))
    return Hit(
        rank=rank,
        paper=of,
        passages=found,
        score=1 / rank,
        ranks={"dense": rank} | ({"bm25": words} if words else {}),
        shares={"dense": 0.75 / rank, "bm25": 0.25 / rank},
        matches=matches,
    )


def claim(
    text: str,
    of: Hit,
    quote: str,
    *,
    support: Support = "full",
    reason: str = "",
) -> Claim:
    """A sentence that cites a quote of a hit."""
    start = of.paper.text.index(quote)
    cited = Citation(
        number=of.rank,
        paper_id=of.paper.id,
        passage_id=f"{of.paper.id}#1",
        quote=quote,
        start=start,
        end=start + len(quote),
    )
    verdict = Verdict(support=support, method="rules", reason=reason)
    return Claim(text=text, citations=(cited,), verdict=verdict)


def covering(
    matching: int, *, eligible: int = 54, strength: Literal["strong", "weak", "none"] = "strong"
) -> Coverage:
    """What a result over 54 papers stands on."""
    return Coverage(papers=54, eligible=eligible, matching=matching, strength=strength)


def query(text: str, *others: str, is_list: bool = False, **more: Any) -> Query:
    """A question as understood, with the other forms of it that are searched."""
    own = Variant(text=text, lang=detect(text), why="question", weight=1.0)
    forms = (Variant(text=t, lang=detect(t), why="glossary", weight=0.8) for t in others)
    return Query(
        text=text,
        standalone=text,
        lang=detect(text),
        kind="list" if is_list else "answer",
        variants=(own, *forms),
        **more,
    )


def answered(
    asked: Query, hits: Sequence[Hit], claims: Sequence[Claim], *, lead: str = ""
) -> Finished:
    """The end of a question that was answered, by the local model in 6.1 s."""
    return Finished(
        answer=Answer(
            query=asked,
            status="answered",
            lead=lead,
            claims=tuple(claims),
            hits=tuple(hits),
            model="local",
            timings=Timings(total=6.1),
        )
    )


def abstained(asked: Query, hits: Sequence[Hit], reason: str) -> Finished:
    """The end of a question on which the papers are silent."""
    return Finished(
        answer=Answer(
            query=asked,
            status="abstained",
            hits=tuple(hits),
            reason=reason,
            model="extractive",
            timings=Timings(total=0.3),
        )
    )


def streamed(of: Claim, *, pieces: int = 3) -> list[AskEvent]:
    """A claim as it arrives: its text in pieces, then the claim."""
    size = max(1, -(-len(of.text) // pieces))
    number = of.citations[0].number
    parts = [of.text[at : at + size] for at in range(0, len(of.text), size)]
    return [*(Delta(number=number, text=part) for part in parts), Settled(claim=of)]


def script(
    asked: Query,
    hits: Sequence[Hit],
    claims: Sequence[Claim],
    *,
    before_words: Gate | None = None,
    before_last: Gate | None = None,
    lead: str = "",
    coverage: Coverage | None = None,
) -> list[AskEvent | Gate | Exception]:
    """A whole answer: understood, evidence, each claim, the end; with places to wait.

    At `before_last` the words of the last claim have been written, and it has not settled.
    """
    steps: list[AskEvent | Gate | Exception] = [
        Understood(query=asked),
        Retrieved(hits=tuple(hits), coverage=coverage or covering(len(hits))),
    ]
    if before_words is not None:
        steps.append(before_words)
    for position, each in enumerate(claims, 1):
        *written, settled = streamed(each)
        steps.extend(written)
        if before_last is not None and position == len(claims):
            steps.append(before_last)
        steps.append(settled)
    return [*steps, answered(asked, hits, claims, lead=lead)]
