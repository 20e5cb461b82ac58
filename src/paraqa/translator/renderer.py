"""One abstract at a time: asked for whole, asked again with what was wrong, then by sentences."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, NamedTuple

from paraqa import lang
from paraqa.errors import ContextTooLong
from paraqa.events import Reason
from paraqa.translator import prompt
from paraqa.translator.faults import Fault, Original, faults, is_looping, measure
from paraqa.types import Lang, ModelUsage, Paper, Rendering

if TYPE_CHECKING:
    from llama_index.core.llms import LLM

# Tokens for each Chinese character of the source, or what a word is worth in them: good
# renderings take one, a tokenizer that knows little Chinese up to two, a model that thinks more.
_TOKENS = 3
_LEAST_TOKENS = 100
_STEP, _TAIL = 40, 600  # characters between two looks for a loop, and that are looked at


class _Try(NamedTuple):
    text: str
    faults: list[Fault]

    @property
    def is_good(self) -> bool:
        """Whether it may be kept."""
        return all(fault.is_slight for fault in self.faults)


class Renderer:
    """Renders abstracts with a model; `usage` is the sum over its calls so far."""

    def __init__(self, llm: LLM) -> None:
        self._llm = llm
        self.usage = ModelUsage()

    async def render(self, paper: Paper, to: Lang) -> Rendering | Reason:
        """The rendering of an abstract, or why there is none. Raises ModelError."""
        title = paper.title
        pieces = [paper.abstract[a:b] for a, b in lang.sentences(paper.abstract)]
        try:
            whole = await self._twice(Original(paper.abstract, title, to))
        except ContextTooLong:
            if len(pieces) == 1:
                raise
        else:
            if whole.is_good:
                return _rendering(whole.text, to)
            if len(pieces) == 1:
                return _reason(whole.faults)
        joined = ""
        for piece in pieces:
            part = await self._twice(Original(piece, title, to))
            if not part.is_good:
                return _reason(part.faults)
            joined += (" " if joined[-1:].isascii() and joined else "") + part.text
        all_of_it = Original(paper.abstract, title, to)
        done = _Try(joined, faults(all_of_it, joined, finish="stop"))
        return _rendering(joined, to) if done.is_good else _reason(done.faults)

    async def _twice(self, original: Original) -> _Try:
        first = await self._asked(original, ())
        if not first.faults:
            return first
        second = await self._asked(original, first.faults)
        return first if first.is_good and second.faults else second

    async def _asked(self, original: Original, before: Sequence[Fault]) -> _Try:
        messages = prompt.messages(original, before)
        raw, finish, usage, seen = "", None, None, 0
        try:
            stream = await self._llm.astream_chat(messages, max_tokens=self._room(original))
            async with aclosing(stream) as responses:
                async for response in responses:
                    raw = response.message.content or ""
                    usage = response.additional_kwargs.get("usage", usage)
                    finish = response.additional_kwargs.get("finish_reason", finish)
                    if len(raw) >= seen + _STEP:
                        seen = len(raw)
                        if is_looping(raw[-_TAIL:]):
                            break
        finally:
            self._spend(usage)
        text = lang.convert_quantities(prompt.answered(raw), original.to)
        return _Try(text, faults(original, text, finish=finish))

    def _room(self, original: Original) -> int:
        size = measure(original.text)
        left = self._llm.metadata.context_window - int(1.5 * size) - prompt.OVERHEAD
        return max(_LEAST_TOKENS, min(left, int(_TOKENS * size) + _LEAST_TOKENS))

    def _spend(self, usage: ModelUsage | None) -> None:
        added = (usage or ModelUsage(calls=1)).model_dump()
        sums = {key: value + added[key] for key, value in self.usage.model_dump().items()}
        self.usage = ModelUsage(**sums)


def _rendering(text: str, to: Lang) -> Rendering:
    return Rendering(lang=to, abstract=text, origin="machine")


def _reason(found: Sequence[Fault]) -> Reason:
    return Reason.of(found[0].key, what=found[0].what)
