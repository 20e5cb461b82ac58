"""Institutions by the names that readers give them."""

import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraqa.lang.institutions import Directory, Named, table
from paraqa.types import Affiliation

DIRECTORY = Directory(
    [
        Affiliation(en="NVIDIA", zh="英伟达公司"),
        Affiliation(en="Lacework", zh="莱斯沃克公司"),
        Affiliation(en="Department of Computing, University of Nowhere, Utopia"),
        Affiliation(en="Università di Perugia", zh="佩鲁贾大学"),
        Affiliation(zh="某某研究所"),
    ]
)


def found(text, directory=DIRECTORY):
    """The names found in a text."""
    return [named.name for named in directory.find(text)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("papers from Tsinghua and PKU", ["Tsinghua University", "Peking University"]),
        ("清华和北大的论文", ["Tsinghua University", "Peking University"]),
        ("清華大學的論文", ["Tsinghua University"]),
        ("ＴＨＵ", ["Tsinghua University"]),
        ("MIT", ["Massachusetts Institute of Technology"]),
        ("papers from mit", ["Massachusetts Institute of Technology"]),
        ("summit smith emit", []),
        ("在MIT的工作", ["Massachusetts Institute of Technology"]),
        ("the University of California, Berkeley's", ["University of California, Berkeley"]),
        ("UC伯克利", ["University of California, Berkeley"]),
        ("ETH Zürich", ["ETH Zurich"]),
        ("港科大", ["Hong Kong University of Science and Technology"]),
        ("中科院计算所", ["Institute of Computing Technology, Chinese Academy of Sciences"]),
        ("Google DeepMind", ["Google DeepMind"]),
        ("Google Research", ["Google Research"]),
        ("google research on pipelines", ["Google"]),
        ("南大有哪些论文", ["Nanjing University"]),
        ("东南大学和云南大学", ["Southeast University", "Yunnan University"]),
        ("湖北大学", []),  # no 北大 in it
        ("Nanjing University of Chinese Medicine", []),
        ("a bit of the gist, cas by cas", []),
        ("BIT", ["Beijing Institute of Technology"]),
        ("Michigan State University", ["Michigan State University"]),
        ("", []),
    ],
)
def test_an_institution_is_found_by_any_of_its_names(text, names):
    assert found(text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("from LACEWORK?", ["Lacework"]),
        ("来自莱斯沃克公司", ["Lacework"]),
        ("英伟达公司", ["NVIDIA"]),
        ("Universita di Perugia", ["Università di Perugia"]),
        ("佩鲁贾大学", ["Università di Perugia"]),
        ("University of Nowhere", ["University of Nowhere"]),
        ("某某研究所", ["某某研究所"]),
    ],
)
def test_the_affiliations_of_the_papers_are_names_too(text, names):
    assert found(text) == names


def test_offsets_are_those_of_the_text_as_typed():
    text = "ﬁne: ＮＶＩＤＩＡ與清華"
    places = [(text[n.start : n.end], n.name) for n in DIRECTORY.find(text)]
    assert places == [("ＮＶＩＤＩＡ", "NVIDIA"), ("清華", "Tsinghua University")]


def test_all_names_of_an_institution_are_told_by_any_of_them():
    names = DIRECTORY.names("英伟达")
    assert names[0] == "NVIDIA"
    assert "英伟达公司" in names
    assert DIRECTORY.names("no such place") == ("no such place",)


@pytest.mark.parametrize(
    ("name", "affiliation"),
    [
        ("Google", Affiliation(en="Google Research")),
        ("Google", Affiliation(zh="谷歌大脑")),
        ("谷歌", Affiliation(en="Google DeepMind, London")),
        ("Tsinghua University", Affiliation(en="Tsinghua Shenzhen International Graduate School")),
        ("清华", Affiliation(zh="清华大学深圳国际研究生院")),
        ("MIT", Affiliation(en="MIT CSAIL")),
        ("南大", Affiliation(zh="南京大学计算机科学与技术系")),
        ("南大", Affiliation(zh="南大")),
        ("Microsoft", Affiliation(en="Microsoft Research Asia, Beijing")),
        (
            "中科院",
            Affiliation(en="Institute of Computing Technology, Chinese Academy of Sciences"),
        ),
        ("UIUC", Affiliation(zh="伊利诺伊大学厄巴纳-香槟分校")),
        ("Berkeley", Affiliation(en="UC Berkeley")),
        ("ByteDance", Affiliation(en="ByteDance Inc.", zh="字节跳动公司")),
        ("University of Nowhere", Affiliation(en="Foo Lab, The University of Nowhere")),
        ("Unheard Institute", Affiliation(en="Unheard Institute, Atlantis")),
    ],
)
def test_an_affiliation_matches_the_institution_that_it_is_part_of(name, affiliation):
    assert DIRECTORY.matches(name, affiliation)


@pytest.mark.parametrize(
    ("name", "affiliation"),
    [
        ("MIT", Affiliation(en="Summit Labs")),
        ("南大", Affiliation(zh="东南大学")),
        ("南大", Affiliation(zh="云南大学")),
        ("北大", Affiliation(zh="东北大学")),
        ("清华大学", Affiliation(zh="国立清华大学")),
        ("University of Michigan", Affiliation(en="Michigan State University")),
        ("Michigan State University", Affiliation(en="University of Michigan")),
        ("Nanjing University", Affiliation(en="Nanjing University of Science and Technology")),
        ("Nanjing University", Affiliation(en="Nanjing University of the Arts")),
        ("Berkeley", Affiliation(en="Lawrence Berkeley National Laboratory")),
        ("Berkeley", Affiliation(en="Some Institute, Berkeley, CA")),
        ("Google Research", Affiliation(en="Google")),
        ("University of Munich", Affiliation(en="Technical University of Munich")),
        ("NVIDIA", Affiliation()),
    ],
)
def test_an_affiliation_elsewhere_does_not_match(name, affiliation):
    assert not DIRECTORY.matches(name, affiliation)


def test_the_table_is_in_order():
    rows = table()
    owners = [row.forms[0].owner for row in rows]
    assert len(rows) >= 150
    assert len(owners) == len(set(owners))
    assert all(row.parent is None or row.parent in owners for row in rows)
    exact = [(f.text if f.is_exact else f.text.casefold()) for row in rows for f in row.forms]
    assert len(exact) == len(set(exact))


def test_twenty_thousand_institutions_are_searched_in_a_moment():
    many = Directory(
        Affiliation(en=f"University of Place{n}", zh=f"地{n}大学") for n in range(20_000)
    )
    question = "which papers from University of Place77, 地188大学 and Tsinghua cut bubbles?"
    best = min(_seconds(many, question) for _ in range(5))
    assert found(question, many) == [
        "University of Place77",
        "University of Place188",
        "Tsinghua University",
    ]
    assert best < 0.005


def _seconds(directory, question):
    start = time.perf_counter()
    directory.find(question)
    return time.perf_counter() - start


@given(st.text())
def test_no_text_stops_the_search_and_no_two_names_share_characters(text):
    names = DIRECTORY.find(text)
    assert all(isinstance(n, Named) and 0 <= n.start < n.end <= len(text) for n in names)
    assert all(one.end <= two.start for one, two in itertools.pairwise(names))


@pytest.mark.parametrize(
    ("name", "affiliation", "is_met"),
    [
        ("加州大学", Affiliation(zh="加州大学伯克利分校"), True),
        ("加州大学", Affiliation(en="UC San Diego"), True),
        ("加州大学", Affiliation(en="University of California, Sonoma"), True),
        ("University of California", Affiliation(zh="加州大学圣地亚哥分校"), True),
        ("加州大学", Affiliation(zh="加州理工学院"), False),
        ("加州大学", Affiliation(zh="南加州大学"), False),
        ("UC Berkeley", Affiliation(en="University of California, Davis"), False),
        ("印度理工学院", Affiliation(en="IIT Bombay"), True),
    ],
)
def test_a_university_of_several_places_is_met_by_each_of_them(name, affiliation, is_met):
    assert Directory([affiliation]).matches(name, affiliation) is is_met


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("papers from ByteDance Inc. on MoE", ("ByteDance Inc.", "ByteDance")),
        ("papers from Google LLC", ("Google LLC", "Google")),
        ("papers from Huawei Technologies Co., Ltd.", ("Huawei Technologies Co., Ltd.", "Huawei")),
        ("Bosch GmbH", ("Bosch GmbH", "Bosch")),
        ("the Google group", ("Google", "Google")),
        ("英伟达公司的论文", ("英伟达公司", "NVIDIA")),
        ("华为技术有限公司", ("华为技术有限公司", "Huawei")),
        ("北京字节跳动科技有限公司的论文", ("北京字节跳动科技有限公司", "ByteDance")),
        ("百度研究院", ("百度研究院", "Baidu")),
        ("百度研究了什么", ("百度", "Baidu")),
    ],
)
def test_what_the_law_puts_behind_a_name_belongs_to_it(text, named):
    (found,) = Directory(()).find(text)
    assert (text[found.start : found.end], found.name) == named


@pytest.mark.parametrize(
    ("listed", "asked", "is_met"),
    [
        ("Zuse Works Inc.", "Zuse Works", True),
        ("Zuse Works", "Zuse Works GmbH", True),
        ("ByteDance Inc.", "字节跳动", True),
        ("楚泽有限公司", "楚泽", True),
        ("楚泽研究院", "楚泽", True),
        ("Zusenow Research", "Zusenow", True),
        ("Scale Inc.", "Scale", True),
        ("Scale Inc.", "scale", False),  # a word
    ],
)
def test_a_firm_is_known_without_what_the_law_puts_behind_its_name(listed, asked, is_met):
    affiliation = Affiliation(en=listed)
    directory = Directory([affiliation])
    found = directory.find(f"papers from {asked}")
    assert bool(found) is is_met
    assert all(directory.matches(named.name, affiliation) for named in found)
