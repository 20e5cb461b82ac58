"""A sentence in the reader's language around a paper's own words."""

from __future__ import annotations

from paraqa import lang
from paraqa.evidence.relevance import asks_for_origin, scored
from paraqa.lang.text import say
from paraqa.types import Draft, Hit, Lang, Paper, Query

_PLACES = 5  # institutions named in a sentence; some papers have twenty
_SECOND = 0.5  # share of the best sentence's score that a second one must have


def quotation(query: Query, hit: Hit, *, removed_markers: int = 0) -> Draft:
    """A sentence in the question's language around the paper's own words."""
    return quotations(query, hit, removed_markers=removed_markers)[0]


def quotations(query: Query, hit: Hit, *, removed_markers: int = 0) -> list[Draft]:
    """One such sentence, or two where a direct question finds two places that bear on it."""
    about = origin(hit.paper, query.lang) if asks_for_origin(query) else _year(hit.paper)
    drafts: list[Draft] = []
    for start, end in _best_slices(query, hit):
        quote = hit.paper.text[start:end]
        said = say(
            "answer.also_states" if drafts else "answer.states" if about else "answer.states_bare",
            query.lang,
            title=hit.paper.title,
            about=about,
            quote=lang.quoted(quote, query.lang),
        )
        drafts.append(
            Draft(
                text=said + _conversions(quote, query.lang),
                number=hit.rank,
                is_quote=True,
                quote=(start, end),
                removed_markers=0 if drafts else removed_markers,
            )
        )
    return drafts


def origin(paper: Paper, language: Lang) -> str:
    """Institutions and date of a paper, as the reader's language writes them."""
    ordered = [[getattr(a, code) for code in (language, *lang.LANGS)] for a in paper.affiliations]
    places = [next(name for name in names if name) for names in ordered if any(names)]
    date = [paper.date.isoformat()] if paper.date else []
    return say("answer.separator", language).join(places[:_PLACES] + date)


def _year(paper: Paper) -> str:
    return str(paper.date.year) if paper.date else ""


def _best_slices(query: Query, hit: Hit) -> list[tuple[int, int]]:
    # A direct question may need two sentences (what was done, with what result); they are one
    # slice where they are neighbours.
    (first, best), *others = scored(query, hit)
    if query.kind == "list" or not others or others[0][1] < _SECOND * best:
        return [(first.start, first.end)]
    one, two = sorted((first, others[0][0]), key=lambda passage: passage.start)
    if two.start - one.end <= 1:
        return [(one.start, two.end)]
    return [(p.start, p.end) for p in (first, others[0][0])]


def _conversions(quote: str, language: Lang) -> str:
    pairs = []
    for quantity in lang.quantities(quote):
        given = quantity.text.strip()
        own = lang.convert_quantities(given, language).strip()
        # 1.42倍 is read as it stands; 520亿 is not.
        if own != given and not given.startswith(str(quantity.value)):
            pairs.append(say("answer.conversion", language, given=given, own=own))
    if not pairs:
        return ""
    separator = say("answer.separator", language)
    return say("answer.conversions", language, list=separator.join(dict.fromkeys(pairs)))
