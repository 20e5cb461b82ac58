"""`paraqa papers`: what the store holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paraqa.cli.search import headline

if TYPE_CHECKING:
    from paraqa.cli.session import Session


def run(session: Session) -> int:
    """0 once the papers are printed."""
    console = session.console
    with session.library() as library:
        papers = library.papers()
    if session.options.json:
        console.json(list(papers))
        return 0
    for number, paper in enumerate(papers, 1):
        place = (f"{number:>3}. ", "cyan")  # what `paraqa similar` takes for its name
        console.line(place, *headline(paper), (f"  {paper.id}", "dim"))
    console.note(console.text("papers_counted", count=len(papers)))
    return 0
