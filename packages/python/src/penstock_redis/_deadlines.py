"""Deadlines of a loop, by a clock that stands still while the loop does."""

from __future__ import annotations

import asyncio
import time
from typing import Any, Optional

# Parts of a time-out; the loop is looked at as often while a call is under way.
_LOOKS = 16
_TURNS = 5


class LoopClock:
    """Between two looks at the loop no more than two parts of the time-out count: a loop that stands still sends nothing, and reads no
    answer."""

    def __init__(self, seconds: float) -> None:
        self.loop = asyncio.get_running_loop()
        self._seconds, self._part = seconds, seconds / _LOOKS
        self._time, self._looked, self._calls = 0.0, self.loop.time(), 0
        self._timer: Optional[asyncio.TimerHandle] = None

    def time(self) -> float:
        """Seconds."""
        return self._at(self.loop.time())

    def _at(self, now: float) -> float:
        return self._time + min(now - self._looked, 2 * self._part)

    def begin(self) -> None:
        """A call is under way."""
        self._calls += 1
        if self._timer is None:
            self._look()

    def end(self) -> None:
        """It has ended."""
        self._calls -= 1

    def _look(self) -> None:
        now = self.loop.time()
        self._time, self._looked = self._at(now), now
        self._timer = self.loop.call_later(self._part, self._look) if self._calls else None


class Deadline:
    """The end of a call, which is under way in a ``with`` block."""

    __slots__ = ("_clock", "_when", "_begun", "_seconds")

    def __init__(self, clock: LoopClock, seconds: float) -> None:
        self._clock, self._seconds, self._begun = clock, seconds, time.monotonic()
        clock.begin()
        self._when = clock.time() + seconds

    def __enter__(self) -> Deadline:
        return self

    def __exit__(self, *raised: Any) -> None:
        self._clock.end()

    def left(self) -> float:
        """Seconds, below 0 if it is over."""
        return self._when - self._clock.time()

    def since(self) -> float:
        """How many seconds ago the call began, or a whole time-out if that is more: for so long an answer says that the server answers."""
        return max(self._seconds, time.monotonic() - self._begun)


class timeout_at:
    """asyncio's, with three differences. Its deadline is a ``Deadline``, or ``before`` seconds sooner. A loop runs its timers before tasks
    see what it has read: they get a few turns first. And it cancels until the block has ended: asyncio.wait_for before Python 3.12, by
    which redis-py sends, loses a cancellation that comes when the sending has just ended."""

    def __init__(self, deadline: Deadline, before: float = 0.0) -> None:
        self._deadline, self._before, self._cancellations = deadline, before, 0

    async def __aenter__(self) -> None:
        self._loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None
        self._task = task
        self._outer = self._cancelling()
        self._timer: asyncio.Handle = self._loop.call_later(self._left(), self._cancel)

    def _left(self) -> float:
        return max(0.0, self._deadline.left() - self._before)

    def _cancelling(self) -> int:
        # Before Python 3.11, a task does not count who cancels it.
        return self._task.cancelling() if hasattr(self._task, "cancelling") else 0

    def _cancel(self, turns: int = _TURNS) -> None:
        left = self._left()
        if left > 0:
            # The loop stood still.
            self._timer = self._loop.call_later(left, self._cancel)
            return
        if turns:
            self._timer = self._loop.call_soon(self._cancel, turns - 1)
            return
        self._cancellations += 1
        self._task.cancel()
        self._timer = self._loop.call_later(0.25, self._cancel, 0)

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        self._timer.cancel()
        for _ in range(self._cancellations if hasattr(self._task, "uncancel") else 0):
            self._task.uncancel()
        if self._cancellations and kind is asyncio.CancelledError and self._cancelling() <= self._outer:
            raise asyncio.TimeoutError from error
