"""The packages that paraqa was made with, beside those that are installed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import metadata

_PINNED = re.compile(r"(?P<name>[\w.-]+)==(?P<version>[^\s;]+)(?P<condition>.*)")
_LOCAL = re.compile(r"extra\s*==\s*['\"]local['\"]")


@dataclass(frozen=True)
class Package:
    """A package with the version that is wanted and the one that is there, None for none."""

    name: str
    wanted: str
    found: str | None

    @property
    def is_right(self) -> bool:
        """Whether it is there in the version that is wanted."""
        return self.found == self.wanted


def requirements() -> list[str] | None:
    """The requirements of the installed distribution; None where paraqa runs from its source."""
    try:
        return metadata.requires("paraqa") or []
    except metadata.PackageNotFoundError:
        return None


def needed(requirements: list[str]) -> list[Package]:
    """The packages that every installation needs."""
    return [p for p, condition in _pinned(requirements) if "extra" not in condition]


def local(requirements: list[str]) -> list[Package]:
    """The packages of the extra `local`: the local model's parts and what runs it."""
    return [p for p, condition in _pinned(requirements) if _LOCAL.search(condition)]


def _pinned(requirements: list[str]) -> list[tuple[Package, str]]:
    found = (_PINNED.fullmatch(requirement) for requirement in requirements)
    return [
        (Package(match["name"], match["version"], _installed(match["name"])), match["condition"])
        for match in found
        if match
    ]


def _installed(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
