"""The commands and their options, described in the reader's language."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paraqa import __version__
from paraqa.cli import limits, usage
from paraqa.lang.text import say

if TYPE_CHECKING:
    from collections.abc import Callable

    from paraqa.types import Lang

_COMMANDS = (
    "ingest", "search", "ask", "similar", "papers", "translate", "chat", "serve", "eval", "doctor",
    "settings",
)  # fmt: skip
_MODELS = ("auto", "local", "extractive")
_LARGEST_K = 1000  # the bound of the setting `retrieval.k`
_LARGEST_PORT = 65535


def build(lang: Lang) -> argparse.ArgumentParser:
    """The parser of the whole command line, whose help and complaints are in `lang`."""
    parser = _Parser(prog="paraqa", lang=lang, description=say("cli.about", lang))
    parser.add_options()
    parser.options.add_argument(
        "--version",
        action="version",
        version=f"paraqa {__version__}",
        help=say("cli.help_version", lang),
    )
    parser.set_defaults(store=None, quiet=False)
    commands = parser.add_subparsers(
        dest="command",
        metavar=say("cli.command", lang),
        title=say("cli.commands", lang),
        required=True,
    )
    for name in _COMMANDS:
        summary = say(f"cli.help_{name}", lang)
        command = commands.add_parser(name, help=summary, description=summary, lang=lang)
        _ARGUMENTS[name](command)
        command.add_options()
    return parser


class _Parser(argparse.ArgumentParser):
    """A parser that speaks the reader's language."""

    def __init__(self, *, lang: Lang, **keywords: Any) -> None:
        super().__init__(
            add_help=False,
            allow_abbrev=False,
            formatter_class=lambda prog: _Formatter(prog, lang=lang),
            **keywords,
        )
        self.lang = lang
        # Groups of our own: the titles of argparse's are English.
        self.arguments = self.add_argument_group(say("cli.arguments", lang))
        self.options = self.add_argument_group(say("cli.options", lang))

    def argument(self, *names: str, text: str, **keywords: Any) -> None:
        """Add an argument or option whose help is the sentence `cli.help_TEXT`."""
        group = self.options if names[0].startswith("-") else self.arguments
        group.add_argument(*names, help=say(f"cli.help_{text}", self.lang), **keywords)

    def add_options(self) -> None:
        """Add what every command takes, before or after its name."""
        # SUPPRESS: a command must not put its default over what stood before its name.
        kept = argparse.SUPPRESS
        self.argument("--store", metavar="DIR", type=Path, default=kept, text="store")
        self.argument("-q", "--quiet", action="store_true", default=kept, text="quiet")
        self.argument("-h", "--help", action="help", default=kept, text="help")

    def error(self, message: str) -> Any:
        """Exit with 2 after the usage and the complaint."""
        complaint = usage.complaint(message, self.lang)
        hint = say("cli.usage_hint", self.lang, prog=self.prog)
        error, advice = say("cli.error", self.lang), say("cli.hint", self.lang)
        self.exit(2, f"{self.format_usage()}{error}{complaint}\n{advice}{hint}\n")


class _Formatter(argparse.HelpFormatter):
    def __init__(self, prog: str, *, lang: Lang) -> None:
        super().__init__(prog)
        self._lang = lang

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        prefix = say("cli.usage", self._lang) if prefix is None else prefix
        super().add_usage(usage, actions, groups, prefix)


def _ingest(parser: _Parser) -> None:
    parser.argument("paths", metavar="PATH", nargs="*", type=Path, text="path")
    _json(parser)


def _search(parser: _Parser) -> None:
    parser.argument("question", metavar="QUESTION", text="question")
    parser.argument("--explain", action="store_true", text="explain")
    _filters(parser)
    _k(parser)
    _json(parser)


def _similar(parser: _Parser) -> None:
    parser.argument("paper", metavar="PAPER", text="paper")
    _k(parser)
    _json(parser)


def _ask(parser: _Parser) -> None:
    parser.argument("question", metavar="QUESTION", text="question")
    parser.argument("--lang", choices=("auto", "en", "zh"), default="auto", text="answer_lang")
    _llm(parser)
    _filters(parser)
    _k(parser)
    _json(parser)


def _serving(parser: _Parser) -> None:
    parser.argument("--host", metavar="HOST", text="host")
    parser.argument(
        "--port", metavar="PORT", type=_number(parser.lang, 0, _LARGEST_PORT), text="port"
    )


def _chat(parser: _Parser) -> None:
    _serving(parser)
    parser.argument("--no-browser", action="store_true", text="no_browser")


def _eval(parser: _Parser) -> None:
    parser.argument("questions", metavar="SET", nargs="+", type=Path, text="eval_questions")
    parser.argument("--papers", metavar="PAPERS.tsv", type=Path, text="eval_papers")
    parser.argument("--only", choices=("retrieval", "answers"), text="eval_only")
    _llm(parser)
    parser.argument("--limit", metavar="N", type=_number(parser.lang, 1), text="eval_limit")
    parser.argument("--out", metavar="RESULTS.jsonl", type=Path, text="eval_out")
    parser.argument("--resume", action="store_true", text="eval_resume")
    parser.argument("--baseline", metavar="FILE.json", type=Path, text="eval_baseline")
    parser.argument("--save-baseline", metavar="FILE.json", type=Path, text="eval_save_baseline")
    parser.argument("--failures", action="store_true", text="eval_failures")
    _json(parser)


def _filters(parser: _Parser) -> None:
    for option in ("since", "until"):
        parser.argument(f"--{option}", metavar="DATE", type=limits.date(parser.lang), text=option)
    for option, metavar in (("category", "CODE"), ("institution", "NAME"), ("author", "NAME")):
        parser.argument(
            f"--{option}",
            metavar=metavar,
            type=limits.name(parser.lang),
            action="append",
            default=[],
            text=option,
        )
    parser.argument("--no-filters", action="store_true", text="no_filters")


def _json(parser: _Parser) -> None:
    parser.argument("--json", action="store_true", text="json")


def _k(parser: _Parser) -> None:
    parser.argument("-k", metavar="N", type=_number(parser.lang, 1, _LARGEST_K), text="k")


def _llm(parser: _Parser) -> None:
    parser.argument(
        "--llm", metavar="MODEL", type=lambda given: _model(given, parser.lang), text="llm"
    )


def _translate(parser: _Parser) -> None:
    parser.argument("--to", choices=("en", "zh"), text="translate_to")
    _llm(parser)
    parser.argument("--limit", metavar="N", type=_number(parser.lang, 1), text="translate_limit")
    parser.argument("--again", action="store_true", text="translate_again")
    parser.argument("--out", metavar="FILE.jsonl", type=Path, text="translate_out")
    _json(parser)


def _doctor(parser: _Parser) -> None:
    parser.argument("--model", action="store_true", text="doctor_model")


_ARGUMENTS: dict[str, Callable[[_Parser], None]] = {
    "ask": _ask,
    "chat": _chat,
    "doctor": _doctor,
    "eval": _eval,
    "ingest": _ingest,
    "papers": _json,
    "search": _search,
    "serve": _serving,
    "settings": _json,
    "similar": _similar,
    "translate": _translate,
}


def _number(lang: Lang, least: int, most: int | None = None) -> Callable[[str], int]:
    def read(given: str) -> int:
        number = int(given) if given.isascii() and given.isdigit() and len(given) < 10 else -1
        if number >= least and (most is None or number <= most):
            return number
        key = "cli.not_a_number" if most is None else "cli.not_a_number_between"
        raise argparse.ArgumentTypeError(say(key, lang, given=given, least=least, most=most))

    return read


def _model(given: str, lang: Lang) -> str:
    provider, _, name = given.partition(":")
    if given in _MODELS or (provider == "openai" and name.strip()):
        return given
    raise argparse.ArgumentTypeError(say("cli.not_a_model", lang, given=given))
