"""A question that is being answered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from paraqa.events import AskEvent, Delta


@dataclass(frozen=True)
class Redraw:
    """Nothing new: the page is to be sent once more, since its language has changed.

    It goes through the stream of the answer because whatever reached the browser on another way
    could be overtaken, and then the older picture would stay.
    """


class Running:
    """Holds the stream of one answer in a task of its own.

    The stream is opened, read and closed in that one task, so stopping reaches the model at once,
    whatever it is waiting for, and whether or not the page is listening.
    """

    def __init__(self, stream: AsyncGenerator[AskEvent]) -> None:
        self._queue: asyncio.Queue[AskEvent | Redraw | None] = asyncio.Queue()
        self._task = asyncio.create_task(self._read(stream))
        self.is_stopped = False

    def stop(self) -> None:
        """Close the stream; `events` ends."""
        self.is_stopped = True
        self._task.cancel()

    def redraw(self) -> None:
        """Have `events` give a `Redraw`, unless they have ended."""
        self._queue.put_nowait(Redraw())

    async def events(self) -> AsyncGenerator[AskEvent | Redraw]:
        """The events; text that has piled up meanwhile comes as one.

        Raises what the stream raises.
        """
        try:
            event = await self._queue.get()
            while event is not None:
                following = None
                if isinstance(event, Delta):
                    event, following = self._with_queued_text(event)
                yield event
                event = following or await self._queue.get()
            if not self.is_stopped:
                await self._task
        finally:
            await self.close()

    async def close(self) -> None:
        """Close the stream, and return when it is closed; once more does nothing."""
        self._task.cancel()
        await asyncio.wait([self._task])
        if not self._task.cancelled():
            self._task.exception()  # seen, else asyncio reports it as forgotten

    async def _read(self, stream: AsyncGenerator[AskEvent]) -> None:
        try:
            async with aclosing(stream):
                async for event in stream:
                    self._queue.put_nowait(event)
        finally:
            self._queue.put_nowait(None)

    def _with_queued_text(self, delta: Delta) -> tuple[Delta, AskEvent | Redraw | None]:
        """The delta with those that wait behind it, and the first event that does not fit."""
        while not self._queue.empty():
            following = self._queue.get_nowait()
            if following is None:
                self._queue.put_nowait(None)  # the end; nothing comes behind it
                break
            if not isinstance(following, Delta) or following.number != delta.number:
                return delta, following
            delta = delta.model_copy(update={"text": delta.text + following.text})
        return delta, None
