"""The conversation: each question with its answer, sentence by sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paraqa.lang.text import say
from paraqa.types import clean
from paraqa.ui.cards import card_id, excerpt, sentence_id
from paraqa.ui.markup import Markup, element, join, prose
from paraqa.ui.status import outcome, progress, understood

if TYPE_CHECKING:
    from collections.abc import Iterable

    from paraqa.types import Claim, Hit, Lang, Support
    from paraqa.ui.exchange import Exchange

# Shape carries the meaning, and a word goes with it; colour only helps.
_SHAPES: dict[Support, str] = {"full": "●", "partial": "◐", "none": "○", "contradicted": "✕"}
_PROVISIONAL = "◌"
_NEAREST = 3


def transcript(exchanges: Iterable[Exchange], lang: Lang) -> Markup:
    """The exchanges one below the other."""
    return join(exchange_markup(exchange, lang) for exchange in exchanges)


def exchange_markup(exchange: Exchange, lang: Lang) -> Markup:
    """One question with what there is of its answer."""
    is_running = exchange.state == "running"
    body = [
        _opening(exchange, lang),
        _sentences(exchange, lang),
        *_ending(exchange, lang),
    ]
    # The tag alternates so that Gradio, which patches by position, makes the next one anew.
    return element(
        ("section", "div")[exchange.number % 2],
        element("h2", say("page.you_asked", lang), class_="unseen"),
        element("p", exchange.question, class_="question"),
        understood(exchange, lang),
        element("div", *body, class_="answer", aria_live="polite", aria_busy=_flag(is_running)),
        outcome(exchange, lang),
        class_=f"exchange {exchange.state}",
        id=f"t{exchange.number}",
        data_exchange=exchange.number,
    )


def _flag(value: object) -> str:
    return "true" if value else "false"


def _answer_lang(exchange: Exchange) -> Lang | None:
    return exchange.query.lang if exchange.query else None


def _opening(exchange: Exchange, lang: Lang) -> Markup:
    """The line before the sentences: the step while they are written, then the lead.

    It is there from the start, so that the sentences do not move when the lead comes.
    """
    if exchange.state == "running":
        return element("p", *progress(exchange, lang), class_="opening")
    lead = exchange.answer.lead if exchange.answer else ""
    return element("p", lead, class_="opening", lang=_answer_lang(exchange))


def _sentences(exchange: Exchange, lang: Lang) -> Markup | None:
    items = [_claim(exchange, n, claim, lang) for n, claim in enumerate(exchange.claims, 1)]
    if exchange.writing:
        items.append(_provisional(exchange, lang))
    if not items:
        return None
    return element("ol", *items, class_="claims", lang=_answer_lang(exchange))


def _claim(exchange: Exchange, position: int, claim: Claim, lang: Lang) -> Markup:
    support = claim.verdict.support
    word = say(f"page.mark_{support}", lang)
    reason = claim.verdict.reason
    label = say("page.mark_reason", lang, mark=word, reason=reason) if reason else word
    numbers = dict.fromkeys(citation.number for citation in claim.citations)
    return element(
        "li",
        element("span", _SHAPES[support], class_="mark", role="img", aria_label=label, title=label),
        element(
            "span",
            element("span", clean(claim.text), class_="text"),
            *(_citation(exchange, number, lang) for number in numbers),
            None if support == "full" else element("span", label, class_="doubt", lang=lang),
            class_="said",
        ),
        id=sentence_id(exchange.number, position),
        class_=f"claim {support}",
    )


def _provisional(exchange: Exchange, lang: Lang) -> Markup:
    label = say("page.mark_provisional", lang)
    return element(
        "li",
        element("span", _PROVISIONAL, class_="mark", role="img", aria_label=label, title=label),
        element("span", element("span", clean(exchange.writing), class_="text"), class_="said"),
        class_="claim provisional",
    )


def _citation(exchange: Exchange, number: int, lang: Lang) -> Markup | None:
    hits = exchange.hits or ()
    if not 1 <= number <= len(hits):
        return None  # a number without a card would lead nowhere
    label = say("page.source", lang, number=number, title=hits[number - 1].paper.title)
    return element(
        "a",
        f"[{number}]",
        class_="cite",
        href="#" + card_id(exchange.number, number),
        aria_label=label,
        title=label,
    )


def _ending(exchange: Exchange, lang: Lang) -> list[Markup]:
    """What the reader is told where there is no plain answer: an abstention, a stop, an error."""
    if exchange.state == "failed":
        return [_error(exchange, lang)]
    if exchange.state == "stopped" and not exchange.claims:
        return [element("p", say("page.nothing_kept", lang), class_="note")]
    answer = exchange.answer
    if answer is None or answer.status == "answered":
        return []
    reason = element("p", answer.reason, class_="reason", lang=answer.query.lang)
    if answer.status == "partial":
        heading = element("p", say("page.incomplete", lang), class_="heading")
        return [element("div", heading, reason if answer.reason else None, class_="calm")]
    if answer.status == "abstained":
        heading = element("p", say("page.abstained", lang), class_="heading")
        told = reason if answer.reason else None
        return [element("div", heading, told, *_nearest(exchange, lang), class_="calm")]
    return []


def _nearest(exchange: Exchange, lang: Lang) -> list[Markup]:
    hits = (exchange.hits or ())[:_NEAREST]
    if not hits:
        return []
    items = [
        element(
            "li",
            element(
                "span",
                hit.paper.title,
                _citation(exchange, hit.rank, lang),
                class_="title",
            ),
            element("span", _says(hit), class_="says"),
        )
        for hit in hits
    ]
    return [
        element("p", say("page.nearest", lang), class_="heading"),
        element("ul", *items, class_="nearest"),
    ]


def _says(hit: Hit) -> str:
    start, end = excerpt(hit, ())[0]
    return hit.paper.text[start:end]


def _error(exchange: Exchange, lang: Lang) -> Markup:
    if exchange.error is None:
        message, hint = say("page.unexpected", lang), say("page.unexpected_hint", lang)
    else:
        message, hint = exchange.error.message(lang), exchange.error.hint(lang)
    return error_note(message, hint)


def error_note(message: str, hint: str) -> Markup:
    """What went wrong, and what to do next."""
    return element(
        "div",
        element("p", prose(message), class_="heading"),
        element("p", prose(hint)),
        class_="error",
        role="alert",
    )
