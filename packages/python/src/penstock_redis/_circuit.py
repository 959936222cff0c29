"""The circuit breaker of a server: rule F1 of docs/protocol.md."""

from __future__ import annotations

import os
import random
import threading
from datetime import timedelta
from time import monotonic
from typing import Any, NamedTuple, Optional

from ._calls import is_cluster
from ._failure import ErrorMeaning, Failure, FailureKind
from ._numbers import CIRCUIT_LOST_CALLS, CIRCUIT_SPREAD, CIRCUIT_TRIAL_CALLS
from ._protocol import microseconds

_SHORTEST_US, _LONGEST_US = 10_000, 3_600_000_000
_LOST_KINDS = (FailureKind.NOT_SENT, FailureKind.NOT_ANSWERED)
# The outcome of a call that is not sent.
OPEN = Failure(
    ConnectionError(f"the circuit is open, since the server did not answer {CIRCUIT_LOST_CALLS} calls in a row"),
    sent=False,
    meaning=ErrorMeaning(FailureKind.NOT_SENT, charged=False),
)
_lock = threading.Lock()


class _State(NamedTuple):
    next: Optional[float] = None
    """The time at which the next probe may be sent, while the breaker is open."""
    lost: int = 0
    """The number of consecutive calls without an answer, while the breaker is closed."""
    trials: int = 0
    """The number of calls that may be sent now, after an answer."""
    answers: int = 0
    """The number of answers since the breaker opened."""


class CircuitBreaker:
    """Makes calls fail fast while the server is down. Create one breaker for each client and pass it to all limiters of that client.

    It is thread-safe, and blocking and asyncio limiters can share it.
    """

    def __init__(self, length: timedelta) -> None:
        """
        :param length: how long the breaker stays open, 10 ms to 1 hour, after 5 consecutive calls without any answer (no connection, or no
            reply within the limiter's ``timeout``). While it is open, calls for units end as ``on_unavailable`` specifies, except that one
            probe is sent in each such interval. After the first answer, the next two calls are sent; if both are answered, the breaker
            closes
        """
        if not _SHORTEST_US <= microseconds("length", length) <= _LONGEST_US:
            raise ValueError(f"length must be from 10 milliseconds to 1 hour: {length!r}")
        self._seconds = length.total_seconds()
        self._state = _State()

    @property
    def open(self) -> bool:
        """Whether the breaker is open or half-open."""
        return self._state.next is not None

    def _may_send(self) -> bool:
        """Returns whether a call for units may be sent."""
        with _lock:
            state = self._state
            if state.next is None:
                return True
            if not state.trials and monotonic() < state.next:
                return False
            self._state = state._replace(trials=max(0, state.trials - 1), next=self._later())
            return True

    def _note(self, reply: Any) -> None:
        """Records the outcome of a call. Any reply of the server counts as an answer."""
        lost = isinstance(reply, Failure) and reply.meaning.kind in _LOST_KINDS
        with _lock:
            state = self._state
            is_open = state.next is not None
            if not lost and is_open and state.answers < CIRCUIT_TRIAL_CALLS:
                trials = state.trials if state.answers else CIRCUIT_TRIAL_CALLS
                self._state = _State(self._later(), trials=trials, answers=state.answers + 1)
            elif not lost:
                self._state = _State()
            elif not is_open and state.lost + 1 < CIRCUIT_LOST_CALLS:
                self._state = _State(lost=state.lost + 1)
            elif not is_open or state.answers:
                self._state = _State(self._later())

    def _later(self) -> float:
        # Between nine tenths of the length and the whole of it, so that processes do not probe at the same time.
        return monotonic() + self._seconds * random.uniform(1 - CIRCUIT_SPREAD, 1)


def breaker_of(client: Any, breaker: Optional[CircuitBreaker]) -> Optional[CircuitBreaker]:
    """Returns the circuit breaker of a limiter; raises an error if the value is not a circuit breaker."""
    if breaker is not None and not isinstance(breaker, CircuitBreaker):
        raise TypeError(f"circuit_breaker must be a CircuitBreaker: {breaker!r}")
    if breaker is not None and is_cluster(client):
        raise TypeError("circuit_breaker must be for the client of a single server: it is not known which node of a cluster a call goes to")
    return breaker


def _forked() -> None:
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
