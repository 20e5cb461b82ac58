"""What every model that phrases answers must do, whichever provider it is from."""

from __future__ import annotations

import inspect
import time
from collections.abc import Iterator
from contextlib import aclosing

import pytest
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.llms import LLM

from paraqa.generators import build, resolve
from paraqa.settings import LlmSettings
from paraqa.types import ModelUsage
from scripted import chunk, endpoint

MESSAGES = [ChatMessage(role="user", content="say")]


@pytest.fixture
def llm() -> Iterator[LLM]:
    usage = {"prompt_tokens": 5, "completion_tokens": 40, "total_tokens": 45}
    words = [chunk(f"word{n} ") for n in range(40)]
    last = chunk(None, finish="stop") | {"usage": usage}
    with endpoint([*words, last], pause=lambda: time.sleep(0.002)) as server:
        settings = LlmSettings(base_url=server.address)
        yield build(settings, resolve(settings, "openai:m"))


async def test_it_streams_the_text_so_far_and_what_is_new(llm: LLM) -> None:
    stream = await llm.astream_chat(MESSAGES)
    assert inspect.isasyncgen(stream)
    text = ""
    async with aclosing(stream):
        async for response in stream:
            text += response.delta or ""
            assert response.message.content == text
    assert text.startswith("word0 word1 ")


async def test_the_last_response_has_the_finish_and_the_usage(llm: LLM) -> None:
    last = [response async for response in await llm.astream_chat(MESSAGES)][-1]
    assert last.additional_kwargs["finish_reason"] == "stop"
    assert last.additional_kwargs["usage"] == ModelUsage(
        calls=1, prompt_tokens=5, generated_tokens=40
    )


async def test_it_can_be_closed_midway_and_asked_again(llm: LLM) -> None:
    for _ in range(3):
        stream = await llm.astream_chat(MESSAGES)
        async with aclosing(stream):
            first = await anext(stream)
        assert first.delta == "word0 "


def test_it_declares_its_window_and_its_name(llm: LLM) -> None:
    assert llm.metadata.is_chat_model
    assert llm.metadata.context_window == 4096
    assert llm.metadata.num_output == 128
    assert llm.metadata.model_name == "m"
