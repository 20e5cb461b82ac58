"""argparse's complaints in the reader's language.

argparse speaks English only. Its few sentences are recognised here and said anew; one that is not
recognised, from a later Python or from a type of ours (which speaks already), stays as it is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from paraqa.lang.text import say

if TYPE_CHECKING:
    from paraqa.types import Lang

_NAMED = re.compile(r"argument (?P<name>[^:]+): (?P<rest>.+)", re.DOTALL)
_COMPLAINTS = {
    "unrecognized": re.compile(r"unrecognized arguments: (?P<given>.+)", re.DOTALL),
    "required": re.compile(r"the following arguments are required: (?P<given>.+)", re.DOTALL),
    "choice": re.compile(
        r"invalid choice: (?P<given>.+) \(choose from (?P<choices>[^()]+)\)", re.DOTALL
    ),
    "one_expected": re.compile(r"expected one argument"),
    "none_expected": re.compile(r"ignored explicit argument (?P<given>.+)", re.DOTALL),
}


def complaint(message: str, lang: Lang) -> str:
    """The complaint in a language, on one line and without control characters."""
    from paraqa.cli.console import plain

    named = _NAMED.fullmatch(message)
    if named:
        rest = _said(named["rest"], lang)
        return plain(say("cli.usage_argument", lang, name=named["name"], complaint=rest))
    return plain(_said(message, lang))


def _said(message: str, lang: Lang) -> str:
    for name, pattern in _COMPLAINTS.items():
        found = pattern.fullmatch(message)
        if found:
            return say(f"cli.usage_{name}", lang, **found.groupdict())
    return message
