"""Calls of one subject that share a trip: rules C1 to C5 of docs/protocol.md.

A state machine without a clock, threads or sockets. Times are milliseconds of a monotonic clock. A call is any
hashable object of the driver.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Callable, Iterable, NamedTuple, Optional, Union

from ._numbers import OLD_TRIPS, TRIP_CALLS, TRIP_CALLS_AT_ONCE, TRIP_NEXT_PART, TRIP_NEXT_US, TRIP_OLD_MS, TRIP_OLD_TIMES, TRIPS_UNDER_WAY
from ._protocol import MOST_UNITS


class TripReply(NamedTuple):
    """The reply to one command of a trip: the six integers."""

    fields: tuple[int, ...]

    @property
    def granted(self) -> int:
        return self.fields[0]

    def of(self, place: int, cost: int) -> TripReply:
        """Returns the reply that the call at this place, from 0, would have had alone."""
        granted, limit, remaining, *others = self.fields
        return TripReply((1, limit, remaining + (granted - 1 - place) * cost, *others))


class TripFailure(NamedTuple):
    """A command without a reply."""

    why: Any
    """The driver's own object; a call that is told this failure gets it."""
    ran: Optional[bool]
    """False if the server proves that the command did not run, True for another error that ends the command's calls, None if no answer
    came, so that the command may have been executed."""
    needs_source: bool = False
    """Whether the server lacks the script."""


TripOutcome = Union[TripReply, TripFailure]


class SharedTrip:
    """Calls that go together: as one command, as two, or as one that asks for all but one of them and one that asks for one."""

    def __init__(self, calls: list[Any], sent: float, by_source: bool) -> None:
        self.calls, self.sent, self.by_source = calls, sent, by_source

    @property
    def number(self) -> int:
        """How many calls go; the one that was alone is not among ``calls``."""
        return len(self.calls) or 1

    @property
    def commands(self) -> list[int]:
        """The numbers of calls that the commands ask for."""
        return [1] if self.number < 2 else [self.number - 1, 1]


class TripGroup:
    """The calls that would send the same bytes. The driver performs ``actions``, in order: ``("send", trip)``, after which it calls
    ``answered``, and ``("end", call, outcome)``, where the outcome is a ``TripReply`` or ``TripFailure``, or whatever ``learnt`` returned.

    ``learnt`` is asked of each call before it is sent, and returns an outcome if no trip is needed any more. ``took`` is the time of an
    earlier trip, in milliseconds. ``sent`` is when a call was sent that was alone then: it gets its answer itself, and its trip is
    ``alone``.
    """

    def __init__(
        self, cost: int, learnt: Callable[[Any], Any] = lambda call: None, took: Optional[float] = None, sent: Optional[float] = None
    ) -> None:
        self._cost, self._learnt, self.took = cost, learnt, took
        self.waiting: deque[Any] = deque()
        self.actions: list[tuple[Any, ...]] = []
        self.alone = None if sent is None else SharedTrip([], sent, by_source=False)
        self._trips = [] if self.alone is None else [self.alone]
        # The places of the calls that have not ended, in order of arrival.
        self._places: dict[Any, int] = {}
        self._entered = 0
        self._cancelled: set[Any] = set()
        self._left: set[Any] = set()
        self._by_source = False

    @property
    def is_over(self) -> bool:
        return not self._trips and not self.waiting

    def goes_alone(self, now: float) -> Optional[SharedTrip]:
        """Returns the trip of a call that its caller sends at once itself, or None if the call must enter."""
        if self.waiting or self._by_source or not self._may_send(now):
            return None
        self._trips.append(SharedTrip([], now, by_source=False))
        return self._trips[-1]

    def enter(self, call: Any, now: float) -> None:
        """A call begins."""
        self._places[call] = self._entered
        self._entered += 1
        self.waiting.append(call)
        self.advance(now)

    def leave(self, call: Any) -> None:
        """The deadline of a call has passed. If it waits, it leaves the queue; if it was sent, its unit stays its own, and it is not sent
        again."""
        if not self._left_queue(call) and call in self._places:
            self._left.add(call)

    def cancel(self, call: Any) -> None:
        """A caller has given up. If its call was sent, the unit goes to the next call."""
        if not self._left_queue(call) and call in self._places:
            self._cancelled.add(call)

    def answered(self, trip: SharedTrip, outcomes: Iterable[TripOutcome], now: float) -> None:
        """A trip has ended; there is an outcome for each of its commands."""
        outcomes = list(outcomes)
        self._trips.remove(trip)
        if all(isinstance(outcome, TripReply) for outcome in outcomes):
            took = now - trip.sent
            # A caller that sent its call itself may hear of the answer late.
            self.took = took if trip.calls or self.took is None else min(took, self.took)
        again = [call for call in self._shared(trip, outcomes) if call not in self._left]
        self._cancelled.difference_update(trip.calls)
        self._left.difference_update(trip.calls)
        if again:
            # Those of another trip may wait already.
            self.waiting = deque(sorted([*again, *self.waiting], key=self._places.__getitem__))
        for call in set(trip.calls).difference(again):
            self._places.pop(call, None)
        self.advance(now)

    def advance(self, now: float) -> None:
        """Sends the trips that may be sent."""
        while self.waiting and self._may_send(now):
            most = min(TRIP_CALLS, MOST_UNITS // self._cost + 1)
            calls: list[Any] = []
            while self.waiting and len(calls) < most:
                call = self.waiting.popleft()
                known = self._learnt(call)
                if known is None:
                    calls.append(call)
                else:
                    self._places.pop(call, None)
                    self.actions.append(("end", call, known))
            if calls:
                trip = SharedTrip(calls, now, self._by_source)
                self._by_source = False
                self._trips.append(trip)
                self.actions.append(("send", trip))

    def next_time(self, now: float) -> float:
        """Returns when ``advance`` must be called, unless an answer comes before; infinity without a waiting call."""
        if not self.waiting:
            return float("inf")
        if self._may_send(now):
            return now
        times = [old for old in map(self._old_at, self._trips) if old > now]
        if self.took is not None and len(self._counting(now)) < TRIPS_UNDER_WAY:
            times.append(self._next_at(self.took))
        return min(times, default=float("inf"))

    def _left_queue(self, call: Any) -> bool:
        if call not in self.waiting:
            return False
        self.waiting.remove(call)
        del self._places[call]
        return True

    def _old_at(self, trip: SharedTrip) -> float:
        return trip.sent + max(TRIP_OLD_MS, TRIP_OLD_TIMES * (self.took or 0))

    def _counting(self, now: float) -> list[SharedTrip]:
        """The trips that count, of which the last is the youngest."""
        old = sum(self._old_at(trip) <= now for trip in self._trips)
        return self._trips[min(old, OLD_TRIPS) :]

    def _may_send(self, now: float) -> bool:
        counting = self._counting(now)
        if sum(trip.number for trip in counting) < TRIP_CALLS_AT_ONCE:
            return True
        return self.took is not None and len(counting) < TRIPS_UNDER_WAY and now >= self._next_at(self.took)

    def _next_at(self, took: float) -> float:
        return self._trips[-1].sent + max(TRIP_NEXT_US / 1000, took * TRIP_NEXT_PART)

    def _shared(self, trip: SharedTrip, outcomes: list[TripOutcome]) -> list[Any]:
        """Ends the calls of a trip, and returns those for which another trip is needed."""
        calls = deque(call for call in trip.calls if call not in self._cancelled)
        first, last = outcomes[0], outcomes[-1]
        if len(trip.calls) < 2:
            return self._alone(calls, first)
        if isinstance(first, TripReply):
            for place in range(first.granted):
                if calls:
                    self._end(calls.popleft(), first.of(place, self._cost))
            if first.granted == 0 and len(trip.calls) == 2 and calls:
                # Each of two calls has its own command.
                self._end(calls.popleft(), first)
        elif first.ran is None:
            # All may have been charged.
            return self._all(calls, first)
        elif first.ran:
            spoken = set(trip.calls[:-1])
            self._all((call for call in calls if call in spoken), first)
            calls = deque(call for call in calls if call not in spoken)
        else:
            # The last command ran alone: its answer is that of the first call, even if it is a denial.
            self._by_source |= first.needs_source
            return self._alone(calls, last)
        if isinstance(last, TripReply) and last.granted == 0:
            return self._all(calls, last)
        return self._alone(calls, last)

    def _alone(self, calls: deque[Any], outcome: TripOutcome) -> list[Any]:
        """Ends the first call by the outcome of its own command; the others were not charged."""
        if isinstance(outcome, TripFailure) and outcome.ran is False:
            self._by_source |= outcome.needs_source
        elif calls:
            self._end(calls.popleft(), outcome)
        return list(calls)

    def _all(self, calls: Iterable[Any], outcome: TripOutcome) -> list[Any]:
        for call in calls:
            self._end(call, outcome)
        return []

    def _end(self, call: Any, outcome: Any) -> None:
        self.actions.append(("end", call, outcome))
