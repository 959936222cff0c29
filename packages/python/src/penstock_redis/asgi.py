"""Rate limits for Starlette and FastAPI."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from typing import TYPE_CHECKING, Any, Callable

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException, WebSocketException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .requests import Also, AnyLimit, RequestLimit, RequestOptions, Verdict, awaited_limit, header

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._async_transport import AsyncClient

__all__ = ["Also", "RateLimitMiddleware", "RateLimitedError", "header", "problem_response", "rate_limit"]

_TRY_AGAIN_LATER = 1013
# The status of a WebSocket that is accepted, and of one that is closed before.
_STATUS_OF_SOCKET = {"websocket.accept": 101, "websocket.close": 403}


class RateLimitMiddleware:
    """Limits an application's HTTP requests and WebSockets, for example with ``app.add_middleware(RateLimitMiddleware, redis, "api",
    "fixed-window:9/1s")``."""

    def __init__(
        self, app: ASGIApp, client: AsyncClient, policy: str, limit: AnyLimit | Mapping[str, AnyLimit], **options: Unpack[RequestOptions]
    ) -> None:
        self._app, self._limit = app, awaited_limit(client, policy, limit, options)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self._app(scope, receive, send)
        verdict = await _verdict(self._limit, HTTPConnection(scope))
        if verdict.refused and _can_be_answered(scope):
            return await _response(verdict)(scope, receive, send)
        if verdict.refused:
            return await send({"type": "websocket.close", "code": _TRY_AGAIN_LATER})

        async def with_fields(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.accept"):
                message.setdefault("headers", [])
                verdict.add_fields(MutableHeaders(scope=message))
            if status := message.get("status") or _STATUS_OF_SOCKET.get(message["type"]):
                await verdict.settle_async(status)
            await send(message)

        try:
            await self._app(scope, receive, with_fields)
        except Exception:
            # The outer layers answer it with a 500, unless a response has begun: then it is settled.
            await verdict.settle_async(500)
            raise


class RateLimitedError(HTTPException):
    """Raised for a rejected request. FastAPI and Starlette convert it to their own kind of response, with the exception's status and
    fields. To send the problem body instead, use ``problem_response``; a custom exception handler can read ``verdict``."""

    def __init__(self, verdict: Verdict) -> None:
        fields = {name: value for name, value in verdict.fields.items() if name != "Content-Type"}
        super().__init__(verdict.status, headers=fields)
        self.verdict = verdict


def rate_limit(
    client: AsyncClient, policy: str, limit: AnyLimit | Mapping[str, AnyLimit], **options: Unpack[RequestOptions]
) -> Callable[[HTTPConnection, Response], Awaitable[None]]:
    """Creates a dependency for FastAPI's ``Depends``, for a route, a router or an application. It raises ``RateLimitedError`` for a
    rejected request. A rejected WebSocket gets the same response, or close code 1013 if the ASGI server cannot send a response; an accepted
    WebSocket gets no fields. ``on_denied`` may return an ``HTTPException``, which is raised, or a response, which ``problem_response``
    sends."""
    own = awaited_limit(client, policy, limit, options)
    if own.charge_when:
        raise ValueError("charge_when must be given to a RateLimitMiddleware, as a dependency does not know the response")

    async def limited(connection: HTTPConnection, response: Response) -> None:
        verdict = await _verdict(own, connection)
        if not verdict.refused:
            response.headers.update(verdict.fields)
        elif isinstance(verdict.answer, HTTPException):
            verdict.answer.headers = {**verdict.fields, **(verdict.answer.headers or {})}
            raise verdict.answer
        elif not _can_be_answered(connection.scope):
            raise WebSocketException(_TRY_AGAIN_LATER)
        else:
            raise RateLimitedError(verdict)

    # FastAPI evaluates these, and would look up a postponed annotation elsewhere.
    limited.__annotations__ = {"connection": HTTPConnection, "response": Response, "return": None}
    return limited


async def problem_response(request: Request, error: Exception) -> Response:
    """An exception handler that sends the problem body of a rejected request. Register it with
    ``app.add_exception_handler(RateLimitedError, problem_response)``."""
    if not isinstance(error, RateLimitedError):
        raise error
    return _response(error.verdict)


async def _verdict(limit: RequestLimit, connection: HTTPConnection) -> Verdict:
    host = connection.client.host if connection.client else None
    return await limit.decide_async(connection, host, connection.headers.getlist("X-Forwarded-For"), connection.scope)


def _response(verdict: Verdict) -> Response:
    if isinstance(verdict.answer, Response):
        verdict.add_fields(verdict.answer.headers)
        return verdict.answer
    if verdict.answer is not None:
        raise TypeError(f"on_denied must return a response of Starlette: {verdict.answer!r}")
    return Response(verdict.body, verdict.status, dict(verdict.fields))


def _can_be_answered(scope: Scope) -> bool:
    return scope["type"] == "http" or "websocket.http.response" in (scope.get("extensions") or {})
