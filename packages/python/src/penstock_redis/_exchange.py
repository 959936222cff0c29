"""Sends commands over the connections of an asyncio client, each once and within a deadline."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any, Awaitable, Callable, Optional
from weakref import WeakKeyDictionary, WeakSet

from ._asking import Listener, is_silence, listeners_of, server_of
from ._connections import without_repeats
from ._failure import Failure, FailureKind, answers, causes, classify_exception, is_a, is_alert, server_text
from ._loop_asking import CallTask, CallTime, LoopAsker
from ._node import Node
from ._tls import alert_of_async, may_hide_alert, wrong_file
from ._verdict import TimedCall

_POLL_SECONDS = 0.005
# The number of replies that are read in one turn of the loop; replies that have arrived would all be read in one.
_REPLIES_A_TURN = 50


class OneAttempt:
    """Replaces a connection's own retry policy, which repeats a refused attempt for seconds without reporting it."""

    async def call_with_retry(self, do: Callable[[], Any], *_: Any, **__: Any) -> Any:
        return await do()


class PoolExchange:
    """Runs commands on one pool. It runs at most one command for each connection of the pool, because most pools do not wait for a free
    connection."""

    def __init__(self, pool: Any, in_cluster: bool, verdict_connection: bool, listeners: list[Listener]) -> None:
        self.loop = asyncio.get_running_loop()
        self.node, self.pool = Node(in_cluster), pool
        self._room = asyncio.Semaphore(pool.max_connections)
        self._readers: WeakSet[Any] = WeakSet()
        # Connections that have not been answered yet.
        self._unheard: WeakSet[Any] = WeakSet()
        self._renewed = float("-inf")
        self._asker = LoopAsker(server_of(pool), listeners, self._new, None if verdict_connection else self._asked)

    async def exchange(self, commands: list[Any], left: CallTime) -> list[Any]:
        """Sends the commands and returns their replies."""

        async def work(call: TimedCall, replies: list[Any]) -> None:
            await self._answered(commands, call, replies)
            if len(replies) < len(commands):
                # No reply arrived while the client waited: the verdict ends the call.
                await self.loop.create_future()

        return await self.timed(work, commands, left)

    def left(self, call: TimedCall) -> float:
        """Returns the seconds until the deadline of a call, 0 or above."""
        return max(0.0, call.deadline - self._asker.now()) / 1_000

    async def timed(self, work: Callable[[TimedCall, list[Any]], Awaitable[None]], commands: list[Any], left: CallTime) -> list[Any]:
        """Runs a function that appends to the replies, until there is a verdict on the call."""
        seconds = max(0.0, left.left)
        call = self._asker.begin(seconds, commands[-1])
        if call.verdict is not None:
            return [self._asker.failure(call, is_sent=False)] * len(commands)
        task = call.waits = CallTask(self.loop)
        replies: list[Any] = []
        try:
            # Only the verdict ends a call that is not sent.
            await (self.loop.create_future() if call.is_refused else work(call, replies))
        except asyncio.CancelledError:
            if not task.is_cancelled():
                raise
            replies += [self._asker.failure(call, call.is_sent)] * (len(commands) - len(replies))
        finally:
            if call.verdict is None:
                self._asker.leave(call)
            task.is_cancelled()
            left.left = min(left.left, seconds - (self._asker.now() - call.begun) / 1_000)
        return replies

    async def _answered(self, commands: list[Any], call: TimedCall, replies: list[Any]) -> None:
        async with self._room:
            try:
                connection = await self._connected()
            except Exception as error:
                if not is_silence(error):
                    replies += [Failure(error, sent=False)] * len(commands)
                return
            try:
                await self._exchanged(connection, commands, call, replies)
            finally:
                await self._release(connection)

    async def _connected(self) -> Any:
        while True:
            try:
                return await self._connection()
            except Exception as error:
                if classify_exception(error, sent=False).kind is not FailureKind.OVERLOADED:
                    raise
            # The application's own commands have all of the client's retries, until the call is late.
            await asyncio.sleep(_POLL_SECONDS)

    def _new(self) -> Any:
        """Returns a connection that is attempted once and whose reader has no timeout."""
        options = without_repeats(self.pool.connection_kwargs)
        return self.pool.connection_class(**{**options, "socket_timeout": None, "socket_connect_timeout": None})

    async def _alert(self, error: Exception) -> Optional[Exception]:
        """Returns the TLS alert that closed a new connection, if there was one, or the error for a missing file."""
        if wrong := wrong_file(self.pool.connection_kwargs, error):
            return wrong
        if not may_hide_alert(self.pool.connection_class, error):
            return error if any(map(is_alert, causes(error))) else None
        return await alert_of_async(self._new())

    async def _connection(self) -> Any:
        connection = self._acquired()
        reader = connection._reader
        if reader in self._readers and self._is_alive(reader) and connection.is_connected:
            return connection
        try:
            await self._asker.may_open()
        except BaseException:
            await self._release(connection)
            raise
        retries = connection.retry
        connection.retry = OneAttempt()
        try:
            # Reopens a connection that the server has closed, or of a loop that has ended.
            if reader is not None and not self._is_alive(reader):
                await _forget(connection)
            await connection.connect()
            # Each opening of a connection has a separate reader.
            self._readers.add(connection._reader)
            self._unheard.add(connection._reader)
        except BaseException as error:
            await _forget(connection)
            # Before another task takes it.
            connection.retry = retries
            await self._release(connection)
            if isinstance(error, Exception) and not is_a(error, "RedisError"):
                # The pool keeps a connection whose handshake raised this, and would continue as the default user.
                await self._renew()
            if isinstance(error, Exception) and not is_silence(error):
                raise await self._alert(error) or error
            raise
        connection.retry = retries
        return connection

    def _is_alive(self, reader: Any) -> bool:
        # A connection of fakeredis is not tied to a loop.
        return not reader.at_eof() and getattr(reader, "_loop", self.loop) is self.loop

    async def _exchanged(self, connection: Any, commands: list[Any], call: TimedCall, replies: list[Any]) -> None:
        reader = connection._reader
        try:
            call.sent, call.is_sent = self._asker.now(), True
            await connection.send_packed_command(connection.pack_commands(commands))
            while len(replies) < len(commands):
                try:
                    # redis-py takes LOADING and a few others for errors of the connection.
                    replies.append(await connection.read_response(disconnect_on_error=False))
                except Exception as error:
                    if server_text(error) is None:
                        raise
                    replies.append(Failure(error))
                if len(replies) % _REPLIES_A_TURN == 0:
                    await asyncio.sleep(0)
            self._asker.answered(call, self.node.says(replies[-1]))
        except Exception as error:
            await connection.disconnect(nowait=True)
            if is_silence(error):
                return
            alert = await self._alert(error) if reader in self._unheard and not replies else None
            replies += [Failure(alert or error, sent=alert is None)] * (len(commands) - len(replies))
        except BaseException:
            # Cancelled: the answer is still outstanding, so this connection must not be reused.
            await connection.disconnect(nowait=True)
            raise
        self._unheard.discard(reader)
        if any(answers(reply, "READONLY") for reply in replies) and time.monotonic() - self._renewed >= 1:
            # The node is a replica: the address may lead to the new primary by now.
            self._renewed = time.monotonic()
            await connection.disconnect(nowait=True)
            await self._renew()

    async def _asked(self, command: tuple[Any, ...]) -> None:
        """Sends the check as a call."""
        async with self._room:
            connection = await self._connected()
            try:
                await connection.send_packed_command(connection.pack_command(*command))
                await connection.read_response()
            except BaseException as error:
                if server_text(error) is None:
                    await connection.disconnect(nowait=True)
                raise
            finally:
                await self._release(connection)

    def _acquired(self) -> Any:
        return self.pool.get_available_connection()

    async def _release(self, connection: Any) -> None:
        await self.pool.release(connection)

    async def _renew(self) -> None:
        await self.pool.disconnect(inuse_connections=False)


class NodeExchange(PoolExchange):
    """Runs commands on one node of a cluster; redis-py's ``ClusterNode`` is also a pool."""

    def _acquired(self) -> Any:
        return self.pool.acquire_connection()

    async def _release(self, connection: Any) -> None:
        # redis-py 5 to 7 lack a method for it.
        (self.pool.release if hasattr(self.pool, "release") else self.pool._free.append)(connection)

    async def _renew(self) -> None:
        """Does nothing: a cluster's client detects a new primary by MOVED."""


async def _forget(connection: Any) -> None:
    """Closes a connection; if its event loop has ended, nothing is written to it."""
    with contextlib.suppress(RuntimeError):
        await connection.disconnect(nowait=True)


_of_clients: WeakKeyDictionary[Any, dict[str, PoolExchange]] = WeakKeyDictionary()


def exchange_of(client: Any, name: str, pool: Any, verdict_connection: bool) -> PoolExchange:
    """Returns the state that all limiters of a client share, for its pool or for one node of its cluster."""
    exchanges = _of_clients.setdefault(client, {})
    found = exchanges.get(name)
    if found is None or found.loop is not asyncio.get_running_loop():
        found = exchanges[name] = (NodeExchange if name else PoolExchange)(pool, bool(name), verdict_connection, listeners_of(client))
    # A cluster's client recreates its nodes.
    found.pool = pool
    return found


async def leave_loop(cluster: Any) -> None:
    """Drops a cluster's connections that belong to another event loop, before anything is sent."""
    nodes = [*cluster.nodes_manager.nodes_cache.values(), *cluster.nodes_manager.startup_nodes.values()]
    for connection in (each for node in nodes for each in node._connections):
        await _forget(connection)
