"""The part that blocking and asyncio reservations share: attempts out, outcomes in."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from typing import Callable, Optional

from ._asking import Listener
from ._calls import SECOND, CallPolicy, Choice, Client, Command, Tracing, log
from ._circuit import OPEN, CircuitBreaker, breaker_of
from ._entries import CallId, EntryCost, EntryUsage
from ._failure import Failure, FailureKind, PenstockError, answers, failed
from ._numbers import ATTEMPT_LONGEST_PAUSE_MS, ATTEMPT_PART, ATTEMPT_PAUSE_MS
from ._protocol import MOST_UNITS, Script, integer, name_of
from ._reservation_plan import ReservationAnswer, ReservationPlan, SettleResult, keep_microseconds
from ._scripts import RESERVE, SETTLE

_OUTAGE = (FailureKind.NOT_SENT, FailureKind.NOT_ANSWERED, FailureKind.UNAVAILABLE)


class EventKind(Enum):
    """The kind of a ``ReservationEvent``."""

    RESERVED = "reserved"
    """The call was allowed, and holds its units if it was ``enforced``."""
    DENIED = "denied"
    SETTLED = "settled"
    """The call was settled with the units that it used."""
    CANCELLED = "cancelled"
    """The call was cancelled without using any units."""
    RENEWED = "renewed"
    """The reservation was renewed."""
    RAN_OUT = "ran_out"
    """The call was settled or renewed too late, when its reservation no longer existed."""
    UNDECIDED = "undecided"
    """The call ended without a readable answer; any held units expire."""


@dataclass(frozen=True)
class ReservationEvent:
    """The event that ``on_event`` receives."""

    kind: EventKind
    reservations: str
    """The name of the ``Reservations`` object."""
    group: str | bytes
    """The group of the call."""
    call_id: CallId
    answer: Optional[ReservationAnswer]
    """The first answer, or None."""
    error: Optional[PenstockError]
    """The error with which the call ended, or that ``on_unavailable`` or ``on_overload`` turned into a decision."""
    latency: timedelta
    """The time from the start of the call to its end, including retries."""


# One step of a call: the command to send, with the seconds it may take; or a pause in seconds.
Step = tuple[Optional[Command], float]


class HoldPolicy(CallPolicy[Client]):
    """The policy of a ``Reservations`` object: plans its calls and converts their outcomes."""

    def __init__(
        self,
        client: Client,
        name: str,
        keep: timedelta,
        *,
        prefix: str = "penstock",
        functions: bool = False,
        timeout: timedelta = SECOND,
        on_unavailable: Choice = "raise",
        on_overload: Choice = "deny",
        verdict_connection: bool = True,
        on_event: Optional[Callable[[ReservationEvent], None]] = None,
        on_verdict: Optional[Listener] = None,
        circuit_breaker: Optional[CircuitBreaker] = None,
        trace: Optional[Tracing] = None,
    ) -> None:
        """
        :param client: a ``Redis`` or ``RedisCluster`` of redis-py, which is never modified
        :param name: the name in errors, events and traces
        :param keep: how long a call holds its units if it is neither settled nor renewed: 1 ms to 366 days, and at least ``timeout``,
            because a call that is retried after its receipt has expired is charged twice
        :param functions: whether to call the Functions library (Redis 7.0, Valkey) instead of scripts; load it first with
            ``load_functions``
        :param timeout: the timeout of a call, including its retries. Each attempt has 45 % of it, and no attempt starts after 55 %
        :param on_unavailable: the result of a call during an outage. The call raises ``NoDecisionError``, or it is allowed or denied with
            ``enforced`` set to False and holds nothing. A settlement raises, or returns ``UNDECIDED``. Configuration errors and unknown
            errors always raise
        :param on_overload: the result of a call that times out while the server still answers other calls, or that fails because the server
            is out of memory
        :param verdict_connection: whether to check the server over a separate connection when a call is late (docs/protocol.md, F2). If
            False, the check goes through the client's own connections, behind its calls, so a flood of calls can look like an outage. The
            first limiter of a client sets this option for all its limiters
        :param on_event: a callback that receives every call and every settlement that was sent; it must return quickly
        :param on_verdict: a callback that receives each change of the verdict on a server of the client, which decides whether late calls
            are an outage. It must return quickly. The thread of the check calls it or, with asyncio, the event loop
        :param circuit_breaker: the circuit breaker for the client's server. While the server is down, calls fail fast instead of waiting.
            Settlements are always sent
        :param trace: creates a context manager around each call, such as ``start_as_current_span`` of an OpenTelemetry tracer
        """
        self._keep_us = keep_microseconds(keep)
        self._keep, self._name, self._prefix = keep, name, name_of("prefix", prefix)
        super().__init__(client, "reservations", name, timeout, on_unavailable, on_overload, verdict_connection, on_verdict, trace)
        if keep < timeout:
            raise ValueError(f"keep must be at least the timeout of {timeout!r}: {keep!r}")
        self._functions, self._on_event = functions, on_event
        self._breaker = breaker_of(client, circuit_breaker)

    @property
    def keep(self) -> timedelta:
        """How long a call holds its units if it is neither settled nor renewed."""
        return self._keep

    def _plan(self, call_id: Optional[CallId], group: str | bytes, entries: Sequence[EntryCost]) -> ReservationPlan:
        return ReservationPlan(CallId.random() if call_id is None else call_id, group, tuple(entries), self._prefix)

    def _reserving(self, plan: ReservationPlan) -> Generator[Step, object, ReservationAnswer]:
        begun = time.monotonic()
        reply = yield from self._asked(RESERVE, plan.keys, plan.reserve(self._keep_us))
        error = None
        try:
            answer = plan.answer(_raised(reply, self._who, charges=True))
            self._note(None)
        except (PenstockError, ValueError) as failure:
            error = _error(failure, self._who, charged=True)
            choice = self._choice(error)
            if choice == "raise":
                self._tell(EventKind.UNDECIDED, plan, None, error, begun)
                raise error
            self._note(choice, error)
            answer = plan.undecided(choice == "allow", round(self._seconds * 1_000_000))
        self._tell(EventKind.RESERVED if answer else EventKind.DENIED, plan, answer, error, begun)
        return answer

    def _settling(self, held: HeldCall, kind: EventKind, totals: Sequence[int]) -> Generator[Step, object, SettleResult]:
        begun, plan, who = time.monotonic(), held.plan, f"{self._who}: the held units expire"
        keep_us = self._keep_us if kind is EventKind.RENEWED else 0
        reply = yield from self._asked(SETTLE, plan.holding, plan.settle(keep_us, held.grown(totals)))
        try:
            done = plan.settled(_raised(reply, who, charges=False))
        except (PenstockError, ValueError) as failure:
            error = _error(failure, who, charged=False)
            self._tell(EventKind.UNDECIDED, plan, held.answer, error, begun)
            choice = self._choice(error)
            if choice == "raise":
                raise error
            self._note(choice, error)
            return SettleResult.UNDECIDED
        self._note(None)
        if not done or kind is not EventKind.RENEWED:
            held.ended = True
        self._tell(kind if done else EventKind.RAN_OUT, plan, held.answer, None, begun)
        return SettleResult.SETTLED if done else SettleResult.RAN_OUT

    def _asked(self, script: Script, keys: Sequence[bytes], arguments: Sequence[str]) -> Generator[Step, object, object]:
        """Sends a call, and retries it after an outage until its timeout. Returns the reply or its ``Failure``."""
        words = (len(keys), *keys, *arguments)
        target = ("FCALL", script.function) if self._functions else ("EVALSHA", script.sha1)
        part, pause = self._seconds * ATTEMPT_PART, ATTEMPT_PAUSE_MS / 1_000
        last = time.monotonic() + self._seconds - part
        unanswered = None
        while True:
            if self._breaker is not None and script is RESERVE and not self._breaker._may_send():
                return unanswered or OPEN
            end = time.monotonic() + part
            reply = yield (*target, *words), part
            if answers(reply, "NOSCRIPT"):
                reply = yield ("EVAL", script.source, *words), end - time.monotonic()
            if self._breaker is not None:
                self._breaker._note(reply)
            if not isinstance(reply, Failure):
                return reply
            if reply.meaning.kind not in _OUTAGE:
                # An earlier attempt may have been charged.
                return reply._replace(meaning=reply.meaning._replace(charged=reply.meaning.charged or unanswered is not None))
            if reply.meaning.kind is FailureKind.NOT_ANSWERED:
                unanswered = reply
            if time.monotonic() + pause > last:
                return unanswered or reply
            yield None, pause
            pause = min(2 * pause, ATTEMPT_LONGEST_PAUSE_MS / 1_000)

    def _tell(
        self, kind: EventKind, plan: ReservationPlan, answer: Optional[ReservationAnswer], error: Optional[PenstockError], begun: float
    ) -> None:
        if self._on_event is None:
            return
        latency = timedelta(seconds=time.monotonic() - begun)
        try:
            self._on_event(ReservationEvent(kind, self._name, plan.group, plan.call_id, answer, error, latency))
        except Exception:
            # The held units must not be lost with it.
            log.exception("%s: on_event raised", self._who)


class HeldCall:
    """The units that a call holds, and whether the call has ended. A failed settlement may be repeated by the program, but ``close`` does
    not repeat it."""

    def __init__(self, plan: ReservationPlan, answer: ReservationAnswer) -> None:
        self.plan, self.answer = plan, answer
        self.ended = not answer or not answer.enforced or not plan.holders
        self._ending = False
        self._used = [0] * len(plan.holders)

    @property
    def is_ending(self) -> bool:
        """Returns whether the call has been asked to end, or holds nothing."""
        return self._ending or self.ended

    def end(self) -> None:
        """Records that the call must end."""
        self._ending = True

    def all_used(self, total: int) -> list[int]:
        return [integer("total", total, 0, MOST_UNITS)] * len(self.plan.holders)

    def grown(self, totals: Sequence[int]) -> Sequence[int]:
        """Returns the largest total of each entry that was sent so far, whether or not it arrived."""
        self._used = list(map(max, self._used, totals))
        return self._used


class ReservedCall:
    """The decision about a call that reserves units."""

    _held: HeldCall

    @property
    def answer(self) -> ReservationAnswer:
        """The server's answer."""
        return self._held.answer

    @property
    def allowed(self) -> bool:
        """Whether the call was allowed."""
        return self.answer.allowed

    def __bool__(self) -> bool:
        """Returns ``allowed``, so that a denial is falsy."""
        return self.answer.allowed

    @property
    def enforced(self) -> bool:
        """Whether the limits were enforced; False if ``on_unavailable`` or ``on_overload`` determined the result."""
        return self.answer.enforced

    @property
    def retry_after(self) -> timedelta:
        """The time until the call would be allowed if no reservation is settled in the meantime; ``timedelta.max`` if a cost exceeds its
        limit."""
        return self.answer.retry_after

    @property
    def retry_after_seconds(self) -> int | None:
        """``retry_after`` in whole seconds, rounded up, as in HTTP's ``Retry-After``; None if waiting does not help."""
        return self.answer.retry_after_seconds

    @property
    def ask_again_after(self) -> timedelta:
        """The time to wait before retrying a denied call."""
        return self.answer.ask_again_after

    @property
    def delay(self) -> timedelta:
        """The time that an allowed call must wait for its turn in a leaky bucket's queue before it proceeds."""
        return self.answer.delay

    @property
    def usages(self) -> tuple[EntryUsage, ...]:
        """The usage of each limit, in the order of the entries."""
        return self.answer.usages

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.answer!r}>"


def _raised(reply: object, who: str, charges: bool) -> object:
    if isinstance(reply, Failure):
        kind, charged = reply.meaning
        raise failed(who, kind, charged and charges, reply.error)
    return reply


def _error(failure: PenstockError | ValueError, who: str, charged: bool) -> PenstockError:
    """Returns the exception to raise; an unreadable reply is an unknown error."""
    return failure if isinstance(failure, PenstockError) else failed(who, FailureKind.UNKNOWN, charged, failure)
