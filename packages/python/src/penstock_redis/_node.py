"""The recent answers of one server, by which ambiguous failures are classified."""

from __future__ import annotations

import time
from typing import Any

from ._asking import said_by
from ._failure import ErrorMeaning, Failure, FailureKind, answers, classify_exception
from ._verdict import CallVerdict

# A READONLY that lasts longer than a failover comes from a replica's address.
READ_ONLY_SECONDS = 10.0


class Node:
    def __init__(self, in_cluster: bool) -> None:
        self._in_cluster = in_cluster
        self._read_only_since = float("inf")

    def heard(self, replies: list[Any]) -> list[Any]:
        """Returns the replies, with each failure classified."""
        for at, reply in enumerate(replies):
            if isinstance(reply, Failure):
                if answers(reply, "READONLY"):
                    self._read_only_since = min(self._read_only_since, time.monotonic())
                replies[at] = reply._replace(meaning=self._meaning(reply))
            else:
                self._read_only_since = float("inf")
        return replies

    def says(self, reply: Any) -> CallVerdict:
        """Returns the verdict on late calls that an answer implies."""
        verdict = None if self._is_replica(reply) else said_by(reply)
        return verdict or CallVerdict.OVERLOADED

    def _is_replica(self, reply: Any) -> bool:
        """Returns whether a reply shows that the address is a replica's."""
        return answers(reply, "READONLY") and time.monotonic() - self._read_only_since >= READ_ONLY_SECONDS

    def _meaning(self, failure: Failure) -> ErrorMeaning:
        kind, charged = classify_exception(failure.error, failure.sent)
        if kind is FailureKind.REDIRECT:
            followed = self._in_cluster and answers(failure, "MOVED", "ASK")
            kind = FailureKind.UNAVAILABLE if followed else FailureKind.MISCONFIGURED
        elif self._is_replica(failure):
            kind = FailureKind.MISCONFIGURED
        return ErrorMeaning(kind, charged)
