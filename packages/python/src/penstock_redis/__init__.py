"""Exact rate limiting for Redis and Valkey: Penstock's scripts, its protocol, and limiters over redis-py."""

from . import _scripts
from ._async import AsyncRateLimiter
from ._blocking import RateLimiter
from ._failure import ErrorMeaning, FailureKind, classify, classify_exception, proves_not_run
from ._failure import MaybeChargedError, MisconfiguredError, NoDecisionError, OverloadedError, PenstockError
from ._http import RateLimitHeaders
from ._limiter import Choice
from ._protocol import Decision, DropIn, Limit, Script, decision, key
from ._scripts import *  # noqa: F403
from ._text import parse_limit

__all__ = [
    "AsyncRateLimiter",
    "Choice",
    "Decision",
    "DropIn",
    "ErrorMeaning",
    "FailureKind",
    "Limit",
    "MaybeChargedError",
    "MisconfiguredError",
    "NoDecisionError",
    "OverloadedError",
    "PenstockError",
    "RateLimitHeaders",
    "RateLimiter",
    "Script",
    "classify",
    "classify_exception",
    "decision",
    "key",
    "parse_limit",
    "proves_not_run",
]
__all__ += _scripts.__all__
