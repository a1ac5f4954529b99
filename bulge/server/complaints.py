"""Whatever goes wrong, said to the client in words, never with the program's insides."""

from __future__ import annotations

import logging
from typing import Any

import msgspec
from litestar import MediaType, Request, Response
from litestar.exceptions import (
    ClientException,
    HTTPException,
    InternalServerException,
    SerializationException,
    ValidationException,
)
from litestar.openapi.datastructures import ResponseSpec
from litestar.status_codes import HTTP_400_BAD_REQUEST, HTTP_500_INTERNAL_SERVER_ERROR
from sqlalchemy.exc import DBAPIError

from bulge.core.errors import BulgeError
from bulge.server.errors import (
    FAULT,
    Busy,
    Full,
    NotAllowed,
    NotSignedIn,
    Stale,
    TooOften,
    Unknown,
    Unreachable,
    WrongToken,
    words_of,
)

log = logging.getLogger("bulge.server")

DATA_EXCEPTION = "22"
"""How the numbers of such errors begin in SQL."""
STATUS: dict[type[BulgeError], int] = {
    Unknown: 404,
    WrongToken: 403,
    NotAllowed: 403,
    Full: 403,
    Stale: 409,
    Busy: 503,
    Unreachable: 503,
    TooOften: 429,
    NotSignedIn: 401,
}


class Complaint(msgspec.Struct, frozen=True):
    """What every refusal looks like."""

    words: str
    rule: str | msgspec.UnsetType = msgspec.UNSET


REFUSALS = {
    status: ResponseSpec(Complaint, description=words, generate_examples=False)
    for status, words in (
        (400, "not allowed, or not understood"),
        (401, "sign in first"),
        (403, "this token does not open this match, or no more is allowed"),
        (404, "not there"),
        (413, "too large"),
        (429, "too often; try again later"),
        (503, "too much at once; try again"),
    )
}
"""For the description of the interface."""


class Asked(Request[Any, Any, Any]):
    """What somebody sends; if it cannot be read, that is the sender's fault."""

    async def body(self) -> bytes:
        try:
            return await super().body()
        except InternalServerException:
            raise ClientException("the request was broken off") from None

    async def json(self) -> Any:
        try:
            return await super().json()
        except UnicodeError:
            raise SerializationException("the request is not written in UTF-8") from None
        except RecursionError:
            raise SerializationException("the request is nested too deep") from None


def _answer(
    content: dict[str, str], status: int, headers: dict[str, str] | None = None
) -> Response[dict[str, str]]:
    return Response(content, status_code=status, media_type=MediaType.JSON, headers=headers)


def on_bulge_error(_: Request[Any, Any, Any], error: BulgeError) -> Response[dict[str, str]]:
    again = {"Retry-After": str(error.seconds)} if isinstance(error, TooOften) and error.seconds else None
    return _answer(words_of(error), STATUS.get(type(error), HTTP_400_BAD_REQUEST), again)


def on_http_error(_: Request[Any, Any, Any], error: HTTPException) -> Response[dict[str, str]]:
    words = str(error.detail)
    if isinstance(error, ValidationException) and isinstance(error.extra, list):
        found = [f"{each.get('key', 'the request')}: {each.get('message', '')}" for each in error.extra]
        words = "; ".join(found) or words
    if error.status_code >= HTTP_500_INTERNAL_SERVER_ERROR:
        log.error("a request failed", exc_info=error)
        words = FAULT
    return _answer({"words": words}, error.status_code)


def on_fault(_: Request[Any, Any, Any], error: Exception) -> Response[dict[str, str]]:
    log.error("a request failed", exc_info=error)
    return _answer({"words": FAULT}, HTTP_500_INTERNAL_SERVER_ERROR)


def on_database_error(request: Request[Any, Any, Any], error: DBAPIError) -> Response[dict[str, str]]:
    """What PostgreSQL cannot keep (a zero sign, say) is the sender's fault; anything else is ours."""
    if str(getattr(error.orig, "sqlstate", "")).startswith(DATA_EXCEPTION):
        return _answer({"words": "this holds a sign or a number that cannot be kept"}, HTTP_400_BAD_REQUEST)
    return on_fault(request, error)


HANDLERS: dict[int | type[Exception], Any] = {
    BulgeError: on_bulge_error,
    HTTPException: on_http_error,
    DBAPIError: on_database_error,
    Exception: on_fault,
}
