"""Sentences of the original abstracts, as questions whose one answer is the paper they are from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from paraqa.errors import EvaluationError
from paraqa.evaluation.questions import problem_of, read_text
from paraqa.lang import sentences
from paraqa.types import Record, title_key

_NOT_WORD = r"(?<!\w){}(?!\w)"


class Original(BaseModel):
    """A paper's abstract in its own language, and what the listing holds of it instead.

    Further fields are for people.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    title: str = Field(min_length=1)
    abstract_en: str = Field(min_length=1)
    kind: str = Field(min_length=1)  # `abstract`, or `sentence` where the listing has only a line


class Share(Record):
    """How many of the papers of a kind are found by their sentences; None stands for all."""

    kind: str | None
    papers: int
    found: int

    @property
    def share(self) -> float:
        """The found ones among all."""
        return self.found / self.papers


def read_originals(path: Path) -> list[Original]:
    """The abstracts of a file, in order. Raises EvaluationError, naming the line."""
    found = []
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            found.append(Original.model_validate(json.loads(line)))
        except (ValidationError, json.JSONDecodeError) as error:
            problem = problem_of(error) if isinstance(error, ValidationError) else error.msg
            raise EvaluationError(
                "eval.bad_line", path=str(path), line=number, problem=problem
            ) from error
    if not found:
        raise EvaluationError("eval.empty", path=str(path))
    return found


def chosen(original: Original) -> str:
    """The sentence of an abstract that is searched for, chosen by rule.

    It is the longest, in words, of those that are not the first and do not name the paper's
    system (the part of the title before a colon); the earlier of two that are equally long. Where
    there is none, the name is taken out of the longest that is not the first, or of the only one.
    """
    abstract = original.abstract_en
    every = [abstract[start:end] for start, end in sentences(abstract)]
    later = every[1:] or every
    name = _system(original.title)
    if name is None:
        return max(later, key=_words)
    unnamed = [sentence for sentence in every[1:] if not name.search(sentence)]
    return max(unnamed, key=_words) if unnamed else name.sub("", max(later, key=_words)).strip()


def shares(originals: Sequence[Original], found: Mapping[str, Iterable[str]]) -> list[Share]:
    """The share of papers whose title is among those found by their sentence: all, and by kind.

    `found` holds the titles that a search gave, by the title of the paper that was looked for.
    """
    hits = {
        original.title: title_key(original.title) in map(title_key, found[original.title])
        for original in originals
    }
    return [
        Share(kind=kind, papers=len(group), found=sum(hits[each.title] for each in group))
        for kind in (None, *dict.fromkeys(original.kind for original in originals))
        if (group := [each for each in originals if kind in {None, each.kind}])
    ]


def _system(title: str) -> re.Pattern[str] | None:
    name, colon, _ = title.partition(":")
    if not colon or not name.strip():
        return None
    return re.compile(_NOT_WORD.format(re.escape(name.strip())), re.IGNORECASE)


def _words(sentence: str) -> int:
    return len(sentence.split())
