"""What is turned away before it is read: requests to another host, and oversized bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request

from paraqa.errors import ServerError
from paraqa.server.failures import reader, response
from paraqa.server.listening import is_loopback

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY = 256 * 1024  # bytes; far above a long conversation, the library bounds the question
_OURS = "/api/"  # the page's own routes have bounds of their own


class Guard:
    """A layer around the application, page included.

    Starlette's own two layers for this answer in plain English text.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer it with an error."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        refusal = _refusal(request)
        if refusal is not None:
            error, status = refusal
            await response(error, reader(request), status=status)(scope, receive, send)
            return
        if scope["path"].startswith(_OURS):
            receive = _bounded(receive)
        await self._app(scope, receive, send)


def _refusal(request: Request) -> tuple[ServerError, int] | None:
    # A name that an attacker's page re-points at 127.0.0.1 still stands in this header.
    if not _names_loopback(request.headers.get("host", "")):
        return ServerError("server.wrong_host"), 421
    length = request.headers.get("content-length", "")
    is_large = request.url.path.startswith(_OURS) and int(length or 0) > LARGEST_BODY
    return (ServerError("server.too_large"), 413) if is_large else None


def _names_loopback(host: str) -> bool:
    try:
        return is_loopback(urlsplit(f"//{host}").hostname or "")
    except ValueError:
        return False


def _bounded(receive: Receive) -> Receive:
    """The body as it comes in, up to the bound: its length need not be told beforehand."""
    size = 0

    async def bounded() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > LARGEST_BODY:
            raise HTTPException(413)
        return message

    return bounded
