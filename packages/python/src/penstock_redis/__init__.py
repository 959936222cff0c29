"""Exact rate limiting for Redis and Valkey: Penstock's scripts and protocol, and limiters for redis-py."""

from . import _scripts
from ._asking import VerdictChange
from ._async import AsyncRateLimiter
from ._async_reservations import AsyncReservation, AsyncReservations
from ._blocking import RateLimiter
from ._blocking_reservations import Reservation, Reservations
from ._calls import Choice
from ._circuit import CircuitBreaker
from ._combined import CombinedHeaders
from ._concurrency import ConcurrencyLimiter
from ._entries import CallId, EntryCost, EntryLimit, EntryTotal, EntryUsage
from ._failure import ErrorMeaning, FailureKind, classify, classify_exception, proves_not_run
from ._failure import MaybeChargedError, MisconfiguredError, NoDecisionError, OverloadedError, PenstockError
from ._hold import EventKind, ReservationEvent
from ._http import RateLimitHeaders
from ._limiter import CallOutcome
from ._protocol import Decision, DropIn, Limit, Script, decision, key
from ._reservation_plan import ReservationAnswer, ReservationPlan, SettleResult
from ._scripts import *  # noqa: F403
from ._text import parse_limit

__all__ = [
    "AsyncRateLimiter",
    "AsyncReservation",
    "AsyncReservations",
    "CallId",
    "CallOutcome",
    "Choice",
    "CircuitBreaker",
    "CombinedHeaders",
    "ConcurrencyLimiter",
    "Decision",
    "DropIn",
    "EntryCost",
    "EntryLimit",
    "EntryTotal",
    "EntryUsage",
    "ErrorMeaning",
    "EventKind",
    "FailureKind",
    "Limit",
    "MaybeChargedError",
    "MisconfiguredError",
    "NoDecisionError",
    "OverloadedError",
    "PenstockError",
    "RateLimitHeaders",
    "RateLimiter",
    "Reservation",
    "ReservationAnswer",
    "ReservationEvent",
    "ReservationPlan",
    "Reservations",
    "Script",
    "SettleResult",
    "VerdictChange",
    "classify",
    "classify_exception",
    "decision",
    "key",
    "parse_limit",
    "proves_not_run",
]
__all__ += _scripts.__all__
