"""The prompt for one paper: its title and the sentences of it that bear most on the question."""

from __future__ import annotations

import re

from llama_index.core.base.llms.types import ChatMessage, MessageRole

from paraqa import lang
from paraqa.evidence import (
    asks_for_figures,
    asks_for_origin,
    asks_to_compare,
    origin,
    proposes,
    ranked,
)
from paraqa.lang.text import say
from paraqa.types import Hit, Lang, Passage, Query

# What could end the fence around a paper, or be read by a server as the end of a message.
_CONTROL = re.compile(r"</?\s*paper\s*>|<\|[^<>|\n]{0,40}\|>|\[/?INST\]|</?s>", re.IGNORECASE)

_DIRECT = 4  # sentences of a paper that a direct question sees


def messages(query: Query, hit: Hit, limit: int) -> list[ChatMessage]:
    """The system's part, which is always the same, and the reader's, with the paper as material.

    Only a direct question is in it. A list, or a comparison, is one sentence on each paper: asked
    which paper does a thing, a small model says it of any.
    """
    is_direct = query.kind != "list" and not asks_to_compare(query)
    return _about(query, hit, limit, key="prompt.answer" if is_direct else "prompt.list")


def opinion(query: Query, hit: Hit, limit: int) -> list[ChatMessage]:
    """The same, asking only whether the paper states the answer."""
    return _about(query, hit, limit, key="prompt.stated")


def _about(query: Query, hit: Hit, limit: int, *, key: str) -> list[ChatMessage]:
    user = say(
        key,
        query.lang,
        paper=excerpt(query, hit, limit),
        question=_plain(query.standalone),
    )
    return [
        ChatMessage(role=MessageRole.SYSTEM, content=say("prompt.system", query.lang).strip()),
        ChatMessage(role=MessageRole.USER, content=user.strip()),
    ]


def excerpt(query: Query, hit: Hit, limit: int) -> str:
    """Title and sentences in the paper's order, with figures as the answer's language writes them.

    Converting is not left to the model: asked to, it makes 520亿 into 520 billion.
    """
    kept: list[Passage] = []
    length = 0
    for passage in _wanted(query, hit):
        text = _own_figures(passage.text, query.lang)
        if kept and length + len(text) > limit:
            continue
        kept.append(passage)
        length += len(text)
    kept.sort(key=lambda p: p.start)
    body = "".join(_own_figures(p.text, query.lang) + _gap(p.text) for p in kept)
    head = [_own_figures(hit.paper.title, query.lang)]
    if asks_for_origin(query):
        head.append(_plain(origin(hit.paper, query.lang)))
    return "\n".join(head if kept[0].is_whole else [*head, body[:limit].strip()])


def _wanted(query: Query, hit: Hit) -> list[Passage]:
    best = ranked(query, hit)
    proposal = next((p for p in best if proposes(p.text)), best[0])
    first = [best[0], proposal]
    if query.kind == "list" or asks_for_figures(query):
        first += [p for p in best if lang.quantities(p.text)][:2]
    # A direct question is answered by a sentence or two; more cost seconds and distract.
    most = _DIRECT if query.kind != "list" else len(best)
    return list(dict.fromkeys(first + best))[:most]


def _own_figures(text: str, language: Lang) -> str:
    return lang.convert_quantities(_plain(text), language)


def _plain(text: str) -> str:
    return _CONTROL.sub(" ", text)


def _gap(text: str) -> str:
    return " " if text[-1:].isascii() else ""
