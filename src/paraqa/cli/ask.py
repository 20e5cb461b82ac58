"""`paraqa ask`: an answer, claim by claim on a terminal, and the sources under it.

The words around an answer are in the answer's language, which need not be the console's.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

from paraqa.cli import closing, limits
from paraqa.cli.progress import Preparation
from paraqa.cli.search import headline
from paraqa.events import Preparing, Retrieved, Settled, gather
from paraqa.lang.text import say

if TYPE_CHECKING:
    from paraqa.cli.console import Console
    from paraqa.cli.session import Session
    from paraqa.events import AskEvent
    from paraqa.library import Library
    from paraqa.types import Answer, Claim, Hit, Lang, Paper

_EXTRACTIVE = "extractive"  # the name of the model where none writes
_NEAREST = 3  # papers named under an answer that abstained


def run(session: Session) -> int:
    """0 once the answer is printed; that the papers are silent is an answer too."""
    console = session.console
    question = session.question()
    with session.library() as library:
        is_streamed = not session.options.json and _is_streamed(library, session)
        answer = asyncio.run(_asked(library, session, question, is_streamed=is_streamed))
    if session.options.json:
        console.json(answer)
        return 0
    # Of a stream this is known only now: it leads over from the claims to their sources.
    _show_opening(answer, console)
    if not is_streamed:
        for claim in answer.claims:
            _show_claim(claim, answer.query.lang, console)
    _show_sources(answer, console)
    seconds = answer.timings.total
    if seconds is not None:
        console.note(console.text("answered", model=answer.model, seconds=f"{seconds:.1f}"))
    return 0


def _is_streamed(library: Library, session: Session) -> bool:
    # Text that goes to a file or another program arrives whole; so does an extractive answer,
    # which is there at once and has a lead that belongs above it.
    if not session.console.is_terminal:
        return False
    return library.model_name(session.options.llm) != _EXTRACTIVE


async def _asked(library: Library, session: Session, question: str, *, is_streamed: bool) -> Answer:
    console, options = session.console, session.options
    lang = None if options.lang == "auto" else options.lang
    seen: list[AskEvent] = []
    preparation = Preparation(console)
    stream = library.ask(
        question, lang=lang, llm=options.llm, k=options.k, filters=limits.filters(options)
    )
    try:
        async with aclosing(stream) as events:
            async for event in events:
                seen.append(event)
                match event:
                    case Retrieved(coverage=coverage):
                        if told := closing.counts(gather(seen).query, coverage, console.lang):
                            console.note(closing.joined(told, console.lang))
                    case Preparing():
                        preparation.show(event)
                    case Settled(claim=claim) if is_streamed:
                        _show_claim(claim, lang or _lang(seen), console)
                    case _:
                        pass
    finally:
        preparation.close()
    return gather(seen)


def _lang(seen: list[AskEvent]) -> Lang:
    return gather(seen).query.lang


def _show_opening(answer: Answer, console: Console) -> None:
    opening = answer.lead or answer.reason
    if opening:
        console.line(opening)


def _show_claim(claim: Claim, lang: Lang, console: Console) -> None:
    markers = claim.marked.removeprefix(claim.text)
    console.line(claim.text, (markers, "cyan"), *_doubt(claim, lang))


def _doubt(claim: Claim, lang: Lang) -> list[tuple[str, str]]:
    """What is to be said of a claim that its source does not fully support."""
    if claim.verdict.support == "full":
        return []
    doubt = say(f"cli.support_{claim.verdict.support}", lang)
    because = f": {claim.verdict.reason}" if claim.verdict.reason else ""
    return [(f" ({doubt}{because})", "yellow")]


def _show_sources(answer: Answer, console: Console) -> None:
    lang = answer.query.lang
    cited = [hit for hit in answer.hits if hit.rank in answer.references]
    if cited:
        console.line()
        console.line((say("cli.sources", lang), "bold"))
    for hit in cited:
        _show_source(hit, answer, console)
    if answer.status == "abstained" and answer.hits:
        console.line()
        console.line((say("cli.nearest", lang), "bold"))
        for hit in answer.hits[:_NEAREST]:
            console.line("- ", *headline(hit.paper))


def _show_source(hit: Hit, answer: Answer, console: Console) -> None:
    console.line((f"[{hit.rank}] ", "cyan"), *headline(hit.paper))
    quotes = [
        citation.quote
        for claim in answer.claims
        for citation in claim.citations
        if citation.number == hit.rank
    ]
    for quote in dict.fromkeys(quotes):
        console.line("    " + say("cli.quote", answer.query.lang, quote=quote))
    address = _address(hit.paper)
    if address:
        console.line((f"    {address}", "dim"))


def _address(paper: Paper) -> str | None:
    if paper.url:
        return paper.url
    if paper.doi:
        return f"https://doi.org/{paper.doi}"
    return f"https://arxiv.org/abs/{paper.arxiv_id}" if paper.arxiv_id else None
