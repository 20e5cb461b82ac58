import asyncio
import json
import os
import shutil
import sys
from contextlib import aclosing
from pathlib import Path

import pytest

from fakes import HashEmbedding
from paraqa.errors import FormatError
from paraqa.events import (
    Estimated,
    Indexed,
    Ingested,
    IngestReport,
    Parsed,
    Rejected,
    Started,
)
from paraqa.ingester import Ingester
from paraqa.settings import EmbeddingSettings, Settings, StoreSettings
from paraqa.store import Store
from paraqa.types import Paper

ZEUS = "Zeus\nUniversity of Michigan(密歇根大学)\n优化GPU能耗。\n2022-09-29 cs.DC\n"
MERAK = "Merak\n三维并行训练框架。减少流水线气泡。\n2023-03-21 cs.DC\n"
TIMELESS = "PARROT\nPARROT是一个数据集。\n"


@pytest.fixture
def store(tmp_path):
    with Store.open(tmp_path / "vectorstore", HashEmbedding()) as opened:
        yield opened


def listing(folder: Path, text: str, name: str = "list.txt") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


async def events_of(store: Store, *paths: Path, batch: int = 64) -> list:
    settings = Settings(embedding=EmbeddingSettings(batch=batch))
    async with aclosing(Ingester(store, settings).ingest(paths)) as events:
        return [event async for event in events]


async def report_of(store: Store, *paths: Path) -> IngestReport:
    *_, last = await events_of(store, *paths)
    assert isinstance(last, Ingested)
    return last.report


def abstracts(store: Store) -> dict[str, str]:
    return {paper.title: paper.abstract for paper in store.papers()}


async def test_a_run_tells_what_it_does_step_by_step(store, tmp_path):
    path = listing(tmp_path, ZEUS + MERAK + TIMELESS)
    started, rejected, parsed, first, second, ingested = await events_of(store, path, batch=1)
    assert started == Started(files=(str(path),))
    assert isinstance(rejected, Rejected)
    assert (rejected.path, rejected.line) == (str(path), 8)
    assert parsed == Parsed(path=str(path), papers=2, new=2)
    assert (first, second) == (
        Indexed(papers=1, passages=2, total=2),
        Indexed(papers=2, passages=5, total=2),
    )
    assert isinstance(ingested, Ingested)
    seconds = ingested.report.seconds
    assert seconds > 0
    assert ingested.report == IngestReport(
        files=1, added=2, rejected=(rejected,), passages=5, embedded=5, seconds=seconds
    )


async def test_a_second_run_embeds_nothing(store, tmp_path):
    path = listing(tmp_path, ZEUS + MERAK)
    await report_of(store, path)
    embedded = len(store.embedding.texts)
    report = await report_of(store, path)
    assert (report.embedded, report.passages, report.unchanged) == (0, 0, 2)
    assert (report.added, report.updated) == (0, 0)
    assert len(store.embedding.texts) == embedded == 5


async def test_only_the_changed_paper_is_embedded_again(store, tmp_path):
    path = listing(tmp_path, ZEUS + MERAK)
    await report_of(store, path)
    listing(tmp_path, ZEUS.replace("优化GPU能耗。", "降低GPU能耗。") + MERAK)
    report = await report_of(store, path)
    assert (report.updated, report.unchanged, report.embedded) == (1, 1, 2)
    assert abstracts(store)["Zeus"] == "降低GPU能耗。"


async def test_a_corrected_entry_with_an_earlier_date_is_taken_from_its_own_file(store, tmp_path):
    path = listing(tmp_path, ZEUS)
    await report_of(store, path)
    listing(tmp_path, ZEUS.replace("2022-09-29", "2022-09-01"))
    report = await report_of(store, path)
    assert report.updated == 1
    assert str(store.papers()[0].date) == "2022-09-01"


async def test_a_paper_that_moved_is_unchanged_and_known_by_its_new_line(store, tmp_path):
    path = listing(tmp_path, ZEUS)
    await report_of(store, path)
    listing(tmp_path, MERAK + ZEUS)
    report = await report_of(store, path)
    assert (report.added, report.unchanged, report.embedded) == (1, 1, 3)
    assert [(p.title, p.source.line) for p in store.papers()] == [("Merak", 1), ("Zeus", 4)]


@pytest.mark.parametrize("newer_first", [True, False])
async def test_a_paper_listed_twice_is_one_paper_as_the_newer_entry_has_it(
    store, tmp_path, newer_first
):
    newer = ZEUS.replace("优化GPU能耗。", "第二版。").replace("2022", "2023")
    path = listing(tmp_path, newer + MERAK + ZEUS if newer_first else ZEUS + MERAK + newer)
    for expected in ((2, 0), (0, 2)):
        report = await report_of(store, path)
        assert (report.added, report.unchanged) == expected
    assert abstracts(store)["Zeus"] == "第二版。"
    assert store.count() == 2


async def test_two_listings_of_one_paper_do_not_take_turns(store, tmp_path):
    old = listing(tmp_path, ZEUS, "a.txt")
    new = listing(tmp_path, ZEUS.replace("优化", "节约").replace("2022", "2023"), "b.txt")
    await report_of(store, old, new)
    assert (await report_of(store, old)).embedded == 0
    assert (await report_of(store, new, old)).embedded == 0
    assert abstracts(store)["Zeus"] == "节约GPU能耗。"


async def test_a_later_listing_with_an_equal_date_is_preferred(store, tmp_path):
    await report_of(store, listing(tmp_path, ZEUS, "a.txt"))
    report = await report_of(store, listing(tmp_path, ZEUS.replace("优化", "节约"), "b.txt"))
    assert report.updated == 1
    assert abstracts(store)["Zeus"] == "节约GPU能耗。"


async def test_an_unreadable_file_is_rejected_and_the_others_are_read(store, tmp_path):
    bad = tmp_path / "a.txt"
    bad.write_bytes(ZEUS.encode("gbk"))
    report = await report_of(store, bad, listing(tmp_path, MERAK, "b.txt"))
    assert (report.files, report.added) == (2, 1)
    assert [(r.path, r.line) for r in report.rejected] == [(str(bad), None)]


async def test_without_a_path_the_seeds_of_the_settings_are_read(store, tmp_path):
    folder = tmp_path / "seeds"
    folder.mkdir()
    listing(folder, ZEUS)
    settings = Settings(store=StoreSettings(seeds=folder))
    async with aclosing(Ingester(store, settings).ingest([])) as events:
        first = await anext(events)
    assert first == Started(files=(str(folder / "list.txt"),))


async def test_a_path_that_is_not_there_stops_the_run(store, tmp_path):
    with pytest.raises(FormatError):
        await report_of(store, tmp_path / "gone.txt")


async def test_a_run_that_is_closed_midway_is_completed_by_the_next(store, tmp_path):
    path = listing(tmp_path, ZEUS + MERAK)
    settings = Settings(embedding=EmbeddingSettings(batch=1))
    async with aclosing(Ingester(store, settings).ingest([path])) as events:
        async for event in events:
            if isinstance(event, Indexed):
                break
    assert [paper.title for paper in store.papers()] == ["Zeus"]
    report = await report_of(store, path)
    assert (report.added, report.unchanged, report.embedded) == (1, 1, 3)
    assert len(store.embedding.texts) == 5


async def test_a_run_that_is_cancelled_leaves_whole_papers(store, tmp_path):
    titles = [f"Title {n}" for n in range(30)]
    path = listing(tmp_path, "".join(f"{t}\n流水线并行。\n2024-01-02 cs.DC\n" for t in titles))
    running = asyncio.create_task(events_of(store, path, batch=2))
    assert await asyncio.to_thread(store.embedding.embedded.wait, 10)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    done = store.count()
    assert done < 30
    assert store.passage_count() == store.vectors.count() == 2 * done
    report = await report_of(store, path)
    assert (report.added, report.unchanged) == (30 - done, done)
    assert store.count() == 30


async def test_the_loop_is_free_while_it_works(store, tmp_path):
    path = listing(tmp_path, "".join(f"T{n}\n文本。\n2024-01-02 cs.DC\n" for n in range(300)))
    running = asyncio.create_task(report_of(store, path))
    longest, before = 0.0, asyncio.get_running_loop().time()
    while not running.done():
        await asyncio.sleep(0)
        now = asyncio.get_running_loop().time()
        longest, before = max(longest, now - before), now
    assert (await running).added == 300
    assert longest < 0.5


@pytest.mark.integration
async def test_the_seeds_are_ingested_once_with_the_bundled_model(tmp_path):
    from paraqa.embedders import build

    seeds = Path(__file__).parents[2] / "seeds"
    with Store.open(tmp_path / "vectorstore", build(EmbeddingSettings(cache_mb=0))) as store:
        first = await report_of(store, seeds)
        assert (first.added, first.rejected) == (54, ())
        assert first.embedded == store.passage_count() == store.vectors.count() > 300
        second = await report_of(store, seeds)
        assert (second.unchanged, second.embedded) == (54, 0)
        question = await store.embedded("How much energy does Zeus save in training?")
        papers: dict[str, Paper] = store.papers_by_id(store.nearest(question, "en", 1)[0])
        assert [p.title.partition(":")[0] for p in papers.values()] == ["Zeus"]


async def test_papers_that_lost_their_vectors_are_embedded_again_without_their_listing(tmp_path):
    path = tmp_path / "vectorstore"
    with Store.open(path, HashEmbedding()) as store:
        await report_of(store, listing(tmp_path, ZEUS, "a.txt"))
    shutil.rmtree(path / "chroma")
    with Store.open(path, HashEmbedding()) as store:
        report = await report_of(store, listing(tmp_path, MERAK, "b.txt"))
        assert (report.added, report.updated, report.unchanged) == (1, 1, 0)
        assert store.unfinished() == []
        assert store.vectors.count() == store.passage_count() == 5


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere names are Unicode")
async def test_a_file_whose_name_is_not_utf8_is_read_and_shown(store, tmp_path):
    path = tmp_path / os.fsdecode(b"a\xff.txt")
    path.write_text(ZEUS + TIMELESS, encoding="utf-8")
    name = str(tmp_path / "a\ufffd.txt")
    for given in (path, tmp_path):
        events = await events_of(store, given)
        assert [event.model_dump_json() for event in events]
        assert events[0] == Started(files=(name,))
        assert [e.path for e in events if isinstance(e, Parsed | Rejected)] == [name, name]
    assert [paper.source.file for paper in store.papers()] == [name]


async def test_a_large_run_is_told_how_long_it_will_take_after_its_first_parts(store, tmp_path):
    path = listing(tmp_path, "".join(f"T{n}\n文本。\n2024-01-02 cs.DC\n" for n in range(8)))
    settings = Settings(embedding=EmbeddingSettings(batch=4, large=16))
    async with aclosing(Ingester(store, settings).ingest([path])) as stream:
        events = [event async for event in stream]
    (estimate,) = [event for event in events if isinstance(event, Estimated)]
    assert (estimate.papers, estimate.passages) == (8, 16)
    assert estimate.seconds > 0
    seen = [type(event) for event in events]
    assert seen.index(Estimated) == seen.index(Indexed) + 1


# ---- renderings


def renderings(folder: Path, *lines: dict[str, str], name: str = "list.en.jsonl") -> Path:
    usual = {"lang": "en", "origin": "machine"}
    return listing(folder, "".join(json.dumps(usual | line) + "\n" for line in lines), name)


ENERGY = {"title": "Zeus", "abstract": "It optimizes GPU energy. It is fast."}


def alternates(store: Store, title: str = "Zeus") -> list[tuple[str, str]]:
    (found,) = [paper for paper in store.papers() if paper.title == title]
    return [(rendering.origin, rendering.abstract) for rendering in found.alternates]


@pytest.mark.parametrize("first", ["rendering", "listing"])
async def test_a_rendering_joins_its_paper_whichever_file_comes_first(store, tmp_path, first):
    names = ("a.jsonl", "b.txt") if first == "rendering" else ("b.jsonl", "a.txt")
    renderings(tmp_path, ENERGY, name=names[0])
    listing(tmp_path, ZEUS + MERAK, names[1])
    report = await report_of(store, tmp_path / names[0], tmp_path / names[1])
    assert (report.files, report.added, report.updated, report.rejected) == (2, 2, 0, ())
    assert report.passages == store.passage_count() == store.vectors.count() == 8
    assert alternates(store) == [("machine", ENERGY["abstract"])]
    assert alternates(store, "Merak") == []
    assert store.document_frequency(["optim"])["optim"] == 1


async def test_a_rendering_joins_a_paper_that_is_in_the_store_already(store, tmp_path):
    await report_of(store, listing(tmp_path, ZEUS + MERAK))
    before = len(store.embedding.texts)
    report = await report_of(store, renderings(tmp_path, ENERGY))
    assert (report.added, report.updated, report.unchanged, report.rejected) == (0, 1, 0, ())
    assert alternates(store) == [("machine", ENERGY["abstract"])]
    assert len(store.embedding.texts) == before + 5
    assert store.passage_count() == store.vectors.count() == 8
    assert [paper.source.file for paper in store.papers()] == [str(tmp_path / "list.txt")] * 2


async def test_a_rendering_names_its_paper_by_id_or_by_any_spelling_of_its_title(store, tmp_path):
    await report_of(store, listing(tmp_path, ZEUS + MERAK))
    by_title = ENERGY | {"title": "ＺＥＵＳ!"}
    merak = next(paper for paper in store.papers() if paper.title == "Merak")
    by_id = {"id": merak.id, "abstract": "It trains.", "origin": "curated"}
    report = await report_of(store, renderings(tmp_path, by_title, by_id))
    assert (report.updated, report.rejected) == (2, ())
    assert alternates(store) == [("machine", ENERGY["abstract"])]
    assert alternates(store, "Merak") == [("curated", "It trains.")]


async def test_a_rendering_of_no_paper_is_rejected_with_its_line(store, tmp_path):
    path = renderings(tmp_path, ENERGY, {"title": "Unknown", "abstract": "It is lost."})
    *_, rejected, _indexed, ingested = await events_of(store, listing(tmp_path, ZEUS), path)
    assert isinstance(rejected, Rejected)
    assert (rejected.path, rejected.line) == (str(path), 2)
    assert rejected.key == "formats.orphan_rendering"
    assert "Unknown" in rejected.told("en")
    assert "Unknown" in rejected.told("zh")
    assert ingested.report.rejected == (rejected,)
    assert ingested.report.added == 1


async def test_a_second_run_with_renderings_embeds_nothing(store, tmp_path):
    paths = listing(tmp_path, ZEUS + MERAK), renderings(tmp_path, ENERGY)
    await report_of(store, *paths)
    embedded = len(store.embedding.texts)
    for given in (paths, paths[:1], paths[1:], [tmp_path / "list.txt"]):
        report = await report_of(store, *given)
        assert (report.embedded, report.added, report.updated) == (0, 0, 0)
    assert len(store.embedding.texts) == embedded
    assert alternates(store) == [("machine", ENERGY["abstract"])]


async def test_a_paper_that_moved_keeps_its_rendering(store, tmp_path):
    await report_of(store, listing(tmp_path, ZEUS), renderings(tmp_path, ENERGY))
    embedded = len(store.embedding.texts)
    (tmp_path / "list.txt").unlink()
    report = await report_of(store, listing(tmp_path, ZEUS, "moved.txt"))
    assert (report.unchanged, report.embedded) == (1, 0)
    assert len(store.embedding.texts) == embedded
    assert alternates(store) == [("machine", ENERGY["abstract"])]
    assert [paper.source.file for paper in store.papers()] == [str(tmp_path / "moved.txt")]


async def test_a_mended_rendering_takes_the_place_of_a_machines(store, tmp_path):
    await report_of(store, listing(tmp_path, ZEUS), renderings(tmp_path, ENERGY))
    mended = ENERGY | {"abstract": "It lowers GPU energy.", "origin": "curated"}
    assert (await report_of(store, renderings(tmp_path, mended))).updated == 1
    assert alternates(store) == [("curated", "It lowers GPU energy.")]
    assert store.passage_count() == store.vectors.count() == 4


@pytest.mark.parametrize("order", [1, -1])
async def test_a_machines_rendering_never_takes_the_place_of_a_curated_one(store, tmp_path, order):
    curated = ENERGY | {"abstract": "It lowers GPU energy.", "origin": "curated"}
    machine = ENERGY | {"abstract": "It is a god."}
    await report_of(
        store, listing(tmp_path, ZEUS), renderings(tmp_path, *[curated, machine][::order])
    )
    assert alternates(store) == [("curated", "It lowers GPU energy.")]
    embedded = len(store.embedding.texts)
    report = await report_of(store, renderings(tmp_path, machine))
    assert (report.updated, report.embedded, report.rejected) == (0, 0, ())
    assert alternates(store) == [("curated", "It lowers GPU energy.")]
    assert len(store.embedding.texts) == embedded


async def test_a_changed_abstract_drops_what_a_machine_made_of_the_old_one(store, tmp_path):
    await report_of(store, listing(tmp_path, ZEUS), renderings(tmp_path, ENERGY))
    report = await report_of(store, listing(tmp_path, ZEUS.replace("优化", "节约")))
    assert (report.updated, report.embedded) == (1, 2)
    assert alternates(store) == []
    assert store.passage_count() == store.vectors.count() == 2


async def test_a_changed_abstract_keeps_a_curated_rendering(store, tmp_path):
    curated = ENERGY | {"origin": "curated"}
    await report_of(store, listing(tmp_path, ZEUS), renderings(tmp_path, curated))
    assert (await report_of(store, listing(tmp_path, ZEUS.replace("优化", "节约")))).updated == 1
    assert alternates(store) == [("curated", ENERGY["abstract"])]
    assert store.passage_count() == store.vectors.count() == 5


async def test_a_change_that_leaves_the_abstract_keeps_every_rendering(store, tmp_path):
    await report_of(store, listing(tmp_path, ZEUS), renderings(tmp_path, ENERGY))
    await report_of(store, listing(tmp_path, ZEUS.replace("cs.DC", "cs.LG")))
    assert alternates(store) == [("machine", ENERGY["abstract"])]


async def test_a_paper_may_have_a_rendering_in_each_language(store, tmp_path):
    both = renderings(tmp_path, {"title": "Zeus", "lang": "zh", "abstract": "节能。"}, ENERGY)
    await report_of(store, listing(tmp_path, ZEUS), both)
    assert [text for _, text in alternates(store)] == [ENERGY["abstract"], "节能。"]


async def test_a_paper_that_lost_its_vectors_keeps_its_rendering(tmp_path):
    path = tmp_path / "vectorstore"
    with Store.open(path, HashEmbedding()) as store:
        await report_of(store, listing(tmp_path, ZEUS), renderings(tmp_path, ENERGY))
    shutil.rmtree(path / "chroma")
    with Store.open(path, HashEmbedding()) as store:
        await report_of(store, listing(tmp_path, MERAK, "b.txt"))
        assert store.unfinished() == []
        assert alternates(store) == [("machine", ENERGY["abstract"])]
        assert store.vectors.count() == store.passage_count() == 8


async def test_a_bad_line_of_renderings_stops_no_other(store, tmp_path):
    path = renderings(tmp_path, ENERGY, {"title": "Zeus", "colour": "red"})
    report = await report_of(store, listing(tmp_path, ZEUS), path)
    assert [(r.line, r.key) for r in report.rejected] == [(2, "formats.bad_rendering")]
    assert alternates(store) == [("machine", ENERGY["abstract"])]
