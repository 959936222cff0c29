"""Reservations for redis-py's asyncio clients."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine, Generator, Sequence
from types import TracebackType
from typing import Any, Callable, NoReturn, Optional, TypeVar

from ._async_transport import AsyncClient, AsyncTransport
from ._entries import CallId, EntryCost, EntryTotal
from ._failure import NoDecisionError, OverloadedError, PenstockError
from ._loop_asking import CallTime
from ._hold import EventKind, HeldCall, HoldPolicy, ReservedCall, Step
from ._reservation_plan import SettleResult

Outcome = TypeVar("Outcome")


class AsyncReservations(HoldPolicy[AsyncClient]):
    """``Reservations`` for ``redis.asyncio.Redis`` or ``redis.asyncio.RedisCluster``."""

    def _connect(self, client: Any, verdict_connection: bool) -> None:
        self._transport = AsyncTransport(client, verdict_connection, "Reservations")
        # The loop references its tasks only weakly.
        self._tasks: set[asyncio.Task[Any]] = set()

    def reserve(self, group: str | bytes, *entries: EntryCost, call_id: Optional[CallId] = None) -> Reserving:
        """Like ``Reservations.reserve``. ``async with llm.reserve(...) as call`` ends the reservation; ``call = await llm.reserve(...)``
        does not.

        If the task is cancelled during the call but the server still allows the call, its units are returned.
        """
        plan = self._plan(call_id, group, entries)

        async def reserved() -> AsyncReservation:
            return AsyncReservation(self, HeldCall(plan, await self._driven(self._reserving(plan))))

        return Reserving(lambda: self._finished(reserved(), AsyncReservation.cancel))

    async def load_functions(self) -> None:
        """Loads the Functions library on every master, through the client and with its timeouts."""
        await self._transport.load_functions()

    async def _finished(self, work: Coroutine[Any, Any, Outcome], unwanted: Optional[Callable[[Outcome], Any]] = None) -> Outcome:
        """Completes the operation even if the caller is cancelled, once or repeatedly; its outcome is then discarded."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(lambda done: self._unheard(done, unwanted))
            raise

    def _unheard(self, task: asyncio.Task[Any], unwanted: Optional[Callable[[Any], Any]]) -> None:
        # on_event receives the failure.
        if not task.cancelled() and task.exception() is None and unwanted is not None:
            ending = asyncio.ensure_future(unwanted(task.result()))
            self._tasks.add(ending)
            ending.add_done_callback(self._tasks.discard)
            ending.add_done_callback(lambda done: self._unheard(done, None))

    async def _driven(self, steps: Generator[Step, object, Outcome]) -> Outcome:
        with self._traced():
            try:
                command, seconds = next(steps)
                while True:
                    reply: object = None
                    if command is None:
                        await asyncio.sleep(seconds)
                    else:
                        reply = (await self._transport.exchange([command], CallTime(seconds)))[0]
                    command, seconds = steps.send(reply)
            except StopIteration as end:
                outcome: Outcome = end.value
                return outcome


class Reserving:
    """A call that is sent when it is awaited or entered with ``async with``. The end of the ``async with`` block also ends the call."""

    def __init__(self, send: Callable[[], Coroutine[Any, Any, AsyncReservation]]) -> None:
        self._send = send

    def __await__(self) -> Generator[Any, None, AsyncReservation]:
        return self._send().__await__()

    async def __aenter__(self) -> AsyncReservation:
        self._call = await self._send()
        return self._call

    async def __aexit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        await self._call.__aexit__(kind, error, trace)

    def __bool__(self) -> NoReturn:
        raise TypeError("the call was not sent: write `await` before it, or `async with`")


class AsyncReservation(ReservedCall):
    """The asyncio variant of ``Reservation``. End it with ``async with``, or with ``settle``, ``cancel`` or ``close``. These calls complete
    even if the task is cancelled."""

    def __init__(self, reservations: AsyncReservations, held: HeldCall) -> None:
        self._reservations, self._held = reservations, held
        self._renewals: Optional[asyncio.Task[None]] = None

    async def settle(self, total: int) -> SettleResult:
        """Ends the reservation with a total; see ``Reservation.settle``."""
        return await self._end(EventKind.SETTLED, self._held.all_used(total))

    async def settle_entries(self, *totals: EntryTotal) -> SettleResult:
        """Ends the reservation with a total for each entry; see ``Reservation.settle_entries``."""
        return await self._end(EventKind.SETTLED, self._held.plan.totals(totals))

    async def cancel(self) -> SettleResult:
        """Ends the reservation without charging anything; see ``Reservation.cancel``."""
        return await self._end(EventKind.CANCELLED, self._held.all_used(0))

    async def renew(self, total: int = 0) -> SettleResult:
        """Renews the reservation for another full ``keep``; see ``Reservation.renew``."""
        return await self._send(EventKind.RENEWED, self._held.all_used(total))

    def keep_alive(self) -> None:
        """Renews the reservation in a task every ``keep / 3``, until it ends or expires. The caller remains responsible for ending the
        reservation."""
        if self._renewals is None and not self._held.is_ending:
            self._renewals = asyncio.ensure_future(self._renew_again())

    async def close(self) -> None:
        """Ends the reservation with its estimates or with the units reported so far, whichever is more; see ``Reservation.close``."""
        with contextlib.suppress(NoDecisionError, OverloadedError):
            if not self._held.is_ending:
                await self._end(EventKind.SETTLED, self._held.plan.totals(()))

    async def __aenter__(self) -> AsyncReservation:
        return self

    async def __aexit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        # An error here does not replace the error of the block.
        with contextlib.suppress(*([] if error is None else [PenstockError])):
            await self.close()

    async def _end(self, kind: EventKind, totals: Sequence[int]) -> SettleResult:
        self._held.end()
        if self._renewals is not None:
            self._renewals.cancel()
        return await self._send(kind, totals)

    async def _send(self, kind: EventKind, totals: Sequence[int]) -> SettleResult:
        if self._held.ended:
            return SettleResult.NOTHING_HELD
        reservations = self._reservations
        return await reservations._finished(reservations._driven(reservations._settling(self._held, kind, totals)))

    async def _renew_again(self) -> None:
        while not self._held.is_ending:
            await asyncio.sleep(self._reservations.keep.total_seconds() / 3)
            # An event reports the failure; the next renewal may succeed.
            with contextlib.suppress(PenstockError):
                await self.renew()
