"""The limiter over redis-py's asyncio clients."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from collections.abc import Awaitable, Iterable
from typing import Any, Protocol

from ._exchange import exchange_of, timeout_at
from ._failure import Failure, answers
from ._limiter import LOAD, MOST_REDIRECTS, Command, LimiterPolicy, by_node, is_cluster, raised
from ._node import Node
from ._protocol import MOST_UNITS, Decision, charge, several


class AsyncClient(Protocol):
    """``redis.asyncio.Redis`` or ``redis.asyncio.RedisCluster``."""

    def execute_command(self, *args: Any, **options: Any) -> Awaitable[Any]: ...

    def aclose(self) -> Awaitable[None]: ...


class AsyncRateLimiter(LimiterPolicy[AsyncClient]):
    """The same as ``RateLimiter`` over ``redis.asyncio.Redis`` or ``redis.asyncio.RedisCluster``, on the client's own connections."""

    _takes = "redis.asyncio.Redis or redis.asyncio.RedisCluster; RateLimiter takes those of redis"

    def _is_taken(self, client: Any) -> bool:
        return inspect.iscoroutinefunction(getattr(client, "execute_command", None))

    async def acquire(self, subject: str | bytes, cost: int = 1) -> Decision:
        """Takes ``cost`` units if every tier has them. A denial is a decision, not an error."""
        key = self._key(subject)
        known = self._known(key, charge(cost))
        return await self._one(self._call(key, cost)) if known is None else known

    async def acquire_up_to(self, subject: str | bytes, calls: int, cost: int = 1) -> Decision:
        """As many calls of this cost as there is room for, at most ``calls``: ``granted`` of the decision says how many."""
        key, argument = self._key(subject), several(calls, cost)
        known = self._known(key, cost)
        return await self._one(self._call(key, argument)) if known is None else known

    async def acquire_all(self, subjects: Iterable[str | bytes]) -> list[Decision | Exception]:
        """One unit for each subject, in one trip per node; a call that fails does not spoil its neighbours."""
        calls = self._calls(subjects)
        with self._traced():
            outcomes = iter(await self._all([call for call in calls if isinstance(call, tuple)]))
        return [next(outcomes) if isinstance(call, tuple) else call for call in calls]

    async def peek(self, subject: str | bytes) -> Decision:
        """How much is left, without taking anything."""
        return await self._one(self._call(self._key(subject), 0))

    async def refund(self, subject: str | bytes, units: int) -> Decision:
        """Gives units back, at most as many as are used."""
        key = self._key(subject)
        call = self._call(key, -charge(units))
        with self._giving_back(key):
            return await self._one(call)

    async def reset(self, subject: str | bytes) -> Decision:
        """Gives everything back."""
        return await self.refund(subject, MOST_UNITS)

    async def load_functions(self) -> None:
        """Loads the Functions library on every master, by the client and its time-outs."""
        if is_cluster(self._client):
            await self._client.initialize()
            await self._client.execute_command(*LOAD, target_nodes=self._client.get_primaries())
        else:
            await self._client.execute_command(*LOAD)

    async def _one(self, call: Command) -> Decision:
        with self._traced():
            return raised((await self._all([call]))[0])

    async def _all(self, calls: list[Command]) -> list[Any]:
        if not calls:
            return []
        deadline = asyncio.get_running_loop().time() + self._seconds
        steps = self._answers(calls)
        try:
            commands = next(steps)
            while True:
                commands = steps.send(await self._exchange(commands, deadline))
        except StopIteration as end:
            outcomes: list[Any] = end.value
            return outcomes

    async def _exchange(self, commands: list[Command], deadline: float) -> list[Any]:
        if not is_cluster(self._client):
            return await self._on("", self._client.connection_pool, commands, deadline)
        try:
            async with timeout_at(deadline):
                await self._client.initialize()
            nodes = by_node(self._client, commands)
        except Exception as error:
            await self._refresh()
            return self._heard(Node(in_cluster=True), [Failure(error, sent=False)] * len(commands))
        answered = await asyncio.gather(*(self._on(node.name, node, [commands[at] for at in places], deadline) for node, places in nodes))
        replies = {at: reply for (_, places), there in zip(nodes, answered) for at, reply in zip(places, there)}
        return [await self._redirected(command, replies[at], deadline) for at, command in enumerate(commands)]

    async def _on(self, name: str, pool: Any, commands: list[Command], deadline: float) -> list[Any]:
        exchange = exchange_of(self._client, name, pool)
        return self._heard(exchange.node, await exchange.exchange(pool, commands, deadline))

    async def _redirected(self, command: Command, reply: Any, deadline: float) -> Any:
        # The client's own way sends ASKING on one connection and the command on another, if several tasks use it at once.
        for _ in range(MOST_REDIRECTS):
            asking = answers(reply, "ASK")
            if not asking and not answers(reply, "MOVED"):
                break
            if not asking:
                await self._refresh(deadline)
            node = self._client.get_node(host=reply.error.host, port=reply.error.port)
            if node is None:
                break
            reply = (await self._on(node.name, node, [("ASKING",), command] if asking else [command], deadline))[-1]
        if isinstance(reply, Failure) and not answers(reply):
            await self._refresh()
        return reply

    async def _refresh(self, deadline: float = 0) -> None:
        """Lets the client ask for the slots again, at once if there is a deadline for it, or before the next call."""
        # The client sets this mark itself where it meets a failure.
        self._client._initialize = True
        with contextlib.suppress(Exception):
            if deadline:
                async with timeout_at(deadline):
                    await self._client.initialize()
