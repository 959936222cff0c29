"""Reservations for redis-py's blocking clients."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Generator, Sequence
from types import TracebackType
from typing import Any, Optional, TypeVar

from ._blocking_transport import BlockingClient, BlockingTransport
from ._entries import CallId, EntryCost, EntryTotal
from ._failure import NoDecisionError, OverloadedError, PenstockError
from ._hold import EventKind, HeldCall, HoldPolicy, ReservedCall, Step
from ._reservation_plan import SettleResult

Outcome = TypeVar("Outcome")


class Reservations(HoldPolicy[BlockingClient]):
    """Makes one decision under several limits of one group, in a single call. Units whose final use is not yet known are held until the
    call is settled or cancelled, or its reservation expires. Works with ``redis.Redis`` and ``redis.RedisCluster``, and is thread-safe.

    A group is the entity that all limits of a call apply to, such as a tenant; an entry applies to the group as a whole or to one of its
    members.
    """

    def _connect(self, client: Any, verdict_connection: bool) -> None:
        self._transport = BlockingTransport(client, verdict_connection, "AsyncReservations")

    def reserve(self, group: str | bytes, *entries: EntryCost, call_id: Optional[CallId] = None) -> Reservation:
        """Charges or holds the units of all entries of a call (1 to 8, with different keys), or of none. A denial is returned as an answer,
        never raised.

        In an outage, the call is retried with the same id until ``timeout``; the id ensures that the call is charged at most once.

        :param call_id: an id that the program generates and never takes from a request. A repeated call with this id, group and entries
            returns the same answer, changes nothing, and refers to the same reservation until the reservation ends or expires. The id of a
            different call, or of a call that has ended, raises ``MisconfiguredError``
        """
        plan = self._plan(call_id, group, entries)
        return Reservation(self, HeldCall(plan, self._driven(self._reserving(plan))))

    def load_functions(self) -> None:
        """Loads the Functions library on every master, through the client and with its timeouts."""
        self._transport.load_functions()

    def close(self) -> None:
        """Closes the idle connections that this client's limiters opened. The client itself stays open, and the next call reconnects."""
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
    """The decision about a call under several limits, and the units that the call holds. It is truthy if the call was allowed. It is
    thread-safe.

    End it with a ``with`` statement, or with ``settle``, ``cancel`` or ``close``. A reservation that is not settled in time expires, and
    its estimate is charged. A failed settlement can be repeated, because it sends totals rather than differences.
    """

    def __init__(self, reservations: Reservations, held: HeldCall) -> None:
        self._reservations, self._held = reservations, held
        self._timer: Optional[threading.Timer] = None

    def settle(self, total: int) -> SettleResult:
        """Ends the reservation, and reports that the call has used ``total`` units, 0 to 10^12, of each rate limit that it reserves. Units
        above the estimate are also charged, even beyond the limit."""
        return self._end(EventKind.SETTLED, self._held.all_used(total))

    def settle_entries(self, *totals: EntryTotal) -> SettleResult:
        """Ends the reservation with a total for each entry, such as ``entry.used(900)``; an entry without a total is charged its
        estimate."""
        return self._end(EventKind.SETTLED, self._held.plan.totals(totals))

    def cancel(self) -> SettleResult:
        """Ends the reservation without charging anything. Units that an earlier ``renew`` reported stay charged."""
        return self._end(EventKind.CANCELLED, self._held.all_used(0))

    def renew(self, total: int = 0) -> SettleResult:
        """Renews the reservation for another full ``keep``, and reports that the call has used ``total`` units so far of each rate limit
        that it reserves. A total below the largest reported so far is ignored, so 0 renews the reservation without reporting further
        use."""
        return self._send(EventKind.RENEWED, self._held.all_used(total))

    def keep_alive(self) -> None:
        """Renews the reservation in the background every ``keep / 3``, until it ends or expires. The caller remains responsible for
        ending the reservation."""
        if self._timer is None and not self._held.is_ending:
            self._renew_later()

    def close(self) -> None:
        """Ends the reservation with its estimates or with the units reported so far, whichever is more. Does nothing if the reservation has
        already ended. Never raises in an outage; the held units then expire."""
        with contextlib.suppress(NoDecisionError, OverloadedError):
            if not self._held.is_ending:
                self._end(EventKind.SETTLED, self._held.plan.totals(()))

    def __enter__(self) -> Reservation:
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        # An error here does not replace the error of the block.
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
        # An event reports the failure; the next renewal may succeed.
        with contextlib.suppress(PenstockError):
            self.renew()
        if not self._held.is_ending:
            self._renew_later()
