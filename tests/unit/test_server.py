import asyncio
import json
import socket
import threading
import time
from collections.abc import AsyncGenerator
from contextlib import contextmanager

import httpx
import pytest
import uvicorn

from paraqa.errors import (
    ModelNotFound,
    ModelUnavailable,
    QuestionError,
    SettingsError,
    StoreBusy,
    StoreMismatch,
    StoreNotFound,
)
from paraqa.events import Delta, Preparing
from paraqa.server import create_app
from paraqa.server.guard import LARGEST_BODY
from paraqa.server.listening import address, is_loopback, listen
from paraqa.server.streams import EventStream
from paraqa.settings import load
from paraqa.types import Answer, Hit, Paper, SearchResult
from scripted_library import Gate, covering
from whole_library import ANSWER, BREADTH, HITS, MERAK, QUESTION, RESULT, WholeLibrary

ADDRESS = "http://127.0.0.1"


def client(library=None, **options) -> httpx.AsyncClient:
    app = create_app(library or WholeLibrary(default=ANSWER))
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url=ADDRESS, **options)


async def ask(library=None, **body) -> httpx.Response:
    async with client(library) as http:
        return await http.post("/api/ask", json={"question": QUESTION, **body})


def events(text: str) -> list[tuple[str, dict]]:
    found = []
    for block in text.strip().split("\n\n"):
        kind, data = block.split("\n")
        found.append((kind.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


async def test_an_answer_is_the_record_of_the_command_line():
    response = await ask()
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    assert Answer.model_validate_json(response.content) == ANSWER[-1].answer


async def test_every_field_of_the_request_reaches_the_library():
    library = WholeLibrary(default=ANSWER)
    turn = {"role": "user", "text": "before", "cited": ["arxiv:1"]}
    await ask(library, lang="zh", llm="extractive", k=3, history=[turn])
    assert library.asked_with == ("zh", 3)
    assert library.asked[0].llm == "extractive"
    assert library.asked[0].history[0].cited == ("arxiv:1",)


async def test_a_search_gives_the_query_and_the_hits():
    library = WholeLibrary()
    async with client(library) as http:
        response = await http.post("/api/search", json={"question": QUESTION, "k": 2})
    assert SearchResult.model_validate_json(response.content).hits == HITS
    assert library.searched == (QUESTION, 2)


async def test_a_search_says_what_of_the_corpus_it_stands_on():
    coverage = covering(2, eligible=12, strength="weak")
    library = WholeLibrary(result=RESULT.model_copy(update={"coverage": coverage}))
    async with client(library) as http:
        response = await http.post("/api/search", json={"question": QUESTION})
    assert response.json()["coverage"] == {
        "papers": 54,
        "eligible": 12,
        "matching": 2,
        "strength": "weak",
    }


async def test_the_papers_most_like_one_are_hits():
    library = WholeLibrary()
    async with client(library) as http:
        response = await http.get("/api/similar", params={"paper": BREADTH.id, "k": 3})
    assert response.headers["content-type"] == "application/json"
    [hit] = [Hit.model_validate(record) for record in response.json()]
    assert (hit.paper, library.searched) == (MERAK, (BREADTH.id, 3))


@pytest.mark.parametrize(
    ("wish", "message"),
    [("en", "The library has no paper with the id nobody."), ("zh", "文献库中没有标识为 nobody")],
)
async def test_a_paper_that_is_not_there_is_404_in_the_form_of_every_error(wish, message):
    async with client(headers={"Accept-Language": wish}) as http:
        response = await http.get("/api/similar", params={"paper": "no\x1bbody"})
    assert response.status_code == 404
    error = response.json()["error"]
    assert error["key"] == "question.no_such_paper"
    assert error["message"].startswith(message)
    assert error["hint"]


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("?k=3", "The field 'paper' of the request is missing."),
        ("?paper=x&k=0", "The field 'k' of the request is out of bounds."),
        ("?paper=x&k=1001", "The field 'k' of the request is out of bounds."),
        ("?paper=x&k=many", "The field 'k' of the request has a value of the wrong kind."),
        ("?paper=" + "x" * 1001, "The field 'paper' of the request is out of bounds."),
    ],
)
async def test_an_address_that_does_not_fit_is_explained(address, message):
    library = WholeLibrary()
    async with client(library) as http:
        response = await http.get("/api/similar" + address)
    assert response.status_code == 422
    assert response.json()["error"]["message"] == message
    assert library.searched is None


async def test_the_guard_stands_before_the_similar_papers_too():
    library = WholeLibrary()
    async with client(library, headers={"Host": "evil.example"}) as http:
        response = await http.get("/api/similar", params={"paper": BREADTH.id})
    assert response.status_code == 421
    assert library.searched is None


async def test_the_papers_are_listed():
    async with client() as http:
        response = await http.get("/api/papers")
    assert [Paper.model_validate(record) for record in response.json()] == [BREADTH, MERAK]


async def test_health_says_how_many_papers_and_which_model():
    async with client() as http:
        response = await http.get("/healthz")
    assert response.json() == {"status": "ok", "papers": 2, "model": "local"}


@pytest.mark.parametrize(
    ("body", "headers"), [({"stream": True}, {}), ({}, {"Accept": "text/event-stream"})]
)
async def test_a_stream_holds_every_event_in_order(body, headers):
    async with client(headers=headers) as http:
        response = await http.post("/api/ask", json={"question": QUESTION, **body})
    assert response.headers["content-type"].startswith("text/event-stream")
    sent = events(response.text)
    assert [kind for kind, _ in sent] == [event.kind for event in ANSWER]
    assert sent[-1][1] == json.loads(ANSWER[-1].model_dump_json())


async def test_a_line_break_or_separator_in_a_text_does_not_break_the_stream():
    delta = Delta(number=1, text="a\r\nevent: x\n\ndata: y\u2028z")
    response = await ask(WholeLibrary(default=[ANSWER[0], delta, ANSWER[-1]]), stream=True)
    assert events(response.text)[1] == ("delta", json.loads(delta.model_dump_json()))


async def test_an_error_before_the_first_event_has_its_status_in_a_stream_too():
    response = await ask(WholeLibrary(default=[StoreNotFound("server.not_found")]), stream=True)
    assert response.status_code == 404
    assert set(response.json()["error"]) == {"key", "message", "hint"}


async def test_an_error_in_the_middle_of_a_stream_is_its_last_event():
    failing = WholeLibrary(default=[*ANSWER[:2], ModelUnavailable("server.broken")])
    kind, data = events((await ask(failing, stream=True)).text)[-1]
    assert kind == "error"
    assert data["error"]["key"] == "server.broken"


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (QuestionError("server.broken"), 422),
        (StoreNotFound("server.broken"), 404),
        (StoreBusy("server.broken"), 503),
        (ModelUnavailable("server.broken"), 503),
        (ModelNotFound("server.broken"), 500),
        (StoreMismatch("server.broken"), 500),
        (RuntimeError("a secret path"), 500),
    ],
)
async def test_each_error_has_its_status_and_says_what_to_do(error, status):
    response = await ask(WholeLibrary(default=[error]))
    assert response.status_code == status
    assert response.json()["error"]["key"] == "server.broken"
    assert response.json()["error"]["hint"]
    assert "secret" not in response.text


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ("", "There is nothing at this address."),
        ("zh-CN,zh;q=0.9,en;q=0.8", "该地址不存在任何内容。"),
        ("en;q=0.5, zh", "该地址不存在任何内容。"),
        ("en-GB, zh;q=0.9", "There is nothing at this address."),
        ("fr, *;q=0.1", "There is nothing at this address."),
        ("zh;q=none", "There is nothing at this address."),
    ],
)
async def test_an_error_is_in_the_language_that_the_request_prefers(wish, message):
    async with client(headers={"Accept-Language": wish}) as http:
        response = await http.get("/api/nothing")
    assert response.status_code == 404
    assert response.json()["error"]["message"] == message


@pytest.mark.parametrize(
    ("content", "key"),
    [
        (b"", "server.misfit"),
        (b"not json", "server.not_json"),
        (b'{"question": "a\x00b"}', "server.not_json"),
        (b"\xff\xfe", "server.not_json"),
        (b'{"question": ' + b"[" * 100_000, "server.not_json"),
        (b'{"k": ' + b"1" * 5000 + b"}", "server.not_json"),
        (b"[]", "server.misfit"),
        (b"{}", "server.misfit"),
        (b'{"question": 5}', "server.misfit"),
        (b'{"question": "x", "k": 0}', "server.misfit"),
        (b'{"question": "x", "lang": "fr"}', "server.misfit"),
        (b'{"question": "x", "store": "/etc"}', "server.misfit"),
        (b'{"question": "x", "history": [{"role": "system", "text": ""}]}', "server.misfit"),
        (b'{"question": "x", "\\ud800\\u001b[31m": 1}', "server.misfit"),
    ],
)
async def test_a_body_that_does_not_fit_is_explained_in_both_languages(content, key):
    for lang in ("en", "zh"):
        headers = {"Content-Type": "application/json", "Accept-Language": lang}
        async with client(headers=headers) as http:
            response = await http.post("/api/ask", content=content)
        assert response.status_code in (400, 422)
        error = response.json()["error"]
        assert error["key"] == key
        assert error["hint"]
        assert "\x1b" not in error["message"]


async def test_the_field_that_does_not_fit_is_named():
    response = await ask(k=0)
    assert response.json()["error"]["message"] == "The field 'k' of the request is out of bounds."


async def test_a_page_of_another_site_cannot_post_without_asking_the_browser():
    # A form of another site may send text/plain without a preflight request.
    async with client(headers={"Content-Type": "text/plain"}) as http:
        response = await http.post("/api/ask", content=b'{"question": "x"}')
    assert response.status_code == 400
    assert "access-control-allow-origin" not in response.headers


@pytest.mark.parametrize("is_chunked", [False, True])
async def test_an_oversized_body_is_refused_unread(is_chunked):
    library = WholeLibrary(default=ANSWER)
    sent = 0

    async def chunks() -> AsyncGenerator[bytes]:
        nonlocal sent
        for _ in range(160):
            sent += 65536
            yield b" " * 65536

    content = chunks() if is_chunked else b" " * 10_485_760
    async with client(library, headers={"Content-Type": "application/json"}) as http:
        response = await http.post("/api/ask", content=content)
    assert response.status_code == 413
    assert response.json()["error"]["key"] == "server.too_large"
    assert sent <= LARGEST_BODY + 65536
    assert library.asked == []


@pytest.mark.parametrize(
    ("host", "is_ours"),
    [
        ("127.0.0.1:7860", True),
        ("localhost", True),
        ("[::1]:7860", True),
        ("evil.example:7860", False),
        ("127.0.0.1.evil.example", False),
        ("localhost@evil.example", False),
        ("[", False),
        ("", False),
    ],
)
async def test_a_request_for_another_host_is_refused(host, is_ours):
    async with client(headers={"Host": host}) as http:
        response = await http.get("/healthz")
    assert response.status_code == (200 if is_ours else 421)
    if not is_ours:
        assert response.json()["error"]["key"] == "server.wrong_host"


@pytest.mark.parametrize("llm", ["openai:gpt", "openai:http://evil/v1", "os:system", "", "\x1b"])
async def test_a_request_cannot_choose_an_endpoint(llm):
    library = WholeLibrary(default=ANSWER)
    response = await ask(library, llm=llm)
    assert response.status_code == 422
    assert response.json()["error"]["key"] == "server.model_refused"
    assert library.asked == []


async def test_the_configured_model_can_be_chosen():
    library = WholeLibrary(default=ANSWER, settings=load(llm={"model": "openai:ours"}))
    assert (await ask(library, llm="openai:ours")).status_code == 200
    assert (await ask(library, llm="openai:other")).status_code == 422


async def test_the_description_is_there_and_no_page_that_fetches_from_elsewhere():
    async with client() as http:
        described = await http.get("/api/openapi.json")
        pages = [await http.get(path) for path in ("/docs", "/redoc", "/api/docs")]
    assert set(described.json()["paths"]) == {
        "/api/ask",
        "/api/search",
        "/api/similar",
        "/api/papers",
        "/healthz",
    }
    assert [page.status_code for page in pages] == [404, 404, 404]


@contextmanager
def served(library):
    """The application behind a real server; its address."""
    config = uvicorn.Config(create_app(library), log_level="warning")
    server = uvicorn.Server(config)
    with listen("127.0.0.1", 0) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield address(listener)
        finally:
            server.should_exit = True
            thread.join(timeout=30)


def until(is_true) -> bool:
    end = time.monotonic() + 10
    while not is_true() and time.monotonic() < end:
        time.sleep(0.01)
    return is_true()


@pytest.mark.parametrize("stream", [True, False])
def test_a_client_that_hangs_up_stops_the_library(stream):
    gate = Gate()
    library = WholeLibrary(default=[*ANSWER[:3], gate, *ANSWER[3:]])
    with served(library) as url:
        with _asking(url, {"question": QUESTION, "stream": stream}):
            assert gate.reached.wait(10)
            assert library.asked[0].ended == "running"
        assert until(lambda: library.asked[0].ended == "closed")


async def test_a_client_that_hangs_up_without_having_read_stops_the_library():
    library = WholeLibrary(default=ANSWER)
    response = await EventStream.over(library.ask(QUESTION), "en")

    async def send(_):
        await asyncio.Event().wait()

    async def receive():
        await asyncio.sleep(0.01)
        return {"type": "http.disconnect"}

    await response({"type": "http", "asgi": {"spec_version": "2.3"}}, receive, send)
    assert library.asked[0].ended == "closed"


def _asking(url, body) -> socket.socket:
    content = json.dumps(body).encode()
    connection = socket.create_connection(("127.0.0.1", httpx.URL(url).port), timeout=10)
    connection.sendall(
        b"POST /api/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n%b" % (len(content), content)
    )
    return connection


def test_the_first_events_arrive_while_the_answer_is_written():
    gate = Gate()
    library = WholeLibrary(default=[*ANSWER[:2], gate, *ANSWER[2:]])
    body = {"question": QUESTION, "stream": True}
    with (
        served(library) as url,
        httpx.stream("POST", url + "/api/ask", json=body, timeout=10) as response,
    ):
        lines = response.iter_lines()
        assert next(lines) == "event: understood"
        assert gate.reached.wait(10)
        gate.open()
        assert [line for line in lines if line.startswith("event: ")][-1] == "event: finished"


def test_health_answers_while_an_answer_is_written():
    gate = Gate()
    library = WholeLibrary(default=[*ANSWER[:2], gate, *ANSWER[2:]])
    with served(library) as url, _asking(url, {"question": QUESTION}) as connection:
        assert gate.reached.wait(10)
        assert httpx.get(url + "/healthz", timeout=10).json()["status"] == "ok"
        gate.open()
        assert connection.recv(15) == b"HTTP/1.1 200 OK"
    assert library.asked[0].ended == "finished"


@pytest.mark.parametrize("ending", [Preparing(step="ready"), ModelNotFound("server.broken")])
def test_the_local_model_is_prepared_from_the_start_and_its_failure_is_survived(ending, caplog):
    library = WholeLibrary(preparation=[Preparing(step="loading"), ending])
    with served(library) as url:
        assert until(lambda: "prepare" in library.calls)
        assert httpx.get(url + "/healthz").status_code == 200
    assert ("went wrong" in caplog.text) == isinstance(ending, ModelNotFound)


async def test_preparing_stops_with_the_server():
    class Endless(WholeLibrary):
        async def prepare(self):
            try:
                yield Preparing(step="loading")
                await asyncio.Event().wait()
            finally:
                self.calls.append("stopped")

    library = Endless()
    app = create_app(library)
    async with app.router.lifespan_context(app):
        await asyncio.sleep(0)
    assert library.calls == ["stopped"]


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost", "LOCALHOST"])
def test_loopback_has_many_names(host):
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.1", "example.org", "", "127.1"])  # noqa: S104
def test_no_other_host_is_loopback(host):
    assert not is_loopback(host)
    with pytest.raises(SettingsError, match="not an address of this machine alone"):
        listen(host, 0)


def test_the_address_is_what_a_browser_opens():
    with listen("localhost", 0) as listener:
        port = listener.getsockname()[1]
        assert address(listener) == f"http://127.0.0.1:{port}"
    if socket.has_ipv6:
        with listen("::1", 0) as listener:
            assert address(listener).startswith("http://[::1]:")
