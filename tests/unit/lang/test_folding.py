"""Text reduced for matching."""

import pytest

from paraqa.lang import fold
from paraqa.lang.folding import _simplified


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("ＧＰＵ　Ｔｒａｉｎｉｎｇ", "gpu training"),
        ("深度學習訓練", "深度学习训练"),
        ("機器學習與資訊檢索", "机器学习与资讯检索"),
        ("Breadth‑First – x", "breadth-first - x"),
        ("DHO$_2$", "dho2"),
        (r"$13.7\times$", "13.7×"),
        (r"\textit{hybrid} parallelism", "{hybrid} parallelism"),
        ("it’s “so”", 'it\'s "so"'),
        ("costs $5 and $6", "costs $5 and $6"),
        ("", ""),
    ],
)
def test_spellings_of_one_text_fold_to_one(text, folded):
    assert fold(text) == folded


def test_folding_twice_changes_nothing_more():
    once = fold("DHO$_2$ 訓練 ＧＰＵ – “x”")
    assert fold(once) == once


def test_no_simplified_character_of_the_table_is_itself_traditional():
    table = _simplified()
    assert len(table) > 1000
    assert not [new for new in table.values() if ord(new) in table]
