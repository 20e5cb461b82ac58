"""Every sentence and prompt that a person or a model reads, in both languages.

The tables lie beside this file, one per area: `store.toml` holds the pairs `store.KEY`. A pair is

    [busy]
    en = "Another process has the store {path!r} open."
    zh = "另一个进程正在使用存储目录 {path!r}。"
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paraqa.types import Lang


@cache
def pairs(area: str) -> dict[str, dict[str, str]]:
    """The sentence pairs of one area by key."""
    table = files(__package__).joinpath(area + ".toml").read_text(encoding="utf-8")
    return tomllib.loads(table)


def say(key: str, lang: Lang, **values: object) -> str:
    """The sentence `area.name` in a language, filled with values (which are never parsed)."""
    area, name = key.split(".", 1)
    return pairs(area)[name][lang].format(**values)


def areas() -> list[str]:
    """Names of all areas."""
    names = (entry.name for entry in files(__package__).iterdir())
    return sorted(n.removesuffix(".toml") for n in names if n.endswith(".toml"))
