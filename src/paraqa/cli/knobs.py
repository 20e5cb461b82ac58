"""`paraqa settings`: every setting with its value, its default and its meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import SecretStr

from paraqa.cli.console import without_secrets
from paraqa.lang.text import say
from paraqa.settings import describe
from paraqa.types import Record

if TYPE_CHECKING:
    from paraqa.cli.session import Session
    from paraqa.settings import Settings
    from paraqa.types import Lang

_HIDDEN = "********"


class Knob(Record):
    """One setting as a reader sees it; a secret shows only that it is set."""

    key: str
    value: str
    default: str
    meaning: str

    @property
    def is_changed(self) -> bool:
        """Whether the value is another than the default."""
        return self.value != self.default


def run(session: Session) -> int:
    """0 once the settings are printed."""
    found = knobs(session.settings(), session.lang)
    if session.options.json:
        session.console.json(list(found))
        return 0
    for knob in found:
        default = session.console.text("default", value=knob.default)
        changed = (f"  {default}", "yellow") if knob.is_changed else ""
        session.console.line((knob.key, "bold"), f" = {knob.value}", changed)
        session.console.line((f"    {knob.meaning}", "dim"))
    return 0


def knobs(settings: Settings, lang: Lang) -> list[Knob]:
    """All settings, in the order in which they are defined."""
    found = []
    for key, default, _ in describe():
        section, name = key.split(".")
        value = getattr(getattr(settings, section), name)
        meaning = say(f"cli.setting_{section}_{name}", lang)
        found.append(Knob(key=key, value=_shown(value), default=default, meaning=meaning))
    return found


def _shown(value: object) -> str:
    if isinstance(value, SecretStr):
        return _HIDDEN
    return without_secrets(str(value))
