import asyncio
import shutil
from pathlib import Path

import pytest

from paraqa import Library
from paraqa.errors import QuestionError, StoreError, StoreNotFound
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


def test_fewer_than_one_paper_cannot_be_asked_for(path):
    with opened(path) as library, pytest.raises(QuestionError, match="1 or more"):
        library.search_sync("Zeus?", k=0)


def test_one_path_may_be_given_alone(tmp_path, listing):
    with opened(tmp_path / "other") as library:
        assert library.ingest_sync(str(listing)).added == 2


async def test_an_answer_streams_evidence_then_claims_then_the_whole(path):
    with opened(path) as library:
        events = [event async for event in library.ask("Which paper optimizes GPU energy?")]
    kinds = [event.kind for event in events]
    assert kinds[:2] == ["understood", "retrieved"]
    assert kinds[-1] == "finished"
    answer = events[-1].answer
    assert answer.status == "answered"
    assert list(answer.claims) == [event.claim for event in events if event.kind == "settled"]
    for claim in answer.claims:
        for citation in claim.citations:
            paper = answer.hits[citation.number - 1].paper
            assert paper.text[citation.start : citation.end] == citation.quote


async def test_a_closed_stream_leaves_the_library_usable(path):
    with opened(path) as library:
        stream = library.ask("Which paper optimizes GPU energy?")
        assert (await anext(stream)).kind == "understood"
        await stream.aclose()
        assert (await library.answer("Which paper optimizes GPU energy?")).status == "answered"
