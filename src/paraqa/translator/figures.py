"""The figures of a text and of its rendering, compared exactly."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal

from paraqa import lang
from paraqa.lang.numerals import CHINESE_DIGITS, ENGLISH_DIGITS
from paraqa.types import Lang

Figure = tuple[Decimal, str]

_ESCAPED = re.compile(r"\\(?=[%$&_#])|\\(?:sim|approx|,)\s*")
_ITEM = re.compile(r"[(\uff08]?(?<![\w.,%-])\d{1,2}[)\uff09]", re.ASCII)
_OPENING, _BRACKETS = ("(", "\uff08"), "()\uff08\uff09"
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10,
}  # fmt: skip
_DOUBLE = "doubl|twice|翻倍|翻番|翻一番|加倍"
# Multiples that are told by a verb; 提高一倍 is to double.
_MULTIPLES = {
    1: _DOUBLE,
    2: _DOUBLE,
    3: "tripl|thrice",
    4: "quadrupl",
}
_OCCASIONS = re.compile("[次遍回轮]")  # 5次 is 5 times, which reads as a multiple


def differences(source: str, rendering: str, to: Lang) -> tuple[list[str], list[str]]:
    """The figures that a rendering lacks, as its language writes them, and those that it adds.

    A small count may be a word in one of the two, which the reader of figures takes for none.
    """
    source, rendering = _plain(source), _plain(rendering)
    wanted, written = _figures(source), _figures(rendering)
    own = wanted | _figures(lang.convert_quantities(source, to))
    missing = [f for f in wanted if f not in written and not _is_worded(f, rendering)]
    added = [f for f in written if f not in wanted and not _is_worded(f, source)]
    for counted in _occasions(missing, added, f"{source}\n{rendering}"):
        missing = [f for f in missing if f[0] != counted]
        added = [f for f in added if f[0] != counted]
    return [own[f] for f in missing], [written[f] for f in added]


def _figures(text: str) -> dict[Figure, str]:
    return {(q.value.normalize(), q.unit): q.text.strip() for q in lang.quantities(text)}


def _plain(text: str) -> str:
    """The text without what is no figure of it: numbers of a list, as in `1) … 2) …`.

    The backslashes of LaTeX go, too: they part a number from its unit.
    """
    pieces, done = [], 0
    for match in _ITEM.finditer(text):
        bracket = next((c for c in reversed(text[: match.start()]) if c in _BRACKETS), "")
        if bracket not in _OPENING:  # not `(at least 8)`
            pieces.append(text[done : match.start()])
            done = match.end()
    return _ESCAPED.sub("", " ".join([*pieces, text[done:]]))


def _is_worded(figure: Figure, text: str) -> bool:
    value, unit = figure
    if value != int(value):
        return False
    if unit == "x":
        pattern = _MULTIPLES.get(int(value))
        return bool(pattern and re.search(pattern, text, re.IGNORECASE))
    return unit == "" and any(_stands(form, text) for form in _words(int(value)))


def _words(value: int) -> Iterable[str]:
    """The words for a small number, in both languages."""
    tables: tuple[Mapping[str, int], ...] = (ENGLISH_DIGITS, _ORDINALS)
    for table in tables:
        yield from (word for word, number in table.items() if number == value)
    ten, rest = divmod(value, 10)
    if ten == 0 and value:
        yield from (CHINESE_DIGITS[value], *("两" if value == 2 else ""))
    elif ten == 1:
        yield "十" + (CHINESE_DIGITS[rest] if rest else "")


def _stands(word: str, text: str) -> bool:
    around = "A-Za-z" if word.isascii() else f"{CHINESE_DIGITS}十百千万亿"
    return re.search(f"(?i)(?<![{around}]){word}(?![{around}])", text) is not None


def _occasions(missing: list[Figure], added: list[Figure], text: str) -> list[Decimal]:
    """The values that one side has as a count and the other as `times`, where it is 次 in one."""
    pairs = {v for v, unit in missing if unit in ("", "x")} & {
        v for v, unit in added if unit in ("", "x")
    }
    return [v for v in pairs if re.search(rf"(?<!\d){v:f}\s*{_OCCASIONS.pattern}", text)]
