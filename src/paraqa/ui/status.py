"""The lines around an answer: what was understood, what is happening, how it ended."""

from __future__ import annotations

import re
from collections import Counter
from itertools import zip_longest
from typing import TYPE_CHECKING

from paraqa.lang.text import say
from paraqa.ui.markup import Markup, element

if TYPE_CHECKING:
    from collections.abc import Iterable

    from paraqa.types import Answer, Lang, Variant
    from paraqa.ui.exchange import Exchange

_SHOWN_FORMS = 5
_SEPARATOR = re.compile(r"\s*[;；]\s*")  # between the terms of one variant
_MODELS_WITH_A_WORD = ("extractive", "local")


def understood(exchange: Exchange, lang: Lang) -> Markup | None:
    """How the question was read, where that differs from its words."""
    query = exchange.query
    if query is None:
        return None
    parts: list[Markup] = []
    if query.standalone != query.text:
        parts.append(element("span", say("page.understood_as", lang, text=query.standalone)))
    if query.kind == "list":
        parts.append(element("span", say("page.kind_list", lang)))
    # One of each variant, then the next of each: the few that are shown differ in kind.
    rounds = zip_longest(*map(_forms, query.variants[1:]))
    forms = [form for each in rounds for form in each if form is not None]
    if forms:
        rest = len(forms) - _SHOWN_FORMS
        more = element("span", f"+{rest}", class_="term", title=_all(query.variants[1:]))
        shown = [*forms[:_SHOWN_FORMS], more if rest > 0 else None]
        parts.append(element("span", say("page.also_searched", lang), " ", *shown))
    return element("p", *parts, class_="understood") if parts else None


def _forms(variant: Variant) -> list[Markup]:
    return [
        element("span", form, class_="term", lang=variant.lang)
        for form in _SEPARATOR.split(variant.text)
        if form
    ]


def _all(variants: Iterable[Variant]) -> str:
    return "\n".join(variant.text for variant in variants)


def progress(exchange: Exchange, lang: Lang) -> list[Markup]:
    """The step of a running answer, and the seconds so far, from which the page's script counts."""
    clock = element(
        "span",
        class_="clock",
        data_elapsed=f"{exchange.seconds:.2f}",
        data_template=say("page.seconds", lang, seconds="{}"),
    )
    return [element("span", _step(exchange, lang), class_="step"), clock]


def outcome(exchange: Exchange, lang: Lang) -> Markup | None:
    """How the answer ended, which model wrote it and how long it took; None while it is written."""
    if exchange.state == "running":
        return None
    return element("p", *_outcome(exchange, lang), class_="status")


def model_label(name: str, lang: Lang) -> str:
    """What a reader is told of the model that wrote."""
    if name in _MODELS_WITH_A_WORD:
        return say(f"page.model_{name}", lang)
    return say("page.model_named", lang, name=name)


def _step(exchange: Exchange, lang: Lang) -> str:
    if exchange.hits is None:
        return say("page.searching", lang)
    if exchange.preparing is not None and exchange.preparing.step != "ready":
        return say("page.preparing", lang)
    if exchange.writing_from is not None:
        return say("page.writing", lang, number=exchange.writing_from)
    return say("page.reading", lang)


def _outcome(exchange: Exchange, lang: Lang) -> list[Markup]:
    answer = exchange.answer
    parts: list[Markup] = []
    if exchange.state != "finished":
        parts.append(element("span", say(f"page.{exchange.state}", lang), class_="step"))
    if answer is not None and answer.status == "abstained":
        parts.append(element("span", say("page.abstained_status", lang), class_="step"))
    elif exchange.claims:
        parts.append(_count(exchange, lang))
    if answer is not None and answer.model and exchange.claims:
        label = model_label(answer.model, lang)
        parts.append(element("span", label, class_="model", title=_tokens(answer, lang)))
    seconds = exchange.seconds
    if answer is not None and answer.timings.total is not None:
        seconds = answer.timings.total
    parts.append(element("span", say("page.seconds", lang, seconds=f"{seconds:.1f}")))
    return parts


def _count(exchange: Exchange, lang: Lang) -> Markup:
    count = len(exchange.claims)
    text = say(f"page.done_{'one' if count == 1 else 'other'}", lang, count=count)
    support = Counter(claim.verdict.support for claim in exchange.claims)
    if support["full"] == count:
        return element("span", text)
    for key, number in (("supported", support["full"]), ("partly", support["partial"])):
        if number:
            more = say(f"page.{key}", lang, count=number)
            text = say("page.list", lang, first=text, second=more)
    return element("span", text)


def _tokens(answer: Answer, lang: Lang) -> str | None:
    usage = answer.usage
    if not usage.calls:
        return None
    return say(
        "page.tokens",
        lang,
        prompt=usage.prompt_tokens + usage.cached_tokens,
        generated=usage.generated_tokens,
        calls=usage.calls,
    )
