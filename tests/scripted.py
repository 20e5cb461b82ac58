"""Stand-ins that are real: an OpenAI-compatible HTTP server, and a llama-index LLM, on a script."""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from llama_index.core.base.llms.types import (
    ChatMessage,
    ChatResponse,
    CompletionResponse,
    LLMMetadata,
    MessageRole,
)
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.llms import CustomLLM

from paraqa.types import ModelUsage

Reply = list[dict[str, Any]] | tuple[int, dict[str, Any]]


def chunk(text: str | None, *, finish: str | None = None, **more: Any) -> dict[str, Any]:
    """One streamed chunk of the protocol."""
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": finish}
    return {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "m"} | {
        "choices": [choice],
        **more,
    }


@dataclass
class Endpoint:
    """An endpoint that answers each chat call with the next reply of its script.

    A reply is a list of chunks (streamed, then the end mark), or a status with a body. The last
    reply is repeated.
    """

    replies: list[Reply]
    address: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    sent: int = 0  # chunks written before the client hung up
    hung_up: threading.Event = field(default_factory=threading.Event)
    pause: Callable[[], object] = lambda: None  # called before each chunk
    raw: bytes = b""  # sent as it is after the chunks

    def next_reply(self) -> Reply:
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


@contextmanager
def endpoint(*replies: Reply, **more: Any) -> Iterator[Endpoint]:
    """A scripted endpoint on a free loopback port."""
    script = Endpoint(list(replies), **more)

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            self._json(200, {"object": "list", "data": [{"id": "listed", "object": "model"}]})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            script.requests.append(json.loads(body))
            script.keys.append(self.headers["Authorization"])
            reply = script.next_reply()
            if isinstance(reply, tuple):
                self._json(*reply)
            else:
                self._stream(reply)

        def _json(self, status: int, body: dict[str, Any]) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def _stream(self, chunks: Sequence[dict[str, Any]]) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            try:
                for piece in chunks:
                    script.pause()
                    self.wfile.write(f"data: {json.dumps(piece)}\n\n".encode())
                    self.wfile.flush()
                    script.sent += 1
                self.wfile.write(script.raw + b"data: [DONE]\n\n")
            except OSError:
                script.hung_up.set()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    script.address = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield script
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class ScriptedLLM(CustomLLM):
    """A llama-index LLM that streams the next reply of its script, a few characters at a time.

    A reply may be an exception, which it raises; `finish` is how the replies end. Asked for one
    token, it says yes with `likelihood`.
    """

    replies: list[Any]
    finish: str | None = "stop"
    piece: int = 5
    likelihood: float = 1.0
    model: str = "scripted"
    _prompts: list[Sequence[ChatMessage]] = PrivateAttr(default_factory=list)
    _closed: list[int] = PrivateAttr(default_factory=list)

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(context_window=4096, is_chat_model=True, model_name=self.model)

    @property
    def prompts(self) -> list[str]:
        """The user part of each prompt it was given."""
        return [str(messages[-1].content) for messages in self._prompts]

    @property
    def systems(self) -> list[str]:
        """The system part of each prompt it was given."""
        return [str(messages[0].content) for messages in self._prompts]

    @property
    def closed_after(self) -> list[int]:
        """For each stream that was closed before its end, the characters it had sent."""
        return self._closed

    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        raise NotImplementedError

    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> Any:
        raise NotImplementedError

    async def achat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        assert kwargs["max_tokens"] == 1
        return _response(
            "yes",
            "",
            usage=ModelUsage(calls=1, prompt_tokens=7),
            probabilities={" Yes": self.likelihood, "否": 1 - self.likelihood},
        )

    async def astream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> Any:
        self._prompts.append(messages)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        return self._stream(reply)

    async def _stream(self, reply: str | Exception) -> AsyncGenerator[ChatResponse]:
        if isinstance(reply, Exception):
            raise reply
        end = 0
        try:
            while end < len(reply):
                start, end = end, min(end + self.piece, len(reply))
                yield _response(reply[:end], reply[start:end])
            usage = ModelUsage(calls=1, prompt_tokens=10, generated_tokens=5)
            yield _response(reply, "", finish_reason=self.finish, usage=usage)
        except GeneratorExit:
            self._closed.append(end)
            raise


def _response(text: str, added: str, **more: Any) -> ChatResponse:
    message = ChatMessage(role=MessageRole.ASSISTANT, content=text)
    return ChatResponse(message=message, delta=added, additional_kwargs=more)
