import datetime
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count

import pytest

from paraqa import lang
from paraqa.catalog import Catalog, content_hash, read_papers
from paraqa.errors import StoreMismatch
from paraqa.nodes import passages_of
from paraqa.types import Affiliation, Paper, Source

lines = count(1)


def paper(title: str, abstract: str = "", *, line: int = 0, file: str = "a.txt", **fields) -> Paper:
    source = Source(file=file, line=line or next(lines))
    return Paper(title=title, abstract=abstract, source=source, **fields)


@pytest.fixture
def catalog(tmp_path):
    opened = Catalog(tmp_path / "catalog.sqlite")
    yield opened
    opened.close()


def weights(text: str) -> dict[str, float]:
    found = lang.terms(text)
    return dict.fromkeys(found.words + found.bigrams, 1.0)


def titles(catalog: Catalog, question: str, n: int = 10) -> list[str]:
    found = catalog.lexical(weights(question), n)
    papers = catalog.papers_by_id([id_ for id_, _ in found])
    return [papers[id_].title for id_, _ in found]


def test_what_is_written_is_read_back(catalog):
    zeus = paper("Zeus", "节能。It saves energy.", date=datetime.date(2022, 9, 29))
    assert catalog.upsert([zeus]) == 3
    assert catalog.papers() == [zeus]
    assert catalog.papers_by_id([zeus.id, "none"]) == {zeus.id: zeus}
    assert catalog.passages_of([zeus.id, "none"]) == {zeus.id: tuple(passages_of(zeus))}
    assert catalog.passage_ids([zeus.id]) == {f"{zeus.id}#{n}" for n in range(3)}
    assert (catalog.count(), catalog.passage_count()) == (1, 3)


def test_what_is_written_stays_in_the_file(tmp_path):
    zeus = paper("Zeus")
    for _ in range(2):
        opened = Catalog(tmp_path / "catalog.sqlite")
        opened.upsert([zeus])
        opened.close()
    assert read_papers(tmp_path / "catalog.sqlite") == [zeus]


def test_papers_stand_in_the_order_of_their_listings(catalog):
    last, first, second = (
        paper("One", file="b.txt", line=1),
        paper("Two", file="a.txt", line=2),
        paper("Three", file="a.txt", line=10),
    )
    catalog.upsert([last, second, first])
    assert catalog.papers() == [first, second, last]


def test_a_paper_written_again_replaces_itself(catalog):
    catalog.upsert([paper("Zeus", "旧的节能文本。还有一句。")])
    catalog.upsert([paper("Zeus", "新的能源文本。")])
    assert (catalog.count(), catalog.passage_count()) == (1, 2)
    assert titles(catalog, "新的能源") == ["Zeus"]
    assert titles(catalog, "节能") == []
    assert catalog.document_frequency(["zeus"]) == {"zeus": 1}


def test_a_removed_paper_leaves_nothing(catalog):
    zeus, merak = paper("Zeus", "节能。"), paper("Merak", "流水线。")
    catalog.upsert([zeus, merak])
    catalog.remove([zeus.id, "none"])
    assert catalog.papers() == [merak]
    assert titles(catalog, "Zeus 节能") == []
    assert catalog.document_frequency(["zeus", "merak"]) == {"zeus": 0, "merak": 1}
    assert catalog.passage_count() == 2


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("4D parallelism", "Estimator"),
        ("cs.AR", "Accelerator"),
        ("c++", "Compiler"),
        ("2013", "Old"),
        ("Fudan University", "Hybrid"),
        ("复旦大学", "Hybrid"),
        ("流水线气泡", "Pipeline"),
        ("Megatron-LM", "Megatron"),
        ("1.42倍", "Faster"),
    ],
)
def test_words_of_every_kind_are_matched(catalog, question, title):
    catalog.upsert(
        [
            paper("Estimator", "用于4D并行训练。"),
            paper("Accelerator", "加速器。", categories=("cs.AR",)),
            paper("Compiler", "It is written in C++ and Rust."),
            paper("Old", "很早的工作。", date=datetime.date(2013, 12, 21)),
            paper(
                "Hybrid",
                "混合。",
                affiliations=(Affiliation(en="Fudan University", zh="复旦大学"),),
            ),
            paper("Pipeline", "减少流水线气泡。"),
            paper("Megatron", "基于Megatron-LM的系统。"),
            paper("Faster", "性能提高1.42倍。"),
        ]
    )
    assert titles(catalog, question)[:1] == [title]


def test_an_empty_catalog_answers_with_nothing(catalog):
    assert catalog.papers() == []
    assert catalog.lexical({"alpha": 1.0}, 5) == []
    assert catalog.document_frequency(["alpha"]) == {"alpha": 0}
    assert catalog.passages_of(["x"]) == {}


def test_the_content_hash_does_not_depend_on_the_place():
    assert content_hash(paper("Zeus", line=1)) == content_hash(paper("Zeus", line=9, file="b.txt"))
    assert content_hash(paper("Zeus")) != content_hash(paper("Zeus", "节能。"))
    assert content_hash(paper("Zeus")) != content_hash(paper("Zeus", categories=("cs.DC",)))


def test_what_is_known_tells_hash_place_and_date(catalog):
    zeus = paper("Zeus", line=7, date=datetime.date(2022, 9, 29))
    merak = paper("Merak")
    catalog.upsert([zeus, merak])
    known = catalog.known([zeus.id, merak.id, "none"])
    assert known.keys() == {zeus.id, merak.id}
    assert known[zeus.id] == (content_hash(zeus), "a.txt", 7, "2022-09-29")
    assert known[merak.id].date == ""


def test_an_unfinished_paper_has_no_hash_until_it_is_written_again(catalog):
    zeus, merak = paper("Zeus"), paper("Merak")
    catalog.upsert([zeus, merak])
    catalog.mark_unfinished([zeus.id])
    known = catalog.known([zeus.id, merak.id])
    assert (known[zeus.id].hash, known[merak.id].hash) == ("", content_hash(merak))
    catalog.upsert([zeus])
    assert catalog.known([zeus.id])[zeus.id].hash == content_hash(zeus)
    catalog.mark_all_unfinished()
    assert not any(k.hash for k in catalog.known([zeus.id, merak.id]).values())


def test_a_relocated_paper_has_its_new_place(catalog):
    catalog.upsert([paper("Zeus", line=1)])
    moved = paper("Zeus", line=9)
    catalog.relocate([moved])
    assert catalog.papers() == [moved]
    assert catalog.known([moved.id])[moved.id].line == 9


def test_a_batch_that_fails_is_not_there_by_half(catalog):
    class Unwritable(Exception):
        pass

    def broken():
        yield "x"
        raise Unwritable

    catalog.upsert([paper("Zeus")])
    ids = [p.id for p in catalog.papers()]
    with pytest.raises(Unwritable):
        catalog.remove(id_ for part in (ids, broken()) for id_ in part)
    assert catalog.count() == 1


def test_it_may_be_used_from_many_threads(catalog):
    papers = [paper(f"alpha {n}", "流水线并行。") for n in range(40)]

    def use(one: Paper) -> int:
        catalog.upsert([one])
        return len(catalog.lexical({"alpha": 1.0}, 100))

    with ThreadPoolExecutor(8) as pool:
        seen = list(pool.map(use, papers))
    assert max(seen) == catalog.count() == 40
    assert catalog.document_frequency(["alpha"]) == {"alpha": 40}


def test_a_catalog_of_another_format_is_refused(tmp_path):
    path = tmp_path / "catalog.sqlite"
    Catalog(path).close()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE meta SET value = '0' WHERE key = 'format'")
    for read in (Catalog, read_papers):
        with pytest.raises(StoreMismatch) as caught:
            read(path)
        assert caught.value.key == "store.other_version"


def test_papers_are_read_while_another_has_the_file_open(tmp_path, catalog):
    zeus = paper("Zeus")
    catalog.upsert([zeus])
    assert read_papers(tmp_path / "catalog.sqlite") == [zeus]


def test_a_file_that_is_no_catalog_is_an_error(tmp_path):
    path = tmp_path / "catalog.sqlite"
    path.write_text("no database at all, but long enough to be looked at" * 100)
    for read in (Catalog, read_papers):
        with pytest.raises(sqlite3.DatabaseError):
            read(path)
