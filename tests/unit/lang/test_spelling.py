"""Words that a misspelt one may stand for."""

import itertools
import string
import time

import pytest

from paraqa.lang.spelling import near, slips


@pytest.mark.parametrize(
    ("word", "vocabulary", "expected"),
    [
        ("piplin", ["pipelin", "pipe", "parallel"], ["pipelin"]),
        ("bubl", ["bubbl", "bus"], ["bubbl"]),
        ("meark", ["mark", "merak"], ["merak", "mark"]),  # letters that changed places first
        ("transfomer", ["transfer", "transformer"], ["transformer", "transfer"]),
        ("sequnec", ["sequenc", "sequel"], ["sequenc"]),
        ("gpu", ["gpus", "cpu"], []),  # too short to tell
        ("pipeline", ["pipeline"], []),  # itself
        ("a100", ["v100", "a1000", "h100"], []),
        ("resnt50", ["resnet50", "resnet51"], ["resnet50"]),
        ("mooe", [], []),
        ("流水线气", ["流水线气泡"], []),
        ("", ["a"], []),
    ],
)
def test_the_nearest_words_come_first(word, vocabulary, expected):
    assert near(word, vocabulary) == expected


def test_a_longer_word_may_have_two_slips():
    assert near("synchronz", ["synchroniz"]) == ["synchroniz"]
    assert near("througput", ["throughput"]) == ["throughput"]
    assert near("modal", ["mode"]) == []
    assert slips("througput", "throughput") == 1


def test_no_more_words_come_than_asked_for():
    vocabulary = [f"pipelin{letter}" for letter in "abcdef"]
    assert near("pipeliny", vocabulary, most=2) == ["pipelina", "pipelinb"]


@pytest.mark.parametrize("kind", [list, tuple, set, dict.fromkeys])
def test_a_vocabulary_may_be_any_collection(kind):
    assert near("piplin", kind(["pipelin", "other"])) == ["pipelin"]


def test_a_large_vocabulary_is_searched_in_a_moment():
    letters = itertools.product(string.ascii_lowercase, repeat=4)
    words = ["synch" + "".join(four) for four in itertools.islice(letters, 150_000)]
    best = min(_seconds(words) for _ in range(3))
    assert best < 0.06


def _seconds(words):
    start = time.perf_counter()
    near("synchronis", words)
    return time.perf_counter() - start
