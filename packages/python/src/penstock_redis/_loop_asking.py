"""Checks whether a server answers (rule F2), over a separate connection with tasks of an event loop."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, Awaitable, Callable, Optional, Union

from ._asking import CONNECTING_SECONDS, MAKING_TURNS, READING_TURNS, Listener, NodeAsker, clock, question_of, said
from ._numbers import VERDICT_STALE_MS
from ._verdict import CallVerdict, TimedCall

# asyncio.wait_for before Python 3.12 loses a cancellation that arrives when the awaited future has just completed.
_CANCEL_AGAIN_SECONDS = 0.25
# The number of times that the clock checks the loop during a call.
_TICKS, _SHORTEST_TICK_MS, _LONGEST_TICK_MS = 16, 2.0, 50.0
AsCall = Callable[[tuple[Any, ...]], Awaitable[Any]]


class CallTask:
    """The task of a call; it is cancelled when a verdict on the call is reached before the call has ended."""

    __slots__ = ("_task", "_loop", "_handle", "_outer", "cancellations")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._task, self._loop, self.cancellations = task, loop, 0
        self._handle: Optional[asyncio.TimerHandle] = None
        self._outer = self._cancelling()

    def __call__(self) -> None:
        self.cancellations += 1
        self._task.cancel()
        self._handle = self._loop.call_later(_CANCEL_AGAIN_SECONDS, self)

    def is_cancelled(self) -> bool:
        """Stops watching the call; returns whether its cancellation came only from the verdict."""
        if self._handle is None:
            return False
        self._handle.cancel()
        for _ in range(self.cancellations if hasattr(self._task, "uncancel") else 0):
            self._task.uncancel()
        return self._cancelling() <= self._outer

    def _cancelling(self) -> int:
        # Before Python 3.11, a task does not count its cancellations.
        return self._task.cancelling() if hasattr(self._task, "cancelling") else 0


class CallTime:
    """The remaining time of a call that consists of several exchanges."""

    __slots__ = ("left",)

    def __init__(self, seconds: float) -> None:
        self.left = seconds


class LoopAsker(NodeAsker):
    """Determines the verdicts of one node with an event loop. ``make`` opens a connection with a single attempt; with ``ask``, the check is
    sent as a call.

    Its clock stops while the loop is blocked, because a blocked loop neither sends nor reads: while calls are in flight, at most two ticks
    count between two readings.
    """

    def __init__(self, server: str, listeners: list[Listener], make: Callable[[], Any], ask: Optional[AsCall] = None) -> None:
        super().__init__(server, listeners, through_client=ask is not None)
        self.loop = asyncio.get_running_loop()
        self._make, self._asks_as_call = make, ask
        self._serving: dict[int, tuple[asyncio.Task[None], asyncio.Queue[int]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._timer: Optional[asyncio.TimerHandle] = None
        self._sleeps_until = float("inf")
        self._looking: Optional[asyncio.TimerHandle] = None
        self._time = self._looked = clock()
        self._tick = _LONGEST_TICK_MS
        # Calls that wait until they may open a connection.
        self._openers: dict[asyncio.Future[None], None] = {}

    def begin(self, seconds: float, command: tuple[Any, ...]) -> TimedCall:
        self._command = command
        self._tick = max(_SHORTEST_TICK_MS, min(self._tick, seconds * 1_000 / _TICKS))
        call = self._machine.begin(self.now(), seconds * 1_000)
        if self._looking is None:
            self._look()
        if self._machine.todo or self._machine.next_at < self._sleeps_until:
            self._do()
        return call

    def now(self) -> float:
        """Returns the milliseconds of the clock that stops with the loop, for at most as long as connections are remembered."""
        passed = clock() - self._looked
        return self._time + (min(passed, 2 * self._tick) if self._looking is not None and passed < VERDICT_STALE_MS else passed)

    def _look(self) -> None:
        self._time, self._looked = self.now(), clock()
        self._looking = None if self._machine.is_idle else self.loop.call_later(self._tick / 1_000, self._look)

    def answered(self, call: TimedCall, verdict: CallVerdict) -> None:
        call.waits = None
        self._machine.answered(call, self.now(), verdict)
        if len(self._machine.todo) == 1 and self._state == "up":
            # The end of this object itself.
            self._machine.todo.clear()
            self._let_open()
        else:
            self._do()

    async def may_open(self) -> None:
        """Waits until a call may open a connection."""
        # A check that is sent as a call would wait behind those that wait.
        while not self._through_client and not self._machine.opens():
            opener = self.loop.create_future()
            self._openers[opener] = None
            try:
                await opener
            finally:
                self._openers.pop(opener, None)

    def _let_open(self) -> None:
        while self._openers and self._machine.may_open:
            opener = next(iter(self._openers))
            del self._openers[opener]
            if not opener.done():
                opener.set_result(None)
                if self._machine.is_doubtful:
                    return

    def leave(self, call: TimedCall) -> None:
        call.waits = None
        self._machine.leave(call)
        self._do()

    def _do(self) -> None:
        machine = self._machine
        while machine.todo:
            todo, machine.todo = machine.todo, []
            for what, *things in todo:
                if what == "end":
                    if things[0].waits is not None and things[0].verdict is not CallVerdict.DECIDED:
                        things[0].waits()
                elif what == "connect":
                    queue: asyncio.Queue[int] = asyncio.Queue()
                    self._serving[things[0]] = (self._begun(self._serve(things[0], queue)), queue)
                elif what == "ask":
                    self._serving[things[1]][1].put_nowait(things[0])
                elif what == "turn":
                    self._later(self._turned, READING_TURNS if things[0] else MAKING_TURNS)
                elif what == "drop" and things[0] in self._serving:
                    self._serving.pop(things[0])[0].cancel()
        self._let_open()
        self._tell_change()
        if self._changes:
            self.loop.call_soon(self._report)
        if machine.next_at < self._sleeps_until:
            self._sleep()

    def _begun(self, coroutine: Any) -> asyncio.Task[None]:
        task: asyncio.Task[None] = self.loop.create_task(coroutine)
        # The loop references its tasks only weakly.
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _sleep(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._sleeps_until, self._timer = self._machine.next_at, None
        if self._sleeps_until < float("inf"):
            self._timer = self.loop.call_later((self._sleeps_until - self.now()) / 1_000, self._later, self._due, READING_TURNS)

    def _later(self, what: Callable[[], None], turns: int) -> None:
        """Runs a function after the data that the loop has read is processed, which is after the loop's timers."""
        if turns:
            self.loop.call_soon(self._later, what, turns - 1)
        else:
            what()

    def _due(self) -> None:
        self._machine.advance(self.now())
        self._sleeps_until = float("inf")
        self._do()

    def _turned(self) -> None:
        self._machine.turned(self.now())
        self._do()

    async def _serve(self, number: int, queue: asyncio.Queue[int]) -> None:
        connection: Any = None
        try:
            if self._asks_as_call is None:
                connection = self._make()
                try:
                    await self._result(connection.connect(), CONNECTING_SECONDS)
                except Exception as error:
                    self._is_refused(number, error)
                    return
            self._machine.connected(number, self.now())
            self._do()
            while True:
                question = await queue.get()
                verdict = await self._result(self._asked(connection, question))
                if not isinstance(verdict, CallVerdict):
                    self._is_cut(number, verdict)
                    return
                self._machine.replied(question, self.now(), verdict)
                self._do()
        finally:
            self._serving.pop(number, None)
            with contextlib.suppress(Exception):
                if connection is not None:
                    await connection.disconnect(nowait=True)
            self._do()

    async def _result(self, coroutine: Any, seconds: Optional[float] = None) -> Any:
        # Not with wait_for, here or within the coroutine: a cancellation that it loses would leave this task to asyncio.run, which waits
        # for it forever.
        task = self._begun(coroutine)
        try:
            await asyncio.wait({task}, timeout=seconds)
        finally:
            task.cancel()
        if not task.done():
            raise asyncio.TimeoutError
        return task.result()

    async def _asked(self, connection: Any, question: int) -> Union[CallVerdict, Exception]:
        """Returns the verdict that the answer implies, or the error that is not an answer."""
        command = question_of(self._command)
        try:
            if self._asks_as_call is None:
                await connection.send_packed_command(connection.pack_command(*command))
            # Behind calls, the check counts as written at once.
            self._machine.written(question, self.now())
            self._do()
            await (connection.read_response() if self._asks_as_call is None else self._asks_as_call(command))
            return CallVerdict.OVERLOADED
        except Exception as error:
            return said(error) or error
