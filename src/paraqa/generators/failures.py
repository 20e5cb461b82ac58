"""What goes wrong at an endpoint, as errors of ours that never hold a key."""

from __future__ import annotations

import json
from ipaddress import ip_address
from urllib.parse import urlsplit

import openai

from paraqa.errors import ModelError, ModelUnavailable

_TOO_MANY = 429
_SERVER = 500


def failure(
    error: openai.APIError | json.JSONDecodeError, base_url: str, *, key: str
) -> ModelError:
    """The error of ours for one of the client's."""
    address = shown(base_url)
    if isinstance(error, json.JSONDecodeError):
        return ModelUnavailable("model.failed", address=address, problem=error.msg)
    if isinstance(error, openai.APITimeoutError):
        return ModelUnavailable("model.slow", address=address)
    if isinstance(error, openai.APIConnectionError):
        return ModelUnavailable("model.unreachable", address=address)
    problem = (error.message.replace(key, "…") if key else error.message)[:300]
    if not isinstance(error, openai.APIStatusError):  # an error inside a stream has no status
        return ModelUnavailable("model.failed", address=address, problem=problem)
    if error.status_code == _TOO_MANY:
        return ModelUnavailable("model.throttled", address=address)
    if error.status_code >= _SERVER:
        return ModelUnavailable("model.failed", address=address, problem=problem)
    return ModelError("model.refused", address=address, problem=problem)


def is_too_long(error: openai.APIError | json.JSONDecodeError) -> bool:
    """Whether the prompt did not fit: OpenAI says so in `code`, llama.cpp in `type`."""
    if not isinstance(error, openai.APIError):
        return False
    said = f"{error.code} {error.type} {error.message}"
    return any(
        sign in said
        for sign in ("context_length_exceeded", "exceed_context_size", "maximum context length")
    )


def shown(base_url: str) -> str:
    """The address without the user and password that it may hold."""
    parts = urlsplit(base_url)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname}{port}{parts.path}"


def is_loopback(address: str) -> bool:
    """Whether an address is on this machine."""
    host = urlsplit(address).hostname or ""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
