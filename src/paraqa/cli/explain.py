"""Why papers were found: how a question was understood, and what brought each paper up."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from paraqa.cli.closing import joined, listed
from paraqa.lang.conditions import conditions
from paraqa.lang.text import pairs, say
from paraqa.types import Filters, Why

if TYPE_CHECKING:
    from collections.abc import Sequence

    from paraqa.cli.console import Console
    from paraqa.types import Affiliation, Hit, Lang, Match, Paper, Query

_REASONS: tuple[Why, ...] = get_args(Why)
_INDENT = "     "  # under the title of a hit


def show_query(query: Query, console: Console) -> None:
    """Print what was understood of a question, before its hits."""
    console.line((console.text("explain_understood"), "bold"))
    for told in _understood(query, console):
        console.line(f"  {told}")
    console.line()


def show_hit(hit: Hit, filters: Filters, console: Console) -> None:
    """Print, under a hit, its score by ranking, the terms it holds, and the filters it meets."""
    told = [console.text("explain_score", score=f"{hit.score:.2f}", legs=_legs(hit, console.lang))]
    if hit.matches:
        told.append(console.text("explain_matched", terms=_terms(hit.matches, console.lang)))
    if filters:
        met = joined(_met(filters, hit.paper, console.lang), console.lang)
        told.append(console.text("explain_met", conditions=met))
    for line in told:
        console.line((_INDENT + line, "dim"))


def _understood(query: Query, console: Console) -> list[str]:
    topic, *others = query.variants
    kind = "corpus" if query.is_about_corpus else query.kind
    told = [console.text("explain_kind", kind=console.text(f"kind_{kind}"))]
    if query.standalone != query.text:
        told.append(console.text("explain_standalone", text=query.standalone))
    told.append(console.text("explain_topic", text=topic.text))
    told.append(
        console.text("explain_filters", conditions=listed(query, console.lang))
        if query.is_filtered
        else console.text("explain_no_filters")
    )
    told += [
        console.text(
            "explain_variant",
            why=console.text(f"why_{variant.why}"),
            weight=f"{variant.weight:g}",
            text=variant.text,
        )
        for variant in sorted(others, key=lambda variant: _REASONS.index(variant.why))
    ]
    if query.unknown:
        names = console.text("comma").join(query.unknown)
        told.append(console.text("explain_unknown", names=names))
    return told


def _legs(hit: Hit, lang: Lang) -> str:
    """Each ranking with the paper's place in it, if it has one, and its share of the score."""
    told = [
        say(
            "cli.explain_leg",
            lang,
            leg=say(f"cli.leg_{leg}", lang) if f"leg_{leg}" in pairs("cli") else leg,
            place=hit.ranks.get(leg, "–"),
            share=f"{hit.shares[leg]:+.2f}" if leg in hit.shares else "–",
        )
        for leg in dict.fromkeys((*hit.shares, *hit.ranks))
    ]
    return say("cli.comma", lang).join(told)


def _terms(matches: Sequence[Match], lang: Lang) -> str:
    """The terms, those of one reason together."""
    groups = []
    for why in _REASONS:
        terms = [match.term for match in matches if match.why == why]
        if terms:
            together = say("cli.comma", lang).join(terms)
            reason = say(f"cli.why_{why}", lang)
            groups.append(say("cli.explain_terms", lang, terms=together, why=reason))
    return joined(groups, lang)


def _met(filters: Filters, paper: Paper, lang: Lang) -> list[str]:
    """Each condition with what the paper has in its place, where that is short to say."""
    places = [_place(affiliation, lang) for affiliation in paper.affiliations]
    facts: tuple[tuple[Filters, list[str]], ...] = (
        (
            Filters(since=filters.since, until=filters.until, periods=filters.periods),
            [str(paper.date or "")],
        ),
        (Filters(categories=filters.categories), list(paper.categories)),
        (Filters(institutions=filters.institutions), places),
        (Filters(authors=filters.authors), []),
    )
    told = []
    for condition, values in facts:
        if not condition:
            continue
        phrase = say("filters.separator", lang).join(conditions(condition, lang))
        fact = say("cli.comma", lang).join(filter(None, values))
        if fact:
            phrase = say("cli.explain_met_by", lang, condition=phrase, fact=fact)
        told.append(phrase)
    return told


def _place(affiliation: Affiliation, lang: Lang) -> str:
    names: dict[str, str | None] = affiliation.model_dump()
    return names[lang] or affiliation.en or affiliation.zh or ""
