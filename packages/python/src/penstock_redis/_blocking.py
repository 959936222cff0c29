"""The limiter over redis-py's blocking clients."""

from __future__ import annotations

import inspect
import threading
import time
from collections.abc import Iterable
from typing import Any, Optional, Protocol

from ._connections import connections_of
from ._failure import Failure, answers, failing
from ._limiter import LOAD, MOST_REDIRECTS, Command, LimiterPolicy, by_node, is_cluster, raised
from ._node import Node
from ._protocol import MOST_UNITS, Decision, charge, several


class BlockingClient(Protocol):
    """``redis.Redis`` or ``redis.RedisCluster``."""

    def execute_command(self, *args: Any, **options: Any) -> Any: ...

    def __enter__(self) -> Any: ...


class RateLimiter(LimiterPolicy[BlockingClient]):
    """One policy under one limit, for each subject, over ``redis.Redis`` or ``redis.RedisCluster``. Safe for use by several threads.

    Its connections are made as the client makes its, at most ``max_connections``, and shared by all limiters of that client.
    """

    _takes = "redis.Redis or redis.RedisCluster; AsyncRateLimiter takes those of redis.asyncio"

    _refreshing: Optional[threading.Thread] = None

    def _is_taken(self, client: Any) -> bool:
        command = getattr(client, "execute_command", None)
        return command is not None and not inspect.iscoroutinefunction(command)

    def acquire(self, subject: str | bytes, cost: int = 1) -> Decision:
        """Takes ``cost`` units if every tier has them. A denial is a decision, not an error."""
        key = self._key(subject)
        known = self._known(key, charge(cost))
        return self._one(self._call(key, cost)) if known is None else known

    def acquire_up_to(self, subject: str | bytes, calls: int, cost: int = 1) -> Decision:
        """As many calls of this cost as there is room for, at most ``calls``: ``granted`` of the decision says how many."""
        key, argument = self._key(subject), several(calls, cost)
        known = self._known(key, cost)
        return self._one(self._call(key, argument)) if known is None else known

    def acquire_all(self, subjects: Iterable[str | bytes]) -> list[Decision | Exception]:
        """One unit for each subject, in one trip per node; a call that fails does not spoil its neighbours."""
        calls = self._calls(subjects)
        with self._traced():
            outcomes = iter(self._all([call for call in calls if isinstance(call, tuple)]))
        return [next(outcomes) if isinstance(call, tuple) else call for call in calls]

    def peek(self, subject: str | bytes) -> Decision:
        """How much is left, without taking anything."""
        return self._one(self._call(self._key(subject), 0))

    def refund(self, subject: str | bytes, units: int) -> Decision:
        """Gives units back, at most as many as are used."""
        key = self._key(subject)
        call = self._call(key, -charge(units))
        with self._giving_back(key):
            return self._one(call)

    def reset(self, subject: str | bytes) -> Decision:
        """Gives everything back."""
        return self.refund(subject, MOST_UNITS)

    def load_functions(self) -> None:
        """Loads the Functions library on every master, by the client and its time-outs."""
        masters = {"target_nodes": self._client.get_primaries()} if is_cluster(self._client) else {}
        self._client.execute_command(*LOAD, **masters)

    def close(self) -> None:
        """Closes the idle connections of this client's limiters. The client stays open; another call connects again."""
        nodes = self._client.get_nodes() if is_cluster(self._client) else []
        for client in nodes and map(self._client.get_redis_connection, nodes) or [self._client]:
            connections_of(client.connection_pool, bool(nodes)).close()

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
                commands = steps.send(self._exchange(commands, deadline))
        except StopIteration as end:
            outcomes: list[Any] = end.value
            return outcomes

    def _exchange(self, commands: list[Command], deadline: float) -> list[Any]:
        if not is_cluster(self._client):
            return self._through(self._client, commands, deadline)
        replies: list[Any] = [None] * len(commands)
        try:
            nodes = by_node(self._client, commands)
        except Exception as error:
            self._refresh()
            return self._heard(Node(in_cluster=True), [Failure(error, sent=False)] * len(commands))
        for node, places in nodes:
            for at, reply in zip(places, self._on(node, [commands[at] for at in places], deadline)):
                replies[at] = reply
        return [self._redirected(command, reply, deadline) for command, reply in zip(commands, replies)]

    def _on(self, node: Any, commands: list[Command], deadline: float) -> list[Any]:
        return self._through(self._client.get_redis_connection(node), commands, deadline)

    def _through(self, client: Any, commands: list[Command], deadline: float) -> list[Any]:
        connections = connections_of(client.connection_pool, is_cluster(self._client))
        return self._heard(connections.node, connections.exchange(commands, deadline))

    def _redirected(self, command: Command, reply: Any, deadline: float) -> Any:
        for _ in range(MOST_REDIRECTS):
            asking = answers(reply, "ASK")
            if not asking and not answers(reply, "MOVED"):
                break
            refreshing = None if asking else self._refresh()
            host, port = reply.error.host, reply.error.port
            node = self._client.get_node(host=host, port=port)
            if node is None and refreshing is not None:
                refreshing.join(max(0.0, deadline - time.monotonic()))
                node = self._client.get_node(host=host, port=port)
            if node is None:
                break
            reply = self._on(node, [("ASKING",), command] if asking else [command], deadline)[-1]
        if isinstance(reply, Failure) and not answers(reply):
            self._refresh()
        return reply

    def _refresh(self) -> threading.Thread:
        """Lets the client ask for the slots again; it does not keep a deadline, so not in this thread."""
        refreshing = self._refreshing
        if refreshing is None or not refreshing.is_alive():
            refreshing = threading.Thread(target=failing, args=(self._client.nodes_manager.initialize,), daemon=True)
            self._refreshing = refreshing
            refreshing.start()
        return refreshing
