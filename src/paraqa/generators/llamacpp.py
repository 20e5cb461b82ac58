"""The local model: joined once, then served by llama.cpp in this process, to this process."""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr

from paraqa.errors import ModelError, ModelUnavailable
from paraqa.events import Preparing
from paraqa.generators import weights
from paraqa.settings import LlmSettings

if TYPE_CHECKING:
    from paraqa.generators.openai import OpenAICompatible

ALIAS = "qwen2.5-coder-1.5b-instruct"
_BEAT = 0.2  # seconds between two looks at the work
_PROMPT_CACHE = 256  # MiB of read prompts kept; llama.cpp would take 8 GiB


class LocalModel:
    """The local model over its life: not there, being made ready, ready, closed.

    However many questions wait for it, it is made ready once; when the last of them is given up,
    the joining stops.
    """

    def __init__(self, settings: LlmSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._work: _Work | None = None

    @property
    def status(self) -> Preparing:
        """How far it is: the step that runs, or would be next."""
        work = self._work
        return work.state if work else Preparing(step="joining", total=weights.PUBLISHED.size)

    async def prepare(self) -> AsyncGenerator[Preparing]:
        """Steps of making the model ready; the last is `ready`. Raises ModelError."""
        work = self._wait_for_it()
        try:
            while not work.finished.is_set():
                yield work.state
                await asyncio.sleep(_BEAT)
        finally:
            self._leave(work)
        work.result()
        yield work.state

    @property
    def llm(self) -> OpenAICompatible:
        """The model once it is ready."""
        if self._work is None:
            raise ModelUnavailable("model.not_ready")
        return self._work.result()

    def close(self) -> None:
        """Let the model go: its memory is free and its port closed."""
        with self._lock:
            work, self._work = self._work, None
        if work is not None:
            work.stop.set()
            work.finished.wait()
            work.drop()

    def _wait_for_it(self) -> _Work:
        with self._lock:
            if self._work is None or self._work.is_lost:
                self._work = _Work(self._settings)
            self._work.waiting += 1
            return self._work

    def _leave(self, work: _Work) -> None:
        with self._lock:
            work.waiting -= 1
            if work.waiting == 0:
                work.stop.set()  # joining stops; a model that is being loaded, or is, stays


class _Work:
    """One attempt at making the model ready, in a thread of its own."""

    def __init__(self, settings: LlmSettings) -> None:
        self._settings = settings
        self._llm: OpenAICompatible | None = None
        self._server: Any = None
        self._error: Exception | None = None
        self.state = Preparing(step="joining", total=weights.PUBLISHED.size)
        self.waiting = 0
        self.stop = threading.Event()
        self.finished = threading.Event()
        threading.Thread(target=self._run, name="paraqa-local-model").start()

    @property
    def is_lost(self) -> bool:
        """Whether it failed, or was stopped before the model was there."""
        return self._error is not None or (self.stop.is_set() and self.state.step == "joining")

    def result(self) -> OpenAICompatible:
        """The model. Raises what went wrong."""
        if self._llm is not None:
            return self._llm
        if self._error is None or isinstance(self._error, weights.Stopped):
            raise ModelUnavailable("model.not_ready")
        raise self._error

    def drop(self) -> None:
        """Free the model."""
        self._llm = self._server = None

    def _run(self) -> None:
        try:
            file = weights.ready(
                weights.path(self._settings.cache),
                report=self._report,
                is_stopped=self.stop.is_set,
            )
            self.state = Preparing(step="loading")
            self._serve(str(file))
            self.state = Preparing(step="ready")
        except Exception as error:  # noqa: BLE001 - raised again by whoever waits for the result
            self._error = error
        finally:
            self.finished.set()

    def _report(self, done: int) -> None:
        self.state = Preparing(step="joining", done=done, total=weights.PUBLISHED.size)

    def _serve(self, file: str) -> None:
        from paraqa.generators.openai import OpenAICompatible

        key = secrets.token_urlsafe(32)
        self._server = _server(file, key, self._settings)
        self._llm = OpenAICompatible(
            model=ALIAS,
            base_url=self._server.listening_address + "/v1",
            api_key=SecretStr(key),
            context_window=self._settings.context_window,
            max_tokens=self._settings.max_tokens,
            timeout=self._settings.timeout,
            extras={"timings_per_token": True},
        )


def _server(file: str, key: str, settings: LlmSettings) -> Any:
    import xllamacpp

    given = xllamacpp.CommonParams()
    given.model.path = file
    given.model_alias = {ALIAS}  # the model list would show the file's whole path
    given.n_ctx = settings.context_window
    # Two slots over one cache: each language keeps the prompt prefix that it begins with.
    given.n_parallel = 2
    given.kv_unified = True
    given.cache_ram_mib = _PROMPT_CACHE
    for cpu in (given.cpuparams, given.cpuparams_batch):
        cpu.n_threads = settings.threads
        cpu.poll = 0  # threads that spin while they wait cost a busy machine most of its speed
    given.n_gpu_layers = 0
    given.hostnames = ["127.0.0.1"]
    given.port = 0
    given.api_keys = [key]
    given.cors_origins = "http://127.0.0.1"
    given.cors_credentials = False
    given.ui = given.endpoint_slots = given.endpoint_props = given.endpoint_metrics = False
    given.offline = True
    given.verbosity = 0
    try:
        return xllamacpp.Server(given)
    except Exception as error:
        raise ModelError("model.cannot_load", path=file, problem=str(error)) from error
