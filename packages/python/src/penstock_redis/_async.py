"""The rate limiter for redis-py's asyncio clients."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ._async_transport import AsyncClient, AsyncTransport
from ._calls import Command
from ._limiter import LimiterPolicy, raised
from ._loop_asking import CallTime
from ._protocol import MOST_UNITS, Decision, charge, several
from ._sharing import LoopSharing


class AsyncRateLimiter(LimiterPolicy[AsyncClient]):
    """A rate limiter for ``redis.asyncio.Redis`` or ``redis.asyncio.RedisCluster``; it uses the client's own connections."""

    def _connect(self, client: Any, verdict_connection: bool) -> None:
        self._transport = AsyncTransport(client, verdict_connection, "RateLimiter")

    def _shared(self, source: str) -> LoopSharing:
        return LoopSharing(self._transport, source, self._learnt, self._probes)

    async def acquire(self, subject: str | bytes, cost: int = 1) -> Decision:
        """Takes ``cost`` units if every tier has them available. A denial is returned as a decision, never raised."""
        key = self._key(subject)
        known = self._known(key, charge(cost))
        return await self._one(self._call(key, cost)) if known is None else known

    async def acquire_up_to(self, subject: str | bytes, calls: int, cost: int = 1) -> Decision:
        """Takes the units for as many calls of this cost as fit, up to ``calls``; the decision's ``granted`` is their number."""
        key, argument = self._key(subject), several(calls, cost)
        known = self._known(key, cost)
        return await self._one(self._call(key, argument)) if known is None else known

    async def acquire_all(self, subjects: Iterable[str | bytes]) -> list[Decision | Exception]:
        """Takes one unit for each subject, at most 10,000, in one round trip per node; a call that fails does not affect the others."""
        return await self._each(self._calls(subjects))

    async def acquire_each(self, calls: Iterable[tuple[str | bytes, int]]) -> list[Decision | Exception]:
        """Like ``acquire_all``, with a cost for each subject: takes pairs of a subject and its cost."""
        return await self._each(self._calls_of(calls))

    async def peek(self, subject: str | bytes) -> Decision:
        """Returns the current usage without charging anything."""
        return await self._one(self._call(self._key(subject), 0))

    async def refund(self, subject: str | bytes, units: int) -> Decision:
        """Refunds units, but no more than have been used."""
        key = self._key(subject)
        call = self._call(key, -charge(units, "units"))
        with self._giving_back(key):
            return await self._one(call)

    async def reset(self, subject: str | bytes) -> Decision:
        """Refunds all used units."""
        return await self.refund(subject, MOST_UNITS)

    async def load_functions(self) -> None:
        """Loads the Functions library on every master, through the client and with its timeouts."""
        await self._transport.load_functions()

    async def _each(self, calls: list[Any]) -> list[Decision | Exception]:
        with self._traced():
            outcomes = iter(await self._all([call for call in calls if isinstance(call, tuple)]))
        return [next(outcomes) if isinstance(call, tuple) else call for call in calls]

    async def _one(self, call: Command) -> Decision:
        with self._traced():
            return raised((await self._all([call]))[0])

    async def _all(self, calls: list[Command]) -> list[Any]:
        if not calls:
            return []
        left = CallTime(self._seconds)
        steps = self._answers(calls)
        try:
            commands = next(steps)
            while True:
                way = self._sharing if self._is_shared(commands) else self._transport
                commands = steps.send(await way.exchange(commands, left))
        except StopIteration as end:
            outcomes: list[Any] = end.value
            return outcomes
