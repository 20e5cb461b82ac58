"""What is done for a client only as long as it is there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, TypeVar

from fastapi.responses import StreamingResponse
from starlette.requests import ClientDisconnect

from paraqa.errors import ParaqaError
from paraqa.server.failures import told

if TYPE_CHECKING:
    from fastapi import Request
    from starlette.types import Receive, Scope, Send

    from paraqa.events import AskEvent
    from paraqa.types import Lang

_Result = TypeVar("_Result")


class EventStream(StreamingResponse):
    """Events as they happen; when the client hangs up, the library's iterator is closed."""

    media_type: str = "text/event-stream"

    def __init__(self, content: AsyncGenerator[str], source: AsyncGenerator[AskEvent]) -> None:
        # Proxies would hold events back until there are enough of them.
        super().__init__(content, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        self._content, self._source = content, source

    @classmethod
    async def over(cls, source: AsyncGenerator[AskEvent], lang: Lang) -> EventStream:
        """A response that has its first event: what fails before is an error with its status."""
        first = await anext(source)

        async def lines() -> AsyncGenerator[str]:
            yield _event(first.kind, first.model_dump_json())
            try:
                async for event in source:
                    yield _event(event.kind, event.model_dump_json())
            except ParaqaError as error:
                yield _event("error", told(error, lang).model_dump_json())

        return cls(lines(), source)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events, then close what gave them."""
        # Left to itself, a generator whose reader is cancelled stays open until it is collected.
        async with aclosing(self._source), aclosing(self._content):
            await super().__call__(scope, receive, send)


async def attended(request: Request, work: Coroutine[Any, Any, _Result]) -> _Result:
    """What the work gives; it is cancelled when the client hangs up."""
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return working.result()
    finally:
        for task in (working, leaving):
            task.cancel()
        await asyncio.wait({working, leaving})


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _event(kind: str, data: str) -> str:
    return f"event: {kind}\ndata: {data}\n\n"
