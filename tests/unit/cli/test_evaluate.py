import json
from pathlib import Path

from pydantic import BaseModel

from paraqa.errors import EvaluationError
from paraqa.evaluation import Progress
from paraqa.evaluation.report import report
from unit.evaluation.samples import CORPUS, question, result
from whole_library import WholeLibrary, run


class Table(BaseModel):
    score: float = 0.9

    def table(self, lang):
        return f"score   {self.score} in {lang}\nsecond line"

    def failure_list(self, lang):
        return f"failures in {lang}\n"


def measured(given, *events):
    async def measure(library, **options):
        given.update(options)
        for event in events:
            if isinstance(event, Exception):
                raise event
            yield event

    return measure


def progress(done):
    return Progress(id=f"q{done}", done=done, total=2, status="answered", seconds=1)


def test_the_table_is_printed_and_the_progress_goes_to_standard_error():
    library = WholeLibrary()
    measure = measured({}, progress(1), progress(2), Table())
    done = run("eval", "q.jsonl", measure=measure, library=library)
    assert (done.code, done.out) == (0, "score   0.9 in en\nsecond line\n")
    assert done.err == "asking 50%\nasking 100%\n"
    assert library.calls == ["close"]


def test_the_table_is_in_the_readers_language():
    done = run("eval", "q.jsonl", measure=measured({}, Table()), environ={"LANG": "zh_CN"})
    assert done.out.startswith("score   0.9 in zh")


def test_as_json_the_reports_are_one_document():
    done = run("eval", "q.jsonl", "--json", measure=measured({}, progress(1), Table()))
    assert json.loads(done.out) == [{"score": 0.9}]


def test_every_option_reaches_the_evaluation():
    given = {}
    arguments = "--papers p.tsv --only answers --llm extractive --limit 3 --out r.jsonl --resume"
    run("eval", "q.jsonl", *arguments.split(), measure=measured(given, Table()))
    assert given == {
        "name": "q",
        "questions": Path("q.jsonl"),
        "papers": Path("p.tsv"),
        "only": "answers",
        "llm": "extractive",
        "limit": 3,
        "out": Path("r.jsonl"),
        "resume": True,
    }


def test_a_file_that_does_not_fit_is_an_error_with_a_hint():
    done = run("eval", "q.jsonl", measure=measured({}, EvaluationError("server.broken")))
    assert (done.code, done.out) == (1, "")
    assert "hint: " in done.err


def folder(path, name):
    (path / name).mkdir()
    (path / name / "dev.jsonl").write_text("", "utf-8")
    (path / name / "papers.tsv").write_text("", "utf-8")
    return str(path / name)


def small(*ranked):
    asked = [question("A-en", relevant=("Merak",))]
    given = [result("A-en", ranked=ranked)]
    return report("small", asked, given, corpus=CORPUS, only="retrieval", llm=None)


def test_several_sets_are_measured_over_one_library_in_turn(tmp_path):
    library, asked = WholeLibrary(), []

    async def measure(library, **options):
        asked.append((options["name"], options["papers"].parent.name, options["out"]))
        yield Progress(id="q", done=1, total=1, status="answered", seconds=1)
        yield Table(score=len(asked))

    sets = [folder(tmp_path, "one"), folder(tmp_path, "two")]
    done = run("eval", *sets, "--out", "{set}.jsonl", measure=measure, library=library)
    assert asked == [("one", "one", Path("one.jsonl")), ("two", "two", Path("two.jsonl"))]
    assert done.out.count("second line\n\nscore   2.0") == 1
    assert "asking one 100%\nasking two 100%\n" in done.err
    assert library.calls == ["close"]


def test_several_sets_are_one_document_of_several_reports(tmp_path):
    sets = [folder(tmp_path, "one"), folder(tmp_path, "two")]
    done = run("eval", *sets, "--json", measure=measured({}, Table()))
    assert json.loads(done.out) == [{"score": 0.9}, {"score": 0.9}]


def test_several_sets_do_not_write_into_one_file(tmp_path):
    sets = [folder(tmp_path, "one"), folder(tmp_path, "two")]
    for option in ("--out", "--baseline", "--save-baseline"):
        done = run("eval", *sets, option, "x.json", measure=measured({}, Table()))
        assert (done.code, done.out) == (1, "")
        assert "{set}" in done.err


def test_failures_are_listed_when_asked_for():
    done = run("eval", "q.jsonl", "--failures", measure=measured({}, Table()))
    assert done.out == "score   0.9 in en\nsecond line\nfailures in en\n"
    assert "failures" not in run("eval", "q.jsonl", measure=measured({}, Table())).out


def test_a_kept_report_stands_beside_a_later_one(tmp_path):
    kept = str(tmp_path / "{set}.json")
    first = run(
        "eval", "q.jsonl", "--save-baseline", kept, measure=measured({}, small("x", "Merak"))
    )
    assert first.code == 0
    assert (tmp_path / "q.json").is_file()
    second = run("eval", "q.jsonl", "--baseline", kept, measure=measured({}, small("Merak")))
    rows = [line.split() for line in second.out.splitlines()]
    assert ["RR@10", "0.500", "1.000", "+0.500", "1.000", "1"] in rows


def test_a_baseline_that_is_not_there_is_an_error_before_anything_is_asked(tmp_path):
    given = {}
    kept = str(tmp_path / "none.json")
    done = run("eval", "q.jsonl", "--baseline", kept, measure=measured(given, Table()))
    assert (done.code, given) == (1, {})
    assert "--save-baseline" in done.err
