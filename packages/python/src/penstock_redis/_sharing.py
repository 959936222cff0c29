"""Calls of one subject that share trips, on redis-py's clients; ``_trips`` has the rules."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from typing import Any, Callable, NamedTuple, Optional
from weakref import WeakKeyDictionary, WeakSet

from ._asking import LOOK_SECONDS, clock
from ._calls import Command
from ._failure import ErrorMeaning, Failure, FailureKind, answers, server_text
from ._loop_asking import CallTime
from ._protocol import decision
from ._trips import SharedTrip, TripFailure, TripGroup, TripOutcome, TripReply
from ._verdict import TimedCall

# The words of a command that differ within one limiter: key and cost.
_SUBJECT = slice(3, 5)
_INTERRUPTED = Failure(
    ConnectionError("the call that shared this trip was interrupted"), meaning=ErrorMeaning(FailureKind.NOT_ANSWERED, charged=True)
)
# Of a call that waits for its verdict, and is not sent any more.
_LATE = object()
# By key and cost: a tuple with the time at which a call was sent that is alone so far, or the group that others have made.
Groups = dict[Command, Any]


class UncountedReply(NamedTuple):
    """The reply to a call whose trip counts once, for another call, for the circuit breaker."""

    reply: Any


class CallSharing:
    """The part that threads and event loops share. ``learnt`` decides a call of a group without a trip, or returns None; it gets the
    command, and whether the call is a probe of the circuit breaker."""

    def __init__(self, transport: Any, source: str, learnt: Callable[[Command, bool], Any], probes: Callable[[], bool]) -> None:
        self._transport, self._source, self._learnt, self._probes = transport, source, learnt, probes
        self._took: Optional[float] = None

    def _group_of(self, groups: Groups, command: Command, made: type[TripGroup]) -> Any:
        # Another thread's call may be alone from now on, without the lock: it finds that it is not.
        known = groups.setdefault(command[_SUBJECT], ())
        if isinstance(known, TripGroup):
            return known
        group = groups[command[_SUBJECT]] = made(command[4], lambda call: self._known(command, call), self._took, *known)
        return group

    def _known(self, command: Command, call: Any) -> Any:
        return self._learnt(command, call.is_probe)

    def _commands(self, command: Command, trip: SharedTrip) -> list[Command]:
        made = [command if asks == 1 else (*command[:4], f"{command[4]}*{asks}", *command[5:]) for asks in trip.commands]
        if trip.by_source:
            made[0] = ("EVAL", self._source, *made[0][2:])
        return made

    @staticmethod
    def _outcomes(trip: SharedTrip, replies: list[Any]) -> list[TripOutcome]:
        return [_outcome(reply, asks) for reply, asks in zip(replies, trip.commands)]

    @staticmethod
    def _lost(trip: SharedTrip) -> list[TripOutcome]:
        return [TripFailure(_INTERRUPTED, ran=None)] * len(trip.commands)


def _outcome(reply: Any, calls: int) -> TripOutcome:
    if isinstance(reply, Failure):
        if answers(reply, "NOSCRIPT"):
            return TripFailure(reply, ran=False, needs_source=True)
        # The client has followed MOVED and ASK.
        is_lost = reply.sent and server_text(reply.error) is None
        return TripFailure(reply, ran=None if is_lost else True)
    try:
        decision(reply, calls)
    except ValueError:
        # Each call's own decoding reports it.
        return TripFailure(reply, ran=True)
    return TripReply(tuple(reply))


def _told(outcome: Any) -> Any:
    if isinstance(outcome, TripReply):
        return list(outcome.fields)
    return outcome.why if isinstance(outcome, TripFailure) else outcome


class ThreadCall:
    """A call of a thread that goes with others. ``leads`` is the trip that its thread is to send; the thread of the last call of a trip,
    whose deadline is the latest, sends it and reads the replies."""

    __slots__ = ("deadline", "is_probe", "event", "answer", "leads", "has_led")

    def __init__(self, deadline: float, is_probe: bool) -> None:
        self.deadline, self.is_probe, self.has_led = deadline, is_probe, False
        self.event = threading.Event()
        self.answer: Any = None
        self.leads: Optional[SharedTrip] = None


class ThreadSharing(CallSharing):
    """Shares the trips of a blocking limiter's calls."""

    def __init__(self, *things: Any) -> None:
        super().__init__(*things)
        self._lock = threading.Lock()
        self._groups: Groups = {}
        _sharing.add(self)

    def exchange(self, commands: list[Command], deadline: float) -> Any:
        """Like the transport's, for one call."""
        groups, command, sent = self._groups, commands[0], (clock(),)
        subject = command[_SUBJECT]
        # This needs no lock, with or without the GIL: whatever replaces or removes what is there has it.
        known, trip = groups.setdefault(subject, sent), None
        if known is not sent:
            connections = self._transport.connections_of_call(command)
            if connections is None:
                return self._transport.exchange(commands, deadline)
            with self._lock:
                group = self._group_of(groups, command, TripGroup)
                trip = group.goes_alone(clock())
            if trip is None:
                return [self._together(command, deadline, connections)]
        replies = None
        try:
            replies = self._transport.exchange(commands, deadline)
            return replies
        finally:
            with self._lock:
                if trip is None:
                    group = groups[subject]
                if group is sent:
                    del groups[subject]
                else:
                    self._ended(command, group, trip or group.alone, replies)

    def _together(self, command: Command, deadline: float, connections: Any) -> Any:
        group, call, timed = None, ThreadCall(deadline, self._probes()), connections.begin(command, deadline)
        try:
            if timed.is_refused:
                return UncountedReply(connections.failure(timed, is_sent=False))
            with self._lock:
                group = self._group_of(self._groups, command, TripGroup)
                group.enter(call, clock())
                self._perform(command, group)
                if call.leads is None and call.answer is None:
                    call.event.clear()
            reply = self._awaited(command, group, call, connections, timed)
        except BaseException:
            if group is not None:
                with self._lock:
                    self._abandoned(command, group, call)
            raise
        finally:
            connections.leave(timed)
        return reply if call.has_led else UncountedReply(reply)

    def _awaited(self, command: Command, group: TripGroup, call: ThreadCall, connections: Any, timed: TimedCall) -> Any:
        while True:
            if call.leads is not None:
                trip, call.leads, call.has_led = call.leads, None, True
                self._lead(command, group, trip, call.deadline)
                continue
            if call.answer is not None:
                return call.answer
            now = time.monotonic()
            if now >= call.deadline:
                late = self._late(command, group, call, connections, timed)
                if late is not None:
                    return late
                continue
            with self._lock:
                # The last one that waits watches the time for all.
                due = group.next_time(now * 1_000) / 1_000 if group.waiting and group.waiting[-1] is call else float("inf")
            call.event.wait(min(call.deadline, due) - now)
            call.event.clear()
            if time.monotonic() >= due:
                with self._lock:
                    group.advance(clock())
                    self._perform(command, group)

    def _late(self, command: Command, group: TripGroup, call: ThreadCall, connections: Any, timed: TimedCall) -> Any:
        """Returns the failure of a call whose deadline has passed, after its verdict; None if it was answered before that."""
        with self._lock:
            if call.answer is not None or call.leads is not None:
                return None
            is_sent = call not in group.waiting
            group.leave(call)
            self._perform(command, group)
        while not connections.is_late(timed, call.event.set):
            call.event.wait(LOOK_SECONDS)
            call.event.clear()
            if call.answer is not None:
                return None
        return connections.failure(timed, is_sent)

    def _lead(self, command: Command, group: TripGroup, trip: SharedTrip, deadline: float) -> None:
        replies = None
        try:
            replies = self._transport.exchange(self._commands(command, trip), deadline)
        finally:
            with self._lock:
                self._ended(command, group, trip, replies)

    def _ended(self, command: Command, group: TripGroup, trip: Any, replies: Optional[list[Any]]) -> None:
        group.answered(trip, self._lost(trip) if replies is None else self._outcomes(trip, replies), clock())
        self._perform(command, group)

    def _abandoned(self, command: Command, group: TripGroup, call: ThreadCall) -> None:
        group.cancel(call)
        if call.leads is not None:
            # It was not sent: the others are the next trip.
            trip, call.leads = call.leads, None
            group.answered(trip, [TripFailure(None, ran=False)] * len(trip.commands), clock())
        self._perform(command, group)

    def _perform(self, command: Command, group: TripGroup) -> None:
        for what, *things in group.actions:
            if what == "send":
                call = things[0].calls[-1]
                call.leads = things[0]
            else:
                call, call.answer = things[0], _told(things[1])
            call.event.set()
        group.actions.clear()
        if group.waiting:
            group.waiting[-1].event.set()
        elif group.is_over and self._groups.get(command[_SUBJECT]) is group:
            del self._groups[command[_SUBJECT]]
            self._took = group.took

    def forked(self) -> None:
        self._lock, self._groups = threading.Lock(), {}


class LoopCall:
    """A call of a task that goes with others."""

    __slots__ = ("is_probe", "exchange", "future", "has_led", "timed", "trip")

    def __init__(self, is_probe: bool, exchange: Any) -> None:
        self.is_probe, self.exchange, self.has_led = is_probe, exchange, False
        self.future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.timed: Any = None
        self.trip: Optional[SharedTrip] = None


class LoopGroup(TripGroup):
    timer: Optional[asyncio.Handle] = None


class LoopSharing(CallSharing):
    """Shares the trips of an asyncio limiter's calls, for each event loop. A trip is a task."""

    def __init__(self, *things: Any) -> None:
        super().__init__(*things)
        self._of_loops: WeakKeyDictionary[Any, Groups] = WeakKeyDictionary()
        self._tasks: set[asyncio.Task[None]] = set()

    async def exchange(self, commands: list[Command], left: CallTime) -> Any:
        """Like the transport's, for one call."""
        loop, command, sent = asyncio.get_running_loop(), commands[0], (clock(),)
        groups = self._of_loops.get(loop)
        if groups is None:
            groups = self._of_loops[loop] = {}
        subject = command[_SUBJECT]
        known, trip = groups.setdefault(subject, sent), None
        if known is not sent:
            exchange = self._transport.exchange_of_call(command)
            if exchange is None:
                return await self._transport.exchange(commands, left)
            group = self._group_of(groups, command, LoopGroup)
            trip = group.goes_alone(clock())
            if trip is None:
                return [await self._together(groups, command, exchange, left)]
        replies = None
        try:
            replies = await self._transport.exchange(commands, left)
            return replies
        finally:
            if trip is None:
                group = groups[subject]
            if group is sent:
                del groups[subject]
            else:
                self._ended(groups, command, group, trip or group.alone, replies)

    async def _together(self, groups: Groups, command: Command, exchange: Any, left: CallTime) -> Any:
        group, call = None, LoopCall(self._probes(), exchange)

        async def work(timed: TimedCall, replies: list[Any]) -> None:
            nonlocal group
            call.timed = timed
            group = self._group_of(groups, command, LoopGroup)
            group.enter(call, clock())
            self._perform(groups, command, group)
            replies.append(await call.future)

        try:
            replies = await exchange.timed(work, [command], left)
        except BaseException:
            if group is not None:
                group.cancel(call)
                self._perform(groups, command, group)
            for other in call.trip.calls if call.trip and call.has_led else ():
                # It counts for the circuit breaker instead.
                if not other.future.done():
                    other.has_led = True
                    break
            raise
        if call.future.done() and not call.future.cancelled():
            reply = call.future.result()
        else:
            # There was a verdict first.
            if group is not None:
                group.leave(call)
                self._perform(groups, command, group)
            (reply,) = exchange.node.heard(replies)
        return reply if call.has_led else UncountedReply(reply)

    def _known(self, command: Command, call: LoopCall) -> Any:
        return super()._known(command, call) if call.exchange.left(call.timed) > 0 else _LATE

    async def _trip(self, groups: Groups, command: Command, group: LoopGroup, trip: SharedTrip) -> None:
        # By the clock that stops while the loop is blocked.
        left = CallTime(max(call.exchange.left(call.timed) for call in trip.calls))
        for call in trip.calls:
            call.timed.is_sent = True
        replies = None
        try:
            replies = await self._transport.exchange(self._commands(command, trip), left)
        finally:
            self._ended(groups, command, group, trip, replies)

    def _ended(self, groups: Groups, command: Command, group: LoopGroup, trip: Any, replies: Optional[list[Any]]) -> None:
        group.answered(trip, self._lost(trip) if replies is None else self._outcomes(trip, replies), clock())
        self._perform(groups, command, group)

    def _perform(self, groups: Groups, command: Command, group: LoopGroup) -> None:
        loop = asyncio.get_running_loop()
        for what, *things in group.actions:
            if what == "send":
                things[0].calls[0].has_led = True
                for each in things[0].calls:
                    each.trip = things[0]
                task = loop.create_task(self._trip(groups, command, group, things[0]))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            elif things[1] is not _LATE and not things[0].future.done():
                things[0].future.set_result(_told(things[1]))
        group.actions.clear()
        if group.timer is not None:
            group.timer.cancel()
            group.timer = None
        if group.waiting:
            now = clock()
            due = group.next_time(now)
            if due < float("inf"):
                # A timer's delay is at least a millisecond. For a shorter one, the group looks at the clock in each turn of the loop.
                wait = due - now
                later = loop.call_soon if wait < 1 else lambda *things: loop.call_later(wait / 1_000, *things)
                group.timer = later(self._advance, groups, command, group)
        elif group.is_over and groups.get(command[_SUBJECT]) is group:
            del groups[command[_SUBJECT]]
            self._took = group.took

    def _advance(self, groups: Groups, command: Command, group: LoopGroup) -> None:
        group.timer = None
        group.advance(clock())
        self._perform(groups, command, group)


_sharing: WeakSet[ThreadSharing] = WeakSet()


def _forked() -> None:
    for each in list(_sharing):
        each.forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
