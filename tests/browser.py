"""Finds the browser that the tests of the page drive, and gets one where there is none.

python tests/browser.py            says which browser the tests would use
python tests/browser.py --install  gets one if there is none
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

VARIABLE = "CHROMIUM_PATH"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC = (
    Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
    Path("/Applications/Chromium.app/Contents/MacOS/Chromium"),
)
MISSING = (
    "No browser for the tests of the page. Run `python tests/browser.py --install`, "
    f"or set {VARIABLE} to a Chromium or Chrome on this machine."
)
# Sandbox and GPU are not to be had in most containers; the rest keeps the browser from making
# requests of its own.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find_browser() -> Path | None:
    """The browser: the one named in CHROMIUM_PATH, one on this machine, or Playwright's own."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named) if Path(named).is_file() else None
    return next((place for place in _places() if place.is_file()), None)


def _places() -> Iterator[Path]:
    yield from (Path(place) for place in map(shutil.which, NAMES) if place)
    yield from MAC
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        yield Path(playwright.chromium.executable_path)


def install() -> None:
    """Get a browser: Debian's package where that is allowed, else Playwright's own."""
    attempts = [[sys.executable, "-m", "playwright", "install", "chromium"]]
    if _is_root_on_debian():
        # First, since a mirror of the packages is usually near when the browser's host is not.
        packages = ["chromium", "fonts-noto-cjk"]
        attempts.insert(0, ["apt-get", "install", "--yes", "--no-install-recommends", *packages])
        subprocess.run(["apt-get", "update"], check=False)
    for command in attempts:
        subprocess.run(command, check=False)
        if find_browser() is not None:
            return


def _is_root_on_debian() -> bool:
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or not shutil.which("apt-get"):
        return False
    return platform.freedesktop_os_release().get("ID") == "debian"


def main() -> int:
    """Say which browser there is; with `--install`, get one first if there is none."""
    if find_browser() is None and "--install" in sys.argv[1:]:
        install()
    place = find_browser()
    print(place or MISSING, file=sys.stdout if place else sys.stderr)
    return 0 if place else 1


if __name__ == "__main__":
    raise SystemExit(main())
