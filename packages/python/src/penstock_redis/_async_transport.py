"""Sends commands through redis-py's asyncio clients, each once and within a deadline."""

from __future__ import annotations

import asyncio
import inspect
from collections import deque
from collections.abc import Awaitable
from types import MethodType
from typing import Any, Optional, Protocol

from ._calls import LOAD, MOST_REDIRECTS, Command, by_node, checked_client, checked_connection, checked_place, is_cluster
from ._exchange import PoolExchange, exchange_of, leave_loop
from ._failure import Failure, LateCallError, answers, note_caller
from ._loop_asking import CallTime
from ._node import Node
from ._verdict import TimedCall


class AsyncClient(Protocol):
    """``redis.asyncio.Redis`` or ``redis.asyncio.RedisCluster``."""

    def execute_command(self, *args: Any, **options: Any) -> Awaitable[Any]: ...

    def aclose(self) -> Awaitable[None]: ...


class AsyncTransport:
    """Sends the commands of one limiter over ``redis.asyncio.Redis`` or ``redis.asyncio.RedisCluster``."""

    def __init__(self, client: Any, verdict_connection: bool, sister: str) -> None:
        is_async = inspect.iscoroutinefunction(getattr(client, "execute_command", None))
        checked_client(client, is_async, f"redis.asyncio.Redis or redis.asyncio.RedisCluster; {sister} takes those of redis")
        self._client, self._verdict_connection = client, verdict_connection
        pool = client.connection_pool if not is_cluster(client) else next(iter(client.nodes_manager.startup_nodes.values()))
        checked_connection(pool, "_reader", "_connection_arguments")
        if is_cluster(client):
            checked_place(client, "_initialize", bool)
            checked_place(pool, "_connections", list)
            checked_place(pool, "acquire_connection", MethodType)
            checked_place(pool, *("_free", deque) if not hasattr(pool, "release") else ("release", MethodType))
        else:
            checked_place(pool, "get_available_connection", MethodType)
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._initializing: Optional[asyncio.Task[Any]] = None

    async def exchange(self, commands: list[Command], left: CallTime) -> list[Any]:
        note_caller()
        if not is_cluster(self._client):
            return await self._on("", self._client.connection_pool, commands, left)
        try:
            if (unknown := await self._known(commands, left)) is not None:
                return unknown
            nodes = by_node(self._client, commands)
        except Exception as error:
            self._refresh()
            return Node(in_cluster=True).heard([Failure(error, sent=False)] * len(commands))
        answered = await asyncio.gather(*(self._on(node.name, node, [commands[at] for at in places], left) for node, places in nodes))
        replies = {at: reply for (_, places), there in zip(nodes, answered) for at, reply in zip(places, there)}
        return [await self._redirected(command, replies[at], left) for at, command in enumerate(commands)]

    async def _known(self, commands: list[Command], left: CallTime) -> Optional[list[Any]]:
        """Loads the cluster's slots if they are unknown; if that fails, returns the failures for these commands. While the client reloads
        the slots, the old ones are used, because a reload waits for unreachable nodes."""
        manager, loop = self._client.nodes_manager, asyncio.get_running_loop()
        if self._loop is not None and self._loop is not loop:
            await leave_loop(self._client)
            self._initializing = None
        self._loop = loop
        if not self._client._initialize:
            return None
        initializing = self._initialized()
        if manager.slots_cache:
            return None

        async def work(call: TimedCall, replies: list[Any]) -> None:
            try:
                await asyncio.shield(initializing)
            except Exception as error:
                replies += [Failure(error, sent=False)] * len(commands)

        node = next(iter(manager.startup_nodes.values()))
        seed = exchange_of(self._client, f"first {node.name}", node, self._verdict_connection)
        failures = await seed.timed(work, commands, left)
        return seed.node.heard(failures) if failures else None

    def _initialized(self) -> asyncio.Task[Any]:
        """Returns the client's running reload of the slots; there is only one at a time, and it is never cancelled, because that would
        close all connections."""
        if self._initializing is None or self._initializing.done():
            self._initializing = asyncio.get_running_loop().create_task(self._client.initialize())
            self._initializing.add_done_callback(lambda task: task.cancelled() or task.exception())
        return self._initializing

    def exchange_of_call(self, command: Command) -> Optional[PoolExchange]:
        """Returns the exchange with the node of a call, or None while the node is unknown."""
        if not is_cluster(self._client):
            return exchange_of(self._client, "", self._client.connection_pool, self._verdict_connection)
        if self._client._initialize or self._loop is not asyncio.get_running_loop():
            return None
        try:
            ((node, _),) = by_node(self._client, [command])
        except Exception:
            return None
        return exchange_of(self._client, node.name, node, self._verdict_connection)

    async def _on(self, name: str, pool: Any, commands: list[Command], left: CallTime) -> list[Any]:
        exchange = exchange_of(self._client, name, pool, self._verdict_connection)
        return exchange.node.heard(await exchange.exchange(commands, left))

    async def _redirected(self, command: Command, reply: Any, left: CallTime) -> Any:
        # The client itself sends ASKING on one connection and the command on another if several tasks use it at once.
        for _ in range(MOST_REDIRECTS):
            asking = answers(reply, "ASK")
            if not asking and not answers(reply, "MOVED"):
                break
            if not asking:
                self._refresh()
                await asyncio.wait({self._initialized()}, timeout=max(0.0, left.left))
            node = self._client.get_node(host=reply.error.host, port=reply.error.port)
            if node is None:
                break
            reply = (await self._on(node.name, node, [("ASKING",), command] if asking else [command], left))[-1]
        if isinstance(reply, Failure) and not answers(reply) and not isinstance(reply.error, LateCallError):
            self._refresh()
        return reply

    def _refresh(self) -> None:
        """Makes the client reload the slots before the next call."""
        # The client sets this flag itself after a failure.
        self._client._initialize = True

    async def load_functions(self) -> None:
        """Loads the Functions library on every master, through the client and with its timeouts."""
        if is_cluster(self._client):
            await self._client.initialize()
            await self._client.execute_command(*LOAD, target_nodes=self._client.get_primaries())
        else:
            await self._client.execute_command(*LOAD)
