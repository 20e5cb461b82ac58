"""How far a long piece of work is, on standard error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from paraqa.cli.console import Console
    from paraqa.events import Preparing

_LINES = 10  # printed for the whole of the work where there is no terminal


class Progress:
    """A bar on a terminal, a line at each tenth elsewhere, nothing when quiet."""

    def __init__(
        self, console: Console, label: str, *, unit: str = "", is_bytes: bool = False
    ) -> None:
        self._console = console
        self._label = label
        self._look = {"unit": unit, "unit_scale": is_bytes, "unit_divisor": 1024}
        self._bar: Any = None
        self._printed = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def at(self, done: int, total: int) -> None:
        """Show that `done` of `total` is done."""
        if self._console.shows_bars:
            self._draw(done, total)
            return
        tenth = _LINES * done // total if total else 0
        if tenth > self._printed:
            self._printed = tenth
            self._console.note(f"{self._label} {100 * tenth // _LINES}%")

    def note(self, text: str) -> None:
        """Print a line above the bar."""
        if self._bar is not None:
            self._bar.clear()
        self._console.note(text)

    def _draw(self, done: int, total: int) -> None:
        if self._bar is None:
            from tqdm import tqdm

            self._bar = tqdm(
                desc=self._label, total=total, file=self._console.stderr, leave=False, **self._look
            )
        self._bar.total = total
        self._bar.n = done
        self._bar.refresh()


class Preparation:
    """Shows the steps of making the local model ready."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._step = ""
        self._joining = Progress(console, console.text("joining"), unit="B", is_bytes=True)

    def show(self, event: Preparing) -> None:
        """Show one step."""
        if event.step == "joining":
            self._joining.at(event.done, event.total)
        elif event.step != self._step:
            self.close()
            self._console.note(self._console.text(event.step))
        self._step = event.step

    def close(self) -> None:
        """Take the bar away."""
        self._joining.__exit__()
