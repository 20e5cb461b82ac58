"""A library of four papers that gives prepared answers, and questions about it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from pathlib import Path
from typing import Any

from paraqa.evaluation.measures import Scores
from paraqa.evaluation.questions import Question
from paraqa.evaluation.results import Result
from paraqa.events import AskEvent, Delta, Finished, Preparing, Retrieved, Settled, Understood
from paraqa.types import (
    Answer,
    Citation,
    Claim,
    Hit,
    Lang,
    ModelUsage,
    Paper,
    Query,
    SearchResult,
    Source,
    Turn,
    Variant,
    Verdict,
)


def paper(title: str, abstract: str = "It gains 43%.") -> Paper:
    return Paper(title=title, abstract=abstract, source=Source(file="list.txt", line=1))


MERAK, ZEUS, PASE, FLEX = (paper(t) for t in ("Merak", "Zeus", "PaSE: 并行策略", "FlexPipe"))
CORPUS = (MERAK, ZEUS, PASE, FLEX)
USAGE = ModelUsage(
    calls=2,
    prompt_tokens=70,
    cached_tokens=10,
    generated_tokens=20,
    prompt_seconds=2.0,
    generation_seconds=4.0,
)


def query(text: str, lang: Lang = "en") -> Query:
    variant = Variant(text=text, lang=lang, why="question", weight=1.0)
    return Query(text=text, standalone=text, lang=lang, kind="answer", variants=(variant,))


def hits(*papers: Paper) -> tuple[Hit, ...]:
    return tuple(
        Hit(rank=rank, paper=each, passages=(), score=1 / rank, ranks={"dense": rank})
        for rank, each in enumerate(papers, start=1)
    )


def citation(number: int, cited: Paper, quote: str = "It gains 43%.") -> Citation:
    start = cited.text.find(quote)
    return Citation(
        number=number,
        paper_id=cited.id,
        passage_id=f"{cited.id}#1",
        quote=quote,
        start=max(start, 0),
        end=max(start, 0) + len(quote),
    )


def claim(text: str, *citations: Citation) -> Claim:
    return Claim(text=text, citations=citations, verdict=Verdict(support="full", method="quote"))


def answer(
    text: str, *claims: Claim, lang: Lang = "en", found: Sequence[Paper] = CORPUS, **fields: Any
) -> Answer:
    fields.setdefault("status", "answered" if claims else "abstained")
    return Answer(
        query=query(text, lang), claims=claims, hits=hits(*found), model="extractive", **fields
    )


def question(name: str, **fields: Any) -> Question:
    lang: Lang = "zh" if name.endswith("zh") else "en"
    return Question(
        **{"id": name, "pair": name.split("-")[0], "lang": lang, "type": "lookup", "text": name}
        | fields
    )


def result(name: str, **fields: Any) -> Result:
    lang: Lang = "zh" if name.endswith("zh") else "en"
    status = "answered" if fields.get("answer") else "retrieved"
    given = {"id": name, "question": name, "ranked": (), "status": status, "seconds": 1.0}
    return Result(**given | {"lang": lang, "standalone": name} | fields)


def scores(name: str, kind: str = "lookup", *, style: str | None = None, **values: float) -> Scores:
    """The measures of a question; `recall_at_5` stands for `recall@5`."""
    pair, lang = name.split("-")
    named = {measure.replace("_at_", "@"): value for measure, value in values.items()}
    return Scores.model_validate(
        {"id": name, "pair": pair, "lang": lang, "type": kind, "style": style, "values": named}
    )


def write_lines(path: Path, *lines: Mapping[str, object]) -> Path:
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8")
    return path


class FakeLibrary:
    """A library with a fixed ranking and an answer prepared for each question."""

    def __init__(
        self, answers: Mapping[str, Answer], *, fails_on: str = "", loading: float = 0
    ) -> None:
        self.answers = answers
        self.loading = loading
        self.fails_on = fails_on
        self.asked: list[str] = []
        self.searched: list[tuple[str, int | None]] = []
        self.histories: list[tuple[Turn, ...]] = []
        self.models: list[str | None] = []
        self.closed = 0

    def papers(self) -> list[Paper]:
        return list(CORPUS)

    def model_name(self, llm: str | None = None) -> str:
        return llm or "extractive"

    async def warm(self) -> None:
        pass

    async def search(
        self, question: str, *, k: int | None = None, history: Sequence[Turn] = ()
    ) -> SearchResult:
        self.searched.append((question, k))
        self.histories.append(tuple(history))
        return SearchResult(query=query(question), hits=hits(*CORPUS), seconds=0.25)

    async def ask(
        self, question: str, *, llm: str | None = None, history: Sequence[Turn] = ()
    ) -> AsyncGenerator[AskEvent]:
        if question == self.fails_on:
            raise KeyboardInterrupt
        self.asked.append(question)
        self.models.append(llm)
        self.histories.append(tuple(history))
        prepared = self.answers[question]
        try:
            yield Understood(query=prepared.query)
            yield Retrieved(hits=prepared.hits)
            yield Preparing(step="loading")
            await asyncio.sleep(self.loading)
            yield Preparing(step="ready")
            for each in prepared.claims:
                yield Delta(number=1, text=each.text)
                yield Settled(claim=each)
            yield Finished(answer=prepared)
        finally:
            self.closed += 1
