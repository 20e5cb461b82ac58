"""What runs where the network is cut; prints what it saw as one line of JSON.

unshare --map-root-user --net python cut.py command_line SEEDS
unshare --map-root-user --net python cut.py page STORE
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import struct
import subprocess
import sys
from pathlib import Path

QUESTION = "which papers reduce pipeline bubbles?"


def raise_loopback() -> None:
    """Bring the interface `lo` up: a new network namespace has it down."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        request = struct.pack("16sh14s", b"lo", 0, b"")
        flags = struct.unpack("16sh14s", fcntl.ioctl(probe, 0x8913, request))[1]  # SIOCGIFFLAGS
        fcntl.ioctl(probe, 0x8914, struct.pack("16sh14s", b"lo", flags | 1, b""))  # up


def network() -> str:
    """`unreachable` where no address outside this machine can be reached."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.settimeout(5)
        try:
            probe.connect(("192.0.2.1", 80))
        except OSError as error:
            return "unreachable" if error.errno == 101 else f"error {error.errno}"
    return "reachable"


def paraqa(*arguments: str) -> dict:
    """What a command prints as JSON."""
    command = [sys.executable, "-m", "paraqa", *arguments, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    if done.returncode != 0:
        sys.exit(f"{arguments}: {done.stderr}")
    return json.loads(done.stdout)


def command_line(seeds: str) -> dict:
    """Ingest, search and ask, as a reader types them."""
    paraqa("ingest", seeds, "--store", "store")
    local = paraqa("ask", QUESTION, "--llm", "local", "--store", "store")
    return {
        "papers": len(paraqa("papers", "--store", "store")),
        "hits": paraqa("search", QUESTION, "--store", "store")["hits"],
        "extractive": paraqa("ask", QUESTION, "--llm", "extractive", "--store", "store")["status"],
        "local": local["status"],
        "model": local["model"],
    }


def page(store: str) -> dict:
    """Ask in the browser and count what it shows."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from playwright.sync_api import sync_playwright

    from browser import ARGUMENTS, find_browser
    from paraqa import Library
    from served_page import served

    outside: list[str] = []
    changed = {"PARAQA_LLM__MODEL": "extractive"}
    os.environ.update(changed)
    with Library.open(store) as library, served(library) as address, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        tab = browser.new_page()
        tab.on("request", lambda r: None if r.url.startswith(address) else outside.append(r.url))
        tab.goto(address)
        box = tab.locator("#question textarea")
        box.fill(QUESTION)
        box.press("Enter")
        tab.locator("#current .finished").wait_for(timeout=60_000)
        seen = {
            "cards": tab.locator("#cards .card").count(),
            "links": tab.locator("#current .cite").count(),
            "outside": [url for url in outside if not url.startswith(("data:", "blob:"))],
        }
        browser.close()
    return seen


if __name__ == "__main__":
    raise_loopback()
    run = {"command_line": command_line, "page": page}[sys.argv[1]]
    print(json.dumps({"network": network(), **run(*sys.argv[2:])}))
