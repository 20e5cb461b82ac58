"""Columns of text for a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from paraqa.types import clean

WIDEST = 160  # columns that a table may take before it is cut into several

_GAP = "  "


def grid(rows: Sequence[Sequence[str]]) -> str:
    """The rows as lines, the first column to the left, the others to the right under their heads.

    What is too wide goes on below, each part with the first column before it.
    """
    cells = [[clean(cell) for cell in row] for row in rows]
    widths = [max(map(width, column)) for column in zip(*cells, strict=True)]
    return "\n\n".join(_lines(cells, widths, part) for part in _parts(widths))


def width(text: str) -> int:
    """Columns on a terminal, where a Chinese character takes two and a combining mark none."""
    shown = (c for c in text if not unicodedata.combining(c))
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in shown)


def _parts(widths: Sequence[int]) -> list[list[int]]:
    """The columns of each part, without the first one."""
    parts: list[list[int]] = [[]]
    used = widths[0]
    for column, own in enumerate(widths[1:], start=1):
        if parts[-1] and used + len(_GAP) + own > WIDEST:
            parts.append([])
            used = widths[0]
        parts[-1].append(column)
        used += len(_GAP) + own
    return parts


def _lines(cells: Sequence[Sequence[str]], widths: Sequence[int], part: Sequence[int]) -> str:
    lines = []
    for row in cells:
        first = row[0] + " " * (widths[0] - width(row[0]))
        others = [" " * (widths[i] - width(row[i])) + row[i] for i in part]
        lines.append(_GAP.join([first, *others]).rstrip())
    return "\n".join(lines)
