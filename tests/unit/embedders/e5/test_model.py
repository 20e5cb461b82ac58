from math import erf
from pathlib import Path

import numpy as np
import pytest

from paraqa.embedders.e5.model import E5
from paraqa.embedders.e5.network import INPUT
from paraqa.embedders.e5.session import opened
from paraqa.embedders.e5.weights import Weights, expanded


@pytest.fixture
def weights(tiny_file: Path) -> Weights:
    return Weights(tiny_file)


@pytest.fixture
def model(weights: Weights, tmp_path: Path) -> E5:
    return E5(weights, opened(weights, "float32", tmp_path / "graph.onnx"))


def by_hand(weights: Weights, numbers: list[int]) -> np.ndarray:
    """The last layer's mean, written down once more in numpy."""

    def linear(rows, name):
        return rows @ weights.matrix(name + ".w", rows.shape[1]).T + weights.vector(name + ".b")

    def normalised(rows, name):
        level = (rows - rows.mean(1, keepdims=True)) / rows.std(1, keepdims=True)
        return level * weights.vector(name + ".w") + weights.vector(name + ".b")

    words = expanded(weights.blocks("emb.word", 32))[numbers]
    places = weights.vector("emb.pos").reshape(-1, 32)[: len(numbers)]
    rows = normalised(words + places + weights.vector("emb.type")[:32], "emb.ln")
    scores = linear(rows, "l0.q") @ linear(rows, "l0.k").T / np.sqrt(32)
    shares = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
    rows = normalised(linear(shares @ linear(rows, "l0.v"), "l0.ao") + rows, "l0.aln")
    inner = linear(rows, "l0.fi")
    inner = inner * (1 + np.vectorize(erf)(inner / np.sqrt(2))) / 2
    return normalised(linear(inner, "l0.fo") + rows, "l0.oln").mean(0)


def test_the_network_is_the_one_that_the_weights_were_made_for(weights, model):
    # "passage: a b" is ▁passage : ▁a ▁b between two marks.
    mean = by_hand(weights, [0, 5, 6, 7, 8, 2])
    assert model.passage("a b") == pytest.approx(mean / np.linalg.norm(mean), abs=1e-5)


def test_a_text_longer_than_the_window_is_the_mean_of_its_windows_by_length(weights, model):
    numbers = [5, 6, *[7] * 11]  # 13 tokens, where 10 have room
    mean = 10 * by_hand(weights, [0, *numbers[:10], 2]) + 3 * by_hand(
        weights, [0, *numbers[10:], 2]
    )
    assert model.passage("a" + " a" * 10) == pytest.approx(mean / np.linalg.norm(mean), abs=1e-5)


def test_vectors_have_length_one(model):
    vector = model.query("a b ab ?")
    assert vector.dtype == np.float32
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-6)


def test_the_session_takes_any_number_of_texts(weights, tmp_path):
    session = opened(weights, "float32", tmp_path / "graph.onnx")
    rows = np.random.default_rng(3).normal(0, 1, (3, 5, 32)).astype(np.float32)
    together = session.run(None, {INPUT: rows})[0]
    alone = [session.run(None, {INPUT: row[None]})[0][0] for row in rows]
    assert together == pytest.approx(np.stack(alone), abs=1e-5)
