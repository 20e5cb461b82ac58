from pathlib import Path

import pytest

from fakes import HashEmbedding
from paraqa.embedders.cache import CachedEmbedding, file
from paraqa.embedders.kept import KeptVectors


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "vectors" / "hash.sqlite"


def over(embedding: HashEmbedding, path: Path) -> CachedEmbedding:
    return CachedEmbedding.over(embedding, KeptVectors(path, limit=10**8))


class Counting(HashEmbedding):
    """Counts the questions as well."""

    def __init__(self, **values):
        super().__init__(**values)
        object.__setattr__(self, "_asked", [])

    def _get_query_embedding(self, query):
        self._asked.append(query)
        return super()._get_query_embedding(query)


def test_a_text_is_embedded_once_whoever_asks_for_it_again(path):
    first, second = HashEmbedding(), HashEmbedding()
    texts = ["流水线并行", "GPU energy"]
    cached = over(first, path)
    vectors = cached.get_text_embedding_batch(texts)
    assert cached.get_text_embedding_batch(texts) == vectors
    assert first.texts == texts
    other = over(second, path)
    assert other.get_text_embedding_batch(["new", *texts])[1:] == vectors
    assert other.get_text_embedding("GPU energy") == vectors[1]
    assert second.texts == ["new"]


def test_it_counts_what_was_really_embedded(path):
    cached = over(HashEmbedding(), path)
    assert cached.computed == 0
    cached.get_text_embedding_batch(["a", "b", "a"])
    cached.get_text_embedding_batch(["b", "c"])
    cached.get_query_embedding("d")
    assert cached.computed == 3


def test_the_same_text_twice_in_a_batch_is_embedded_once_and_given_twice(path):
    embedding = HashEmbedding()
    vectors = over(embedding, path).get_text_embedding_batch(["a", "b", "a"])
    assert embedding.texts == ["a", "b"]
    assert vectors[0] == vectors[2] != vectors[1]
    assert vectors[0] is not vectors[2]


def test_vectors_are_as_near_as_float32_to_those_of_the_model(path):
    vector = over(HashEmbedding(), path).get_text_embedding("流水线")
    assert vector == pytest.approx(HashEmbedding().get_text_embedding("流水线"), abs=1e-6)


def test_texts_that_differ_in_anything_are_different(path):
    embedding = HashEmbedding()
    texts = ["a", "A", "a ", "ａ", "a\0", ""]
    over(embedding, path).get_text_embedding_batch(texts)
    assert embedding.texts == texts


def test_half_a_character_is_passed_on_as_it_is(path):
    class Deaf(HashEmbedding):
        def _get_text_embedding(self, text):
            return super()._get_text_embedding(ascii(text))

    embedding = Deaf()
    over(embedding, path).get_text_embedding_batch(["a\ud800", "a\ud801"])
    assert embedding.texts == [r"'a\ud800'", r"'a\ud801'"]


def test_without_a_file_it_embeds_each_time_and_counts():
    embedding = HashEmbedding()
    cached = CachedEmbedding.over(embedding, None)
    assert cached.get_text_embedding("a") == cached.get_text_embedding("a")
    assert embedding.texts == ["a", "a"]
    assert cached.computed == 2


async def test_a_question_is_embedded_once_and_never_written(path):
    embedding = Counting()
    cached = over(embedding, path)
    vector = cached.get_query_embedding("流水线？")
    vector.append(1.0)  # what the caller does with it is its own business
    assert cached.get_query_embedding("流水线？") == vector[:-1]
    assert await cached.aget_query_embedding("流水线？") == vector[:-1]
    assert embedding._asked == ["流水线？"]
    assert not path.exists()


def test_of_many_questions_the_last_are_remembered():
    embedding = Counting()
    cached = CachedEmbedding.over(embedding, None)
    for number in range(257):
        cached.get_query_embedding(f"question {number}")
        cached.get_query_embedding("question 0")  # asked again and again, it is not forgotten
    cached.get_query_embedding("question 256")
    assert len(embedding._asked) == 257
    cached.get_query_embedding("question 1")
    assert len(embedding._asked) == 258


async def test_the_asynchronous_forms_give_the_same(path):
    cached = over(HashEmbedding(), path)
    vector = await cached.aget_text_embedding("a")
    assert await cached.aget_text_embedding_batch(["a"]) == [vector]
    assert cached.get_text_embedding("a") == vector
    assert cached.computed == 1


def test_name_and_batch_are_those_of_the_model(path):
    cached = over(HashEmbedding(model_name="other", embed_batch_size=7), path)
    assert (cached.model_name, cached.embed_batch_size) == ("other", 7)


def test_models_share_no_file(tmp_path):
    names = [("a",), ("b",), ("a", "x"), ("a", None), ("a", "x", 3)]
    assert len({file(tmp_path, *name) for name in names}) == len(names)
