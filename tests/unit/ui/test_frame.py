from pathlib import Path

import pytest

from paraqa.events import Preparing
from paraqa.ui.frame import heading, preparation, welcome


def test_the_heading_counts_the_papers_and_carries_the_language():
    assert "Answers from 54 papers" in heading("en", 54)
    assert "Answers from 1 paper," in heading("en", 1)
    assert 'data-lang="zh"' in heading("zh", 54)
    assert "<p>" not in heading("en", 0)


def test_an_empty_store_explains_itself():
    page = welcome("en", 0, Path("seeds"))
    assert "There are no papers yet." in page
    assert "<code>paraqa ingest</code>" in page
    assert "还没有论文" in welcome("zh", 0, Path("seeds"))


@pytest.mark.parametrize("status", [None, Preparing(step="ready")])
def test_a_ready_model_needs_no_words(status):
    assert preparation(status, "en") == ""


def test_a_model_being_joined_shows_how_far_it_is():
    page = preparation(Preparing(step="joining", done=30, total=120), "en")
    assert 'value="25"' in page
    assert "25 %" in page
    assert "Answers quote the papers until the model is ready." in page


def test_a_model_being_loaded_shows_no_number():
    page = preparation(Preparing(step="loading"), "zh")
    assert "value" not in page
    assert "加载中" in page
