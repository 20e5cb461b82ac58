"""Numbers with their units, in both languages, exactly.

520亿 and 52 billion are one value; 7.6倍, 7.6x and 7.6 times are one value with the unit `x`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import NamedTuple

from paraqa.lang.numerals import CHINESE_DIGITS, ENGLISH_DIGITS, chinese_value, english_value


class Quantity(NamedTuple):
    """A number of a text: its value, its unit ("" for a bare count), and the slice it stands in."""

    value: Decimal
    unit: str
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Reading:
    """A quantity as it is written: `number_end` is where its number and scale end."""

    number: Decimal
    exponent: int | None  # of the scale word, None where there is none
    unit: str
    start: int
    number_end: int
    end: int
    joint: tuple[int, int] | None = None  # the slice of the word that makes a range with the next

    @property
    def value(self) -> Decimal:
        """The number with its scale."""
        return self.number * Decimal(10) ** (self.exponent or 0)


_SCALES = {
    "万亿": 12, "千亿": 11, "百亿": 10, "十亿": 9, "亿": 8, "千万": 7, "百万": 6, "十万": 5,
    "万": 4, "千": 3, "trillion": 12, "billion": 9, "million": 6, "thousand": 3, "hundred": 2,
}  # fmt: skip
_LETTERS = {"K": 3, "k": 3, "M": 6, "B": 9, "T": 12}
_UNITS = {
    "%": ("%", "％", "percent", "per cent", "个百分点", "百分点", "percentage points"),
    "x": ("x", "×", "times", "倍", "\\times", "fold"),
    "magnitude": ("orders of magnitude", "order of magnitude", "个数量级", "数量级"),
    "kb": ("KB", "KiB"), "mb": ("MB", "MiB"), "gb": ("GB", "GiB"), "tb": ("TB", "TiB"),
    "gbps": ("Gbps", "Gb/s"), "gb/s": ("GB/s",), "tb/s": ("TB/s",),
    "ns": ("ns", "纳秒"), "us": ("us", "μs", "µs", "微秒"), "ms": ("ms", "毫秒", "milliseconds"),
    "s": ("seconds", "second", "秒钟", "秒"), "min": ("minutes", "minute", "分钟"),
    "h": ("hours", "hour", "个小时", "小时"), "day": ("days", "day", "天"),
    "w": ("watts", "watt", "瓦"), "kwh": ("kWh", "千瓦时"),
    "gflop/s": ("GFLOP/s", "GFLOPS", "gigaFLOP/s"), "tflop/s": ("TFLOP/s", "TFLOPS", "teraFLOP/s"),
    "pflop/s": ("PFLOP/s", "PFLOPS", "petaFLOP/s", "petaFLOPS"),
}  # fmt: skip
_UNIT_OF = {form.casefold(): unit for unit, forms in _UNITS.items() for form in forms}


def _one_of(forms: Iterable[str]) -> str:
    """The forms as a pattern, longest first; a Latin one ends where its word ends."""
    ends = "(?![A-Za-z0-9])"
    return "|".join(
        re.escape(form) + (ends if re.match(r"[A-Za-z×]", form[-1]) else "")
        for form in sorted(forms, key=len, reverse=True)
    )


_DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?"
_HAN_DIGITS = f"[{CHINESE_DIGITS}十][{CHINESE_DIGITS}十百千]*(?:点[{CHINESE_DIGITS}]+)?"
_WORDS = "|".join(ENGLISH_DIGITS)
# Before digits stands no letter (A100), no point and no power.
_NUMBER = re.compile(
    rf"""
    (?P<share>百分之)?
    (?: (?<![A-Za-z0-9.^_]) (?P<digits>{_DIGITS}) (?![\d^])
      | (?<![几数第{CHINESE_DIGITS}十百千万亿]) (?P<han>{_HAN_DIGITS})
      | (?<![A-Za-z]) (?P<word>(?i:{_WORDS})) (?![A-Za-z]) )
    (?: [ \-]? (?!千(?:瓦|米|克|字节)) (?P<scale>(?i:{_one_of(_SCALES)}))
      | (?P<letter>{_one_of(_LETTERS)}) )?
    (?P<rest> \+? [ \-]{{0,2}} \$? [ ]? (?P<unit>(?i:{_one_of(_UNIT_OF)})) )?
    """,
    re.VERBOSE,
)
_NO_QUANTITY = re.compile(r"(?<!\d)\d{4}-\d{1,2}-\d{1,2}(?!\d)|\[P?\d+\]")  # dates, markers
_NAME_GOES_ON = re.compile("[A-Za-z]|-[A-Za-z](?![A-Za-z])")  # 3D, 1F1B, 2nd, 2-D; not 8-GPU
_RANGE = re.compile(r"\s?(?:-|–|~|～|到|至|to)\s?", re.IGNORECASE)
_PAIR = re.compile(r"\s?(?:and|与|和)\s?", re.IGNORECASE)
_LARGEST_PAIRED = 1000  # `1.2 and 1.6 billion` is a pair; `2022 and 1.6 billion` is not


def quantities(text: str) -> list[Quantity]:
    """The quantities of a text, in order.

    Digits inside names (A100, ResNet-50, 3D), dates and citation markers are none. The first
    number of a range takes scale and unit of the second where it has none: 12-16亿 is 1.2 and
    1.6 billion.
    """
    return [
        Quantity(r.value, r.unit, text[r.start : r.end], r.start, r.end) for r in readings(text)
    ]


def readings(text: str) -> list[Reading]:
    """The quantities of a text as they are written, ranges resolved."""
    found = list(_single(text))
    for place in range(len(found) - 2, -1, -1):
        found[place] = _in_range(text, found[place], found[place + 1])
    return found


def _single(text: str) -> Iterator[Reading]:
    barred = [match.span() for match in _NO_QUANTITY.finditer(text)]
    last_end = 0
    for match in _NUMBER.finditer(text):
        start = match.start()
        if any(a <= start < b for a, b in barred):
            continue
        # ResNet-50 is a name, 500 GB-650 GB a range.
        if start - 1 != last_end and re.search("[A-Za-z]-$", text[max(0, start - 2) : start]):
            continue
        reading = _read(match)
        if reading:
            last_end = reading.end
            yield reading


def _read(match: re.Match[str]) -> Reading | None:
    exponent = _exponent(match)
    unit = "%" if match["share"] else _UNIT_OF.get((match["unit"] or "").casefold(), "")
    is_bare = exponent is None and not unit
    if match["digits"]:
        if is_bare and _NAME_GOES_ON.match(match.string, match.end()):
            return None
        number = Decimal(match["digits"].replace(",", ""))
    elif match["han"]:
        if is_bare and not re.search("[十百千]", match["han"][1:]):
            return None  # 一种, 三个
        number = chinese_value(match["han"])
    elif is_bare:
        return None  # one, a pair of words
    else:
        number = english_value(match["word"])
    number_end = match.start("rest") if match["rest"] else match.end()
    return Reading(number, exponent, unit, match.start(), number_end, match.end())


def _exponent(match: re.Match[str]) -> int | None:
    if match["letter"]:
        return _LETTERS[match["letter"]]
    return _SCALES[match["scale"].casefold()] if match["scale"] else None


def _in_range(text: str, first: Reading, second: Reading) -> Reading:
    between = text[first.end : second.start]
    is_pair = _PAIR.fullmatch(between) and first.value < _LARGEST_PAIRED
    if not is_pair and not _RANGE.fullmatch(between):
        return first
    first = replace(first, joint=(first.end, second.start))
    if first.unit and first.unit != second.unit:
        return first
    is_bare = first.exponent is None and not first.unit
    return replace(
        first,
        unit=second.unit,
        exponent=second.exponent if is_bare else first.exponent,
    )
