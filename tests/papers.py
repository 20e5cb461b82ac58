"""Papers, hits and questions for tests: a few entries like those of a Chinese listing."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from paraqa.lang import glossary
from paraqa.nodes import passages_of
from paraqa.types import Affiliation, Hit, Lang, Paper, Query, Source

BREADTH_FIRST = Paper(
    title="Breadth-First Pipeline Parallelism",
    abstract=(
        "本文提出广度优先流水线并行训练调度方法,通过结合高GPU利用率、小批量与全分片数据并行,在520亿参数模型上相比Megatron-LM实现最高43%的训练吞吐量提升。"
    ),
    affiliations=(Affiliation(en="ServiceNow Research", zh="ServiceNow研究院"),),
    date=datetime.date(2023, 7, 6),
    source=Source(file="list.txt", line=1),
)
MERAK = Paper(
    title="Merak: An Efficient Distributed DNN Training Framework with Automated 3D Parallelism",
    abstract=(
        "基础模型正在成为主导的深度学习技术。"
        "我们提出了Merak,一个自动化的3D并行深度学习训练框架,具有高资源利用率。"
        "它使用了几种技术,包括带来更高的计算利用率的移位关键路线流水线调度。"
        "在64个GPU上进行的实验表明,Merak可以将训练性能分别提高高达1.42倍、1.39倍、1.43倍和1.61倍。"
    ),
    affiliations=(Affiliation(en="National University of Defense Technology", zh="国防科技大学"),),
    date=datetime.date(2023, 3, 21),
    source=Source(file="list.txt", line=5),
)
MEGATRON = Paper(
    title="Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM",
    abstract=(
        "大语言模型在一系列任务中实现了最先进的准确性。"
        "我们提出了一种新的交错流水线并行计划,可以提高吞吐量的10+%。"
        "我们的方法允许我们在3072个GPU上以502 petaFLOP/s的速度对具有1万亿个参数的模型执行训练迭代,"
        "实现了理论峰值的52%的每GPU吞吐量。"
    ),
    affiliations=(Affiliation(en="NVIDIA", zh="英伟达"),),
    date=datetime.date(2021, 8, 23),
    source=Source(file="list.txt", line=9),
)
FLEXPIPE = Paper(
    title="A Flexible Programmable Pipeline Parallelism Framework for Efficient DNN Training",
    abstract=(
        "本文提出FlexPipe,一个可编程流水线并行框架,通过DSL和自动化调度器实现灵活调度探索,相比Megtron-LM最高加速2.28倍。"
    ),
    date=datetime.date(2025, 10, 9),
    source=Source(file="list.txt", line=13),
)
ZEUS = Paper(
    title="Zeus: Understanding and Optimizing GPU Energy Consumption of DNN Training",
    abstract=(
        "我们提出了Zeus,一个优化框架。"
        "我们的评估表明,对于不同的工作负载,Zeus可以将DNN训练的能源效率提高15.3%-75.8%。"
    ),
    affiliations=(Affiliation(en="University of Michigan", zh="密歇根大学"),),
    date=datetime.date(2022, 9, 29),
    source=Source(file="list.txt", line=17),
)
ENGLISH = Paper(
    title="Sorting Sequences of Keys",
    abstract=(
        "Sorting is an old problem. We present Tally, a method that sorts 52 billion keys on "
        "eight machines. It is 1.4 times faster than the best earlier method."
    ),
    source=Source(file="english.txt", line=1),
)
BACKBONE = Paper(
    title="Choice of Parallelism: Multi-GPU Driven Pipeline for Huge Academic Backbone Network",
    abstract=(
        "在本文中,我们提出了一个多GPU驱动的流水线处理SINET的巨大的会话数据。"
        "我们的流水线已经成功地在24小时内处理了大约12亿到16亿个会话流(500 GB-650 GB)。"
    ),
    date=datetime.date(2021, 6, 24),
    source=Source(file="list.txt", line=21),
)


def hits_of(*papers: Paper, scores: Sequence[float] = ()) -> list[Hit]:
    """The papers as a result, in this order."""
    values = scores or [4.0] * len(papers)
    return [
        Hit(
            rank=rank,
            paper=paper,
            passages=tuple(passages_of(paper)[:1]),
            score=score,
            ranks={"dense": rank},
        )
        for rank, (paper, score) in enumerate(zip(papers, values, strict=True), start=1)
    ]


def query_of(question: str, lang: Lang, kind: str = "answer") -> Query:
    """A question as the rewriter would give it."""
    return Query.model_validate(
        {
            "text": question,
            "standalone": question,
            "lang": lang,
            "kind": kind,
            "variants": glossary.variants(question, lang, glossary_weight=0.8, bridge_weight=0.4),
        }
    )
