"""The sentence before the claims: how many papers, and whether they use the question's term."""

from __future__ import annotations

from collections.abc import Sequence

from paraqa import lang
from paraqa.evidence import mentions
from paraqa.lang import glossary
from paraqa.lang.text import say
from paraqa.types import Claim, Coverage, Query


def lead(query: Query, claims: Sequence[Claim], coverage: Coverage) -> str:
    """A sentence in the answer's language; empty where one claim answers a direct question."""
    quotes = lang.fold("\n".join(c.quote for claim in claims for c in claim.citations))
    if term := _bridged_term(query, quotes):
        return say("answer.lead_related", query.lang, term=lang.quoted(term, query.lang))
    papers = {citation.paper_id for claim in claims for citation in claim.citations}
    if query.kind == "list" and coverage.papers:
        return _counted(query, len(papers), coverage)
    if len(papers) > 1:
        return say("answer.lead_many", query.lang, number=len(papers))
    return say("answer.lead_one", query.lang) if query.kind == "list" else ""


def _counted(query: Query, number: int, coverage: Coverage) -> str:
    matching = max(number, coverage.matching)
    key = "answer.lead_all" if matching == number else "answer.lead_of"
    return say(key, query.lang, number=number, matching=matching, papers=coverage.papers)


def _bridged_term(query: Query, quotes: str) -> str | None:
    """The question's term that led over a bridge of the glossary, where no quote uses it."""
    question = lang.fold(query.standalone)
    for entry in glossary.entries():
        asked = [name for name in entry.names if mentions(question, name)]
        if entry.related and asked and not any(mentions(quotes, name) for name in entry.names):
            return max(asked, key=len)
    return None
