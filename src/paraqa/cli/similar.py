"""`paraqa similar`: the papers most like one."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from paraqa.cli.search import headline, show
from paraqa.errors import QuestionError
from paraqa.types import title_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from paraqa.cli.console import Console
    from paraqa.cli.session import Session
    from paraqa.types import Paper

_CANDIDATES = 10  # papers named where several are meant


def run(session: Session) -> int:
    """0 once the papers are printed."""
    console, options = session.console, session.options
    with session.library() as library:
        paper = _chosen(library.papers(), options.paper, console)
        hits = asyncio.run(library.similar(paper.id, k=options.k))
    if options.json:
        console.json(list(hits))
        return 0
    console.note(console.text("similar_to", title=paper.title))
    for hit in hits:
        show(hit, console)
    if not hits:
        console.line(console.text("similar_none"))
    return 0


def meant(papers: Sequence[Paper], given: str) -> list[Paper]:
    """The papers that a reader may mean: by id, whole title, number, or a part of the title."""
    given = given.strip()
    exact = [paper for paper in papers if paper.id == given]
    if exact or not given:
        return exact
    key = title_key(given)
    whole = [paper for paper in papers if title_key(paper.title) == key]
    if whole:
        return whole
    if given.isascii() and given.isdigit():
        number = int(given) if len(given) < 10 else 0
        return list(papers[number - 1 : number]) if number else []
    return [paper for paper in papers if key in title_key(paper.title)]


def _chosen(papers: Sequence[Paper], given: str, console: Console) -> Paper:
    """The one paper that is meant. Raises QuestionError where that is none, or several."""
    found = meant(papers, given)
    if len(found) == 1:
        return found[0]
    if not found:
        raise QuestionError("cli.no_such_paper", given=given, count=len(papers))
    numbers = {paper.id: number for number, paper in enumerate(papers, 1)}
    for paper in found[:_CANDIDATES]:
        title = "".join(span if isinstance(span, str) else span[0] for span in headline(paper))
        console.warn(f"{numbers[paper.id]:>3}. {title} {paper.id}")
    if len(found) > _CANDIDATES:
        console.warn("     " + console.text("more_papers", count=len(found) - _CANDIDATES))
    raise QuestionError("cli.ambiguous_paper", given=given, count=len(found))
