"""What the model is asked, and its answer without what models put around one.

The abstract stands alone in the prompt: with a title above it, a small model renders only that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from paraqa import lang
from paraqa.lang.text import say
from paraqa.types import clean

if TYPE_CHECKING:
    from llama_index.core.base.llms.types import ChatMessage

    from paraqa.translator.faults import Fault, Original

OVERHEAD = 250  # tokens of a prompt beside the abstract, at most

# What could end the fence around an abstract, or be read by a server as the end of a message.
_CONTROL = re.compile(
    r"</?\s*abstract\s*>|<\|[^<>|\n]{0,40}\|>|\[/?INST\]|</?s>|</?think(?:ing)?>", re.IGNORECASE
)
_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|$)", re.DOTALL | re.IGNORECASE)
_MARKDOWN = re.compile(r"\*\*|`+|^\s*#+\s+|^\s*>\s+", re.MULTILINE)
_LONGEST = 300  # characters of what a second prompt names


def messages(original: Original, before: Sequence[Fault]) -> list[ChatMessage]:
    """The prompt for one text; `before`: what was wrong with the last answer to it.

    Figures stand as the target language writes them: asked to convert, a model makes 520亿 into
    520 billion.
    """
    from llama_index.core.base.llms.types import ChatMessage, MessageRole

    to = original.to
    # Above the text: below it, a small model takes them for a part of it.
    demands = "".join("\n" + say(f.demand, to, what=f.what[:_LONGEST]) for f in before)
    text = lang.convert_quantities(_CONTROL.sub(" ", original.text), to)
    user = say("translate.user", to, text=text, demands=demands)
    return [
        ChatMessage(role=MessageRole.SYSTEM, content=say("translate.system", to).strip()),
        ChatMessage(role=MessageRole.USER, content=user.strip()),
    ]


def answered(raw: str) -> str:
    """The rendering in an answer: no thoughts, no fence, no markdown, no label before it."""
    text = _MARKDOWN.sub("", _CONTROL.sub(" ", _THOUGHT.sub("", raw))).strip()
    for code in lang.LANGS:
        text = re.sub(say("translate.label", code), "", text, flags=re.IGNORECASE)
    return clean(text)
