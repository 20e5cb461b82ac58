"""The listing of the seeds: plain text, three or four lines for each paper.

    Breadth-First Pipeline Parallelism
    ServiceNow Research(ServiceNow研究院);NVIDIA
    本文提出广度优先流水线并行训练调度方法……
    2023-07-06 cs.AI cs.CL cs.DC

Title, affiliations (may be absent), text (may run over several lines), date and categories. The
date line ends an entry; blank lines do not matter, except to tell where an entry that lost its
date line gives way to the next.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import ValidationError

from paraqa.events import Rejected
from paraqa.types import Affiliation, Paper, Source, clean

# Only the ends that editors count: `str.splitlines` also cuts at form feeds and U+2028.
_LINE_END = re.compile(r"\r\n|\n|\r")
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_CJK_EDGE = re.compile(r"[\u3000-\u9fff\uf900-\ufaff\uff00-\uffef]")
# Full-width punctuation is written as escapes here: on most screens it looks like its ASCII twin.
_COMMAS, _SEMICOLONS = ",\uff0c\u3001", ";\uff1b"
_OPEN, _CLOSE = "(\uff08", ")\uff09"
_STOPS = ".!?\u3002\uff01\uff1f\u2026"
_SENTENCE_END = re.compile(rf"[{_STOPS}][\"'\u201d\u2019\u300d\u300f{_CLOSE}]*$")
_SEPARATORS = re.compile(rf"[\s{_COMMAS}{_SEMICOLONS}]+")
# A category is any short word that does not end a sentence, so that a line of text which begins
# with a date is not taken for a date line.
_DATE = re.compile(
    r"(\d{4})[-/.\u5e74](\d{1,2})[-/.\u6708](\d{1,2})\u65e5?"  # also 2025年7月4日
    rf"((?:[\s{_COMMAS}{_SEMICOLONS}]+"
    rf"[^\s{_COMMAS}{_SEMICOLONS}]{{0,31}}[^\s{_COMMAS}{_SEMICOLONS}{_STOPS}:\uff1a])*)"
)
_LONGEST_TITLE = 300
_LONGEST_NAME = 150
_LONGEST_HAN_NAME = 40
_LONGEST_QUOTE = 60  # of a title in a message
_INSTITUTION = re.compile(
    rf"[^{_COMMAS}{_STOPS}:\uff1a]*(?:大学|学院|院|所|实验室|公司|中心|集团|学校|分校|医院)"
)
# Words of an institution's name that are written small.
_SMALL = frozenset(
    {"of", "the", "and", "at", "for", "in", "on", "a", "de", "di", "da", "do", "del", "della"}
    | {"der", "des", "du", "la", "le", "les", "et", "und", "für", "y", "e"}
)


@dataclass(frozen=True)
class _Line:
    number: int
    text: str
    is_after_blank: bool


class Listing:
    """The format of the seeds."""

    name = "listing"

    def sniff(self, path: str, head: str) -> float:
        """How sure it is: certain once a date line with categories is seen."""
        matches = [m for line in _LINE_END.split(head) if (m := _DATE.fullmatch(clean(line)))]
        if any(m[4] for m in matches):
            return 0.9
        return 0.4 if matches else 0.0

    def parse(self, text: str, path: str) -> Iterator[Paper | Rejected]:
        """The entries, in order."""
        lines: list[_Line] = []
        is_after_blank = False
        for number, raw in enumerate(_LINE_END.split(text), start=1):
            line = clean(raw)
            if date := _DATE.fullmatch(line):
                yield from _entries(lines, date, Source(file=path, line=number))
                lines = []
            elif line:
                lines.append(_Line(number, line, is_after_blank))
            is_after_blank = not line
        yield from _undated(_cut(lines), path)


def _entries(lines: list[_Line], date: re.Match[str], at: Source) -> Iterator[Paper | Rejected]:
    """What stands between two date lines: one entry, unless some before it lost their date."""
    *lost, entry = _cut(lines) or [[]]
    yield from _undated(lost, at.file)
    if not entry:
        yield Rejected.because(at.file, at.line, "formats.no_title", line=date[0])
        return
    yield _paper(entry, date, at.file)


def _undated(entries: list[list[_Line]], path: str) -> Iterator[Rejected]:
    for entry in entries:
        title = _short(entry[0].text)
        yield Rejected.because(path, entry[0].number, "formats.no_date", title=title)


def _paper(entry: list[_Line], date: re.Match[str], path: str) -> Paper | Rejected:
    title, *body = (line.text for line in entry)
    line = entry[0].number
    try:
        day = datetime.date(int(date[1]), int(date[2]), int(date[3]))
    except ValueError:
        return Rejected.because(path, line, "formats.no_such_date", line=date[0])
    names = bool(body) and _is_affiliations(body[0], body[1] if len(body) > 1 else "")
    try:
        return Paper(
            title=title,
            affiliations=tuple(map(_affiliation, _parts(body[0]))) if names else (),
            abstract=_joined(body[1:] if names else body),
            date=day,
            categories=tuple(filter(None, _SEPARATORS.split(date[4]))),
            source=Source(file=path, line=line),
        )
    except ValidationError as error:
        problem = error.errors(include_input=False, include_url=False)[0]["msg"]
        return Rejected.because(
            path, line, "formats.invalid_entry", title=_short(title), problem=problem
        )


def _short(title: str) -> str:
    return title if len(title) <= _LONGEST_QUOTE else title[: _LONGEST_QUOTE - 1] + "…"


def _joined(lines: list[str]) -> str:
    """One text; no space where two lines of Chinese meet."""
    text = ""
    for line in lines:
        is_seamless = bool(text) and _CJK_EDGE.match(text[-1]) and _CJK_EDGE.match(line)
        text += line if is_seamless or not text else " " + line
    return text


def _cut(lines: list[_Line]) -> list[list[_Line]]:
    """The lines between two dates, cut where one entry lost its date line and the next begins."""
    # In a file with a blank line after every line, blank lines say nothing.
    is_spaced = all(line.is_after_blank for line in lines[1:])
    entries = [lines[:1]] if lines else []
    for before, line, after in zip(lines, lines[1:], lines[2:], strict=False):
        is_apart = line.is_after_blank and not is_spaced
        if (is_apart or _turns(before.text, line.text)) and _begins_entry(line.text, after.text):
            entries.append([])
        entries[-1].append(line)
    if len(lines) > 1:
        entries[-1].append(lines[-1])  # the last line has no text below it: never a title
    return entries


def _turns(before: str, line: str) -> bool:
    """Whether a Chinese text is over and a line without Chinese follows."""
    is_over = _HAN.search(before) is not None and _SENTENCE_END.search(before) is not None
    return is_over and not _HAN.search(line)


def _begins_entry(line: str, after: str) -> bool:
    """Whether a line in the middle can only be a title: short, no sentence, then a text."""
    if len(line) > _LONGEST_TITLE or line.endswith((".", "\u3002")) or _is_named_in_both(line):
        return False
    is_other_language = not _HAN.search(line) and _HAN.search(after) is not None
    return is_other_language or _is_named_in_both(after) or len(after) > 2 * len(line)


def _is_affiliations(line: str, after: str) -> bool:
    """Whether the line below a title names institutions rather than beginning the text."""
    if _is_named_in_both(line):
        return True
    # Without a Chinese name in brackets a line needs a text below it, and must look like names.
    return bool(after) and all(_is_name(part, after) for part in _parts(line))


def _is_named_in_both(line: str) -> bool:
    """Whether every part is a name and one at least is named in both languages."""
    parts = _parts(line)
    named = [_affiliation(part) for part in parts]
    are_names = all(
        len(a.en or "") <= _LONGEST_NAME
        and (not _HAN.search(_bracketed(part)[0]) or _is_institution(part))
        for a, part in zip(named, parts, strict=True)
    )
    return are_names and any(a.en and a.zh for a in named)


def _is_institution(part: str) -> bool:
    """Whether Chinese text ends as institutions do, and is no sentence."""
    outside, _ = _bracketed(part)
    return len(outside) <= _LONGEST_HAN_NAME and _INSTITUTION.fullmatch(outside) is not None


def _is_name(part: str, after: str) -> bool:
    if _HAN.search(part):
        return _is_institution(part)
    words = re.findall(r"[^\W\d_]+", part)
    if len(part) > _LONGEST_NAME or not words:
        return False
    if all(word[0].isupper() or word in _SMALL for word in words):
        return True
    # A name written small, such as deepset, is known by the Chinese text below it.
    return _HAN.search(after) is not None and not _SENTENCE_END.search(part)


def _parts(line: str) -> list[str]:
    """The institutions of a line: cut at `;` outside brackets, and at a comma after a bracket."""
    parts, depth, start = [], 0, 0
    for i, char in enumerate(line):
        if char in _OPEN:
            depth += 1
        elif char in _CLOSE:
            depth = max(depth - 1, 0)
        elif depth == 0 and (
            char in _SEMICOLONS or (char in _COMMAS and _ends_in_han(line[start:i]))
        ):
            parts.append(line[start:i])
            start = i + 1
    return [part for p in [*parts, line[start:]] if (part := p.strip())]


def _ends_in_han(part: str) -> bool:
    inside = _bracketed(part)[1]
    return inside is not None and _HAN.search(inside) is not None


def _bracketed(part: str) -> tuple[str, str | None]:
    """The part before the last bracket at its end, and what is inside (nested ones included)."""
    part, depth = part.strip(), 0
    if not part.endswith(tuple(_CLOSE)):
        return part, None
    for i in range(len(part) - 1, -1, -1):
        depth += (part[i] in _CLOSE) - (part[i] in _OPEN)
        if depth == 0:
            return part[:i].strip(), part[i + 1 : -1].strip()
    return part, None


def _affiliation(part: str) -> Affiliation:
    """`English(中文)`, or the other way round, or a name in one language."""
    outside, inside = _bracketed(part)
    is_han_outside = _HAN.search(outside) is not None
    is_han_inside = _HAN.search(inside or "") is not None
    if not outside or not inside or is_han_inside == is_han_outside:
        return Affiliation(zh=part) if _HAN.search(part) else Affiliation(en=part)
    return (
        Affiliation(en=inside, zh=outside) if is_han_outside else Affiliation(en=outside, zh=inside)
    )
