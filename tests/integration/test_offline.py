"""Everything works with the network cut: a network namespace that has loopback only."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CUT = Path(__file__).with_name("cut.py")


def run_cut(script: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a Python script where only loopback exists."""
    unshare = shutil.which("unshare")
    if unshare is None or sys.platform != "linux":
        if os.environ.get("CI"):
            pytest.fail("unshare (util-linux) is missing, so that the network cannot be cut")
        pytest.skip("the network can only be cut on Linux with unshare")
    command = [unshare, "--map-root-user", "--net", sys.executable, str(CUT), script, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, cwd=cwd)


@pytest.mark.integration
def test_ingest_search_and_ask_need_no_network(tmp_path):
    done = run_cut("command_line", str(ROOT / "seeds"), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout.splitlines()[-1])
    assert seen["network"] == "unreachable"
    assert seen["papers"] == 54
    assert len(seen["hits"]) == 8
    assert seen["extractive"] == "answered"
    assert seen["local"] == "answered"
    assert seen["model"] != "extractive"


@pytest.mark.integration
@pytest.mark.e2e
def test_the_page_needs_no_network(tmp_path, seed_store):
    store = shutil.copytree(seed_store, tmp_path / "store")
    done = run_cut("page", str(store), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout.splitlines()[-1])
    assert seen["network"] == "unreachable"
    assert seen["cards"] == 8
    assert seen["links"] > 0
    assert seen["outside"] == []
