"""Whether English sentences find papers that are listed in Chinese: `make eval-crosslingual`.

One sentence of each original abstract is searched for (the rule is `evaluation.sentences.chosen`);
its paper should be among the first ten. Beside the setting in force stand the dense ranking alone
and the words alone. The sentences were written by the papers' authors, not by readers, and the
listing never held them: only a translation or a summary of their abstract.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from paraqa import Library
from paraqa import settings as settings_module
from paraqa.evaluation.sentences import Original, Share, chosen, read_originals, shares
from paraqa.settings import Settings

ORIGINALS = Path(__file__).parents[1] / "evals" / "cl" / "originals.jsonl"
K = 10


def variants() -> dict[str, Settings]:
    """The settings in force, and those of either ranking alone."""
    ours = settings_module.load()

    def weighing(dense: float) -> Settings:
        section = ours.retrieval.model_copy(update={"dense_weight": dense})
        return ours.model_copy(update={"retrieval": section})

    return {"fused": ours, "dense only": weighing(1.0), "BM25 only": weighing(0.0)}


async def measured(originals: list[Original], settings: Settings) -> list[Share]:
    """The shares of papers found under some settings."""
    with Library.open(settings=settings) as library:
        found = {}
        for original in originals:
            result = await library.search(chosen(original), k=K)
            found[original.title] = [hit.paper.title for hit in result.hits]
    return shares(originals, found)


async def main() -> None:
    """Measure and print."""
    originals = read_originals(Path(sys.argv[1]) if len(sys.argv) > 1 else ORIGINALS)
    out = sys.stdout.write
    out(f"papers found among the first {K} by a sentence of their original abstract\n\n")
    for number, (name, settings) in enumerate(variants().items()):
        found = await measured(originals, settings)
        if number == 0:
            out("| ranking | " + " | ".join(each.kind or "all" for each in found) + " |\n")
            out("|---" * (len(found) + 1) + "|\n")
        cells = [f"{each.share:.3f} ({each.found} of {each.papers})" for each in found]
        out(f"| {name} | " + " | ".join(cells) + " |\n")


if __name__ == "__main__":
    asyncio.run(main())
