"""Commands through redis-py's asyncio clients, each sent once and within a deadline."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from collections.abc import Awaitable
from typing import Any, Optional, Protocol

from ._calls import LOAD, MOST_REDIRECTS, Command, by_node, checked_client, heard, is_cluster
from ._deadlines import Deadline, LoopClock, timeout_at
from ._exchange import exchange_of, is_answering
from ._failure import Failure, answers, note_caller
from ._node import LargeBatch, Node, late


class AsyncClient(Protocol):
    """``redis.asyncio.Redis`` or ``redis.asyncio.RedisCluster``."""

    def execute_command(self, *args: Any, **options: Any) -> Awaitable[Any]: ...

    def aclose(self) -> Awaitable[None]: ...


class AsyncTransport:
    """The commands of one limiter, over ``redis.asyncio.Redis`` or ``redis.asyncio.RedisCluster``."""

    def __init__(self, client: Any, seconds: float, sister: str) -> None:
        is_async = inspect.iscoroutinefunction(getattr(client, "execute_command", None))
        checked_client(client, is_async, f"redis.asyncio.Redis or redis.asyncio.RedisCluster; {sister} takes those of redis")
        self._client, self._seconds = client, seconds
        self._clock: Optional[LoopClock] = None

    def deadline(self, seconds: float) -> Deadline:
        """So many seconds from now, in which the running loop does not stand still."""
        if self._clock is None or self._clock.loop is not asyncio.get_running_loop():
            self._clock = LoopClock(self._seconds)
        return Deadline(self._clock, seconds)

    async def exchange(self, commands: list[Command], deadline: Deadline) -> list[Any]:
        note_caller()
        if not is_cluster(self._client):
            return await self._on("", self._client.connection_pool, commands, deadline)
        try:
            async with timeout_at(deadline):
                await self._client.initialize()
            nodes = by_node(self._client, commands)
        except Exception as error:
            await self._refresh()
            failure = Failure(error, sent=False)
            if is_answering(self._client, deadline.since()):
                # What takes so long is to ask for the slots again.
                failure = late(failure)
            return self._heard(Node(in_cluster=True), [failure] * len(commands), deadline)
        answered = await asyncio.gather(*(self._on(node.name, node, [commands[at] for at in places], deadline) for node, places in nodes))
        replies = {at: reply for (_, places), there in zip(nodes, answered) for at, reply in zip(places, there)}
        return [await self._redirected(command, replies[at], deadline) for at, command in enumerate(commands)]

    async def _on(self, name: str, pool: Any, commands: list[Command], deadline: Deadline) -> list[Any]:
        exchange = exchange_of(self._client, name, pool)
        batch = LargeBatch(exchange.node, commands)
        while part := batch.next(deadline.left() > 0):
            batch.take(await exchange.exchange(pool, part, deadline))
        return self._heard(exchange.node, batch.replies, deadline)

    def _heard(self, node: Node, replies: list[Any], deadline: Deadline) -> list[Any]:
        return heard(node, replies, deadline.since())

    async def _redirected(self, command: Command, reply: Any, deadline: Deadline) -> Any:
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

    async def _refresh(self, deadline: Optional[Deadline] = None) -> None:
        """Lets the client ask for the slots again, at once if there is a deadline for it, or before the next call."""
        # The client sets this mark itself where it meets a failure.
        self._client._initialize = True
        with contextlib.suppress(Exception):
            if deadline is not None:
                async with timeout_at(deadline):
                    await self._client.initialize()

    async def load_functions(self) -> None:
        """Loads the Functions library on every master, by the client and its time-outs."""
        if is_cluster(self._client):
            await self._client.initialize()
            await self._client.execute_command(*LOAD, target_nodes=self._client.get_primaries())
        else:
            await self._client.execute_command(*LOAD)
