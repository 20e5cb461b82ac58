"""The embedding at an OpenAI-compatible address, against a scripted one over real HTTP."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from pydantic import SecretStr

from paraqa.embedders import build
from paraqa.embedders.cache import CachedEmbedding
from paraqa.embedders.openai import OpenAICompatibleEmbedding
from paraqa.errors import ModelError, ModelNotFound, ModelUnavailable
from paraqa.settings import EmbeddingSettings
from scripted import Endpoint, endpoint

KEY = "sk-very-secret"


def reply(*vectors: Any, **more: Any) -> tuple[int, dict[str, Any]]:
    data = [
        {"object": "embedding", "index": place, "embedding": vector}
        for place, vector in enumerate(vectors)
    ]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return 200, {"object": "list", "data": data, "model": "m", "usage": usage} | more


def settings(server: Endpoint, **more: Any) -> EmbeddingSettings:
    values: dict[str, Any] = {"base_url": server.address, "api_key": SecretStr(KEY), "timeout": 5.0}
    return EmbeddingSettings(model="openai:m", **(values | more))


def model_at(server: Endpoint, **more: Any) -> OpenAICompatibleEmbedding:
    return OpenAICompatibleEmbedding.of(settings(server, **more), "m")


def error_of(answer: Any, texts: int = 1, **more: Any) -> ModelError:
    with endpoint(answer) as server, pytest.raises(ModelError) as caught:
        model_at(server, **more).get_text_embedding_batch([str(n) for n in range(texts)])
    for lang in ("en", "zh"):
        assert KEY not in caught.value.message(lang) + caught.value.hint(lang)
    return caught.value


def test_texts_are_sent_together_and_vectors_come_back_in_their_order():
    status, body = reply([1.0, 2.0], [3, 4])
    body["data"].reverse()
    with endpoint((status, body)) as server:
        assert model_at(server).get_text_embedding_batch(["a", "b"]) == [[1.0, 2.0], [3.0, 4.0]]
    assert len(server.requests) == 1
    assert server.requests[0]["input"] == ["a", "b"]
    assert server.requests[0]["model"] == "m"
    assert server.requests[0]["encoding_format"] == "float"
    assert "dimensions" not in server.requests[0]
    assert server.keys == [f"Bearer {KEY}"]


def test_no_more_texts_are_sent_at_once_than_the_batch_has():
    with endpoint(reply([1.0], [2.0]), reply([3.0])) as server:
        model = model_at(server, batch=2)
        assert model.get_text_embedding_batch(["a", "b", "c"]) == [[1.0], [2.0], [3.0]]
    assert [request["input"] for request in server.requests] == [["a", "b"], ["c"]]


async def test_questions_and_passages_have_prefixes_of_their_own():
    with endpoint(reply([1.0])) as server:
        model = model_at(server, query_prefix="问：", passage_prefix="passage: ")
        model.get_query_embedding("a")
        model.get_text_embedding("b")
        await model.aget_query_embedding("c")
        await model.aget_text_embedding("d")
        await model.aget_text_embedding_batch(["e"])
    sent = [request["input"][0] for request in server.requests]
    assert sent == ["问：a", "passage: b", "问：c", "passage: d", "passage: e"]


def test_what_no_endpoint_takes_is_left_out_or_replaced():
    with endpoint(reply([1.0], [1.0], [1.0])) as server:
        model_at(server).get_text_embedding_batch(["", "a\0\ud800b", "x" * 5000])
    assert server.requests[0]["input"] == [" ", "ab", "x" * 2000]


def test_the_number_of_dimensions_is_asked_for_and_checked():
    with endpoint(reply([1.0, 2.0])) as server:
        assert model_at(server, dimensions=2).get_text_embedding("a") == [1.0, 2.0]
    assert server.requests[0]["dimensions"] == 2
    error = error_of(reply([1.0, 2.0, 3.0]), dimensions=2)
    assert (error.key, error.values["found"]) == ("embedding.wrong_length", 3)


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        (reply([1.0]), "wrong_count"),
        (reply([1.0], [1.0], [1.0]), "wrong_count"),
        (reply([1.0], [1.0, 2.0]), "wrong_length"),
        (reply([1.0], [math.nan]), "not_finite"),
        (reply([1.0], [math.inf]), "not_finite"),
        (reply([1.0], [1e300]), "not_finite"),
        (reply([1.0], []), "unreadable"),
        (reply([1.0], [None]), "unreadable"),
        (reply([1.0], ["1.0"]), "unreadable"),
        (reply([1.0], [[1.0]]), "unreadable"),
        (reply([1.0], "AAAA"), "unreadable"),
        (reply([1.0], None), "unreadable"),
        (reply(data=[]), "wrong_count"),
        (reply(data=None), "unreadable"),
        (reply(data="vectors"), "unreadable"),
        ((200, {}), "unreadable"),
        (reply(data=[{"embedding": [1.0], "index": n} for n in (1, 2)]), "unreadable"),
        (reply(data=[{"embedding": [1.0], "index": n} for n in (0, 0)]), "unreadable"),
        (reply(data=[{"embedding": [1.0]}, {"embedding": [1.0]}]), "unreadable"),
    ],
)
def test_vectors_that_are_not_those_asked_for_are_refused(answer, key):
    assert error_of(answer, texts=2).key == "embedding." + key


@pytest.mark.parametrize(
    ("status", "key", "kind"),
    [
        (401, "key_refused", ModelError),
        (403, "key_refused", ModelError),
        (404, "not_there", ModelNotFound),
        (400, "refused", ModelError),
        (429, "throttled", ModelUnavailable),
        (500, "failed", ModelUnavailable),
        (503, "failed", ModelUnavailable),
    ],
)
def test_the_endpoints_failures_are_errors_of_ours_without_the_key(status, key, kind):
    error = error_of((status, {"error": {"message": f"no: {KEY}"}}))
    assert error.key == "embedding." + key
    assert type(error) is kind


def test_an_endpoint_that_is_not_there_can_be_asked_again():
    with endpoint(reply([1.0])) as server:
        model = model_at(server)
    with pytest.raises(ModelUnavailable) as caught:
        model.get_query_embedding("a")
    assert caught.value.key == "embedding.unreachable"


def test_the_user_and_the_password_in_an_address_are_not_repeated():
    with endpoint((500, {})) as server:
        address = server.address.replace("://", "://somebody:hunter2@")
        with pytest.raises(ModelUnavailable) as caught:
            model_at(server, base_url=address).get_query_embedding("a")
    assert "hunter2" not in str(caught.value)
    assert "127.0.0.1" in str(caught.value)


def test_a_key_in_the_environment_is_not_sent_to_another_address(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with endpoint(reply([1.0])) as server:
        model_at(server, api_key=None).get_text_embedding("a")
    assert KEY not in server.keys[0]


def test_the_key_is_in_nothing_that_the_embedding_shows_of_itself():
    with endpoint(reply([1.0])) as server:
        model = model_at(server)
    assert KEY not in repr(model) + json.dumps(model.to_payload()) + model.model_dump_json()


def built(server: Endpoint, **more: Any) -> CachedEmbedding:
    return build(settings(server, **more))


def test_what_it_embedded_is_kept_for_this_endpoint_and_these_settings(tmp_path):
    with endpoint(reply([1.0])) as server, endpoint(reply([2.0])) as other:
        for _ in range(2):
            assert built(server, cache=tmp_path).get_text_embedding("a") == [1.0]
        assert len(server.requests) == 1
        assert built(other, cache=tmp_path).get_text_embedding("a") == [2.0]
        assert built(server, cache=tmp_path, passage_prefix="p").get_text_embedding("a") == [1.0]
        assert len(server.requests) == 2
        assert built(server, cache=tmp_path, cache_mb=0).get_text_embedding("a") == [1.0]
        assert len(server.requests) == 3
        assert built(server, cache=tmp_path).model_name == "openai:m"
