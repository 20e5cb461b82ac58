"""One sentence out of what a model streams, without the marks that a model likes to add."""

from __future__ import annotations

import re

from paraqa import lang
from paraqa.lang import glossary
from paraqa.lang.language import HAN
from paraqa.lang.text import say
from paraqa.types import Lang, Paper, clean

_SOURCE = (
    r"(?:sources?|papers?|refs?|references?|citations?|documents?|来源|论文|文献|资料|参考文献)"
)
_NUMBERS = r"\^?[#P]?\d{1,3}(?:\s*[,,、;;–—~-]\s*\^?[#P]?\d{1,3})*"
# `[1]`, `【1, 2】`, `[^3]`, `[Source 1]`, `(来源 1)`, `[1](http://…)`, and `(1)` where nothing
# follows it that it could number. `x=[2,16]` is no marker.
_MARKER = re.compile(
    rf"""\s*(?: (?<![=∈])[\[【［〔]\s*(?:{_SOURCE}\s*:?\s*)?{_NUMBERS}\s*[\]】］〕](?:\([^()\s]*\))?
      | [(（]\s*{_SOURCE}\s*:?\s*{_NUMBERS}\s*[)）]
      | [(（]\d{{1,2}}[)）](?=\s*(?:[.,;:。，；：!?！？]|$)) )""",
    re.VERBOSE | re.IGNORECASE,
)
_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|$)", re.DOTALL | re.IGNORECASE)
_IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)?")
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<\|[^<>|]*\|>|<!--.*?-->", re.DOTALL)
_MARKDOWN = re.compile(r"\*\*|__(?=\S)|(?<=\S)__|`+|^\s*(?:[-*+>#]+|\d{1,2}[.)])\s+", re.MULTILINE)
# The end of a stream may be the beginning of any of these.
_UNFINISHED = re.compile(
    r"\s*(?:!?\[[^\[\]\n]{0,60}(?:\](?:\([^()\s]{0,300})?)?|[【［〔(（][^\]】］〕)）\n]{0,40}"
    r"|<[^<>\n]{0,60}|[!*`_]+|\s)$"
)
_ENDERS = ".!?。！？…"
_CLOSERS = "”’\"')）」』】]"
_HAN_RUN = re.compile(f"[{HAN}]+")
_CLAUSE = re.compile(r"[，；;]|,(?=\s)")
_SHORT = 60  # characters of a title before its colon that are taken for a name
_BARE = 2  # characters beside names and figures in an answer that is no sentence
_LEAST = 0.5  # share of a cut-off sentence that its whole clauses must hold


class Sentence:
    """The first sentence of a stream of text, clean at every moment.

    `most`: how many sentences may be kept; those after the first must hold figures.
    """

    def __init__(self, language: Lang, paper: Paper, *, most: int = 1) -> None:
        self._lang = language
        self._paper = paper
        self._most = most
        self._raw = ""
        self._sent = ""

    def feed(self, text: str) -> str:
        """What the reader may see in addition, given all text so far."""
        self._raw = text
        visible = self._first(_UNFINISHED.sub("", self._clean()))
        if self._may_decline(visible) or not visible.startswith(self._sent):
            return ""
        added = visible[len(self._sent) :]
        self._sent = visible
        return added

    @property
    def is_complete(self) -> bool:
        """Whether the model has gone on to a sentence that is not wanted."""
        return len(self._pieces(self._clean())) > self._most

    @property
    def has_declined(self) -> bool:
        """Whether the model says that the paper does not say."""
        first = self._first(self._clean())
        return any(re.search(say("prompt.declines", code), first, re.I) for code in lang.LANGS)

    @property
    def removed_markers(self) -> int:
        """Number of citation markers that the model wrote."""
        return len(_MARKER.findall(_THOUGHT.sub("", self._raw)))

    def finished(self, *, is_cut: bool) -> str | None:
        """The sentence; None where nothing of it can be kept.

        `is_cut`: the model was stopped in the middle. Its last whole clause is the end then.
        """
        text = self._first(self._clean())
        is_whole = len(self._pieces(self._clean())) > 1 or text.rstrip(_CLOSERS)[-1:] in tuple(
            _ENDERS
        )
        if is_cut and not is_whole:
            text = _whole_clauses(text)
        text = text.rstrip(",，、;；:： ")
        if not text or lang.fold(text).strip(_ENDERS) == lang.fold(self._paper.title).strip(
            _ENDERS
        ):
            return None
        if text.rstrip(_CLOSERS)[-1] not in _ENDERS:
            text += say("prompt.full_stop", self._lang)
        text = lang.convert_quantities(text + self._rest(), self._lang)
        return repaired(naming(text, self._paper, self._lang), self._lang)

    def _rest(self) -> str:
        """The sentences after the first that are whole and hold figures."""
        kept = ""
        for piece in self._pieces(self._clean())[1 : self._most]:
            if piece[-1] in _ENDERS and lang.quantities(piece):
                kept += (" " if piece[0].isascii() else "") + piece
        return kept

    def _clean(self) -> str:
        text = _THOUGHT.sub("", self._raw)
        text = _MARKER.sub("", _IMAGE.sub("", text))
        text = _MARKDOWN.sub("", _TAG.sub("", _LINK.sub(r"\1", text)))
        return re.sub(say("prompt.preamble", self._lang), "", text.strip(), flags=re.I)

    def _first(self, text: str) -> str:
        pieces = self._pieces(text)
        return pieces[0] if pieces else ""

    def _pieces(self, text: str) -> list[str]:
        pieces = [clean(text[start:end]) for start, end in lang.sentences(text)]
        # `Here is the sentence:` is none, nor is the question said again.
        return [p for p in pieces if p.strip(_ENDERS) and not p.endswith((":", "：", "?", "？"))]

    def _may_decline(self, visible: str) -> bool:
        signs = (say("prompt.not_stated", code) for code in lang.LANGS)
        return any(sign.startswith(visible) for sign in signs) or self.has_declined


def naming(sentence: str, paper: Paper, language: Lang) -> str:
    """The sentence with its paper's title in place of `This paper`, unless it names the paper.

    What is no sentence, only a name or a figure, is put behind the title.
    """
    short = re.split(r"[::]\s", paper.title)[0]
    key = "prompt.that_paper" if paper.date else "prompt.that_paper_undated"
    year = paper.date.year if paper.date else ""
    title = short if len(short) <= _SHORT else paper.title
    that = say(key, language, title=title, year=year)
    if _is_bare(sentence):
        return say("prompt.bare", language, paper=that, text=sentence)
    if lang.fold(short) in lang.fold(sentence):
        return sentence
    return re.sub(say("prompt.this_paper", language), lambda _: that, sentence, count=1)


def _is_bare(sentence: str) -> bool:
    rest = sentence
    for quantity in reversed(lang.quantities(sentence)):
        rest = rest[: quantity.start] + rest[quantity.end :]
    rest = re.sub(r"[A-Za-z-]*[A-Z0-9][\w.-]*", "", rest, flags=re.ASCII)
    return not re.search("[a-z]{2}", rest) and sum(map(str.isalpha, rest)) <= _BARE


def repaired(text: str, language: Lang) -> str | None:
    """The sentence with stray terms of another script translated; None if that is not enough."""
    pieces, done = [], 0
    for run in _HAN_RUN.finditer(text):
        if lang.is_in_language(run[0], language):
            continue
        own = _translated(run[0], language)
        if own is None:
            return None
        before, after = text[done : run.start()], text[run.end() : run.end() + 1]
        pieces.append(before + (" " if before[-1:].isalnum() else "") + own)
        pieces.append(" " if after.isalnum() else "")
        done = run.end()
    whole = "".join(pieces) + text[done:]
    return whole if lang.is_in_language(whole, language) else None


def _translated(term: str, language: Lang) -> str | None:
    """What the glossary calls a term in a language; None where it is no term of the glossary."""
    for entry in glossary.entries():
        if term in entry.names:
            return next((name for name in entry.names if lang.detect(name) == language), None)
    return None


def _whole_clauses(text: str) -> str:
    ends = [match.start() for match in _CLAUSE.finditer(text)]
    return text[: ends[-1]] if ends and ends[-1] >= _LEAST * len(text) else ""
