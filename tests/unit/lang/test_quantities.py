"""Numbers with their units, read."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraqa.lang import quantities
from paraqa.lang.numerals import chinese_value, in_chinese, in_english


def read(text):
    return [(q.value, q.unit) for q in quantities(text)]


def values(*numbers, unit=""):
    return [(Decimal(n), unit) for n in numbers]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("520亿参数", values("52e9")),
        ("52 billion parameters", values("52e9")),
        ("52-billion-parameter model", values("52e9")),
        ("a 52B model", values("52e9")),
        ("1万亿", values("1e12")),
        ("one trillion", values("1e12")),
        ("一万亿参数", values("1e12")),
        ("三千亿", values("3e11")),
        ("3.5万", values("35000")),
        ("114K令牌", values("114000")),
        ("3,072 GPUs", values("3072")),
        ("3072个GPU", values("3072")),
        ("四十三个", values("43")),
        ("1.5亿、2.5亿、8.3亿和200亿", values("1.5e8", "2.5e8", "8.3e8", "2e10")),
    ],
)
def test_counts_of_both_languages_are_one_number(text, expected):
    assert read(text) == expected


@pytest.mark.parametrize(
    "text", ["7.6倍", "7.6x", "7.6×", "7.6 times", r"$7.6\times$", "7.6 倍", "7.6-fold"]
)
def test_multiples_have_one_unit(text):
    assert read(text) == values("7.6", unit="x")


@pytest.mark.parametrize("text", ["43%", "43 %", "43 percent", "百分之43", "百分之四十三", "43％"])
def test_shares_have_one_unit(text):
    assert read(text) == values("43", unit="%")


@pytest.mark.parametrize("text", ["两个数量级", "2个数量级", "two orders of magnitude"])
def test_orders_of_magnitude_are_read(text):
    assert read(text) == values("2", unit="magnitude")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12亿到16亿", values("12e8", "16e8")),
        ("12-16亿", values("12e8", "16e8")),
        ("1.2 to 1.6 billion", values("12e8", "16e8")),
        ("between 1.2 and 1.6 billion", values("12e8", "16e8")),
        ("9.97- 16.92倍", values("9.97", "16.92", unit="x")),
        ("15.3%-75.8%", values("15.3", "75.8", unit="%")),
        ("500 GB-650 GB", values("500", "650", unit="gb")),
        ("in 2022 and 52 billion", values("2022", "52e9")),
    ],
)
def test_a_range_shares_scale_and_unit(text, expected):
    assert read(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "A100", "ResNet-50", "GPT-3", "FP8", "3D", "1F1B", "2-D", "DGX-1", "2019-06-11", "[1]",
        "[P18]", "一种方法", "one of them", "数万亿参数", "几十亿", "第一", "统一内存", "10^4",
    ],
)  # fmt: skip
def test_digits_of_names_dates_and_markers_are_no_quantities(text):
    assert read(text) == []


def test_a_time_is_the_same_in_both_languages():
    assert read("24小时") == read("24 hours") == values("24", unit="h")
    assert read("1.5分钟") == read("1.5 minutes") == values("1.5", unit="min")


def test_a_quantity_is_a_slice_of_its_text():
    text = "在520亿参数上提升43%。"
    assert [text[q.start : q.end] for q in quantities(text)] == ["520亿", "43%"]
    assert [q.text for q in quantities(text)] == ["520亿", "43%"]


@pytest.mark.parametrize(
    ("numeral", "value"),
    [
        ("四十三", 43),
        ("十二", 12),
        ("一百二", 120),
        ("一百零二", 102),
        ("三千", 3000),
        ("二〇二五", 2025),
    ],
)
def test_chinese_numerals_have_their_value(numeral, value):
    assert chinese_value(numeral) == value


@given(st.decimals("0.01", "9e14", places=2))
def test_what_one_language_writes_the_other_reads_back(value):
    assert [q.value for q in quantities(in_english(value))] == [value]
    assert [q.value for q in quantities(in_chinese(value))] == [value]
