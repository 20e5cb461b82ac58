"""An endpoint's replies as llama-index responses, with what they took."""

from __future__ import annotations

import math
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, ChatResponse, MessageRole
from openai.types import CompletionUsage
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.chat.chat_completion import Choice

from paraqa.types import ModelUsage


class Reader:
    """Puts the chunks of one stream together."""

    def __init__(self) -> None:
        self._text = ""
        self._finish_reason: str | None = None
        self._usage: CompletionUsage | None = None
        self._timings: dict[str, Any] | None = None

    @property
    def has_reply(self) -> bool:
        """Whether anything of a reply came: text, or at least its end."""
        return bool(self._text or self._finish_reason)

    def read(self, chunk: ChatCompletionChunk) -> ChatResponse | None:
        """The reply so far, where the chunk adds text to it."""
        self._usage = chunk.usage or self._usage
        self._timings = (chunk.model_extra or {}).get("timings") or self._timings
        if not chunk.choices:  # the usage chunk, and the content filters' chunk of some endpoints
            return None
        choice = chunk.choices[0]
        self._finish_reason = choice.finish_reason or self._finish_reason
        added = (choice.delta.content or "") if choice.delta else ""
        if not added:
            return None
        self._text += added
        # llama.cpp can give its account with every chunk, so that a stream closed early has one.
        more = {"usage": model_usage(None, self._timings)} if self._timings else {}
        return ChatResponse(message=_assistant(self._text), delta=added, additional_kwargs=more)

    def last(self) -> ChatResponse:
        """The whole reply with its accounts; it adds no text."""
        return ChatResponse(
            message=_assistant(self._text),
            delta="",
            additional_kwargs={
                "finish_reason": self._finish_reason,
                "usage": model_usage(self._usage, self._timings),
            },
        )


def model_usage(usage: CompletionUsage | None, timings: dict[str, Any] | None) -> ModelUsage:
    """What one call took, from the account of the protocol or of llama.cpp (which has seconds)."""
    if timings:
        return ModelUsage(
            calls=1,
            prompt_tokens=int(timings.get("prompt_n", 0)),
            cached_tokens=int(timings.get("cache_n", 0)),
            generated_tokens=int(timings.get("predicted_n", 0)),
            prompt_seconds=float(timings.get("prompt_ms", 0)) / 1000,
            generation_seconds=float(timings.get("predicted_ms", 0)) / 1000,
        )
    if usage is None:
        return ModelUsage(calls=1)
    details = usage.prompt_tokens_details
    cached = (details.cached_tokens or 0) if details else 0
    return ModelUsage(
        calls=1,
        prompt_tokens=usage.prompt_tokens - cached,
        cached_tokens=cached,
        generated_tokens=usage.completion_tokens,
    )


def whole(completion: ChatCompletion) -> ChatResponse:
    """The reply that came in one piece, with its accounts."""
    choice = completion.choices[0] if completion.choices else None
    timings = (completion.model_extra or {}).get("timings")
    return ChatResponse(
        message=_assistant((choice.message.content or "") if choice else ""),
        additional_kwargs={
            "finish_reason": choice.finish_reason if choice else None,
            "usage": model_usage(completion.usage, timings),
            "probabilities": _probabilities(choice),
        },
    )


def _probabilities(choice: Choice | None) -> dict[str, float]:
    """How likely each of the likeliest first tokens was, where that was asked for."""
    if choice is None or choice.logprobs is None or not choice.logprobs.content:
        return {}
    return {t.token: math.exp(t.logprob) for t in choice.logprobs.content[0].top_logprobs}


def _assistant(text: str) -> ChatMessage:
    return ChatMessage(role=MessageRole.ASSISTANT, content=text)
