"""Shared fixtures: the library over the listing that ships, with the real models."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from paraqa import Library

ROOT = Path(__file__).parent.parent
SEEDS = ROOT / "seeds"

# A shell starts background jobs with Ctrl-C ignored, and the commands under test would inherit it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# What a desktop may set must not change what the tests see.
for name in [n for n in os.environ if n.startswith("PARAQA_")]:
    del os.environ[name]


@pytest.fixture(scope="session")
def seed_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of the 54 papers, to be copied: one process owns a store."""
    from paraqa import Library

    path = tmp_path_factory.mktemp("seed") / "vectorstore"
    with Library.open(path) as library:
        report = library.ingest_sync([SEEDS])
    assert report.added == 54
    return path


@pytest.fixture(scope="session")
def seed_library(seed_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """The library over the 54 papers."""
    from paraqa import Library

    copy = shutil.copytree(seed_store, tmp_path_factory.mktemp("library") / "vectorstore")
    with Library.open(copy) as library:
        yield library
