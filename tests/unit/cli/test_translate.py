import json
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from paraqa.errors import ModelError, StoreNotFound
from paraqa.events import (
    Preparing,
    Reason,
    Refused,
    Translated,
    TranslateEvent,
    Translating,
    TranslationReport,
)
from paraqa.formats import read
from paraqa.types import Rendered, Rendering
from whole_library import BREADTH, MERAK, Terminal, WholeLibrary, run

RENDERING = Rendering(lang="en", abstract="It gains 43%.", origin="machine")
TRANSLATED = Translated(
    paper_id=BREADTH.id, title=BREADTH.title, rendering=RENDERING, done=1, total=2
)
REFUSED = Refused(
    paper_id=MERAK.id,
    title=MERAK.title,
    reason=Reason.of("translate.figures", what="52 billion"),
    done=2,
    total=2,
)
REPORT = TranslationReport(translated=(TRANSLATED,), refused=(REFUSED,), skipped=51, seconds=30)
STOPPED = REPORT.model_copy(
    update={"stopped": Reason.of("model.slow", address="http://127.0.0.1:1/v1")}
)
CHINESE = {"LC_ALL": "zh_CN.UTF-8"}


@dataclass
class TranslatingLibrary(WholeLibrary):
    """A whole library that also translates, by script."""

    translation: Sequence[TranslateEvent | Exception] = ()
    translated_with: tuple[object, ...] | None = None

    async def translate(
        self, to=None, *, llm=None, limit=None, again=False
    ) -> AsyncGenerator[TranslateEvent]:
        """The events of the script."""
        self.translated_with = (to, llm, limit, again)
        for event in self.translation:
            if isinstance(event, Exception):
                raise event
            yield event


def library(report: TranslationReport = REPORT) -> TranslatingLibrary:
    ready = Preparing(step="ready")
    events = (ready, Translating(total=2), TRANSLATED, REFUSED, report)
    return TranslatingLibrary(translation=events)


def test_totals_are_printed_and_each_refusal_with_its_reason():
    done = run("translate", library=library())
    assert done.code == 0
    assert done.out == "1 translated, 1 refused, 51 needed no translation; 30.0 s\n"
    refusal = "not translated: Merak: Figures of the source are missing: 52 billion.\n"
    assert refusal in done.err


def test_in_chinese_too():
    done = run("translate", library=library(), environ=CHINESE)
    assert done.out == "已翻译 1 篇，拒收 1 篇，无需翻译 51 篇，用时 30.0 秒\n"
    assert "未翻译：Merak：缺少原文中的数字：52 billion。\n" in done.err


def test_without_a_terminal_each_paper_is_a_line_with_its_pace_and_what_is_left():
    lines = run("translate", library=library()).err.splitlines()
    assert lines[0] == "the local model is ready"
    assert lines[1].startswith("1 of 2 papers, 0.0 s each, about 1 min left: Breadth-First")
    assert lines[-1].startswith("2 of 2 papers")


def test_on_a_terminal_it_is_a_bar():
    done = run("translate", library=library(), stderr=Terminal())
    assert "2/2" in done.err
    assert "of 2 papers" not in done.err


def test_quiet_leaves_the_totals():
    done = run("translate", "-q", library=library())
    assert (done.err, done.out[:12]) == ("", "1 translated")


def test_as_json_the_report_is_the_only_document_with_what_became_of_each_paper():
    done = run("translate", "--json", library=library())
    assert TranslationReport.model_validate_json(done.out) == REPORT
    said = json.loads(done.out)
    assert said["translated"][0]["rendering"]["abstract"] == "It gains 43%."
    assert said["refused"][0]["reason"]["values"] == {"what": "52 billion"}


def test_the_options_reach_the_library():
    given, none = library(), library()
    run("translate", "--to", "en", "--llm", "local", "--limit", "3", "--again", library=given)
    run("translate", library=none)
    assert given.translated_with == ("en", "local", 3, True)
    assert none.translated_with == (None, None, None, False)


def test_renderings_are_appended_to_a_file_that_can_be_taken_in(tmp_path: Path):
    out = tmp_path / "renderings.jsonl"
    out.write_text('{"title": "An earlier one"}', encoding="utf-8")  # no line break at its end
    run("translate", "--out", str(out), library=library())
    earlier, added = out.read_text(encoding="utf-8").splitlines()
    assert earlier == '{"title": "An earlier one"}'
    out.write_text(added + "\n", encoding="utf-8")
    (entry,) = read(out)
    assert isinstance(entry, Rendered)
    assert (entry.id, entry.title, entry.rendering) == (BREADTH.id, BREADTH.title, RENDERING)


@pytest.mark.parametrize("environ", [{}, CHINESE])
def test_a_file_that_cannot_be_written_is_an_error_before_anything_is_translated(tmp_path, environ):
    asked = library()
    done = run("translate", "--out", str(tmp_path / "no" / "file"), library=asked, environ=environ)
    assert (done.code, done.out, asked.translated_with) == (1, "", None)
    assert "--out" in done.err
    assert str(tmp_path) in done.err


def test_no_store_and_no_model_are_errors_with_a_hint():
    for error in (
        StoreNotFound("store.empty", path="x"),
        ModelError("translate.no_model", name="e"),
    ):
        done = run("translate", "--json", library=TranslatingLibrary(translation=[error]))
        assert (done.code, done.out) == (1, "")
        assert "hint: " in done.err


def test_a_run_that_a_failing_model_ended_tells_what_was_done_and_what_failed():
    done = run("translate", library=library(STOPPED))
    assert done.code == 0
    assert done.out.startswith("1 translated")
    assert "error: The endpoint http://127.0.0.1:1/v1 did not answer in time." in done.err
    assert "llm.timeout" in done.err
