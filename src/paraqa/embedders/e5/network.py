"""The network as an ONNX graph: from a text's token embeddings to the mean of its last layer.

A BERT: attention and a wider layer, twelve times, each added to what went in and normalised.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from paraqa.embedders.e5.adapter import Adapter
from paraqa.embedders.e5.protobuf import CONTRIBUTED, Graph, described
from paraqa.embedders.e5.weights import Floats, Weights

Precision = Literal["float32", "int8"]

FORMAT = 1  # of the graph: raised with every change here that changes vectors or the file
INPUT = "embedded"
# -63 to 63: with the eighth bit, sums of products overflow the 16 bits that processors without
# VNNI add them in.
_LARGEST = 63


def written(weights: Weights, precision: Precision, adapter: Adapter | None = None) -> bytes:
    """The model: (texts, tokens, width) to (texts, width)."""
    return _Network(weights, precision, adapter).written()


class _Network:
    def __init__(self, weights: Weights, precision: Precision, adapter: Adapter | None) -> None:
        self._weights = weights
        self._adapter = adapter
        self._precision = precision
        self._graph = graph = Graph()
        width = weights.shape.width
        # Matrices are multiplied with all tokens as rows; only attention sees the texts apart.
        self._rows = graph.constant(np.array([-1, width]))
        self._thirds = graph.constant(np.array([width] * 3))
        self._texts = graph.node("Shape", INPUT)

    def written(self) -> bytes:
        graph, shape = self._graph, self._weights.shape
        state = self._normalised(graph.node("Reshape", INPUT, self._rows), "emb.ln")
        for number in range(shape.layers):
            state = self._layer(state, f"l{number}.")
        state = graph.node("Reshape", state, self._texts)
        mean = graph.node("ReduceMean", state, axes=[1], keepdims=0)
        source = described(INPUT, "texts", "tokens", shape.width)
        return graph.model(source, described(mean, "texts", shape.width))

    def _layer(self, state: str, name: str) -> str:
        add, shape = self._graph.node, self._weights.shape
        attended = self._linear(self._attention(state, name), shape.width, name + "ao")
        state = self._normalised(add("Add", attended, state), name + "aln")
        inner = add("Gelu", self._linear(state, shape.width, name + "fi"), domain=CONTRIBUTED)
        outer = self._outer(inner, name + "fo")
        return self._normalised(add("Add", outer, state), name + "oln")

    def _attention(self, state: str, name: str) -> str:
        graph = self._graph
        # Queries, keys and values in one product: three small ones are slower.
        joined = self._linear(state, self._weights.shape.width, name + "q", name + "k", name + "v")
        parts = [
            graph.node("Reshape", part, self._texts)
            for part in graph.nodes("Split", joined, self._thirds, outputs=3, axis=-1)
        ]
        heads = self._weights.shape.heads
        seen = graph.node("MultiHeadAttention", *parts, domain=CONTRIBUTED, num_heads=heads)
        return graph.node("Reshape", seen, self._rows)

    def _normalised(self, state: str, name: str) -> str:
        graph = self._graph
        parts = [graph.constant(self._weights.vector(name + end)) for end in (".w", ".b")]
        epsilon = float(self._weights.shape.epsilon)
        return graph.node("LayerNormalization", state, *parts, axis=-1, epsilon=epsilon)

    def _linear(self, state: str, columns: int, *names: str) -> str:
        graph = self._graph
        weight = np.concatenate([self._matrix(n, columns) for n in names])
        bias = graph.constant(np.concatenate([self._weights.vector(n + ".b") for n in names]))
        if self._precision == "float32":
            return graph.node("Gemm", state, graph.constant(weight), bias, transB=1)
        return self._rounded(state, weight, bias)

    def _outer(self, inner: str, name: str) -> str:
        columns = self._weights.shape.inner
        if self._precision == "float32":
            return self._linear(inner, columns, name)
        # The operator rounds all tokens by one scale, and here some tokens have values far above
        # the others'. Scaled to the same height before, and back after, none loses its details.
        graph = self._graph
        heights = graph.node("ReduceMax", graph.node("Abs", inner), axes=[-1], keepdims=1)
        heights = graph.node("Max", heights, graph.constant(np.array(1e-9, np.float32)))
        level = graph.node("Div", inner, heights)
        product = self._rounded(level, self._matrix(name, columns))
        bias = graph.constant(self._weights.vector(name + ".b"))
        return graph.node("Add", graph.node("Mul", product, heights), bias)

    def _matrix(self, name: str, columns: int) -> Floats:
        matrix = self._weights.matrix(name + ".w", columns)
        return self._adapter.on(name, matrix) if self._adapter else matrix

    def _rounded(self, state: str, weight: Floats, *bias: str) -> str:
        graph = self._graph
        scale = np.abs(weight).max(axis=1) / np.float32(_LARGEST)
        whole = np.rint(weight / scale[:, None]).astype(np.int8)
        parts = (whole.T, scale, np.zeros(len(scale), np.int8))
        inputs = [graph.constant(part) for part in parts]
        return graph.node("DynamicQuantizeMatMul", state, *inputs, *bias, domain=CONTRIBUTED)
