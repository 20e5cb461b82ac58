"""The command line: `paraqa COMMAND …`.

Exit codes: 0 done (an abstained answer is done), 1 an error with a hint on standard error, 2 usage,
130 stopped with Ctrl-C, 141 the reader of a pipe went away.
"""

from __future__ import annotations

import os
import sys
import traceback
from importlib import import_module
from typing import TYPE_CHECKING, TextIO

from paraqa.cli import parser
from paraqa.cli.console import Console
from paraqa.cli.session import Outside, Session
from paraqa.lang import preferred

if TYPE_CHECKING:
    from collections.abc import Sequence

DONE, FAILED, STOPPED, UNREAD = 0, 1, 130, 141

# Imported when chosen, so that help and version never wait for what a command needs.
_COMMANDS = {
    "ask": ("ask", "run"),
    "chat": ("serve", "chat"),
    "doctor": ("doctor", "run"),
    "eval": ("evaluate", "run"),
    "ingest": ("ingest", "run"),
    "papers": ("papers", "run"),
    "search": ("search", "run"),
    "serve": ("serve", "serve"),
    "settings": ("knobs", "run"),
    "similar": ("similar", "run"),
    "translate": ("translate", "run"),
}


def main(argv: Sequence[str] | None = None, outside: Outside | None = None) -> int:
    """The exit code of one command; `outside` replaces what lies around it, for tests."""
    outside = outside or Outside()
    lang = preferred(outside.environ)
    try:
        options = parser.build(lang).parse_args(argv)
    except SystemExit as exit_:  # help and version end with 0, a mistake in usage with 2
        return exit_.code if isinstance(exit_.code, int) else FAILED
    console = Console(
        outside.stdout, outside.stderr, environ=outside.environ, lang=lang, quiet=options.quiet
    )
    try:
        code = _command(Session(options, console, outside))
        outside.stdout.flush()
    except BrokenPipeError:
        _abandon(outside.stdout)
        return UNREAD
    return code


def _command(session: Session) -> int:
    from paraqa.errors import ParaqaError

    module, function = _COMMANDS[session.options.command]
    try:
        run = getattr(import_module(f"{__name__}.{module}"), function)
        code: int = run(session)
    except KeyboardInterrupt:
        return STOPPED
    except ParaqaError as error:
        session.console.error(error.message(session.lang), error.hint(session.lang))
        return FAILED
    except BrokenPipeError:
        raise
    except Exception:  # noqa: BLE001  the outermost handler: a bug, shown with its traceback
        for line in traceback.format_exc().splitlines():
            session.console.warn(line)
        session.console.error(session.console.text("bug"), session.console.text("bug_hint"))
        return FAILED
    return code


def _abandon(stream: TextIO) -> None:
    # Python flushes standard output once more when it ends, and would complain again.
    if stream is sys.stdout:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
