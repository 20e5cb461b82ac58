"""Question and history to a query: what is asked, standing alone, and its forms to search for."""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Literal, Protocol

from paraqa import lang as languages
from paraqa.errors import QuestionError
from paraqa.lang import glossary
from paraqa.lang.asked import Asked, asked, ordered
from paraqa.lang.correction import Corpus as Spelled
from paraqa.lang.correction import Correction, corrected
from paraqa.lang.folding import aligned
from paraqa.lang.institutions import Directory
from paraqa.lang.language import Language
from paraqa.lang.names import mentions, names
from paraqa.lang.registry import LANGUAGES
from paraqa.lang.text import say
from paraqa.settings import RetrievalSettings
from paraqa.types import Filters, Lang, Query, Turn, Variant, clean

LIMIT = 2000  # characters: about a page, and well inside what the embedding model reads
_MOST_NAMED = 3  # `they` stands for no more names than this
_SHORT = 4  # terms of a question that can only be a continuation: `And the energy?`
_SIGNS = " ?.!,;:\u3002\uff1f\uff01\uff0c\uff1b\uff1a"  # around a topic
_TITLED = 0.6  # share of words with capitals above which capitals make no names


class Corpus(Spelled, Protocol):
    """What the rewriter asks of a store."""

    def directory(self) -> Directory:
        """The institutions of the papers, with what else they are called."""

    def authors(self) -> Collection[str]:
        """The authors of the papers; the same object as long as they are the same."""


class Rewriter:
    """Makes queries by rule, with no model."""

    def __init__(self, settings: RetrievalSettings) -> None:
        self._settings = settings

    def rewrite(
        self,
        question: str,
        *,
        lang: Lang | None,
        history: Sequence[Turn],
        titles: Mapping[str, str] | None = None,
        corpus: Corpus | None = None,
        filters: Filters | None = None,
        today: datetime.date | None = None,
    ) -> Query:
        """What was understood of a question.

        `lang` is the language to answer in; unset, the question's own. `titles` are those of the
        papers that the history cites, by id: with them `the second one` is known even where the
        answer named no paper. `filters` are the reader's own, in place of those that the question
        has; without `corpus`, no word is taken for misspelt. Raises QuestionError.
        """
        text = _readable(question)
        language = languages.detect(text)
        standalone = _standalone(text, LANGUAGES[language], history, titles or {})
        order, rest = ordered(standalone)
        found = (
            _asked(rest, corpus, today or datetime.date.today())
            if filters is None
            else Asked(filters, rest, ())
        )
        topic, unwanted = _parted(found.topic)
        correction = corrected(topic, corpus) if corpus else Correction(topic)
        return Query(
            text=text,
            standalone=standalone,
            lang=lang or language,
            kind=_kind(standalone, is_limited=bool(order or found.filters or found.without)),
            variants=self._variants(topic, language, correction),
            topic=_bare(correction.text),
            filters=found.filters,
            order=order,
            without=found.without,
            excluded=unwanted,
            unknown=_unknown(topic, correction, corpus) if corpus else (),
            is_about_corpus=_any("about_corpus", found.topic),
        )

    def _variants(self, topic: str, lang: Lang, correction: Correction) -> tuple[Variant, ...]:
        own = Variant(text=topic, lang=lang, why="question", weight=1.0)
        added = glossary.expand(
            correction.text,
            glossary_weight=self._settings.glossary_weight,
            bridge_weight=self._settings.bridge_weight,
        )
        weight = self._settings.spelling_weight
        if not correction.words or not weight:
            return (own, *added)
        text = "; ".join(correction.words)
        return (own, Variant(text=text, lang="en", why="spelling", weight=weight), *added)


def _kind(question: str, *, is_limited: bool) -> Literal["answer", "compare", "list"]:
    if _any("comparison", question):
        return "compare"
    if _any("list_question", question) or (is_limited and not _any("interrogative", question)):
        return "list"
    return "compare" if _any("comparison_of", question) else "answer"


def _any(field: str, text: str) -> bool:
    """Whether a pattern of any language is in a text: readers mix them."""
    folded = aligned(text)
    return any(getattr(known, field).search(folded) for known in LANGUAGES.values())


def _asked(question: str, corpus: Corpus | None, today: datetime.date) -> Asked:
    if corpus is None:
        return asked(question, today=today, directory=_usual_directory())
    return asked(question, today=today, directory=corpus.directory(), authors=corpus.authors())


def _bare(topic: str) -> str:
    """A topic without the words that make a question of it; itself, if nothing else is left."""
    rest = topic.strip(_SIGNS)
    for language in LANGUAGES.values():
        rest = language.frame.sub("", rest).strip(_SIGNS)
    return rest if len(rest) >= _SHORT else topic


def _parted(topic: str) -> tuple[str, tuple[Variant, ...]]:
    """What is asked about, and what is not to be in the answer: `other than GPipe`."""
    for language in LANGUAGES.values():
        match = language.unwanted.search(topic)
        if match:
            rest = topic[: match.start()].rstrip() + topic[match.end() :]
            if languages.terms(rest).words:
                phrase = match["phrase"].strip()
                code = languages.detect(phrase)
                return rest.strip(), (Variant(text=phrase, lang=code, why="question", weight=1.0),)
    return topic, ()


def _unknown(topic: str, correction: Correction, corpus: Corpus) -> tuple[str, ...]:
    """The names in a topic that no paper has, in any spelling."""
    words = re.findall("[A-Za-z]{2,}", topic)
    is_titled = len(words) > 3 and sum(w[0].isupper() for w in words) > _TITLED * len(words)
    return tuple(
        name
        for name in names(topic)
        if any(term in correction.missing for term in languages.terms(name).words)
        and (any(map(str.isdigit, name)) or not is_titled)
        and not _is_opening(name, topic)
        and not _is_held_institution(name, corpus)
    )


def _is_opening(name: str, topic: str) -> bool:
    """Whether it is the first word of an English sentence, which has a capital in any case."""
    is_plain = name.isascii() and name.isalpha() and name[1:].islower()
    return is_plain and topic.startswith(name) and topic[len(name) :][:2].strip(" ").islower()


def _is_held_institution(name: str, corpus: Corpus) -> bool:
    for named in corpus.directory().find(name):
        for form in corpus.directory().names(named.name):
            words, bigrams = languages.terms(form)
            if words and all(corpus.document_frequency(words + bigrams).values()):
                return True
    return False


@cache
def _usual_directory() -> Directory:
    return Directory(())


def _readable(question: str) -> str:
    text = clean(question)
    if not text:
        # What was there, and is gone now, was invisible.
        raise QuestionError("question.unreadable" if question.strip() else "question.empty")
    if len(text) > LIMIT:
        raise QuestionError("question.too_long", length=len(text), limit=LIMIT)
    # U+FFFD is what a decoder writes for bytes it could not read.
    if not any(c.isalnum() for c in text) or text.count("\ufffd") > len(text) // 4:
        raise QuestionError("question.unreadable")
    return text


def _standalone(
    question: str, language: Language, history: Sequence[Turn], titles: Mapping[str, str]
) -> str:
    """The question with what it refers to put in its place; itself, if it refers to nothing."""
    if not history:
        return question
    reference = _open_reference(question, language)
    if reference:
        named = _referents(reference, language, history, titles)
        if named:
            return _replaced(question, reference, language.separator.join(named), language)
        return _continued(question, language, history)
    if not _is_elliptical(question, language):
        return question
    named = next(_named(history, titles), [])
    if len(named) == 1:
        return say("question.about", language.code, name=named[0], question=question)
    return _continued(question, language, history)


def _open_reference(question: str, language: Language) -> re.Match[str] | None:
    """The first word that points back, unless the question itself says to what."""
    masked = language.expletive.sub(lambda m: "\0" * len(m[0]), question)
    reference = language.reference.search(masked)
    if reference is None:
        return None
    before = question[: reference.start()]
    own = len(languages.terms(before).words)
    if language.clause.search(before):
        return reference if own == 0 else None
    if language.definite.fullmatch(reference[0]) and names(question[reference.end() :]):
        return None  # `the authors of FlexFlow`
    if language.subject.search(before):
        return None if names(before) else reference  # `What speedup did it reach?`
    return reference if own <= 1 else None


def _is_elliptical(question: str, language: Language) -> bool:
    opens = language.elliptical.search(question)
    words = languages.terms(question).words
    return opens is not None and len(words) <= _SHORT and not names(question)


def _referents(
    reference: re.Match[str],
    language: Language,
    history: Sequence[Turn],
    titles: Mapping[str, str],
) -> list[str]:
    if reference["place"]:
        place = next(i for word, i in language.places if word in reference["place"].casefold())
        for named in _named(history, titles):
            if len(named) > max(place, 1):
                return [named[place]]
        return []
    named = next(_named(history, titles), [])
    is_plural = reference["many"] or reference[0].casefold() in language.plural_owners
    return named[:_MOST_NAMED] if is_plural else named[:1]


def _named(history: Sequence[Turn], titles: Mapping[str, str]) -> Iterator[list[str]]:
    """What each turn that names anything names, the latest first."""
    for turn in reversed(history):
        cited = [_short(titles[paper_id]) for paper_id in turn.cited if paper_id in titles]
        found = cited or (mentions(turn.text) if turn.role == "assistant" else names(turn.text))
        if found:
            yield found


def _short(title: str) -> str:
    """The name of the system that a title begins with, else the title."""
    name, colon, _ = title.partition(": ")
    return name if colon and len(name.split()) <= 3 else title


def _replaced(question: str, reference: re.Match[str], name: str, language: Language) -> str:
    form = language.owner_form.format(name=name) if reference["owner"] else name
    return question[: reference.start()] + form + question[reference.end() :]


def _continued(question: str, language: Language, history: Sequence[Turn]) -> str:
    """The question behind the last one asked: together they name the subject."""
    asked = [turn.text for turn in history if turn.role == "user"]
    if not asked:
        return question
    return say("question.continued", language.code, previous=clean(asked[-1]), question=question)
