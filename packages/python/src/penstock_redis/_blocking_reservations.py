"""Reservations over redis-py's blocking clients."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Generator, Sequence
from types import TracebackType
from typing import Any, Optional, TypeVar

from ._blocking_transport import BlockingClient, BlockingTransport
from ._entries import CallEntry, CallId, EntryTotal
from ._failure import NoDecisionError, OverloadedError, PenstockError
from ._hold import EventKind, HeldCall, HoldPolicy, ReservedCall, Step
from ._reservation_plan import SettleResult

Outcome = TypeVar("Outcome")


class Reservations(HoldPolicy[BlockingClient]):
    """Decides several limits of one group in one call, and holds what is not known yet, until it is settled, renewed or cancelled, or
    runs out. Over ``redis.Redis`` or ``redis.RedisCluster``; safe for use by several threads.

    A group is whom all limits of a call are about, such as a tenant; an entry counts the group itself or one within it.
    """

    def _connect(self, client: Any, verdict_connection: bool) -> None:
        self._transport = BlockingTransport(client, verdict_connection, "AsyncReservations")

    def reserve(self, group: str | bytes, *entries: CallEntry, call_id: Optional[CallId] = None) -> Reservation:
        """Asks for all entries of a call, 1 to 8 of different keys: all are charged and held, or none. A denial is an answer, not an
        error.

        After an outage the same call is sent again, with the same id, until ``timeout`` is over; so it is charged at most once.

        :param call_id: an id of the program's, and never a request's. The same id with the same group and entries is answered again and
            changes nothing, and finds the reservation again, as long as it is neither ended nor has run out; the id of another call, or
            of one that was ended, is a ``MisconfiguredError``
        """
        plan = self._plan(call_id, group, entries)
        return Reservation(self, HeldCall(plan, self._driven(self._reserving(plan))))

    def load_functions(self) -> None:
        """Loads the Functions library on every master, by the client and its time-outs."""
        self._transport.load_functions()

    def close(self) -> None:
        """Closes the idle connections of this client's limiters. The client stays open; another call connects again."""
        self._transport.close()

    def _driven(self, steps: Generator[Step, object, Outcome]) -> Outcome:
        with self._traced():
            try:
                command, seconds = next(steps)
                while True:
                    reply: object = None
                    if command is None:
                        time.sleep(seconds)
                    else:
                        reply = self._transport.exchange([command], time.monotonic() + seconds)[0]
                    command, seconds = steps.send(reply)
            except StopIteration as end:
                outcome: Outcome = end.value
                return outcome


class Reservation(ReservedCall):
    """A call that was decided under its limits, and what it holds; true if it may go ahead. Safe for use by several threads.

    It must be ended: by ``with``, or by ``settle``, ``cancel`` or ``close``. What is not settled in time runs out, and is charged as it
    was estimated. A settlement that failed may be made again, as totals are sent and not differences.
    """

    def __init__(self, reservations: Reservations, held: HeldCall) -> None:
        self._reservations, self._held = reservations, held
        self._timer: Optional[threading.Timer] = None

    def settle(self, total: int) -> SettleResult:
        """Ends it: each reserved rate has used ``total`` units in all, 0 to 10^12. What exceeds the estimate is charged as well, beyond
        the limit if need be."""
        return self._end(EventKind.SETTLED, self._held.all_used(total))

    def settle_entries(self, *totals: EntryTotal) -> SettleResult:
        """Ends it with a total for each entry, ``entry.used(900)``; one that is not named keeps its estimate."""
        return self._end(EventKind.SETTLED, self._held.plan.totals(totals))

    def cancel(self) -> SettleResult:
        """Ends it: nothing was used. What an earlier ``renew`` counted stays charged."""
        return self._end(EventKind.CANCELLED, self._held.all_used(0))

    def renew(self, total: int = 0) -> SettleResult:
        """Holds what is left for as long again as at first. Each reserved rate has used ``total`` units so far; totals only grow, so 0
        says that nothing more was used."""
        return self._send(EventKind.RENEWED, self._held.all_used(total))

    def keep_alive(self) -> None:
        """Renews it at a third of its time, in the background, until it is ended or runs out. Who calls it must end the reservation."""
        if self._timer is None and not self._held.is_ending:
            self._renew_later()

    def close(self) -> None:
        """Ends it with its estimates, or with what was counted if that is more; does nothing if it was ended before. Raises nothing in an
        outage: what is held runs out by itself."""
        with contextlib.suppress(NoDecisionError, OverloadedError):
            if not self._held.is_ending:
                self._end(EventKind.SETTLED, self._held.plan.totals(()))

    def __enter__(self) -> Reservation:
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        # The error of the block is not replaced by another one.
        with contextlib.suppress(*([] if error is None else [PenstockError])):
            self.close()

    def _end(self, kind: EventKind, totals: Sequence[int]) -> SettleResult:
        self._held.end()
        if self._timer is not None:
            self._timer.cancel()
        return self._send(kind, totals)

    def _send(self, kind: EventKind, totals: Sequence[int]) -> SettleResult:
        if self._held.ended:
            return SettleResult.NOTHING_HELD
        return self._reservations._driven(self._reservations._settling(self._held, kind, totals))

    def _renew_later(self) -> None:
        self._timer = threading.Timer(self._reservations.keep.total_seconds() / 3, self._renew_again)
        self._timer.daemon = True
        self._timer.start()

    def _renew_again(self) -> None:
        if self._held.is_ending:
            return
        # An event tells what fails; the next renewal may succeed.
        with contextlib.suppress(PenstockError):
            self.renew()
        if not self._held.is_ending:
            self._renew_later()
