"""Connections of the package's own, made with a client's settings: the client itself tries a connection again and again."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections import deque
from typing import Any, Optional
from weakref import WeakKeyDictionary, WeakSet

from ._failure import Failure, answers, causes, is_a, is_alert, is_refusal, server_text
from ._node import Node, late, late_or_refused
from ._tls import alert_of, may_hide_alert, wrong_file

# Repeats, and what holds the pool: Redis Cloud's notices of maintenance.
_LEFT_OUT = ("retry", "maint_notifications", "oss_cluster_maint", "maintenance_", "orig_", "event_dispatcher", "health_check_interval")
# A call may be late only because there are so many others: threads run one at a time.
_MANY = 4
# So long one call that is late among many waits for the server to answer at all.
PROBING_SECONDS = 0.1
# And so often, if this process gets no processor meanwhile.
MOST_PROBES = 3
# So many replies are read before the socket's time-out is set again.
_BOUNDED = 32
FULL = "No connection available: all of the client's connections are in use"


def without_repeats(options: dict[str, Any]) -> dict[str, Any]:
    """How connections are made that try once."""
    return {name: value for name, value in options.items() if not name.startswith(_LEFT_OUT)}


def was_starved(begun: float) -> bool:
    """Whether a probe that began then took longer than it may, so that it says little about the server."""
    return time.monotonic() - begun > 2 * PROBING_SECONDS


class Connections:
    """Connections as a pool makes them, at most as many as it may have. Each command is sent once and within a deadline."""

    def __init__(self, pool: Any, in_cluster: bool) -> None:
        self.node = Node(in_cluster)
        self._class = pool.connection_class
        self._options = without_repeats(pool.connection_kwargs)
        self._idle: deque[Any] = deque()
        # Why the last connection did not come about, if that is no outage.
        self._refused: Optional[Exception] = None
        # Connections on which nothing was answered yet.
        self._unheard: WeakSet[Any] = WeakSet()
        self._room = threading.BoundedSemaphore(pool.max_connections)
        self._counting, self._probing = threading.Lock(), threading.Lock()
        # Those under way, and all.
        self._calls = self._begun = 0
        self._renewed = self._probed = float("-inf")

    def exchange(self, commands: list[Any], deadline: float) -> list[Any]:
        since = time.monotonic()
        with self._counting:
            before = self._calls
            self._calls += 1
            begun = self._begun = self._begun + 1
        try:
            replies = self._answered(commands, deadline)
        finally:
            with self._counting:
                self._calls -= 1
                # A part of a large batch is many, too.
                many = before + self._begun - begun + len(commands) // 25
        lates = [late(reply) for reply in replies]
        if many < _MANY or lates == replies or not self._hears(since):
            return replies
        return late_or_refused(lates, self._refused)

    def _hears(self, since: float) -> bool:
        """Whether the server has answered anybody, be it after this call's time, as the process may have stood still. One asks for all who
        wait."""
        ended = time.monotonic()
        if not self._has_answered(since):
            with self._probing:
                attempts = MOST_PROBES if self._probed < ended - PROBING_SECONDS else 0
                while attempts and not self._has_answered(since):
                    begun = time.monotonic()
                    self._probe()
                    self._probed = begun
                    attempts = attempts - 1 if was_starved(begun) else 0
        return self._has_answered(since)

    def _has_answered(self, since: float) -> bool:
        return self.node.answered_within(time.monotonic() - since)

    def _probe(self) -> None:
        connection = self._class(**self._options)
        connection.socket_connect_timeout = connection.socket_timeout = PROBING_SECONDS
        try:
            connection.connect()
            self.node.answered()
        except Exception as error:
            self._note(error)
        finally:
            connection.disconnect()

    def _note(self, error: Exception) -> None:
        """Takes notice of why a connection does not come about."""
        if is_refusal(error):
            self._refused = error
            self.node.answered()

    def _answered(self, commands: list[Any], deadline: float) -> list[Any]:
        if not self._entered(max(0.0, deadline - time.monotonic())):
            return [Failure(self._refused or TimeoutError(FULL), sent=False)] * len(commands)
        try:
            connection = self._connected(deadline)
            replies = self._exchanged(connection, commands, deadline)
        except Exception as error:
            error = self._alert(error, deadline) or error
            self._note(error)
            # Of a server that refuses others no connection is an outage.
            return [Failure(self._refused or error, sent=False)] * len(commands)
        finally:
            self._room.release()
        if any(answers(reply, "READONLY") for reply in replies) and time.monotonic() - self._renewed >= 1:
            # To a replica: the address may lead to the new primary by now.
            self._renewed = time.monotonic()
            connection.disconnect()
            self.close()
        self._idle.append(connection)
        return replies

    def _entered(self, left: float) -> bool:
        # Half of the time for a connection to come free, so that there is some for the answer; all of it if nobody is answered.
        half = left / 2
        return self._room.acquire(timeout=half) or not self.node.answered_within(left) and self._room.acquire(timeout=half)

    def _exchanged(self, connection: Any, commands: list[Any], deadline: float) -> list[Any]:
        packed = connection.pack_commands(commands)
        replies: list[Any] = []
        try:
            _bound(connection, deadline)
            connection.send_packed_command(packed)
            while len(replies) < len(commands):
                if len(replies) % _BOUNDED == 0:
                    _bound(connection, deadline)
                try:
                    replies.append(connection.read_response())
                except Exception as error:
                    if is_a(error, "TimeoutError"):
                        raise TimeoutError("no answer came in time") from error
                    if server_text(error) is None:
                        raise
                    replies.append(Failure(error))
            self.node.answered()
        except Exception as error:
            connection.disconnect()
            alert = self._alert(error, deadline) if connection in self._unheard and not replies else None
            replies += [Failure(alert or error, sent=alert is None)] * (len(commands) - len(replies))
        except BaseException:
            connection.disconnect()
            raise
        self._unheard.discard(connection)
        return replies

    def _alert(self, error: Exception, deadline: float) -> Optional[Exception]:
        """The alert that cut a new connection, if it was one, or the file that it lacks."""
        if wrong := wrong_file(self._options, error):
            return wrong
        if not may_hide_alert(self._class, error):
            return error if any(map(is_alert, causes(error))) else None
        return alert_of(self._class(**self._options), deadline)

    def _connected(self, deadline: float) -> Any:
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = self._class(**self._options)
        if _is_usable(connection):
            return connection
        connection.disconnect()
        left = max(0.001, deadline - time.monotonic())
        connection.socket_connect_timeout = connection.socket_timeout = left
        connection.connect()
        self._refused = None
        self._unheard.add(connection)
        self.node.answered()
        return connection

    def close(self) -> None:
        """Closes what is idle."""
        while self._idle:
            try:
                self._idle.pop().disconnect()
            except IndexError:
                return


def _bound(connection: Any, deadline: float) -> None:
    """Ends what a connection does next at a deadline, rather than by the time-out of the call that made the connection."""
    # A socket of fakeredis has no time-out.
    with contextlib.suppress(AttributeError):
        connection._sock.settimeout(max(0.001, deadline - time.monotonic()))


def _is_usable(connection: Any) -> bool:
    """Whether a connection is open, and nothing has come on it that nobody waits for."""
    try:
        return connection._sock is not None and not connection.can_read(0)
    except Exception:
        return False


_of_pools: WeakKeyDictionary[Any, Connections] = WeakKeyDictionary()
_lock = threading.Lock()


def connections_of(pool: Any, in_cluster: bool) -> Connections:
    """The connections that all limiters share which have the same client."""
    with _lock:
        found = _of_pools.get(pool)
        if found is None:
            found = _of_pools[pool] = Connections(pool, in_cluster)
        return found


def _forked() -> None:
    global _lock, _of_pools
    _lock, _of_pools = threading.Lock(), WeakKeyDictionary()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
