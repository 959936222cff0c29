"""What both limiters have in common: commands out, outcomes in. Each call is sent once, and again only after NOSCRIPT, MOVED or ASK."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any, Callable, Generic, Literal, Optional, TypeVar, get_args

from ._failure import ErrorMeaning, Failure, FailureKind, NoDecisionError, OverloadedError, PenstockError, answers, failed
from ._near import Clocks, clocks, forget, memory_of
from ._node import Node
from ._protocol import Decision, Limit, decision, escaped, key_head, microseconds
from ._scripts import FUNCTIONS_LIBRARY

Command = tuple[Any, ...]
Tracing = Callable[[str], AbstractContextManager[Any]]
MOST_REDIRECTS = 5
LOAD = ("FUNCTION", "LOAD", "REPLACE", FUNCTIONS_LIBRARY)
SECOND = timedelta(seconds=1)
Client = TypeVar("Client")
Choice = Literal["raise", "allow", "deny"]
"""What a call for units comes to that the server did not decide."""

_log = logging.getLogger("penstock_redis")


class LimiterPolicy(Generic[Client]):
    """One policy under one limit."""

    _takes: str

    def __init__(
        self,
        client: Client,
        policy: str,
        limit: Limit,
        *,
        prefix: str = "penstock",
        functions: bool = False,
        timeout: timedelta = SECOND,
        on_unavailable: Choice = "raise",
        on_overload: Choice = "deny",
        remember_denials: timedelta = timedelta(0),
        trace: Optional[Tracing] = None,
    ) -> None:
        """
        :param client: a ``Redis`` or ``RedisCluster`` of redis-py, which is used and never changed
        :param policy: its name, 1 to 64 letters, digits, dots, hyphens and underscores
        :param functions: call the Functions library (Redis 7.0, Valkey), which was loaded with ``load_functions``
        :param timeout: the most that a call takes, with its connecting, whatever the client is set to
        :param on_unavailable: what a call for units comes to in an outage: it raises ``NoDecisionError``, or is allowed or denied with
            ``enforced`` False, to be tried again after one ``timeout``; what is set up wrong or not understood is always raised, and so
            is every failure of a peek, a refund or a reset
        :param on_overload: the same where a bound of this process or the server's memory is full while the server answers
        :param remember_denials: for how long at most a denial is repeated without asking the server, 100 ms for example; what other
            processes give back is seen after that time. It is shared by the limiters of a client
        :param trace: makes a context manager around each call, such as ``start_as_current_span`` of an OpenTelemetry tracer
        """
        if not isinstance(limit, Limit):
            raise TypeError(f"limit must be made by a function of this package, such as token_bucket: {limit!r}")
        if not isinstance(timeout, timedelta) or timeout <= timedelta(0):
            raise ValueError(f"timeout must be a timedelta above zero: {timeout!r}")
        for name, choice in (("on_unavailable", on_unavailable), ("on_overload", on_overload)):
            if choice not in get_args(Choice):
                raise ValueError(f"{name} must be 'raise', 'allow' or 'deny': {choice!r}")
        if microseconds("remember_denials", remember_denials) < 0:
            raise ValueError(f"remember_denials must be a timedelta of zero or above: {remember_denials!r}")
        if not self._is_taken(client):
            raise TypeError(f"client must be {self._takes}: {type(client).__module__}.{type(client).__qualname__}")
        self._client: Any = client
        self._policy = policy
        self._head = key_head(prefix, policy)
        self._tail = f"}}:{limit.marker}".encode()
        self._limit = limit
        self._target = ("FCALL", limit.script.function) if functions else ("EVALSHA", limit.script.sha1)
        self._seconds = timeout.total_seconds()
        self._trace = trace
        self._most_ns = microseconds("remember_denials", remember_denials) * 1_000
        self._memory = memory_of(client) if self._most_ns > 0 else None
        self._on_unavailable, self._on_overload = on_unavailable, on_overload
        self._undecided: Optional[Choice] = None
        self._warned = float("-inf")

    def _is_taken(self, client: Any) -> bool:
        raise NotImplementedError

    def _traced(self) -> AbstractContextManager[Any]:
        return self._trace(f"penstock {self._policy}") if self._trace else contextlib.nullcontext()

    def _key(self, subject: str | bytes) -> bytes:
        return self._head + escaped(subject) + self._tail

    def _call(self, key: bytes, cost: int | str) -> Command:
        return (*self._target, 1, key, cost, *self._limit.arguments)

    def _calls(self, subjects: Iterable[str | bytes]) -> list[Command | Decision | Exception]:
        """The call of each subject, or its denial that is known, or what is wrong with it."""
        if isinstance(subjects, (str, bytes)):
            raise TypeError(f"subjects must be several, such as a list: for one subject there is acquire: {subjects!r}")
        calls: list[Command | Decision | Exception] = []
        for subject in subjects:
            try:
                key = self._key(subject)
                known = self._known(key, 1)
                calls.append(self._call(key, 1) if known is None else known)
            except (TypeError, ValueError) as error:
                calls.append(error)
        return calls

    def _known(self, key: bytes, cost: int) -> Optional[Decision]:
        return None if self._memory is None else self._memory.find(key, self._limit, cost, self._most_ns)

    @contextlib.contextmanager
    def _giving_back(self, key: bytes) -> Iterator[None]:
        forget(self._client, key)
        try:
            yield
        finally:
            forget(self._client, key)

    def _answers(self, calls: list[Command]) -> Generator[list[Command], list[Any], list[Decision | PenstockError]]:
        sent = clocks()
        replies = yield calls
        unknown = [at for at, reply in enumerate(replies) if answers(reply, "NOSCRIPT")]
        if unknown:
            evals = [("EVAL", self._limit.script.source, *calls[at][2:]) for at in unknown]
            for at, reply in zip(unknown, (yield evals)):
                replies[at] = reply
        return [self._outcome(call, reply, sent) for call, reply in zip(calls, replies)]

    def _heard(self, node: Node, replies: list[Any]) -> list[Any]:
        """The replies of a node, with what each failure means."""
        for at, reply in enumerate(replies):
            node.hear(reply)
            if isinstance(reply, Failure):
                replies[at] = reply._replace(meaning=node.meaning(reply, self._seconds))
        return replies

    def _outcome(self, call: Command, reply: Any, sent: Clocks) -> Decision | PenstockError:
        cost, _, calls = str(call[4]).partition("*")
        try:
            if not isinstance(reply, Failure):
                decided = decision(reply, int(calls or 1))
                self._note(None)
                if self._memory is not None and not decided and int(cost) > 0:
                    self._memory.remember(call[3], self._limit, int(cost), decided, sent, time.monotonic_ns())
                return decided
        except ValueError as unreadable:
            reply = Failure(unreadable, meaning=ErrorMeaning(FailureKind.UNKNOWN, charged=True))
        kind, charged = reply.meaning
        error = failed(self._policy, kind, charged and call[4] != 0, reply.error)
        choice = self._choice(error)
        if choice == "raise" or int(cost) <= 0:
            return error
        self._note(choice, error)
        granted, wait_us = (int(calls or 1), 0) if choice == "allow" else (0, round(self._seconds * 1_000_000))
        return Decision(granted, self._limit.tiers[0][0], 0, wait_us, 0, 1, enforced=False)

    def _choice(self, error: PenstockError) -> Choice:
        """The one place where a failure opens a limit."""
        if isinstance(error, NoDecisionError):
            return self._on_unavailable
        return self._on_overload if isinstance(error, OverloadedError) else "raise"

    def _note(self, undecided: Optional[Choice], why: Optional[PenstockError] = None) -> None:
        """Logs when calls are first decided without the server, at most once a second, and when it decides again."""
        if undecided == self._undecided:
            return
        if undecided is None:
            _log.info("policy %s: the server decides again", self._policy)
        elif time.monotonic() - self._warned < 1:
            return
        else:
            self._warned = time.monotonic()
            _log.warning("calls %s without the server: %s", "pass" if undecided == "allow" else "are denied", why)
        self._undecided = undecided


def by_node(client: Any, commands: list[Command]) -> list[tuple[Any, list[int]]]:
    """The nodes of a cluster, each with the places of its commands."""
    nodes: dict[str, tuple[Any, list[int]]] = {}
    for at, command in enumerate(commands):
        node = client.get_node_from_key(command[3])
        nodes.setdefault(node.name, (node, []))[1].append(at)
    return list(nodes.values())


def is_cluster(client: Any) -> bool:
    return hasattr(client, "get_node_from_key")


def raised(outcome: Decision | PenstockError) -> Decision:
    if isinstance(outcome, Exception):
        raise outcome
    return outcome
