"""Numbers as words: read from both languages, and written in both, exactly."""

from __future__ import annotations

from decimal import Decimal

CHINESE_DIGITS = "零一二三四五六七八九两〇"
_CHINESE = dict(zip(CHINESE_DIGITS, (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 2, 0), strict=True))
_CHINESE_POWERS = {"十": 10, "百": 100, "千": 1000}
ENGLISH_DIGITS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
_ENGLISH_NAMES = {value: word for word, value in ENGLISH_DIGITS.items()}
_ENGLISH_SCALES = ((12, "trillion"), (9, "billion"), (6, "million"))
_CHINESE_SCALES = ((12, "万亿"), (8, "亿"), (4, "万"))


def chinese_value(numeral: str) -> Decimal:
    """The value of a Chinese numeral below ten thousand: 四十三, 一百二, 三点五."""
    whole, _, fraction = numeral.partition("点")
    if fraction:
        digits = "".join(str(_CHINESE[c]) for c in fraction)
        return chinese_value(whole) + Decimal(f"0.{digits}")
    if not any(c in _CHINESE_POWERS for c in whole):
        return Decimal("".join(str(_CHINESE[c]) for c in whole))
    total, digit, power = 0, None, 1
    for character in whole:
        if character in _CHINESE_POWERS:
            power = _CHINESE_POWERS[character]
            total += (1 if digit is None else digit) * power
            digit, power = None, power // 10
        else:
            digit = _CHINESE[character]
            power = 1 if digit == 0 else power
    return Decimal(total + (digit or 0) * power)


def english_value(word: str) -> Decimal:
    """The value of an English number word up to twelve."""
    return Decimal(ENGLISH_DIGITS[word.casefold()])


def in_english(value: Decimal) -> str:
    """The number as English writes it: 52 billion, 35,000, 1.5."""
    for exponent, name in _ENGLISH_SCALES:
        if value >= Decimal(10) ** exponent:
            return f"{_plain(value.scaleb(-exponent))} {name}"
    return _plain(value)


def in_english_words(value: Decimal) -> str:
    """A small whole number as a word, any other in digits."""
    return _ENGLISH_NAMES.get(int(value), "") if value in _ENGLISH_NAMES else in_english(value)


def in_chinese(value: Decimal) -> str:
    """The number as Chinese writes it: 520亿, 3.5万, 1.5."""
    for exponent, name in _CHINESE_SCALES:
        if value >= Decimal(10) ** exponent:
            return _plain(value.scaleb(-exponent), separator="") + name
    return _plain(value, separator="")


def _plain(value: Decimal, separator: str = ",") -> str:
    text = f"{value:{separator}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
