"""Question files: one JSON object a line, with papers named by id or by title."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from paraqa.errors import EvaluationError
from paraqa.types import Lang, Paper, Record, Turn, title_key

UNANSWERABLE = "unanswerable"

# Types that are also looked at together, by the name of the group.
GROUPS = {
    "core": ("multi", "lookup", "numeric", "compare"),
    "single": ("lookup", "numeric", "compare"),  # each asks for one answer, none for a whole list
}

_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
_BETWEEN_IDS = re.compile("[\\s,\uff0c\u3001;\uff1b]+")


class Question(Record):
    """One question with what is expected of its answer; papers are given by title."""

    id: str
    pair: str  # the same for the English and the Chinese form of a question
    lang: Lang
    type: str
    style: str | None = None  # how it is put, where the file says so
    text: str
    history: tuple[Turn, ...] = ()
    relevant: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    borderline: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()

    @property
    def is_answerable(self) -> bool:
        """Whether the papers hold an answer."""
        return self.type != UNANSWERABLE


def is_of(kind: str, group: str) -> bool:
    """Whether a type is of a group: a type of its own name, or one of the `GROUPS`."""
    return kind == group or kind in GROUPS.get(group, ())


class _Message(BaseModel):
    role: Literal["user", "assistant"]
    content: str


class _Line(BaseModel):
    """A line as it stands in the file. Further fields, such as `note`, are for people."""

    model_config = ConfigDict(extra="ignore")

    id: str = Field(min_length=1)
    lang: Lang
    pair: str | None = None
    type: str = Field(min_length=1)
    style: str | None = Field(default=None, min_length=1)
    question: str = Field(min_length=1)
    history: tuple[_Message, ...] = ()
    relevant: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    borderline: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()


def read_papers(path: Path) -> dict[str, str]:
    """Titles by id, from a table with tabs between its columns and `id`, `title` at its head.

    Raises EvaluationError.
    """
    rows = csv.reader(read_text(path).split("\n"), delimiter="\t", quoting=csv.QUOTE_NONE)
    head = [name.strip() for name in next(rows, [])]
    if "id" not in head or "title" not in head:
        raise EvaluationError("eval.papers_head", path=str(path))
    id_column, title_column = head.index("id"), head.index("title")
    titles: dict[str, str] = {}
    for number, row in enumerate(rows, start=2):
        cells = [cell.strip() for cell in row]
        if not any(cells):
            continue
        if len(cells) <= max(id_column, title_column) or cells[id_column] in titles:
            raise EvaluationError("eval.papers_row", path=str(path), line=number)
        titles[cells[id_column]] = cells[title_column]
    return titles


def read(path: Path, titles: Mapping[str, str], corpus: Sequence[Paper]) -> list[Question]:
    """The questions of a file, in order. `titles` are those of the papers file, by id.

    Raises EvaluationError, naming the line.
    """
    names = _Names(titles, corpus)
    questions: dict[str, Question] = {}
    for number, text in enumerate(read_text(path).split("\n"), start=1):
        if not text.strip():
            continue
        try:
            line = _Line.model_validate_json(text)
        except ValidationError as error:
            raise EvaluationError(
                "eval.bad_line", path=str(path), line=number, problem=problem_of(error)
            ) from error
        if line.id in questions:
            raise EvaluationError("eval.duplicate", path=str(path), line=number, id=line.id)
        questions[line.id] = _question(line, names)
    if not questions:
        raise EvaluationError("eval.empty", path=str(path))
    return list(questions.values())


def select(questions: Sequence[Question], limit: int | None) -> list[Question]:
    """At most `limit` of the questions, in file order, in whole pairs spread over all types.

    Pairs are taken round-robin: the first pair of each type, in the order in which the types
    appear, then the second of each, as long as the next one fits; one pair is always taken.
    """
    if limit is None:
        return list(questions)
    if limit < 1:
        raise EvaluationError("eval.limit", limit=limit)
    chosen: set[str] = set()
    count = 0
    for pair, size in _round_robin(questions):
        if chosen and count + size > limit:
            break
        chosen.add(pair)
        count += size
    return [question for question in questions if question.pair in chosen]


def read_text(path: Path) -> str:
    """The text of a file. Raises EvaluationError where it is missing or not UTF-8."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise EvaluationError("eval.not_found", path=str(path)) from error
    except (OSError, UnicodeDecodeError) as error:
        raise EvaluationError("eval.unreadable", path=str(path), problem=str(error)) from error


def problem_of(error: ValidationError) -> str:
    """The first thing that is wrong, with the name of the field."""
    first = error.errors(include_input=False, include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    return f"{field}: {first['msg']}" if field else first["msg"]


class _Names:
    """What the papers are called in a question file."""

    def __init__(self, titles: Mapping[str, str], corpus: Sequence[Paper]) -> None:
        self.titles = titles
        self.ids = {title_key(paper.title): paper.id for paper in corpus}
        self.keys = self.ids.keys() | {title_key(title) for title in titles.values()}

    def title(self, entry: str, question: str) -> str:
        """The title that an id of the papers file, or a title, stands for."""
        if entry in self.titles:
            return self.titles[entry]
        if title_key(entry) in self.keys:
            return entry
        raise EvaluationError("eval.unknown_paper", id=question, entry=entry)

    def cited(self, content: str) -> tuple[str, ...]:
        """Ids, in the library, of the papers that a message cites as `[P18]`.

        A conversation in the product keeps them with the turn (`Turn.cited`), so this one does.
        """
        marks = [mark for inner in _BRACKETS.findall(content) for mark in _BETWEEN_IDS.split(inner)]
        keys = [title_key(self.titles[mark]) for mark in marks if mark in self.titles]
        return tuple(dict.fromkeys(self.ids[key] for key in keys if key in self.ids))


def _question(line: _Line, names: _Names) -> Question:
    def titles(entries: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(names.title(entry, line.id) for entry in entries)

    return Question(
        id=line.id,
        pair=line.pair or line.id,
        lang=line.lang,
        type=line.type,
        style=line.style,
        text=line.question,
        history=tuple(
            Turn(role=turn.role, text=turn.content, cited=names.cited(turn.content))
            for turn in line.history
        ),
        relevant=titles(line.relevant),
        required=titles(line.required),
        borderline=titles(line.borderline),
        facts=line.facts,
    )


def _round_robin(questions: Sequence[Question]) -> Iterator[tuple[str, int]]:
    """Pairs with their sizes: the first of each type, then the second of each, and so on."""
    sizes: dict[str, int] = {}
    by_type: dict[str, list[str]] = {}
    for question in questions:
        if question.pair not in sizes:
            by_type.setdefault(question.type, []).append(question.pair)
        sizes[question.pair] = sizes.get(question.pair, 0) + 1
    for layer in zip_longest(*by_type.values()):
        for pair in layer:
            if pair is not None:
                yield pair, sizes[pair]
