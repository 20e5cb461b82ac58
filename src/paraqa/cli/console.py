"""The terminal: what is printed, in which colour, and never what a terminal would obey."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from io import TextIOWrapper
from typing import TYPE_CHECKING, TextIO

from paraqa.lang.text import say

if TYPE_CHECKING:
    from pydantic import BaseModel

    from paraqa.types import Lang

# JSON escapes C0 itself; these it writes as they are, and U+009B is what ESC [ is to a terminal.
_UNSEEN = re.compile("[\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
_USER = re.compile(r"//[^/@\s]+@")
_STYLES = {"bold": "1", "dim": "2", "red": "31", "yellow": "33", "cyan": "36"}

Span = str | tuple[str, str]  # plain text, or text and its style


def plain(text: str) -> str:
    """The text on one line without control characters; the spaces around it stay."""
    from paraqa.types import clean

    inner = text.strip(" ")
    before, _, after = text.partition(inner) if inner else (text, "", "")
    return before + clean(inner) + after


def padded(text: str, width: int) -> str:
    """The text with spaces up to a width in columns, of which a Chinese character takes two."""
    columns = sum(1 + (unicodedata.east_asian_width(c) in "WF") for c in text)
    return text + " " * max(0, width - columns)


def without_secrets(address: str) -> str:
    """An address without the user and password that may stand in it."""
    return _USER.sub("//", address)


class Console:
    """Prints results on standard output, everything else on standard error."""

    def __init__(
        self,
        stdout: TextIO,
        stderr: TextIO,
        *,
        environ: Mapping[str, str],
        lang: Lang,
        quiet: bool,
    ) -> None:
        self.lang = lang
        self.quiet = quiet
        self.stdout = stdout
        self.stderr = stderr
        for stream in (stdout, stderr):
            if isinstance(stream, TextIOWrapper):
                # A locale without Chinese gets escapes rather than no answer.
                stream.reconfigure(errors="backslashreplace")
        self.is_terminal = stdout.isatty()
        self.shows_bars = stderr.isatty() and not quiet
        self._may_colour = not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"

    def text(self, key: str, **values: object) -> str:
        """The sentence `cli.key` in the language of the console."""
        return say(f"cli.{key}", self.lang, **values)

    def line(self, *spans: Span) -> None:
        """One line of the result."""
        self._write(self.stdout, spans)

    def note(self, text: str) -> None:
        """A line about what happens, unless quiet."""
        if not self.quiet:
            self._write(self.stderr, [(text, "dim")])

    def warn(self, text: str) -> None:
        """A line that matters even when quiet."""
        self._write(self.stderr, [text])

    def error(self, message: str, hint: str) -> None:
        """What went wrong, and what to do next."""
        self._write(self.stderr, [(self.text("error"), "red"), message])
        self._write(self.stderr, [(self.text("hint"), "yellow"), hint])

    def json(self, value: BaseModel | list[object]) -> None:
        """The one JSON document of a command."""
        from pydantic import TypeAdapter

        document = TypeAdapter(object).dump_python(value, mode="json")
        # A locale that cannot write Chinese still gets valid JSON.
        is_ascii = (self.stdout.encoding or "utf-8").lower().replace("-", "") != "utf8"
        text = json.dumps(document, ensure_ascii=is_ascii, indent=2)
        text = _UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
        self.stdout.write(text + "\n")

    def _write(self, stream: TextIO, spans: Iterable[Span]) -> None:
        may_colour = self._may_colour and stream.isatty()
        stream.write("".join(_painted(span, may_colour=may_colour) for span in spans) + "\n")
        stream.flush()


def _painted(span: Span, *, may_colour: bool) -> str:
    text, style = (span, "") if isinstance(span, str) else span
    shown = plain(text)
    if may_colour and style and shown:
        return f"\x1b[{_STYLES[style]}m{shown}\x1b[0m"
    return shown
