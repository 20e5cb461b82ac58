"""Which model a name means."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest
from pydantic import SecretStr

from paraqa.errors import ModelError, ModelNotFound
from paraqa.generators import build, resolve, weights
from paraqa.settings import LlmSettings

ENDPOINT = "http://127.0.0.1:9/v1"


def settings(tmp_path: Path, **values: object) -> LlmSettings:
    return LlmSettings.model_validate({"cache": tmp_path, **values})


def test_auto_is_a_configured_endpoint_first(tmp_path: Path) -> None:
    assert resolve(settings(tmp_path, base_url=ENDPOINT)) == "openai:auto"


def test_auto_is_the_local_model_where_it_is_installed_else_extractive(tmp_path: Path) -> None:
    is_there = find_spec("xllamacpp") is not None and weights.are_installed()
    assert resolve(settings(tmp_path)) == ("local" if is_there else "extractive")


def test_an_argument_goes_before_the_setting(tmp_path: Path) -> None:
    given = settings(tmp_path, model="openai:other", base_url=ENDPOINT)
    assert resolve(given, "extractive") == "extractive"
    assert resolve(given) == "openai:other"


@pytest.mark.parametrize("name", ["gpt", "openai:", "", "local:x", "llamacpp:/m.gguf"])
def test_an_unknown_name_is_refused_with_the_known_forms(tmp_path: Path, name: str) -> None:
    with pytest.raises(ModelNotFound) as caught:
        resolve(settings(tmp_path, model=name or "?"), name or None)
    assert "extractive" in caught.value.hint("en")
    assert "openai:NAME" in caught.value.hint("zh")


def test_an_endpoint_model_gets_the_settings(tmp_path: Path) -> None:
    given = settings(tmp_path, base_url=ENDPOINT, context_window=1024, max_tokens=20)
    llm = build(given, "openai:m:7b")
    assert llm.metadata.model_name == "m:7b"
    assert (llm.metadata.context_window, llm.metadata.num_output) == (1024, 20)


def test_the_vendor_is_asked_only_where_the_reader_named_it_and_gave_a_key(tmp_path: Path) -> None:
    with pytest.raises(ModelError) as caught:
        build(settings(tmp_path), "openai:gpt")
    assert caught.value.key == "model.no_key"
    llm = build(settings(tmp_path, api_key=SecretStr("k")), "openai:gpt")
    assert llm.to_dict()["base_url"] == "https://api.openai.com/v1"
