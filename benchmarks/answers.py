"""Seconds to the evidence and to the claims, beside the model's own rates: `make bench`.

Evidence is timed for every question of `evals/parallelism`, after a first one that warms up, and
claims of the local model for a few. The model's rates are what it reports of itself: the column
"model alone" is the least time that the same tokens could have taken.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
from contextlib import aclosing
from pathlib import Path

from paraqa import Library
from paraqa.types import Answer

QUESTIONS = Path(__file__).parents[1] / "evals" / "parallelism" / "dev.jsonl"
ASKED = ["which papers reduce pipeline bubbles?", "哪些论文减少了流水线气泡?"]
EVERY = 24  # of the other questions, every so many-th pair is asked


def questions() -> list[str]:
    """All questions of the set."""
    lines = QUESTIONS.read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["question"] for line in lines]


async def evidence(library: Library) -> list[float]:
    """Seconds from each question to its hits."""
    await library.warm()
    return [(await library.search(question)).seconds for question in questions()]


async def answers(library: Library, asked: list[str]) -> list[Answer]:
    """What the local model answers."""
    async with aclosing(library.prepare()) as steps:
        async for _ in steps:
            pass
    await library.answer(asked[0], llm="local")  # the first one pays for loading the pages
    return [await library.answer(question, llm="local") for question in asked]


def percentile(values: list[float], share: float) -> float:
    """The value below which that share of the values lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def show(seconds: list[float], found: list[Answer]) -> None:
    """Print both tables."""
    out = sys.stdout.write
    out(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n\n")
    out(f"evidence, warm, {len(seconds)} questions: median {statistics.median(seconds):.3f} s, ")
    out(f"p95 {percentile(seconds, 0.95):.3f} s, slowest {max(seconds):.3f} s\n\n")
    out("| question | evidence | first claim | last claim | model alone | claims |")
    out(" prompt tokens (cached) | prefill tok/s | written | tok/s |\n")
    out("|---|---|---|---|---|---|---|---|---|---|\n")
    for answer in found:
        use, at = answer.usage, answer.timings
        alone = use.prompt_seconds + use.generation_seconds
        out(f"| {answer.query.text[:48]} | {at.first_evidence or 0:.2f} s ")
        out(f"| {at.first_claim or 0:.1f} s | {at.last_claim or 0:.1f} s | {alone:.1f} s ")
        out(f"| {len(answer.claims)} | {use.prompt_tokens} ({use.cached_tokens}) ")
        out(f"| {use.prompt_tokens / (use.prompt_seconds or 1):.0f} | {use.generated_tokens} ")
        out(f"| {use.generated_tokens / (use.generation_seconds or 1):.1f} |\n")


async def main() -> None:
    """Measure and print."""
    with Library.open() as library:
        seconds = await evidence(library)
        show(seconds, await answers(library, ASKED + questions()[20 :: EVERY + 1]))


if __name__ == "__main__":
    asyncio.run(main())
