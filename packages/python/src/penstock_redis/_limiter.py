"""Limiters over redis-py's clients, which stay as they are: each call is sent once, and again only after NOSCRIPT, MOVED or ASK."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import Any

from ._protocol import MOST_UNITS, Decision, Limit, MaybeChargedError
from ._protocol import charge, decision, escaped, key_head, proves_not_run, server_text, several
from ._scripts import FUNCTIONS_LIBRARY

Command = tuple[Any, ...]
_MOST_REDIRECTS = 5
_LOAD = ("FUNCTION", "LOAD", "REPLACE", FUNCTIONS_LIBRARY)


@dataclass(frozen=True)
class _Failure:
    error: Exception
    sent: bool = True


class _Policy:
    """The common part of both limiters: commands out, outcomes in. ``_exchange`` of a subclass does the sending."""

    _awaits: bool
    _takes: str

    def __init__(self, client: Any, policy: str, limit: Limit, *, prefix: str = "penstock", functions: bool = False) -> None:
        """
        :param client: a ``Redis`` or ``RedisCluster`` of redis-py, which is used and never changed
        :param functions: call the Functions library (Redis 7.0, Valkey), which was loaded with ``load_functions``
        """
        if not isinstance(limit, Limit):
            raise TypeError(f"limit must be made by a function of this package, such as token_bucket: {limit!r}")
        command = getattr(client, "execute_command", None)
        if command is None or inspect.iscoroutinefunction(command) != self._awaits:
            raise TypeError(f"client must be {self._takes}: {type(client).__module__}.{type(client).__qualname__}")
        self._client = client
        self._head = key_head(prefix, policy)
        self._tail = f"}}:{limit.marker}".encode()
        self._limit = limit
        self._target = ("FCALL", limit.script.function) if functions else ("EVALSHA", limit.script.sha1)

    def _call(self, subject: str | bytes, cost: int | str) -> Command:
        return (*self._target, 1, self._head + escaped(subject) + self._tail, cost, *self._limit.arguments)

    def _calls(self, subjects: Iterable[str | bytes]) -> list[Command | Exception]:
        """The call of each subject, or what is wrong with it."""
        if isinstance(subjects, (str, bytes)):
            raise TypeError(f"subjects must be several, such as a list: for one subject there is acquire: {subjects!r}")
        calls: list[Command | Exception] = []
        for subject in subjects:
            try:
                calls.append(self._call(subject, 1))
            except (TypeError, ValueError) as error:
                calls.append(error)
        return calls

    def _answers(self, calls: list[Command]) -> Generator[list[Command], list[Any], list[Decision | Exception]]:
        answers = yield calls
        unknown = [at for at, answer in enumerate(answers) if _is(answer, "NOSCRIPT")]
        if unknown:
            evals = [("EVAL", self._limit.script.source, *calls[at][2:]) for at in unknown]
            for at, answer in zip(unknown, (yield evals)):
                answers[at] = answer
        return [_outcome(call, answer) for call, answer in zip(calls, answers)]


class RateLimiter(_Policy):
    """One policy under one limit, for each subject, over ``redis.Redis`` or ``redis.RedisCluster``. Safe for use by several threads."""

    _awaits = False
    _takes = "redis.Redis or redis.RedisCluster; AsyncRateLimiter takes those of redis.asyncio"

    def acquire(self, subject: str | bytes, cost: int = 1) -> Decision:
        """Takes ``cost`` units if every tier has them. A denial is a decision, not an error."""
        return self._one(self._call(subject, charge(cost)))

    def acquire_up_to(self, subject: str | bytes, calls: int, cost: int = 1) -> Decision:
        """As many calls of this cost as there is room for, at most ``calls``: ``granted`` of the decision says how many."""
        return self._one(self._call(subject, several(calls, cost)))

    def acquire_all(self, subjects: Iterable[str | bytes]) -> list[Decision | Exception]:
        """One unit for each subject, in one trip per node; a call that fails does not spoil its neighbours."""
        calls = self._calls(subjects)
        outcomes = iter(self._all([call for call in calls if not isinstance(call, Exception)]))
        return [call if isinstance(call, Exception) else next(outcomes) for call in calls]

    def peek(self, subject: str | bytes) -> Decision:
        """How much is left, without taking anything."""
        return self._one(self._call(subject, 0))

    def refund(self, subject: str | bytes, units: int) -> Decision:
        """Gives units back, at most as many as are used."""
        return self._one(self._call(subject, -charge(units)))

    def reset(self, subject: str | bytes) -> Decision:
        """Gives everything back."""
        return self.refund(subject, MOST_UNITS)

    def load_functions(self) -> None:
        """Loads the Functions library on every master."""
        masters = {"target_nodes": self._client.get_primaries()} if _is_cluster(self._client) else {}
        self._client.execute_command(*_LOAD, **masters)

    def _one(self, call: Command) -> Decision:
        return _raised(self._all([call])[0])

    def _all(self, calls: list[Command]) -> list[Decision | Exception]:
        if not calls:
            return []
        answers = self._answers(calls)
        try:
            commands = next(answers)
            while True:
                commands = answers.send(self._exchange(commands))
        except StopIteration as end:
            outcomes: list[Decision | Exception] = end.value
            return outcomes

    def _exchange(self, commands: list[Command]) -> list[Any]:
        if not _is_cluster(self._client):
            return _exchanged(self._client.connection_pool, commands)
        if len(commands) == 1:
            return [self._routed(commands[0])]
        replies: dict[int, Any] = {}
        for node, places in _by_node(self._client, commands):
            pool = self._client.get_redis_connection(node).connection_pool
            replies.update(zip(places, _exchanged(pool, [commands[at] for at in places])))
        if any(isinstance(reply, _Failure) and server_text(reply.error) is None for reply in replies.values()):
            # As the client itself does where it meets a failure.
            with contextlib.suppress(Exception):
                self._client.nodes_manager.initialize()
        return [self._routed(command) if _is(replies[at], "MOVED", "ASK") else replies[at] for at, command in enumerate(commands)]

    def _routed(self, command: Command) -> Any:
        # With a node named, the cluster client follows MOVED and ASK but repeats nothing else.
        try:
            return self._client.execute_command(*command, target_nodes=self._client.get_node_from_key(command[3]))
        except Exception as error:
            return _Failure(error)


class AsyncRateLimiter(_Policy):
    """The same over ``redis.asyncio.Redis`` or ``redis.asyncio.RedisCluster``."""

    _awaits = True
    _takes = "redis.asyncio.Redis or redis.asyncio.RedisCluster; RateLimiter takes those of redis"

    async def acquire(self, subject: str | bytes, cost: int = 1) -> Decision:
        """Takes ``cost`` units if every tier has them. A denial is a decision, not an error."""
        return await self._one(self._call(subject, charge(cost)))

    async def acquire_up_to(self, subject: str | bytes, calls: int, cost: int = 1) -> Decision:
        """As many calls of this cost as there is room for, at most ``calls``: ``granted`` of the decision says how many."""
        return await self._one(self._call(subject, several(calls, cost)))

    async def acquire_all(self, subjects: Iterable[str | bytes]) -> list[Decision | Exception]:
        """One unit for each subject, in one trip per node; a call that fails does not spoil its neighbours."""
        calls = self._calls(subjects)
        outcomes = iter(await self._all([call for call in calls if not isinstance(call, Exception)]))
        return [call if isinstance(call, Exception) else next(outcomes) for call in calls]

    async def peek(self, subject: str | bytes) -> Decision:
        """How much is left, without taking anything."""
        return await self._one(self._call(subject, 0))

    async def refund(self, subject: str | bytes, units: int) -> Decision:
        """Gives units back, at most as many as are used."""
        return await self._one(self._call(subject, -charge(units)))

    async def reset(self, subject: str | bytes) -> Decision:
        """Gives everything back."""
        return await self.refund(subject, MOST_UNITS)

    async def load_functions(self) -> None:
        """Loads the Functions library on every master."""
        if _is_cluster(self._client):
            await self._client.initialize()
            await self._client.execute_command(*_LOAD, target_nodes=self._client.get_primaries())
        else:
            await self._client.execute_command(*_LOAD)

    async def _one(self, call: Command) -> Decision:
        return _raised((await self._all([call]))[0])

    async def _all(self, calls: list[Command]) -> list[Decision | Exception]:
        if not calls:
            return []
        answers = self._answers(calls)
        try:
            commands = next(answers)
            while True:
                commands = answers.send(await self._exchange(commands))
        except StopIteration as end:
            outcomes: list[Decision | Exception] = end.value
            return outcomes

    async def _exchange(self, commands: list[Command]) -> list[Any]:
        if not _is_cluster(self._client):
            return await _exchanged_async(self._client.connection_pool, commands)
        try:
            await self._client.initialize()
        except Exception as error:
            return [_Failure(error, sent=False)] * len(commands)
        nodes = _by_node(self._client, commands)
        answers = await asyncio.gather(*(_on_node(node, [commands[at] for at in places]) for node, places in nodes))
        replies = {at: reply for (_, places), there in zip(nodes, answers) for at, reply in zip(places, there)}
        return [await self._redirected(command, replies[at]) for at, command in enumerate(commands)]

    async def _redirected(self, command: Command, reply: Any) -> Any:
        # The client's own way sends ASKING on one connection and the command on another, if several tasks use it at once.
        for _ in range(_MOST_REDIRECTS):
            asking = _is(reply, "ASK")
            if not asking and not _is(reply, "MOVED"):
                break
            if not asking:
                await self._refresh()
            node = self._client.get_node(host=reply.error.host, port=reply.error.port)
            if node is None:
                break
            reply = (await _on_node(node, [("ASKING",), command] if asking else [command]))[-1]
        if isinstance(reply, _Failure) and server_text(reply.error) is None:
            await self._refresh()
        return reply

    async def _refresh(self) -> None:
        # The client sets this mark itself where it meets a failure, and then asks for the slots again.
        self._client._initialize = True
        with contextlib.suppress(Exception):
            await self._client.initialize()


def _by_node(client: Any, commands: list[Command]) -> list[tuple[Any, list[int]]]:
    """The nodes of a cluster, each with the places of its commands."""
    nodes: dict[str, tuple[Any, list[int]]] = {}
    for at, command in enumerate(commands):
        node = client.get_node_from_key(command[3])
        nodes.setdefault(node.name, (node, []))[1].append(at)
    return list(nodes.values())


def _is_cluster(client: Any) -> bool:
    return hasattr(client, "get_node_from_key")


def _exchanged(pool: Any, commands: list[Command]) -> list[Any]:
    """Sends commands on a connection of the pool; ``Redis.execute_command`` would send them again after an error."""
    try:
        connection = pool.get_connection()
    except Exception as error:
        return [_Failure(error, sent=False)] * len(commands)
    replies: list[Any] = []
    try:
        connection.send_packed_command(connection.pack_commands(commands))
        while len(replies) < len(commands):
            try:
                replies.append(connection.read_response())
            except Exception as error:
                if server_text(error) is None:
                    raise
                replies.append(_Failure(error))
    except Exception as error:
        connection.disconnect()
        replies += [_Failure(error)] * (len(commands) - len(replies))
    except BaseException:
        connection.disconnect()
        raise
    finally:
        pool.release(connection)
    return replies


async def _exchanged_async(pool: Any, commands: list[Command]) -> list[Any]:
    try:
        connection = await pool.get_connection()
    except Exception as error:
        return [_Failure(error, sent=False)] * len(commands)
    try:
        return await _spoken(connection, commands)
    finally:
        await pool.release(connection)


async def _on_node(node: Any, commands: list[Command]) -> list[Any]:
    try:
        connection = node.acquire_connection()
    except Exception as error:
        return [_Failure(error, sent=False)] * len(commands)
    try:
        return await _spoken(connection, commands)
    finally:
        # redis-py 5 to 7 have no method for it.
        (node.release if hasattr(node, "release") else node._free.append)(connection)


async def _spoken(connection: Any, commands: list[Command]) -> list[Any]:
    try:
        await connection.connect()
        await _reopened(connection)
    except Exception as error:
        return [_Failure(error, sent=False)] * len(commands)
    replies: list[Any] = []
    try:
        await connection.send_packed_command(connection.pack_commands(commands))
        while len(replies) < len(commands):
            try:
                replies.append(await connection.read_response())
            except Exception as error:
                if server_text(error) is None:
                    raise
                replies.append(_Failure(error))
    except Exception as error:
        await connection.disconnect(nowait=True)
        replies += [_Failure(error)] * (len(commands) - len(replies))
    except BaseException:
        # Cancelled: the answer is still to come, so nobody else may have this connection.
        await connection.disconnect(nowait=True)
        raise
    return replies


async def _reopened(connection: Any) -> None:
    # redis-py 8 with RESP3 hands out a connection that the server has closed, and counts on its retries.
    reader = getattr(connection, "_reader", None)
    if reader is not None and reader.at_eof():
        await connection.disconnect(nowait=True)
        await connection.connect()


def _is(answer: Any, *words: str) -> bool:
    """Whether the server answered with an error of one of these code words."""
    return isinstance(answer, _Failure) and (server_text(answer.error) or "").startswith(words)


def _outcome(call: Command, answer: Any) -> Decision | Exception:
    if isinstance(answer, _Failure):
        error = answer.error
        charged_nothing = call[4] == 0 or not answer.sent or proves_not_run(error)
        return error if charged_nothing else _maybe_charged(error)
    try:
        _, _, calls = str(call[4]).partition("*")
        return decision(answer, int(calls or 1))
    except ValueError as error:
        return error if call[4] == 0 else _maybe_charged(error)


def _maybe_charged(error: Exception) -> MaybeChargedError:
    maybe = MaybeChargedError(f"no answer tells whether the call ran, so it may have been charged: {error!r}")
    maybe.__cause__ = error
    return maybe


def _raised(outcome: Decision | Exception) -> Decision:
    if isinstance(outcome, Exception):
        raise outcome
    return outcome
