"""What a command is given: its options, its console, and the world around it."""

from __future__ import annotations

import os
import sys
import webbrowser
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    import argparse
    import socket

    from fastapi import FastAPI

    from paraqa.cli.console import Console
    from paraqa.evaluation import Progress, Report
    from paraqa.library import Library
    from paraqa.settings import Settings
    from paraqa.types import Lang


def _open_library(settings: Settings) -> Library:
    from paraqa.library import Library

    return Library.open(settings=settings)


def _build_page(library: Library) -> FastAPI:
    from paraqa import ui
    from paraqa.server import create_app

    return ui.mount(create_app(library), library)


def _run_server(app: FastAPI, listener: socket.socket) -> None:
    import uvicorn

    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        # Open streams of the page would otherwise hold the end back for ever.
        timeout_graceful_shutdown=3,
    )
    uvicorn.Server(config).run(sockets=[listener])


def _measure(library: Library, **options: Any) -> AsyncGenerator[Progress | Report]:
    from paraqa import evaluation

    return evaluation.run(library, **options)


@dataclass(frozen=True)
class Outside:
    """What lies around a command; tests hand in their own."""

    open_library: Callable[[Settings], Library] = _open_library
    build_page: Callable[[Library], FastAPI] = _build_page
    run_server: Callable[[FastAPI, socket.socket], None] = _run_server
    measure: Callable[..., AsyncGenerator[Progress | Report]] = _measure
    open_browser: Callable[[str], object] = webbrowser.open
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    stdin: TextIO = field(default_factory=lambda: sys.stdin)
    stdout: TextIO = field(default_factory=lambda: sys.stdout)
    stderr: TextIO = field(default_factory=lambda: sys.stderr)


@dataclass(frozen=True)
class Session:
    """One run of one command."""

    options: argparse.Namespace
    console: Console
    outside: Outside

    @property
    def lang(self) -> Lang:
        """The language in which the command speaks."""
        return self.console.lang

    def settings(self) -> Settings:
        """The settings in force, with the options of this run on top. Raises SettingsError."""
        from paraqa import settings

        changes: dict[str, dict[str, object]] = {}
        for option, section, name in (
            ("store", "store", "path"),
            ("host", "server", "host"),
            ("port", "server", "port"),
        ):
            value = getattr(self.options, option, None)
            if value is not None:
                changes.setdefault(section, {})[name] = value
        return settings.load(**changes)

    def library(self) -> Library:
        """The library on the store in force, to be closed by the caller."""
        return self.outside.open_library(self.settings())

    def question(self) -> str:
        """The question of the command line, or all of standard input where it is `-`."""
        from paraqa.errors import QuestionError

        given: str = self.options.question
        if given != "-":
            return given
        try:
            # Far above the library's own bound, which gives the error that the reader sees.
            return self.outside.stdin.read(1_000_000)
        except UnicodeDecodeError as error:
            raise QuestionError("cli.stdin_unreadable") from error
