"""One question and all that has become of it: the fold of its events."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from paraqa.events import (
    AskEvent,
    Delta,
    Dropped,
    Finished,
    Preparing,
    Retrieved,
    Settled,
    Understood,
)
from paraqa.types import Coverage, Turn

if TYPE_CHECKING:
    from paraqa.errors import ParaqaError
    from paraqa.types import Answer, Citation, Claim, Hit, Query

State = Literal["running", "finished", "stopped", "failed"]


@dataclass(frozen=True)
class Exchange:
    """A question, its number in the conversation, and what is known of its answer."""

    number: int  # from 1; its cards are `t1-1`, `t1-2`, …
    question: str
    state: State = "running"
    query: Query | None = None
    hits: tuple[Hit, ...] | None = None  # None: not searched yet
    coverage: Coverage = field(default_factory=Coverage)
    claims: tuple[Claim, ...] = ()
    writing: str = ""  # provisional text, and the paper it is written from
    writing_from: int | None = None
    preparing: Preparing | None = None
    answer: Answer | None = None
    error: ParaqaError | None = None  # None in a failed exchange: a defect, not an expected error
    seconds: float = 0.0
    started: float = field(default_factory=time.monotonic)

    def after(self, event: AskEvent) -> Exchange:
        """The exchange with one more event."""
        now = replace(self, seconds=time.monotonic() - self.started)
        match event:
            case Understood(query=query):
                return replace(now, query=query)
            case Retrieved(hits=hits, coverage=coverage):
                return replace(now, hits=hits, coverage=coverage)
            case Preparing():
                return replace(now, preparing=event)
            case Delta(number=number, text=text):
                same = number == self.writing_from
                written = self.writing + text if same else text
                return replace(now, writing=written, writing_from=number, preparing=None)
            case Settled(claim=claim):
                return replace(now._at_rest(), claims=(*self.claims, claim))
            case Dropped():
                return now._at_rest()
            case Finished(answer=answer):
                return replace(
                    now._at_rest(),
                    state="stopped" if answer.status == "cancelled" else "finished",
                    answer=answer,
                    hits=answer.hits,
                    claims=answer.claims,
                )

    def stopped(self) -> Exchange:
        """The exchange as the reader's stop leaves it: what settled stays."""
        return self._ended("stopped")

    def failed(self, error: ParaqaError | None) -> Exchange:
        """The exchange as an error leaves it: what settled stays."""
        return replace(self._ended("failed"), error=error)

    def citations(self, number: int) -> tuple[Citation, ...]:
        """What the claims quote of one paper."""
        return tuple(c for claim in self.claims for c in claim.citations if c.number == number)

    def turns(self) -> tuple[Turn, ...]:
        """The exchange as history; none unless it came to its own end.

        A partial answer must not look like a finished one to the next question.
        """
        if self.state != "finished" or self.answer is None:
            return ()
        cited = tuple(self.answer.hits[n - 1].paper.id for n in self.answer.references)
        return (
            Turn(role="user", text=self.question),
            Turn(role="assistant", text=self.answer.text, cited=cited),
        )

    def _at_rest(self) -> Exchange:
        return replace(self, writing="", writing_from=None, preparing=None)

    def _ended(self, state: State) -> Exchange:
        return replace(self._at_rest(), state=state, seconds=time.monotonic() - self.started)
