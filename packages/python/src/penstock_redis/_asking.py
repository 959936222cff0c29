"""Checks whether a server answers (rule F2), over a separate connection with a daemon thread for each node."""

from __future__ import annotations

import contextlib
import logging
import selectors
import socket
import threading
import time
from datetime import timedelta
from typing import Any, Callable, NamedTuple, Optional, Sized
from weakref import WeakKeyDictionary

from ._failure import Failure, FailureKind, LateCallError, classify, is_refusal, is_unreachable, server_text
from ._numbers import CALLS_IN_FLIGHT, VERDICT_AGAIN_MS
from ._scripts import FIXED_WINDOW
from ._verdict import CallVerdict, NodeVerdict, TimedCall

log = logging.getLogger("penstock_redis.question")
# A connection attempt is abandoned by then: another attempt has begun.
CONNECTING_SECONDS = VERDICT_AGAIN_MS / 1_000
_TURN_SECONDS = 0.001
# The longest interval between checks of a caller that waits for a verdict.
LOOK_SECONDS = 0.25
# Received replies are read under a lock.
_READING_SECONDS = 0.01
# The number of turns that the reader of the check's connection gets before silence is a verdict, and those of the thread that connects,
# which takes several steps.
READING_TURNS, MAKING_TURNS = 3, 20
# Sends the check in the form of a call, and returns the reply.
AsCall = Callable[[tuple[Any, ...]], Any]
_OUTAGES = (FailureKind.NOT_SENT, FailureKind.NOT_ANSWERED, FailureKind.UNAVAILABLE)


class VerdictChange(NamedTuple):
    """A change of the verdict on a server, which decides whether late calls are an outage; or, once, that it is still up although the
    connection for the check was refused."""

    server: str
    """The address or, of Sentinel, the name of the service."""
    verdict: str
    """``up``, ``silent`` (no answer, or nothing listens) or ``refused`` (the server refuses connections)."""
    before: str
    lasted: timedelta
    """How long the previous verdict lasted."""
    error: Optional[Exception] = None
    """The error with which the server refused a connection."""


Listener = Callable[[VerdictChange], Any]
_of_clients: WeakKeyDictionary[Any, list[Listener]] = WeakKeyDictionary()


def listeners_of(client: Any) -> list[Listener]:
    """Returns what is told of the verdicts on a client's servers."""
    return _of_clients.setdefault(client if hasattr(client, "get_node_from_key") else client.connection_pool, [])


def server_of(pool: Any) -> str:
    """Returns the server's name in changes of its verdict."""
    options = pool.connection_kwargs
    address = options.get("path") or f"{options.get('host', 'localhost')}:{options.get('port', 6379)}"
    return str(getattr(pool, "service_name", address))


def clock() -> float:
    """Returns the monotonic time in milliseconds."""
    return time.monotonic() * 1_000


def question_of(command: tuple[Any, ...]) -> tuple[Any, ...]:
    """Returns the check for a call: a peek with the same script and key. For a call under several limits it is a fixed window's peek at the
    first key, because any answer is sufficient."""
    if command[2] == 1 and len(command) > 5:
        return (*command[:4], 0, *command[5:])
    target = FIXED_WINDOW.function if command[0] == "FCALL" else FIXED_WINDOW.sha1
    return ("FCALL" if command[0] == "FCALL" else "EVALSHA", target, 1, command[3], 0, 1, 1_000)


def said(error: BaseException) -> Optional[CallVerdict]:
    """Returns the verdict that an error implies, or None if the error is not an answer."""
    text = server_text(error)
    return None if text is None else CallVerdict.OUTAGE if classify(text).kind in _OUTAGES else CallVerdict.OVERLOADED


def said_by(reply: Any) -> Optional[CallVerdict]:
    """Returns the verdict that a reply implies, or None if it is no answer of the server's."""
    return said(reply.error) if isinstance(reply, Failure) else CallVerdict.OVERLOADED


def is_silence(error: BaseException) -> bool:
    """Returns whether a connection failed because the server sent nothing."""
    return isinstance(error, TimeoutError) or type(error).__name__ == "TimeoutError"


class NodeAsker:
    """The part that blocking and asyncio clients share."""

    def __init__(self, server: str, listeners: list[Listener], through_client: bool) -> None:
        self._server, self._listeners, self._through_client = server, listeners, through_client
        self._changes: list[VerdictChange] = []
        self._machine = NodeVerdict()
        self._command: tuple[Any, ...] = ()
        self._state, self._since = "up", clock()

    @property
    def state(self) -> str:
        """The verdict's name. A check that is lost through the client is silence, no refusal of a connection by the server."""
        state = self._machine.state
        return "silent" if state == "refused" and self._through_client else state

    def failure(self, call: TimedCall, is_sent: bool) -> Failure:
        """Returns the failure of a late call."""
        refusal = self._machine.refusal
        if call.verdict is CallVerdict.REFUSED and refusal is not None:
            return Failure(refusal, sent=False)
        what = "no answer within the deadline" if is_sent else "not sent within the deadline"
        if call.is_refused:
            what = f"{CALLS_IN_FLIGHT} calls are in flight"
        if call.verdict is not CallVerdict.OVERLOADED:
            return Failure(TimeoutError(what), sent=is_sent)
        known = "and no check has shown yet whether the server answers" if call.is_unchecked else "although the server answers"
        return Failure(LateCallError(f"{what}, {known}"), sent=is_sent)

    def now(self) -> float:
        return clock()

    def _is_refused(self, number: int, error: Exception) -> None:
        """Handles a failed connection for the check: if it was refused while calls are answered, this is logged once."""
        if is_silence(error):
            return
        verdict = CallVerdict.REFUSED if is_refusal(error) else CallVerdict.OUTAGE
        self._tell_beside(self._machine.refused(number, self.now(), verdict, is_unreachable(error), error))

    def _is_cut(self, number: int, error: Exception) -> None:
        """Handles the loss of the check's connection."""
        self._tell_beside(self._machine.cut(number, self.now(), error))

    def _tell_beside(self, is_first: bool) -> None:
        if is_first and not self._through_client:
            self._tell(self._machine.refusal)

    def _tell(self, error: Optional[Exception] = None) -> None:
        """Logs a change of the verdict, or a refusal beside answered calls, and records it for the listeners."""
        state, before, now = self.state, self._state, clock()
        lasted = timedelta(milliseconds=now - self._since)
        what = f"after {lasted.total_seconds():.1f} s of {before}"
        if state == before:
            what = "although the connection for the check is refused"
        log.warning("the verdict on the server: %s, %s%s", state, what, f": {error}" if error else "")
        self._changes.append(VerdictChange(self._server, state, before, lasted, error))
        if state != before:
            self._state, self._since = state, now

    def _tell_change(self) -> None:
        if self.state != self._state and not self._machine.is_forgotten:
            self._tell(self._machine.refusal if self.state == "refused" else None)

    def _report(self) -> None:
        """Calls the listeners, in the order of the changes."""
        while self._changes:
            change = self._changes.pop(0)
            for listener in self._listeners[:]:
                try:
                    listener(change)
                except Exception:
                    log.exception("on_verdict raised")


class ThreadAsker(NodeAsker):
    """Determines the verdicts of one node with threads. ``make`` opens a connection with a single attempt; without ``own``, ``ask`` sends
    the check as a call."""

    def __init__(self, server: str, listeners: list[Listener], make: Callable[[], Any], ask: Optional[AsCall] = None) -> None:
        super().__init__(server, listeners, through_client=ask is not None)
        self._make, self._asks_as_call = make, ask
        self._lock = threading.RLock()
        # Calls that wait until they may open a connection.
        self._openers, self._opening = 0, threading.Condition(self._lock)
        # None if the check is sent like a call, or is not needed.
        self._connections: dict[int, Any] = {}
        self._questions: dict[int, int] = {}
        self._thread: Optional[threading.Thread] = None
        self._sleeps_until, self._turns = float("-inf"), 0
        self._wakes, self._woken = socket.socketpair()
        self._wakes.setblocking(False)

    def begin(self, seconds: float, command: tuple[Any, ...]) -> TimedCall:
        with self._lock:
            now, self._command = clock(), command
            call = self._machine.begin(now, seconds * 1_000)
            if self._machine.todo:
                self._do()
            if self._machine.next_at < self._sleeps_until or self._thread is None:
                self._wake()
            return call

    def answered(self, call: TimedCall, verdict: CallVerdict) -> None:
        with self._lock:
            self._machine.answered(call, clock(), verdict)
            if len(self._machine.todo) == 1 and self._state == "up" and call.waits is None:
                # The end of this object itself.
                self._machine.todo.clear()
                self._let_open()
            else:
                self._do()

    def opens(self, deadline: float, idle: Sized) -> bool:
        """Returns whether a call may open a connection; if not, and none is idle, it waits until that changes, or the deadline."""
        with self._lock:
            # A check that is sent as a call would wait behind those that wait.
            if self._through_client or self._machine.opens():
                return True
            if not idle:
                self._openers += 1
                self._opening.wait(min(max(0.0, deadline - time.monotonic()), threading.TIMEOUT_MAX))
                self._openers -= 1
            return False

    def freed(self) -> None:
        """A connection has become idle."""
        if self._openers:
            with self._lock:
                self._opening.notify()

    def leave(self, call: TimedCall) -> None:
        with self._lock:
            call.waits = None
            self._machine.leave(call)
            self._do()

    def is_late(self, call: TimedCall, wakes: Callable[[], Any]) -> bool:
        """Returns whether a verdict is known; if not, ``wakes`` is called as soon as it is."""
        with self._lock:
            self._machine.advance(clock())
            self._do()
            if call.verdict is None:
                call.waits = wakes
            return call.verdict is not None

    def await_verdict(self, call: TimedCall) -> None:
        """Waits for the verdict on a call that can no longer be answered."""
        event = threading.Event()
        while not self.is_late(call, event.set):
            event.wait(LOOK_SECONDS)

    def close(self) -> None:
        with self._lock:
            for number in list(self._connections):
                self._machine.cut(number, clock())
                self._drop(number)
            if self._machine.is_idle:
                made = NodeVerdict()
                # A server that did not answer is forgotten, which is no change.
                made.is_forgotten = self._machine.is_forgotten or self._machine.state != "up"
                self._machine = made
            self._do()

    def _do(self) -> None:
        while self._machine.todo:
            what, *things = self._machine.todo.pop(0)
            if what == "end":
                if things[0].waits is not None:
                    things[0].waits()
            elif what == "connect":
                threading.Thread(target=self._connect, args=things, daemon=True).start()
            elif what == "ask":
                self._ask(*things)
            elif what == "turn":
                self._turns = READING_TURNS if things[0] else MAKING_TURNS
                self._wake()
            elif what == "drop":
                self._drop(things[0])
        self._let_open()
        self._tell_change()
        if self._changes:
            self._wake()

    def _let_open(self) -> None:
        if self._openers and self._machine.may_open:
            self._opening.notify(1 if self._machine.is_doubtful else self._openers)

    def _connect(self, number: int) -> None:
        connection: Any = None
        try:
            if self._asks_as_call is None:
                connection = self._make()
                connection.socket_connect_timeout = connection.socket_timeout = CONNECTING_SECONDS
                connection.connect()
        except Exception as error:
            with self._lock:
                self._is_refused(number, error)
                self._do()
            return
        with self._lock:
            if connection is not None and isinstance(connection._sock, socket.socket):
                connection._sock.settimeout(_READING_SECONDS)
            else:
                # An in-process server, such as fakeredis, needs no check.
                connection = None
            self._connections[number] = connection
            self._machine.connected(number, clock())
            if not self._machine.todo:
                # The verdict came too late.
                self._drop(number)
            self._do()
            self._wake()

    def _ask(self, question: int, number: int) -> None:
        command = question_of(self._command)
        self._questions[number] = question
        if self._asks_as_call is not None:
            # Behind calls, the check counts as written at once.
            self._machine.written(question, clock())
            threading.Thread(target=self._ask_as_call, args=(question, command), daemon=True).start()
            return
        connection = self._connections[number]
        if connection is None:
            self._machine.replied(question, clock())
            return
        try:
            connection.send_packed_command(connection.pack_command(*command))
            self._machine.written(question, clock())
        except Exception as error:
            self._drop(number)
            self._is_cut(number, error)

    def _ask_as_call(self, question: int, command: tuple[Any, ...]) -> None:
        assert self._asks_as_call is not None
        reply = self._asks_as_call(command)
        verdict = said_by(reply)
        if verdict is not None:
            with self._lock:
                self._machine.replied(question, clock(), verdict)
                self._do()

    def _drop(self, number: int) -> None:
        connection = self._connections.pop(number, None)
        if connection is not None:
            connection.disconnect()
        self._wake()

    def _wake(self) -> None:
        self._sleeps_until = float("-inf")
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="penstock question", daemon=True)
            self._thread.start()
        elif threading.current_thread() is not self._thread:
            with contextlib.suppress(BlockingIOError):
                self._wakes.send(b".")

    def _run(self) -> None:
        try:
            self._drive()
        except Exception:
            log.exception("the check whether the server answers failed; the next call restarts it")
            with self._lock:
                self._thread = None

    def _drive(self) -> None:
        while True:
            self._report()
            with self._lock:
                self._machine.advance(clock())
                self._do()
                if self._changes:
                    continue
                until = self._machine.next_at
                if until == float("inf") and not self._connections:
                    self._thread = None
                    return
                turns, self._sleeps_until = self._turns, until
                open_ones = [(number, connection) for number, connection in self._connections.items() if connection is not None]
            self._read(open_ones, _TURN_SECONDS if turns else max(0.0, (until - clock()) / 1_000))
            with self._lock:
                # A call's thread may have requested turns since.
                if turns and self._turns == turns:
                    self._turns -= 1
                    if self._turns == 0:
                        self._machine.turned(clock())
                        self._do()

    def _read(self, open_ones: list[tuple[int, Any]], seconds: float) -> None:
        """Reads the replies on the check's connections. This happens under the lock, so that no verdict of silence is reached while a reply
        has arrived but is not yet processed."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._woken, selectors.EVENT_READ)
            for number, connection in open_ones:
                with contextlib.suppress(ValueError, KeyError, AttributeError):
                    selector.register(connection._sock, selectors.EVENT_READ, (number, connection))
            ready = selector.select(min(seconds, threading.TIMEOUT_MAX))
        for key, _ in ready:
            if key.data is None:
                self._woken.recv(4096)
                continue
            with self._lock:
                self._take(*key.data)
                self._do()

    def _take(self, number: int, connection: Any) -> None:
        if number not in self._connections:
            return
        try:
            connection.read_response(disconnect_on_error=False)
            verdict = CallVerdict.OVERLOADED
        except Exception as error:
            if is_silence(error):
                # The data was part of an answer, or not an answer.
                return
            answer = said(error)
            if answer is None:
                self._drop(number)
                self._is_cut(number, error)
                return
            verdict = answer
        self._machine.replied(self._questions[number], clock(), verdict)
