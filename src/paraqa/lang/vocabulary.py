"""Search terms: what a text and a question must share to be found by words."""

from __future__ import annotations

import itertools
import logging
import re
import threading
import warnings
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any, NamedTuple

from platformdirs import user_cache_path

from paraqa.lang.folding import fold
from paraqa.lang.language import HAN
from paraqa.lang.registry import LANGUAGES

_RUN = re.compile(
    rf"(?P<han>[{HAN}]+)|(?P<latin>(?:(?![{HAN}])[^\W_])+(?:\.(?:(?![{HAN}])[^\W_])+)*)"
)
# Acronyms make plurals that a stemmer leaves alone: GPUs, DNNs, LLMs.
_ACRONYM_PLURAL = re.compile(r"(?:[a-z]?pu|[b-df-hj-np-tv-xz]{2,4})s")
_BRITISH = re.compile(r"(?<=[a-z]{3})is(?=(?:e|ed|es|er|ers|ing|ation|ations)$)")
_DECIMAL = re.compile(r"(\d+(?:\.\d+)+)[a-z]*$")
_CATEGORY = re.compile(r"[a-z-]+\.[a-z]{2}")
_lock = threading.Lock()
_local = threading.local()


class Terms(NamedTuple):
    """The terms of a text, in order and with repetitions, folded.

    `bigrams` are the pairs of neighbouring Han characters that are not themselves among `words`
    at that place: together they hold each piece of text once.
    """

    words: tuple[str, ...]
    bigrams: tuple[str, ...]


@lru_cache(maxsize=1024)  # the sentences of popular papers are asked for with every question
def terms(text: str) -> Terms:
    """The search terms of a text, stop words left out."""
    words: list[str] = []
    bigrams: list[str] = []
    for _, found, pairs in _scan(text):
        words.extend(found)
        bigrams.extend(pairs)
    return Terms(tuple(words), tuple(bigrams))


def surfaces(text: str) -> dict[str, str]:
    """Each word term of a text with the form a reader would recognise, in order."""
    forms: dict[str, str] = {}
    for surface, found, _ in _scan(text):
        for word in found:
            forms.setdefault(word, surface or word)
    return forms


def is_generic(term: str) -> bool:
    """Whether a word term says what any paper may be said to do, as in `reduce` or 提高."""
    return term in _generic_terms()


def stems(text: str) -> str:
    """The Latin words of a text, stemmed, stop words kept, each between spaces; Han runs as `|`.

    One phrase is in a text if its stems are in the text's: `" pipelin bubbl "`.
    """
    found: list[str] = []
    for match in _RUN.finditer(fold(text)):
        pieces = [] if match["han"] else match["latin"].split(".")
        found.extend(_stem(piece) for piece in pieces)
        if match["han"]:
            found.append("|")
    return f" {' '.join(found)} "


def warm() -> None:
    """Load the dictionary and the stemmer now (about a second) rather than at the first text."""
    terms("预热 warming")


def _scan(text: str) -> Iterator[tuple[str, list[str], list[str]]]:
    """Each run of the text as (its surface form, its words, its bigrams)."""
    for match in _RUN.finditer(fold(text)):
        if match["han"]:
            words, bigrams = _han(match["han"])
            yield "", words, bigrams
        else:
            yield match["latin"], _latin(match["latin"]), []


def _han(run: str) -> tuple[list[str], list[str]]:
    words: list[str] = []
    bigrams: list[str] = []
    previous = ""  # last character, unless a stop word stood between
    for word in _segmenter().cut(run, HMM=False):
        if word in _stop_words():
            previous = ""
            continue
        words.append(word)
        if len(word) != 2:
            chain = previous + word
            bigrams.extend(a + b for a, b in itertools.pairwise(chain))
        elif previous:
            bigrams.append(previous + word[0])
        previous = word[-1]
    return words, bigrams


def _latin(token: str) -> list[str]:
    if "." not in token:
        return _stemmed(token)
    decimal = _DECIMAL.match(token)
    if decimal:
        return [decimal[1]]  # 1.42x and 1.42倍 are both found by 1.42
    pieces = [word for piece in token.split(".") for word in _stemmed(piece)]
    return [token, *pieces] if _CATEGORY.fullmatch(token) else pieces  # cs.AR is a name by itself


def _stemmed(token: str) -> list[str]:
    return [] if token in _stop_words() else [_stem(token)]


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    if not word.isascii() or not word.isalpha():
        return word
    if _ACRONYM_PLURAL.fullmatch(word):
        return word[:-1]
    stem: str = _stemmer().stemWord(_BRITISH.sub("iz", word))
    return stem


@cache
def _stop_words() -> frozenset[str]:
    return frozenset().union(*(language.stop_words for language in LANGUAGES.values()))


@cache
def _generic_terms() -> frozenset[str]:
    return frozenset(_stem(w) for language in LANGUAGES.values() for w in language.generic_words)


def _stemmer() -> Any:
    # One for each thread: a stemmer holds a buffer.
    if not hasattr(_local, "stemmer"):
        import Stemmer

        _local.stemmer = Stemmer.Stemmer("english")
    return _local.stemmer


def _segmenter() -> Any:
    with _lock:
        return _load_segmenter()


@cache
def _load_segmenter() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # jieba 0.42.1 has invalid escapes in its source
        import jieba
    # It reports its loading to stderr, at level debug.
    jieba.default_logger.setLevel(logging.CRITICAL)
    segmenter = jieba.Tokenizer()
    # Its cache is unmarshalled: a folder of the user's own, not the shared temporary one.
    folder = user_cache_path("paraqa", ensure_exists=False)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        segmenter.tmp_dir = str(folder)
    except OSError:
        segmenter.tmp_dir = None
    segmenter.initialize()
    return segmenter
