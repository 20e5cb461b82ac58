import re

import httpx
import pytest
from fastapi import FastAPI

from conversations import conversations
from paraqa import ui
from paraqa.ui.serving import POLICY, serve_page


@pytest.fixture(scope="module")
def app():
    app = FastAPI()

    @app.get("/api/health")
    def health() -> dict[str, bool]:
        return {"ok": True}

    return ui.mount(app, conversations())


@pytest.fixture
async def client(app):
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        yield client


async def test_routes_of_the_application_come_first(client):
    assert (await client.get("/api/health")).json() == {"ok": True}


async def test_the_page_is_served_under_its_policy_and_other_routes_are_not(client):
    page = await client.get("/")
    assert page.status_code == 200
    assert page.headers["content-security-policy"] == POLICY
    assert "content-security-policy" not in (await client.get("/api/health")).headers


def test_the_policy_names_no_host():
    assert not re.search(r"https?:|\*|//", POLICY)


async def test_the_page_carries_its_style_and_script(client):
    text = (await client.get("/config")).text
    assert "--pq-accent" in text
    assert "MutationObserver" in text


@pytest.mark.parametrize("path", ["/monitoring", "/monitoring/summary"])
async def test_nothing_is_monitored(client, path):
    assert (await client.get(path)).status_code in {403, 404}


async def test_files_of_the_machine_are_not_served(client, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("TOPSECRET")
    reply = await client.get(f"/gradio_api/file={secret}")
    assert reply.status_code in {403, 404}
    assert "TOPSECRET" not in reply.text


def test_no_component_takes_files():
    page = ui.build(conversations())
    kinds = {block.get_block_name() for block in page.blocks.values()}
    assert kinds.isdisjoint({"file", "uploadbutton", "image", "chatbot", "multimodaltextbox"})


async def test_the_check_of_file_paths_is_on():
    page = ui.build(conversations())
    assert not page.has_launched
    serve_page(FastAPI(), page)
    assert page.has_launched
