"""Above the evidence: how many papers match, which filters were read, and what is to be doubted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paraqa.lang.conditions import conditions_of
from paraqa.lang.text import say
from paraqa.ui.markup import Markup, element

if TYPE_CHECKING:
    from paraqa.types import Coverage, Lang
    from paraqa.ui.exchange import Exchange


def standing(exchange: Exchange, lang: Lang) -> list[Markup]:
    """What of the library the evidence of a question stands on."""
    coverage = exchange.coverage
    told = conditions_of(exchange.query, lang) if exchange.query else []
    lines = [
        element("p", _count(exchange, lang), class_="count") if coverage.eligible else None,
        _filters(told, coverage, lang) if told else None,
        *(
            element("p", say(f"page.{key}", lang, papers=coverage.papers), class_="note")
            for key in _remarks(exchange, is_filtered=bool(told))
        ),
    ]
    return [line for line in lines if line is not None]


def _count(exchange: Exchange, lang: Lang) -> str:
    coverage, shown = exchange.coverage, len(exchange.hits or ())
    key = "page.matching_one" if coverage.matching == 1 else "page.matching_other"
    count = say(key, lang, matching=coverage.matching, papers=coverage.papers)
    if shown == coverage.matching:
        return count
    return say("page.list", lang, first=count, second=say("page.shown", lang, count=shown))


def _filters(told: list[str], coverage: Coverage, lang: Lang) -> Markup:
    met = say("page.filters_met", lang, eligible=coverage.eligible, papers=coverage.papers)
    return element(
        "p",
        element("span", say("page.filters", lang), class_="label"),
        *(element("span", phrase, class_="chip") for phrase in told),
        element("span", met, class_="met"),
        class_="filters",
    )


def _remarks(exchange: Exchange, *, is_filtered: bool) -> list[str]:
    """The sentences that a reader must know before taking the papers for an answer."""
    coverage = exchange.coverage
    if is_filtered and not coverage.eligible:
        return ["filtered_out"]
    if not exchange.hits:
        return ["evidence_none"]
    if exchange.query is not None and exchange.query.is_about_corpus:
        return ["about_corpus"]
    return {"strong": [], "weak": ["weak_match"], "none": ["nothing_close"]}[coverage.strength]
