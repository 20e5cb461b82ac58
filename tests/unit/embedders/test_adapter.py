"""What the adapter adds and is worth, and that it saw no paper that anything is measured on."""

import json
from pathlib import Path

import numpy as np
import pytest

from paraqa.embedders.e5.adapter import Adapter
from paraqa.embedders.e5.weights import Weights
from paraqa.formats import discover, read
from paraqa.types import Paper, title_key

ROOT = Path(__file__).parents[3]
QUESTIONS = ROOT / "training" / "questions.jsonl"
LISTING = ROOT / "evals" / "corpora" / "listing_5000.txt"
MEASURED = [ROOT / "seeds", *(ROOT / "evals" / name for name in ("cl", "systems", "ai"))]


def questions():
    return [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]


def papers(*paths):
    found = (paper for file in discover(paths) for paper in read(file))
    return {title_key(paper.title): paper for paper in found if isinstance(paper, Paper)}


def test_a_matrix_gets_what_was_learned_for_it_and_others_stay():
    up, down = np.ones((3, 1), np.float32), np.full((1, 2), 0.5, np.float32)
    adapter = Adapter("a", {"l0.q": (up, down)})
    matrix = np.zeros((3, 2), np.float32)
    assert (adapter.on("l0.q", matrix) == 0.5).all()
    assert not matrix.any()
    assert adapter.on("l0.k", matrix) is matrix


def test_the_one_that_ships_fits_every_matrix_of_the_network():
    adapter, weights = Adapter.shipped(), Weights.installed()
    for layer in range(weights.shape.layers):
        for part in ("q", "k", "v", "ao", "fi", "fo"):
            columns = weights.shape.inner if part == "fo" else weights.shape.width
            matrix = weights.matrix(f"l{layer}.{part}.w", columns)
            adapted = adapter.on(f"l{layer}.{part}", matrix)
            assert adapted.shape == matrix.shape
            assert np.isfinite(adapted).all()
            assert 0 < np.linalg.norm(adapted - matrix) < np.linalg.norm(matrix)


def test_no_paper_that_anything_is_measured_on_was_learned_from():
    learned = {title_key(asked["title"]) for asked in questions()}
    measured = papers(*MEASURED)
    assert len(measured) > 300
    assert not learned & measured.keys()


def test_each_question_is_about_a_paper_of_the_listing_and_asked_in_both_languages():
    known = papers(LISTING)
    for asked in questions():
        assert title_key(asked["title"]) in known
        assert len(asked["en"].split()) >= 2
        assert any("\u4e00" <= letter <= "\u9fff" for letter in asked["zh"])
        assert asked["part"] in {"learn", "held"}
    assert sum(asked["part"] == "held" for asked in questions()) >= 200


@pytest.mark.integration
def test_questions_that_it_has_not_seen_find_more_of_their_papers(bundled, published):
    known = papers(LISTING)
    held = [asked for asked in questions() if asked["part"] == "held"][:40]
    texts = [known[title_key(a["title"])] for a in held]
    first = {}
    for embedding in (bundled, published):
        passages = np.array(
            embedding.get_text_embedding_batch([f"{p.title}\n{p.abstract}" for p in texts])
        )
        for lang in ("en", "zh"):
            asked = np.array([embedding.get_query_embedding(a[lang]) for a in held])
            hits = (asked @ passages.T).argmax(axis=1) == np.arange(len(held))
            first[embedding is bundled, lang] = hits.mean()
    for lang in ("en", "zh"):
        assert first[True, lang] > first[False, lang]
