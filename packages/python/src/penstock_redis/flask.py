"""Limits for Flask."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Callable, Optional

from flask import Flask, Response, after_this_request, current_app, make_response, request

from .requests import Also, AnyLimit, RequestLimit, RequestOptions, Verdict, blocking_limit, header

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._blocking_transport import BlockingClient

__all__ = ["Also", "header", "limit_app", "rate_limit"]

View = Callable[..., Any]


def rate_limit(
    client: BlockingClient, policy: str, limit: AnyLimit | Mapping[str, AnyLimit], **options: Unpack[RequestOptions]
) -> Callable[[View], View]:
    """Creates a decorator for views, to be placed below ``@app.get("/")``."""
    own = blocking_limit(client, policy, limit, options)

    def decorator(view: View) -> View:
        @functools.wraps(view)
        def limited(*args: Any, **named: Any) -> Any:
            verdict = _verdict(own)
            if verdict.refused:
                return _response(verdict)
            return _with_fields(verdict, make_response(current_app.ensure_sync(view)(*args, **named)))

        return limited

    return decorator


def limit_app(
    app: Flask, client: BlockingClient, policy: str, limit: AnyLimit | Mapping[str, AnyLimit], **options: Unpack[RequestOptions]
) -> None:
    """Limits all requests to an application, including requests that match no route."""
    own, name = blocking_limit(client, policy, limit, options), f"penstock {policy}"

    @app.before_request
    def refused() -> Optional[Response]:
        if _is_preflight_without_view():
            return None
        verdict = request.environ[name] = _verdict(own)
        return _response(verdict) if verdict.refused else None

    @app.after_request
    def with_fields(response: Response) -> Response:
        return _with_fields(request.environ.get(name, Verdict()), response)


def _is_preflight_without_view() -> bool:
    """Returns whether Flask itself answers this preflight request; an extension may then add the CORS fields to the answer."""
    asks = "Origin" in request.headers and "Access-Control-Request-Method" in request.headers
    return request.method == "OPTIONS" and asks and getattr(request.url_rule, "provide_automatic_options", False) is True


def _verdict(limit: RequestLimit) -> Verdict:
    verdict = limit.decide(request, request.remote_addr, request.headers.getlist("X-Forwarded-For"), request.environ)

    def settled(response: Response) -> Response:
        verdict.settle(response.status_code)
        return response

    if verdict.held:
        after_this_request(settled)
    return verdict


def _response(verdict: Verdict) -> Response:
    if verdict.answer is not None:
        return _with_fields(verdict, make_response(verdict.answer))
    return Response(verdict.body, verdict.status, dict(verdict.fields))


def _with_fields(verdict: Verdict, response: Response) -> Response:
    verdict.add_fields(response.headers)
    return response
