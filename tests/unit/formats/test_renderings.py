"""Renderings beside their listing, one JSON object a line."""

import json

import pytest

from paraqa.events import Rejected
from paraqa.formats.renderings import Renderings
from paraqa.types import Rendered, Rendering, Source

LINE = {"title": "Zeus", "lang": "en", "origin": "curated", "abstract": "It saves energy."}


def line(**changes: object) -> str:
    given = LINE | changes
    return json.dumps({key: value for key, value in given.items() if value is not None})


def parsed(*lines: str) -> list[Rendered | Rejected]:
    return list(Renderings().parse("\n".join(lines) + "\n", "zeus.en.jsonl"))


def test_a_line_is_a_rendering_with_its_paper_and_its_place():
    assert parsed(line(note="The unit is doubtful.")) == [
        Rendered(
            title="Zeus",
            rendering=Rendering(
                lang="en",
                abstract="It saves energy.",
                origin="curated",
                note="The unit is doubtful.",
            ),
            source=Source(file="zeus.en.jsonl", line=1),
        )
    ]


def test_a_paper_is_named_by_title_or_by_id():
    first, second = parsed(line(title=None, id="doi:10.1/a"), line(id="t01"))
    assert (first.title, first.id) == ("", "doi:10.1/a")
    assert (second.title, second.id) == ("Zeus", "t01")


def test_empty_lines_are_passed_over_and_count():
    found = parsed("", line(), "   ", line(lang="zh", abstract="节能。"))
    assert [one.source.line for one in found] == [2, 4]


def test_text_is_cleaned_as_that_of_a_paper_is():
    (found,) = parsed(line(title=" Zeus\u200b ", abstract="It \n saves\u0000 energy. "))
    assert (found.title, found.rendering.abstract) == ("Zeus", "It saves energy.")


@pytest.mark.parametrize(
    ("bad", "named"),
    [
        (line(lang="fr"), "lang"),
        (line(lang=None), "lang"),
        (line(origin="source"), "origin"),
        (line(abstract=""), "abstract"),
        (line(abstract=" \u200b "), "abstract"),
        (line(abstract=7), "abstract"),
        (line(colour="red"), "colour"),
        (line(title=None), "title or id is missing"),
        (line(title=" "), "title or id is missing"),
        ("{", "JSON"),
        ("[1, 2]", "object"),
        ("null", "object"),
    ],
)
def test_a_line_that_is_none_is_rejected_with_its_place_and_the_others_are_read(bad, named):
    first, rejected, last = parsed(line(), bad, line())
    assert isinstance(first, Rendered)
    assert isinstance(last, Rendered)
    assert isinstance(rejected, Rejected)
    assert (rejected.path, rejected.line) == ("zeus.en.jsonl", 2)
    assert rejected.key == "formats.bad_rendering"
    assert named in rejected.reason
    assert "JSON" in rejected.told("zh")


@pytest.mark.parametrize(
    ("head", "sure"),
    [
        (line() + "\n", 1.0),
        ("\n\n" + line(title=None, id="t01"), 1.0),
        (json.dumps({"title": "Zeus", "abstract": "…"}), 0.0),
        (json.dumps(["lang", "origin", "abstract"]), 0.0),
        ('{"lang": "en", "origin": "curated", "abstr', 0.0),
        ("Zeus\n优化GPU能耗。\n2022-09-29 cs.DC\n", 0.0),
        ("[" * 100_000, 0.0),
        ("", 0.0),
    ],
)
def test_a_file_is_known_by_the_keys_of_its_first_line(head, sure):
    assert Renderings().sniff("x.jsonl", head) == sure


def test_a_line_separator_inside_an_abstract_ends_no_line():
    raw = json.dumps(LINE | {"abstract": "One.\u2028Two."}, ensure_ascii=False)
    (found,) = parsed(raw)
    assert found.rendering.abstract == "One. Two."
