"""`paraqa doctor`: what is installed, what works, and what to do about the rest.

It asks no other host: whether an endpoint is configured is said, whether it answers is not.
"""

from __future__ import annotations

import asyncio
import platform
import sys
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from paraqa.cli import packages
from paraqa.cli.console import padded, without_secrets
from paraqa.cli.progress import Preparation
from paraqa.errors import ParaqaError, StoreBusy
from paraqa.lang.text import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from paraqa.cli.session import Session
    from paraqa.library import Library
    from paraqa.settings import LlmSettings, Settings
    from paraqa.types import Lang

_LEAST_PYTHON = (3, 11)
_STYLES = {"good": "cyan", "note": "yellow", "broken": "red"}


@dataclass(frozen=True)
class Check:
    """One thing that was looked at; `name` is the key of what it is called."""

    name: str
    state: Literal["good", "note", "broken"]
    detail: str
    hint: str = ""


def run(session: Session) -> int:
    """0 when nothing is broken, else 1."""
    is_broken = False
    for check in _checks(session):
        _show(check, session)
        is_broken = is_broken or check.state == "broken"
    return 1 if is_broken else 0


def _show(check: Check, session: Session) -> None:
    state = padded(say(f"doctor.{check.state}", session.lang), 8)
    name = padded(say(f"doctor.{check.name}", session.lang), 14)
    session.console.line((state, _STYLES[check.state]), (name, "bold"), check.detail)
    if check.hint:
        session.console.line(padded("", 22), (check.hint, "dim"))


def _checks(session: Session) -> Iterator[Check]:
    lang = session.lang
    yield _python(lang)
    requirements = packages.requirements()
    yield check_packages(requirements, lang)
    try:
        settings = session.settings()
    except ParaqaError as error:
        yield _failed("settings", error, lang)
        return
    yield Check("settings", "good", say("doctor.settings_good", lang))
    with session.outside.open_library(settings) as library:
        yield _store(library, settings, lang)
        yield _endpoint(settings.llm, lang)
        if requirements is not None:
            yield check_parts(requirements, lang)
        yield _model(library, session)


def _python(lang: Lang) -> Check:
    version = platform.python_version()
    if sys.version_info >= _LEAST_PYTHON:
        return Check("python", "good", version)
    return Check("python", "broken", version, say("doctor.python_hint", lang))


def check_packages(requirements: list[str] | None, lang: Lang) -> Check:
    """The packages that every installation needs, beside those that are there."""
    if requirements is None:
        detail = say("doctor.packages_unknown", lang)
        return Check("packages", "note", detail, say("doctor.packages_hint", lang))
    needed = packages.needed(requirements)
    wrong = [package for package in needed if not package.is_right]
    if not wrong:
        return Check("packages", "good", say("doctor.packages_good", lang, count=len(needed)))
    absent = say("doctor.absent", lang)
    detail = "; ".join(f"{p.name}: {p.found or absent} ({p.wanted})" for p in wrong)
    hint = say("doctor.packages_hint", lang)
    return Check("packages", "broken", say("doctor.packages_wrong", lang, wrong=detail), hint)


def _store(library: Library, settings: Settings, lang: Lang) -> Check:
    path = str(settings.store.path)
    if not settings.store.path.exists():
        detail = say("doctor.store_absent", lang, path=path)
        return Check("store", "note", detail, say("doctor.store_hint", lang))
    try:
        # Opens the store, which takes its lock and compares its embedding model with ours.
        asyncio.run(library.warm())
        count = library.count()
    except StoreBusy as error:
        return Check("store", "note", error.message(lang), error.hint(lang))
    except ParaqaError as error:
        return _failed("store", error, lang)
    if count == 0:
        detail = say("doctor.store_empty", lang, path=path)
        return Check("store", "note", detail, say("doctor.store_hint", lang))
    return Check("store", "good", say("doctor.store_good", lang, path=path, count=count))


def _endpoint(llm: LlmSettings, lang: Lang) -> Check:
    if llm.base_url is None and not llm.model.startswith("openai:"):
        return Check("endpoint", "good", say("doctor.endpoint_none", lang))
    key = "doctor.key_set" if llm.api_key is not None else "doctor.key_unset"
    address = without_secrets(llm.base_url) if llm.base_url else say("doctor.vendor", lang)
    detail = say("doctor.endpoint_good", lang, address=address, secret=say(key, lang))
    if llm.base_url is None and llm.api_key is None:
        return Check("endpoint", "broken", detail, say("doctor.endpoint_hint", lang))
    return Check("endpoint", "good", detail)


def check_parts(requirements: list[str], lang: Lang) -> Check:
    """The packages of the local model, which is optional as a whole."""
    wanted = packages.local(requirements)
    right = sum(package.is_right for package in wanted)
    detail = say("doctor.parts_counted", lang, right=right, wanted=len(wanted))
    if right == len(wanted):
        return Check("parts", "good", detail)
    hint = say("doctor.parts_hint", lang)
    # Without the extra paraqa quotes the papers; half of it is an installation that broke off.
    return Check("parts", "broken" if right else "note", detail, hint)


def _model(library: Library, session: Session) -> Check:
    lang = session.lang
    try:
        name = library.model_name()
        if library.model_status is None:
            return Check("model", "good", name)
        if not session.options.model:
            detail = say("doctor.model_untried", lang, name=name)
            return Check("model", "good", detail, say("doctor.model_hint", lang))
        asyncio.run(_prepared(library, session))
    except ParaqaError as error:
        return _failed("model", error, lang)
    return Check("model", "good", say("doctor.model_ready", lang, name=name))


async def _prepared(library: Library, session: Session) -> None:
    preparation = Preparation(session.console)
    try:
        async with aclosing(library.prepare()) as steps:
            async for step in steps:
                preparation.show(step)
    finally:
        preparation.close()


def _failed(name: str, error: ParaqaError, lang: Lang) -> Check:
    return Check(name, "broken", error.message(lang), error.hint(lang))
