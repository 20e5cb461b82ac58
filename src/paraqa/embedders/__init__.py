"""Embedding models, each a llama-index `BaseEmbedding`, built from its name in the settings."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from paraqa.errors import ModelNotFound
from paraqa.settings import EmbeddingSettings

if TYPE_CHECKING:
    from llama_index.core.base.embeddings.base import BaseEmbedding

KNOWN = "bundled:default, package.module:Class"


def build(settings: EmbeddingSettings) -> BaseEmbedding:
    """The model that `settings.model` names; its weights are loaded when first used.

    Raises ModelNotFound for a name that is unknown or cannot be imported.
    """
    module, _, name = settings.model.partition(":")
    if settings.model == "bundled:default":
        from paraqa.embedders.bundled import BundledEmbedding

        return BundledEmbedding.with_threads(settings.threads)
    if not name[:1].isupper():  # not a class
        raise ModelNotFound("embedding.unknown", name=settings.model, known=KNOWN)
    return _imported(module, name, settings.model)


def _imported(module: str, name: str, model: str) -> BaseEmbedding:
    from llama_index.core.base.embeddings.base import BaseEmbedding

    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ModelNotFound("embedding.not_importable", name=model, problem=str(error)) from error
    if not (isinstance(found, type) and issubclass(found, BaseEmbedding)):
        raise ModelNotFound("embedding.not_a_model", name=model)
    return found()
