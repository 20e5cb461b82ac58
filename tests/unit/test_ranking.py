"""Terms with their weights, and nearness by paper."""

from paraqa.ranking import GENERIC, by_paper, weighted_terms
from paraqa.settings import RetrievalSettings
from paraqa.types import Variant

WEIGHTS = RetrievalSettings(glossary_weight=0.8, bigram_weight=0.5)


def test_a_term_has_the_largest_weight_that_a_variant_gives_it():
    found = weighted_terms(
        [
            Variant(text="气泡", lang="zh", why="bridge", weight=0.4),
            Variant(text="流水线气泡", lang="zh", why="question", weight=1.0),
        ],
        WEIGHTS,
    )
    assert found == {
        "气泡": 1.0,
        "流水线": 1.0,
        "流水": 0.5,
        "水线": 0.5,
        "线气": 0.5,
        "#pipeline": 0.8,
        "#pipeline bubble": 0.8,
    }


def test_what_any_paper_does_weighs_less():
    question = Variant(text="reduce bubbles", lang="en", why="question", weight=1.0)
    assert weighted_terms([question], WEIGHTS) == {
        "reduc": GENERIC,
        "bubbl": 1.0,
        "#pipeline bubble": 0.8,
    }
    assert GENERIC < 1


def test_a_concept_is_a_term_that_weighs_as_the_glossary_does():
    own = Variant(text="sit idle", lang="en", why="question", weight=1.0)
    added = Variant(text="pipeline bubble", lang="en", why="glossary", weight=0.6)
    found = weighted_terms([own, added], WEIGHTS)
    assert (found["#sit idle"], found["#pipeline bubble"]) == (0.8, 0.6)
    assert (found["bubbl"], found["pipelin"]) == (0.3, 0.3)
    nothing = weighted_terms([own], RetrievalSettings(glossary_weight=0))
    assert not any(term.startswith("#") for term in nothing)


def test_a_paper_is_as_near_as_its_entry_and_as_its_nearest_sentence():
    assert by_paper({"a#0": 0.7, "a#1": 0.8, "a#2": 0.9, "b#1": 0.6}) == (
        {"a": 0.7},
        {"a": 0.9, "b": 0.6},
    )


def test_a_rendering_that_is_nearer_counts_for_its_paper():
    assert by_paper({"a#0": 0.7, "a#en0": 0.9, "a#1": 0.5, "a#en1": 0.4}) == (
        {"a": 0.9},
        {"a": 0.5},
    )
