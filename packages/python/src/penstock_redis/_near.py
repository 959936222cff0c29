"""Denials that need no round trip: rules N1 to N6 of docs/protocol.md."""

from __future__ import annotations

import math
from time import monotonic_ns, time_ns
from typing import Any, NamedTuple, Optional
from weakref import WeakKeyDictionary

from ._protocol import Decision, Limit

MOST_DENIALS = 20_000
_MOST_KEY_BYTES = 512
# A mask of the stripes' numbers.
_STRIPES = 4_095
# More than two readings that are not quite simultaneous can differ: the wall clock was set, or the machine was suspended.
_STEP_NS = 5_000_000


class Clocks(NamedTuple):
    """A monotonic time and its offset from the wall clock, in nanoseconds."""

    now: int
    apart: int


def clocks() -> Clocks:
    now = monotonic_ns()
    return Clocks(now, time_ns() - now)


class DenialMemory:
    """The most recent denials by key, at most ``MOST_DENIALS``. It is thread-safe; times are in nanoseconds."""

    def __init__(self, most: int = MOST_DENIALS) -> None:
        self._half = most // 2
        # Denials that are not repeated while that many others are remembered leave with the older half.
        self._young: dict[bytes, tuple[Any, ...]] = {}
        self._old: dict[bytes, tuple[Any, ...]] = {}
        # The last time at which a key of a stripe was forgotten: denials of calls sent until then are not used.
        self._forgotten = [-1] * (_STRIPES + 1)

    def find(self, key: bytes, limit: Limit, cost: int, most_ns: int) -> Optional[Decision]:
        """Returns a denial if a recent denial on this key implies that the server would deny this call too."""
        known = self._young.get(key) or self._old.get(key)
        if known is None:
            return None
        sent, apart, answered, life, of, denied_cost, most, remaining, wait_us, reset_us, tier = known
        now = monotonic_ns()
        age, stepped = now - sent, time_ns() - now - apart
        if age >= life or age >= most_ns or sent <= self._forgotten[hash(key) & _STRIPES] or not -_STEP_NS <= stepped <= _STEP_NS:
            return None
        if of is not limit and of != limit:
            return None
        # A thousandth less than has passed, because the server's clock may be slower by that.
        passed_us = (now - answered) // 1_000 * 999 // 1_000
        if cost != denied_cost:
            longer_us = None if wait_us < 0 else _longer_us(limit, denied_cost, cost, remaining)
            if longer_us is None:
                return None
            wait_us += longer_us
        if wait_us >= 0:
            wait_us = wait_us - passed_us if wait_us > passed_us else 0
        return Decision(0, most, remaining, wait_us, reset_us - passed_us if reset_us > passed_us else 0, tier)

    def remember(self, key: bytes, limit: Limit, cost: int, denied: Decision, sent: Clocks, answered: int) -> None:
        """Remembers a denial by the server. ``sent`` is a time before the call was sent, ``answered`` a time after its reply arrived."""
        life = denied.wait_us * 999 if denied.wait_us >= 0 else math.inf
        if len(key) > _MOST_KEY_BYTES or answered - sent.now >= life:
            return
        if len(self._young) >= self._half:
            self._young, self._old = {}, self._young
        self._young[key] = (*sent, answered, life, limit, cost, *list(vars(denied).values())[1:6])

    def forget(self, key: bytes) -> None:
        """Forgets a key: before units are refunded, and again after the refund has succeeded or failed."""
        self._forgotten[hash(key) & _STRIPES] = monotonic_ns()


def _longer_us(limit: Limit, denied: int, asked: int, remaining: int) -> Optional[int]:
    """Returns the additional wait for a greater cost, or None if the denial does not imply one."""
    capacity, units, period_us = limit.tiers[0][0], limit.tiers[0][-2], limit.tiers[0][-1]
    refill = limit.script.refill
    if not denied < asked <= capacity or len(limit.tiers) > 1 or refill == "fading":
        return None
    if refill == "evenly":
        return -((denied - asked) * period_us // units)
    return ((remaining - denied) // units - (remaining - asked) // units) * period_us if refill == "in_batches" else 0


_of_clients: WeakKeyDictionary[Any, DenialMemory] = WeakKeyDictionary()


def _lasting(client: Any) -> Any:
    return getattr(client, "connection_pool", client)


def memory_of(client: Any) -> DenialMemory:
    """Returns the memory that all limiters of one client, or of one pool, share."""
    return _of_clients.get(_lasting(client)) or _of_clients.setdefault(_lasting(client), DenialMemory())


def forget(client: Any, key: bytes) -> None:
    """Forgets a key in the memory of the client."""
    memory = _of_clients.get(_lasting(client))
    if memory is not None:
        memory.forget(key)
