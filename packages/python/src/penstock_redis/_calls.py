"""The part that limiters and reservations share: client, timeout, and behavior in an outage."""

from __future__ import annotations

import contextlib
import logging
import time
from contextlib import AbstractContextManager
from datetime import timedelta
from types import MethodType
from typing import Any, Callable, Generic, Literal, Optional, TypeVar, get_args

from ._asking import Listener, listeners_of
from ._failure import NoDecisionError, OverloadedError, PenstockError
from ._scripts import FUNCTIONS_LIBRARY
from ._tls import is_tls

Command = tuple[Any, ...]
Tracing = Callable[[str], AbstractContextManager[Any]]
MOST_REDIRECTS = 5
LOAD = ("FUNCTION", "LOAD", "REPLACE", FUNCTIONS_LIBRARY)
SECOND = timedelta(seconds=1)
Client = TypeVar("Client")
Choice = Literal["raise", "allow", "deny"]
"""The result of a call for units if the server does not make a decision."""

log = logging.getLogger("penstock_redis")


class CallPolicy(Generic[Client]):
    def __init__(
        self,
        client: Client,
        kind: str,
        name: str,
        timeout: timedelta,
        on_unavailable: Choice,
        on_overload: Choice,
        verdict_connection: bool,
        on_verdict: Optional[Listener],
        trace: Optional[Tracing],
    ) -> None:
        # With less time no call would be answered, and no caller would be limited.
        if not isinstance(timeout, timedelta) or timeout < timedelta(milliseconds=1):
            raise ValueError(f"timeout must be a timedelta of at least 1 millisecond: {timeout!r}")
        for argument, choice in (("on_unavailable", on_unavailable), ("on_overload", on_overload)):
            if choice not in get_args(Choice):
                raise ValueError(f"{argument} must be 'raise', 'allow' or 'deny': {choice!r}")
        self._client, self._who, self._seconds = client, f"{kind} {name}", timeout.total_seconds()
        self._span, self._trace = f"penstock {name}", trace
        self._on_unavailable, self._on_overload = on_unavailable, on_overload
        self._undecided: Optional[Choice] = None
        self._warned = float("-inf")
        if not isinstance(verdict_connection, bool):
            raise TypeError(f"verdict_connection must be True or False: {verdict_connection!r}")
        self._connect(client, verdict_connection)
        if on_verdict is not None:
            listeners_of(client).append(on_verdict)

    def _connect(self, client: Any, verdict_connection: bool) -> None:
        """Creates the transport for a client; raises ``TypeError`` if the client is not supported."""
        raise NotImplementedError

    def _traced(self) -> AbstractContextManager[Any]:
        return self._trace(self._span) if self._trace else contextlib.nullcontext()

    def _choice(self, error: PenstockError) -> Choice:
        """The only code that lets a failed call through."""
        if isinstance(error, NoDecisionError):
            return self._on_unavailable
        return self._on_overload if isinstance(error, OverloadedError) else "raise"

    def _note(self, undecided: Optional[Choice], why: Optional[PenstockError] = None) -> None:
        """Logs the first decision made without the server, at most once a second, and the server's first decision after that."""
        if undecided == self._undecided:
            return
        if undecided is None:
            log.info("%s: the server decides again", self._who)
        elif time.monotonic() - self._warned < 1:
            return
        else:
            self._warned = time.monotonic()
            log.warning("calls %s without the server: %s", "pass" if undecided == "allow" else "are denied", why)
        self._undecided = undecided


def checked_client(client: Any, is_taken: bool, takes: str) -> None:
    if not is_taken:
        raise TypeError(f"client must be {takes}: {type(client).__module__}.{type(client).__qualname__}")


def checked_connection(pool: Any, name: str, of_tls: str) -> None:
    """Checks the pool's connections: they must start with this attribute empty and, if they use TLS, have this method."""
    try:
        connection = pool.connection_class(**pool.connection_kwargs)
    except Exception:
        # An option is wrong, which the first call reports.
        return
    checked_place(connection, name, type(None))
    if is_tls(pool.connection_class):
        checked_place(connection, of_tls, MethodType)


def checked_place(owner: Any, name: str, *kinds: type) -> None:
    """Fails when a limiter is created, rather than at its first call, if the client lacks a private attribute that the limiter uses."""
    if not isinstance(getattr(owner, name, owner), kinds):
        kind = type(owner)
        raise TypeError(f"this version of the client is not known to work: {kind.__module__}.{kind.__qualname__} has no {name} as expected")


def by_node(client: Any, commands: list[Command]) -> list[tuple[Any, list[int]]]:
    """Returns the nodes of a cluster, each with the indexes of its commands."""
    nodes: dict[str, tuple[Any, list[int]]] = {}
    for at, command in enumerate(commands):
        node = client.get_node_from_key(command[3])
        nodes.setdefault(node.name, (node, []))[1].append(at)
    return list(nodes.values())


def is_cluster(client: Any) -> bool:
    return hasattr(client, "get_node_from_key")
