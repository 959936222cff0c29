"""Exact rate limiting for Redis and Valkey: Penstock's scripts, its protocol, and limiters over redis-py."""

from . import _scripts
from ._limiter import AsyncRateLimiter, RateLimiter
from ._protocol import Decision, DropIn, Limit, MaybeChargedError, Script, decision, key, proves_not_run
from ._scripts import *  # noqa: F403

__all__ = [
    "AsyncRateLimiter",
    "Decision",
    "DropIn",
    "Limit",
    "MaybeChargedError",
    "RateLimiter",
    "Script",
    "decision",
    "key",
    "proves_not_run",
]
__all__ += _scripts.__all__
