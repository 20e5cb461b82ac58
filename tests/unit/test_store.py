import asyncio
import datetime
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import numpy as np
import pytest
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.vector_stores.types import VectorStoreQuery

from fakes import HashEmbedding
from paraqa.errors import StoreBusy, StoreError, StoreMismatch, StoreNotFound, StoreReadOnly
from paraqa.lang import glossary
from paraqa.store import Store
from paraqa.types import Filters, Paper, Rendering, Source


def paper(title: str, abstract: str = "", line: int = 1, **fields) -> Paper:
    return Paper(title=title, abstract=abstract, source=Source(file="a.txt", line=line), **fields)


ZEUS = paper("Zeus", "优化GPU能耗。It saves energy.", 1)
MERAK = paper("Merak", "三维并行训练框架。减少流水线气泡。", 5)


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "vectorstore"


@pytest.fixture
def store(path):
    with Store.open(path, HashEmbedding()) as opened:
        yield opened


async def passages_near(store: Store, question: str) -> list[tuple[str, float]]:
    """The passages of the store with their cosines, nearest first."""
    vector = await store.embedded(question)
    ids, _ = store.nearest(vector, "zh", 1000)
    # Compared with nothing usual, a similarity is the cosine.
    cosines = store.similarities(ids, vector, "zh", {})
    return sorted(cosines.items(), key=lambda pair: (-pair[1], pair[0]))


async def papers_near(store: Store, question: str, n: int = 10) -> list[str]:
    found, _ = store.nearest(await store.embedded(question), "zh", n)
    return found


class Gate(HashEmbedding):
    """An embedding that waits, once it has begun, until it is let go."""

    _let_go: threading.Event = PrivateAttr(default_factory=threading.Event)

    def let_go(self) -> None:
        self._let_go.set()

    def _get_text_embedding(self, text: str) -> list[float]:
        vector = super()._get_text_embedding(text)
        assert self._let_go.wait(10)
        return vector


class Failing(HashEmbedding):
    """An embedding whose endpoint is down."""

    def _get_text_embedding(self, text: str) -> list[float]:
        raise ConnectionError(text)


async def test_what_is_written_is_found_by_vector_and_by_word(store):
    assert await store.write([ZEUS, MERAK]) == 6
    (best, similarity), *_ = await passages_near(store, "减少流水线气泡。")
    assert best == f"{MERAK.id}#2"
    assert 0 < similarity <= 1
    assert [id_ for id_, _ in store.lexical({"zeus": 1.0}, 5)] == [ZEUS.id]
    assert store.papers() == [ZEUS, MERAK]
    assert store.papers_by_id([MERAK.id]) == {MERAK.id: MERAK}
    assert [p.id for p in store.passages_of([ZEUS.id])[ZEUS.id]] == [
        f"{ZEUS.id}#{n}" for n in range(3)
    ]
    assert store.document_frequency(["zeus", "none"]) == {"zeus": 1, "none": 0}
    assert (store.count(), store.passage_count()) == (2, 6)


async def test_similarity_is_the_cosine(store):
    await store.write([paper("Zeus")])
    embedding = store.embedding
    question, title = embedding.get_query_embedding("Zebra"), embedding.get_text_embedding("Zeus")
    ((_, similarity),) = await passages_near(store, "Zebra")
    assert similarity == pytest.approx(
        sum(a * b for a, b in zip(question, title, strict=True)), abs=1e-5
    )


async def test_the_nearest_come_first(store):
    await store.write([ZEUS, MERAK])
    assert await papers_near(store, "三维并行训练") == [MERAK.id, ZEUS.id]
    assert await papers_near(store, "GPU能耗") == [ZEUS.id, MERAK.id]
    assert await papers_near(store, "GPU能耗", 1) == [ZEUS.id]
    assert len(await passages_near(store, "流水线")) == 6


async def test_an_empty_store_answers_with_nothing(store):
    assert await papers_near(store, "流水线") == []
    assert await passages_near(store, "流水线") == []
    assert store.vector_of(ZEUS.id) is None
    assert store.newest(store.meeting(Filters(authors=("A",))), 5) == []
    assert store.lexical({"zeus": 1.0}, 5) == []
    assert (store.papers(), store.count()) == ([], 0)
    store.remove([ZEUS.id])
    assert await store.write([]) == 0


async def test_what_is_written_stays_when_it_is_opened_again(path):
    with Store.open(path, HashEmbedding()) as store:
        await store.write([ZEUS, MERAK])
        before = await passages_near(store, "气泡")
    with Store.open(path, HashEmbedding()) as store:
        assert await passages_near(store, "气泡") == before
        assert store.papers() == [ZEUS, MERAK]


async def test_a_paper_written_again_replaces_its_passages(store):
    await store.write([ZEUS])
    changed = paper("Zeus", "全新的文本。")
    await store.write([changed])
    assert store.papers() == [changed]
    found = dict(await passages_near(store, "全新的文本。"))
    assert found.keys() == {f"{ZEUS.id}#0", f"{ZEUS.id}#1"}
    # Chroma ignores the addition of an id that exists: the vector must be the new one.
    question = store.embedding.get_query_embedding("全新的文本。")
    new = store.embedding.get_text_embedding("Zeus. 全新的文本。")
    assert found[f"{ZEUS.id}#1"] == pytest.approx(
        sum(a * b for a, b in zip(question, new, strict=True)), abs=1e-5
    )
    assert store.vectors.count() == 2


async def test_a_removed_paper_is_found_no_more(store):
    await store.write([ZEUS, MERAK])
    store.remove([ZEUS.id])
    assert store.papers() == [MERAK]
    assert await papers_near(store, "GPU") == [MERAK.id]
    assert store.vectors.count() == 3


async def test_vectors_without_a_paper_are_not_found(store):
    # What a crash between the two halves of a write leaves.
    await store.write([ZEUS, MERAK])
    store._catalog.remove([ZEUS.id])
    assert await papers_near(store, "GPU") == [MERAK.id]


async def test_a_failing_embedding_leaves_the_store_as_it_was(path):
    with Store.open(path, HashEmbedding()) as store:
        await store.write([ZEUS])
    with Store.open(path, Failing()) as store:
        with pytest.raises(ConnectionError):
            await store.write([paper("Zeus", "新。"), MERAK])
        assert store.papers() == [ZEUS]
        assert store.known([ZEUS.id])[ZEUS.id].hash


async def test_a_write_cancelled_while_it_embeds_writes_nothing(path):
    gate = Gate()
    with Store.open(path, gate) as store:
        writing = asyncio.create_task(store.write([ZEUS]))
        assert await asyncio.to_thread(gate.embedded.wait, 10)
        writing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await writing
        gate.let_go()
        assert store.papers() == []
        assert await papers_near(store, "Zeus") == []


async def test_a_write_cancelled_while_it_commits_is_whole(store):
    with store._lock:  # the commit has to wait for this reader
        writing = asyncio.create_task(store.write([ZEUS]))
        await asyncio.to_thread(store.embedding.embedded.wait, 10)
        await asyncio.sleep(0.1)
        writing.cancel()
        await asyncio.sleep(0.05)
        writing.cancel()
        await asyncio.sleep(0.05)
    with pytest.raises(asyncio.CancelledError):
        await writing
    assert store.papers() == [ZEUS]
    assert store.vectors.count() == 3


async def test_readers_and_a_writer_work_at_the_same_time(store):
    await store.write([ZEUS])
    papers = [paper(f"Title {n}", "流水线并行。", n + 2) for n in range(20)]

    async def write() -> None:
        for one in papers:
            await store.write([one])

    async def read() -> None:
        for _ in range(20):
            assert await papers_near(store, "流水线", 5)

    await asyncio.gather(write(), read(), read())
    assert store.count() == 21


def test_a_second_process_is_told_who_has_the_store_open(path):
    with Store.open(path, HashEmbedding()):
        program = (
            "import sys; from pathlib import Path; from fakes import HashEmbedding\n"
            "from paraqa.errors import StoreBusy; from paraqa.store import Store\n"
            "try: Store.open(Path(sys.argv[1]), HashEmbedding())\n"
            "except StoreBusy as error: print(error.message('en'), error.message('zh'))"
        )
        done = subprocess.run(
            [sys.executable, "-c", program, str(path)],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUTF8": "1"},
        )
    assert f"(pid {os.getpid()})" in done.stdout
    assert "另一个进程" in done.stdout


def test_a_store_is_open_once_in_a_process_too(path):
    with Store.open(path, HashEmbedding()), pytest.raises(StoreBusy):
        Store.open(path, HashEmbedding())
    Store.open(path, HashEmbedding()).close()


def test_closing_twice_does_no_harm(path):
    store = Store.open(path, HashEmbedding())
    store.close()
    store.close()


async def test_papers_are_read_while_another_has_the_store_open(store):
    await store.write([MERAK, ZEUS])
    assert Store.read_papers(store.path) == [ZEUS, MERAK]


def test_there_is_nothing_to_read_without_a_store(path):
    with pytest.raises(StoreNotFound) as caught:
        Store.read_papers(path)
    assert str(path) in caught.value.message("zh")
    assert not path.exists()


def test_the_papers_of_an_empty_store_are_none(path):
    Store.open(path, HashEmbedding()).close()
    assert Store.read_papers(path) == []


async def test_another_embedding_is_refused(path):
    with Store.open(path, HashEmbedding()) as store:
        await store.write([ZEUS])
    with pytest.raises(StoreMismatch) as caught:
        Store.open(path, HashEmbedding(model_name="other"))
    assert "'hash', not 'other'" in caught.value.message("en")
    with Store.open(path, HashEmbedding()) as store:  # it was released, and nothing is lost
        assert store.papers() == [ZEUS]


async def test_another_dimension_is_refused(path):
    with Store.open(path, HashEmbedding()) as store:
        await store.write([ZEUS])
    with Store.open(path, HashEmbedding(dimension=32)) as store:
        with pytest.raises(StoreMismatch):
            await store.write([MERAK])
        with pytest.raises(StoreMismatch):
            await store.embedded("GPU")
        assert store.papers() == [ZEUS]


def test_a_folder_that_cannot_be_made_is_read_only(tmp_path):
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path / "file" / "store", Path("/proc/paraqa")):
        with pytest.raises(StoreReadOnly) as caught:
            Store.open(path, HashEmbedding())
        assert "PARAQA_STORE__PATH" in caught.value.hint("en")
        assert "PARAQA_STORE__PATH" in caught.value.hint("zh")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_a_store_that_cannot_be_written_is_read_only_and_loses_nothing():
    # The administrator may write everywhere, so the attempt is made as nobody.
    program = (
        "import os; from pathlib import Path; from fakes import HashEmbedding\n"
        "import chromadb, paraqa.vectors; from paraqa.errors import StoreReadOnly\n"
        "from paraqa.store import Store\n"
        "if os.getuid() == 0: os.setuid(65534)\n"
        "try: Store.open(Path('.'), HashEmbedding())\n"
        "except StoreReadOnly: print('read only')\n"
        "print([paper.title for paper in Store.read_papers(Path('.'))])"
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vectorstore"
        with Store.open(path, HashEmbedding()) as store:
            asyncio.run(store.write([ZEUS]))
        Path(folder).chmod(0o755)
        for file in [*path.rglob("*"), path]:
            file.chmod(0o555 if file.is_dir() else 0o444)
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=path,
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )
        for file in [path, *path.rglob("*")]:
            file.chmod(0o755)
        assert done.stdout.splitlines() == ["read only", "['Zeus']"], done.stderr
        with Store.open(path, HashEmbedding()) as store:
            assert store.papers() == [ZEUS]


def test_a_catalog_that_is_no_database_is_an_error(path):
    path.mkdir()
    (path / "catalog.sqlite").write_text("no database at all " * 100)
    with pytest.raises(StoreError) as caught:
        Store.open(path, HashEmbedding())
    assert caught.value.key == "store.damaged"
    with pytest.raises(StoreError):
        Store.read_papers(path)


async def test_lost_vectors_are_made_again_by_the_next_run(path):
    with Store.open(path, HashEmbedding()) as store:
        await store.write([ZEUS])
    shutil.rmtree(path / "chroma")
    with Store.open(path, HashEmbedding()) as store:
        assert store.papers() == [ZEUS]
        assert store.known([ZEUS.id])[ZEUS.id].hash == ""


async def test_vectors_of_a_lost_catalog_are_cleared(path):
    with Store.open(path, HashEmbedding()) as store:
        await store.write([ZEUS])
    (path / "catalog.sqlite").unlink()
    with Store.open(path, HashEmbedding()) as store:
        assert store.vectors.count() == 0
        await store.write([MERAK])
        assert len(await passages_near(store, "GPU")) == 3


async def test_it_is_a_llama_index_vector_store(store):
    await store.write([ZEUS, MERAK])
    vector = store.embedding.get_query_embedding("流水线气泡")
    found = store.vectors.query(VectorStoreQuery(query_embedding=vector, similarity_top_k=1))
    assert found.ids == [f"{MERAK.id}#2"]
    stored = store.vectors.client.get_collection("passages", embedding_function=None)
    assert stored.get(ids=[f"{MERAK.id}#0"])["metadatas"] == [{"paper_id": MERAK.id, "lang": "zh"}]
    store.vectors.delete(ref_doc_id=MERAK.id)
    assert store.vectors.count() == 3


def test_a_store_without_a_catalog_is_none(path):
    with pytest.raises(StoreNotFound):
        Store.require(path)
    path.mkdir()
    with pytest.raises(StoreNotFound):
        Store.require(path)
    assert list(path.iterdir()) == []
    Store.open(path, HashEmbedding()).close()
    Store.require(path)


async def test_papers_without_vectors_are_told_until_they_are_written_again(path):
    with Store.open(path, HashEmbedding()) as store:
        await store.write([ZEUS, MERAK])
        assert store.unfinished() == []
    shutil.rmtree(path / "chroma")
    with Store.open(path, HashEmbedding()) as store:
        assert store.unfinished() == [ZEUS, MERAK]
        await store.write([ZEUS])
        assert store.unfinished() == [MERAK]
    with Store.open(path, HashEmbedding()) as store:
        assert store.unfinished() == [MERAK]
        await store.write([MERAK])
        assert store.unfinished() == []


async def test_a_part_of_the_vectors_lost_is_noticed_too(path):
    with Store.open(path, HashEmbedding()) as store:
        await store.write([ZEUS, MERAK])
        store.vectors.delete(ref_doc_id=ZEUS.id)
    with Store.open(path, HashEmbedding()) as store:
        assert store.unfinished() == [ZEUS, MERAK]


async def test_what_an_interrupted_write_left_makes_no_other_paper_unfinished(path):
    with Store.open(path, HashEmbedding()) as store:
        await store.write([ZEUS, MERAK])
        store._catalog.mark_unfinished([ZEUS.id])
        store.vectors.delete(ref_doc_id=ZEUS.id)
    with Store.open(path, HashEmbedding()) as store:
        assert store.unfinished() == [ZEUS]


# ---- the index in memory


async def test_what_is_written_after_the_first_search_is_found_by_the_next(store):
    await store.write([ZEUS])
    assert await papers_near(store, "流水线气泡") == [ZEUS.id]
    await store.write([MERAK])
    assert await papers_near(store, "流水线气泡") == [MERAK.id, ZEUS.id]
    assert len(await passages_near(store, "流水线气泡")) == 6


async def test_what_is_removed_after_the_first_search_is_found_no_more(store):
    await store.write([ZEUS, MERAK])
    assert len(await papers_near(store, "GPU")) == 2
    store.remove([ZEUS.id])
    assert await papers_near(store, "GPU") == [MERAK.id]
    assert {id_.partition("#")[0] for id_, _ in await passages_near(store, "GPU")} == {MERAK.id}
    assert store.vector_of(ZEUS.id) is None


async def test_what_is_replaced_after_the_first_search_has_its_new_vectors(store):
    await store.write([ZEUS, MERAK])
    await papers_near(store, "GPU")
    changed = paper("Zeus", "全新的文本。")
    await store.write([changed])
    found = dict(await passages_near(store, "全新的文本。"))
    assert {id_ for id_ in found if id_.startswith(ZEUS.id)} == {f"{ZEUS.id}#0", f"{ZEUS.id}#1"}
    assert max(found, key=lambda id_: found[id_]) == f"{ZEUS.id}#1"


async def test_the_index_that_follows_is_the_index_read_anew(path):
    papers = [paper(f"Title {n}", "流水线并行。It works.", n + 1) for n in range(12)]
    with Store.open(path, HashEmbedding()) as store:
        await store.write(papers[:6])
        await papers_near(store, "流水线")
        store.remove([papers[0].id, papers[5].id])
        await store.write([*papers[6:], papers[2]])
        followed = await passages_near(store, "流水线")
    with Store.open(path, HashEmbedding()) as store:
        assert await passages_near(store, "流水线") == [(i, pytest.approx(v)) for i, v in followed]


async def test_a_search_sees_only_the_papers_that_are_eligible(store):
    old = paper("Old", "流水线。", date=datetime.date(2020, 1, 1))
    new = paper("New", "流水线。", 2, date=datetime.date(2024, 1, 1))
    await store.write([old, new, ZEUS])
    mask = store.meeting(Filters(since=datetime.date(2021, 1, 1)))
    assert [id_ for id_, _ in store.newest(mask, 10)] == [new.id]
    found, _ = store.nearest(await store.embedded("流水线"), "zh", 10, mask)
    assert found == [new.id]
    assert [id_ for id_, _ in store.lexical({"流水线": 1.0}, 10, mask)] == [new.id]


async def test_a_filter_made_before_a_paper_came_still_serves(store):
    await store.write([paper("One", "流水线。", date=datetime.date(2024, 1, 1))])
    mask = store.meeting(Filters(since=datetime.date(2021, 1, 1)))
    later = paper("Two", "流水线。", 2, date=datetime.date(2024, 1, 1))
    await store.write([later])
    found, _ = store.nearest(await store.embedded("流水线"), "zh", 10, mask)
    assert len(found) == 1
    assert [id_ for id_, _ in store.lexical({"流水线": 1.0}, 10, mask)] == found


async def test_the_newest_of_some_papers_are_told_with_their_days(store):
    dates = {"Old": (2020, 1, 1), "New": (2024, 1, 1), "Mid": (2022, 1, 1)}
    papers = {
        title: paper(title, line=n, date=datetime.date(*day))
        for n, (title, day) in enumerate(dates.items(), start=1)
    }
    await store.write([*papers.values(), ZEUS])
    everything = store.meeting(Filters())
    newest = [(papers[t].id, papers[t].date.toordinal()) for t in ("New", "Mid", "Old")]
    assert store.newest(everything, 10) == [*newest, (ZEUS.id, 0)]
    assert store.newest(everything, 2) == newest[:2]
    assert store.newest(store.meeting(Filters(until=datetime.date(2022, 6, 1))), 9) == newest[1:]


async def test_titles_are_told_by_id(store):
    await store.write([ZEUS, MERAK])
    assert store.titles([ZEUS.id, "none"]) == {ZEUS.id: "Zeus"}


# ---- renderings


RENDERED = MERAK.model_copy(
    update={
        "alternates": (
            Rendering(lang="en", abstract="It trains. It fills bubbles.", origin="machine"),
        )
    }
)


async def test_a_rendering_is_found_by_vector_and_by_word_and_is_no_passage_of_the_paper(store):
    assert await store.write([ZEUS, RENDERED]) == 9
    (best, _), *_ = await passages_near(store, "Merak. It fills bubbles.")
    assert best == f"{MERAK.id}#en2"
    assert [id_ for id_, _ in store.lexical({"train": 1.0}, 5)] == [MERAK.id]
    assert [p.id for p in store.passages_of([MERAK.id])[MERAK.id]] == [
        f"{MERAK.id}#{n}" for n in range(3)
    ]


async def test_a_rendering_that_goes_takes_its_passages_along(store):
    await store.write([RENDERED])
    await passages_near(store, "bubbles")
    await store.write([MERAK])
    assert store.vectors.count() == store.passage_count() == 3
    assert not any("#en" in id_ for id_, _ in await passages_near(store, "bubbles"))


async def test_a_paper_is_near_by_the_mean_of_its_whole_texts(store):
    await store.write([ZEUS, RENDERED])
    own, rendered = (
        np.asarray(store.embedding.get_text_embedding(text), np.float32)
        for text in (MERAK.text, f"{MERAK.title}\nIt trains. It fills bubbles.")
    )
    mean = own + rendered
    assert store.vector_of(MERAK.id) == pytest.approx(mean / np.linalg.norm(mean), abs=1e-5)
    assert store.vector_of("none") is None


# ---- the glossary


async def test_a_store_knows_new_concepts_of_the_glossary_when_it_is_opened_again(path, tmp_path):
    added = tmp_path / "own.tsv"
    with Store.open(path, HashEmbedding()) as store:
        await store.write([paper("Own", "独门绝技。")])
        assert store.lexical({"#own skill": 1.0}, 5) == []
    added.write_text("own skill\t独门绝技\n", encoding="utf-8")
    glossary.use([added])
    try:
        with Store.open(path, HashEmbedding()) as store:
            assert len(store.lexical({"#own skill": 1.0}, 5)) == 1
            assert store.document_frequency(["独门"]) == {"独门": 1}
            assert store.vectors.count() == 2
    finally:
        glossary.use([])
    with Store.open(path, HashEmbedding()) as store:
        assert store.lexical({"#own skill": 1.0}, 5) == []
        assert store.known([paper("Own").id])[paper("Own").id].hash
