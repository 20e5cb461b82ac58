"""Question and history to a query: what is asked, standing alone, and its forms to search for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from paraqa import lang as languages
from paraqa.errors import QuestionError
from paraqa.lang import glossary
from paraqa.lang.language import Language
from paraqa.lang.names import mentions, names
from paraqa.lang.registry import LANGUAGES
from paraqa.lang.text import say
from paraqa.settings import RetrievalSettings
from paraqa.types import Lang, Query, Turn, clean

LIMIT = 2000  # characters: about a page, and well inside what the embedding model reads
_MOST_NAMED = 3  # `they` stands for no more names than this
_SHORT = 4  # terms of a question that can only be a continuation: `And the energy?`


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
    ) -> Query:
        """What was understood of a question.

        `lang` is the language to answer in; unset, the question's own. `titles` are those of the
        papers that the history cites, by id: with them `the second one` is known even where the
        answer named no paper. Raises QuestionError.
        """
        text = _readable(question)
        language = languages.detect(text)
        standalone = _standalone(text, LANGUAGES[language], history, titles or {})
        return Query(
            text=text,
            standalone=standalone,
            lang=lang or language,
            kind="list" if LANGUAGES[language].list_question.search(standalone) else "answer",
            variants=glossary.variants(
                standalone,
                language,
                glossary_weight=self._settings.glossary_weight,
                bridge_weight=self._settings.bridge_weight,
            ),
        )


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
