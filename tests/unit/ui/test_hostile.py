"""Text of papers, models and readers reaches the page as text, in every place that shows any."""

from html.parser import HTMLParser
from pathlib import Path

import pytest

from conversations import ATTACK, HOSTILE, WICKED_CLAIM, WICKED_HITS, wicked
from paraqa.errors import ParaqaError
from paraqa.events import Delta, Retrieved
from paraqa.ui import cards, frame, transcript
from paraqa.ui.exchange import Exchange
from scripted_library import abstained, query

TAGS = {
    "a", "article", "code", "details", "div", "footer", "h1", "h2", "h3", "header", "li", "mark",
    "ol", "p", "section", "span", "summary", "time", "ul",
}  # fmt: skip
LINKS = ("#t1", "https://doi.org/10.", "https://arxiv.org/abs/")


class Walk(HTMLParser):
    """Notes every element that is not the page's own."""

    def __init__(self, page):
        super().__init__()
        self.foreign = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        if tag not in TAGS:
            self.foreign.append(tag)
        for name, value in attrs:
            if name.startswith("on") or name in {"src", "style", "srcset", "action"}:
                self.foreign.append(name)
            if name == "href" and not value.startswith(LINKS):
                self.foreign.append(value)


def finished():
    exchange = Exchange(number=1, question=HOSTILE)
    for event in wicked():
        exchange = exchange.after(event)
    return exchange


def states():
    done = finished()
    yield done
    yield done.failed(ParaqaError("store.not_found", path=ATTACK))
    yield done.stopped()
    found = Exchange(number=1, question=HOSTILE).after(Retrieved(hits=WICKED_HITS))
    yield found.after(Delta(number=1, text=ATTACK))
    yield found.after(abstained(query(HOSTILE), WICKED_HITS, ATTACK))


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("exchange", list(states()), ids=lambda e: e.state)
def test_hostile_text_makes_no_element_attribute_or_link(lang, exchange):
    for page in (
        transcript.transcript([exchange], lang),
        cards.evidence(exchange, lang),
        cards.earlier_evidence([exchange], lang),
        transcript.error_note(ATTACK, f"`{ATTACK}`"),
        frame.welcome(lang, 0, Path(ATTACK)),
    ):
        assert Walk(page).foreign == []
        assert "<script" not in page


def test_hostile_text_is_shown_as_it_is():
    page = transcript.exchange_markup(finished(), "en")
    assert "&lt;script&gt;" in page
    assert WICKED_CLAIM.text.count("[7]") == page.count("[7]") == 1


def test_the_walk_sees_what_it_is_meant_to_see():
    assert Walk('<img src=x onerror=y><a href="javascript:x">').foreign == [
        "img", "src", "onerror", "javascript:x",
    ]  # fmt: skip
