"""What both limiters have in common: commands out, outcomes in. Each call is sent once, and again only after NOSCRIPT, MOVED or ASK."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Generator, Iterable, Iterator
from datetime import timedelta
from typing import Any, Optional

from ._calls import SECOND, CallPolicy, Choice, Client, Command, Tracing
from ._failure import ErrorMeaning, Failure, FailureKind, PenstockError, answers, failed
from ._near import Clocks, clocks, forget, memory_of
from ._protocol import Decision, Limit, decision, escaped, key_head, microseconds


class LimiterPolicy(CallPolicy[Client]):
    """One policy under one limit."""

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
        if microseconds("remember_denials", remember_denials) < 0:
            raise ValueError(f"remember_denials must be a timedelta of zero or above: {remember_denials!r}")
        super().__init__(client, "policy", policy, timeout, on_unavailable, on_overload, trace)
        self._head = key_head(prefix, policy)
        self._tail = f"}}:{limit.marker}".encode()
        self._limit = limit
        self._target = ("FCALL", limit.script.function) if functions else ("EVALSHA", limit.script.sha1)
        self._most_ns = microseconds("remember_denials", remember_denials) * 1_000
        self._memory = memory_of(client) if self._most_ns > 0 else None

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
        error = failed(self._who, kind, charged and call[4] != 0, reply.error)
        choice = self._choice(error)
        if choice == "raise" or int(cost) <= 0:
            return error
        self._note(choice, error)
        granted, wait_us = (int(calls or 1), 0) if choice == "allow" else (0, round(self._seconds * 1_000_000))
        return Decision(granted, self._limit.tiers[0][0], 0, wait_us, 0, 1, enforced=False)


def raised(outcome: Decision | PenstockError) -> Decision:
    if isinstance(outcome, Exception):
        raise outcome
    return outcome
