"""The models that phrase answers: which one is meant, and the llama-index LLM for it."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from paraqa.errors import ModelError, ModelNotFound
from paraqa.settings import LlmSettings

if TYPE_CHECKING:
    from llama_index.core.llms import LLM

EXTRACTIVE = "extractive"
LOCAL = "local"
ENDPOINT = "openai:"


def resolve(settings: LlmSettings, model: str | None = None) -> str:
    """What a model name means now: `extractive`, `local`, or `openai:NAME`.

    `auto` is a configured endpoint (`openai:auto` is the first model that it lists), else the
    local model where it is installed, else extractive. Raises ModelNotFound.
    """
    wanted = model or settings.model
    if wanted == "auto":
        if settings.base_url:
            return ENDPOINT + "auto"
        return LOCAL if _is_local_installed(settings) else EXTRACTIVE
    if wanted == LOCAL and not _is_local_installed(settings):
        raise ModelNotFound("model.not_installed")
    is_endpoint = wanted.startswith(ENDPOINT) and len(wanted) > len(ENDPOINT)
    if wanted not in (EXTRACTIVE, LOCAL) and not is_endpoint:
        raise ModelNotFound("model.unknown", name=wanted)
    return wanted


def build(settings: LlmSettings, model: str) -> LLM:
    """The LLM for a resolved `openai:NAME`. Raises ModelError without a key for the vendor.

    The local model is not built but lives: see `llamacpp.LocalModel`.
    """
    from paraqa.generators.openai import VENDOR, OpenAICompatible

    if settings.base_url is None and settings.api_key is None:
        raise ModelError("model.no_key", name=model)
    return OpenAICompatible(
        model=model.removeprefix(ENDPOINT),
        base_url=settings.base_url or VENDOR,
        api_key=settings.api_key,
        context_window=settings.context_window,
        max_tokens=settings.max_tokens,
        timeout=settings.timeout,
    )


def _is_local_installed(settings: LlmSettings) -> bool:
    if find_spec("xllamacpp") is None:
        return False
    from paraqa.generators import weights

    return weights.path(settings.cache).exists() or weights.are_installed()
