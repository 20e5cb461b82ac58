import json
from pathlib import Path

from paraqa.errors import FormatError, StoreReadOnly
from paraqa.events import Indexed, Ingested, IngestReport, Parsed, Rejected, Started
from whole_library import Terminal, WholeLibrary, run

REJECTED = (
    Rejected(path="a.txt", line=7, reason="no date"),
    Rejected(path="b.bin", line=None, reason="not text"),
)
REPORT = IngestReport(
    files=2, added=3, updated=1, unchanged=50, rejected=REJECTED, passages=9, embedded=9, seconds=2
)


def library(report=REPORT):
    return WholeLibrary(
        ingestion=[
            Started(files=("a.txt", "b.bin")),
            Parsed(path="a.txt", papers=54, new=4),
            Indexed(papers=2, passages=5, total=4),
            Indexed(papers=4, passages=9, total=4),
            Ingested(report=report),
        ]
    )


def test_totals_and_each_rejected_entry_are_printed():
    done = run("ingest", "a.txt", "b.bin", library=library())
    assert done.code == 0
    assert done.out == (
        "2 files: 3 papers added, 1 updated, 50 unchanged, 2 entries rejected; "
        "9 passages, 9 texts embedded, 2.0 s\n"
    )
    assert "rejected a.txt:7: no date\n" in done.err
    assert "rejected b.bin: not text\n" in done.err


def test_in_chinese_too():
    done = run("ingest", "a.txt", library=library(), environ={"LC_ALL": "zh_CN.UTF-8"})
    assert done.out.startswith("2 个文件：新增 3 篇")
    assert "已拒绝 a.txt:7：no date\n" in done.err


def test_an_entry_is_rejected_in_the_language_of_the_reader():
    lost = Rejected.because("a.txt", 7, "formats.no_date", title="PARROT")
    report = IngestReport(files=1, added=1, rejected=(lost,))
    chinese = run("ingest", "a", library=library(report), environ={"LC_ALL": "zh_CN.UTF-8"})
    assert "已拒绝 a.txt:7：条目 'PARROT' 的末尾缺少日期行" in chinese.err
    english = run("ingest", "a", library=library(report))
    assert "rejected a.txt:7: The entry 'PARROT' has no date line" in english.err


def test_as_json_the_report_is_the_only_document():
    done = run("ingest", "a.txt", "--json", library=library())
    assert IngestReport.model_validate_json(done.out) == REPORT
    assert json.loads(done.out)["rejected"][0]["line"] == 7


def test_the_paths_reach_the_library_and_without_any_the_settings_decide():
    given, none = library(), library()
    run("ingest", "a", "b", library=given)
    run("ingest", library=none)
    assert given.ingested == (Path("a"), Path("b"))
    assert none.ingested == ()


def test_without_a_terminal_the_progress_is_plain_lines():
    assert run("ingest", "a", library=library()).err.splitlines()[:3] == [
        "a.txt: 54 papers, 4 of them to index",
        "indexing 50%",
        "indexing 100%",
    ]


def test_on_a_terminal_it_is_a_bar():
    done = run("ingest", "a", library=library(), stderr=Terminal())
    assert "4/4" in done.err
    assert "indexing 50%\n" not in done.err


def test_quiet_leaves_the_totals_and_what_was_rejected():
    done = run("ingest", "a", "-q", library=library())
    assert done.err == "rejected a.txt:7: no date\nrejected b.bin: not text\n"
    assert done.out.startswith("2 files")


def test_a_run_that_could_read_nothing_at_all_has_failed():
    report = IngestReport(files=1, rejected=REJECTED)
    assert run("ingest", "b.bin", library=library(report)).code == 1


def test_nothing_new_is_done():
    report = IngestReport(files=1, unchanged=54)
    assert run("ingest", "a", library=library(report)).code == 0


def test_a_missing_path_and_a_read_only_store_are_errors_with_a_hint():
    for error in (FormatError("formats.missing", path="x"), StoreReadOnly("server.broken")):
        failing = WholeLibrary(ingestion=[error])
        done = run("ingest", "x", "--json", library=failing)
        assert (done.code, done.out) == (1, "")
        assert done.err.startswith("error: ")
        assert "hint: " in done.err
        assert failing.calls == ["ingest", "close"]
