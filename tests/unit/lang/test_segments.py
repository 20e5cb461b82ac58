"""Sentences as slices."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraqa.lang import sentences


def split(text):
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        (
            "我们提出了Merak。它快3.5倍!真的吗？是的",
            ["我们提出了Merak。", "它快3.5倍!", "真的吗？", "是的"],
        ),
        ("Up to 3.5x faster. Good.", ["Up to 3.5x faster.", "Good."]),
        ("Made by Meta, Inc. and others. Yes.", ["Made by Meta, Inc. and others.", "Yes."]),
        ("See e.g. this, i.e. that. Next.", ["See e.g. this, i.e. that.", "Next."]),
        ("Smith et al. Show it. J. Doe agrees.", ["Smith et al. Show it.", "J. Doe agrees."]),
        ("快于Megatron-LM.我们提出", ["快于Megatron-LM.", "我们提出"]),
        ("版本2.我们", ["版本2.我们"]),
        ("他说“好。”然后走了。", ["他说“好。”", "然后走了。"]),
        ('He said "yes." Then left.', ['He said "yes."', "Then left."]),
        ("A title\nIts abstract. ", ["A title", "Its abstract."]),
        ("  spaced.  Out.  ", ["spaced.", "Out."]),
        ("one", ["one"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_a_text_is_cut_where_its_sentences_end(text, expected):
    assert split(text) == expected


@given(st.text(alphabet="aB1.。!?！ \n中文“”)e.g"))
def test_sentences_hold_every_visible_character_in_order(text):
    pieces = split(text)
    assert "".join("".join(pieces).split()) == "".join(text.split())
    assert all(piece == piece.strip() and piece for piece in pieces)
