"""What code can see of a rendering: its figures, its names, its length."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paraqa.formats import read
from paraqa.translator import figures, naming
from paraqa.translator.faults import Original, faults, is_looping, measure
from paraqa.types import Paper

SEEDS = Path(__file__).parents[2] / "seeds"
PAPERS = {p.title: p for p in read(SEEDS / "parallelism.txt") if isinstance(p, Paper)}
CURATED = [
    json.loads(line)
    for line in (SEEDS / "parallelism.en.jsonl").read_text(encoding="utf-8").splitlines()
]
# Names that a reader mends or translates, and a model should not, by the beginning of the title.
MENDED = {
    "A Flexible Programmable": {"Megtron-LM", "Megatron-LM"},
    "Serving DNN Models": {"MIG-Serving"},
}


@pytest.mark.parametrize("line", CURATED, ids=lambda line: line["title"][:30])
def test_renderings_by_hand_pass_in_both_directions(line):
    title, english = line["title"], line["abstract"]
    chinese = PAPERS[title].abstract
    found = [
        *faults(Original(chinese, title, "en"), english, finish="stop"),
        *faults(Original(english, title, "zh"), chinese, finish="stop"),
    ]
    expected = next((n for start, n in MENDED.items() if title.startswith(start)), set())
    assert {f.what for f in found} == expected


@pytest.mark.parametrize(
    ("source", "rendering"),
    [
        ("520亿参数,提高43%。", "52 billion parameters, up 43 percent."),
        ("快7.6倍", "7.6x faster"),
        ("快7.6倍", "7.6 times faster"),
        ("提高两倍", "doubles it"),
        ("提高一倍", "twice as high"),
        ("8种语言", "eight languages"),
        ("八种语言", "8 languages"),
        ("十二种语言", "12 languages"),
        ("第1名", "first place"),
        ("重复5次", "repeated 5 times"),
        ("约$\\sim 60\\%$", "about 60%"),
        ("12亿到16亿个流", "1.2 to 1.6 billion flows"),
        ("A100和3D并行", "A100 and 3D parallelism"),
        ("首先1)涉及决策树,然后2)设计算法", "first it involves a tree, then it designs a search"),
        ("共有两步(1)分解(2)搜索(至少8步)", "two steps: decompose, then search (at least 8 steps)"),
        ("慢两个数量级", "two orders of magnitude slower"),
    ],
)
def test_one_figure_may_be_written_in_several_ways(source, rendering):
    assert figures.differences(source, rendering, "en") == ([], [])
    assert figures.differences(rendering, source, "zh") == ([], [])


@pytest.mark.parametrize(
    ("source", "rendering", "missing", "added"),
    [
        ("520亿参数", "520 billion parameters", ["52 billion"], ["520 billion"]),
        ("提高43%", "improves it", ["43%"], []),
        ("提高了性能", "improves it by 43%", [], ["43%"]),
        ("快3.4倍", "up by 3.4%", ["3.4x"], ["3.4%"]),
        ("64个GPU", "46 GPUs", ["64"], ["46"]),
        ("提高5倍", "raised by 5", ["5x"], ["5"]),
        ("三个模块", "4 modules", [], ["4"]),
        ("二十个模块", "two modules", ["20"], []),
    ],
)
def test_a_figure_that_changed_is_named_as_the_rendering_should_have_it(
    source, rendering, missing, added
):
    assert figures.differences(source, rendering, "en") == (missing, added)


@pytest.mark.parametrize(
    ("source", "rendering"),
    [
        ("我们提出MetaFaith。", "We propose MetaFaith."),
        ("在GPT5和LLMs上", "On GPT-5 and an LLM"),
        ("多GPU训练", "multi-GPU training, GPU-based"),
        ("DHO$_2$方法", "the method DHO2"),
        ("大语言模型(LLM)", "large language models"),
        ("3D并行", "three-dimensional parallelism"),
        ("见https://github.com/ab/cD3", "see there"),
        ("在64GB和7B上,第2nd", "on 64 GB"),
        ("使用BERT-large", "BERT large"),
        ("在GPU上", "on GPUs"),
    ],
)
def test_a_name_stands_however_it_is_joined(source, rendering):
    assert naming.missing(source, rendering) == []


@pytest.mark.parametrize(
    ("source", "rendering", "lost"),
    [
        ("我们提出MetaFaith。", "We propose a method.", ["MetaFaith"]),
        ("在GPT-4上", "on GPT-3.5", ["GPT-4"]),
        ("RAG系统与RAG", "the fragment system", ["RAG"]),
        ("Megatron-LM与A100", "Megatron and V100", ["Megatron-LM", "A100"]),
    ],
)
def test_a_name_that_changed_is_missing(source, rendering, lost):
    assert naming.missing(source, rendering) == lost


def test_the_two_languages_are_measured_alike():
    pairs = [(line["abstract"], PAPERS[line["title"]].abstract) for line in CURATED]
    ratios = [measure(english) / measure(chinese) for english, chinese in pairs]
    assert 0.75 < min(ratios) < 1 < max(ratios) < 1.35


def test_a_loop_is_the_same_words_three_times_in_a_row():
    assert is_looping("so it is a schedule, a schedule of a schedule of a schedule of")
    assert is_looping("模型的流水线并行训练模型的流水线并行训练模型的流水线并行训练")
    assert not is_looping("tensor parallelism, data parallelism and pipeline parallelism")
