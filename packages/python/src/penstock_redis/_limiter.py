"""The part that both limiters share: commands out, outcomes in. Each call is sent once; it is sent again only after NOSCRIPT, MOVED or
ASK."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Generator, Iterable, Iterator
from datetime import timedelta
from typing import Any, Callable, NamedTuple, Optional

from ._asking import Listener
from ._calls import SECOND, CallPolicy, Choice, Client, Command, Tracing, log
from ._circuit import OPEN, CircuitBreaker, breaker_of
from ._failure import ErrorMeaning, Failure, FailureKind, PenstockError, answers, failed
from ._near import Clocks, clocks, forget, memory_of
from ._numbers import BATCH_CALLS
from ._protocol import Decision, Limit, charge, decision, escaped, key_head, microseconds
from ._scripts import LEAKY_BUCKET
from ._sharing import UncountedReply


class CallOutcome(NamedTuple):
    """The outcome of one call, for metrics and logs."""

    policy: str
    key: bytes
    """The Redis key, which contains the subject."""
    decision: Optional[Decision] = None
    error: Optional[PenstockError] = None
    """The failure. It is also set if the call failed and the limiter then made a decision without the server."""


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
        verdict_connection: bool = True,
        remember_denials: timedelta = timedelta(0),
        circuit_breaker: Optional[CircuitBreaker] = None,
        share_trips: bool = True,
        trace: Optional[Tracing] = None,
        on_outcome: Optional[Callable[[CallOutcome], Any]] = None,
        on_verdict: Optional[Listener] = None,
    ) -> None:
        """
        :param client: a ``Redis`` or ``RedisCluster`` of redis-py, which is never modified
        :param policy: the name of the policy: 1 to 64 letters, digits, dots, hyphens and underscores
        :param functions: whether to call the Functions library (Redis 7.0, Valkey) instead of scripts; load it first with
            ``load_functions``
        :param timeout: the timeout of a call, including the time to connect, regardless of the client's settings. A call can take up to 250
            ms longer while it is not yet known whether the server answers
        :param on_unavailable: the result of a call for units during an outage. The call raises ``NoDecisionError``, or it is allowed or
            denied with ``enforced`` set to False. A denied call can be retried after one ``timeout``. Configuration errors, unknown errors,
            and failed peeks, refunds and resets always raise
        :param on_overload: the result of a call that times out while the server still answers other calls, or that fails because the server
            is out of memory
        :param verdict_connection: whether to check the server over a separate connection when a call is late (docs/protocol.md, F2). If
            False, the check goes through the client's own connections, behind its calls, so a flood of calls can look like an outage. The
            first limiter of a client sets this option for all its limiters
        :param remember_denials: the longest time for which a denial is repeated without a round trip, such as 100 ms. Refunds by other
            processes take effect after at most that time. All limiters of a client share the remembered denials
        :param circuit_breaker: the circuit breaker for the client's server. While the server is down, calls for units fail fast instead of
            waiting. Not supported for cluster clients
        :param share_trips: whether calls for the same units of one subject go to the server together if they are made while eight of them
            are under way (docs/protocol.md, C1 to C6). Each gets the decision that it would have got alone
        :param trace: creates a context manager around each call, such as ``start_as_current_span`` of an OpenTelemetry tracer
        :param on_outcome: a callback that receives each call, for metrics. It must return quickly and be thread-safe
        :param on_verdict: a callback that receives each change of the verdict on a server of the client, which decides whether late calls
            are an outage. It must return quickly. The thread of the check calls it or, with asyncio, the event loop
        """
        if not isinstance(limit, Limit):
            raise TypeError(f"limit must be made by a function of this package, such as token_bucket: {limit!r}")
        if microseconds("remember_denials", remember_denials) < 0:
            raise ValueError(f"remember_denials must be a timedelta of zero or above: {remember_denials!r}")
        super().__init__(client, "policy", policy, timeout, on_unavailable, on_overload, verdict_connection, on_verdict, trace)
        self._head = key_head(prefix, policy)
        self._tail = f"}}:{limit.marker}".encode()
        self._limit = limit
        self._target = ("FCALL", limit.script.function) if functions else ("EVALSHA", limit.script.sha1)
        self._most_ns = microseconds("remember_denials", remember_denials) * 1_000
        self._memory = memory_of(client) if self._most_ns > 0 else None
        self._breaker = breaker_of(client, circuit_breaker)
        self._policy, self._on_outcome = policy, on_outcome
        if not isinstance(share_trips, bool):
            raise TypeError(f"share_trips must be True or False: {share_trips!r}")
        # Each call of a leaky bucket has a turn of its own.
        is_shared = share_trips and limit.script is not LEAKY_BUCKET
        self._sharing: Any = self._shared(limit.script.source) if is_shared else None

    def _shared(self, source: str) -> Any:
        """Creates what shares the trips of this limiter's calls."""
        raise NotImplementedError

    def _is_shared(self, commands: list[Command]) -> bool:
        """Returns whether this is one call whose trip may be shared."""
        if self._sharing is None or len(commands) != 1:
            return False
        verb, cost = commands[0][0], commands[0][4]
        return verb != "EVAL" and type(cost) is int and cost > 0

    def _learnt(self, call: Command, is_probe: bool) -> Any:
        """Returns what ends a call of a group without a trip, or None if it needs one."""
        known = None if self._memory is None else self._memory.find(call[3], self._limit, call[4], self._most_ns)
        return OPEN if known is None and self._probes() and not is_probe else known

    def _probes(self) -> bool:
        """Returns whether a call that is sent now is a probe of the circuit breaker."""
        return self._breaker is not None and self._breaker.open

    def _key(self, subject: str | bytes) -> bytes:
        return self._head + escaped(subject) + self._tail

    def _call(self, key: bytes, cost: int | str) -> Command:
        return (*self._target, 1, key, cost, *self._limit.arguments)

    def _calls(self, subjects: Iterable[str | bytes]) -> list[Command | Decision | Exception]:
        """Returns, for each subject, its call, its remembered denial, or the error for an invalid argument."""
        if isinstance(subjects, (str, bytes)):
            raise TypeError(f"subjects must be a collection, such as a list; for one subject use acquire: {subjects!r}")
        return [self._checked(subject, 1) for subject in _batch("subjects", subjects)]

    def _calls_of(self, calls: Iterable[tuple[str | bytes, int]]) -> list[Command | Decision | Exception]:
        """Returns the calls, each with its own cost."""
        pairs = _batch("calls", calls)
        for pair in pairs:
            if not isinstance(pair, tuple) or len(pair) != 2:
                raise TypeError(f"calls must be pairs of a subject and its cost: {pair!r}")
        return [self._checked(subject, cost) for subject, cost in pairs]

    def _checked(self, subject: str | bytes, cost: int) -> Command | Decision | Exception:
        try:
            key = self._key(subject)
            known = self._known(key, charge(cost))
            return self._call(key, cost) if known is None else known
        except (TypeError, ValueError) as error:
            return error

    def _known(self, key: bytes, cost: int) -> Optional[Decision]:
        known = None if self._memory is None else self._memory.find(key, self._limit, cost, self._most_ns)
        if known is not None:
            self._tell(key, known)
        return known

    @contextlib.contextmanager
    def _giving_back(self, key: bytes) -> Iterator[None]:
        forget(self._client, key)
        try:
            yield
        finally:
            forget(self._client, key)

    def _answers(self, calls: list[Command]) -> Generator[list[Command], list[Any], list[Decision | PenstockError]]:
        sent = clocks()
        replies: list[Any] = [OPEN] * len(calls)
        asked = [at for at, call in enumerate(calls) if self._breaker is None or not _takes(call) or self._breaker._may_send()]
        counted = asked
        if asked:
            for at, reply in zip(asked, (yield [calls[at] for at in asked])):
                if isinstance(reply, UncountedReply):
                    reply, counted = reply.reply, []
                replies[at] = reply
        unknown = [at for at, reply in enumerate(replies) if answers(reply, "NOSCRIPT")]
        if unknown:
            evals = [("EVAL", self._limit.script.source, *calls[at][2:]) for at in unknown]
            for at, reply in zip(unknown, (yield evals)):
                replies[at] = reply
        if self._breaker is not None:
            for at in counted:
                self._breaker._note(replies[at])
        return [self._told(call[3], self._outcome(call, reply, sent)) for call, reply in zip(calls, replies)]

    def _told(self, key: bytes, outcome: tuple[Optional[Decision], Optional[PenstockError]]) -> Any:
        decided, error = outcome
        self._tell(key, decided, error)
        return error if decided is None else decided

    def _tell(self, key: bytes, decided: Optional[Decision], error: Optional[PenstockError] = None) -> None:
        if self._on_outcome is None:
            return
        try:
            self._on_outcome(CallOutcome(self._policy, key, decided, error))
        except Exception:
            log.exception("%s: on_outcome raised", self._who)

    def _outcome(self, call: Command, reply: Any, sent: Clocks) -> tuple[Optional[Decision], Optional[PenstockError]]:
        if isinstance(reply, Decision):
            return reply, None
        cost, _, calls = str(call[4]).partition("*")
        try:
            if not isinstance(reply, Failure):
                decided = decision(reply, int(calls or 1))
                self._note(None)
                if self._memory is not None and not decided and int(cost) > 0:
                    self._memory.remember(call[3], self._limit, int(cost), decided, sent, time.monotonic_ns())
                return decided, None
        except ValueError as unreadable:
            reply = Failure(unreadable, meaning=ErrorMeaning(FailureKind.UNKNOWN, charged=True))
        kind, charged = reply.meaning
        error = failed(self._who, kind, charged and call[4] != 0, reply.error)
        choice = self._choice(error)
        if choice == "raise" or int(cost) <= 0:
            return None, error
        self._note(choice, error)
        granted, wait_us = (int(calls or 1), 0) if choice == "allow" else (0, round(self._seconds * 1_000_000))
        return Decision(granted, self._limit.tiers[0][0], 0, wait_us, 0, 1, enforced=False), error


def _batch(name: str, calls: Iterable[Any]) -> list[Any]:
    listed = list(calls)
    if len(listed) > BATCH_CALLS:
        raise ValueError(f"{name} must be at most {BATCH_CALLS} in a batch: {len(listed)}")
    return listed


def _takes(call: Command) -> bool:
    """Returns whether the command is a call for units."""
    return isinstance(call[4], str) or call[4] > 0


def raised(outcome: Decision | PenstockError) -> Decision:
    if isinstance(outcome, Exception):
        raise outcome
    return outcome
