"""The one place where text becomes HTML.

`element` escapes every child and every attribute that is not `Markup`, and `Markup` comes from
`element` only: text of a paper, a model or a reader cannot reach the page as anything but text.
"""

from __future__ import annotations

import html
from collections.abc import Iterable

_VOID = frozenset({"br", "hr"})


class Markup(str):
    """HTML that `element` wrote; any other string is text."""

    __slots__ = ()


def element(name: str, *children: str | None, **attributes: str | int | bool | None) -> Markup:
    """An HTML element; children and attributes that are None or False are left out.

    A trailing underscore of an attribute is dropped (`class_`), others become hyphens.
    """
    written = "".join(
        _attribute(key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items()
    )
    if name in _VOID:
        return Markup(f"<{name}{written}>")
    return Markup(f"<{name}{written}>{join(children)}</{name}>")


def join(children: Iterable[str | None]) -> Markup:
    """The children one after the other, escaped unless they are `Markup`."""
    return Markup("".join(_child(child) for child in children if child is not None))


def prose(text: str) -> Markup:
    """A sentence of the page's own, in which `…` is code."""
    pieces = text.split("`")
    return join(element("code", p) if n % 2 else p for n, p in enumerate(pieces))


def _child(child: str) -> str:
    return child if isinstance(child, Markup) else html.escape(child, quote=True)


def _attribute(key: str, value: object) -> str:
    if value is None or value is False:
        return ""
    if value is True:
        return f" {key}"
    return f' {key}="{html.escape(str(value), quote=True)}"'
