"""The routes, and what they take and give."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager
from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import FastAPI, Header, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from paraqa import __version__
from paraqa.errors import ParaqaError, QuestionError
from paraqa.events import gather
from paraqa.server import failures
from paraqa.server.guard import Guard
from paraqa.server.streams import EventStream, attended
from paraqa.types import Answer, Hit, Lang, Paper, SearchResult, Turn, clean

if TYPE_CHECKING:
    from paraqa.events import AskEvent
    from paraqa.library import Library

_MODELS = ("auto", "local", "extractive")
_LARGEST_K = 1000  # the bound of the setting `retrieval.k`
_LONGEST_ID = 1000  # characters
_HITS = TypeAdapter(tuple[Hit, ...])
_log = logging.getLogger(__name__)


class SearchBody(BaseModel):
    """What `POST /api/search` takes."""

    model_config = ConfigDict(extra="forbid")

    question: str
    lang: Literal["auto", "en", "zh"] = "auto"
    k: int | None = Field(None, ge=1, le=_LARGEST_K)
    history: tuple[Turn, ...] = Field((), max_length=100)

    @property
    def answer_lang(self) -> Lang | None:
        """The language that was set; None where the question decides."""
        return None if self.lang == "auto" else self.lang


class AskBody(SearchBody):
    """What `POST /api/ask` takes; with `stream` the answer comes as server-sent events."""

    llm: str | None = None
    stream: bool = False


class Health(BaseModel):
    """What `GET /healthz` gives."""

    status: Literal["ok"] = "ok"
    papers: int
    model: str


def create_app(library: Library) -> FastAPI:
    """The HTTP interface over a library, which the caller closes."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        preparing = asyncio.create_task(_prepare(library))
        yield
        preparing.cancel()
        await asyncio.wait([preparing])

    # The pages that FastAPI would draw of the interface fetch scripts from another host.
    app = FastAPI(
        title="paraqa",
        version=__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.add_middleware(Guard)
    failures.install(app)
    _add_asking(app, library)
    _add_looking(app, library)
    return app


def _add_asking(app: FastAPI, library: Library) -> None:
    @app.post("/api/ask", response_model=Answer)
    async def ask(
        body: AskBody, request: Request, accept: Annotated[str, Header()] = ""
    ) -> Response:
        """The answer to a question; with `stream`, its events as they happen."""
        stream = library.ask(
            body.question,
            lang=body.answer_lang,
            llm=_allowed(body.llm, library),
            history=body.history,
            k=body.k,
        )
        if body.stream or EventStream.media_type in accept:
            return await EventStream.over(stream, failures.reader(request))
        return _json(await attended(request, _gathered(stream)))

    @app.post("/api/search", response_model=SearchResult)
    async def search(body: SearchBody, request: Request) -> Response:
        """The papers that match a question, best first."""
        work = library.search(body.question, k=body.k, lang=body.answer_lang, history=body.history)
        return _json(await attended(request, work))

    @app.get("/api/similar", response_model=list[Hit])
    async def similar(
        request: Request,
        paper: Annotated[str, Query(max_length=_LONGEST_ID)],
        k: Annotated[int | None, Query(ge=1, le=_LARGEST_K)] = None,
    ) -> Response:
        """The papers most like one, which its id names, best first."""
        hits = await attended(request, library.similar(paper, k=k))
        return Response(_HITS.dump_json(hits), media_type="application/json")


def _add_looking(app: FastAPI, library: Library) -> None:
    @app.get("/api/papers")
    async def papers() -> list[Paper]:
        """All papers, in the order of their listings."""
        return await asyncio.to_thread(library.papers)

    @app.get("/healthz")
    async def health() -> Health:
        """That the server is up, over how many papers, and which model writes."""
        count = await asyncio.to_thread(library.count)
        return Health(papers=count, model=library.model_name())


async def _gathered(stream: AsyncGenerator[AskEvent]) -> Answer:
    async with aclosing(stream) as events:
        return gather([event async for event in events])


async def _prepare(library: Library) -> None:
    # The first question would wait for the local model; the page shows how far it is.
    try:
        async with aclosing(library.prepare()) as steps:
            async for _ in steps:
                pass
    except ParaqaError as error:
        _log.warning("%s", error)


def _allowed(llm: str | None, library: Library) -> str | None:
    """The model, where it is one that a request may choose.

    Of endpoints only the configured one: a request must not turn the server to another.
    """
    configured = library.settings.llm.model
    known = tuple(dict.fromkeys((*_MODELS, configured)))
    if llm is None or llm in known:
        return llm
    raise QuestionError("server.model_refused", name=clean(llm)[:100], known=", ".join(known))


def _json(record: Answer | SearchResult) -> Response:
    # Written by the record itself: FastAPI would check and copy each field once more.
    return Response(record.model_dump_json(), media_type="application/json")
