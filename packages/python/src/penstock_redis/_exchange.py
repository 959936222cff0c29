"""Commands on the connections of an asyncio client, each sent once and within a deadline."""

from __future__ import annotations

import asyncio
import time
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from ._connections import FULL, without_repeats
from ._failure import Failure, FailureKind, answers, classify_exception, server_text
from ._node import Node

_POLL_SECONDS = 0.005
_TURNS = 5
# A timer that is later is one of a loop that stood still.
_STILL_SECONDS = 0.05
# More turns of the loop than a connection and an answer take.
_LOOKS = 50


class timeout_at:
    """asyncio's, with two differences. A loop that stood still runs its timers before tasks see what it has read: they get a few turns
    first. And it cancels until the block has ended: asyncio.wait_for before Python 3.12, by which redis-py sends, loses a cancellation
    that comes when the sending has just ended."""

    def __init__(self, when: float) -> None:
        self._when, self._cancellations = when, 0

    async def __aenter__(self) -> None:
        self._loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None
        self._task = task
        self._before = self._cancelling()
        self._timer: asyncio.Handle = self._loop.call_at(self._when, self._cancel, _TURNS)

    def _cancelling(self) -> int:
        # Before Python 3.11, a task does not count who cancels it.
        return self._task.cancelling() if hasattr(self._task, "cancelling") else 0

    def _cancel(self, turns: int = 0) -> None:
        if turns:
            self._timer = self._loop.call_soon(self._cancel, turns - 1)
            return
        self._cancellations += 1
        self._task.cancel()
        self._timer = self._loop.call_later(0.25, self._cancel)

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        self._timer.cancel()
        for _ in range(self._cancellations if hasattr(self._task, "uncancel") else 0):
            self._task.uncancel()
        if self._cancellations and kind is asyncio.CancelledError and self._cancelling() <= self._before:
            raise asyncio.TimeoutError from error


class PoolExchange:
    """The commands on one pool. As many are under way as it has connections, for most pools do not wait for a free one."""

    def __init__(self, most: int, in_cluster: bool) -> None:
        self.loop = asyncio.get_running_loop()
        self.node = Node(in_cluster)
        self._room = asyncio.Semaphore(most)
        self._looking: asyncio.Task[None] | None = None
        self._readers: WeakSet[Any] = WeakSet()
        self._renewed = float("-inf")
        # Since the last connection.
        self._refused: Exception | None = None
        self._probing: asyncio.Task[None] | None = None

    async def exchange(self, pool: Any, commands: list[Any], deadline: float) -> list[Any]:
        """The replies; ``deadline`` is of the running loop's clock."""
        left = deadline - self.loop.time()
        # Half of the time for a connection to come free, so that there is some for the answer; all of it if nobody is answered.
        enter_by = deadline - left / 2
        try:
            try:
                await self._entered(enter_by)
            except asyncio.TimeoutError:
                if self.node.answered_within(left):
                    raise
                await self._entered(deadline)
        except asyncio.TimeoutError:
            await self._answered(deadline, left)
            return [Failure(ConnectionError(FULL), sent=False)] * len(commands)
        try:
            try:
                connection = await self._connected(pool, deadline, enter_by)
            except Exception as error:
                unconnected = error
            else:
                try:
                    return await self._exchanged(pool, connection, commands, deadline)
                finally:
                    await self._release(pool, connection)
        finally:
            self._room.release()
        if isinstance(unconnected, asyncio.TimeoutError) and await self._answered(deadline, left):
            # Others have one, so this is no outage.
            unconnected = ConnectionError(FULL)
        return [Failure(unconnected, sent=False)] * len(commands)

    async def _entered(self, by: float) -> None:
        if self._room.locked():
            async with timeout_at(by):
                await self._room.acquire()
        else:
            await self._room.acquire()

    async def _answered(self, deadline: float, seconds: float) -> bool:
        """Whether the server has answered since a late call began. Lets a loop that stood still make connections and read answers first,
        for as long as it stood still."""
        late = max(0.0, self.loop.time() - deadline)
        if late >= _STILL_SECONDS and not self.node.answered_within(seconds + late):
            if self._looking is None or self._looking.done():
                self._looking = self.loop.create_task(self._look(min(late, seconds)))
            await asyncio.shield(self._looking)
            late = self.loop.time() - deadline
        return self.node.answered_within(seconds + late)

    async def _look(self, seconds: float) -> None:
        """One for all that wait, so that the loop has time for what they wait for."""
        begun, turns = self.loop.time(), 0
        while not self.node.answered_within(self.loop.time() - begun) and (turns < _LOOKS or self.loop.time() < begun + seconds):
            turns += 1
            await asyncio.sleep(0 if turns < _LOOKS else _POLL_SECONDS)

    async def _connected(self, pool: Any, deadline: float, enter_by: float) -> Any:
        probe = self.loop.call_later((deadline - self.loop.time()) / 4, self._probe, pool, deadline)
        try:
            async with timeout_at(deadline):
                while True:
                    try:
                        return await self._connection(pool)
                    except Exception as error:
                        is_full = classify_exception(error, sent=False).kind is FailureKind.OVERLOADED
                        if not is_full or self.loop.time() > enter_by:
                            raise
                    # The application's own commands have them all.
                    await asyncio.sleep(_POLL_SECONDS)
        except asyncio.TimeoutError:
            failure = self._refused or TimeoutError("no connection came about in time")
        finally:
            probe.cancel()
        # Raised where nothing is being handled, for that would take the place of its own cause, which tells what it means.
        raise failure.with_traceback(None)

    def _probe(self, pool: Any, deadline: float) -> None:
        if self._probing is None or self._probing.done():
            self._probing = self.loop.create_task(self._probed(pool, deadline))

    async def _probed(self, pool: Any, deadline: float) -> None:
        """Hears why a connection is refused. The client repeats its attempts for seconds, those that were refused too, and tells none."""
        connection = pool.connection_class(**without_repeats(pool.connection_kwargs))
        try:
            async with timeout_at(deadline):
                await connection.connect()
        except Exception as error:
            if classify_exception(error, sent=False).kind in (FailureKind.MISCONFIGURED, FailureKind.UNKNOWN):
                self._refused = error
        finally:
            await connection.disconnect(nowait=True)

    async def _connection(self, pool: Any) -> Any:
        connection = await self._acquired(pool)
        try:
            await connection.connect()
            # redis-py 8 with RESP3 hands out a connection that the server has closed, and counts on its retries.
            reader = getattr(connection, "_reader", None)
            if reader is not None and reader.at_eof():
                await connection.disconnect(nowait=True)
                await connection.connect()
            self._know(connection)
        except BaseException:
            await self._release(pool, connection)
            raise
        return connection

    def _know(self, connection: Any) -> None:
        # Each opening of a connection has a reader of its own.
        reader = getattr(connection, "_reader", None)
        if reader is not None and reader not in self._readers:
            self._readers.add(reader)
            self._refused = None
            self.node.connected()

    async def _exchanged(self, pool: Any, connection: Any, commands: list[Any], deadline: float) -> list[Any]:
        replies: list[Any] = []
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
            failure = Failure(TimeoutError("no answer came in time") if late else error)
            replies += [failure] * (len(commands) - len(replies))
        except BaseException:
            # Cancelled: the answer is still to come, so nobody else may have this connection.
            await connection.disconnect(nowait=True)
            raise
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
