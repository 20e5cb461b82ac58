"""Quantities rewritten for readers of the other language."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraqa.lang import LANGS, convert_quantities, quantities


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("520亿参数", "52 billion 参数"),
        ("在520亿参数模型上", "在 52 billion 参数模型上"),
        ("1万亿", "1 trillion"),
        ("12亿到16亿", "1.2 billion to 1.6 billion"),
        ("12-16亿", "1.2 billion to 1.6 billion"),
        ("3.5万", "35,000"),
        ("最高1.90 倍", "最高 1.9x"),
        ("9.97- 16.92倍", "9.97x to 16.92x"),
        ("百分之四十三", "43%"),
        ("减少两个数量级", "减少 two orders of magnitude"),
        ("1.38和1.53倍", "1.38x and 1.53x"),
        ("52 billion, 43%, A100, 24小时", "52 billion, 43%, A100, 24小时"),
        ("数万亿参数", "数万亿参数"),
    ],
)
def test_english_readers_get_english_numbers(text, expected):
    assert convert_quantities(text, "en") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("52 billion参数", "520亿参数"),
        ("约52 billion", "约520亿"),
        ("1 trillion", "1万亿"),
        ("150 million", "1.5亿"),
        ("35 thousand", "3.5万"),
        ("1.2 to 1.6 billion", "12亿到16亿"),
        ("7.6 times", "7.6倍"),
        ("two orders of magnitude", "2个数量级"),
        ("520亿参数, 43%, 3072个GPU", "520亿参数, 43%, 3072个GPU"),
        (r"$13.7\times$", r"$13.7\times$"),
    ],
)
def test_chinese_readers_get_chinese_numbers(text, expected):
    assert convert_quantities(text, "zh") == expected


@given(
    st.lists(
        st.sampled_from(["520亿", "3.5万", "52 billion", "7.6倍", "43%", "GPU", "参数", "、", " "])
    ).map(" ".join)
)
def test_conversion_changes_no_value(text):
    before = [(q.value, q.unit) for q in quantities(text)]
    for language in LANGS:
        after = quantities(convert_quantities(text, language))
        assert [(q.value, q.unit) for q in after] == before
