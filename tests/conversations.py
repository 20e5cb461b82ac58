"""Conversations for the tests and the pictures of the page, on five papers of the listing."""

from __future__ import annotations

import datetime

from paraqa.errors import StoreNotFound
from paraqa.events import Delta, Dropped, Retrieved, Understood
from paraqa.types import Filters, Match, Rendering
from scripted_library import (
    Gate,
    Script,
    ScriptedLibrary,
    abstained,
    claim,
    covering,
    hit,
    paper,
    query,
    script,
    streamed,
)

ENGLISH = "Which papers reduce pipeline bubbles?"
CHINESE = "哪些论文减少了流水线气泡？"
PAUSED = "How much faster is breadth-first training?"
ABSTAINED = {"en": "What does vLLM cost per month?", "zh": "vLLM 每月费用是多少？"}
FILTERED = {
    "en": "Which NVIDIA papers since 2031 reduce pipeline bubbles?",
    "zh": "2031 年以来英伟达有哪些论文减少了流水线气泡？",
}
FAILED = "What if the store is gone?"
HOSTILE = "<img src=x onerror=document.title='pwned'> & [1] ${document.title='pwned'} {{title}}?"

BREADTH = paper(
    "Breadth-First Pipeline Parallelism",
    "本文提出广度优先流水线并行训练调度方法,通过结合高GPU利用率、小批量与全分片数据并行,"
    "在520亿参数模型上相比Megatron-LM实现最高43%的训练吞吐量提升。",
    where=("ServiceNow Research", "ServiceNow研究院"),
    date="2023-07-06",
    categories=("cs.AI", "cs.CL", "cs.DC"),
    alternates=(
        Rendering(
            lang="en",
            abstract="This paper proposes breadth-first scheduling of pipeline-parallel training. "
            "With high GPU utilization, small batches and fully sharded data parallelism, it "
            "raises training throughput over Megatron-LM by up to 43% on a 52-billion-parameter "
            "model.",
            origin="curated",
            note="The source does not say on how many devices.",
        ),
    ),
)
ZEROPP = paper(
    "ZeroPP: Unleashing Exceptional Parallelism Efficiency through "
    "Tensor-Parallelism-Free Methodology",
    "ZeroPP提出无张量并行框架,结合流水线并行与全分片数据并行,在保持内存消耗的同时,"
    "相比三维并行实现高达33%的性能提升。",
    date="2024-05-24",
    categories=("cs.DC",),
    alternates=(
        Rendering(
            lang="en",
            abstract="ZeroPP proposes a framework without tensor parallelism that gains up to 33% "
            "over three-dimensional parallelism.",
            origin="machine",
        ),
    ),
)
MERAK = paper(
    "Merak: An Efficient Distributed DNN Training Framework with Automated 3D Parallelism for "
    "Giant Foundation Models",
    "基础模型正在成为主导的深度学习技术。由于基础模型的模型参数和训练数据集的规模都很大,"
    "因此对基础模型进行预训练通常很耗时。我们提出了Merak,一个自动化的3D并行深度学习训练框架,"
    "具有高资源利用率。它使用了几种技术来利用可用的训练资源,包括带来更高的计算利用率的移位关键"
    "路线流水线调度,利用空闲工作内存的阶段感知重计算,以及重叠通信和计算的子流水线张量模型并行。"
    "在64个GPU上进行的实验表明,Merak可以将训练性能提高高达1.61倍。",
    where=("National University of Defense Technology", "国防科技大学"),
    date="2023-03-21",
    categories=("cs.DC", "cs.LG", "cs.MA"),
)
PPIPE = paper(
    "PPipe: Efficient Video Analytics Serving on Heterogeneous GPU Clusters via Pool-Based "
    "Pipeline Parallelism",
    "本文提出 PPipe 推理服务系统,利用基于池的流水线并行、MILP 控制平面和自适应批处理,"
    "在异构 GPU 集群上提升视频分析推理吞吐量与低端 GPU 利用率。",
    date="2025-07-24",
    categories=("cs.DC",),
)
PLAIN = paper("A Note without Date, Place or Abstract", "", date=None, categories=())

ATTACK = "<script>document.title='pwned'</script><img src=http://leak.invalid/p.png>"
WICKED = paper(
    f"Wicked {ATTACK}",
    f"它{ATTACK}声称提高了43%。![x](http://leak.invalid/q.png) [点此](javascript:alert(1))",
    where=(f"Institute {ATTACK}", f"研究所 {ATTACK}"),
    categories=(f"cs.{ATTACK}",),
    venue=ATTACK,
    alternates=(Rendering(lang="en", abstract=ATTACK, origin="machine", note=ATTACK),),
    doi='10.1234/"><script>alert(1)</script>',
    url="javascript:alert(1)",
)

_CRITICAL = (
    "它使用了几种技术来利用可用的训练资源,包括带来更高的计算利用率的移位关键路线流水线调度,"
    "利用空闲工作内存的阶段感知重计算,以及重叠通信和计算的子流水线张量模型并行。"
)
_PIPELINE = (Match(term="pipeline", why="question"), Match(term="流水线", why="glossary"))
_IDLE = Match(term="空闲", why="bridge")
_MEGATRON = Match(term="Megatron-LM", why="spelling")
HITS = (
    hit(1, BREADTH, BREADTH.abstract, matches=(*_PIPELINE, _MEGATRON), words=2),
    hit(2, ZEROPP, ZEROPP.abstract, matches=_PIPELINE, words=1),
    hit(3, MERAK, _CRITICAL, matches=(*_PIPELINE, _IDLE), words=4),
    hit(4, PPIPE, PPIPE.abstract, matches=_PIPELINE, words=3),
    hit(5, PLAIN),
)
CLAIMS_EN = (
    claim(
        "Breadth-First Pipeline Parallelism schedules the pipeline breadth-first and gains up to "
        "43% training throughput over Megatron-LM on a 52-billion-parameter model.",
        HITS[0],
        "在520亿参数模型上相比Megatron-LM实现最高43%的训练吞吐量提升",
    ),
    claim(
        "ZeroPP combines pipeline parallelism with fully sharded data parallelism and is up to "
        "33% faster than 3D parallelism.",
        HITS[1],
        "相比三维并行实现高达33%的性能提升",
    ),
    claim(
        "Merak shifts the critical path of the pipeline schedule, which removes most bubbles.",
        HITS[2],
        "移位关键路线流水线调度",
        support="partial",
        reason="“most bubbles” is not in the source",
    ),
)
CLAIMS_ZH = (
    claim(
        "《Breadth-First Pipeline Parallelism》提出广度优先流水线调度，在520亿参数模型上"
        "相比Megatron-LM训练吞吐量最高提升43%。",
        HITS[0],
        "在520亿参数模型上相比Megatron-LM实现最高43%的训练吞吐量提升",
    ),
    claim(
        "ZeroPP结合流水线并行与全分片数据并行，性能比三维并行最高提升33%。",
        HITS[1],
        "相比三维并行实现高达33%的性能提升",
    ),
    claim(
        "PPipe在异构GPU集群上把吞吐量提高了两倍。",
        HITS[3],
        "提升视频分析推理吞吐量与低端 GPU 利用率",
        support="none",
        reason="原文没有“两倍”",
    ),
)
WICKED_HITS = (hit(1, WICKED, WICKED.abstract, matches=(Match(term=ATTACK, why="glossary"),)),)
WICKED_CLAIM = claim(
    f"It {ATTACK} gains 43% [7] ![x](http://leak.invalid/r.png).",
    WICKED_HITS[0],
    "提高了43%",
    support="partial",
    reason=ATTACK,
)


def english(*, before_words: Gate | None = None, before_last: Gate | None = None) -> Script:
    """An English question answered from Chinese abstracts."""
    return script(
        query(ENGLISH, "流水线气泡", "流水线并行", is_list=True),
        HITS,
        CLAIMS_EN,
        lead="Three of the papers found speak to this:",
        coverage=covering(12),
        before_words=before_words,
        before_last=before_last,
    )


def chinese() -> Script:
    """A Chinese question."""
    return script(
        query(CHINESE, "pipeline bubble", is_list=True),
        HITS,
        CLAIMS_ZH,
        lead="检索到的论文中有三篇与此相关：",
        coverage=covering(12),
    )


def paused(gate: Gate) -> Script:
    """Two sentences settle, the third is being written when the gate is reached."""
    *written, _ = streamed(CLAIMS_EN[2])
    return [
        Understood(query=query(PAUSED, "广度优先")),
        Retrieved(hits=HITS, coverage=covering(12)),
        *streamed(CLAIMS_EN[0]),
        Delta(number=4, text="This one comes to nothing"),
        Dropped(number=4),
        *streamed(CLAIMS_EN[1]),
        *written[:2],
        gate,
    ]


def silent(lang: str) -> Script:
    """A question on which the papers are silent."""
    reasons = {
        "en": "No paper here mentions “vLLM”, and none reports a price.",
        "zh": "这里没有论文提到“vLLM”，也没有论文报告价格。",
    }
    asked = query(ABSTAINED[lang])
    return [
        Understood(query=asked),
        Retrieved(hits=HITS[:4], coverage=covering(0, strength="none")),
        abstained(asked, HITS[:4], reasons[lang]),
    ]


def wicked() -> Script:
    """Hostile text in every place that a listing or a model can write to."""
    asked = query(HOSTILE, ATTACK, filters=Filters(institutions=(ATTACK,)))
    return script(asked, WICKED_HITS, [WICKED_CLAIM], lead=ATTACK)


def filtered_out(lang: str) -> Script:
    """A question whose conditions no paper meets."""
    reasons = {
        "en": "None of the 54 papers meets all conditions of the question.",
        "zh": "54 篇论文中没有一篇符合问题的全部条件。",
    }
    since = datetime.date(2031, 1, 1)
    asked = query(FILTERED[lang], filters=Filters(since=since, institutions=("NVIDIA",)))
    return [
        Understood(query=asked),
        Retrieved(hits=(), coverage=covering(0, eligible=0, strength="none")),
        abstained(asked, (), reasons[lang]),
    ]


def filtered() -> Script:
    """A question whose conditions some papers meet."""
    asked = query(ENGLISH, "流水线气泡", filters=Filters(until=datetime.date(2024, 12, 31)))
    return script(asked, HITS[:3], CLAIMS_EN, coverage=covering(3, eligible=31))


def conversations(gate: Gate | None = None) -> ScriptedLibrary:
    """A library that knows all of them; the paused one waits at `gate`, or for ever."""
    scripts: dict[str, Script] = {
        ENGLISH: english(),
        CHINESE: chinese(),
        PAUSED: paused(gate or Gate()),
        ABSTAINED["en"]: silent("en"),
        ABSTAINED["zh"]: silent("zh"),
        FILTERED["en"]: filtered_out("en"),
        FILTERED["zh"]: filtered_out("zh"),
        FAILED: [
            Understood(query=query(FAILED)),
            StoreNotFound("store.not_found", path="vectorstore"),
        ],
        HOSTILE: wicked(),
    }
    return ScriptedLibrary(scripts=scripts, default=english())
