import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from paraqa.embedders.e5.network import INPUT
from paraqa.embedders.e5.session import opened
from paraqa.embedders.e5.weights import Weights

TOKENS = np.random.default_rng(2).normal(0, 1, (1, 7, 32)).astype(np.float32)


def mean(weights: Weights, file: Path, precision: str = "float32") -> list[float]:
    return opened(weights, precision, file).run(None, {INPUT: TOKENS})[0][0].tolist()


@pytest.fixture
def weights(tiny_file: Path) -> Weights:
    return Weights(tiny_file)


def test_a_graph_is_written_once_and_read_from_then_on(weights, tmp_path):
    file = tmp_path / "new" / "graph.onnx"
    first = mean(weights, file)
    written = file.stat().st_mtime_ns
    assert mean(weights, file) == first
    assert file.stat().st_mtime_ns == written
    assert not list(file.parent.glob("*.part"))


@pytest.mark.parametrize("damage", ["empty", "half", "one bit", "other"])
def test_a_damaged_graph_is_written_anew(weights, tmp_path, damage):
    file = tmp_path / "graph.onnx"
    first = mean(weights, file)
    whole = file.read_bytes()
    middle = len(whole) // 2
    damaged = {
        "empty": b"",
        "half": whole[:middle],
        "one bit": whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
        "other": b"<html>" * 100,
    }
    file.write_bytes(damaged[damage])
    assert mean(weights, file) == first
    assert file.read_bytes() == whole


def test_a_folder_that_cannot_be_made_stops_nothing(weights, tmp_path):
    (tmp_path / "taken").write_text("a file")
    assert mean(weights, tmp_path / "taken" / "graph.onnx") == mean(weights, tmp_path / "g.onnx")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_stops_nothing(weights, tmp_path):
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o500)
    assert mean(weights, folder / "graph.onnx")
    assert not list(folder.iterdir())


def test_many_may_open_it_at_the_same_time(weights, tmp_path):
    with ThreadPoolExecutor(8) as pool:
        files = [tmp_path / "graph.onnx"] * 8
        means = list(pool.map(lambda file: mean(weights, file), files))
    assert means == [means[0]] * 8


def test_the_rounded_network_is_near_the_exact_one(weights, tmp_path):
    exact = np.array(mean(weights, tmp_path / "exact"))
    rounded = np.array(mean(weights, tmp_path / "rounded", "int8"))
    cosine = exact @ rounded / np.linalg.norm(exact) / np.linalg.norm(rounded)
    assert 0.995 < cosine < 0.999999
