"""Separate connections with a client's settings; the client's own would retry a failed attempt."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from collections import deque
from typing import Any, Callable, Optional
from weakref import WeakKeyDictionary, WeakSet

from ._asking import CONNECTING_SECONDS, LOOK_SECONDS, Listener, ThreadAsker, is_silence, server_of
from ._failure import Failure, answers, causes, is_a, is_alert, server_text
from ._node import Node
from ._tls import alert_of, may_hide_alert, wrong_file
from ._verdict import CallVerdict, TimedCall

# Retries, and features that block the pool: Redis Cloud's maintenance notices.
_LEFT_OUT = ("retry", "maint_notifications", "oss_cluster_maint", "maintenance_", "orig_", "event_dispatcher", "health_check_interval")
# The number of replies that are read before the socket's timeout is set again.
_BOUNDED = 32


def without_repeats(options: dict[str, Any]) -> dict[str, Any]:
    """Returns the settings for connections that are attempted once."""
    return {name: value for name, value in options.items() if not name.startswith(_LEFT_OUT)}


class FairRoom:
    """A fixed number of slots, granted in order of arrival."""

    def __init__(self, places: int) -> None:
        self._lock, self._free, self._waiting = threading.Lock(), places, deque[threading.Lock]()

    def enter(self, deadline: float) -> bool:
        """Waits for a slot until the deadline; returns whether one was granted."""
        with self._lock:
            if self._free:
                self._free -= 1
                return True
            gate = threading.Lock()
            gate.acquire()
            self._waiting.append(gate)
        if gate.acquire(timeout=min(max(0.0, deadline - time.monotonic()), threading.TIMEOUT_MAX)):
            return True
        with self._lock:
            if gate not in self._waiting:
                return True
            self._waiting.remove(gate)
            return False

    def leave(self) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._free += 1


class Connections:
    """Opens connections as a pool does, up to the pool's maximum. Each command is sent once and within a deadline."""

    def __init__(self, pool: Any, in_cluster: bool, verdict_connection: bool, listeners: list[Listener]) -> None:
        self.node = Node(in_cluster)
        self._class = pool.connection_class
        self._options = without_repeats(pool.connection_kwargs)
        self._idle: deque[Any] = deque()
        # Connections that have not been answered yet.
        self._unheard: WeakSet[Any] = WeakSet()
        self._room = FairRoom(pool.max_connections)
        self._renewed = float("-inf")
        asks = None if verdict_connection else self._asked
        self._asker = ThreadAsker(server_of(pool), listeners, lambda: self._class(**self._options), asks)

    def exchange(self, commands: list[Any], deadline: float) -> list[Any]:
        call = self._asker.begin(max(0.0, deadline - time.monotonic()), commands[-1])
        try:
            replies = self._answered(commands, deadline, call)
        except BaseException:
            self._asker.leave(call)
            raise
        if call.verdict is None:
            self._asker.leave(call)
        return replies

    def _answered(self, commands: list[Any], deadline: float, call: TimedCall) -> list[Any]:
        if call.is_refused or not self._room.enter(deadline):
            return [self._late(call, is_sent=False)] * len(commands)
        try:
            try:
                connection = self._connected(deadline)
            except Exception as why:
                return [self._late(call, is_sent=False) if is_silence(why) else Failure(why, sent=False)] * len(commands)
            replies = self._exchanged(connection, commands, deadline, call)
        finally:
            self._room.leave()
        if any(answers(reply, "READONLY") for reply in replies) and time.monotonic() - self._renewed >= 1:
            # The node is a replica: the address may lead to the new primary by now.
            self._renewed = time.monotonic()
            connection.disconnect()
            self._close_idle()
        self._idle.append(connection)
        self._asker.freed()
        return replies

    # For a call that another one sends.

    def begin(self, command: Any, deadline: float) -> TimedCall:
        return self._asker.begin(max(0.0, deadline - time.monotonic()), command)

    def is_late(self, call: TimedCall, wakes: Callable[[], Any]) -> bool:
        """Returns whether there is a verdict on a late call; if not, ``wakes`` is called as soon as there is."""
        return self._asker.is_late(call, wakes)

    def failure(self, call: TimedCall, is_sent: bool) -> Any:
        return self.node.heard([self._late(call, is_sent)])[0]

    def leave(self, call: TimedCall) -> None:
        if call.verdict is None:
            self._asker.leave(call)

    def _late(self, call: TimedCall, is_sent: bool) -> Failure:
        self._asker.await_verdict(call)
        return self._asker.failure(call, is_sent)

    def _exchanged(self, connection: Any, commands: list[Any], deadline: float, call: TimedCall) -> list[Any]:
        packed = connection.pack_commands(commands)
        replies: list[Any] = []
        try:
            call.sent = time.monotonic() * 1_000
            for chunk in packed:
                _bound(connection, deadline)
                connection.send_packed_command([chunk])
            while len(replies) < len(commands):
                if len(replies) % _BOUNDED == 0:
                    _bound(connection, deadline)
                try:
                    replies.append(self._reply(connection, call))
                except Exception as error:
                    if server_text(error) is None:
                        raise
                    replies.append(Failure(error))
            self._asker.answered(call, self.node.says(replies[-1]))
        except Exception as error:
            connection.disconnect()
            if is_silence(error) or call.waits is not None:
                failure = self._late(call, is_sent=True)
            else:
                alert = self._alert(error, deadline) if connection in self._unheard and not replies else None
                failure = Failure(alert or error, sent=alert is None)
            replies += [failure] * (len(commands) - len(replies))
        except BaseException:
            connection.disconnect()
            raise
        if call.waits is not None:
            # The connection may be shut down.
            connection.disconnect()
        self._unheard.discard(connection)
        return replies

    def _reply(self, connection: Any, call: TimedCall) -> Any:
        """Reads one reply; a reply after the deadline still counts until there is a verdict on the call, which shuts the connection
        down."""
        while True:
            try:
                return connection.read_response(disconnect_on_error=False)
            except Exception as error:
                if not is_silence(error) or self._asker.is_late(call, lambda: _shut_down(connection)):
                    raise
            connection._sock.settimeout(LOOK_SECONDS)

    def _asked(self, command: tuple[Any, ...]) -> Any:
        """Sends the check as a call."""
        deadline = time.monotonic() + CONNECTING_SECONDS
        call = TimedCall(0, 0, None)
        call.verdict = CallVerdict.OUTAGE
        if not self._room.enter(deadline):
            return self._asker.failure(call, is_sent=False)
        try:
            connection = self._connected(deadline)
            _bound(connection, deadline)
            connection.send_packed_command(connection.pack_command(*command))
            reply = connection.read_response()
        except Exception as error:
            return Failure(error)
        finally:
            self._room.leave()
        self._idle.append(connection)
        return reply

    def _alert(self, error: Exception, deadline: float) -> Optional[Exception]:
        """Returns the TLS alert that closed a new connection, if there was one, or the error for a missing file."""
        if wrong := wrong_file(self._options, error):
            return wrong
        if not may_hide_alert(self._class, error):
            return error if any(map(is_alert, causes(error))) else None
        return alert_of(self._class(**self._options), deadline)

    def _connected(self, deadline: float) -> Any:
        """Returns an idle connection, or opens one as soon as that is allowed."""
        while True:
            with contextlib.suppress(IndexError):
                connection = self._idle.pop()
                if _is_usable(connection):
                    return connection
                connection.disconnect()
            if self._asker.opens(deadline, self._idle):
                return self._opened(deadline)
            if time.monotonic() >= deadline:
                raise TimeoutError("the server does not answer, and no other connection is opened")

    def _opened(self, deadline: float) -> Any:
        connection = self._class(**self._options)
        left = max(0.001, deadline - time.monotonic())
        connection.socket_connect_timeout = connection.socket_timeout = left
        try:
            connection.connect()
        except Exception as error:
            raise self._alert(error, deadline) or error
        self._unheard.add(connection)
        return connection

    def close(self) -> None:
        """Closes idle connections."""
        self._close_idle()
        self._asker.close()

    def _close_idle(self) -> None:
        while self._idle:
            try:
                self._idle.pop().disconnect()
            except IndexError:
                return


def _bound(connection: Any, deadline: float) -> None:
    """Limits the next operation of a connection to a deadline, instead of the timeout of the call that opened the connection."""
    # A socket of fakeredis does not have a timeout.
    with contextlib.suppress(AttributeError):
        connection._sock.settimeout(max(0.001, deadline - time.monotonic()))


def _shut_down(connection: Any) -> None:
    """Wakes the reading thread by shutting the socket down; TLS's own method would remove the object that the thread reads from."""
    with contextlib.suppress(Exception):
        socket.socket.shutdown(connection._sock, socket.SHUT_RDWR)


def _is_usable(connection: Any) -> bool:
    """Returns whether a connection is open and has no unexpected data."""
    try:
        return connection._sock is not None and not connection.can_read(0)
    except Exception:
        return False


_of_pools: WeakKeyDictionary[Any, Connections] = WeakKeyDictionary()
_lock = threading.Lock()


def connections_of(pool: Any, in_cluster: bool, verdict_connection: bool, listeners: list[Listener]) -> Connections:
    """Returns the connections that all limiters of one client share."""
    with _lock:
        found = _of_pools.get(pool)
        if found is None:
            found = _of_pools[pool] = Connections(pool, in_cluster, verdict_connection, listeners)
        return found


def _forked() -> None:
    global _lock, _of_pools
    _lock, _of_pools = threading.Lock(), WeakKeyDictionary()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
