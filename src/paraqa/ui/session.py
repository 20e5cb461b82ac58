"""One reader's conversation on the page. It lives as long as the tab."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from paraqa.errors import ParaqaError, QuestionError
from paraqa.ui.exchange import Exchange
from paraqa.ui.running import Redraw, Running

if TYPE_CHECKING:
    from paraqa.events import AskEvent
    from paraqa.types import Lang, Turn

# A page of 50 answers with their evidence is about a megabyte; the oldest leave it beyond that.
KEPT_EXCHANGES = 50
KEPT_TURNS = 12

_log = logging.getLogger(__name__)


@dataclass(eq=False)  # known by identity: it is mutable, and held weakly
class Session:
    """The language of the page, the exchanges so far, and the answer that is being written."""

    lang: Lang = "en"
    exchanges: list[Exchange] = field(default_factory=list)
    running: Running | None = None
    asked: int = 0
    is_open: bool = False  # the page of the tab has been drawn once

    @property
    def latest(self) -> Exchange | None:
        """The exchange at the bottom of the page."""
        return self.exchanges[-1] if self.exchanges else None

    @property
    def earlier(self) -> list[Exchange]:
        """The exchanges above it."""
        return self.exchanges[:-1]

    def history(self) -> tuple[Turn, ...]:
        """The last finished exchanges, for the next question."""
        turns = tuple(turn for exchange in self.exchanges for turn in exchange.turns())
        return turns[-KEPT_TURNS:]

    def begin(self, question: str, stream: AsyncGenerator[AskEvent]) -> Exchange:
        """A new exchange, running."""
        self.asked += 1
        self.exchanges.append(Exchange(number=self.asked, question=question))
        del self.exchanges[:-KEPT_EXCHANGES]
        self.running = Running(stream)
        return self.exchanges[-1]

    async def follow(self) -> AsyncGenerator[AskEvent | Redraw]:
        """The events of the running answer, each already in `latest`; then `leave` is due.

        An error ends the exchange as failed; only QuestionError is raised, since then there is
        no exchange: it is taken back.
        """
        if self.running is None:
            return
        try:
            async with aclosing(self.running.events()) as events:
                async for event in events:
                    if not isinstance(event, Redraw):
                        self._put(self.exchanges[-1].after(event))
                    yield event
        except QuestionError:
            self.exchanges.pop()
            self.asked -= 1
            raise
        except ParaqaError as error:
            self._put(self.exchanges[-1].failed(error))
        except Exception:  # noqa: BLE001  the outermost handler: the reader gets a sentence
            _log.exception("a question failed")
            self._put(self.exchanges[-1].failed(None))
        finally:
            self._mark_stopped()

    async def leave(self) -> None:
        """Close the running answer if there is one; what is unfinished is marked as stopped."""
        if self.running is None:
            return
        running, self.running = self.running, None
        self._mark_stopped()
        await running.close()

    def stop(self) -> None:
        """End the running answer; what settled stays."""
        if self.running is not None:
            self.running.stop()

    def switch(self, lang: Lang) -> None:
        """Change the language; a running answer goes on in it."""
        self.lang = lang
        if self.running is not None:
            self.running.redraw()

    def _mark_stopped(self) -> None:
        if self.latest is not None and self.latest.state == "running":
            self._put(self.latest.stopped())

    def _put(self, exchange: Exchange) -> None:
        self.exchanges[-1] = exchange
