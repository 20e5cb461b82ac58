import pytest

from conversations import BREADTH, CLAIMS_EN, HITS, MERAK, PLAIN, english
from paraqa.ui.cards import cards, earlier_evidence, evidence, excerpt
from paraqa.ui.exchange import Exchange
from scripted_library import hit, paper


def answered(number=1):
    exchange = Exchange(number=number, question="q")
    for event in english():
        exchange = exchange.after(event)
    return exchange


def found(*hits):
    return Exchange(number=2, question="q", hits=hits)


def test_a_card_is_named_by_question_and_number():
    page = cards(found(*HITS), "en")
    assert [f'id="t2-{n}"' in page for n in range(1, 7)] == [True] * 5 + [False]


def test_the_quote_is_marked_inside_its_passage():
    page = cards(answered(), "en")
    assert f"<mark>{CLAIMS_EN[1].citations[0].quote}</mark>。" in page


def test_overlapping_quotes_are_marked_once():
    exchange = answered()
    one = CLAIMS_EN[0].citations[0]
    other = one.model_copy(update={"start": one.start + 3, "end": one.end + 1})
    claim = CLAIMS_EN[0].model_copy(update={"citations": (one, other)})
    page = cards(exchange.__class__(number=1, question="q", hits=HITS, claims=(claim,)), "en")
    text = page.replace("<mark>", "").replace("</mark>", "")
    assert BREADTH.abstract in text


def test_a_quote_of_the_title_is_marked_in_the_title():
    title = (
        CLAIMS_EN[0]
        .citations[0]
        .model_copy(update={"start": 0, "end": len("Breadth-First"), "quote": "Breadth-First"})
    )
    claim = CLAIMS_EN[0].model_copy(update={"citations": (title,)})
    page = cards(Exchange(number=1, question="q", hits=HITS, claims=(claim,)), "en")
    assert "<mark>Breadth-First</mark> Pipeline Parallelism" in page


@pytest.mark.parametrize(
    ("lang", "name"), [("en", "ServiceNow Research"), ("zh", "ServiceNow研究院")]
)
def test_an_institution_is_named_in_the_language_of_the_page(lang, name):
    assert f'<span class="where">{name}</span>' in cards(found(HITS[0]), lang)


def test_an_entry_without_date_place_or_abstract_says_so():
    page = cards(found(hit(1, PLAIN)), "en")
    for words in ("affiliation not stated", "no date", "This entry has no abstract."):
        assert words in page


def test_the_excerpt_is_the_best_passages_in_the_order_of_the_text():
    one, two, three = "第一句在这里。", "第二句在这里。", "第三句在这里。"
    source = paper("T", one + two + three)
    assert excerpt(hit(1, source, three, one), ()) == [(2, 9), (16, 23)]
    assert excerpt(hit(1, source, three, two), ()) == [(9, 23)]


def test_an_excerpt_grows_to_hold_what_was_quoted():
    source = paper("T", "第一句在这里。第二句在这里。")
    assert excerpt(hit(1, source, "第一句在这里。"), [(9, 13)]) == [(2, 13)]


def test_an_entry_without_passages_is_shown_from_its_beginning():
    source = paper("T", "很" * 1000)
    [(start, end)] = excerpt(hit(1, source), ())
    assert start == 2
    assert 200 < end < 400


def test_a_gap_in_the_excerpt_is_shown_and_the_whole_abstract_is_at_hand():
    page = cards(found(HITS[2]), "en")
    assert "… 它使用了几种技术" in page
    assert f'<p lang="zh">{MERAK.abstract}</p></details>' in page


def test_a_short_abstract_is_not_shown_twice():
    assert 'class="whole"' not in cards(found(HITS[0]), "en")


def test_identifiers_are_links_only_when_they_look_like_one():
    good = paper("A", "x", doi="10.1145/1234.5678", arxiv_id="2306.10209", url="https://a.example/")
    page = cards(found(hit(1, good)), "en")
    assert 'href="https://doi.org/10.1145/1234.5678"' in page
    assert 'href="https://arxiv.org/abs/2306.10209"' in page
    assert 'href="https://a.example' not in page
    bad = paper("A", "x", doi="10.1/../../evil?x", arxiv_id="javascript:1")
    assert "href" not in cards(found(hit(1, bad)), "en")


def test_a_cited_card_leads_back_to_its_sentence():
    page = cards(answered(), "en")
    assert 'href="#t1-s2"' in page
    assert page.count('class="card cited"') == 3


def test_what_the_evidence_stands_on_is_above_the_cards():
    page = evidence(answered(), "en")
    assert page.index("12 of 54 papers match") < page.index('class="cards"')


def test_where_nothing_was_found_there_are_no_cards():
    page = evidence(found(), "en")
    assert "No paper matches" in page
    assert "<ol" not in page


def test_the_rendering_stands_below_the_source_and_above_the_reasons():
    page = cards(found(HITS[0]), "en")
    places = [
        page.index(part) for part in (BREADTH.abstract, 'class="rendering en"', 'class="why"')
    ]
    assert places == sorted(places)


def test_earlier_evidence_is_closed_and_keeps_its_numbers():
    page = earlier_evidence([answered(1), answered(2)], "en")
    assert page.count('<details class="earlier">') == 2
    assert 'id="t1-3"' in page
    assert 'id="t2-3"' in page
    assert earlier_evidence([], "en") == ""


def test_the_evidence_of_the_next_question_is_another_element():
    one, two = evidence(answered(1), "en"), evidence(answered(2), "en")
    assert one.split()[0] != two.split()[0]
