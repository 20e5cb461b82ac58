import pytest

from conversations import BREADTH, CLAIMS_EN, HITS, MERAK
from paraqa.types import Rendering
from paraqa.ui.cards import cards
from paraqa.ui.exchange import Exchange
from paraqa.ui.markup import join
from paraqa.ui.renderings import renderings


@pytest.mark.parametrize(
    ("language", "origin", "en", "zh"),
    [
        ("en", "curated", "English rendering (curated)", "英文译文（经校订）"),
        ("en", "machine", "English (machine translation)", "英文（机器翻译）"),
        ("zh", "curated", "Chinese rendering (curated)", "中文译文（经校订）"),
        ("zh", "machine", "Chinese (machine translation)", "中文（机器翻译）"),
    ],
)
def test_a_rendering_says_its_language_and_its_origin(language, origin, en, zh):
    rendering = Rendering(lang=language, abstract="x", origin=origin)
    source = MERAK.model_copy(update={"alternates": (rendering,)})
    assert f"<summary>{en}</summary>" in join(renderings(source, "en"))
    assert f"<summary>{zh}</summary>" in join(renderings(source, "zh"))


def test_a_rendering_is_closed_marked_as_no_quote_and_tells_its_note():
    [page] = renderings(BREADTH, "en")
    assert page.startswith('<details class="rendering en"><summary>')
    assert "For reading only: quotes come from the source text." in page
    assert "Note: The source does not say on how many devices." in page
    [page] = renderings(BREADTH, "zh")
    assert "仅供阅读：引文只取自原文。" in page
    assert '<p class="text" lang="en">This paper proposes' in page


def test_the_one_in_the_language_of_the_page_is_first():
    both = tuple(Rendering(lang=lang, abstract=lang, origin="machine") for lang in ("en", "zh"))
    source = MERAK.model_copy(update={"alternates": both})
    assert ">zh</p>" in renderings(source, "zh")[0]
    assert ">en</p>" in renderings(source, "en")[0]


def test_a_paper_without_renderings_has_none():
    assert renderings(MERAK, "en") == []


def test_no_quote_is_ever_marked_in_a_rendering():
    # A quote whose place in the source is also one in the rendering.
    exchange = Exchange(number=1, question="q", hits=HITS, claims=CLAIMS_EN)
    page = cards(exchange, "en")
    assert "<mark" in page
    parts = page.split('<details class="rendering en">')[1:]
    assert len(parts) == 2
    assert not any("<mark" in part.split("</details>")[0] for part in parts)
