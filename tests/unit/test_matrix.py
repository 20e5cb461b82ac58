"""Vectors in memory: exact, balanced between languages, and in step with what is written."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraqa.matrix import Matrix, Row, Spread

WIDTH = 4


def unit(*values: float) -> np.ndarray:
    vector = np.asarray(values, np.float32)
    return vector / np.linalg.norm(vector)


def filled(*rows: tuple[int, str, tuple[float, ...]]) -> Matrix:
    """A matrix of rows given as (paper, language, vector)."""
    matrix = Matrix()
    for paper, lang, vector in rows:
        number = len(matrix)
        matrix.add([Row(f"p{paper}#{number}", paper, lang)], np.asarray([vector], np.float32))
    return matrix


def numbers(matrix: Matrix, *vector: float, n: int = 10, eligible=None) -> list[int]:
    found, _ = matrix.nearest(unit(*vector), "en", n, eligible)
    return found


def test_the_nearest_papers_come_first():
    matrix = filled((1, "en", (0, 1)), (2, "en", (1, 0)), (3, "en", (1, 1)))
    assert numbers(matrix, 1, 0) == [2, 3, 1]
    assert numbers(matrix, 1, 0, n=2) == [2, 3]


def test_vectors_of_any_length_are_compared_by_direction():
    matrix = filled((1, "en", (0.1, 0)), (2, "en", (5, 50)), (3, "en", (0, 0)))
    assert numbers(matrix, 0, 1) == [2, 1, 3]
    assert matrix.vectors_of(1).tolist() == [[1, 0]]
    assert matrix.vectors_of(3).tolist() == [[0, 0]]


def test_a_paper_is_as_near_as_its_nearest_text():
    matrix = filled((1, "en", (1, 0)), (2, "en", (0, 1)), (2, "en", (1, 0.1)), (3, "en", (1, 1)))
    assert numbers(matrix, 1, 0) == [1, 2, 3]


def test_equal_scores_stand_in_order_of_number():
    matrix = filled(*((paper, "en", (1, 0)) for paper in (5, 3, 9, 1, 7)), (2, "en", (0, 1)))
    assert numbers(matrix, 1, 0) == [1, 3, 5, 7, 9, 2]
    assert numbers(matrix, 1, 0, n=3) == [1, 3, 5]


def test_an_empty_matrix_finds_nothing():
    matrix = Matrix()
    assert matrix.nearest(unit(1, 0), "en", 5) == ([], {})
    assert matrix.of([1], unit(1, 0), "en", {}) == {}
    assert len(matrix.vectors_of(1)) == len(matrix) == 0
    matrix.add([], np.empty((0, 2), np.float32))
    matrix.remove([1])
    assert matrix.nearest(unit(1, 0), "en", 5) == ([], {})


def test_a_removed_paper_is_found_no_more_and_tells_nothing_about_what_is_usual():
    matrix = filled((1, "en", (1, 0)), (2, "zh", (1, 0)), (1, "en", (1, 1)), (3, "en", (0, 1)))
    matrix.remove([1, 9])
    assert numbers(matrix, 1, 0) == [2, 3]
    assert matrix.of([1], unit(1, 0), "en", {}) == {}
    assert len(matrix) == 2
    fresh = filled((2, "zh", (1, 0)), (3, "en", (0, 1)))
    assert matrix.usual(unit(1, 0), "en")[1] == fresh.usual(unit(1, 0), "en")[1]


def test_a_matrix_of_which_all_was_removed_is_empty_and_can_be_filled_again():
    matrix = filled((1, "en", (1, 0)))
    matrix.remove([1])
    assert matrix.nearest(unit(1, 0), "en", 5) == ([], {})
    matrix.add([Row("p2#0", 2, "en")], np.asarray([[1, 0]], np.float32))
    assert numbers(matrix, 1, 0) == [2]


def test_only_eligible_papers_are_found():
    matrix = filled((1, "en", (1, 0)), (2, "en", (1, 1)), (3, "en", (0, 1)))
    mask = np.array([False, False, True, True])
    assert numbers(matrix, 1, 0, eligible=mask) == [2, 3]
    assert numbers(matrix, 1, 0, eligible=np.zeros(4, np.bool_)) == []


def test_a_mask_that_is_older_than_the_last_papers_leaves_them_out():
    matrix = filled((1, "en", (1, 0)), (7, "en", (1, 0)))
    assert numbers(matrix, 1, 0, eligible=np.array([False, True])) == [1]


def test_what_is_usual_does_not_depend_on_who_is_eligible():
    matrix = filled((1, "en", (1, 0)), (2, "en", (1, 1)), (3, "zh", (0, 1)))
    _, usual = matrix.nearest(unit(1, 0), "en", 5)
    assert matrix.nearest(unit(1, 0), "en", 5, np.array([False, True, False, False]))[1] == usual


def test_all_passages_of_the_papers_wanted_are_told_by_deviations_from_what_is_usual():
    matrix = filled((1, "en", (1, 0)), (1, "zh", (0, 1)), (2, "en", (1, 1)))
    usual = {"en": Spread(0.5, 0.25)}
    assert matrix.of([1], unit(1, 0), "en", usual) == {
        "p1#0": pytest.approx(2.0),
        "p1#1": pytest.approx(0.0),  # of a language of which nothing is known: the cosine
    }


# ---- balance between languages


def lopsided(many: int, few: int) -> Matrix:
    """Papers of `zh` all nearer to (1, 0) than those of `en`: each has one that is nearest."""
    matrix = Matrix()
    chance = np.random.default_rng(3)

    def rows(start: int, count: int, lang: str, centre: float) -> None:
        cosines = centre + 0.03 * chance.standard_normal(count)
        cosines[0] = centre + 0.2
        vectors = np.stack([cosines, np.sqrt(1 - cosines**2)], axis=1).astype(np.float32)
        matrix.add([Row(f"{lang}{n}#0", start + n, lang) for n in range(count)], vectors)

    rows(1, many, "zh", 0.5)
    rows(1 + many, few, "en", 0.25)
    return matrix


@pytest.mark.parametrize(("many", "few"), [(500, 40), (40, 500)])
def test_the_best_paper_of_each_language_is_among_the_first_though_one_is_always_nearer(many, few):
    matrix = lopsided(many, few)
    found, usual = matrix.nearest(unit(1, 0), "en", 2)
    assert {*found} == {1, 1 + many}  # the best of each
    assert usual["zh"].mean > usual["en"].mean + 0.1
    cosines = matrix.of(range(1, 1 + many + few), unit(1, 0), "en", {})
    nearest = sorted(cosines, key=lambda key: -cosines[key])[: many // 2]
    assert all(key.startswith("zh") for key in nearest)


@pytest.mark.parametrize("few", [1, 5, 200])
def test_a_language_with_few_papers_leans_on_the_whole(few):
    chinese = [(n, "zh", (np.cos(n / 50), np.sin(n / 50))) for n in range(1, 50)]
    matrix = filled(*chinese, *((100 + n, "en", (0.2, 1)) for n in range(few)))
    similarity, usual = matrix.usual(unit(1, 0), "en")
    own, whole = float(unit(0.2, 1)[0]), float(similarity.mean())
    share = few / (few + 10)
    assert usual["en"].mean == pytest.approx(share * own + (1 - share) * whole)
    # All of them are alike: what deviation there is, is that of the whole.
    assert usual["en"].deviation == pytest.approx((1 - share) * float(similarity.std()), rel=1e-3)


def test_a_corpus_of_equal_texts_divides_by_nothing():
    matrix = filled(*((n, "en", (1, 0)) for n in range(1, 4)))
    assert numbers(matrix, 1, 0) == [1, 2, 3]
    found = matrix.of([1], unit(1, 0), "en", matrix.usual(unit(1, 0), "en")[1])
    assert all(np.isfinite(value) for value in found.values())


# ---- hubs

# What might be asked of any paper is near to (1, 0, 0).
BACKGROUND = {"en": np.stack([unit(1, 0.1 * n, 0) for n in range(-3, 4)])}


def with_hub(background=BACKGROUND) -> Matrix:
    matrix = Matrix(background)
    vectors = np.stack([unit(1, 0, 0.4), unit(0.3, 1, 1), unit(0, 1, -1)])
    matrix.add([Row(f"p{n}#0", n, "en") for n in (1, 2, 3)], vectors)
    return matrix


def test_a_text_that_is_near_to_any_question_is_less_so():
    question = unit(1, 0.7, 0.6)
    assert with_hub({}).nearest(question, "en", 1)[0] == [1]
    assert with_hub().nearest(question, "en", 1)[0] == [2]


def test_a_text_is_as_much_of_a_hub_as_it_is_near_to_what_is_asked_in_that_language():
    matrix, plain, question = with_hub(), with_hub({}), unit(1, 1, 1)
    cosines = plain.of([1], question, "en", {})
    near = np.sort(BACKGROUND["en"] @ unit(1, 0, 0.4))[-5:].mean()
    assert matrix.of([1], question, "zh", {}) == cosines
    assert matrix.of([1], question, "en", {}) == {
        "p1#0": pytest.approx(cosines["p1#0"] - 0.7 * near)
    }


def test_hubs_are_known_after_removal_and_growth():
    chance = np.random.default_rng(7)
    values = chance.normal(size=(4000, 3)).astype(np.float32)
    matrix, fresh = Matrix(BACKGROUND), Matrix(BACKGROUND)
    for start in range(0, 4000, 900):
        part = range(start, min(start + 900, 4000))
        matrix.add([Row(f"p{n}#0", n, "en") for n in part], values[part])
    kept = list(range(0, 4000, 4))
    matrix.remove(n for n in range(4000) if n % 4)
    fresh.add([Row(f"p{n}#0", n, "en") for n in kept], values[kept])
    question = unit(1, 1, 1)
    assert matrix.nearest(question, "en", 20)[0] == fresh.nearest(question, "en", 20)[0]
    assert matrix.of(kept, question, "en", {}) == pytest.approx(
        fresh.of(kept, question, "en", {}), abs=1e-5
    )


def test_fewer_background_questions_than_are_looked_at_do_no_harm():
    matrix = with_hub({"en": BACKGROUND["en"][:2]})
    assert len(matrix.nearest(unit(1, 1, 1), "en", 3)[0]) == 3


# ---- against brute force


class Plain:
    """The same by loops over plain lists."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, str, np.ndarray]] = []

    def nearest(self, vector: np.ndarray, n: int, eligible: set[int]) -> list[int]:
        if not self.rows:
            return []
        cosines = [float(v @ vector) for _, _, v in self.rows]
        best: dict[int, float] = {}
        for (paper, lang, _), cosine in zip(self.rows, cosines, strict=True):
            own = [c for (_, other, _), c in zip(self.rows, cosines, strict=True) if other == lang]
            share = len(own) / (len(own) + 10)
            mean = share * np.mean(own) + (1 - share) * np.mean(cosines)
            spread = share * np.std(own) + (1 - share) * max(float(np.std(cosines)), 1e-6)
            value = (cosine - mean) / max(spread, 1e-6)
            if paper in eligible:
                best[paper] = max(value, best.get(paper, value))
        return sorted(best, key=lambda paper: (-best[paper], paper))[:n]


@given(
    seed=st.integers(0, 10_000),
    papers=st.integers(1, 30),
    texts=st.integers(1, 3),
    n=st.integers(1, 40),
    removed=st.sets(st.integers(1, 30), max_size=30),
    hidden=st.sets(st.integers(1, 30), max_size=30),
)
@settings(max_examples=60, deadline=None)
def test_a_search_is_what_comparing_every_vector_gives(seed, papers, texts, n, removed, hidden):
    chance = np.random.default_rng(seed)
    matrix, plain = Matrix(), Plain()
    for paper in range(1, papers + 1):
        vectors = chance.normal(size=(texts, WIDTH)).astype(np.float32)
        langs = [str(chance.choice(["en", "zh"])) for _ in range(texts)]
        matrix.add([Row(f"p{paper}#{i}", paper, lang) for i, lang in enumerate(langs)], vectors)
        if paper not in removed:
            plain.rows += [(paper, lang, unit(*v)) for lang, v in zip(langs, vectors, strict=True)]
    matrix.remove(removed)
    question = unit(*chance.normal(size=WIDTH))
    eligible = np.array([number not in hidden for number in range(papers + 1)])
    met = {number for number in range(1, papers + 1) if eligible[number]}
    assert numbers(matrix, *question, n=n, eligible=eligible) == plain.nearest(question, n, met)
    assert numbers(matrix, *question, n=n) == plain.nearest(question, n, set(range(papers + 1)))


def test_room_grows_and_what_was_taken_out_is_given_back():
    chance = np.random.default_rng(5)
    values = chance.normal(size=(5000, WIDTH)).astype(np.float32)
    matrix = Matrix()
    for start in range(0, 5000, 700):
        part = range(start, min(start + 700, 5000))
        langs = ("en" if n % 3 else "zh" for n in part)
        rows = [Row(f"p{n}#0", n, lang) for n, lang in zip(part, langs, strict=True)]
        matrix.add(rows, values[part])
    kept = list(range(0, 5000, 5))
    matrix.remove(n for n in range(5000) if n % 5)
    assert len(matrix) == len(kept)
    assert len(matrix._passages) < 2500
    fresh = Matrix()
    langs = ("en" if n % 3 else "zh" for n in kept)
    fresh.add([Row(f"p{n}#0", n, lang) for n, lang in zip(kept, langs, strict=True)], values[kept])
    question = unit(*chance.normal(size=WIDTH))
    assert matrix.nearest(question, "en", 50)[0] == fresh.nearest(question, "en", 50)[0]
    assert matrix.of([5, 10], question, "en", {}) == pytest.approx(
        fresh.of([5, 10], question, "en", {}), abs=1e-5
    )
    matrix.add([Row("new#0", 6000, "en")], question[np.newaxis])
    assert matrix.nearest(question, "en", 1)[0] == [6000]
