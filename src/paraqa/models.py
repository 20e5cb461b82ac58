"""Which model answers, and how far it is: one local model and one client per endpoint, kept."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import cached_property
from typing import TYPE_CHECKING

from paraqa import generators
from paraqa.errors import ModelError
from paraqa.events import Preparing
from paraqa.settings import Settings

if TYPE_CHECKING:
    from llama_index.core.llms import LLM

    from paraqa.generators.llamacpp import LocalModel


class Models:
    """The models of one library."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._endpoints: dict[str, LLM] = {}

    def resolve(self, llm: str | None) -> str:
        """What a name means now: `extractive`, `local` or `openai:NAME`. Raises ModelNotFound."""
        if llm is None or llm == "auto":
            return self._in_force
        return generators.resolve(self._settings.llm, llm)

    async def prepare(self, model: str) -> AsyncGenerator[Preparing, None]:
        """Steps until a resolved model is ready; none where it is. Raises ModelError."""
        if model != generators.LOCAL or self._local.status.step == "ready":
            return
        async with aclosing(self._local.prepare()) as steps:
            async for step in steps:
                yield step

    @property
    def status(self) -> Preparing | None:
        """How far the local model is; None where another model, or none, is in force."""
        try:
            is_local = self._in_force == generators.LOCAL
        except ModelError:  # whoever asks is told; whoever looks has nothing to see
            return None
        return self._local.status if is_local else None

    def llm(self, model: str) -> LLM | None:
        """The llama-index LLM of a resolved model that is ready; None for `extractive`."""
        if model == generators.EXTRACTIVE:
            return None
        if model == generators.LOCAL:
            return self._local.llm
        if model not in self._endpoints:
            self._endpoints[model] = generators.build(self._settings.llm, model)
        return self._endpoints[model]

    def close(self) -> None:
        """Let the local model go."""
        if "_local" in self.__dict__:
            self._local.close()

    @cached_property
    def _in_force(self) -> str:
        return generators.resolve(self._settings.llm)

    @cached_property
    def _local(self) -> LocalModel:
        from paraqa.generators.llamacpp import LocalModel

        return LocalModel(self._settings.llm)
