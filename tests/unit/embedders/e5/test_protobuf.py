import numpy as np
import onnxruntime
import pytest

from paraqa.embedders.e5.protobuf import Graph, chunk, described, integer, real, varint


@pytest.mark.parametrize(
    ("number", "written"),
    [(0, "00"), (1, "01"), (127, "7f"), (128, "8001"), (300, "ac02"), (-1, "ff" * 9 + "01")],
)
def test_a_number_is_written_in_groups_of_seven_bits(number, written):
    assert varint(number).hex() == written


def test_a_field_begins_with_its_number_and_kind():
    assert integer(1, 150).hex() == "089601"
    assert chunk(2, "testing").hex() == "120774657374696e67"
    assert real(5, 1.0).hex() == "2d0000803f"
    assert integer(20, 2).hex() == "a00102"


def run(model: bytes, values: np.ndarray) -> np.ndarray:
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    return session.run(None, {"values": values})[0]


def test_onnxruntime_reads_what_was_written():
    graph = Graph()
    three = graph.constant(np.array([[1, 2, 3]], np.float32))
    total = graph.node("ReduceMean", graph.node("Add", "values", three), axes=[-1], keepdims=0)
    model = graph.model(described("values", "rows", 3), described(total, "rows"))
    assert run(model, np.zeros((2, 3), np.float32)).tolist() == [2.0, 2.0]


def test_attributes_and_several_outputs_are_read():
    graph = Graph()
    halves = graph.nodes("Split", "values", graph.constant(np.array([1, 1])), outputs=2, axis=-1)
    leaky = graph.node("LeakyRelu", halves[1], alpha=0.5)
    model = graph.model(described("values", "rows", 2), described(leaky, "rows", 1))
    assert run(model, np.array([[9, -4]], np.float32)).tolist() == [[-2.0]]
