"""The LLM at an OpenAI-compatible address, against a scripted one over real HTTP."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from contextlib import aclosing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from llama_index.core.base.llms.types import ChatMessage
from pydantic import SecretStr

from paraqa.errors import ContextTooLong, ModelError, ModelNotFound, ModelUnavailable
from paraqa.generators.openai import OpenAICompatible
from scripted import Endpoint, chunk, endpoint

KEY = "sk-very-secret"
MESSAGES = [ChatMessage(role="user", content="say")]
WHOLE = (
    200,
    {
        "id": "1", "object": "chat.completion", "created": 0, "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop",
                     "message": {"role": "assistant", "content": "hello"}}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11,
                  "prompt_tokens_details": {"cached_tokens": 4}},
    },
)  # fmt: skip


def model_at(server: Endpoint, **more: Any) -> OpenAICompatible:
    values: dict[str, Any] = {"model": "m", "base_url": server.address, "timeout": 5.0}
    return OpenAICompatible(api_key=SecretStr(KEY), **(values | more))


async def pieces(llm: OpenAICompatible) -> list[str]:
    async with aclosing(await llm.astream_chat(MESSAGES)) as stream:
        return [response.delta or "" async for response in stream]


def refusal(status: int, message: str, **more: Any) -> tuple[int, dict[str, Any]]:
    return status, {"error": {"message": message, **more}}


@contextmanager
def saying(kind: str, body: bytes) -> Iterator[str]:
    """The address of a server that says this, with status 200, to whatever it is asked."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.do_GET()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


async def test_a_stream_passes_over_null_deltas_empty_choices_and_the_usage_chunk() -> None:
    empty = chunk(None) | {"choices": []}
    with endpoint([chunk(None), chunk("he"), empty, chunk("llo"), chunk(None, finish="stop")]) as s:
        assert await pieces(model_at(s)) == ["he", "llo", ""]


async def test_the_last_response_holds_the_whole_text_the_finish_and_llama_cpp_timings() -> None:
    timings = {
        "prompt_n": 20, "prompt_ms": 500.0, "cache_n": 7, "predicted_n": 4, "predicted_ms": 250.0
    }  # fmt: skip
    with endpoint([chunk("hello", finish="length"), chunk(None, timings=timings)]) as server:
        stream = await model_at(server).astream_chat(MESSAGES)
        last = [response async for response in stream][-1]
    assert last.message.content == "hello"
    assert last.additional_kwargs["finish_reason"] == "length"
    assert last.additional_kwargs["usage"].model_dump() == {
        "calls": 1, "prompt_tokens": 20, "cached_tokens": 7, "generated_tokens": 4,
        "prompt_seconds": 0.5, "generation_seconds": 0.25,
    }  # fmt: skip


async def test_a_stream_closed_early_has_an_account_where_the_server_gives_one_each_time() -> None:
    timings = {"prompt_n": 3, "predicted_n": 1}
    with endpoint([chunk("he", timings=timings), chunk("llo", timings=timings)]) as server:
        stream = await model_at(server, extras={"timings_per_token": True}).astream_chat(MESSAGES)
        async with aclosing(stream):
            first = await anext(stream)
    assert first.additional_kwargs["usage"].prompt_tokens == 3
    assert server.requests[0]["timings_per_token"] is True


def test_the_likelihoods_of_the_first_token_are_given_where_they_were_asked_for() -> None:
    top = [{"token": "yes", "logprob": 0.0, "bytes": None}]
    content = [{"token": "yes", "logprob": 0.0, "bytes": None, "top_logprobs": top}]
    choice = WHOLE[1]["choices"][0] | {"logprobs": {"content": content, "refusal": None}}
    with endpoint((200, WHOLE[1] | {"choices": [choice]})) as server:
        response = model_at(server).chat(MESSAGES, logprobs=True, top_logprobs=20)
    assert response.additional_kwargs["probabilities"] == {"yes": 1.0}
    assert server.requests[0]["top_logprobs"] == 20


def test_usage_without_timings_counts_cached_tokens_apart() -> None:
    with endpoint(WHOLE) as server:
        response = model_at(server).chat(MESSAGES)
    assert response.message.content == "hello"
    usage = response.additional_kwargs["usage"]
    assert (usage.prompt_tokens, usage.cached_tokens, usage.generated_tokens) == (5, 4, 2)


async def test_the_four_ways_of_chat_and_of_completion_give_the_same_text() -> None:
    streamed = [chunk("hel"), chunk("lo", finish="stop")]
    with endpoint(WHOLE) as server:
        llm = model_at(server)
        whole = [
            llm.chat(MESSAGES).message.content,
            (await llm.achat(MESSAGES)).message.content,
            llm.complete("say").text,
            (await llm.acomplete("say")).text,
        ]
    with endpoint(streamed) as server:
        llm = model_at(server)
        parts = [
            "".join(r.delta or "" for r in llm.stream_chat(MESSAGES)),
            "".join(await pieces(llm)),
            "".join(r.delta or "" for r in llm.stream_complete("say")),
            "".join([r.delta or "" async for r in await llm.astream_complete("say")]),
        ]
    assert whole == parts == ["hello"] * 4


async def test_closing_the_iterator_ends_the_request_at_the_server() -> None:
    with endpoint([chunk("word ")] * 500, pause=lambda: time.sleep(0.01)) as server:
        stream = await model_at(server).astream_chat(MESSAGES)
        async with aclosing(stream):
            await anext(stream)
        assert await asyncio.to_thread(server.hung_up.wait, 3)
        assert server.sent < 100


def test_closing_the_synchronous_iterator_ends_the_request_at_the_server() -> None:
    with endpoint([chunk("word ")] * 500, pause=lambda: time.sleep(0.01)) as server:
        stream = model_at(server).stream_chat(MESSAGES)
        next(stream)
        stream.close()
        assert server.hung_up.wait(3)
        assert server.sent < 100


async def test_a_cancelled_task_ends_the_request_at_the_server() -> None:
    with endpoint([chunk("word ")] * 500, pause=lambda: time.sleep(0.01)) as server:
        task = asyncio.create_task(pieces(model_at(server)))
        await asyncio.sleep(0.2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(server.hung_up.wait, 3)


@pytest.mark.parametrize(
    ("reply", "kind", "key"),
    [
        (refusal(401, f"Incorrect API key provided: {KEY}"), ModelError, "model.key_refused"),
        (refusal(403, f"{KEY} may not"), ModelError, "model.key_refused"),
        (refusal(404, "no such model"), ModelNotFound, "model.not_there"),
        (refusal(400, "odd request"), ModelError, "model.refused"),
        (
            refusal(400, "too long", code="context_length_exceeded"),
            ContextTooLong,
            "model.too_long",
        ),
        (
            refusal(400, "request (6030 tokens) exceeds", type="exceed_context_size_error"),
            ContextTooLong,
            "model.too_long",
        ),
        (refusal(429, "slow down"), ModelUnavailable, "model.throttled"),
        (refusal(503, f"loading {KEY}"), ModelUnavailable, "model.failed"),
    ],
)
async def test_what_the_endpoint_says_becomes_an_error_of_ours_without_the_key(
    reply: Any, kind: type[ModelError], key: str
) -> None:
    with endpoint(reply) as server, pytest.raises(kind) as caught:
        await pieces(model_at(server))
    assert caught.value.key == key
    for lang in ("en", "zh"):
        assert KEY not in caught.value.message(lang) + caught.value.hint(lang)
    if key == "model.key_refused":
        assert caught.value.__cause__ is None


async def test_an_error_inside_a_stream_is_unavailable() -> None:
    broken = [chunk("he"), {"error": {"message": "out of memory"}}]
    with endpoint(broken) as server, pytest.raises(ModelUnavailable) as caught:
        await pieces(model_at(server))
    assert "out of memory" in str(caught.value)


async def test_a_stream_that_is_no_json_is_unavailable() -> None:
    broken = endpoint([chunk("he")], raw=b"data: {oops\n\n")
    with broken as server, pytest.raises(ModelUnavailable) as caught:
        await pieces(model_at(server))
    assert caught.value.key == "model.failed"


JSON, EVENTS, PAGE = "application/json", "text/event-stream", "text/html"
WORDS = b"<html><body>Welcome</body></html>"


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (PAGE, WORDS),
        (JSON, json.dumps(WHOLE[1]).encode()),
        (JSON, b'{"status": "ok"}'),
        (JSON, b""),
        (EVENTS, b'data: {"choices": []}\n\ndata: [DONE]\n\n'),
        (EVENTS, b'data: {"choices": [{"delta": {"content": null}}]}\n\ndata: [DONE]\n\n'),
        (EVENTS, b'data: {"choices": [{"delta": null}]}\n\n'),
    ],
)
async def test_a_stream_without_words_and_without_an_end_is_no_reply(
    kind: str, body: bytes
) -> None:
    with saying(kind, body) as address:
        llm = OpenAICompatible(model="m", base_url=address, timeout=5.0)
        with pytest.raises(ModelError) as caught:
            await pieces(llm)
        with pytest.raises(ModelError) as again:
            list(llm.stream_chat(MESSAGES))
    assert caught.value.key == again.value.key == "model.no_reply"
    for lang in ("en", "zh"):
        assert address in caught.value.message(lang)
        assert "/v1" in caught.value.hint(lang)


async def test_a_stream_that_ends_in_order_without_words_is_an_empty_reply() -> None:
    with endpoint([chunk(None, finish="stop")]) as server:
        assert await pieces(model_at(server)) == [""]


@pytest.mark.parametrize(("kind", "body"), [(PAGE, WORDS), (JSON, b'{"status": "ok"}')])
async def test_a_whole_reply_without_choices_is_no_reply(kind: str, body: bytes) -> None:
    with saying(kind, body) as address:
        llm = OpenAICompatible(model="m", base_url=address, timeout=5.0)
        with pytest.raises(ModelError) as caught:
            await llm.achat(MESSAGES)
        with pytest.raises(ModelError) as again:
            llm.chat(MESSAGES)
    assert caught.value.key == again.value.key == "model.no_reply"


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (JSON, b"\xff\xfe"),
        (EVENTS, b"data: \xff\xfe\n\n"),
        (EVENTS, b"data: null\n\n"),
        (EVENTS, b'data: ["choices"]\n\n'),
        (EVENTS, b'data: {"choices": "what"}\n\n'),
        (EVENTS, b'data: {"choices": {"delta": 1}}\n\n'),
        (EVENTS, b'data: {"choices": [{"delta": {"content": 5}}]}\n\n'),
        (EVENTS, b'data: {"choices": [{"delta": {"content": "a"}}], "usage": "much"}\n\n'),
        (EVENTS, b'data: {"choices": [{"delta": {"content": "a"}}],'
                 b' "timings": {"prompt_n": 1e999}}\n\n'),
    ],
)  # fmt: skip
async def test_a_stream_that_is_not_of_the_protocol_is_unreadable(kind: str, body: bytes) -> None:
    with saying(kind, body) as address:
        llm = OpenAICompatible(model="m", base_url=address, timeout=5.0)
        with pytest.raises(ModelError) as caught:
            await pieces(llm)
        with pytest.raises(ModelError) as again:
            list(llm.stream_chat(MESSAGES))
    assert caught.value.key == again.value.key == "model.unreadable"
    assert address in caught.value.message("zh")
    assert caught.value.__cause__ is not None


@pytest.mark.parametrize(
    ("kind", "body", "key"),
    [
        (PAGE, WORDS, "model.unreadable"),
        (PAGE, b"\xff\xfe", "model.unreadable"),
        (JSON, b"\xff\xfe", "model.failed"),
        (JSON, b'{"data": "what"}', "model.unreadable"),
        (JSON, b'{"data": [null]}', "model.unreadable"),
        (JSON, b'{"data": [{"id": 5}]}', "model.unreadable"),
        (JSON, b'{"data": []}', "model.none_listed"),
    ],
)
async def test_a_list_of_models_that_is_none_is_an_error_of_ours(
    kind: str, body: bytes, key: str
) -> None:
    with saying(kind, body) as address:
        llm = OpenAICompatible(model="auto", base_url=address, timeout=5.0)
        with pytest.raises(ModelError) as caught:
            await pieces(llm)
        with pytest.raises(ModelError) as again:
            llm.chat(MESSAGES)
    assert caught.value.key == again.value.key == key
    assert llm.model == "auto"


async def test_what_the_reader_of_a_stream_throws_into_it_stays_his_own() -> None:
    with endpoint([chunk("he"), chunk("llo", finish="stop")]) as server:
        llm = model_at(server)
        stream: Any = await llm.astream_chat(MESSAGES)
        await anext(stream)
        with pytest.raises(ValueError, match="mine"):
            await stream.athrow(ValueError("mine"))
        again: Any = llm.stream_chat(MESSAGES)
        next(again)
        with pytest.raises(ValueError, match="mine"):
            again.throw(ValueError("mine"))


async def test_nobody_at_the_address_is_unavailable_and_the_message_hides_a_password() -> None:
    with endpoint(WHOLE) as server:
        address = server.address.replace("http://", "http://user:pass@")
    llm = OpenAICompatible(model="m", base_url=address, timeout=2.0)
    with pytest.raises(ModelUnavailable) as caught:
        await pieces(llm)
    assert caught.value.key == "model.unreachable"
    assert "pass@" not in str(caught.value)


async def test_an_endpoint_that_says_nothing_is_slow() -> None:
    with endpoint([chunk("late")], pause=lambda: time.sleep(1.0)) as server:
        with pytest.raises(ModelUnavailable) as caught:
            await pieces(model_at(server, timeout=0.2))
        assert caught.value.key == "model.slow"
        await asyncio.sleep(1.0)


async def test_a_parameter_that_is_refused_is_renamed_once_and_remembered() -> None:
    use = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    script = [refusal(400, use, param="max_tokens"), [chunk("ok", finish="stop")]]
    with endpoint(*script) as server:
        llm = model_at(server)
        assert await pieces(llm) == ["ok", ""]
        assert await pieces(llm) == ["ok", ""]
    sent = [("max_tokens" in r, r.get("max_completion_tokens")) for r in server.requests]
    assert sent == [(True, None), (False, 128), (False, 128)]


async def test_the_name_auto_is_the_first_model_listed() -> None:
    with endpoint([chunk("ok", finish="stop")]) as server:
        llm = model_at(server, model="auto")
        await pieces(llm)
    assert llm.model == "listed"
    assert server.requests[0]["model"] == "listed"


async def test_calls_to_this_machine_ignore_a_system_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with endpoint([chunk("ok", finish="stop")]) as server:
        assert await pieces(model_at(server)) == ["ok", ""]


async def test_the_environment_names_neither_key_nor_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-from-the-environment")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    with endpoint([chunk("ok", finish="stop")]) as server:
        await pieces(OpenAICompatible(model="m", base_url=server.address))
    assert "environment" not in server.keys[0]


def test_the_key_is_in_no_representation() -> None:
    llm = OpenAICompatible(model="m", base_url="http://127.0.0.1:9/v1", api_key=SecretStr(KEY))
    assert KEY not in repr(llm) + str(llm.to_dict()) + llm.model_dump_json()


def test_one_model_serves_several_event_loops() -> None:
    with endpoint([chunk("ok", finish="stop")]) as server:
        llm = model_at(server)
        assert [asyncio.run(pieces(llm)) for _ in range(3)] == [["ok", ""]] * 3
