"""What every format must do, and the seeds read back exactly."""

import json
from pathlib import Path

import pytest

from paraqa.events import Rejected
from paraqa.formats import FORMATS, discover, known, read
from paraqa.types import Paper, Rendered

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
SAMPLES = sorted((DATA / "formats").glob("*/*"))


def test_the_seeds_are_read_exactly_as_a_person_read_them(monkeypatch):
    monkeypatch.chdir(ROOT)
    expected = json.loads((DATA / "parallelism.expected.json").read_text(encoding="utf-8"))
    renderings, listing = discover([Path("seeds")])
    read_back = [entry.model_dump(mode="json", exclude={"alternates"}) for entry in read(listing)]
    assert read_back == expected
    assert [entry.title for entry in read(renderings)] == [paper["title"] for paper in expected]


def test_the_expected_papers_rebuild_the_listing_to_the_byte():
    lines = []
    for paper in json.loads((DATA / "parallelism.expected.json").read_text(encoding="utf-8")):
        names = [a["en"] + (f"({a['zh']})" if a["zh"] else "") for a in paper["affiliations"]]
        lines += [paper["title"], *([";".join(names)] if names else []), paper["abstract"]]
        lines.append(" ".join([paper["date"], *paper["categories"]]))
    assert "\n".join(lines) == (ROOT / "seeds" / "parallelism.txt").read_text(encoding="utf-8")


def test_every_format_has_a_sample():
    assert {sample.parent.name for sample in SAMPLES} == {f.name for f in FORMATS}


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda s: s.name)
def test_a_sample_is_recognised_by_its_own_format_alone(sample):
    text = sample.read_text(encoding="utf-8-sig")
    sure = {f.name for f in FORMATS if f.sniff(str(sample), text) > 0}
    assert sure == {sample.parent.name}


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda s: s.name)
def test_a_sample_gives_papers_or_renderings_with_title_and_place(sample):
    found = list(read(sample))
    assert found
    for entry in found:
        assert isinstance(entry, Paper | Rendered)
        assert entry.source.file == str(sample)
        line = sample.read_text(encoding="utf-8-sig").splitlines()[entry.source.line - 1]
        assert entry.title in line


@pytest.mark.parametrize("chosen", FORMATS, ids=lambda f: f.name)
@pytest.mark.parametrize("text", ["", "\n", "no listing at all", "{}", "\u2028", "a\n" * 1000])
def test_no_text_stops_a_format(chosen, text):
    assert 0 <= chosen.sniff("x", text) <= 1
    assert all(isinstance(entry, Paper | Rendered | Rejected) for entry in chosen.parse(text, "x"))


def test_the_names_of_all_formats_are_told():
    assert all(f.name in known() for f in FORMATS)
