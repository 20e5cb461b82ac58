"""Answers that a model phrases: one paper, one prompt, one sentence.

A small model that reads several papers at once gives one's figures to another. With one paper in
the prompt the citation is right by construction, and the first sentence is there in seconds.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING

from paraqa.answerer import opinion, prompt
from paraqa.answerer.choice import chosen
from paraqa.answerer.lead import lead
from paraqa.answerer.sentence import Sentence
from paraqa.events import Delta, Dropped
from paraqa.evidence import asks_for_figures, asks_to_compare, quotations
from paraqa.settings import AnswerSettings
from paraqa.types import Claim, Coverage, Draft, Hit, ModelUsage, Query

if TYPE_CHECKING:
    from llama_index.core.base.llms.types import ChatMessage, ChatResponse
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
        for place, hit in enumerate(chosen(query, hits, self._settings)):
            if query.kind == "list" and place >= self._settings.list_papers:
                # A whole list is told to its end; the model would take minutes over it.
                for draft in quotations(query, hit):
                    yield draft
                continue
            async with aclosing(self._from_paper(query, hit, is_best=place == 0)) as pieces:
                async for piece in pieces:
                    yield piece

    def lead(self, query: Query, claims: Sequence[Claim], coverage: Coverage) -> str:
        """The sentence before the claims."""
        return lead(query, claims, coverage)

    async def _from_paper(
        self, query: Query, hit: Hit, *, is_best: bool
    ) -> AsyncGenerator[Delta | Draft | Dropped]:
        before = self.usage
        stated = await self._stated(query, hit)
        if stated is False:
            yield Dropped(number=hit.rank, usage=_difference(self.usage, before))
            return
        sentence = Sentence(query.lang, hit.paper, most=_most(query))
        finish = None
        messages = prompt.messages(query, hit, self._evidence(query))
        async with aclosing(self._responses(messages)) as stream:
            async for response in stream:
                finish = response.additional_kwargs.get("finish_reason", finish)
                if added := sentence.feed(response.message.content or ""):
                    yield Delta(number=hit.rank, text=added)
                if sentence.is_complete:
                    break
        if sentence.has_declined and not (stated and is_best):
            yield Dropped(number=hit.rank, usage=_difference(self.usage, before))
            return
        removed = sentence.removed_markers
        text = None if sentence.has_declined else sentence.finished(is_cut=finish != "stop")
        if text is not None:
            yield Draft(text=text, number=hit.rank, removed_markers=removed)
            return
        for draft in quotations(query, hit, removed_markers=removed):
            yield draft

    async def _stated(self, query: Query, hit: Hit) -> bool | None:
        """Whether the paper states the answer to a direct question; None if that is not known."""
        measured = opinion.bounds(self.name, query.lang)
        if measured is None or query.kind == "list" or asks_to_compare(query):
            return None
        messages = prompt.opinion(query, hit, self._evidence(query))
        response = await self._llm.achat(messages, max_tokens=1, logprobs=True, top_logprobs=20)
        self._spend(response.additional_kwargs.get("usage"))
        share = opinion.likelihood(response)
        if share is None or measured.least <= share < measured.sure:
            return None
        return share >= measured.sure

    async def _responses(self, messages: Sequence[ChatMessage]) -> AsyncGenerator[ChatResponse]:
        usage = None
        try:
            async with aclosing(await self._llm.astream_chat(messages)) as stream:
                async for response in stream:
                    usage = response.additional_kwargs.get("usage", usage)
                    yield response
        finally:
            self._spend(usage)

    def _spend(self, usage: ModelUsage | None) -> None:
        self.usage = _sum(self.usage, usage or ModelUsage(calls=1))

    def _evidence(self, query: Query) -> int:
        # A character is a token at most, nearly: what is left of the window, in characters.
        window = self._llm.metadata.context_window - self._llm.metadata.num_output
        return min(self._settings.evidence, max(100, window - len(query.standalone) - 300))


def _most(query: Query) -> int:
    # Several figures asked for at once are often told in two sentences.
    return 2 if query.kind != "list" and asks_for_figures(query) else 1


def _sum(one: ModelUsage, other: ModelUsage) -> ModelUsage:
    values = other.model_dump()
    return ModelUsage(**{key: value + values[key] for key, value in one.model_dump().items()})


def _difference(after: ModelUsage, before: ModelUsage) -> ModelUsage:
    values = before.model_dump()
    return ModelUsage(**{key: value - values[key] for key, value in after.model_dump().items()})
