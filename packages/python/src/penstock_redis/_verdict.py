"""Decides whether a late call is an outage or an overload (rule F2 of docs/protocol.md), as a state machine without a clock, threads or
sockets.

Times are in milliseconds of a monotonic clock. Each input may add actions for the driver to ``todo``: connect, ask, end (of a call), close
(of a call's connection), drop (of a check's connection), and turn: call ``turned`` after the check's connection was read once more or, if
it never received data, after the task that opens it had some turns.
"""

from __future__ import annotations

import heapq
import random
from enum import Enum
from typing import Any, Optional

from ._numbers import (
    CALLS_IN_FLIGHT,
    VERDICT_AGAIN_MS,
    VERDICT_ASKS_AT,
    VERDICT_CONNECTING_MS,
    VERDICT_EVERY_MS,
    VERDICT_FRESH_MS,
    VERDICT_IDLE_MS,
    VERDICT_LATE_TIMER_MORE_MS,
    VERDICT_LATE_TIMER_MS,
    VERDICT_SILENCE_MS,
    VERDICT_SILENCE_TRIPS,
    VERDICT_SPREAD_MS,
    VERDICT_STALE_MS,
)

_NEVER, _SECOND_MS = float("-inf"), 1_000.0
# Ended calls are removed from the timers once they outnumber the others.
_SPARE_TIMERS = 1_000
_OF_CALLS = ("half", "deadline", "bound")


class CallVerdict(Enum):
    """How a call ends."""

    DECIDED = "decided"
    OVERLOADED = "overloaded"
    OUTAGE = "outage"
    REFUSED = "refused"


class TimedCall:
    """A call in flight."""

    __slots__ = ("begun", "sent", "half", "deadline", "on", "verdict", "is_refused", "is_sent", "is_unchecked", "waits")

    def __init__(self, now: float, deadline_ms: float, on: Any) -> None:
        self.begun = self.sent = now
        self.half, self.deadline, self.on = now + deadline_ms * VERDICT_ASKS_AT, now + deadline_ms, on
        self.verdict: Optional[CallVerdict] = None
        self.is_refused = self.is_sent = self.is_unchecked = False
        self.waits: Any = None
        """A function, set by the driver, that wakes the caller."""


class _Asked:
    """A connection for the check, and the unanswered check on it."""

    def __init__(self, number: int, now: float) -> None:
        self.number, self.begun, self.ready, self.heard = number, now, False, False
        self.question, self.sent, self.written = 0, now, now
        self.waited = self.overdue = False


class NodeVerdict:
    """The state of one node."""

    def __init__(self, spread: Optional[float] = None, again: Optional[float] = None) -> None:
        self.todo: list[tuple[Any, ...]] = []
        self.silent_since: Optional[float] = None
        self.refusal: Optional[Exception] = None
        """The error of the last refused connection."""
        self._spread, self._again = spread, again
        self._timers: list[tuple[float, int, str, Any]] = []
        self._late: list[tuple[float, int, TimedCall]] = []
        self._count = self._open = self._connections = self._questions = 0
        self._newest: Optional[_Asked] = None
        self._silent: Optional[_Asked] = None
        self._turning: Optional[_Asked] = None
        self._refused: Optional[CallVerdict] = None
        # Nothing listened where the connection was refused; calls are answered beside the refused connection.
        self._connects = self._is_unreachable = self._is_beside = False
        self.is_forgotten = False
        """Nothing is known after a time without calls, of a server that did not answer: ``state`` is no change."""
        # When the next attempt to connect is due; until then none is made.
        self._again_at: Optional[float] = None
        self._fastest, self._said = float("inf"), CallVerdict.OVERLOADED
        # Times of answers: when the newest answered data was sent, and when the last answer of any kind, of a call and of a check arrived.
        self._answered = self._heard = self._heard_call = self._replied = self._called = self._tried = _NEVER
        self._refused_at = self._cut = _NEVER
        # A call has opened a connection since the last answer, because the node was doubtful.
        self._has_opened = False
        self._read: dict[Any, float] = {}
        self._suspects: list[TimedCall] = []
        # The late calls that have no verdict although their bound has passed, by the time at which they began.
        self._past_bound: list[tuple[float, int, TimedCall]] = []

    @property
    def next_at(self) -> float:
        """Returns the time at which ``advance`` must be called."""
        while self._timers and self._is_spent(self._timers[0]):
            heapq.heappop(self._timers)
        return self._timers[0][0] if self._timers else float("inf")

    @property
    def is_idle(self) -> bool:
        """Returns whether no call is in flight."""
        return self._open == 0

    @property
    def is_doubtful(self) -> bool:
        """Returns whether a check is unanswered, or the node is silent; not where nothing listens."""
        is_asked = self._newest is not None and self._newest.question > 0 and self._refused is None
        return self.silent_since is not None or is_asked

    @property
    def may_open(self) -> bool:
        """Returns whether a call may open a connection: while the node is doubtful, calls open one, and one after each answer."""
        return not (self.is_doubtful and self._has_opened)

    @property
    def state(self) -> str:
        """The state as text, for logs: refused if the server itself refuses the connection for the check and answers no calls."""
        return "silent" if self._is_down else "refused" if self._refused and not self._is_beside else "up"

    @property
    def _is_down(self) -> bool:
        return self.silent_since is not None or self._refused is not None and self._is_unreachable

    @property
    def silence_ms(self) -> float:
        """P."""
        return VERDICT_SILENCE_MS + (VERDICT_SILENCE_TRIPS * self._fastest if self._fastest < float("inf") else 0)

    # Calls.

    def begin(self, now: float, deadline_ms: float, on: Any = None) -> TimedCall:
        """Begins a call. If too many are in flight, it is refused: it must not be sent, is late at once, and its verdict may be known."""
        is_refused = self._open >= CALLS_IN_FLIGHT
        call = TimedCall(now, 0 if is_refused else deadline_ms, on)
        call.is_refused, self._called = is_refused, now
        if is_refused and (self._is_down or now - self._heard < _SECOND_MS):
            call.verdict = CallVerdict.OUTAGE if self._is_down else self._said
            return call
        self._open += 1
        newest = self._newest
        if newest is None and not self._connects and self._again_at is None:
            # Only the first connections of processes that start together are spread.
            if self._connections == 0:
                self._connect_later(now)
            else:
                self._connect(now)
        elif newest is not None and newest.overdue and self._again_at is None:
            self._connect(now)
            self._try_again(now)
        elif newest is not None and newest.heard and now - self._replied > VERDICT_EVERY_MS:
            self._ask(now)
        self._at(call.half, "half", call)
        return call

    def answered(self, call: TimedCall, now: float, verdict: CallVerdict = CallVerdict.OVERLOADED) -> None:
        """Records an answer to a call, however late it is; the verdict is an outage if the server says that it cannot serve calls."""
        if call.on is not None:
            self._read[call.on] = now
        self._heard_call, self._is_beside = max(self._heard_call, now), True
        self._end(call, CallVerdict.DECIDED)
        self._hear(now, call.sent, verdict)

    def leave(self, call: TimedCall) -> None:
        """Removes a call that ended by itself: it was cancelled, or failed for a reason other than its deadline."""
        self._end(call, CallVerdict.OUTAGE if self._is_down else CallVerdict.OVERLOADED)

    def opens(self) -> bool:
        """Returns whether a call may open a connection, and assumes that it does."""
        may = self.may_open
        self._has_opened |= self.is_doubtful
        return may

    # The check.

    def connected(self, number: int, now: float) -> None:
        if self._newest is not None and self._newest.number == number:
            self._newest.ready = True
            self._put(self._newest, now)

    def written(self, question: int, now: float) -> None:
        for each in (self._newest, self._silent):
            if each is not None and each.question == question:
                each.written = now
                least = now if each.heard else each.begun + VERDICT_CONNECTING_MS
                self._at(max(now + self.silence_ms, least), "silence", (each, question))

    def replied(self, question: int, now: float, verdict: CallVerdict = CallVerdict.OVERLOADED) -> None:
        """Records an answer to the check; the verdict is an outage if the answer says that the server cannot serve calls."""
        each = next((each for each in (self._newest, self._silent) if each is not None and each.question == question), None)
        if each is None:
            return
        other = self._silent if each is self._newest else self._newest
        if other is not None:
            self.todo.append(("drop", other.number))
        self._newest, self._silent, self._turning = each, None, None
        self._fastest = min(self._fastest, now - each.written)
        each.question, each.heard, each.overdue, each.waited = 0, True, False, False
        self._replied, self._refused, self._again_at = now, None, None
        self._hear(now, each.sent, verdict)
        self._heal(now)
        if self._late:
            self._ask(now)

    def refused(self, number: int, now: float, verdict: CallVerdict, is_unreachable: bool, error: Optional[Exception] = None) -> bool:
        """Records that a connection was refused, by a configuration error (REFUSED) or an outage. Unless nothing listens, the server
        itself refuses, and may still answer calls: returns whether it does, and this is its first refusal."""
        if self._newest is None or self._newest.number != number:
            return False
        stands = self._refused is not None and not self._is_unreachable
        self._is_beside = now - self._heard_call <= _SECOND_MS or stands and self._heard_call >= self._refused_at
        self._refused_at, self.refusal, self.is_forgotten = now, error, False
        self.silent_since, self._refused, self._is_unreachable = None, verdict, is_unreachable
        self._newest, self._silent = self._silent, None
        self._try_again(now)
        self._judge(now)
        return self._is_beside and not is_unreachable and not stands

    def cut(self, number: int, now: float, error: Optional[Exception] = None) -> bool:
        """Records that a connection was lost; one that was never answered was refused, and the result is that of ``refused``."""
        if self._silent is not None and self._silent.number == number:
            self._silent = None
        elif self._newest is not None and self._newest.number == number:
            if not self._newest.heard:
                return self.refused(number, now, CallVerdict.OUTAGE, is_unreachable=False, error=error)
            self._newest, self._silent = self._silent, None
            is_rare, self._cut = now - self._cut >= VERDICT_AGAIN_MS, now
            if self._newest is None and self._again_at is None and is_rare:
                self._connect(now)
            else:
                self._try_again(now)
            self._settle(now)
        return False

    # Time.

    def advance(self, now: float) -> None:
        """Performs the actions that are due."""
        while self._timers and self._timers[0][0] <= now:
            due, _, what, thing = heapq.heappop(self._timers)
            if isinstance(thing, TimedCall):
                self._call_due(what, thing, now)
            elif what == "connect" and thing == self._connections:
                self._connect(now)
            elif what == "again" and due == self._again_at:
                self._again_at = None
                if self._called > self._tried:
                    self._connect(now)
                    self._try_again(now)
            elif what == "silence" and self._is_unanswered(*thing) and not self._is_early(due, thing[0]):
                self._silence_due(thing, now, now - due)
            elif what == "idle" and thing == self._connections:
                self._idle(now)

    def turned(self, now: float) -> None:
        """Records that the data that had arrived on the check's connection was read."""
        each, self._turning = self._turning, None
        if each is None or each.overdue or not self._is_unheard(each) or each is not self._newest:
            return
        each.overdue, self._refused, self.is_forgotten = True, None, False
        # Otherwise only this connection is silent.
        if self._answered < each.sent and self.silent_since is None:
            self.silent_since = now
        self._try_again(now)
        self._settle(now)

    def _call_due(self, what: str, call: TimedCall, now: float) -> None:
        if what == "suspect":
            self._suspects.append(call)
            self._heal(now)
        elif call.verdict is not None:
            return
        elif what == "half":
            if self._answered < min(call.half, now - VERDICT_FRESH_MS):
                self._ask(now)
            self._at(call.deadline, "deadline", call)
        elif what == "deadline":
            if call.on is not None:
                self._at(call.deadline + VERDICT_SILENCE_MS, "suspect", call)
            verdict = self._verdict(call, now)
            if verdict is not None:
                self._end(call, verdict)
                return
            self._count += 1
            heapq.heappush(self._late, (call.half, self._count, call))
            self._ask(now)
            self._at(call.deadline + self.silence_ms, "bound", call)
        else:
            self._bound_due(call, now)
            if call.verdict is None:
                self._count += 1
                heapq.heappush(self._past_bound, (call.begun, self._count, call))

    def _settle(self, now: float) -> None:
        """Ends the late calls that have a verdict, and those past their bound that have an answer since they began."""
        self._judge(now)
        while self._past_bound:
            call = self._past_bound[0][2]
            if call.verdict is None:
                self._bound_due(call, now)
            if call.verdict is None:
                break
            heapq.heappop(self._past_bound)
        self._judge(now)

    def _bound_due(self, call: TimedCall, now: float) -> None:
        if self._answered >= call.begun and not self._is_asked(call) or self._replied > call.deadline:
            self._end(call, self._said)
        elif self._silent is not None or self._newest is not None and self._newest.overdue:
            self.silent_since = now
            self._judge(now)

    def _is_asked(self, call: TimedCall) -> bool:
        """Returns whether the unanswered check on a connection that has answered was sent late enough to count for this call."""
        each = self._newest
        return each is not None and each.heard and each.question > 0 and each.sent >= call.half

    def _silence_due(self, asked: tuple[_Asked, int], now: float, late: float) -> None:
        each = asked[0]
        if late > VERDICT_STALE_MS and each.heard:
            self._renew(each, now)
        elif late > VERDICT_LATE_TIMER_MS and not each.waited:
            each.waited = True
            self._at(now + VERDICT_LATE_TIMER_MORE_MS, "silence", asked)
        else:
            self._turning = each
            self.todo.append(("turn", each.heard))

    def _idle(self, now: float) -> None:
        if now - self._called < VERDICT_IDLE_MS:
            self._at(self._called + VERDICT_IDLE_MS, "idle", self._connections)
            return
        for each in (self._newest, self._silent):
            if each is not None:
                self.todo.append(("drop", each.number))
        self.is_forgotten |= self.state != "up"
        self._newest = self._silent = self._refused = self.silent_since = self._again_at = None
        self._connects = self._has_opened = False
        self._judge(now)

    # Verdicts.

    def _verdict(self, call: TimedCall, now: float) -> Optional[CallVerdict]:
        """Returns how a late call ends, or None while that is unknown."""
        if self._answered >= min(call.half, now - VERDICT_FRESH_MS):
            return self._said
        if self._refused is not None:
            is_up = not self._is_unreachable and (self._heard_call >= call.begun or now - self._heard_call <= _SECOND_MS)
            return CallVerdict.OVERLOADED if is_up else self._refused
        if self.silent_since is not None:
            return CallVerdict.OUTAGE
        if self._newest is None:
            call.is_unchecked = True
            return CallVerdict.OVERLOADED
        if self._newest.overdue and self._newest.sent >= min(call.half, now - VERDICT_FRESH_MS):
            return CallVerdict.OUTAGE
        return None

    def _judge(self, now: float) -> None:
        """Ends the late calls whose outcome is known, up to the first whose outcome is not, because later calls are not known either."""
        while self._late:
            call = self._late[0][2]
            if call.verdict is None:
                verdict = self._verdict(call, now)
                if verdict is None:
                    return
                self._end(call, verdict)
            heapq.heappop(self._late)

    def _hear(self, now: float, sent: float, said: CallVerdict) -> None:
        self.silent_since, self._heard, self.is_forgotten, self._has_opened = None, now, False, False
        if self._is_unreachable and self._refused is not None and sent > self._tried:
            # Something listens again.
            self._refused = self._again_at = None
            self._connect_later(now)
        if sent >= self._answered:
            self._answered, self._said = sent, said
        if self._late:
            self._settle(now)

    def _end(self, call: TimedCall, verdict: CallVerdict) -> None:
        if call.verdict is None:
            call.verdict = verdict
            self._open -= 1
            self.todo.append(("end", call))

    def _heal(self, now: float) -> None:
        """Closes the connections of calls that stay silent while later checks are answered."""
        for call in self._suspects[:]:
            if self._read.get(call.on, _NEVER) > call.sent:
                self._suspects.remove(call)
            elif self._answered > call.sent and self._replied > call.sent:
                self._suspects.remove(call)
                self.todo.append(("close", call.on))
                for other in {each[3] for each in self._timers if isinstance(each[3], TimedCall)}:
                    if other.on == call.on:
                        self._end(other, CallVerdict.OVERLOADED)

    # Connections.

    def _ask(self, now: float) -> None:
        newest = self._newest
        if newest is None or not newest.ready or newest.question or self.silent_since is not None:
            return
        if newest.heard and now - self._replied > VERDICT_STALE_MS:
            self._renew(newest, now)
        else:
            self._put(newest, now)

    def _renew(self, newest: _Asked, now: float) -> None:
        """Replaces the connection by a new one: from then on, only the silence of the new one counts."""
        self.todo.append(("drop", newest.number))
        self._newest = None
        self._connect(now)

    def _put(self, each: _Asked, now: float) -> None:
        self._questions += 1
        each.question, each.sent, each.written, each.overdue = self._questions, now, now, False
        self.todo.append(("ask", each.question, each.number))
        # Relevant if it is never written.
        self._at(now + self.silence_ms + VERDICT_CONNECTING_MS, "silence", (each, each.question))

    def _connect_later(self, now: float) -> None:
        wait = random.uniform(0, VERDICT_SPREAD_MS) if self._spread is None else self._spread
        self._connects = wait > 0
        if self._connects:
            self._at(now + wait, "connect", self._connections)
        else:
            self._connect(now)

    def _connect(self, now: float) -> None:
        """Opens a new connection beside a silent one."""
        if self._newest is not None and self._newest.heard and self._silent is None:
            self._silent = self._newest
        elif self._newest is not None:
            self.todo.append(("drop", self._newest.number))
        self._connections += 1
        self._connects = False
        self._newest, self._tried = _Asked(self._connections, now), now
        self.todo.append(("connect", self._connections))
        self._at(now + VERDICT_CONNECTING_MS, "silence", (self._newest, 0))
        self._at(self._called + VERDICT_IDLE_MS, "idle", self._connections)

    def _try_again(self, now: float) -> None:
        if self._again_at is None:
            self._again_at = now + VERDICT_AGAIN_MS * (random.uniform(0.5, 1.5) if self._again is None else self._again)
            self._at(self._again_at, "again", None)

    def _is_unheard(self, each: _Asked) -> bool:
        return not each.heard or each.question > 0

    def _is_unanswered(self, each: _Asked, question: int) -> bool:
        """Returns whether a check is still unanswered; check 0 is the first on its connection."""
        return each is self._newest and self._turning is None and (not each.heard if question == 0 else each.question == question)

    def _is_early(self, due: float, each: _Asked) -> bool:
        """Returns whether the check was written after its timer started, in which case it has another timer."""
        return each.question > 0 and due < each.written + self.silence_ms

    def _at(self, when: float, what: str, thing: Any) -> None:
        self._count += 1
        heapq.heappush(self._timers, (when, self._count, what, thing))
        if len(self._timers) > 3 * self._open + _SPARE_TIMERS:
            self._timers = [each for each in self._timers if not self._is_spent(each)]
            heapq.heapify(self._timers)

    @staticmethod
    def _is_spent(timer: tuple[float, int, str, Any]) -> bool:
        """Returns whether the timer belongs to a call that has ended."""
        return timer[2] in _OF_CALLS and timer[3].verdict is not None
