import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from paraqa import __version__
from paraqa.cli import main
from paraqa.lang.text import pairs
from whole_library import QUESTION, WholeLibrary, run

SOURCE = Path(__file__).parents[3] / "src"
COMMANDS = (
    "ingest", "search", "ask", "similar", "papers", "chat", "serve", "eval", "doctor", "settings",
)  # fmt: skip
LOCALES = ("en_US.UTF-8", "zh_CN.UTF-8")


def python(*arguments, **environ):
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": str(SOURCE), **environ},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_version_is_printed(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"paraqa {__version__}\n"


def test_the_module_is_the_command():
    done = python("-m", "paraqa", "--version")
    assert (done.returncode, done.stdout) == (0, f"paraqa {__version__}\n")


def test_help_waits_for_no_heavy_library():
    code = (
        "import sys; from paraqa.cli import main; main(['--help'])\n"
        "heavy = {'llama_index', 'chromadb', 'gradio', 'openai', 'fastapi', 'jieba', 'anyio',"
        " 'tqdm', 'numpy', 'pydantic_settings'}\n"
        "sys.exit(', '.join(heavy & set(sys.modules)) or 0)"
    )
    done = python("-c", code)
    assert done.stderr == ""
    assert done.returncode == 0


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_described_in_both_languages(command, locale, capsys, monkeypatch):
    monkeypatch.setenv("LC_ALL", locale)
    assert main([command, "--help"]) == 0
    text = pairs("cli")[f"help_{command}"]["zh" if locale == LOCALES[1] else "en"]
    assert text.split()[0] in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "en", "zh"),
    [
        ([], "these arguments are required: COMMAND", "缺少必需的参数：命令"),
        (["ask"], "these arguments are required: QUESTION", "缺少必需的参数：QUESTION"),
        (["bogus"], "'bogus' is not one of", "'bogus' 不在可选值之中"),
        (["ask", "x", "--lang", "fr"], "'fr' is not one of", "'fr' 不在可选值之中"),
        (["ask", "x", "--bogus"], "unknown arguments: --bogus", "无法识别的参数：--bogus"),
        (["ask", "x", "--llm"], "argument --llm: a value is missing", "参数 --llm：缺少取值"),
        (["ask", "x", "--llm", "http://e"], "'http://e' is none of auto", "'http://e' 不是 auto"),
        (["ask", "x", "--llm", "openai:"], "'openai:' is none of", "'openai:' 不是 auto"),
        (["ask", "x", "--json=1"], "takes no value", "不接受取值"),
        (["search", "x", "-k", "0"], "from 1 to 1000", "1 到 1000 之间的整数"),
        (["search", "x", "-k", "1e3"], "'1e3' is not a whole number", "'1e3' 不是"),
        (["serve", "--port", "70000"], "from 0 to 65535", "0 到 65535 之间的整数"),
        (["eval", "q", "--limit", "0"], "whole number from 1", "不小于 1 的整数"),
        (["search", "x", "--since", "May"], "'May' is not a date such as", "'May' 不是形如"),
        (["ask", "x", "--until", "2024-02-30"], "'2024-02-30' is not a date", "不是形如"),
        (["ask", "x", "--author", " "], "the value is blank", "取值为空"),
        (["similar"], "these arguments are required: PAPER", "缺少必需的参数：PAPER"),
        (["ask", "x", "--sto", "d"], "unknown arguments: --sto", "无法识别的参数：--sto"),
    ],
)
def test_a_mistake_in_usage_is_explained_in_both_languages(arguments, en, zh, capsys, monkeypatch):
    for locale, words in zip(LOCALES, (en, zh), strict=True):
        monkeypatch.setenv("LC_ALL", locale)
        assert main(arguments) == 2
        printed = capsys.readouterr()
        assert words in printed.err
        assert printed.out == ""


def test_a_mistake_in_usage_is_echoed_without_control_characters(capsys):
    assert main(["ask", "x", "--\x1b[31mred"]) == 2
    assert "\x1b" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [("--store", "there", "papers"), ("papers", "--store", "there")],
)
def test_the_store_can_be_named_before_and_after_the_command(arguments):
    assert run(*arguments).settings[0].store.path == Path("there")


def test_the_later_of_two_stores_counts():
    done = run("--store", "first", "papers", "--store", "second")
    assert done.settings[0].store.path == Path("second")


def test_without_an_option_the_setting_decides(monkeypatch):
    monkeypatch.setenv("PARAQA_STORE__PATH", "from-environment")
    assert run("papers").settings[0].store.path == Path("from-environment")


def test_an_invalid_setting_is_an_error_with_a_hint(monkeypatch):
    monkeypatch.setenv("PARAQA_RETRIEVAL__K", "many")
    done = run("ask", QUESTION)
    assert done.code == 1
    assert "'retrieval.k'" in done.err
    assert "hint: " in done.err


def test_ctrl_c_is_quiet_and_closes_the_answer_and_the_library():
    code = (
        "import sys; from scripted_library import Gate, Understood, query\n"
        "from whole_library import WholeLibrary\n"
        "from paraqa.cli import main; from paraqa.cli.session import Outside\n"
        "class Told(Gate):\n"
        "    async def passed(self):\n"
        "        print('waiting', file=sys.stderr, flush=True); await super().passed()\n"
        "library = WholeLibrary(default=[Understood(query=query('q')), Told()])\n"
        "code = main(['ask', 'q', '-q'], Outside(open_library=lambda s: library))\n"
        "print(library.asked[0].ended, library.calls)\n"
        "sys.exit(code)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": f"{SOURCE}{os.pathsep}{SOURCE.parent / 'tests'}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stderr.readline() == "waiting\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (out, err, process.returncode) == ("closed ['close']\n", "", 130)


def test_a_reader_that_goes_away_ends_the_command_quietly():
    class Gone(io.StringIO):
        def write(self, _):
            raise BrokenPipeError

    done = run("papers", stdout=Gone())
    assert (done.code, done.err) == (141, "")


def test_a_closed_pipe_leaves_no_complaint_of_python():
    code = (
        "import sys; sys.path.insert(0, 'tests'); from whole_library import WholeLibrary\n"
        "from paraqa.cli import main; from paraqa.cli.session import Outside\n"
        "sys.exit(main(['papers'], Outside(open_library=lambda s: WholeLibrary())))"
    )
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-c", code],
        # Unbuffered, nothing would be left for Python to complain about.
        env={**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONUNBUFFERED": ""},
        cwd=SOURCE.parent,
        stdout=write,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")


def test_a_bug_shows_its_traceback_without_control_characters():
    library = WholeLibrary(default=[RuntimeError("\x1b[31mboom")])
    done = run("ask", QUESTION, library=library)
    assert done.code == 1
    assert "RuntimeError: [31mboom" in done.err
    assert "bug in paraqa" in done.err
    assert library.calls == ["close"]


def test_every_pair_of_the_command_line_holds_both_languages():
    for area in ("cli", "doctor", "server"):
        for key, pair in pairs(area).items():
            assert set(pair) == {"en", "zh"}, key
            assert pair["en"], key
            assert pair["zh"], key
