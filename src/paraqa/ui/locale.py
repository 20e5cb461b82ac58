"""The language a browser asks for."""

from __future__ import annotations

from paraqa.lang import LANGS
from paraqa.types import Lang


def preferred_language(accepted: str) -> Lang:
    """The first language of an Accept-Language header that the page speaks; else the first of all.

    >>> preferred_language("fr-FR, zh-CN;q=0.9, en;q=0.8")
    'zh'
    """
    weighted = [_weighted(part) for part in accepted.split(",")]
    for _, tag in sorted(weighted, key=lambda pair: -pair[0]):
        for lang in LANGS:
            if tag == lang or tag.startswith(lang + "-"):
                return lang
    return LANGS[0]


def _weighted(part: str) -> tuple[float, str]:
    tag, _, weight = part.strip().casefold().partition(";q=")
    try:
        return (float(weight) if weight else 1.0), tag
    except ValueError:
        return 0.0, tag
