"""Which of the papers found an answer is written from."""

from __future__ import annotations

from collections.abc import Sequence

from paraqa import lang
from paraqa.evidence import (
    asks_to_compare,
    distinctive,
    in_focus,
    mentions,
    names,
    on_topic,
    source,
)
from paraqa.settings import AnswerSettings
from paraqa.types import Hit, Query

# Least shares of the best paper's score. A score is a sum of z-scores over all candidates, so that
# 0 is an average paper. In a direct question the right paper stands far above the next; a list
# has a slope. A paper that the question names may lie lower. With these, 91 of 100 papers cited
# on `evals/parallelism` are right, and 94 of 100 required ones are cited.
_DIRECT, _COMPARED, _POSSIBLE = 0.75, 0.6, 0.4


def chosen(query: Query, hits: Sequence[Hit], settings: AnswerSettings) -> list[Hit]:
    """The papers to write from, best first: on the topic, and not far below the best."""
    kept = on_topic(query, hits)
    if query.kind == "list":
        return _listed(query, kept)[: settings.listed]
    return _direct(query, kept)[: settings.papers]


def _direct(query: Query, hits: Sequence[Hit]) -> list[Hit]:
    least = (_COMPARED if asks_to_compare(query) else _DIRECT) * _best(hits)
    named = distinctive(query, hits)
    # GPU is a name too, but no paper is known by it.
    known = {n for n in names(query.standalone) for hit in hits if _is_titled(hit, n)}
    taken: list[Hit] = []
    covered: set[str] = set()
    titled: set[str] = set()
    for hit in hits:
        asked = {n for n in known if source(hit.paper).has_name(n)}
        own = {n for n in asked if _is_titled(hit, n)}
        # It has none of the names that a better paper has, or only mentions what that is about.
        is_beside = bool(covered) and not named[hit.rank] and not asks_to_compare(query)
        is_beside |= bool(asked) and not own and asked <= titled
        adds_a_name = bool(named[hit.rank] - covered) and hit.score >= _POSSIBLE * _best(hits)
        if adds_a_name or (hit.score >= least and not is_beside):
            taken.append(hit)
            covered |= named[hit.rank]
            titled |= own
    return taken


def _is_titled(hit: Hit, name: str) -> bool:
    return mentions(lang.fold(hit.paper.title), name)


def _listed(query: Query, hits: Sequence[Hit]) -> list[Hit]:
    named = in_focus(query, hits)
    return [
        hit for hit in hits if hit.score >= (_POSSIBLE if hit in named else _COMPARED) * _best(hits)
    ]


def _best(hits: Sequence[Hit]) -> float:
    return max((hit.score for hit in hits), default=0.0)
