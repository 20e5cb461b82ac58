import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from paraqa.errors import StoreBusy
from paraqa.events import Ingested, IngestReport
from whole_library import BREADTH, WholeLibrary, run

ROOT = Path(__file__).parents[3]
DESKTOP = {"LANG": "en_US.UTF-8", "DISPLAY": ":0"}


class World:
    """A page, a server and a browser that only say what was asked of them."""

    def __init__(self):
        self.done = []

    def build_page(self, library):
        self.done.append("page")
        return "the page"

    def run_server(self, app, listener):
        assert app == "the page"
        with socket.create_connection(listener.getsockname(), timeout=5):
            self.done.append("served")

    def open_browser(self, url):
        self.done.append(url)

    @property
    def around(self):
        return {
            "build_page": self.build_page,
            "run_server": self.run_server,
            "open_browser": self.open_browser,
        }


def ingesting(held=()):
    return WholeLibrary(held=held, ingestion=[Ingested(report=IngestReport(files=1, added=54))])


def test_the_page_is_served_and_its_address_printed():
    world, library = World(), WholeLibrary()
    done = run("serve", "--port", "0", library=library, **world.around)
    assert done.code == 0
    assert done.out.startswith("paraqa is at http://127.0.0.1:")
    assert world.done == ["page", "served"]
    assert library.calls == ["warm", "close"]


def test_chat_takes_the_listings_in_where_the_store_is_empty():
    library = ingesting()
    done = run("chat", "--port", "0", library=library, **World().around)
    assert library.calls == ["ingest", "warm", "close"]
    assert library.ingested == ()
    assert "54 papers added" in done.out


def test_chat_leaves_a_store_with_papers_as_it_is():
    library = ingesting(held=[BREADTH])
    run("chat", "--port", "0", library=library, **World().around)
    assert "ingest" not in library.calls


def test_serve_leaves_an_empty_store_empty():
    library = ingesting()
    run("serve", "--port", "0", library=library, **World().around)
    assert "ingest" not in library.calls


@pytest.mark.parametrize(
    ("arguments", "environ", "is_opened"),
    [
        (("chat",), DESKTOP, True),
        (("chat", "--no-browser"), DESKTOP, False),
        (("chat",), {}, sys.platform in ("darwin", "win32")),
        (("chat",), {**DESKTOP, "SSH_CONNECTION": "1 2 3 4"}, False),
        (("serve",), DESKTOP, False),
    ],
)
def test_the_browser_opens_for_chat_on_a_desktop(arguments, environ, is_opened):
    world = World()
    done = run(*arguments, "--port", "0", environ=environ, **world.around)
    opened = [step for step in world.done if step.startswith("http://127.0.0.1:")]
    assert len(opened) == is_opened
    assert all(url in done.out for url in opened)


def test_the_address_is_announced_in_the_readers_language():
    done = run("serve", "--port", "0", environ={"LANG": "zh_CN.UTF-8"}, **World().around)
    assert done.out.startswith("paraqa 已启动：http://127.0.0.1:")


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org"])  # noqa: S104
def test_another_address_than_loopback_is_refused(host):
    done = run("serve", "--host", host, "--port", "0", **World().around)
    assert done.code == 1
    assert repr(host) in done.err
    assert done.settings == []


def test_a_port_in_use_is_told_before_anything_is_opened():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for command in ("chat", "serve"):
            done = run(command, "--port", str(port), **World().around)
            assert done.code == 1
            assert f"Port {port} is in use" in done.err
            assert "hint: " in done.err
            assert done.settings == []


def test_a_store_that_is_busy_is_told_before_the_page_is_there():
    world = World()
    library = WholeLibrary(warm_error=StoreBusy("server.broken"))
    done = run("serve", "--port", "0", library=library, **world.around)
    assert done.code == 1
    assert world.done == []
    assert library.calls == ["warm", "close"]


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 128 + signal.SIGTERM)]
)
def test_a_signal_stops_the_server_and_closes_the_library(number, code):
    script = (
        "import sys; from whole_library import WholeLibrary\n"
        "from paraqa.cli import main; from paraqa.cli.session import Outside\n"
        "from paraqa.server import create_app\n"
        "library = WholeLibrary()\n"
        "given = Outside(open_library=library.with_settings, build_page=create_app)\n"
        "try:\n"
        "    code = main(['serve', '--port', '0'], given)\n"
        "finally:\n"
        "    print(library.calls, flush=True)\n"
        "sys.exit(code)"
    )
    paths = os.pathsep.join(str(ROOT / name) for name in ("src", "tests"))
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": paths, "LC_ALL": "C"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        url = process.stdout.readline().split()[3]
        # Answered as soon as the server runs: the listener holds it until then.
        with urllib.request.urlopen(url + "/healthz", timeout=30) as answer:  # noqa: S310
            assert answer.status == 200
        time.sleep(0.1)
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
    assert (out, err) == ("['warm', 'prepare', 'close']\n", "")
    assert process.returncode == code
