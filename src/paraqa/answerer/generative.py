"""Answers that a model phrases: one paper, one prompt, one sentence.

A small model that reads several papers at once gives one's figures to another. With one paper in
the prompt the citation is right by construction, and the first sentence is there in seconds.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING

from paraqa.answerer import prompt
from paraqa.answerer.choice import chosen
from paraqa.answerer.lead import lead
from paraqa.answerer.sentence import Sentence
from paraqa.events import Delta, Dropped
from paraqa.evidence import quotation
from paraqa.settings import AnswerSettings
from paraqa.types import Claim, Draft, Hit, ModelUsage, Query

if TYPE_CHECKING:
    from llama_index.core.llms import LLM


class GenerativeAnswerer:
    """Writes one answer with a model; `usage` is the sum over its calls so far."""

    def __init__(self, llm: LLM, settings: AnswerSettings) -> None:
        self._llm = llm
        self._settings = settings
        self.name = llm.metadata.model_name
        self.usage = ModelUsage()

    async def write(
        self, query: Query, hits: Sequence[Hit]
    ) -> AsyncGenerator[Delta | Draft | Dropped]:
        """For each paper chosen its deltas, then a draft, or Dropped where it does not answer.

        Raises ModelError. Closing the iterator stops the model.
        """
        for hit in chosen(query, hits, self._settings):
            async with aclosing(self._from_paper(query, hit)) as pieces:
                async for piece in pieces:
                    yield piece

    def lead(self, query: Query, claims: Sequence[Claim]) -> str:
        """The sentence before the claims."""
        return lead(query, claims)

    async def _from_paper(self, query: Query, hit: Hit) -> AsyncGenerator[Delta | Draft | Dropped]:
        sentence = Sentence(query.lang, title=hit.paper.title)
        usage, finish = ModelUsage(calls=1), None
        messages = prompt.messages(query, hit, self._evidence(query))
        try:
            async with aclosing(await self._llm.astream_chat(messages)) as stream:
                async for response in stream:
                    usage = response.additional_kwargs.get("usage", usage)
                    finish = response.additional_kwargs.get("finish_reason", finish)
                    if added := sentence.feed(response.message.content or ""):
                        yield Delta(number=hit.rank, text=added)
                    if sentence.is_complete:
                        break
        finally:
            self.usage = _sum(self.usage, usage)
        if sentence.has_declined:
            yield Dropped(number=hit.rank, usage=usage)
            return
        text = sentence.finished(is_cut=finish != "stop")
        removed = sentence.removed_markers
        if text is None:
            yield quotation(query, hit, removed_markers=removed)
        else:
            yield Draft(text=text, number=hit.rank, removed_markers=removed)

    def _evidence(self, query: Query) -> int:
        # A character is a token at most, nearly: what is left of the window, in characters.
        window = self._llm.metadata.context_window - self._llm.metadata.num_output
        return min(self._settings.evidence, max(100, window - len(query.standalone) - 300))


def _sum(one: ModelUsage, other: ModelUsage) -> ModelUsage:
    values = other.model_dump()
    return ModelUsage(**{key: value + values[key] for key, value in one.model_dump().items()})
