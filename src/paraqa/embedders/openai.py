"""Embeddings at any OpenAI-compatible address, straight on the `openai` client.

(llama-index's own OpenAI package excludes openai 3.)
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Any, Self
from urllib.parse import urlsplit

import httpx2
import numpy as np
import openai
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr
from numpy.typing import NDArray

from paraqa.embedders.texts import encodable
from paraqa.errors import ModelError, ModelNotFound, ModelUnavailable
from paraqa.settings import EmbeddingSettings

VENDOR = "https://api.openai.com/v1"  # used only with a key, which the reader must have set
_SERVER = 500  # from this status on, it is the endpoint that failed
# What the client, and reading what it gives, raise for a reply that is not of the protocol: it
# decodes and casts without looking.
_MISREAD = (ValueError, TypeError, AttributeError, LookupError, OverflowError, ExceptionGroup)


class OpenAICompatibleEmbedding(BaseEmbedding):
    """An embedding model at an OpenAI-compatible address."""

    _settings: EmbeddingSettings = PrivateAttr()
    _name: str = PrivateAttr()
    _address: str = PrivateAttr()
    _key: str = PrivateAttr()
    _client: Any = PrivateAttr()

    @classmethod
    def of(cls, settings: EmbeddingSettings, name: str) -> Self:
        """The model of that name. Raises ModelError without a key for the vendor."""
        if settings.base_url is None and settings.api_key is None:
            raise ModelError("embedding.no_key", name=settings.model)
        embedding = cls(model_name=f"openai:{name}", embed_batch_size=settings.batch)
        embedding._settings = settings
        embedding._name = name
        embedding._address = settings.base_url or VENDOR
        embedding._key = settings.api_key.get_secret_value() if settings.api_key else ""
        embedding._client = _client(embedding._address, embedding._key, settings.timeout)
        return embedding

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._vectors([query], self._settings.query_prefix)[0]

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_text_embeddings([text])[0]

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return self._vectors(texts, self._settings.passage_prefix)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return await asyncio.to_thread(self._get_query_embedding, query)

    async def _aget_text_embedding(self, text: str) -> list[float]:
        return await asyncio.to_thread(self._get_text_embedding, text)

    async def _aget_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return await asyncio.to_thread(self._get_text_embeddings, texts)

    def _vectors(self, texts: Sequence[str], prefix: str) -> list[list[float]]:
        # An empty text is refused by some, and is worth no error in the midst of a listing.
        request: dict[str, Any] = {"input": [encodable(prefix + text) or " " for text in texts]}
        if self._settings.dimensions is not None:
            request["dimensions"] = self._settings.dimensions
        try:
            # Asked for in the client's own choice, base64, many servers fail.
            reply = self._client.embeddings.create(
                model=self._name, encoding_format="float", **request
            )
            return self._read(reply.data, len(texts))
        except (openai.AuthenticationError, openai.PermissionDeniedError):
            # The endpoint's own words may repeat the key, so they are not even chained.
            raise ModelError("embedding.key_refused", address=_shown(self._address)) from None
        except (openai.APIError, json.JSONDecodeError) as error:
            raise self._failure(error) from error
        except _MISREAD as error:
            raise ModelError("embedding.unreadable", address=_shown(self._address)) from error

    def _read(self, data: Sequence[Any], wanted: int) -> list[list[float]]:
        """The vectors in the order of their texts, which need not be that of the reply."""
        address = _shown(self._address)
        by_place = {entry.index: entry.embedding for entry in data}
        if len(data) != wanted:
            raise ModelError(
                "embedding.wrong_count", address=address, found=len(data), wanted=wanted
            )
        vectors = [_floats(by_place[place]) for place in range(wanted)]
        length = self._settings.dimensions or vectors[0].size
        for vector in vectors:
            if vector.size != length:
                raise ModelError(
                    "embedding.wrong_length", address=address, found=vector.size, wanted=length
                )
            if not np.isfinite(vector).all():
                raise ModelError("embedding.not_finite", address=address)
        return [vector.tolist() for vector in vectors]

    def _failure(self, error: openai.APIError | json.JSONDecodeError) -> ModelError:
        address = _shown(self._address)
        if isinstance(error, openai.APITimeoutError):
            return ModelUnavailable("embedding.slow", address=address)
        if isinstance(error, openai.APIConnectionError):
            return ModelUnavailable("embedding.unreachable", address=address)
        if isinstance(error, openai.NotFoundError):
            return ModelNotFound("embedding.not_there", model=self._name, address=address)
        if isinstance(error, openai.RateLimitError):
            return ModelUnavailable("embedding.throttled", address=address)
        problem = self._said(error)
        if isinstance(error, openai.APIStatusError) and error.status_code < _SERVER:
            return ModelError("embedding.refused", address=address, problem=problem)
        return ModelUnavailable("embedding.failed", address=address, problem=problem)

    def _said(self, error: Exception) -> str:
        said = str(error)
        return (said.replace(self._key, "…") if self._key else said)[:300]


def _client(address: str, key: str, seconds: float) -> openai.OpenAI:
    is_near = _is_loopback(address)
    timeout = openai.Timeout(seconds, connect=min(10.0, seconds))
    transport = httpx2.Client(
        trust_env=not is_near,  # a system proxy must not see, or break, calls to this machine
        follow_redirects=False,  # one would carry the papers to an address nobody configured
        timeout=timeout,
        # Nobody closes an embedding: no connection outlives its call.
        limits=httpx2.Limits(max_keepalive_connections=0),
    )
    return openai.OpenAI(
        # The client would otherwise take a key from the environment, meant for another address.
        api_key=key or "none",
        base_url=address,
        timeout=timeout,
        max_retries=0 if is_near else 2,
        http_client=transport,
    )


def _floats(numbers: Any) -> NDArray[np.float32]:
    """A row of numbers. Raises TypeError or ValueError for anything else."""
    row = np.asarray(numbers)
    if row.ndim != 1 or not row.size:
        raise ValueError(row.shape)
    with np.errstate(over="ignore"):  # what float32 cannot hold is infinite, and refused as that
        return row.astype(np.float32, casting="same_kind")


def _shown(address: str) -> str:
    """The address without the user and password that it may hold."""
    parts = urlsplit(address)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname}{port}{parts.path}"


def _is_loopback(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
