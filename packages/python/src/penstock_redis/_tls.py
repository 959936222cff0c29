"""Finds the reason why a TLS connection was closed. With TLS 1.3, the server receives a client's certificate only after the client has
completed its part of the handshake. If the client has sent data by then, the server's alert is lost, so a second client that sends nothing
provokes the alert again."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import ssl
import time
from typing import Any, Optional

from ._failure import causes, is_a, is_alert


def wrong_file(options: dict[str, Any], error: BaseException) -> Optional[Exception]:
    """Returns the error for the connection's certificate or key file that cannot be read, if any; TLS does not name the file."""
    if not any(isinstance(each, (FileNotFoundError, PermissionError, IsADirectoryError)) for each in causes(error)):
        return None
    for name in ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile"):
        path = options.get(name)
        if path and not (os.path.isfile(path) and os.access(path, os.R_OK)):
            return OSError(errno.ENOENT, f"{name} cannot be read", path)
    return None


def is_tls(connection_class: Any) -> bool:
    return any(kind.__name__ == "SSLConnection" for kind in connection_class.__mro__)


def may_hide_alert(connection_class: Any, error: BaseException) -> bool:
    """Returns whether a server's alert may have closed a connection that was just opened."""
    found = list(causes(error))
    is_cut = any(isinstance(each, OSError) or is_a(each, "ConnectionError") for each in found)
    is_late = any(is_a(each, "TimeoutError") for each in found)
    return is_tls(connection_class) and is_cut and not is_late and not any(map(is_alert, found))


def alert_of(connection: Any, deadline: float) -> Optional[Exception]:
    """Returns the alert on a new connection, if there is one."""
    connection.socket_connect_timeout = connection.socket_timeout = max(0.001, deadline - time.monotonic())
    try:
        with contextlib.closing(connection._connect()) as connected:
            connected.settimeout(max(0.001, deadline - time.monotonic()))
            connected.recv(1)
    except Exception as error:
        return error if is_alert(error) else None
    return None


async def alert_of_async(connection: Any) -> Optional[Exception]:
    """The asyncio variant; the caller limits its time."""
    try:
        reader, writer = await asyncio.open_connection(**connection._connection_arguments())
        try:
            await reader.read(1)
        finally:
            writer.transport.abort()
    except Exception as error:
        return error if is_alert(error) else None
    return None
