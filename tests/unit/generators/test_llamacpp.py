"""The life of the local model, short of loading it (see tests/integration/test_local_model)."""

from __future__ import annotations

import asyncio
import threading
from contextlib import aclosing
from pathlib import Path

import pytest
from filelock import FileLock

from paraqa.errors import ModelError, ModelUnavailable
from paraqa.generators import weights
from paraqa.generators.llamacpp import LocalModel
from paraqa.settings import LlmSettings


def is_working() -> bool:
    return any(thread.name == "paraqa-local-model" for thread in threading.enumerate())


async def until_idle() -> None:
    for _ in range(50):
        if not is_working():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it is still at work")


def test_before_it_is_prepared_it_is_still_to_be_joined(tmp_path: Path) -> None:
    local = LocalModel(LlmSettings(cache=tmp_path))
    assert (local.status.step, local.status.done) == ("joining", 0)
    assert local.status.total == weights.PUBLISHED.size
    with pytest.raises(ModelUnavailable):
        _ = local.llm
    local.close()
    assert not is_working()


async def test_what_goes_wrong_is_told_to_each_who_asks(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    local = LocalModel(LlmSettings(cache=tmp_path / "file"))
    for _ in range(2):
        with pytest.raises(ModelError) as caught:
            [step async for step in local.prepare()]
        assert caught.value.key == "model.cannot_join"


async def test_giving_up_stops_the_joining(tmp_path: Path) -> None:
    local = LocalModel(LlmSettings(cache=tmp_path))
    with FileLock(str(weights.path(tmp_path)) + ".lock"):
        async with aclosing(local.prepare()) as steps:
            assert (await anext(steps)).step == "joining"
        await until_idle()
    assert not weights.path(tmp_path).exists()


async def test_it_goes_on_while_one_of_two_still_waits(tmp_path: Path) -> None:
    local = LocalModel(LlmSettings(cache=tmp_path))
    with FileLock(str(weights.path(tmp_path)) + ".lock"):
        async with aclosing(local.prepare()) as steps:
            await anext(steps)
            async with aclosing(local.prepare()) as others:
                await anext(others)
            await asyncio.sleep(0.5)
            assert is_working()
        await until_idle()


async def test_closing_it_ends_the_wait_of_those_who_wait(tmp_path: Path) -> None:
    local = LocalModel(LlmSettings(cache=tmp_path))
    with FileLock(str(weights.path(tmp_path)) + ".lock"):
        async with aclosing(local.prepare()) as steps:
            await anext(steps)
            await asyncio.to_thread(local.close)
            with pytest.raises(ModelUnavailable):
                [step async for step in steps]
    assert not is_working()
