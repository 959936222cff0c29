"""Sends commands through redis-py's blocking clients, each once and within a deadline."""

from __future__ import annotations

import inspect
import threading
import time
from typing import Any, Optional, Protocol

from ._asking import listeners_of
from ._calls import LOAD, MOST_REDIRECTS, Command, by_node, checked_client, checked_connection, is_cluster
from ._connections import Connections, connections_of
from ._failure import Failure, LateCallError, answers, failing, note_caller
from ._node import Node


class BlockingClient(Protocol):
    """``redis.Redis`` or ``redis.RedisCluster``."""

    def execute_command(self, *args: Any, **options: Any) -> Any: ...

    def __enter__(self) -> Any: ...


class BlockingTransport:
    """Sends the commands of one limiter over ``redis.Redis`` or ``redis.RedisCluster``."""

    _refreshing: Optional[threading.Thread] = None

    def __init__(self, client: Any, verdict_connection: bool, sister: str) -> None:
        command = getattr(client, "execute_command", None)
        is_blocking = command is not None and not inspect.iscoroutinefunction(command)
        checked_client(client, is_blocking, f"redis.Redis or redis.RedisCluster; {sister} takes those of redis.asyncio")
        self._client, self._verdict_connection, self._listeners = client, verdict_connection, listeners_of(client)
        clients = [client.get_redis_connection(node) for node in client.get_nodes()] if is_cluster(client) else [client]
        checked_connection(clients[0].connection_pool, "_sock", "_connect")

    def exchange(self, commands: list[Command], deadline: float) -> list[Any]:
        note_caller()
        if not is_cluster(self._client):
            return self._on(self._client, commands, deadline)
        replies: list[Any] = [None] * len(commands)
        try:
            nodes = by_node(self._client, commands)
        except Exception as error:
            self._refresh()
            return Node(in_cluster=True).heard([Failure(error, sent=False)] * len(commands))
        clients = [(self._client.get_redis_connection(node), places) for node, places in nodes]
        for client, places in clients:
            for at, reply in zip(places, self._on(client, [commands[at] for at in places], deadline)):
                replies[at] = reply
        return [self._redirected(command, reply, deadline) for command, reply in zip(commands, replies)]

    def _on(self, client: Any, commands: list[Command], deadline: float) -> list[Any]:
        connections = self._connections_of(client, is_cluster(self._client))
        return connections.node.heard(connections.exchange(commands, deadline))

    def connections_of_call(self, command: Command) -> Optional[Connections]:
        """Returns the connections to the node of a call, or None while the node is unknown."""
        if not is_cluster(self._client):
            return self._connections_of(self._client, in_cluster=False)
        try:
            ((node, _),) = by_node(self._client, [command])
            return self._connections_of(self._client.get_redis_connection(node), in_cluster=True)
        except Exception:
            return None

    def _connections_of(self, client: Any, in_cluster: bool) -> Connections:
        return connections_of(client.connection_pool, in_cluster, self._verdict_connection, self._listeners)

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
            client = self._client.get_redis_connection(node)
            reply = self._on(client, [("ASKING",), command] if asking else [command], deadline)[-1]
        if isinstance(reply, Failure) and not answers(reply) and not isinstance(reply.error, LateCallError):
            self._refresh()
        return reply

    def _refresh(self) -> threading.Thread:
        """Makes the client reload the slots, in another thread because the reload ignores deadlines."""
        refreshing = self._refreshing
        if refreshing is None or not refreshing.is_alive():
            refreshing = threading.Thread(target=failing, args=(self._client.nodes_manager.initialize,), daemon=True)
            self._refreshing = refreshing
            refreshing.start()
        return refreshing

    def load_functions(self) -> None:
        """Loads the Functions library on every master, through the client and with its timeouts."""
        masters = {"target_nodes": self._client.get_primaries()} if is_cluster(self._client) else {}
        self._client.execute_command(*LOAD, **masters)

    def close(self) -> None:
        """Closes the idle connections that this client's limiters opened. The client itself stays open, and the next call reconnects."""
        nodes = self._client.get_nodes() if is_cluster(self._client) else []
        for client in nodes and map(self._client.get_redis_connection, nodes) or [self._client]:
            self._connections_of(client, bool(nodes)).close()
