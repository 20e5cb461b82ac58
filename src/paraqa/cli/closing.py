"""What is said under a result: how much of the corpus it stands on, and what that means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paraqa.lang.conditions import conditions_of
from paraqa.lang.text import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from paraqa.types import Coverage, Hit, Lang, Query, SearchResult


def counts(query: Query, coverage: Coverage, lang: Lang) -> list[str]:
    """How many papers match, and which filters they had to meet; none where none could match."""
    if not coverage.eligible:
        return []
    key = "cli.matching_one" if coverage.matching == 1 else "cli.matching_other"
    told = [say(key, lang, matching=coverage.matching, papers=coverage.papers)]
    if query.is_filtered:
        told.append(
            say(
                "cli.filtered",
                lang,
                conditions=listed(query, lang),
                eligible=coverage.eligible,
                papers=coverage.papers,
            )
        )
    return told


def strength(coverage: Coverage, lang: Lang) -> str:
    """How well the best papers match, as in `match: strong`."""
    return say("cli.strength", lang, strength=say(f"cli.strength_{coverage.strength}", lang))


def joined(clauses: Sequence[str], lang: Lang) -> str:
    """Clauses as one line."""
    return say("cli.semicolon", lang).join(clauses)


def listed(query: Query, lang: Lang) -> str:
    """The conditions of a query in words, as one phrase."""
    return say("filters.separator", lang).join(conditions_of(query, lang))


def remarks(result: SearchResult, lang: Lang) -> list[str]:
    """What a reader must know before taking the papers for an answer."""
    told = ["about_corpus"] if result.query.is_about_corpus else []
    told += _doubts(result.query, result.coverage, result.hits)
    values = {
        "papers": result.coverage.papers,
        "conditions": listed(result.query, lang),
    }
    return [say(f"cli.remark_{key}", lang, **values) for key in told]


def _doubts(query: Query, coverage: Coverage, hits: Sequence[Hit]) -> list[str]:
    if query.is_filtered and not coverage.eligible:
        return ["filtered_out"]
    if not hits:
        return ["nothing"]
    if query.is_about_corpus or coverage.strength == "strong":
        return []
    return [coverage.strength]
