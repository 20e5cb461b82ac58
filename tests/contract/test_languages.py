"""Every language offers everything."""

import string
from dataclasses import fields

import pytest

from paraqa.lang import (
    LANGS,
    convert_quantities,
    detect,
    is_in_language,
    preferred,
    quantities,
    quoted,
    sentences,
    terms,
)
from paraqa.lang.language import Language
from paraqa.lang.registry import LANGUAGES
from paraqa.lang.text import areas, pairs, say

PAIRS = [(area, key) for area in areas() for key in pairs(area)]
SAMPLES = {"en": "It trains a model with 52 billion parameters.", "zh": "它训练520亿参数的模型。"}


def placeholders(text):
    return sorted({name for _, name, _, _ in string.Formatter().parse(text) if name is not None})


@pytest.mark.parametrize(("area", "key"), PAIRS)
def test_each_sentence_is_there_in_each_language(area, key):
    assert set(pairs(area)[key]) == set(LANGS)
    assert all(text.strip() for text in pairs(area)[key].values())


@pytest.mark.parametrize(("area", "key"), PAIRS)
def test_a_sentence_needs_the_same_values_in_each_language(area, key):
    needed = {lang: placeholders(text) for lang, text in pairs(area)[key].items()}
    assert len({tuple(names) for names in needed.values()}) == 1, needed


@pytest.mark.parametrize(("area", "key"), [(a, k) for a, k in PAIRS if k.endswith("_hint")])
def test_a_hint_belongs_to_a_sentence(area, key):
    assert key.removesuffix("_hint") in pairs(area)


def test_values_are_filled_in_and_never_parsed():
    assert "{x}" in say("settings.unknown_variable", "en", name="{x}")


@pytest.mark.parametrize("lang", LANGS)
def test_a_language_fills_every_field(lang):
    language = LANGUAGES[lang]
    assert language.code == lang
    assert all(getattr(language, field.name) is not None for field in fields(Language))
    assert language.stop_words
    assert language.generic_words
    assert not language.stop_words & language.generic_words
    assert len(set(language.quotes)) == 2


@pytest.mark.parametrize("lang", LANGS)
def test_references_have_the_groups_that_the_rewriter_reads(lang):
    language = LANGUAGES[lang]
    assert set(language.reference.groupindex) == {"place", "owner", "many", "one"}


@pytest.mark.parametrize("lang", LANGS)
def test_a_language_knows_its_own_sentence(lang):
    sample = SAMPLES[lang]
    assert detect(sample) == lang
    assert is_in_language(sample, lang)
    assert len(sentences(sample * 2 if lang == "zh" else f"{sample} {sample}")) == 2
    assert terms(sample).words
    assert [int(q.value) for q in quantities(sample)] == [52_000_000_000]
    assert convert_quantities(sample, lang) == sample
    assert is_in_language(quoted(sample, lang), lang)
    assert preferred({"LANG": f"{LANGUAGES[lang].locale}_XX.UTF-8"}) == lang
