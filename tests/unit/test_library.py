import asyncio
import shutil
from pathlib import Path

import pytest

from paraqa import Library
from paraqa.errors import StoreError, StoreNotFound
from paraqa.settings import EmbeddingSettings, LlmSettings, Settings

ZEUS = "Zeus\nUniversity of Michigan(密歇根大学)\n优化GPU能耗。\n2022-09-29 cs.DC\n"
MERAK = "Merak\n三维并行训练框架。减少流水线气泡。\n2023-03-21 cs.DC\n"
SETTINGS = Settings(
    embedding=EmbeddingSettings(model="fakes:HashEmbedding"), llm=LlmSettings(model="extractive")
)


def opened(path: Path) -> Library:
    return Library.open(path, SETTINGS)


@pytest.fixture
def listing(tmp_path) -> Path:
    path = tmp_path / "list.txt"
    path.write_text(ZEUS + MERAK, encoding="utf-8")
    return path


@pytest.fixture
def path(tmp_path, listing) -> Path:
    """A store of two papers."""
    folder = tmp_path / "vectorstore"
    with opened(folder) as library:
        library.ingest_sync([listing])
    return folder


def lose_the_folder(store: Path) -> None:
    shutil.rmtree(store / "chroma")


def lose_the_database(store: Path) -> None:
    (store / "chroma" / "chroma.sqlite3").unlink()


def test_asking_makes_no_store_in_a_folder_that_is_there(tmp_path):
    with opened(tmp_path) as library:
        for ask in (library.search_sync, library.answer_sync):
            with pytest.raises(StoreNotFound) as caught:
                ask("Zeus?")
            assert caught.value.key == "store.not_found"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("lose", [lose_the_folder, lose_the_database])
def test_a_store_without_its_vectors_is_not_asked(path, lose):
    lose(path)
    with opened(path) as library:
        for ask in (library.search_sync, library.answer_sync, library.search_sync):
            with pytest.raises(StoreError) as caught:
                ask("Zeus?")
            assert caught.value.key == "store.incomplete"
        assert "2 of 2 papers have no vectors" in caught.value.message("en")
        assert "2 篇论文中有 2 篇缺少向量" in caught.value.message("zh")
        assert "paraqa ingest" in caught.value.hint("zh")
        assert [paper.title for paper in library.papers()] == ["Zeus", "Merak"]


def test_taking_papers_in_again_makes_lost_vectors_and_then_it_is_asked(path, listing):
    lose_the_folder(path)
    with opened(path) as library:
        with pytest.raises(StoreError):
            library.search_sync("Zeus?")
        assert library.ingest_sync([listing]).updated == 2
        assert "dense" in library.search_sync("Zeus?").hits[0].ranks


async def test_a_store_that_was_whole_is_asked_while_it_takes_papers_in(path, listing):
    with opened(path) as library:
        await library.search("Zeus?")
        changed = "".join(f"T{n}\n流水线并行。\n2024-01-02 cs.DC\n" for n in range(100))
        listing.write_text(changed + ZEUS.replace("优化", "节约"), encoding="utf-8")

        async def take_in() -> None:
            async for _ in library.ingest([listing]):
                pass

        running = asyncio.create_task(take_in())
        while not running.done():
            assert (await library.search("Zeus?")).hits
        await running
        assert library.count() == 102


@pytest.mark.parametrize("ask", [Library.search_sync, Library.answer_sync])
def test_a_truncated_database_is_damaged_however_often_it_is_opened(path, ask):
    for file in (path / "chroma").rglob("*"):
        if file.is_file():
            file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    for _ in range(2):
        with opened(path) as library, pytest.raises(StoreError) as caught:
            ask(library, "Zeus?")
        assert caught.value.key == "store.damaged"
        assert "remove the folder" in caught.value.hint("en")
