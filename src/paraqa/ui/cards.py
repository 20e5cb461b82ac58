"""The evidence: one numbered card per paper found, with the passages that speak to the question."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from paraqa.lang.text import say
from paraqa.ui.markup import Markup, element, join
from paraqa.ui.reasons import reasons
from paraqa.ui.renderings import renderings
from paraqa.ui.standing import standing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from paraqa.types import Affiliation, Hit, Lang, Paper
    from paraqa.ui.exchange import Exchange

Slice = tuple[int, int]

# An entry without sentence passages is shown from its beginning; this is about five lines.
_OPENING = 280
# Identifiers become links, so that only what looks like one does; addresses in a listing stay text.
_DOI = re.compile(r"10\.\d{4,9}/[\w.()/:;-]+", re.ASCII)
_ARXIV = re.compile(r"(\d{4}\.\d{4,5}|[a-z-]+(\.[A-Z]{2})?/\d{7})(v\d+)?", re.ASCII)


def card_id(exchange: int, number: int) -> str:
    """The name of a card in the page: `t2-3` is card 3 of question 2."""
    return f"t{exchange}-{number}"


def sentence_id(exchange: int, position: int) -> str:
    """The name of a sentence of an answer, from 1."""
    return f"t{exchange}-s{position}"


def evidence(exchange: Exchange, lang: Lang) -> Markup:
    """The evidence of the latest question."""
    if exchange.hits is None and exchange.state == "running":
        return _region(exchange, lang, _note("page.searching", lang))
    if exchange.hits is None:  # it ended before the search did
        return no_evidence(lang)
    found = [cards(exchange, lang)] if exchange.hits else []
    return _region(exchange, lang, *standing(exchange, lang), *found)


def no_evidence(lang: Lang) -> Markup:
    """What stands in the place of evidence before the first question."""
    return element(
        "div",
        element("h2", say("page.evidence", lang)),
        _note("page.evidence_intro", lang),
        class_="evidence",
    )


def earlier_evidence(exchanges: Iterable[Exchange], lang: Lang) -> Markup:
    """The evidence of earlier questions, each closed until one of its numbers is followed."""
    closed = [
        element(
            "details",
            element(
                "summary",
                say(
                    "page.evidence_earlier",
                    lang,
                    number=exchange.number,
                    question=exchange.question,
                ),
            ),
            cards(exchange, lang),
            class_="earlier",
        )
        for exchange in exchanges
        if exchange.hits
    ]
    if not closed:
        return Markup("")
    heading = element("h2", say("page.evidence_earlier_heading", lang))
    return element("div", heading, *closed, class_="evidence")


def cards(exchange: Exchange, lang: Lang) -> Markup:
    """The cards of one question as a list, in the order of their numbers."""
    items = [element("li", _card(exchange, hit, lang)) for hit in exchange.hits or ()]
    return element("ol", *items, class_="cards")


def _region(exchange: Exchange, lang: Lang, *content: Markup) -> Markup:
    # Gradio patches the old elements into the new ones by position. A card of the next question
    # must not inherit the highlight or the opened abstract of this one's, so the tag alternates.
    tag = ("section", "div")[exchange.number % 2]
    return element(tag, element("h2", say("page.evidence", lang)), *content, class_="evidence")


def _note(key: str, lang: Lang) -> Markup:
    return element("p", say(key, lang), class_="note")


def _card(exchange: Exchange, hit: Hit, lang: Lang) -> Markup:
    quotes = [(c.start, c.end) for c in exchange.citations(hit.rank)]
    name = card_id(exchange.number, hit.rank)
    return element(
        "article",
        element(
            "header",
            element("span", str(hit.rank), class_="number", aria_hidden="true"),
            element(
                "h3",
                _marked(hit.paper.text, (0, len(hit.paper.title)), quotes),
                id=name + "-title",
            ),
        ),
        _facts(hit.paper, lang),
        *_text(hit, quotes, lang),
        *renderings(hit.paper, lang),
        _footer(exchange, hit, lang),
        id=name,
        class_="card cited" if quotes else "card",
        tabindex=-1,
        aria_labelledby=name + "-title",
    )


def _facts(paper: Paper, lang: Lang) -> Markup:
    where = "; ".join(filter(None, (_institution(a, lang) for a in paper.affiliations)))
    date = paper.date.isoformat() if paper.date else None
    parts = [
        element("span", where or say("page.no_affiliation", lang), class_="where"),
        element("time", date, datetime=date)
        if date
        else element("span", say("page.no_date", lang)),
        element("span", paper.venue) if paper.venue else None,
        element("span", " ".join(paper.categories)) if paper.categories else None,
        *_identifiers(paper),
    ]
    return element("p", *parts, class_="facts")


def _institution(affiliation: Affiliation, lang: Lang) -> str | None:
    names = affiliation.model_dump()
    return names[lang] or affiliation.en or affiliation.zh


def _identifiers(paper: Paper) -> list[Markup]:
    found = []
    if paper.doi:
        address = f"https://doi.org/{paper.doi}" if _DOI.fullmatch(paper.doi) else None
        found.append(_identifier(f"doi:{paper.doi}", address))
    if paper.arxiv_id:
        known = _ARXIV.fullmatch(paper.arxiv_id)
        address = f"https://arxiv.org/abs/{paper.arxiv_id}" if known else None
        found.append(_identifier(f"arXiv:{paper.arxiv_id}", address))
    if paper.url:
        found.append(_identifier(paper.url, None))
    return found


def _identifier(text: str, address: str | None) -> Markup:
    if address is None:
        return element("span", text, class_="address")
    return element("a", text, href=address, target="_blank", rel="noopener noreferrer")


def _text(hit: Hit, quotes: list[Slice], lang: Lang) -> list[Markup]:
    paper = hit.paper
    first = len(paper.title) + 1
    if not paper.abstract:
        return [_note("page.no_abstract", lang)]
    written = hit.passages[0].lang if hit.passages else None
    shown = excerpt(hit, quotes)
    gaps = [first, *(edge for piece in shown for edge in piece), len(paper.text)]
    pieces: list[str] = []
    for (start, end), before in zip(shown, gaps[::2], strict=False):
        pieces.append("… " if start - before > 1 else " ")
        pieces.append(_marked(paper.text, (start, end), quotes))
    is_whole = shown == [(first, len(paper.text))]
    if len(paper.text) - shown[-1][1] > 0:
        pieces.append(" …")
    text = [element("p", *pieces, class_="excerpt", lang=written)]
    if not is_whole:
        whole = _marked(paper.text, (first, len(paper.text)), quotes)
        text.append(
            element(
                "details",
                element("summary", say("page.whole", lang)),
                element("p", whole, lang=written),
                class_="whole",
            )
        )
    return text


def excerpt(hit: Hit, quotes: Iterable[Slice]) -> list[Slice]:
    """The slices of a paper's abstract to show: its best passages and what was quoted of it."""
    paper = hit.paper
    first, last = len(paper.title) + 1, len(paper.text)
    sentences = [(p.start, p.end) for p in hit.passages if not p.is_whole]
    wanted = sorted((max(start, first), end) for start, end in (*sentences, *quotes) if end > first)
    if not wanted:
        return [(first, min(last, first + _OPENING))]
    merged = [wanted[0]]
    for start, end in wanted[1:]:
        before_start, before_end = merged[-1]
        if start <= before_end + 1:  # they touch, or a space is between them
            merged[-1] = (before_start, max(before_end, end))
        else:
            merged.append((start, end))
    return merged


def _marked(text: str, part: Slice, quotes: Iterable[Slice]) -> Markup:
    """A slice of a text in which what lies in `quotes` is marked."""
    start, end = part
    inside = [(max(a, start), min(b, end)) for a, b in quotes if a < end and b > start]
    edges = sorted({start, end, *(edge for quote in inside for edge in quote)})
    pieces = (
        element("mark", text[a:b]) if any(q <= a and b <= r for q, r in inside) else text[a:b]
        for a, b in pairwise(edges)
    )
    return join(pieces)


def _footer(exchange: Exchange, hit: Hit, lang: Lang) -> Markup | None:
    parts = [why] if (why := reasons(hit, lang)) else []
    for position, claim in enumerate(exchange.claims, 1):
        if any(c.number == hit.rank for c in claim.citations):
            address = "#" + sentence_id(exchange.number, position)
            label = say("page.back", lang, number=position)
            parts.append(element("a", "↩", href=address, aria_label=label, title=label))
    return element("footer", *parts) if parts else None
