import datetime
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count

import pytest

from paraqa import lang
from paraqa.catalog import Catalog, content_hash, read_papers
from paraqa.errors import StoreMismatch
from paraqa.lang import glossary
from paraqa.nodes import passages_of
from paraqa.types import Affiliation, Filters, Paper, Rendering, Source

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


# ---- renderings

ENGLISH = Rendering(lang="en", abstract="It saves energy. It is fast.", origin="machine")


def test_a_rendering_is_kept_and_matched_and_its_passages_are_known_by_id_alone(catalog):
    zeus = paper("Zeus", "节能。", alternates=(ENGLISH,))
    assert catalog.upsert([zeus]) == 5
    assert catalog.papers() == [zeus]
    assert catalog.passages_of([zeus.id]) == {zeus.id: tuple(passages_of(zeus))}
    own, rendered = {f"{zeus.id}#0", f"{zeus.id}#1"}, {f"{zeus.id}#en{n}" for n in range(3)}
    assert catalog.passage_ids([zeus.id]) == own | rendered
    assert (catalog.passage_count(), catalog.finished_passage_count()) == (5, 5)
    assert titles(catalog, "saves energy") == ["Zeus"]


def test_a_rendering_that_goes_is_matched_no_more(catalog):
    catalog.upsert([paper("Zeus", "节能。", alternates=(ENGLISH,))])
    catalog.upsert([paper("Zeus", "节能。")])
    assert titles(catalog, "saves fast") == []
    assert catalog.passage_count() == 2


def test_the_content_hash_does_not_depend_on_renderings():
    plain = paper("Zeus", "节能。", line=1)
    assert content_hash(plain) == content_hash(plain.model_copy(update={"alternates": (ENGLISH,)}))


# ---- numbers and filters


def test_each_paper_has_a_number_and_each_number_its_paper(catalog):
    papers = [paper(title) for title in ("One", "Two", "Three")]
    catalog.upsert(papers)
    numbers = catalog.numbers()
    assert numbers.keys() == {p.id for p in papers}
    assert catalog.numbers([papers[1].id, "none"]) == {papers[1].id: numbers[papers[1].id]}
    order = [numbers[papers[2].id], 99, numbers[papers[0].id]]
    assert catalog.ids(order) == [papers[2].id, papers[0].id]


def test_the_papers_that_meet_a_filter_are_a_mask_over_their_numbers(catalog):
    old = paper("Old", date=datetime.date(2020, 1, 1), authors=("A B",))
    new = paper("New", date=datetime.date(2024, 1, 1))
    catalog.upsert([old, new])
    mask = catalog.meeting(Filters(since=datetime.date(2021, 1, 1)))
    assert [number for number, is_met in enumerate(mask) if is_met] == [catalog.numbers()[new.id]]
    assert int(catalog.meeting(Filters()).sum()) == 2
    assert catalog.authors() == {"A B"}
    catalog.remove([new.id])
    assert not catalog.meeting(Filters(since=datetime.date(2021, 1, 1))).any()
    assert int(catalog.meeting(Filters()).sum()) == 1


def test_a_paper_written_again_meets_its_new_conditions_only(catalog):
    catalog.upsert([paper("Zeus", categories=("cs.DC",)), paper("Merak")])
    catalog.upsert([paper("Zeus", categories=("cs.AR",))])
    assert not catalog.meeting(Filters(categories=("cs.DC",))).any()
    assert int(catalog.meeting(Filters(categories=("cs.AR",))).sum()) == 1


def test_the_institutions_of_the_papers_are_known_by_name(catalog):
    own = Affiliation(en="Zuse Works", zh="楚泽工厂")
    catalog.upsert([paper("Zeus", affiliations=(own,))])
    assert catalog.directory().matches("楚泽工厂", own)
    assert int(catalog.meeting(Filters(institutions=("楚泽工厂",))).sum()) == 1


# ---- the glossary


def test_words_are_indexed_anew_when_the_glossary_has_changed_and_only_then(catalog, tmp_path):
    catalog.renew()
    catalog.upsert([paper("Zeus", "独门绝技。"), paper("Merak", "流水线气泡。")])
    before = catalog.lexical(weights("流水线"), 5)
    added = tmp_path / "own.tsv"
    added.write_text("own skill\t独门绝技\n", encoding="utf-8")
    glossary.use([added])
    try:
        assert catalog.lexical({"#own skill": 1.0}, 5) == []
        catalog.renew()
        assert len(catalog.lexical({"#own skill": 1.0}, 5)) == 1
        assert catalog.lexical(weights("流水线"), 5) == before
        assert catalog.count() == 2
        catalog._lexicon.remove(catalog.numbers()[catalog.papers()[0].id])
        catalog.renew()  # nothing has changed: nothing is done
        assert catalog.count() == 1
    finally:
        glossary.use([])
    catalog.renew()
    assert catalog.count() == 2
    assert catalog.document_frequency(["#own skill", "#pipeline bubble"]) == {
        "#own skill": 0,
        "#pipeline bubble": 1,
    }
