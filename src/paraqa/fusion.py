"""The arithmetic of joining rankings: plain numbers in, plain numbers out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

LEXICAL = 12.0  # deviations that holding all of a question's words is worth; flat from 8 to 20


def standardised(scores: Mapping[str, float]) -> dict[str, float]:
    """The scores as z-scores, each as many standard deviations from the mean; all 0 if all equal.

    A cosine of the bundled model lies between 0.71 and 0.95 whatever is asked, a BM25 score has no
    upper end: only the spread within one question makes them comparable.
    """
    if not scores:
        return {}
    mean = math.fsum(scores.values()) / len(scores)
    deviation = math.sqrt(math.fsum((s - mean) ** 2 for s in scores.values()) / len(scores))
    if deviation < 1e-9:
        return dict.fromkeys(scores, 0.0)
    return {key: (score - mean) / deviation for key, score in scores.items()}


def fused(rankings: Sequence[tuple[float, Mapping[str, float]]]) -> dict[str, float]:
    """The weighted sum of the z-scores of several rankings, given as (weight, scores).

    What a ranking does not hold has the least score in it: it was not good enough to be listed.
    """
    keys = sorted({key for _, scores in rankings for key in scores})
    total = dict.fromkeys(keys, 0.0)
    for weight, scores in rankings:
        least = min(scores.values(), default=0.0)
        for key, z in standardised({key: scores.get(key, least) for key in keys}).items():
            total[key] += weight * z
    return total


def joined(
    dense: Mapping[str, float], lexical: Mapping[str, float], *, attainable: float, share: float
) -> dict[str, dict[str, float]]:
    """What each of two rankings gives to a paper's score, `share` of it from the first.

    `dense` are deviations from what is usual; `lexical` are sums of BM25, taken as shares of the
    most that the question's words could give. Where no paper holds much of the question, the words
    then say little, as they should: by z-scores, the best of many chance matches would outweigh
    all else. A convex combination with theoretical bounds did best in Bruch, Gai & Ingber 2023.
    """
    most = max(attainable, 1e-9)
    return {
        "dense": {key: share * value for key, value in dense.items()},
        "bm25": {key: (1.0 - share) * LEXICAL * (value / most) for key, value in lexical.items()},
    }


def ranked(scores: Mapping[str, float]) -> list[str]:
    """The keys, highest score first, equal ones by key: the same order on every run."""
    return sorted(scores, key=lambda key: (-scores[key], key))
