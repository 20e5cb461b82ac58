"""Renderings of abstracts in another language, one JSON object a line, beside their listing.

    {"title": "…", "lang": "en", "origin": "curated", "abstract": "…", "note": "…"}

A line belongs to the paper of that title, or of that `id`. `paraqa translate --out` writes such a
file, and a reader who mends it makes its lines `curated`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from paraqa.events import Rejected
from paraqa.lang import detect
from paraqa.types import Lang, Paper, Rendered, Rendering, Source, Text

_KEYS = ("lang", "origin", "abstract")


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid")

    title: Text = ""
    id: Text = ""
    lang: Lang
    origin: Literal["curated", "machine"]
    abstract: Text = Field(min_length=1)
    note: Text | None = None

    @model_validator(mode="after")
    def _names_a_paper(self) -> _Line:
        if not (self.title or self.id):
            raise ValueError("title or id is missing")
        if detect(self.abstract) != self.lang:
            raise ValueError(f"the abstract is not in {self.lang}")
        return self


class Renderings:
    """The format of files like `seeds/parallelism.en.jsonl`."""

    name = "renderings"

    def sniff(self, path: str, head: str) -> float:
        """How sure it is: certain where the first line is an object with the keys of one."""
        first = next((line for line in head.split("\n") if line.strip()), "")
        try:
            value = json.loads(first)
        except (ValueError, RecursionError):
            return 0.0
        return 1.0 if isinstance(value, dict) and all(key in value for key in _KEYS) else 0.0

    def parse(self, text: str, path: str) -> Iterator[Paper | Rendered | Rejected]:
        """The renderings, in order."""
        for number, raw in enumerate(text.split("\n"), start=1):
            if not raw.strip():
                continue
            try:
                line = _Line.model_validate_json(raw)
            except ValidationError as error:
                first = error.errors(include_input=False, include_url=False)[0]
                field = ".".join(str(part) for part in first["loc"])
                problem = f"{field}: {first['msg']}" if field else first["msg"]
                yield Rejected.because(path, number, "formats.bad_rendering", problem=problem)
                continue
            yield Rendered(
                title=line.title,
                id=line.id,
                rendering=Rendering(
                    lang=line.lang, abstract=line.abstract, origin=line.origin, note=line.note
                ),
                source=Source(file=path, line=number),
            )
