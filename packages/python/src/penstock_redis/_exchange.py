"""Commands on the connections of an asyncio client, each sent once and within a deadline."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any, Optional
from weakref import WeakKeyDictionary, WeakSet

from ._connections import FULL, MOST_PROBES, PROBING_SECONDS, was_starved, without_repeats
from ._deadlines import Deadline, LoopClock, timeout_at
from ._failure import Failure, FailureKind, answers, causes, classify_exception, is_a, is_alert, is_refusal, server_text
from ._node import Node, late, late_or_refused
from ._tls import alert_of_async, may_hide_alert, wrong_file

_POLL_SECONDS = 0.005
# A call may be late only because there are so many others.
_MANY = 100


class PoolExchange:
    """The commands on one pool. As many are under way as it has connections, for most pools do not wait for a free one."""

    def __init__(self, most: int, in_cluster: bool) -> None:
        self.loop = asyncio.get_running_loop()
        self.node = Node(in_cluster)
        self._room = asyncio.Semaphore(most)
        # Those under way, and all.
        self._calls = self._begun = 0
        self._readers: WeakSet[Any] = WeakSet()
        # Those on which nothing was answered yet.
        self._unheard: WeakSet[Any] = WeakSet()
        self._renewed = self._asked = float("-inf")
        self._asking = asyncio.Lock()
        # Since the last connection.
        self._refused: Exception | None = None
        self._probing: asyncio.Task[None] | None = None

    async def exchange(self, pool: Any, commands: list[Any], deadline: Deadline) -> list[Any]:
        """The replies."""
        before, begun = self._calls, self._begun
        self._calls += 1
        self._begun += 1
        try:
            replies = await self._answered(pool, commands, deadline)
        finally:
            self._calls -= 1
        many = before + self._begun - begun - 1 + len(commands)
        lates = [late(reply) for reply in replies]
        if many < _MANY or lates == replies or not await self._hears(pool, deadline):
            return replies
        return late_or_refused(lates, self._refused)

    async def _hears(self, pool: Any, deadline: Deadline) -> bool:
        """As that of ``Connections``."""
        ended = time.monotonic()
        if not self.node.answered_within(deadline.since()):
            async with self._asking:
                attempts = MOST_PROBES if self._asked < ended - PROBING_SECONDS else 0
                while attempts and not self.node.answered_within(deadline.since()):
                    begun = time.monotonic()
                    with Deadline(LoopClock(PROBING_SECONDS), PROBING_SECONDS) as shorter:
                        await self._probed(pool, shorter)
                    self._asked = begun
                    attempts = attempts - 1 if was_starved(begun) else 0
        return self.node.answered_within(deadline.since())

    async def _answered(self, pool: Any, commands: list[Any], deadline: Deadline) -> list[Any]:
        # Half of the time for a connection to come free, so that there is some for the answer; all of it if nobody is answered.
        half = deadline.left() / 2
        try:
            try:
                await self._entered(deadline, half)
            except asyncio.TimeoutError:
                if self.node.answered_within(deadline.since()):
                    raise
                await self._entered(deadline)
        except asyncio.TimeoutError:
            return [Failure(self._refused or TimeoutError(FULL), sent=False)] * len(commands)
        try:
            try:
                connection = await self._connected(pool, deadline, half)
            except Exception as error:
                unconnected = await self._alert(pool, error, deadline) or error
                if is_refusal(unconnected):
                    self._refused = unconnected
            else:
                try:
                    return await self._exchanged(pool, connection, commands, deadline)
                finally:
                    await self._release(pool, connection)
        finally:
            self._room.release()
        if isinstance(unconnected, asyncio.TimeoutError) and self.node.answered_within(deadline.since()):
            # Others have one, so this is no outage.
            unconnected = TimeoutError(FULL)
        return [Failure(unconnected, sent=False)] * len(commands)

    async def _entered(self, deadline: Deadline, before: float = 0.0) -> None:
        if self._room.locked():
            async with timeout_at(deadline, before):
                await self._room.acquire()
        else:
            await self._room.acquire()

    async def _connected(self, pool: Any, deadline: Deadline, half: float) -> Any:
        probe = self.loop.call_later(max(0.0, deadline.left()) / 4, self._probe, pool, deadline)
        try:
            async with timeout_at(deadline):
                while True:
                    try:
                        return await self._connection(pool)
                    except Exception as error:
                        is_full = classify_exception(error, sent=False).kind is FailureKind.OVERLOADED
                        if not is_full or deadline.left() < half:
                            raise
                    # The application's own commands have them all.
                    await asyncio.sleep(_POLL_SECONDS)
        except asyncio.TimeoutError:
            failure = self._refused or TimeoutError("no connection came about in time")
        finally:
            probe.cancel()
        # Raised where nothing is being handled, for that would take the place of its own cause, which tells what it means.
        raise failure.with_traceback(None)

    def _probe(self, pool: Any, deadline: Deadline) -> None:
        if self._probing is None or self._probing.done():
            self._probing = self.loop.create_task(self._probed(pool, deadline))

    async def _probed(self, pool: Any, deadline: Deadline) -> None:
        """Hears why a connection is refused. The client repeats its attempts for seconds, those that were refused too, and tells none."""
        connection = self._new(pool)
        try:
            async with timeout_at(deadline):
                await connection.connect()
            self.node.answered()
        except Exception as error:
            why = await self._alert(pool, error, deadline) or error
            if is_refusal(why):
                self._refused = why
                self.node.answered()
        finally:
            await connection.disconnect(nowait=True)

    def _new(self, pool: Any) -> Any:
        return pool.connection_class(**without_repeats(pool.connection_kwargs))

    async def _alert(self, pool: Any, error: Exception, deadline: Deadline) -> Optional[Exception]:
        """The alert that cut a new connection, if it was one, or the file that it lacks."""
        if wrong := wrong_file(pool.connection_kwargs, error):
            return wrong
        if not may_hide_alert(pool.connection_class, error):
            return error if any(map(is_alert, causes(error))) else None
        with contextlib.suppress(asyncio.TimeoutError):
            async with timeout_at(deadline):
                return await alert_of_async(self._new(pool))
        return None

    async def _connection(self, pool: Any) -> Any:
        try:
            connection = await self._acquired(pool)
        except Exception as error:
            if not is_a(error, "RedisError"):
                # The pool keeps a connection whose handshake raised this, and would go on as the default user.
                await self._renew(pool)
            raise
        try:
            await connection.connect()
            # redis-py 8 with RESP3 hands out a connection that the server has closed, and counts on its retries.
            reader = getattr(connection, "_reader", None)
            if reader is not None and reader.at_eof():
                await connection.disconnect(nowait=True)
                await connection.connect()
            self._know(connection)
        except BaseException:
            await connection.disconnect(nowait=True)
            await self._release(pool, connection)
            raise
        return connection

    def _know(self, connection: Any) -> None:
        # Each opening of a connection has a reader of its own.
        reader = getattr(connection, "_reader", None)
        if reader is not None and reader not in self._readers:
            self._readers.add(reader)
            self._unheard.add(reader)
            self._refused = None
            self.node.answered()

    async def _exchanged(self, pool: Any, connection: Any, commands: list[Any], deadline: Deadline) -> list[Any]:
        replies: list[Any] = []
        reader = getattr(connection, "_reader", None)
        try:
            async with timeout_at(deadline):
                await connection.send_packed_command(connection.pack_commands(commands))
                while len(replies) < len(commands):
                    try:
                        replies.append(await connection.read_response())
                    except Exception as error:
                        if server_text(error) is None:
                            raise
                        replies.append(Failure(error))
        except Exception as error:
            await connection.disconnect(nowait=True)
            late = isinstance(error, asyncio.TimeoutError) and not str(error)
            alert = await self._alert(pool, error, deadline) if reader in self._unheard and not replies else None
            failure = Failure(alert or (TimeoutError("no answer came in time") if late else error), sent=alert is None)
            replies += [failure] * (len(commands) - len(replies))
        except BaseException:
            # Cancelled: the answer is still to come, so nobody else may have this connection.
            await connection.disconnect(nowait=True)
            raise
        self._unheard.discard(reader)
        if any(answers(reply, "READONLY") for reply in replies) and time.monotonic() - self._renewed >= 1:
            # To a replica: the address may lead to the new primary by now.
            self._renewed = time.monotonic()
            await connection.disconnect(nowait=True)
            await self._renew(pool)
        return replies

    async def _acquired(self, pool: Any) -> Any:
        return await pool.get_connection()

    async def _release(self, pool: Any, connection: Any) -> None:
        await pool.release(connection)

    async def _renew(self, pool: Any) -> None:
        await pool.disconnect(inuse_connections=False)


class NodeExchange(PoolExchange):
    """The commands on one node of a cluster, which is a pool of its own kind."""

    async def _acquired(self, pool: Any) -> Any:
        return pool.acquire_connection()

    async def _release(self, pool: Any, connection: Any) -> None:
        # redis-py 5 to 7 have no method for it.
        (pool.release if hasattr(pool, "release") else pool._free.append)(connection)

    async def _renew(self, pool: Any) -> None:
        """A cluster's client learns of a new primary by MOVED."""


_of_clients: WeakKeyDictionary[Any, dict[str, PoolExchange]] = WeakKeyDictionary()


def exchange_of(client: Any, name: str, pool: Any) -> PoolExchange:
    """What all limiters share which have the same client, for its pool or for a node of its cluster."""
    exchanges = _of_clients.setdefault(client, {})
    found = exchanges.get(name)
    if found is None or found.loop is not asyncio.get_running_loop():
        found = exchanges[name] = (NodeExchange if name else PoolExchange)(pool.max_connections, bool(name))
    return found


def is_answering(client: Any, seconds: float) -> bool:
    """Whether a server of a client has answered within so many seconds."""
    return any(exchange.node.answered_within(seconds) for exchange in _of_clients.get(client, {}).values())
