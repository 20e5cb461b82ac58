"""Whether a paper states an answer, by a model's own yes or no.

A small model judges better than it writes. Asked to decline in words, the local model declines one
in three English questions that it could answer, and answers some that it should decline; how likely
it finds `yes` tells them apart. What that likelihood means differs from model to model, so only
those measured here are asked.
"""

from __future__ import annotations

from typing import NamedTuple

from llama_index.core.base.llms.types import ChatResponse

from paraqa import lang
from paraqa.lang.text import say
from paraqa.types import Lang


class Bounds(NamedTuple):
    """Below `least` the paper does not state it; from `sure` on it does, even if it declines."""

    least: float
    sure: float


# On 69 questions with the right paper and 27 that it does not answer (`evals/parallelism`, and ten
# pairs more): English 0.74 to 0.97 against 0.36 to 0.84, Chinese 0.85 to 1.00 against 0.68 to 0.98.
_MEASURED: dict[str, dict[Lang, Bounds]] = {
    "qwen2.5-coder-1.5b-instruct": {"en": Bounds(0.65, 0.8), "zh": Bounds(0.8, 0.96)},
}


def bounds(model: str, language: Lang) -> Bounds | None:
    """The bounds of a model; None where it was not measured."""
    return _MEASURED.get(model, {}).get(language)


def likelihood(response: ChatResponse) -> float | None:
    """The share of yes in yes and no, in either language; None where the endpoint does not say."""
    tokens: dict[str, float] = response.additional_kwargs.get("probabilities", {})
    yes, no = (
        sum(p for token, p in tokens.items() if lang.fold(token).strip() in words)
        for words in (
            {say(key, code) for code in lang.LANGS} for key in ("prompt.yes", "prompt.no")
        )
    )
    return yes / (yes + no) if yes + no else None
