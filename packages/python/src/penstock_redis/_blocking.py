"""The rate limiter for redis-py's blocking clients."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from ._blocking_transport import BlockingClient, BlockingTransport
from ._calls import Command
from ._limiter import LimiterPolicy, raised
from ._protocol import MOST_UNITS, Decision, charge, several
from ._sharing import ThreadSharing


class RateLimiter(LimiterPolicy[BlockingClient]):
    """A rate limiter for one policy and one limit, applied to each subject. It uses a ``redis.Redis`` or ``redis.RedisCluster`` and is
    thread-safe.

    The limiter opens its own connections, at most ``max_connections``, with the client's settings. All limiters of a client share these
    connections.
    """

    def _connect(self, client: Any, verdict_connection: bool) -> None:
        self._transport = BlockingTransport(client, verdict_connection, "AsyncRateLimiter")

    def _shared(self, source: str) -> ThreadSharing:
        return ThreadSharing(self._transport, source, self._learnt, self._probes)

    def acquire(self, subject: str | bytes, cost: int = 1) -> Decision:
        """Takes ``cost`` units if every tier has them available. A denial is returned as a decision, never raised."""
        key = self._key(subject)
        known = self._known(key, charge(cost))
        return self._one(self._call(key, cost)) if known is None else known

    def acquire_up_to(self, subject: str | bytes, calls: int, cost: int = 1) -> Decision:
        """Takes the units for as many calls of this cost as fit, up to ``calls``; the decision's ``granted`` is their number."""
        key, argument = self._key(subject), several(calls, cost)
        known = self._known(key, cost)
        return self._one(self._call(key, argument)) if known is None else known

    def acquire_all(self, subjects: Iterable[str | bytes]) -> list[Decision | Exception]:
        """Takes one unit for each subject, at most 10,000, in one round trip per node; a call that fails does not affect the others."""
        return self._each(self._calls(subjects))

    def acquire_each(self, calls: Iterable[tuple[str | bytes, int]]) -> list[Decision | Exception]:
        """Like ``acquire_all``, with a cost for each subject: takes pairs of a subject and its cost."""
        return self._each(self._calls_of(calls))

    def peek(self, subject: str | bytes) -> Decision:
        """Returns the current usage without charging anything."""
        return self._one(self._call(self._key(subject), 0))

    def refund(self, subject: str | bytes, units: int) -> Decision:
        """Refunds units, but no more than have been used."""
        key = self._key(subject)
        call = self._call(key, -charge(units, "units"))
        with self._giving_back(key):
            return self._one(call)

    def reset(self, subject: str | bytes) -> Decision:
        """Refunds all used units."""
        return self.refund(subject, MOST_UNITS)

    def load_functions(self) -> None:
        """Loads the Functions library on every master, through the client and with its timeouts."""
        self._transport.load_functions()

    def close(self) -> None:
        """Closes the idle connections that this client's limiters opened. The client itself stays open, and the next call reconnects."""
        self._transport.close()

    def _each(self, calls: list[Any]) -> list[Decision | Exception]:
        with self._traced():
            outcomes = iter(self._all([call for call in calls if isinstance(call, tuple)]))
        return [next(outcomes) if isinstance(call, tuple) else call for call in calls]

    def _one(self, call: Command) -> Decision:
        with self._traced():
            return raised(self._all([call])[0])

    def _all(self, calls: list[Command]) -> list[Any]:
        if not calls:
            return []
        deadline = time.monotonic() + self._seconds
        steps = self._answers(calls)
        try:
            commands = next(steps)
            while True:
                way = self._sharing if self._is_shared(commands) else self._transport
                commands = steps.send(way.exchange(commands, deadline))
        except StopIteration as end:
            outcomes: list[Any] = end.value
            return outcomes
