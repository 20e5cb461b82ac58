"""What the page needs of a library; `paraqa.library.Library` is one."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from paraqa.events import AskEvent, Preparing
    from paraqa.settings import Settings
    from paraqa.types import Lang, Turn


class PageLibrary(Protocol):
    """Answers questions, and says how many papers it holds and how far its model is."""

    settings: Settings

    def ask(
        self,
        question: str,
        *,
        lang: Lang | None = None,
        llm: str | None = None,
        history: Sequence[Turn] = (),
        k: int | None = None,
    ) -> AsyncGenerator[AskEvent]:
        """Events of answering; closing the iterator stops the model."""

    def count(self) -> int:
        """Number of papers."""

    @property
    def model_status(self) -> Preparing | None:
        """How far the local model is; None where none is in force."""
