"""What one server answered lately, by which a failure is judged that could mean two things."""

from __future__ import annotations

import time
from typing import Any

from ._failure import ErrorMeaning, Failure, FailureKind, answers, classify_exception

# A READONLY that is answered for longer than a failover takes comes from a replica's address.
READ_ONLY_SECONDS = 10.0


class Node:
    def __init__(self, in_cluster: bool) -> None:
        self._in_cluster = in_cluster
        self._answered = self._read_only_since = float("-inf")

    def connected(self) -> None:
        """Takes notice of a connection, in which the server has answered, too."""
        self._answered = time.monotonic()

    def answered_within(self, seconds: float) -> bool:
        return time.monotonic() - self._answered <= seconds

    def hear(self, reply: Any) -> None:
        """Takes notice of a reply, or of its failure."""
        now = time.monotonic()
        if not isinstance(reply, Failure):
            self._read_only_since = float("-inf")
        elif answers(reply, "READONLY") and self._read_only_since < 0:
            self._read_only_since = now
        if not isinstance(reply, Failure) or answers(reply):
            self._answered = now

    def meaning(self, failure: Failure, within: float) -> ErrorMeaning:
        """What a failure means. ``within`` is for how many seconds an answer shows that the server answers."""
        now = time.monotonic()
        kind, charged = classify_exception(failure.error, failure.sent)
        if kind is FailureKind.REDIRECT:
            single = not self._in_cluster and answers(failure, "MOVED", "ASK")
            kind = FailureKind.MISCONFIGURED if single else FailureKind.UNAVAILABLE
        elif kind is FailureKind.OVERLOADED and not answers(failure) and not self.answered_within(within):
            kind = FailureKind.NOT_SENT
        elif answers(failure, "READONLY") and now - self._read_only_since >= READ_ONLY_SECONDS:
            kind = FailureKind.MISCONFIGURED
        return ErrorMeaning(kind, charged)
