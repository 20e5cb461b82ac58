import pytest

from conversations import HITS, MERAK
from paraqa.types import Match
from paraqa.ui.reasons import reasons
from scripted_library import hit


@pytest.mark.parametrize(
    ("why", "en", "zh"),
    [
        ("question", "in the question", "问题原词"),
        ("glossary", "from the glossary", "来自术语表"),
        ("bridge", "related term", "相关词"),
        ("spelling", "corrected spelling", "拼写更正"),
    ],
)
def test_a_term_has_the_shape_and_the_tooltip_of_its_origin_and_says_it_in_words(why, en, zh):
    found = hit(1, MERAK, matches=(Match(term="流水线", why=why),))
    for lang, origin in (("en", en), ("zh", zh)):
        page = reasons(found, lang)
        assert f'<span class="term by-{why}" title="{origin}">流水线</span>' in page
        colon = {"en": ": ", "zh": "："}[lang]
        assert f"<li>{origin}{colon}流水线</li>" in page


def test_terms_of_one_origin_are_told_together():
    matches = (
        Match(term="pipeline", why="question"),
        Match(term="流水线", why="glossary"),
        Match(term="bubble", why="question"),
    )
    page = reasons(hit(1, MERAK, matches=matches), "en")
    assert "<li>in the question: pipeline, bubble</li><li>from the glossary: 流水线</li>" in page


def test_the_places_in_the_rankings_are_told():
    assert "<li>place by meaning 1, words 2</li>" in reasons(HITS[0], "en")
    assert "<li>各项名次：语义 1、词语 2</li>" in reasons(HITS[0], "zh")


def test_a_ranking_without_a_word_for_it_has_its_own_name():
    found = HITS[0].model_copy(update={"ranks": {"title": 1, "later": 4}})
    assert "place by title 1, later 4" in reasons(found, "en")


def test_of_many_terms_some_are_shown_and_all_are_told():
    matches = tuple(Match(term=f"term{number}", why="question") for number in range(9))
    summary, told = reasons(hit(1, MERAK, matches=matches), "en").split("</summary>")
    assert summary.count('class="term by-question"') == 6
    assert ">+3<" in summary
    assert "term8" in told


def test_a_paper_without_shared_words_was_found_by_meaning():
    page = reasons(hit(1, MERAK), "en")
    assert "by meaning, without shared words" in page
    assert "place by meaning 1" in page


def test_where_nothing_is_known_there_is_no_line():
    assert reasons(hit(1, MERAK).model_copy(update={"ranks": {}}), "en") is None
