import json
from pathlib import Path

from pydantic import BaseModel

from paraqa.errors import EvaluationError
from paraqa.evaluation import Progress
from whole_library import WholeLibrary, run


class Table(BaseModel):
    score: float = 0.9

    def table(self, lang):
        return f"score {self.score} in {lang}\nsecond line"


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
    assert (done.code, done.out) == (0, "score 0.9 in en\nsecond line\n")
    assert done.err == "asking 50%\nasking 100%\n"
    assert library.calls == ["close"]


def test_the_table_is_in_the_readers_language():
    done = run("eval", "q.jsonl", measure=measured({}, Table()), environ={"LANG": "zh_CN"})
    assert done.out.startswith("score 0.9 in zh")


def test_as_json_the_report_is_one_document():
    done = run("eval", "q.jsonl", "--json", measure=measured({}, progress(1), Table()))
    assert json.loads(done.out) == {"score": 0.9}


def test_every_option_reaches_the_evaluation():
    given = {}
    arguments = "--papers p.tsv --only answers --llm extractive --limit 3 --out r.jsonl --resume"
    run("eval", "q.jsonl", *arguments.split(), measure=measured(given, Table()))
    assert given == {
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
