"""A llama-index LLM at any OpenAI-compatible address, straight on the `openai` client.

(llama-index's own OpenAI package excludes openai 3.) Each response, and the last one of a stream,
carries `additional_kwargs` with `finish_reason` and `usage`, a ModelUsage.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Generator, Iterator, Sequence
from contextlib import aclosing, contextmanager
from typing import Any

import httpx2
import openai
from llama_index.core.base.llms.generic_utils import (
    achat_to_completion_decorator,
    astream_chat_response_to_completion_response,
    chat_to_completion_decorator,
    stream_chat_to_completion_decorator,
)
from llama_index.core.base.llms.types import (
    ChatMessage,
    ChatResponse,
    ChatResponseAsyncGen,
    ChatResponseGen,
    CompletionResponse,
    CompletionResponseAsyncGen,
    CompletionResponseGen,
    LLMMetadata,
    MessageRole,
)
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.llms import LLM
from llama_index.core.llms.callbacks import llm_chat_callback, llm_completion_callback
from openai.types import Model
from pydantic import SecretStr

from paraqa.errors import ContextTooLong, ModelError, ModelNotFound
from paraqa.generators.failures import failure, is_loopback, is_too_long, shown
from paraqa.generators.replies import Reader, whole

VENDOR = "https://api.openai.com/v1"  # used only when the reader names `openai:NAME` himself
FIRST_LISTED = "auto"  # a model name: the first one that the endpoint lists
_END: Any = object()  # after the last chunk of a stream
# What the client, and reading what it gives, raise for a reply that is not of the protocol: it
# decodes and casts without looking.
_MISREAD = (ValueError, TypeError, AttributeError, LookupError, OverflowError, ExceptionGroup)


class OpenAICompatible(LLM):
    """A chat model at an OpenAI-compatible address."""

    model: str
    base_url: str
    context_window: int = 4096
    max_tokens: int = 128
    temperature: float = 0.0
    timeout: float = 120.0
    extras: dict[str, Any] = {}  # noqa: RUF012 - a pydantic field: sent with each request
    _client: openai.OpenAI = PrivateAttr()
    _async_client: openai.AsyncOpenAI = PrivateAttr()
    _key: str = PrivateAttr()
    _refused: set[str] = PrivateAttr(default_factory=set)

    def __init__(self, *, api_key: SecretStr | None = None, **values: Any) -> None:
        super().__init__(**values)
        # The client insists on a key and would otherwise take one from the environment, meant for
        # another address.
        self._key = api_key.get_secret_value() if api_key else ""
        is_near = is_loopback(self.base_url)
        timeout = openai.Timeout(self.timeout, connect=min(10.0, self.timeout))
        transport: dict[str, Any] = {
            # A system proxy must not see, or break, calls to this machine.
            "trust_env": not is_near,
            # No connection outlives its call: the synchronous forms run in loops of their own, and
            # a connection kept from a closed loop fails there.
            "limits": httpx2.Limits(max_keepalive_connections=0),
            "timeout": timeout,
            # A redirect would carry the papers to an address nobody configured.
            "follow_redirects": False,
        }
        shared: dict[str, Any] = {
            "api_key": self._key or "none",
            "base_url": self.base_url,
            "timeout": timeout,
            "max_retries": 0 if is_near else 2,
        }
        self._client = openai.OpenAI(http_client=httpx2.Client(**transport), **shared)
        self._async_client = openai.AsyncOpenAI(
            http_client=httpx2.AsyncClient(**transport), **shared
        )

    @classmethod
    def class_name(cls) -> str:
        """The name llama-index knows the class by."""
        return "OpenAICompatible"

    @property
    def metadata(self) -> LLMMetadata:
        """What llama-index needs to know of the model."""
        return LLMMetadata(
            context_window=self.context_window,
            num_output=self.max_tokens,
            is_chat_model=True,
            model_name=self.model,
        )

    @llm_chat_callback()
    def chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        """The whole reply."""
        with self._translated():
            completion = self._create(messages, kwargs, stream=False)
            self._require(getattr(completion, "choices", None))
            return whole(completion)

    @llm_chat_callback()
    async def achat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        """The whole reply."""
        with self._translated():
            completion = await self._acreate(messages, kwargs, stream=False)
            self._require(getattr(completion, "choices", None))
            return whole(completion)

    # The streams go without `llm_chat_callback`: its wrapper of a generator does not close it, so
    # that a cancelled answer would leave the server generating until the garbage collector comes.

    def stream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponseGen:
        """The reply piece by piece; closing the iterator ends the request."""
        return self._pieces(messages, kwargs)

    async def astream_chat(
        self, messages: Sequence[ChatMessage], **kwargs: Any
    ) -> ChatResponseAsyncGen:
        """The reply piece by piece; closing the iterator ends the request."""
        return self._apieces(messages, kwargs)

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:  # noqa: FBT001, FBT002
        """The whole completion of a prompt."""
        return chat_to_completion_decorator(self.chat)(prompt, **kwargs)

    @llm_completion_callback()
    async def acomplete(
        self,
        prompt: str,
        formatted: bool = False,  # noqa: FBT001, FBT002
        **kwargs: Any,
    ) -> CompletionResponse:
        """The whole completion of a prompt."""
        return await achat_to_completion_decorator(self.achat)(prompt, **kwargs)

    def stream_complete(
        self,
        prompt: str,
        formatted: bool = False,  # noqa: FBT001, FBT002
        **kwargs: Any,
    ) -> CompletionResponseGen:
        """The completion of a prompt piece by piece."""
        return stream_chat_to_completion_decorator(self.stream_chat)(prompt, **kwargs)

    async def astream_complete(
        self,
        prompt: str,
        formatted: bool = False,  # noqa: FBT001, FBT002
        **kwargs: Any,
    ) -> CompletionResponseAsyncGen:
        """The completion of a prompt piece by piece; closing the iterator ends the request."""
        message = ChatMessage(role=MessageRole.USER, content=prompt)
        return _completions(self._apieces([message], kwargs))

    def _pieces(
        self, messages: Sequence[ChatMessage], kwargs: dict[str, Any]
    ) -> Generator[ChatResponse]:
        reader = Reader()
        with self._translated():
            stream = self._create(messages, kwargs, stream=True)
        with stream:
            while True:
                # Not around the `yield`: what goes wrong at the reader's side is not the endpoint.
                with self._translated():
                    chunk = next(stream, _END)
                    response = None if chunk is _END else reader.read(chunk)
                if chunk is _END:
                    break
                if response:
                    yield response
        yield self._last(reader)

    async def _apieces(
        self, messages: Sequence[ChatMessage], kwargs: dict[str, Any]
    ) -> AsyncGenerator[ChatResponse]:
        reader = Reader()
        with self._translated():
            stream = await self._acreate(messages, kwargs, stream=True)
        async with stream:
            while True:
                with self._translated():  # not around the `yield`, as above
                    chunk = await anext(stream, _END)
                    response = None if chunk is _END else reader.read(chunk)
                if chunk is _END:
                    break
                if response:
                    yield response
        yield self._last(reader)

    def _last(self, reader: Reader) -> ChatResponse:
        # A page of HTML, or a reply that came whole, is a stream without a single chunk.
        self._require(reader.has_reply)
        with self._translated():
            return reader.last()

    def _require(self, reply: object) -> None:
        if not reply:
            raise ModelError("model.no_reply", address=shown(self.base_url))

    def _create(
        self, messages: Sequence[ChatMessage], kwargs: dict[str, Any], *, stream: bool
    ) -> Any:
        if self.model == FIRST_LISTED:
            self._take_first(self._client.models.list().data)
        while True:
            request = self._request(messages, kwargs, stream=stream)
            try:
                return self._client.chat.completions.create(**request)
            except openai.BadRequestError as error:
                self._adapt(error)

    async def _acreate(
        self, messages: Sequence[ChatMessage], kwargs: dict[str, Any], *, stream: bool
    ) -> Any:
        if self.model == FIRST_LISTED:
            self._take_first((await self._async_client.models.list()).data)
        while True:
            request = self._request(messages, kwargs, stream=stream)
            try:
                return await self._async_client.chat.completions.create(**request)
            except openai.BadRequestError as error:
                self._adapt(error)

    def _take_first(self, listed: Sequence[Model]) -> None:
        if not listed:
            raise ModelNotFound("model.none_listed", address=shown(self.base_url))
        name = listed[0].id
        if not isinstance(name, str):  # the client takes what comes, whatever its types say
            raise TypeError(name)
        self.model = name

    def _request(
        self, messages: Sequence[ChatMessage], kwargs: dict[str, Any], *, stream: bool
    ) -> dict[str, Any]:
        wanted = {"max_tokens": self.max_tokens, "temperature": self.temperature, **kwargs}
        if stream:
            wanted |= {"stream": True, "stream_options": {"include_usage": True}}
        if "max_tokens" in self._refused:
            wanted["max_completion_tokens"] = wanted["max_tokens"]
        return {
            "extra_body": self.extras,
            "model": self.model,
            "messages": [{"role": m.role.value, "content": m.content or ""} for m in messages],
            **{name: value for name, value in wanted.items() if name not in self._refused},
        }

    def _adapt(self, error: openai.BadRequestError) -> None:
        # Endpoints differ in what they take. What one refuses by name is left out (`max_tokens`:
        # sent under its newer name) from then on; anything else is the caller's to know.
        for name in ("max_tokens", "temperature", "stream_options"):
            if name not in self._refused and (error.param == name or name in error.message):
                self._refused.add(name)
                return
        raise error

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (openai.AuthenticationError, openai.PermissionDeniedError):
            # The endpoint's own words may repeat the key, so they are not even chained.
            raise ModelError("model.key_refused", address=shown(self.base_url)) from None
        except (openai.APIError, json.JSONDecodeError) as error:
            raise self._failure(error) from error
        except _MISREAD as error:
            raise ModelError("model.unreadable", address=shown(self.base_url)) from error

    def _failure(self, error: openai.APIError | json.JSONDecodeError) -> ModelError:
        if is_too_long(error):
            return ContextTooLong("model.too_long", model=self.model, tokens=self.context_window)
        if isinstance(error, openai.NotFoundError):
            return ModelNotFound("model.not_there", model=self.model, address=shown(self.base_url))
        return failure(error, self.base_url, key=self._key)


async def _completions(pieces: AsyncGenerator[ChatResponse]) -> AsyncGenerator[CompletionResponse]:
    async with aclosing(pieces):
        async for completion in astream_chat_response_to_completion_response(pieces):
            yield completion
