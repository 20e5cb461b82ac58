"""Trains the adapter of the bundled embedding on questions in everyday words.

    pip install torch==2.13.0
    python training/adapt.py [--out FILE] [--epochs 3] [--rank 16] …

For each matrix W of multilingual-e5-small it learns two thin ones (LoRA, Hu et al. 2021), so that a
question is nearer to its own paper than to the other papers of a batch (InfoNCE, van den Oord et
al. 2018; both languages of a question share their paper). The text of a paper is its whole entry,
its abstract, or its title, by chance: each is what some listings have. One part of the questions
is held out, and recall on it is printed after each epoch. The result is written as float16.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from paraqa.embedders.e5.tokens import Tokenizer
from paraqa.embedders.e5.weights import Weights, expanded
from paraqa.formats import read
from paraqa.types import Paper, title_key

HERE = Path(__file__).parent
QUESTIONS = HERE / "questions.jsonl"
LISTING = HERE.parent / "evals" / "corpora" / "listing_5000.txt"
OUT = HERE.parent / "src" / "paraqa" / "embedders" / "e5" / "adapter.npz"
LONGEST = 300  # tokens
KINDS = {"whole": 0.6, "abstract": 0.25, "title": 0.15}  # how often each is a paper's text
MATRICES = ("q", "k", "v", "ao", "fi", "fo")
Tokens = list[int]


@dataclass(frozen=True)
class Example:
    """A paper's texts and its two questions, as tokens."""

    part: str
    questions: tuple[Tokens, Tokens]  # English, Chinese
    texts: dict[str, Tokens]


class Network(torch.nn.Module):
    """The network with an adapter; only the adapter learns."""

    def __init__(self, weights: Weights, rank: int) -> None:
        super().__init__()
        self.shape, self.marks = weights.shape, weights.marks
        width, inner = self.shape.width, self.shape.inner
        self.words = weights.blocks("emb.word", width)
        places = weights.vector("emb.pos").reshape(-1, width)
        self.places = torch.tensor(places + weights.vector("emb.type")[:width])
        self.fixed = {
            f"{name}.{end}": torch.tensor(weights.vector(f"{name}.{end}"))
            for name in self._names("aln", "oln", *MATRICES)
            for end in "wb"
            if end == "b" or name.endswith("ln")
        }
        self.fixed |= {
            f"emb.ln.{end}": torch.tensor(weights.vector(f"emb.ln.{end}")) for end in "wb"
        }
        self.up, self.down = torch.nn.ParameterDict(), torch.nn.ParameterDict()
        for name in self._names(*MATRICES):
            columns = inner if name.endswith("fo") else width
            matrix = torch.tensor(weights.matrix(f"{name}.w", columns))
            self.fixed[f"{name}.w"] = matrix
            rows = len(matrix)
            key = name.replace(".", "_")
            self.down[key] = torch.randn(rank, columns) / math.sqrt(columns)
            self.up[key] = torch.zeros(rows, rank)

    def _names(self, *matrices: str) -> list[str]:
        return [f"l{layer}.{m}" for layer in range(self.shape.layers) for m in matrices]

    def linear(self, state: Tensor, name: str) -> Tensor:
        """A layer with what its adapter adds."""
        key = name.replace(".", "_")
        weight = self.fixed[f"{name}.w"] + self.up[key] @ self.down[key]
        return functional.linear(state, weight, self.fixed[f"{name}.b"])

    def normal(self, state: Tensor, name: str) -> Tensor:
        """A normalisation, as it was published."""
        scale, shift = (self.fixed[f"{name}.{end}"] for end in "wb")
        return functional.layer_norm(state, (self.shape.width,), scale, shift, self.shape.epsilon)

    def forward(self, texts: Sequence[Tokens]) -> Tensor:
        """Unit vectors, one for each text."""
        count, longest, width = len(texts), max(map(len, texts)), self.shape.width
        embedded = torch.zeros(count, longest, width)
        mask = torch.zeros(count, longest, dtype=torch.bool)
        for row, text in enumerate(texts):
            embedded[row, : len(text)] = torch.tensor(expanded(self.words[text]))
            mask[row, : len(text)] = True
        hidden = torch.zeros(count, 1, 1, longest).masked_fill(~mask[:, None, None], -1e9)
        state = self.normal(embedded + self.places[:longest], "emb.ln")
        for layer in range(self.shape.layers):
            name = f"l{layer}."
            heads = (
                self.linear(state, name + part)
                .view(count, longest, self.shape.heads, -1)
                .transpose(1, 2)
                for part in "qkv"
            )
            seen = functional.scaled_dot_product_attention(*heads, attn_mask=hidden)
            seen = seen.transpose(1, 2).reshape(count, longest, width)
            state = self.normal(self.linear(seen, name + "ao") + state, name + "aln")
            inner = functional.gelu(self.linear(state, name + "fi"))
            state = self.normal(self.linear(inner, name + "fo") + state, name + "oln")
        present = mask[:, :, None].float()
        return functional.normalize((state.float() * present).sum(1) / present.sum(1), dim=1)

    def save(self, path: Path) -> None:
        """The adapter alone."""
        arrays = {}
        for name in self._names(*MATRICES):
            for end, kept in (("up", self.up), ("down", self.down)):
                matrix = kept[name.replace(".", "_")].detach().numpy()
                arrays[f"{name}.{end}"] = matrix.astype(np.float16)
        np.savez_compressed(path, **arrays)


def examples(weights: Weights) -> list[Example]:
    """The questions with their papers. Raises KeyError for a paper that the listing lacks."""
    papers = {title_key(p.title): p for p in read(LISTING) if isinstance(p, Paper)}
    tokenizer, marks = Tokenizer(weights), weights.marks

    def tokens(kind: str, text: str) -> Tokens:
        numbers = tokenizer.numbers(f"{kind}: {text}")[:LONGEST]
        return [marks.begin, *numbers, marks.end]

    found = []
    for line in QUESTIONS.read_text(encoding="utf-8").splitlines():
        asked = json.loads(line)
        paper = papers[title_key(asked["title"])]
        texts = {
            "whole": f"{paper.title}\n{paper.abstract}",
            "abstract": paper.abstract,
            "title": paper.title,
        }
        found.append(
            Example(
                part=asked["part"],
                questions=(tokens("query", asked["en"]), tokens("query", asked["zh"])),
                texts={kind: tokens("passage", text) for kind, text in texts.items()},
            )
        )
    return found


def recall(network: Network, held: Sequence[Example]) -> str:
    """recall@1 and @5 of the held-out questions among the papers held out, per language."""
    papers = embedded(network, [each.texts["whole"] for each in held])
    told = []
    for number, lang in enumerate(("en", "zh")):
        near = embedded(network, [each.questions[number] for each in held]) @ papers.T
        place = (near > near.diagonal()[:, None]).sum(1)
        told.append(f"{lang} {(place < 1).float().mean():.3f} {(place < 5).float().mean():.3f}")
    return ", ".join(told)


@torch.no_grad()
def embedded(network: Network, texts: Sequence[Tokens]) -> Tensor:
    """Vectors of many texts, those of like length together."""
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    vectors = torch.zeros(len(texts), network.shape.width)
    for start in range(0, len(order), 32):
        chosen = order[start : start + 32]
        vectors[chosen] = network([texts[i] for i in chosen])
    return vectors


def batches(rng: np.random.Generator, size: int, count: int) -> Iterator[list[int]]:
    """All numbers below count, in chance order, `size` at a time; a smaller rest is left out."""
    order = rng.permutation(count).tolist()
    for start in range(0, count - size + 1, size):
        yield order[start : start + size]


def loss_of(network: Network, batch: Sequence[Example], kinds: Sequence[str], tau: float) -> Tensor:
    """InfoNCE from questions to papers, and from papers to questions of each language."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        asked = network([each.questions[lang] for lang in (0, 1) for each in batch])
        papers = network([each.texts[kind] for each, kind in zip(batch, kinds, strict=True)])
    near = asked @ papers.T / tau
    own = torch.arange(len(batch))
    back = [functional.cross_entropy(part.T, own) for part in near.split(len(batch))]
    return functional.cross_entropy(near, own.repeat(2)) + sum(back) / 2


def main() -> None:
    """Train, and write the adapter after each epoch."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--rank", type=int, default=16)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--rate", type=float, default=5e-4)
    parser.add_argument("--tau", type=float, default=0.02)
    parser.add_argument("--held", default="held", help="the part of the questions not trained on")
    chosen = parser.parse_args()
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    weights = Weights.installed()
    network = Network(weights, chosen.rank)
    known = examples(weights)
    held = [each for each in known if each.part == chosen.held]
    learned = [each for each in known if each.part != chosen.held]
    out, started = sys.stdout.write, time.monotonic()
    out(f"{len(learned)} papers to learn from; recall@1 and @5 of {len(held)} held out:\n")
    out(f"before: {recall(network, held)}\n")
    steps = chosen.epochs * (len(learned) // chosen.batch)
    optimiser = torch.optim.AdamW(network.parameters(), lr=chosen.rate, weight_decay=0.01)
    pace = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1.0, (step + 1) / 20) * max(0.05, 1 - step / steps)
    )
    for epoch in range(1, chosen.epochs + 1):
        for numbers in batches(rng, chosen.batch, len(learned)):
            kinds = rng.choice(list(KINDS), p=list(KINDS.values()), size=chosen.batch).tolist()
            loss = loss_of(network, [learned[i] for i in numbers], kinds, chosen.tau)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
            pace.step()
        network.save(chosen.out)
        minutes = (time.monotonic() - started) / 60
        out(f"epoch {epoch}: {recall(network, held)} ({minutes:.0f} min)\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
