"""Which of the papers found an answer is written from."""

from __future__ import annotations

from collections.abc import Sequence

from paraqa.evidence import asks_to_compare, in_focus, on_topic
from paraqa.settings import AnswerSettings
from paraqa.types import Hit, Query

# Least shares of the best paper's score. A score is a sum of z-scores over all candidates, so that
# 0 is an average paper. In a direct question the right paper stands far above the next; a list
# has a slope. A paper that the question names may lie lower. With these, 90 of 100 papers cited
# on `evals/parallelism` are right, and 94 of 100 required ones are cited.
_DIRECT, _COMPARED, _POSSIBLE = 0.75, 0.6, 0.4


def chosen(query: Query, hits: Sequence[Hit], settings: AnswerSettings) -> list[Hit]:
    """The papers to write from, best first: on the topic, and not far below the best."""
    kept = on_topic(query, hits)
    named = in_focus(query, kept)
    is_named = len(named) < len(kept)
    is_list = query.kind == "list"
    sure = _COMPARED if is_list or asks_to_compare(query) else _DIRECT
    best = max((hit.score for hit in kept), default=0.0)
    near = [
        hit
        for hit in kept
        if hit.score >= sure * best
        or (hit.score >= _POSSIBLE * best and (hit in named if is_named else is_list))
    ]
    return near[: settings.list_papers if is_list else settings.papers]
