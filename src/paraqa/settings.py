"""Every knob, its default and its bounds. Values only: nothing is built here.

Order: arguments, environment (`PARAQA_LLM__MODEL=…`), `paraqa.toml` in the working directory,
defaults. An unknown key is an error, wherever it was set.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, ValidationError
from pydantic_core import PydanticCustomError
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from paraqa.errors import SettingsError

FILE = "paraqa.toml"
PREFIX = "PARAQA_"
_NOT_AN_ADDRESS = "settings.not_an_address"


def _web_address(given: str) -> str:
    try:
        parts = urlsplit(given)
        is_valid = (
            parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and parts.port != 0
            # `urlsplit` takes some of them away, and the endpoint would not be asked without them.
            and not any(c.isspace() or not c.isprintable() for c in given)
        )
    except ValueError:  # a port out of range, brackets without an IPv6 address in them
        is_valid = False
    if not is_valid:
        raise PydanticCustomError(_NOT_AN_ADDRESS, "http(s)://HOST[:PORT]")
    return given


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class StoreSettings(_Section):
    """Where papers and vectors are kept."""

    path: Path = Field(Path("vectorstore"), description="folder of the catalog and the vectors")
    seeds: Path = Field(Path("seeds"), description="listings read when no path is given")


class EmbeddingSettings(_Section):
    """The model that turns text into vectors."""

    model: str = Field(
        "bundled:default",
        description="bundled:default, bundled:int8 (faster, a little less exact), bundled:e5 "
        "(one model of the two), openai:NAME (any compatible endpoint), or package.module:Class",
    )
    threads: int = Field(2, ge=1, le=64, description="texts embedded at the same time")
    batch: int = Field(
        64, ge=1, le=2048, description="passages per write to the store, texts per endpoint call"
    )
    large: int = Field(
        1000, ge=1, description="passages from which an ingestion says how long it will take"
    )
    cache: Path | None = Field(
        None, description="folder of the prepared model and its vectors; unset, the user's cache"
    )
    cache_mb: int = Field(
        2000, ge=0, le=1_000_000, description="megabytes of vectors kept for a model; 0 keeps none"
    )
    base_url: Annotated[str, AfterValidator(_web_address)] | None = Field(
        None, description="address of an OpenAI-compatible endpoint for embeddings"
    )
    api_key: SecretStr | None = Field(None, description="its key; never written to a log")
    timeout: float = Field(120.0, gt=0, description="seconds to wait for that endpoint")
    dimensions: int | None = Field(
        None, ge=1, le=65_536, description="numbers asked of it per vector; unset, its default"
    )
    query_prefix: str = Field("", description="put before a question sent to it")
    passage_prefix: str = Field("", description="put before a passage sent to it")


class LlmSettings(_Section):
    """The model that phrases answers."""

    model: str = Field(
        "auto", description="auto, local, extractive, or openai:NAME (any compatible endpoint)"
    )
    base_url: Annotated[str, AfterValidator(_web_address)] | None = Field(
        None, description="address of an OpenAI-compatible endpoint"
    )
    api_key: SecretStr | None = Field(None, description="its key; never written to a log")
    context_window: int = Field(4096, ge=512, le=1_000_000, description="tokens the model can hold")
    max_tokens: int = Field(128, ge=16, le=4096, description="longest sentence, in tokens")
    threads: int = Field(2, ge=1, le=64, description="threads of the local model")
    timeout: float = Field(120.0, gt=0, description="seconds to wait for an endpoint")
    cache: Path | None = Field(
        None, description="folder of the joined local model; unset, the user's cache folder"
    )


class RetrievalSettings(_Section):
    """How papers are found; the defaults were chosen on `evals/parallelism` (docs/retrieval.md)."""

    k: int = Field(8, ge=1, le=1000, description="papers shown for a question")
    depth: int = Field(200, ge=1, le=10_000, description="papers read from each ranking")
    dense_weight: float = Field(0.4, ge=0, le=1, description="share of the dense ranking")
    glossary_weight: float = Field(1.0, ge=0, le=1, description="weight of translated terms")
    bridge_weight: float = Field(0.7, ge=0, le=1, description="weight of related terms")
    bigram_weight: float = Field(0.5, ge=0, le=1, description="weight of Chinese bigrams")
    passages: int = Field(3, ge=1, le=20, description="best passages shown per paper")
    list_k: int = Field(50, ge=1, le=1000, description="most papers shown for a whole list")
    cutoff: float = Field(
        0.4, ge=0, le=1, description="share of the best score that a match must have"
    )
    strong: float = Field(0.5, ge=0, le=1, description="share of a question that is a strong match")
    weak: float = Field(0.15, ge=0, le=1, description="share of a question that is a match at all")
    spelling_weight: float = Field(0.8, ge=0, le=1, description="weight of corrected spellings")
    glossary: Path | None = Field(
        None, description="file of further terms, in the format of glossary.tsv"
    )


class AnswerSettings(_Section):
    """How answers are written."""

    papers: int = Field(3, ge=1, le=50, description="papers read for a direct question")
    list_papers: int = Field(6, ge=1, le=50, description="papers of a list that the model phrases")
    listed: int = Field(50, ge=1, le=1000, description="papers of a list told in all")
    evidence: int = Field(600, ge=100, le=20_000, description="characters of a paper in a prompt")


class VerifySettings(_Section):
    """When the system says that the corpus is silent."""

    min_cover: float = Field(
        0.15, ge=0, le=1, description="least idf-weighted share of the question that a hit holds"
    )


class ServerSettings(_Section):
    """Where the page and the HTTP interface listen."""

    host: str = Field("127.0.0.1", description="address to listen on")
    port: int = Field(7860, ge=0, le=65535, description="port; 0 picks a free one")


class UiSettings(_Section):
    """What the page shows at first."""

    lang: Literal["auto", "en", "zh"] = Field("auto", description="language of the page")


class Settings(BaseSettings):
    """All settings."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter="__",
        frozen=True,
        extra="forbid",
    )

    store: StoreSettings = StoreSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    llm: LlmSettings = LlmSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    answer: AnswerSettings = AnswerSettings()
    verify: VerifySettings = VerifySettings()
    server: ServerSettings = ServerSettings()
    ui: UiSettings = UiSettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments, then the environment, then the file."""
        return init_settings, env_settings, InitSettingsSource(settings_cls, _read(FILE))


def load(**changes: dict[str, Any]) -> Settings:
    """The settings in force, with `changes` (section to values) on top.

    Raises SettingsError, naming the key and where it was set.
    """
    _refuse_unknown_variables()
    build: Callable[..., Settings] = Settings
    try:
        return build(**changes)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        where = _origin(key, changes)
        if first["type"] == _NOT_AN_ADDRESS:  # not chained: pydantic repeats a password in it
            raise SettingsError(_NOT_AN_ADDRESS, name=key, where=where) from None
        raise SettingsError(
            "settings.invalid", name=key, where=where, problem=first["msg"]
        ) from error


def describe() -> list[tuple[str, str, str]]:
    """Each setting as (key, default, meaning)."""
    rows = []
    for section, field in Settings.model_fields.items():
        for name, knob in type(field.default).model_fields.items():
            rows.append((f"{section}.{name}", str(knob.default), knob.description or ""))
    return rows


def _read(path: str) -> dict[str, Any]:
    try:
        content = Path(path).read_bytes()
    except FileNotFoundError:
        return {}
    except OSError as error:
        problem = error.strerror or type(error).__name__
        raise SettingsError("settings.unreadable", path=path, problem=problem) from error
    try:
        return tomllib.loads(content.decode("utf-8-sig"))  # some editors begin a file with a BOM
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError("settings.malformed", path=path, problem=str(error)) from error


def _refuse_unknown_variables() -> None:
    known = {PREFIX + key.upper().replace(".", "__") for key, _, _ in describe()}
    for name in os.environ:
        if name.upper().startswith(PREFIX) and name.upper() not in known:
            raise SettingsError("settings.unknown_variable", name=name)


def _origin(key: str, changes: dict[str, dict[str, Any]]) -> str:
    section, _, name = key.partition(".")
    if name in changes.get(section, {}):
        return "argument"
    variable = PREFIX + key.upper().replace(".", "__")
    return variable if variable in (n.upper() for n in os.environ) else FILE
