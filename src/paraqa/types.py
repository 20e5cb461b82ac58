"""The immutable records that pass between stages.

Every record is a frozen pydantic model that refuses unknown fields, because records cross HTTP,
SQLite and JSON. Text is cleaned once, in `Paper`; every offset counts code points of `Paper.text`,
so that a quote is a slice: `paper.text[citation.start : citation.end] == citation.quote`.
"""

from __future__ import annotations

import datetime
import hashlib
import re
import unicodedata
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, computed_field, model_validator

Lang = Literal["en", "zh"]
Origin = Literal["source", "curated", "machine"]
Status = Literal["answered", "partial", "abstained", "cancelled"]
Support = Literal["full", "partial", "none", "contradicted"]

# C0 and C1 controls except white space, zero-width characters, bidirectional controls, and the
# surrogates that JSON can smuggle in: none is ever visible, each breaks some reader downstream
# (an embedder stops at NUL, a terminal obeys ESC, a bidi override reorders what is shown).
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)
_SPACES = re.compile(r"\s+")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def clean(text: str) -> str:
    """The text on one line, without invisible characters; visible ones are never altered."""
    return _SPACES.sub(" ", _INVISIBLE.sub("", text)).strip()


def title_key(title: str) -> str:
    """The title reduced to folded letters and digits: equal for two spellings of one title.

    The signs of C++ and C# are kept; a title that is nothing but signs is its own key.
    """
    folded = unicodedata.normalize("NFKC", title).casefold()
    return "".join(c for c in folded if c.isalnum() or c in "+#") or folded


Text = Annotated[str, BeforeValidator(lambda v: clean(v) if isinstance(v, str) else v)]


class Record(BaseModel):
    """A frozen record that refuses unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _without_computed(cls, values: object) -> object:
        # Its own JSON holds the computed fields too, and must be readable again.
        if not isinstance(values, dict):
            return values
        return {k: v for k, v in values.items() if k not in cls.model_computed_fields}


class Source(Record):
    """Where an entry stands: the listing file as given, and the line of the title, from 1."""

    file: str
    line: int = Field(ge=1)


class Affiliation(Record):
    """An institution as the listing names it, in English, Chinese, or both."""

    en: Text | None = None
    zh: Text | None = None


class Rendering(Record):
    """A paper's abstract in another language than its own.

    It serves the index and is shown beside the source; no quote is ever taken from it.
    """

    lang: Lang
    abstract: Text = Field(min_length=1)
    origin: Literal["curated", "machine"]
    note: Text | None = None  # where the source slips, or what was doubtful


class Paper(Record):
    """One entry of a listing, known by its DOI, else its arXiv id, else its folded title."""

    title: Text = Field(min_length=1)
    abstract: Text = ""
    authors: tuple[Text, ...] = ()
    affiliations: tuple[Affiliation, ...] = ()
    date: datetime.date | None = None
    categories: tuple[Text, ...] = ()
    venue: Text | None = None
    doi: Text | None = None
    arxiv_id: Text | None = None
    url: Text | None = None
    source: Source
    alternates: tuple[Rendering, ...] = ()  # at most one for each language

    @computed_field  # type: ignore[prop-decorator]
    @property
    def id(self) -> str:
        """A stable name: the same paper in two listings has the same one."""
        if self.doi:
            return "doi:" + self.doi.casefold()
        if self.arxiv_id:
            return "arxiv:" + self.arxiv_id.casefold()
        return "t" + hashlib.sha256(title_key(self.title).encode()).hexdigest()[:16]

    @property
    def text(self) -> str:
        """What offsets refer to: the title, a line break, the abstract."""
        return f"{self.title}\n{self.abstract}" if self.abstract else self.title


class Rendered(Record):
    """A rendering as a file gives it: for the paper of this title, or of this id."""

    title: Text = ""
    id: Text = ""
    rendering: Rendering
    source: Source


class Passage(Record):
    """A piece of a paper that can be found; one of the source can be quoted too.

    Number 0 is the whole entry, the others are the sentences of its abstract, in order. Those of a
    rendering have its language before the number, and offsets into the title and its abstract.
    """

    id: str  # paper id, "#", number; of a rendering paper id, "#", language, number
    paper_id: str
    text: str
    lang: Lang
    origin: Origin = "source"
    start: int = Field(ge=0)
    end: int = Field(ge=0)

    @property
    def is_whole(self) -> bool:
        """Whether this is the entry rather than one of its sentences."""
        return self.id.rpartition("#")[2].lstrip(_LETTERS) == "0"


class Turn(Record):
    """One message of a conversation; `cited` holds the ids of the papers it named, in order."""

    role: Literal["user", "assistant"]
    text: str
    cited: tuple[str, ...] = ()


Why = Literal["question", "glossary", "bridge", "spelling"]


class Variant(Record):
    """A form of the question that is searched, with its weight beside the question's own 1.0."""

    text: str
    lang: Lang
    why: Why
    weight: float = Field(gt=0, le=1)


class Period(Record):
    """Days from `since` to `until`, both included; open where one is unset."""

    since: datetime.date | None = None
    until: datetime.date | None = None

    def holds(self, date: datetime.date | None) -> bool:
        """Whether a date is one of these days; none never is, unless both ends are open."""
        if date is None:
            return self == Period()
        return (self.since or date) <= date <= (self.until or date)


class Filters(Record):
    """What papers must meet to be found. Unset conditions hold for all; all that are set must hold.

    Within one of the tuples, one value that is met is enough.
    """

    since: datetime.date | None = None  # inclusive, as is `until`
    until: datetime.date | None = None
    periods: tuple[Period, ...] = ()  # `in 2019 or 2021`
    categories: tuple[str, ...] = ()  # `cs.AR`, or a whole archive, `cs`
    institutions: tuple[str, ...] = ()  # by any of their names
    authors: tuple[str, ...] = ()  # by whole name or surname

    def __bool__(self) -> bool:
        return self != Filters()


Order = Literal["newest", "oldest"]  # which comes first


class Query(Record):
    """What was understood of a question. `variants[0]` is what it asks about, without filters."""

    text: str
    standalone: str
    lang: Lang  # of the answer: the question's own unless the reader set another
    kind: Literal["answer", "compare", "list"]
    variants: tuple[Variant, ...]
    topic: str = ""  # `variants[0]` with its spelling mended: what nearness is measured to
    filters: Filters = Filters()
    order: Order | None = None  # by date, where the question asks for one
    without: tuple[Filters, ...] = ()  # a paper that meets any of these is left out
    excluded: tuple[Variant, ...] = ()  # what papers should not be about: `other than …`
    unknown: tuple[str, ...] = ()  # names in it that occur nowhere in the corpus
    is_about_corpus: bool = False  # it asks about the collection, not about what papers say

    @property
    def is_filtered(self) -> bool:
        """Whether papers must meet conditions."""
        return bool(self.filters or self.without)


class Match(Record):
    """A term that brought a paper up: of the question, or added to it, with the reason."""

    term: str
    why: Why


class Hit(Record):
    """One paper of a result, with its best passages, best first."""

    rank: int = Field(ge=1)
    paper: Paper
    passages: tuple[Passage, ...]
    score: float  # fused; comparable within one result only
    ranks: dict[str, int]  # the place in each ranking that found it, as in {"dense": 3, "bm25": 1}
    shares: dict[str, float] = Field(default_factory=dict)  # what each ranking gave to the score
    matches: tuple[Match, ...] = ()  # terms of the question or its variants that the paper holds

    @computed_field  # type: ignore[prop-decorator]
    @property
    def matched(self) -> tuple[str, ...]:
        """The matching terms alone."""
        return tuple(match.term for match in self.matches)


Strength = Literal["strong", "weak", "none"]


class Coverage(Record):
    """What of the corpus a result stands on.

    `strength` is `none` where no paper meets the filters or holds anything that was asked for.
    """

    papers: int = 0  # in the corpus
    eligible: int = 0  # of these, that meet the filters
    matching: int = 0  # of these, that hold what was asked for
    strength: Strength = "none"


class Draft(Record):
    """A sentence written from one paper, before it is checked. `number` is that paper's rank."""

    text: str
    number: int = Field(ge=1)
    is_quote: bool = False  # the paper's own words, chosen by code
    quote: tuple[int, int] | None = None  # slice of the paper's text, where the writer knows it
    removed_markers: int = Field(default=0, ge=0)  # markers the model wrote, all taken out


class Citation(Record):
    """A pointer from a claim to an exact slice of a paper. `number` is the rank of its hit."""

    number: int = Field(ge=1)
    paper_id: str
    passage_id: str
    quote: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)


class Verdict(Record):
    """How far the cited paper supports a claim, how that was judged, and why, in words."""

    support: Support
    method: Literal["quote", "rules"]
    reason: str = ""


class Claim(Record):
    """One sentence of an answer with its citations and the verdict on it."""

    text: str  # without markers
    citations: tuple[Citation, ...]
    verdict: Verdict
    is_quote: bool = False

    @property
    def marked(self) -> str:
        """The sentence followed by its markers, as in `It gains 43%. [1]`."""
        numbers = dict.fromkeys(c.number for c in self.citations)
        return self.text + "".join(f" [{n}]" for n in numbers)


class ModelUsage(Record):
    """Tokens and seconds that the model itself reports, summed over the calls of one answer."""

    calls: int = 0
    prompt_tokens: int = 0  # read, without those found in the prefix cache
    cached_tokens: int = 0
    generated_tokens: int = 0
    prompt_seconds: float = 0.0
    generation_seconds: float = 0.0


class Timings(Record):
    """Seconds from the question to each mark; None where the mark was not reached."""

    first_evidence: float | None = None
    first_claim: float | None = None
    last_claim: float | None = None
    total: float | None = None


class Answer(Record):
    """The whole record of one question. `[n]` in its text is always the paper `hits[n - 1]`."""

    query: Query
    status: Status
    lead: str = ""  # a sentence by code, in the answer's language; it makes no claim about a paper
    claims: tuple[Claim, ...] = ()
    hits: tuple[Hit, ...] = ()
    coverage: Coverage = Coverage()
    reason: str | None = None  # why it abstained or is partial, in the answer's language
    model: str  # "extractive", or the name of the model that wrote
    usage: ModelUsage = ModelUsage()
    timings: Timings = Timings()
    removed_markers: int = 0

    @computed_field  # type: ignore[prop-decorator]
    @property
    def text(self) -> str:
        """The answer as plain text: lead or reason, then each claim with its markers."""
        parts = [self.lead or self.reason or "", *(c.marked for c in self.claims)]
        return "\n".join(p for p in parts if p)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def references(self) -> tuple[int, ...]:
        """Numbers of the cited papers, in the order in which they are first cited."""
        return tuple(dict.fromkeys(c.number for claim in self.claims for c in claim.citations))


class SearchResult(Record):
    """What a search gives: the question as understood, and the papers found, best first."""

    query: Query
    hits: tuple[Hit, ...]
    coverage: Coverage = Coverage()
    seconds: float
