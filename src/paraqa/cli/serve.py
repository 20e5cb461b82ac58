"""`paraqa chat` and `paraqa serve`: the page and the HTTP interface on this machine."""

from __future__ import annotations

import asyncio
import signal
import sys
from typing import TYPE_CHECKING, NoReturn

from paraqa.cli.ingest import show, take_in
from paraqa.server.listening import address, listen

if TYPE_CHECKING:
    import socket
    from collections.abc import Mapping

    from paraqa.cli.session import Session
    from paraqa.library import Library

_TERMINATED = 128 + signal.SIGTERM


def chat(session: Session) -> int:
    """0 when the page was closed down; an empty store first takes in the listings that ship."""
    with _listener(session) as listener, session.library() as library:
        if library.count() == 0:
            session.console.note(session.console.text("first_papers"))
            show(asyncio.run(take_in(library, (), session.console)), session.console)
        has_browser = not session.options.no_browser and _is_desktop(session.outside.environ)
        return _serve(session, library, listener, has_browser=has_browser)


def serve(session: Session) -> int:
    """0 when the server was closed down."""
    with _listener(session) as listener, session.library() as library:
        return _serve(session, library, listener, has_browser=False)


def _listener(session: Session) -> socket.socket:
    # Before anything heavy is loaded, so that a port in use is known at once.
    server = session.settings().server
    return listen(server.host, server.port)


def _serve(
    session: Session, library: Library, listener: socket.socket, *, has_browser: bool
) -> int:
    # Opened now, so that a store that is busy or does not fit is an error here, not on the page.
    asyncio.run(library.warm())
    page = session.outside.build_page(library)
    url = address(listener)
    session.console.line(session.console.text("serving", url=url))
    if has_browser:
        # The listener already takes connections; they wait for the server below.
        session.outside.open_browser(url)
    before = signal.signal(signal.SIGTERM, _terminate)
    try:
        session.outside.run_server(page, listener)
    finally:
        signal.signal(signal.SIGTERM, before)
    return 0


def _terminate(*_: object) -> NoReturn:
    # uvicorn raises the signal again after its own end; the default would leave the store open.
    sys.exit(_TERMINATED)


def _is_desktop(environ: Mapping[str, str]) -> bool:
    if environ.get("SSH_CONNECTION"):
        return False
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))
