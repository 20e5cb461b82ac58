"""Embedding models, each a llama-index `BaseEmbedding`, built from its name in the settings."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING

from platformdirs import user_cache_path

from paraqa.errors import ModelNotFound
from paraqa.settings import EmbeddingSettings

if TYPE_CHECKING:
    from llama_index.core.base.embeddings.base import BaseEmbedding

    from paraqa.embedders.cache import CachedEmbedding
    from paraqa.embedders.e5.network import Precision

KNOWN = "bundled:default, bundled:int8, bundled:e5, openai:NAME, package.module:Class"
_BUNDLED: dict[str, Precision] = {
    "bundled:default": "float32",
    "bundled:int8": "int8",
    "bundled:e5": "float32",
}
_ALONE = "bundled:e5"
# Of the cosine, the rest being USE's, whose cosines differ five times as much from text to text.
# Chosen on questions in everyday words (docs/retrieval.md); flat from 0.8 to 0.9.
_SHARE = 0.88
_ENDPOINT = "openai"


def build(settings: EmbeddingSettings) -> CachedEmbedding:
    """The model that `settings.model` names; its weights are loaded when first used.

    What it embeds is kept for the next time, except for a class of one's own: its name need not
    say which vectors it gives. Raises ModelNotFound for a name that is unknown or cannot be
    imported, ModelError without a key for the vendor.
    """
    module, _, name = settings.model.partition(":")
    if settings.model in _BUNDLED:
        from paraqa.embedders.bundled import BundledEmbedding

        precision = _BUNDLED[settings.model]
        bundled = BundledEmbedding.with_threads(
            settings.threads,
            folder=folder(settings),
            precision=precision,
            is_adapted=settings.model != _ALONE,
        )
        if settings.model == _ALONE:
            return _cached(bundled, settings)
        from paraqa.embedders.pair import PairEmbedding
        from paraqa.embedders.use import UseEmbedding

        pair = PairEmbedding.of(bundled, UseEmbedding.installed(), share=_SHARE)
        return _cached(pair, settings)
    if module == _ENDPOINT and name:
        from paraqa.embedders.openai import OpenAICompatibleEmbedding

        remote = OpenAICompatibleEmbedding.of(settings, name)
        # Endpoints give different models the same name.
        asked = (settings.base_url, settings.dimensions, settings.passage_prefix)
        return _cached(remote, settings, *asked)
    if not name[:1].isupper():  # not a class
        raise ModelNotFound("embedding.unknown", name=settings.model, known=KNOWN)
    from paraqa.embedders.cache import CachedEmbedding

    return CachedEmbedding.over(_imported(module, name, settings.model), None)


def folder(settings: EmbeddingSettings) -> Path:
    """Where the prepared model and the vectors are kept."""
    return settings.cache or user_cache_path("paraqa") / "embedding"


def _cached(
    embedding: BaseEmbedding, settings: EmbeddingSettings, *identity: object
) -> CachedEmbedding:
    """The embedding over the vectors kept of it; they depend on its name and the identity."""
    from paraqa.embedders.cache import CachedEmbedding, file
    from paraqa.embedders.kept import KeptVectors

    if not settings.cache_mb:
        return CachedEmbedding.over(embedding, None)
    path = file(folder(settings) / "vectors", embedding.model_name, *identity)
    return CachedEmbedding.over(embedding, KeptVectors(path, limit=settings.cache_mb * 10**6))


def _imported(module: str, name: str, model: str) -> BaseEmbedding:
    from llama_index.core.base.embeddings.base import BaseEmbedding

    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ModelNotFound("embedding.not_importable", name=model, problem=str(error)) from error
    if not (isinstance(found, type) and issubclass(found, BaseEmbedding)):
        raise ModelNotFound("embedding.not_a_model", name=model)
    return found()
