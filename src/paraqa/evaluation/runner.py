"""One run of a question file through a library."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, aclosing, closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from paraqa.errors import EvaluationError
from paraqa.evaluation.measures import Only, check_installed
from paraqa.evaluation.questions import Question, read, read_papers, select
from paraqa.evaluation.report import Report, report
from paraqa.evaluation.results import Result, ResultFile, check_run
from paraqa.evaluation.sets import name_of
from paraqa.events import AskEvent, Preparing, Retrieved, Settled, gather
from paraqa.types import Answer, Citation, Hit, Record

if TYPE_CHECKING:
    from paraqa.library import Library

RANKED = 50  # papers kept of a ranking: a question for a whole list goes deep

_MARKER = re.compile(r"\[(\d+)\]")


class Progress(Record):
    """A question is done, the `done`-th of `total`."""

    id: str
    done: int
    total: int
    status: str
    seconds: float


async def run(
    library: Library,
    *,
    questions: Path,
    papers: Path | None = None,
    name: str | None = None,
    only: Only | None = None,
    llm: str | None = None,
    limit: int | None = None,
    out: Path | None = None,
    resume: bool = False,
) -> AsyncGenerator[Progress | Report]:
    """A `Progress` for each question that is asked, then the `Report` over all of them.

    With `out`, each result is on disk before the next question is asked. `resume` keeps what is
    there and asks the rest; without it the file is begun anew. Raises EvaluationError for files
    that do not fit, and whatever the library raises.
    """
    check_installed(only)
    corpus = library.papers()
    every = read(questions, read_papers(papers) if papers else {}, corpus)
    asked = select(every, limit)
    model = None if only == "retrieval" else library.model_name(llm)
    with _open(out, every, model, resume=resume) as file:
        done = {result.id: result for result in (file.results if file else ())}
        left = [question for question in asked if question.id not in done]
        await library.warm()
        for question in left:
            result = await _put(library, question, llm=llm, model=model)
            if file:
                file.add(result)
            done[question.id] = result
            yield _progress(result, asked, done)
    results = [done[question.id] for question in asked]
    called = name or name_of(questions)
    yield report(called, asked, results, corpus=corpus, only=only, llm=model)


def _progress(result: Result, asked: Sequence[Question], done: Mapping[str, Result]) -> Progress:
    return Progress(
        id=result.id,
        done=sum(each.id in done for each in asked),
        total=len(asked),
        status=result.status,
        seconds=result.seconds,
    )


def _open(
    out: Path | None, questions: Sequence[Question], model: str | None, *, resume: bool
) -> AbstractContextManager[ResultFile | None]:
    """The result file; None where results are not kept."""
    if out is None:
        if resume:
            raise EvaluationError("eval.resume_what")
        return nullcontext()
    if not resume:
        return closing(ResultFile(out))
    file = ResultFile.resume(out)
    try:
        check_run(out, file.results, questions, model)
    except EvaluationError:
        file.close()
        raise
    return closing(file)


async def _put(
    library: Library, question: Question, *, llm: str | None, model: str | None
) -> Result:
    """What the library gives for a question; only a ranking where there is no model."""
    if model is None:
        return await _search(library, question)
    return await _ask(library, question, llm=llm, model=model)


async def _search(library: Library, question: Question) -> Result:
    found = await library.search(question.text, k=RANKED, history=question.history)
    return Result(
        id=question.id,
        question=question.text,
        ranked=_titles(found.hits),
        status="retrieved",
        seconds=found.seconds,
        first_evidence_seconds=found.seconds,
        lang=found.query.lang,
        standalone=found.query.standalone,
    )


async def _ask(library: Library, question: Question, *, llm: str | None, model: str) -> Result:
    watch = _Stopwatch()
    timed: list[tuple[AskEvent, float]] = []
    stream = library.ask(question.text, llm=llm, history=question.history)
    async with aclosing(stream) as events:
        async for event in events:
            if isinstance(event, Preparing):
                watch.leave_out()
            timed.append((event, watch.read()))
    answer = gather([event for event, _ in timed])
    evidence = [seconds for event, seconds in timed if isinstance(event, Retrieved)]
    claims = [seconds for event, seconds in timed if isinstance(event, Settled)]
    # Only now, so that the answer's own search is timed as a reader meets it.
    ranking = await library.search(question.text, k=RANKED, history=question.history)
    return Result(
        id=question.id,
        question=question.text,
        ranked=_titles(ranking.hits),
        cited=_titles(hit for number in answer.references for hit in answer.hits[number - 1 :][:1]),
        answer=answer.text,
        status=answer.status,
        seconds=timed[-1][1],
        first_evidence_seconds=evidence[0] if evidence else None,
        first_claim_seconds=claims[0] if claims else None,
        last_claim_seconds=claims[-1] if claims else None,
        llm=model,
        model=answer.model,
        lang=answer.query.lang,
        standalone=answer.query.standalone,
        hits=_titles(answer.hits),
        removed_markers=answer.removed_markers,
        verdicts=tuple(claim.verdict.support for claim in answer.claims),
        usage=answer.usage,
        **_citations(answer),
    )


def _citations(answer: Answer) -> dict[str, int]:
    """How many citations the answer has, and how many of them do not resolve."""
    citations = [citation for claim in answer.claims for citation in claim.citations]
    numbers = {int(number) for number in _MARKER.findall(answer.text)}
    stray = numbers - set(answer.references)  # shown to a reader, but no citation is behind it
    dangling = sum(not _resolves(citation, answer.hits) for citation in citations)
    return {"citations": len(citations) + len(stray), "dangling": dangling + len(stray)}


def _resolves(citation: Citation, hits: Sequence[Hit]) -> bool:
    """Whether the number is a hit, and the quote a slice of that hit's paper."""
    if not 1 <= citation.number <= len(hits):
        return False
    paper = hits[citation.number - 1].paper
    is_slice = paper.text[citation.start : citation.end] == citation.quote
    return paper.id == citation.paper_id and is_slice


def _titles(hits: Iterable[Hit]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(hit.paper.title for hit in hits))


class _Stopwatch:
    """Seconds since it was made, without the stretches that are left out."""

    def __init__(self) -> None:
        self._start = self._last = time.perf_counter()

    def read(self) -> float:
        self._last = time.perf_counter()
        return self._last - self._start

    def leave_out(self) -> None:
        """Do not count the time since the last reading."""
        now = time.perf_counter()
        self._start += now - self._last
        self._last = now
