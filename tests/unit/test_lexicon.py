import math
import sqlite3

import pytest

from paraqa.lang import Terms
from paraqa.lexicon import K1, TABLES, B, Lexicon, idf


@pytest.fixture
def lexicon():
    db = sqlite3.connect(":memory:", isolation_level=None)
    for statement in TABLES:
        db.execute(statement)
    yield Lexicon(db)
    db.close()


def words(text: str) -> Terms:
    return Terms(tuple(text.split()), ())


def fill(lexicon: Lexicon, *texts: str) -> None:
    for number, text in enumerate(texts, start=1):
        lexicon.add(number, words(text))


def bm25(tf: int, length: float, average: float) -> float:
    return tf / (tf + K1 * (1 - B + B * length / average))


def test_the_score_is_bm25_with_the_idf_of_lucene(lexicon):
    fill(lexicon, "alpha beta", "alpha alpha gamma", "delta")
    weight = 2.0 * math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    assert lexicon.search({"alpha": 2.0}, 10) == [
        (2, pytest.approx(weight * bm25(2, 3, 2))),
        (1, pytest.approx(weight * bm25(1, 2, 2))),
    ]


def test_a_term_in_every_paper_still_counts():
    assert idf(54, 54) > 0
    assert idf(1, 54) > idf(2, 54) > idf(54, 54)


def test_scores_of_terms_are_added_by_their_weights(lexicon):
    fill(lexicon, "alpha", "beta", "alpha beta")
    one = idf(2, 3)
    found = dict(lexicon.search({"alpha": 0.1, "beta": 1.0, "unknown": 5.0}, 10))
    assert found[2] == pytest.approx(10 * found[1])
    assert found[3] == pytest.approx(1.1 * one * bm25(1, 2, 4 / 3))


def test_a_bigram_is_a_term_that_adds_nothing_to_the_length(lexicon):
    lexicon.add(1, Terms(("流水线",), ("流水", "水线")))
    lexicon.add(2, Terms(("流水", "其他"), ()))
    assert lexicon.search({"流水": 1.0}, 10) == [
        (1, pytest.approx(idf(2, 2) * bm25(1, 1, 1.5))),
        (2, pytest.approx(idf(2, 2) * bm25(1, 2, 1.5))),
    ]


def test_the_average_length_follows_what_is_written(lexicon):
    fill(lexicon, "alpha beta")
    lexicon.search({"alpha": 1.0}, 1)
    lexicon.add(2, words("gamma delta epsilon zeta eta theta"))
    assert lexicon.search({"alpha": 1.0}, 1) == [(1, pytest.approx(idf(1, 2) * bm25(1, 2, 4)))]
    lexicon.remove(2)
    assert lexicon.search({"alpha": 1.0}, 1) == [(1, pytest.approx(idf(1, 1) * bm25(1, 2, 2)))]


def test_a_removed_paper_leaves_no_posting(lexicon):
    fill(lexicon, "alpha alpha beta", "alpha")
    lexicon.remove(1)
    lexicon.remove(9)
    assert lexicon.document_frequency(["alpha", "beta", "none"]) == {
        "alpha": 1,
        "beta": 0,
        "none": 0,
    }
    assert [number for number, _ in lexicon.search({"alpha": 1.0, "beta": 1.0}, 10)] == [2]
    assert lexicon.count() == 1


def test_no_more_than_n_papers_are_found(lexicon):
    fill(lexicon, "alpha one", "alpha two", "alpha three")
    assert [number for number, _ in lexicon.search({"alpha": 1.0}, 2)] == [1, 2]
    assert lexicon.search({}, 2) == []
    assert lexicon.search({"nothing": 1.0}, 2) == []


@pytest.mark.parametrize(
    "term", ["c++", "c#", "cs.dc", "4d", "1.42", "流水线", "a'b", 'a"b', "a b", "%"]
)
def test_a_term_is_matched_as_it_is(lexicon, term):
    lexicon.add(1, Terms((term,), ()))
    lexicon.add(2, Terms(("c", "cs", "4", "流水"), ()))
    assert [number for number, _ in lexicon.search({term: 1.0}, 10)] == [1]


def test_an_empty_index_finds_nothing(lexicon):
    assert lexicon.search({"alpha": 1.0}, 5) == []
    assert lexicon.document_frequency(["alpha"]) == {"alpha": 0}


def test_a_paper_without_words_does_no_harm(lexicon):
    lexicon.add(1, Terms((), ()))
    assert lexicon.search({"alpha": 1.0}, 5) == []
    lexicon.add(2, words("alpha"))
    assert [number for number, _ in lexicon.search({"alpha": 1.0}, 5)] == [2]
