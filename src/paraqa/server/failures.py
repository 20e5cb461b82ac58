"""Errors as JSON, in the language that the request asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from paraqa import errors
from paraqa.errors import ParaqaError, ServerError
from paraqa.lang import LANGS
from paraqa.lang.text import say
from paraqa.types import Lang, Text, clean

if TYPE_CHECKING:
    from collections.abc import Mapping

_STATUSES: tuple[tuple[type[ParaqaError], int], ...] = (
    (errors.QuestionError, 422),
    (errors.StoreNotFound, 404),
    (errors.StoreBusy, 503),
    (errors.ModelUnavailable, 503),
)
_ABSENT = ("question.no_such_paper",)  # errors of a kind that is 422, but the thing is not there
_REFUSALS = {404: "server.not_found", 405: "server.not_allowed", 413: "server.too_large"}
_LONGEST_NAME = 100  # of a field that the client made up
# pydantic says these in English only.
_PROBLEMS = {
    "missing": "server.problem_missing",
    "extra_forbidden": "server.problem_unknown",
    "literal_error": "server.problem_choice",
    "greater_than_equal": "server.problem_bounds",
    "less_than_equal": "server.problem_bounds",
    "too_long": "server.problem_bounds",
    "string_too_long": "server.problem_bounds",
}


class Failure(BaseModel):
    """What went wrong: a name for programs, a sentence and a next step for people."""

    key: str
    message: Text
    hint: Text


class FailureBody(BaseModel):
    """The body of every response that is an error."""

    error: Failure


def told(error: ParaqaError, lang: Lang) -> FailureBody:
    """An error as a record, in a language."""
    failure = Failure(key=error.key, message=error.message(lang), hint=error.hint(lang))
    return FailureBody(error=failure)


def response(error: ParaqaError, lang: Lang, *, status: int | None = None) -> Response:
    """An error as a response, by default with the status of its kind."""
    if status is None:
        status = _status(error)
    body = told(error, lang).model_dump_json()
    return Response(body, status_code=status, media_type="application/json")


def _status(error: ParaqaError) -> int:
    if error.key in _ABSENT:
        return 404
    return next((code for kind, code in _STATUSES if isinstance(error, kind)), 500)


def reader(request: Request) -> Lang:
    """The language that the request asks for, English if it asks for none of ours."""
    return _preferred(request.headers)


def _preferred(headers: Mapping[str, str]) -> Lang:
    asked = dict.fromkeys(LANGS, 0.0)
    for wish in headers.get("accept-language", "").split(","):
        tag, _, weight = wish.partition(";")
        for lang in LANGS:
            if tag.strip().lower().split("-")[0] == lang:
                asked[lang] = max(asked[lang], _weight(weight))
    return max(asked, key=lambda lang: asked[lang])  # the first of equals: English


def _weight(text: str) -> float:
    try:
        return float(text.strip().removeprefix("q=") or 1)
    except ValueError:
        return 0.0


def install(app: FastAPI) -> None:
    """Make every error of the application one of ours."""

    @app.exception_handler(ParaqaError)
    async def failed(request: Request, error: ParaqaError) -> Response:
        return response(error, reader(request))

    @app.exception_handler(RequestValidationError)
    async def unfit(request: Request, error: RequestValidationError) -> Response:
        lang = reader(request)
        if _is_in_body(error) and (not _is_json(request) or _is_broken(error)):
            return response(ServerError("server.not_json"), lang, status=400)
        return response(_misfit(error, lang), lang, status=422)

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> Response:
        # 400 is what FastAPI makes of a body that it cannot decode.
        key = _REFUSALS.get(error.status_code, "server.not_json")
        return response(ServerError(key), reader(request), status=error.status_code)

    @app.exception_handler(Exception)
    async def broken(request: Request, _: Exception) -> Response:
        # Starlette raises it again once this is sent, and the server logs its traceback.
        return response(ServerError("server.broken"), reader(request), status=500)


def _misfit(error: RequestValidationError, lang: Lang) -> ServerError:
    first = error.errors()[0]
    field = clean(".".join(str(part) for part in first["loc"][1:]))[:_LONGEST_NAME] or "body"
    problem = say(_PROBLEMS.get(first["type"], "server.problem_other"), lang)
    return ServerError("server.misfit", field=field, problem=problem)


def _is_in_body(error: RequestValidationError) -> bool:
    where: str = error.errors()[0]["loc"][0]
    return where == "body"


def _is_broken(error: RequestValidationError) -> bool:
    kind: str = error.errors()[0]["type"]
    return kind == "json_invalid"


def _is_json(request: Request) -> bool:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind == "application/json" or kind.endswith("+json")
