"""Throttles for Django REST framework."""

from __future__ import annotations

from typing import Any, Optional

from rest_framework.exceptions import APIException  # type: ignore[import-untyped]
from rest_framework.throttling import BaseThrottle  # type: ignore[import-untyped]

from .django import header, verdict_of
from .requests import Also, RequestLimit

__all__ = ["Also", "RateLimitThrottle", "RequestLimit", "UndecidedError", "header"]


class UndecidedError(APIException):  # type: ignore[misc]
    """Raised if no decision could be made and the limiter is configured to deny requests in this case."""

    status_code = 503
    default_detail = "Temporarily reduced capacity"
    default_code = "temporary_reduced_capacity"

    def __init__(self, wait: Optional[int]) -> None:
        super().__init__()
        # The framework writes it as Retry-After.
        self.wait = wait


class RateLimitThrottle(BaseThrottle):  # type: ignore[misc]
    """A throttle with a rate limit. Create a subclass with a ``rate_limit`` attribute and list it in ``throttle_classes``. If ``on_denied``
    returns an ``APIException``, this exception is raised."""

    rate_limit: RequestLimit
    _wait: Optional[int] = None

    def __init_subclass__(cls) -> None:
        if hasattr(cls, "rate_limit") and (not isinstance(cls.rate_limit, RequestLimit) or cls.rate_limit.is_awaited):
            raise TypeError(f"rate_limit must be a RequestLimit of a client of redis, which is not awaited: {cls.rate_limit!r}")
        if hasattr(cls, "rate_limit") and cls.rate_limit.charge_when:
            raise ValueError("charge_when must be given to a rate_limit of Django, as a throttle does not know the response")

    def allow_request(self, request: Any, view: Any) -> bool:
        verdict = verdict_of(self.rate_limit, request)
        # The framework also writes these, but with its own body.
        getattr(view, "headers", {}).update({name: value for name, value in verdict.fields.items() if name != "Content-Type"})
        if not verdict.refused or verdict.decision is None:
            return True
        self._wait = verdict.decision.retry_after_seconds
        if not verdict.decision.enforced:
            raise UndecidedError(self._wait)
        if isinstance(verdict.answer, APIException):
            raise verdict.answer
        return False

    def wait(self) -> Optional[int]:
        """Returns the number of seconds after which a denied request can be retried; None if waiting does not help."""
        return self._wait
