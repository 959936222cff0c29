"""Rate limits for Django, and throttles for Django REST framework."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction, sync_to_async
from django.core.exceptions import BadRequest, PermissionDenied, SuspiciousOperation  # type: ignore[import-untyped]
from django.http import Http404, HttpResponse  # type: ignore[import-untyped]

from .requests import Also, AnyLimit, RequestLimit, RequestOptions, Verdict, blocking_limit, header

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._blocking_transport import BlockingClient

__all__ = ["Also", "header", "rate_limit", "verdict_of"]

View = Callable[..., Any]
# Threads that wait for held units must not prevent their holders from returning
# them.
_SETTLING = ThreadPoolExecutor(thread_name_prefix="penstock-settle")


def rate_limit(
    client: BlockingClient, policy: str, limit: AnyLimit | Mapping[str, AnyLimit], **options: Unpack[RequestOptions]
) -> Callable[[View], View]:
    """Creates a middleware for Django's ``MIDDLEWARE`` setting, which can also be used as a decorator for views."""
    own = blocking_limit(client, policy, limit, options)

    def limited(view: View) -> View:
        if iscoroutinefunction(view):

            @functools.wraps(view)
            async def awaited(request: Any, *args: Any, **named: Any) -> Any:
                verdict = await sync_to_async(verdict_of, thread_sensitive=False)(own, request)
                if verdict.refused:
                    return _response(verdict)
                settle = sync_to_async(verdict.settle, thread_sensitive=False, executor=_SETTLING) if verdict.held else _settled
                try:
                    response = await view(request, *args, **named)
                except Exception as error:
                    await settle(_status_of(error))
                    raise
                await settle(response.status_code)
                return _with_fields(verdict, response)

            return markcoroutinefunction(awaited)

        @functools.wraps(view)
        def called(request: Any, *args: Any, **named: Any) -> Any:
            verdict = verdict_of(own, request)
            if verdict.refused:
                return _response(verdict)
            try:
                response = view(request, *args, **named)
            except Exception as error:
                verdict.settle(_status_of(error))
                raise
            verdict.settle(response.status_code)
            return _with_fields(verdict, response)

        return called

    limited.sync_capable = limited.async_capable = True  # type: ignore[attr-defined]
    return limited


def verdict_of(limit: RequestLimit, request: Any) -> Verdict:
    """Makes the decision about a request in Django or Django REST framework."""
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR")
    return limit.decide(request, request.META.get("REMOTE_ADDR"), [forwarded] if forwarded else [], request.META)


async def _settled(status: int) -> None:
    """Does nothing; used when no units are held."""


def _status_of(error: Exception) -> int:
    """Returns the status of Django's response to an exception that a view raised."""
    statuses = ((Http404, 404), (PermissionDenied, 403), ((BadRequest, SuspiciousOperation), 400))
    return next((status for kind, status in statuses if isinstance(error, kind)), 500)


def _response(verdict: Verdict) -> Any:
    if verdict.answer is not None:
        return _with_fields(verdict, verdict.answer)
    return HttpResponse(verdict.body, status=verdict.status, headers=dict(verdict.fields))


def _with_fields(verdict: Verdict, response: Any) -> Any:
    verdict.add_fields(response.headers)
    return response
