import math
import sqlite3
from contextlib import closing

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
        lexicon.add([(number, words(text))])


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
    lexicon.add([(1, Terms(("流水线",), ("流水", "水线")))])
    lexicon.add([(2, Terms(("流水", "其他"), ()))])
    assert lexicon.search({"流水": 1.0}, 10) == [
        (1, pytest.approx(idf(2, 2) * bm25(1, 1, 1.5))),
        (2, pytest.approx(idf(2, 2) * bm25(1, 2, 1.5))),
    ]


def test_the_average_length_follows_what_is_written(lexicon):
    fill(lexicon, "alpha beta")
    lexicon.search({"alpha": 1.0}, 1)
    lexicon.add([(2, words("gamma delta epsilon zeta eta theta"))])
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
    lexicon.add([(1, Terms((term,), ()))])
    lexicon.add([(2, Terms(("c", "cs", "4", "流水"), ()))])
    assert [number for number, _ in lexicon.search({term: 1.0}, 10)] == [1]


def test_an_empty_index_finds_nothing(lexicon):
    assert lexicon.search({"alpha": 1.0}, 5) == []
    assert lexicon.document_frequency(["alpha"]) == {"alpha": 0}


def test_a_paper_without_words_does_no_harm(lexicon):
    lexicon.add([(1, Terms((), ()))])
    assert lexicon.search({"alpha": 1.0}, 5) == []
    lexicon.add([(2, words("alpha"))])
    assert [number for number, _ in lexicon.search({"alpha": 1.0}, 5)] == [2]


# ---- many papers


def test_papers_beyond_the_first_block_are_found(lexicon):
    numbers = [1, 4095, 4096, 4097, 8191, 8192, 20_000]
    lexicon.add([(number, words("alpha")) for number in numbers])
    assert [number for number, _ in lexicon.search({"alpha": 1.0}, 10)] == numbers
    assert lexicon.document_frequency(["alpha"]) == {"alpha": len(numbers)}
    assert [number for number in numbers if lexicon.present()[number]] == numbers
    assert int(lexicon.present().sum()) == len(numbers)


def test_a_paper_is_removed_from_its_own_block_only(lexicon):
    lexicon.add([(number, words("alpha beta")) for number in (3, 4, 4096 + 3, 4096 + 4)])
    lexicon.remove(4096 + 3)
    assert [number for number, _ in lexicon.search({"alpha": 1.0}, 10)] == [3, 4, 4096 + 4]
    lexicon.remove(3)
    assert [number for number, _ in lexicon.search({"beta": 1.0}, 10)] == [4, 4096 + 4]
    lexicon.add([(3, words("beta"))])
    assert [number for number, _ in lexicon.search({"beta": 1.0}, 10)] == [3, 4, 4096 + 4]


def test_a_term_counts_no_more_often_than_a_byte_holds(lexicon):
    lexicon.add([(1, words("alpha " * 255)), (2, words("alpha " * 256)), (3, words("beta"))])
    average = (255 + 256 + 1) / 3
    assert dict(lexicon.search({"alpha": 1.0}, 10)) == {
        1: pytest.approx(idf(2, 3) * bm25(255, 255, average)),
        2: pytest.approx(idf(2, 3) * bm25(255, 256, average)),
    }


def test_only_eligible_papers_are_found_with_the_scores_they_have_anyway(lexicon):
    fill(lexicon, "alpha", "alpha beta", "alpha beta gamma", "delta")
    everything = dict(lexicon.search({"alpha": 1.0}, 10))
    mask = np.array([False, False, True, True, True])
    assert lexicon.search({"alpha": 1.0}, 10, mask) == [(2, everything[2]), (3, everything[3])]
    assert lexicon.search({"alpha": 1.0}, 1, mask) == [(2, everything[2])]
    assert lexicon.search({"alpha": 1.0}, 10, np.zeros(5, np.bool_)) == []


@pytest.mark.parametrize("size", [1, 2, 3, 9])
def test_a_mask_may_be_older_or_newer_than_the_index(lexicon, size):
    fill(lexicon, "alpha", "alpha")
    found = [number for number, _ in lexicon.search({"alpha": 1.0}, 10, np.ones(size, np.bool_))]
    assert found == [number for number in (1, 2) if number < size]


def test_a_search_does_not_depend_on_how_the_papers_came(lexicon):
    texts = [f"alpha {'beta ' * (n % 7)} gamma{n % 5}" for n in range(1, 60)]
    papers = [(number, words(text)) for number, text in enumerate(texts, start=1)]
    lexicon.add(papers)
    at_once = lexicon.search({"beta": 1.0, "gamma3": 2.0}, 60)
    for number, _ in papers:
        lexicon.remove(number)
    assert lexicon.search({"alpha": 1.0}, 60) == []
    assert lexicon.vocabulary() == []
    for one in reversed(papers):
        lexicon.add([one])
    assert lexicon.search({"beta": 1.0, "gamma3": 2.0}, 60) == at_once


@given(
    texts=st.lists(st.lists(st.sampled_from("abcde"), max_size=6), max_size=12),
    weighted=st.dictionaries(st.sampled_from("abcdef"), st.floats(0.1, 3.0)),
    n=st.integers(1, 14),
    hidden=st.sets(st.integers(1, 12)),
)
@settings(max_examples=60, deadline=None)
def test_a_search_is_what_scoring_every_paper_gives(texts, weighted, n, hidden):
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        for statement in TABLES:
            db.execute(statement)
        lexicon = Lexicon(db)
        lexicon.add([(i, Terms(tuple(text), ())) for i, text in enumerate(texts, start=1)])
        mask = np.array([number not in hidden for number in range(len(texts) + 1)])
        found = lexicon.search(weighted, n, mask)
    average = max(1.0, sum(map(len, texts)) / max(1, len(texts)))
    scores = {
        number: math.fsum(
            weight
            * idf(sum(term in other for other in texts), len(texts))
            * bm25(text.count(term), len(text), average)
            for term, weight in weighted.items()
            if term in text
        )
        for number, text in enumerate(texts, start=1)
        if number not in hidden
    }
    assert len(found) == min(n, sum(score > 0 for score in scores.values()))
    best = sorted(scores.values(), reverse=True)[: len(found)]
    assert [score for _, score in found] == [pytest.approx(score) for score in best]
    assert all(scores[number] == pytest.approx(score) for number, score in found)
