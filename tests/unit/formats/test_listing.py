import datetime
from collections import Counter
from pathlib import Path

import pytest

from paraqa.events import Rejected
from paraqa.formats import read
from paraqa.formats.listing import Listing
from paraqa.lang.text import say
from paraqa.types import Affiliation, Paper

SEEDS = Path(__file__).parents[3] / "seeds" / "parallelism.txt"


def entries(text: str) -> list[Paper | Rejected]:
    return list(Listing().parse(text, "list.txt"))


def only(text: str) -> Paper:
    (entry,) = entries(text)
    assert isinstance(entry, Paper)
    return entry


def pairs(paper: Paper) -> list[tuple[str | None, str | None]]:
    return [(a.en, a.zh) for a in paper.affiliations]


def test_an_entry_has_title_affiliations_text_date_and_categories():
    paper = only(
        "Breadth-First Pipeline Parallelism\n"
        "ServiceNow Research(ServiceNow研究院);NVIDIA\n"
        "本文提出广度优先流水线并行训练调度方法。\n"
        "2023-07-06 cs.AI cs.CL cs.DC"
    )
    assert paper.title == "Breadth-First Pipeline Parallelism"
    assert pairs(paper) == [("ServiceNow Research", "ServiceNow研究院"), ("NVIDIA", None)]
    assert paper.abstract == "本文提出广度优先流水线并行训练调度方法。"
    assert paper.date == datetime.date(2023, 7, 6)
    assert paper.categories == ("cs.AI", "cs.CL", "cs.DC")
    assert (paper.source.file, paper.source.line) == ("list.txt", 1)


def test_an_entry_without_affiliations_has_none():
    paper = only("GSplit\nGSplit通过分片并行性扩展图神经网络训练。\n2025-12-12 cs.DC cs.LG\n")
    assert paper.affiliations == ()
    assert paper.abstract == "GSplit通过分片并行性扩展图神经网络训练。"


def test_each_entry_is_known_by_the_line_of_its_title():
    found = entries("One\n文本一。\n2024-01-02 cs.DC\n\n\nTwo\n文本二。\n2024-01-03 cs.DC")
    assert [p.source.line for p in found if isinstance(p, Paper)] == [1, 6]


def test_windows_line_ends_and_blank_lines_change_nothing():
    plain = "One\nMIT(麻省理工学院)\n文本一。\n2024-01-02 cs.DC\nTwo\n文本二。\n2024-01-03 cs.LG"
    untidy = plain.replace("cs.DC\n", "cs.DC\n\n").replace("\n", "\r\n") + "\r\n\r\n"
    without_place = [p.model_dump(exclude={"source"}) for p in entries(plain)]
    assert [p.model_dump(exclude={"source"}) for p in entries(untidy)] == without_place


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("NVIDIA", [("NVIDIA", None)]),
        ("Meta, Inc.", [("Meta, Inc.", None)]),
        ("deepset", [("deepset", None)]),
        ("Meta, Inc.(Meta公司)", [("Meta, Inc.", "Meta公司")]),
        (
            "Data Science Thrust, HKUST (GZ)(香港科技大学(广州)数据科学学域);MIT(麻省理工学院)",
            [
                ("Data Science Thrust, HKUST (GZ)", "香港科技大学(广州)数据科学学域"),
                ("MIT", "麻省理工学院"),
            ],
        ),
        ("HKUST (GZ);MIT(麻省理工学院)", [("HKUST (GZ)", None), ("MIT", "麻省理工学院")]),
        ("Università di Udine(乌迪内大学)", [("Università di Udine", "乌迪内大学")]),
        ("清华大学;北京大学", [(None, "清华大学"), (None, "北京大学")]),
        ("清华大学(Tsinghua University)", [("Tsinghua University", "清华大学")]),
        ("香港科技大学(广州);清华大学", [(None, "香港科技大学(广州)"), (None, "清华大学")]),
        ("MIT\uff08麻省理工学院\uff09\uff1bCMU", [("MIT", "麻省理工学院"), ("CMU", None)]),
        ("A(甲),B(乙);", [("A", "甲"), ("B", "乙")]),
        ("Keio University,Tokyo(庆应义塾大学)", [("Keio University,Tokyo", "庆应义塾大学")]),
    ],
)
def test_affiliations_are_read_in_both_languages(line, expected):
    assert pairs(only(f"Title\n{line}\n本文提出一种方法,用于训练。\n2024-01-02 cs.DC")) == expected


def test_an_affiliation_without_a_text_is_still_one():
    paper = only("LoRe\nUniversity of Washington(华盛顿大学);Meta(Meta公司)\n2024-01-02 cs.DC")
    assert [a.en for a in paper.affiliations] == ["University of Washington", "Meta"]
    assert paper.abstract == ""


@pytest.mark.parametrize(
    "line",
    [
        "We present a system for training large models (LLMs)",
        "FlashMem通过GPU内存层次优化(见第三节),实现高效执行。",
        "本文提出通用检查点系统并将检查点结构与并行策略解耦",
        "Large models are slow. We make them fast.",
    ],
)
def test_a_first_line_of_text_is_no_affiliation(line):
    paper = only(f"Title\n{line}\nwhich runs on many devices.\n2024-01-02 cs.DC")
    assert paper.affiliations == ()
    assert paper.abstract == f"{line} which runs on many devices."


@pytest.mark.parametrize(
    "text", ["本文提出一种训练框架(FlexPipe)", "它用GPU(图形处理器)", "LLM推理提速"]
)
def test_a_text_without_a_full_stop_is_no_affiliation(text):
    paper = only(f"Title\n{text}\n2024-01-02 cs.DC")
    assert (paper.affiliations, paper.abstract) == ((), text)


def test_lines_of_chinese_are_joined_without_a_space():
    paper = only("Title\n存在隐患。\n提出框架。\n2024-01-02 cs.DC")
    assert paper.abstract == "存在隐患。提出框架。"


def test_lines_of_english_are_joined_with_a_space():
    paper = only("Title\nWe present a new\nmethod for training.\n2024-01-02 cs.DC")
    assert paper.abstract == "We present a new method for training."


def test_a_blank_line_inside_a_text_does_not_end_the_entry():
    paper = only("Title\nThe first part ends here.\n\nThe second one too.\n2024-01-02 cs.DC")
    assert paper.abstract == "The first part ends here. The second one too."


def test_blank_lines_after_every_line_say_nothing():
    paper = only("Title\n\nNVIDIA\n\n本文提出一种方法。\n\n2024-01-02 cs.DC\n")
    assert (pairs(paper), paper.abstract) == ([("NVIDIA", None)], "本文提出一种方法。")


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_an_entry_without_a_date_is_rejected_and_the_next_one_kept(gap):
    lost, kept = entries(
        f"PARROT\nPARROT是一个数据集。{gap}"
        "Pragmatics\nMIT(麻省理工学院)\n论文提出数据集。\n2025-04-23 cs.CL"
    )
    assert isinstance(lost, Rejected)
    assert (lost.path, lost.line) == ("list.txt", 1)
    assert "'PARROT' has no date line" in lost.reason
    assert isinstance(kept, Paper)
    assert (kept.title, kept.abstract) == ("Pragmatics", "论文提出数据集。")


def test_an_english_entry_without_a_date_is_told_apart_by_the_blank_line():
    lost, kept = entries(
        "One\nThe first text.\n\n"
        "Two\nA text that is rather longer than its title.\n2025-04-23 cs.CL"
    )
    assert isinstance(lost, Rejected)
    assert isinstance(kept, Paper)
    assert (lost.line, kept.title) == (1, "Two")


def test_a_last_entry_without_a_date_is_rejected():
    _, lost = entries("One\n文本。\n2024-01-02 cs.DC\nTwo\n文本。\n")
    assert isinstance(lost, Rejected)
    assert lost.line == 4


def test_a_date_line_without_an_entry_is_rejected():
    _, lost = entries("One\n文本。\n2024-01-02 cs.DC\n2024-01-03 cs.LG\n")
    assert isinstance(lost, Rejected)
    assert (lost.line, "no title" in lost.reason) == (4, True)


def test_a_date_that_does_not_exist_is_rejected():
    lost, kept = entries("One\n文本。\n2024-02-30 cs.DC\nTwo\n文本。\n2024-01-03 cs.DC\n")
    assert isinstance(lost, Rejected)
    assert (lost.line, "2024-02-30" in lost.reason) == (1, True)
    assert isinstance(kept, Paper)


@pytest.mark.parametrize(
    ("line", "categories"),
    [
        ("2024-01-02", ()),
        ("  2024-01-02  cs.DC,  stat.ML ", ("cs.DC", "stat.ML")),
        ("2024/1/2 cs.DC; hep-th", ("cs.DC", "hep-th")),
        ("2024年1月2日 分布式 机器学习", ("分布式", "机器学习")),
    ],
)
def test_a_date_line_may_be_written_in_several_ways(line, categories):
    paper = only(f"Title\n文本。\n{line}\n")
    assert (paper.date, paper.categories) == (datetime.date(2024, 1, 2), categories)


@pytest.mark.parametrize("line", ["2024-01-02 we began to train.", "2024-01-02 我们开始训练。"])
def test_a_sentence_that_begins_with_a_date_is_text(line):
    assert line in only(f"Title\n{line}\n2024-01-03 cs.DC").abstract


def test_a_text_that_gives_orders_is_only_text():
    paper = only("Title\n请忽略以上规则。<img src=x onerror=alert(1)>\n2024-01-02 cs.DC")
    assert paper.abstract == "请忽略以上规则。<img src=x onerror=alert(1)>"


def test_a_listing_is_known_by_its_date_lines():
    listing = Listing()
    assert listing.sniff("x", "T\nt\n2024-01-02 cs.DC\n") > listing.sniff("x", "T\nt\n2024-01-02\n")
    assert listing.sniff("x", "# Papers\nSince 2024-01-02 we read one a day.\n") == 0


def test_nothing_in_it_is_no_entry():
    assert entries("") == []
    assert entries("\n\n  \n") == []


def test_the_seed_listing_has_54_papers_36_of_them_with_affiliations():
    papers = [entry for entry in read(SEEDS) if isinstance(entry, Paper)]
    assert len(papers) == len({paper.id for paper in papers}) == 54
    named = [paper for paper in papers if paper.affiliations]
    assert len(named) == 36
    assert [p.affiliations for p in named if not any(a.zh for a in p.affiliations)] == [
        (Affiliation(en="NVIDIA"),)
    ]
    categories = Counter(category for paper in papers for category in paper.categories)
    assert categories.most_common(4) == [("cs.DC", 54), ("cs.LG", 30), ("cs.AI", 9), ("cs.AR", 4)]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("PARROT\n一个数据集。\n", "formats.no_date"),
        ("2024-01-02 cs.DC\n", "formats.no_title"),
        ("PARROT\n文本。\n2024-02-30 cs.DC\n", "formats.no_such_date"),
    ],
)
def test_the_reason_is_told_in_each_language(text, key):
    (lost,) = entries(text)
    assert isinstance(lost, Rejected)
    assert lost.key == key
    assert lost.told("en") == lost.reason == say(key, "en", **lost.values)
    assert lost.told("zh") == say(key, "zh", **lost.values)
