"""Why a paper was found: the terms that it holds, each with its origin, and its places."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from paraqa.lang.text import pairs, say
from paraqa.types import Why
from paraqa.ui.markup import Markup, element

if TYPE_CHECKING:
    from collections.abc import Sequence

    from paraqa.types import Hit, Lang, Match

_SHOWN_TERMS = 6
_REASONS: tuple[Why, ...] = get_args(Why)


def reasons(hit: Hit, lang: Lang) -> Markup | None:
    """The matching terms, which open onto their origins and the places; None where none is known.

    The origin of a term is its shape and its tooltip, and is written out for those who have none.
    """
    if not hit.matches and not hit.ranks:
        return None
    terms = [_term(match, lang) for match in hit.matches[:_SHOWN_TERMS]]
    rest = len(hit.matches) - _SHOWN_TERMS
    if rest > 0:
        terms.append(element("span", f"+{rest}", class_="term rest"))
    shown = terms or [element("span", say("page.why_none", lang), class_="quiet")]
    summary = element("summary", element("span", say("page.why", lang)), " ", *shown)
    return element("details", summary, element("ul", *_told(hit, lang)), class_="why")


def _term(match: Match, lang: Lang) -> Markup:
    origin = say(f"page.why_{match.why}", lang)
    return element("span", match.term, class_=f"term by-{match.why}", title=origin)


def _told(hit: Hit, lang: Lang) -> list[Markup]:
    lines = [
        say("page.why_terms", lang, why=say(f"page.why_{why}", lang), terms=terms)
        for why in _REASONS
        if (terms := _together([match.term for match in hit.matches if match.why == why], lang))
    ]
    if hit.ranks:
        places = [
            say("page.place", lang, leg=_leg(leg, lang), place=place)
            for leg, place in hit.ranks.items()
        ]
        lines.append(say("page.places", lang, places=_together(places, lang)))
    return [element("li", line) for line in lines]


def _leg(name: str, lang: Lang) -> str:
    return say(f"page.leg_{name}", lang) if f"leg_{name}" in pairs("page") else name


def _together(values: Sequence[str], lang: Lang) -> str:
    return say("page.why_comma", lang).join(values)
