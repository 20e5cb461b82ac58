"""What a stream of ingestion, of model preparation, or of an answer may contain.

An event is a frozen record with a literal `kind`, so that HTTP sends it as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal, Self

from pydantic import Field

from paraqa.lang.text import pairs, say
from paraqa.types import (
    Answer,
    Claim,
    Coverage,
    Hit,
    Lang,
    ModelUsage,
    Query,
    Record,
    Rendering,
)


class Started(Record):
    """Ingestion has found its files."""

    kind: Literal["started"] = "started"
    files: tuple[str, ...]


class Parsed(Record):
    """A file was read; `new` papers of it must be indexed, the others are unchanged."""

    kind: Literal["parsed"] = "parsed"
    path: str
    papers: int
    new: int


class Rejected(Record):
    """An entry or a file that could not be used; the others go on."""

    kind: Literal["rejected"] = "rejected"
    path: str
    line: int | None
    reason: str  # in English, as JSON has it
    key: str = ""  # of the pair of sentences in `lang/text/` that `values` fill
    values: dict[str, str | int] = Field(default_factory=dict)

    @classmethod
    def because(cls, path: str, line: int | None, key: str, /, **values: str | int) -> Self:
        """A rejection for the reason that a pair of sentences gives."""
        reason = _told(key, "en", values)
        return cls(path=path, line=line, reason=reason, key=key, values=values)

    def told(self, lang: Lang) -> str:
        """The reason in the reader's language, with what to do about it."""
        return _told(self.key, lang, self.values) if self.key else self.reason


def _told(key: str, lang: Lang, values: Mapping[str, str | int]) -> str:
    area, name = key.split(".", 1)
    message = say(key, lang, **values)
    if f"{name}_hint" not in pairs(area):
        return message
    hint = say(f"{key}_hint", lang, **values)
    return say("formats.with_advice", lang, message=message, advice=hint)


class Indexed(Record):
    """So many new papers, and passages of them, are in the store, of `total` to be indexed."""

    kind: Literal["indexed"] = "indexed"
    papers: int
    passages: int
    total: int


class Estimated(Record):
    """How long the rest of a large ingestion will take, judged by its first part."""

    kind: Literal["estimated"] = "estimated"
    papers: int  # in all, as are the passages
    passages: int
    seconds: float


class IngestReport(Record):
    """The account of one run. `embedded` counts texts that were sent to the embedder."""

    files: int = 0
    added: int = 0
    updated: int = 0
    unchanged: int = 0
    rejected: tuple[Rejected, ...] = ()
    passages: int = 0
    embedded: int = 0
    seconds: float = 0.0


class Ingested(Record):
    """Ingestion is over."""

    kind: Literal["ingested"] = "ingested"
    report: IngestReport


class Preparing(Record):
    """The local model is being made ready; `done` of `total` bytes, 0 of 0 where not countable."""

    kind: Literal["preparing"] = "preparing"
    step: Literal["joining", "loading", "ready"]
    done: int = 0
    total: int = 0


class Understood(Record):
    """The question was read."""

    kind: Literal["understood"] = "understood"
    query: Query


class Retrieved(Record):
    """The evidence is there; it does not change afterwards."""

    kind: Literal["retrieved"] = "retrieved"
    hits: tuple[Hit, ...]
    coverage: Coverage = Coverage()


class Delta(Record):
    """Provisional text of the claim being written from hit `number`."""

    kind: Literal["delta"] = "delta"
    number: int
    text: str


class Settled(Record):
    """A claim that was checked and will not change. It replaces the deltas since the last one."""

    kind: Literal["settled"] = "settled"
    claim: Claim


class Dropped(Record):
    """The text being written from hit `number` came to nothing; its deltas are to be taken away."""

    kind: Literal["dropped"] = "dropped"
    number: int
    usage: ModelUsage | None = None


class Finished(Record):
    """The whole answer."""

    kind: Literal["finished"] = "finished"
    answer: Answer


class Reason(Record):
    """Why something could not be done: a pair of sentences in `lang/text/`, and its values."""

    text: str  # in English, as JSON has it
    key: str
    values: dict[str, str | int] = Field(default_factory=dict)

    @classmethod
    def of(cls, key: str, /, **values: str | int) -> Self:
        """The reason that a pair of sentences gives."""
        return cls(text=say(key, "en", **values), key=key, values=values)

    def told(self, lang: Lang) -> str:
        """The reason in the reader's language."""
        return say(self.key, lang, **self.values)


class Translating(Record):
    """So many abstracts are to be translated."""

    kind: Literal["translating"] = "translating"
    total: int


class Translated(Record):
    """An abstract was translated, as number `done` of `total`; the rendering passed all checks."""

    kind: Literal["translated"] = "translated"
    paper_id: str
    title: str
    rendering: Rendering
    done: int
    total: int


class Refused(Record):
    """No rendering of a paper passed the checks; it stays without one until the next run."""

    kind: Literal["refused"] = "refused"
    paper_id: str
    title: str
    reason: Reason
    done: int
    total: int


class TranslationReport(Record):
    """The account of one run; `skipped` counts papers that needed no translation."""

    kind: Literal["translation_report"] = "translation_report"
    translated: tuple[Translated, ...] = ()
    refused: tuple[Refused, ...] = ()
    skipped: int = 0
    seconds: float = 0.0
    usage: ModelUsage = ModelUsage()
    stopped: Reason | None = None  # what the model failed of, where that ended the run early


IngestEvent = Annotated[
    Started | Parsed | Rejected | Estimated | Indexed | Ingested, Field(discriminator="kind")
]
AskEvent = Annotated[
    Understood | Retrieved | Preparing | Delta | Settled | Dropped | Finished,
    Field(discriminator="kind"),
]
TranslateEvent = Annotated[
    Preparing | Translating | Translated | Refused | TranslationReport,
    Field(discriminator="kind"),
]


def gather(events: Iterable[AskEvent]) -> Answer:
    """The answer that the events seen so far amount to: `cancelled` if none is `Finished`.

    Raises ValueError where the question was not even understood.
    """
    query: Query | None = None
    hits: tuple[Hit, ...] = ()
    coverage = Coverage()
    claims: list[Claim] = []
    for event in events:
        match event:
            case Finished(answer=answer):
                return answer
            case Understood(query=understood):
                query = understood
            case Retrieved(hits=found, coverage=stood_on):
                hits, coverage = found, stood_on
            case Settled(claim=claim):
                claims.append(claim)
            case _:
                pass
    if query is None:
        raise ValueError("no event of a question")
    return Answer(
        query=query,
        status="cancelled",
        claims=tuple(claims),
        hits=hits,
        coverage=coverage,
        model="",
    )
