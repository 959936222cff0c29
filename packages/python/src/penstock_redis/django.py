"""Limits for Django, and throttles for its REST framework."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction, sync_to_async
from django.http import HttpResponse  # type: ignore[import-untyped]

from .requests import AnyLimit, RequestLimit, RequestOptions, Verdict, blocking_limit, header

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._blocking_transport import BlockingClient

__all__ = ["header", "rate_limit", "verdict_of"]

View = Callable[..., Any]


def rate_limit(
    client: BlockingClient, policy: str, limit: AnyLimit | Mapping[str, AnyLimit], **options: Unpack[RequestOptions]
) -> Callable[[View], View]:
    """A middleware, by its name in ``MIDDLEWARE``, and a decorator of views."""
    own = blocking_limit(client, policy, limit, options)

    def limited(view: View) -> View:
        if iscoroutinefunction(view):

            @functools.wraps(view)
            async def awaited(request: Any, *args: Any, **named: Any) -> Any:
                verdict = await sync_to_async(verdict_of, thread_sensitive=False)(own, request)
                return _response(verdict) if verdict.refused else _with_fields(verdict, await view(request, *args, **named))

            return markcoroutinefunction(awaited)

        @functools.wraps(view)
        def called(request: Any, *args: Any, **named: Any) -> Any:
            verdict = verdict_of(own, request)
            return _response(verdict) if verdict.refused else _with_fields(verdict, view(request, *args, **named))

        return called

    limited.sync_capable = limited.async_capable = True  # type: ignore[attr-defined]
    return limited


def verdict_of(limit: RequestLimit, request: Any) -> Verdict:
    """What a limit says about a request of Django or of its REST framework."""
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR")
    return limit.decide(request, request.META.get("REMOTE_ADDR"), [forwarded] if forwarded else [], request.META)


def _response(verdict: Verdict) -> Any:
    if verdict.answer is not None:
        return _with_fields(verdict, verdict.answer)
    return HttpResponse(verdict.body, status=verdict.status, headers=dict(verdict.fields))


def _with_fields(verdict: Verdict, response: Any) -> Any:
    verdict.add_fields(response.headers)
    return response
