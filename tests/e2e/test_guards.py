"""What hostile text, other readers and forged requests must not do."""

from __future__ import annotations

import json

import httpx
import pytest
from playwright.sync_api import expect

from conversations import ATTACK, HOSTILE, chinese, conversations, english
from scripted_library import Gate, ScriptedLibrary
from served_page import ask

pytestmark = pytest.mark.e2e


def test_hostile_text_is_shown_and_does_nothing(serve, open_page):
    page = open_page(serve(conversations()))
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    ask(page, HOSTILE)
    expect(page.locator("#current .finished")).to_be_visible()
    expect(page.locator("#current .question")).to_have_text(HOSTILE)
    expect(page.locator("#t1-1 h3")).to_have_text(f"Wicked {ATTACK}")
    assert page.locator("#desk :is(img, script, iframe, object, video, audio)").count() == 0
    assert page.locator("#current .cite").count() == 1  # [7] in the text is text
    page.locator("#current .cite").click()
    assert page.title() == "paraqa"


def test_two_readers_at_once_do_not_mix(serve, open_page):
    gates = {"one": Gate(), "two": Gate()}
    library = ScriptedLibrary(
        scripts={
            "one": english(before_last=gates["one"]),
            "two": [*chinese()[:4], gates["two"], *chinese()[4:]],
        }
    )
    address = serve(library)
    pages = {name: open_page(address, locale="en-US") for name in gates}
    for name, page in pages.items():
        ask(page, name)
    assert all(gate.reached.wait(5) for gate in gates.values())
    pages["two"].get_by_role("radio", name="中文").check()
    for gate in gates.values():
        gate.open()
    for name, page in pages.items():
        expect(page.locator("#current .finished")).to_be_visible()
        expect(page.locator(".question")).to_have_text([name])
    expect(pages["one"].locator("#current .opening")).to_contain_text("Three of the papers")
    expect(pages["two"].locator("#current .opening")).to_contain_text("三篇")
    expect(pages["one"].locator("#current .status")).to_contain_text("sentences")
    expect(pages["two"].locator("#current .status")).to_contain_text("句")


def test_a_forged_file_path_is_not_read(serve, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("TOPSECRET")
    forged = {"path": str(secret), "meta": {"_type": "gradio.FileData"}}
    address = serve(conversations())
    config = httpx.get(address + "config").json()
    tried = 0
    for number, event in enumerate(config["dependencies"]):
        session = f"forged{number}"
        body = {
            "fn_index": event["id"],
            "data": [forged for _ in event["inputs"]],
            "session_hash": session,
        }
        with httpx.Client(base_url=address, timeout=10) as client:
            if client.post("gradio_api/queue/join", json=body).status_code != 200:
                continue
            told = _messages(client, session)
        assert "TOPSECRET" not in told
        assert "gradio_api/file=" not in told  # nor was it copied to where files are served
        tried += 1
    assert tried >= 5


def _messages(client: httpx.Client, session: str) -> str:
    lines = []
    with client.stream("GET", f"gradio_api/queue/data?session_hash={session}") as reply:
        for line in reply.iter_lines():
            lines.append(line)
            if line.startswith("data:") and json.loads(line[5:])["msg"] == "process_completed":
                break
    return "\n".join(lines)
