"""The part that writes: drafts of sentences, each from one paper, to be checked by the verifier.

An answerer writes one answer: a new one is made for each question, so that `usage` is its own.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import TYPE_CHECKING, Protocol

from paraqa.answerer.extractive import ExtractiveAnswerer
from paraqa.events import Delta, Dropped
from paraqa.settings import AnswerSettings
from paraqa.types import Claim, Coverage, Draft, Hit, ModelUsage, Query

if TYPE_CHECKING:
    from llama_index.core.llms import LLM


class Answerer(Protocol):
    """Query and hits to drafts."""

    @property
    def name(self) -> str:
        """The model that writes, or `extractive`."""

    @property
    def usage(self) -> ModelUsage:
        """What the model took so far, over all its calls for this answer."""

    def write(self, query: Query, hits: Sequence[Hit]) -> AsyncGenerator[Delta | Draft | Dropped]:
        """Deltas of a sentence, then its draft or Dropped, paper by paper. Raises ModelError."""

    def lead(self, query: Query, claims: Sequence[Claim], coverage: Coverage) -> str:
        """A sentence by code to stand before the claims; empty where none is needed."""


def build(settings: AnswerSettings, llm: LLM | None) -> Answerer:
    """The answerer for one answer: with a model, or extractive without."""
    if llm is None:
        return ExtractiveAnswerer(settings)
    from paraqa.answerer.generative import GenerativeAnswerer

    return GenerativeAnswerer(llm, settings)


__all__ = ["Answerer", "ExtractiveAnswerer", "build"]
