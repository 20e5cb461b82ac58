"""Seconds from a question to its first hit, and what ingestion costs: `make bench`.

Three stores are measured: the listing that ships (54 papers), the 5,000 entries of `evals/corpora`,
and 100,000 papers made by recombining these: the title and date of one entry, the text of another,
a sentence more of a third. No embedding model is asked for the 100,000: their vectors are mixtures
of two vectors of real entries, so that they are as many, as long and as alike as real ones. What a
search costs does not depend on what the papers say; how good it is at that size is not measured.

    python benchmarks/retrieval.py [--sizes 54 5000 100000] [--keep FOLDER]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr

from paraqa import embedders
from paraqa import settings as settings_module
from paraqa.formats import read
from paraqa.library import Library
from paraqa.settings import Settings
from paraqa.store import Store
from paraqa.types import Filters, Paper

ROOT = Path(__file__).parents[1]
SEEDS, CORPUS = ROOT / "seeds", ROOT / "evals" / "corpora" / "listing_5000.txt"
QUESTIONS = ROOT / "evals" / "parallelism" / "dev.jsonl"
FILTERS = (
    Filters(since="2025-01-01"),
    Filters(categories=("cs.CL",)),
    Filters(since="2024-01-01", until="2025-12-31", categories=("cs",)),
    Filters(institutions=("Tsinghua University",)),
)
WARM = 8  # questions asked before any is timed
BATCH = 500  # papers of a write


class Mixtures(BaseEmbedding):
    """The model's vectors for questions, and mixtures of kept ones for passages."""

    _model: BaseEmbedding = PrivateAttr()
    _pool: np.ndarray = PrivateAttr()

    @classmethod
    def of(cls, model: BaseEmbedding, pool: np.ndarray) -> Mixtures:
        """A model over the vectors of real passages."""
        mixtures = cls(model_name=model.model_name, embed_batch_size=2048)
        mixtures._model, mixtures._pool = model, pool
        return mixtures

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._model.get_query_embedding(query)

    def _get_text_embedding(self, text: str) -> list[float]:
        one, other = random.Random(text).sample(range(len(self._pool)), 2)  # noqa: S311
        mixed = 0.7 * self._pool[one] + 0.3 * self._pool[other]
        return (mixed / np.linalg.norm(mixed)).tolist()

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)


def recombined(papers: Sequence[Paper], size: int) -> Iterator[Paper]:
    """So many papers of the parts of real ones, the same on every run."""
    chance = random.Random(2026)  # noqa: S311
    for number in range(size):
        head, body, tail = chance.choices(papers, k=3)
        more = tail.abstract.split("。")[0]
        yield head.model_copy(
            update={"title": f"{head.title} {number}", "abstract": f"{body.abstract}{more}。"}
        )


def entries(path: Path) -> list[Paper]:
    """The papers of a listing."""
    return [entry for entry in read(path) if isinstance(entry, Paper)]


async def filled(folder: Path, size: int, settings: Settings) -> dict[str, float]:
    """What filling a store with so many papers took."""
    started, cpu = time.perf_counter(), time.process_time()
    if size <= 5000:
        with Library.open(folder, settings) as library:
            source = SEEDS if size == 54 else CORPUS
            async for _ in library.ingest([source]):
                pass
    else:
        await recombine(folder, size, settings)
    return {"seconds": time.perf_counter() - started, "cpu": time.process_time() - cpu}


async def recombine(folder: Path, size: int, settings: Settings) -> None:
    """Fill a store with recombined papers."""
    papers = entries(CORPUS)
    model = embedders.build(settings.embedding)
    pool = np.asarray(model.get_text_embedding_batch([p.text for p in papers[:2000]]))
    with Store.open(folder, Mixtures.of(model, pool)) as store:
        batch: list[Paper] = []
        for number, paper in enumerate(recombined(papers, size), start=1):
            batch.append(paper)
            if len(batch) == BATCH or number == size:
                await store.write(batch)
                batch = []
                if number % 10_000 == 0:
                    sys.stderr.write(f"{number} of {size} papers written\n")


def asked() -> list[str]:
    """The questions of `evals/parallelism`."""
    lines = QUESTIONS.read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["question"] for line in lines]


async def timed(library: Library) -> dict[str, list[float]]:
    """Seconds from each question to its hits, first, warm, and with each filter."""
    questions = asked()
    first = time.perf_counter()
    await library.search(questions[0])
    found = {"first": [time.perf_counter() - first]}
    for question in questions[:WARM]:
        await library.search(question)
    found["warm"] = [(await library.search(q)).seconds for q in questions[WARM:]]
    found["filtered"] = [
        (await library.search(q, filters=FILTERS[n % len(FILTERS)])).seconds
        for n, q in enumerate(questions[WARM:])
    ]
    return found


def measured(folder: Path, settings: Settings) -> dict[str, list[float]]:
    """The times of one store, opened anew."""
    with Library.open(folder, settings) as library:
        return asyncio.run(timed(library))


def start_up(folder: Path) -> float:
    """Seconds of a whole `paraqa search`."""
    command = [sys.executable, "-m", "paraqa", "search", "pipeline bubbles", "--store", str(folder)]
    started = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603
    return time.perf_counter() - started


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which that share of the values lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def show(
    size: int, spent: dict[str, float] | None, times: dict[str, list[float]], folder: Path
) -> None:
    """One row of the table."""
    warm, filtered = times["warm"], times["filtered"]
    bytes_ = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    filling = f"{spent['seconds']:.0f} s ({spent['cpu']:.0f} CPU-s)" if spent else "kept"
    sys.stdout.write(
        f"| {size:,} | {filling} | {bytes_ / 1e6:.0f} MB | {start_up(folder):.1f} s "
        f"| {times['first'][0]:.2f} s | {1000 * percentile(warm, 0.5):.0f} / "
        f"{1000 * percentile(warm, 0.95):.0f} ms | {1000 * percentile(filtered, 0.5):.0f} / "
        f"{1000 * percentile(filtered, 0.95):.0f} ms | {memory:.0f} MB |\n"
    )


def main() -> None:
    """Fill, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[54, 5000, 100_000])
    parser.add_argument("--keep", type=Path, help="folder where the stores are kept")
    options = parser.parse_args()
    settings = settings_module.load()
    out = sys.stdout.write
    out(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n\n")
    out("| papers | filling | store | `paraqa search` | first | warm p50 / p95 |")
    out(" filtered p50 / p95 | memory |\n|---|---|---|---|---|---|---|---|\n")
    with tempfile.TemporaryDirectory() as temporary:
        for size in sorted(options.sizes):
            folder = (options.keep or Path(temporary)) / f"store-{size}"
            spent = None
            if not (folder / "catalog.sqlite").exists():
                spent = asyncio.run(filled(folder, size, settings))
            show(size, spent, measured(folder, settings), folder)


if __name__ == "__main__":
    main()
