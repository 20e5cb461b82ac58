"""Two embeddings as one."""

import math
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from llama_index.core.bridge.pydantic import PrivateAttr

from fakes import HashEmbedding
from paraqa.embedders.pair import PairEmbedding


class Scaled(HashEmbedding):
    """Vectors that are not of unit length: seven times as long."""

    def _vector(self, text: str) -> list[float]:
        return [7.0 * value for value in super()._vector(text)]


class Meeting(HashEmbedding):
    """An embedding that answers a question only while the other one works on it too."""

    _barrier: threading.Barrier = PrivateAttr()

    def _get_query_embedding(self, query: str) -> list[float]:
        self._barrier.wait(10)
        return super()._get_query_embedding(query)


def cosine(one: list[float], other: list[float]) -> float:
    product = float(np.dot(one, other))
    return product / float(np.linalg.norm(one)) / float(np.linalg.norm(other))


def pair(share: float = 0.7) -> PairEmbedding:
    return PairEmbedding.of(HashEmbedding(), Scaled(dimension=16), share=share)


TEXT = st.text(alphabet="abc 流水线", min_size=1, max_size=12)


@given(question=TEXT, passage=TEXT, share=st.floats(0.05, 0.95))
@settings(max_examples=60, deadline=None)
def test_the_cosine_of_a_pair_is_the_weighted_mean_of_the_two(question, passage, share):
    first, second = HashEmbedding(), Scaled(dimension=16)
    both = PairEmbedding.of(first, second, share=share)
    joined = cosine(both.get_query_embedding(question), both.get_text_embedding(passage))
    one, other = (
        cosine(each.get_query_embedding(question), each.get_text_embedding(passage))
        for each in (first, second)
    )
    assert joined == pytest.approx(share * one + (1 - share) * other, abs=1e-5)


def test_a_pair_is_a_unit_vector_as_long_as_both():
    vector = pair().get_query_embedding("流水线")
    assert len(vector) == 64 + 16
    assert math.fsum(value * value for value in vector) == pytest.approx(1.0, abs=1e-6)


def test_the_share_is_that_of_the_first():
    vector = pair(0.7).get_text_embedding("流水线")
    assert math.fsum(value * value for value in vector[:64]) == pytest.approx(0.7, abs=1e-6)


def test_many_texts_are_embedded_as_each_is():
    both = pair()
    texts = ["流水线", "pipeline", ""]
    assert both.get_text_embedding_batch(texts) == [both.get_text_embedding(t) for t in texts]
    assert both.get_text_embedding_batch([]) == []


async def test_asynchronous_calls_give_the_same_vectors():
    both = pair()
    assert await both.aget_query_embedding("流水线") == both.get_query_embedding("流水线")
    assert await both.aget_text_embedding("流水线") == both.get_text_embedding("流水线")
    assert await both.aget_text_embedding_batch(["a", "b"]) == both.get_text_embedding_batch(
        ["a", "b"]
    )


def test_a_pair_is_named_by_both_and_their_share_so_that_others_share_no_store():
    names = {pair(share).model_name for share in (0.7, 0.71)}
    swapped = PairEmbedding.of(HashEmbedding(model_name="b"), HashEmbedding(), share=0.7)
    assert names == {"hash ~0.7 + hash", "hash ~0.71 + hash"}
    assert swapped.model_name == "b ~0.7 + hash"


def test_a_question_is_embedded_by_both_at_the_same_time():
    barrier = threading.Barrier(2)
    parts = (Meeting(), Meeting())
    for part in parts:
        part._barrier = barrier
    assert len(PairEmbedding.of(*parts, share=0.5).get_query_embedding("x")) == 128


def test_a_vector_of_nothing_divides_by_nothing():
    class Silent(HashEmbedding):
        def _vector(self, text: str) -> list[float]:
            return [0.0] * self.dimension

    vector = PairEmbedding.of(HashEmbedding(), Silent(), share=0.5).get_query_embedding("x")
    assert all(math.isfinite(value) for value in vector)
