"""The recent answers of one server, by which ambiguous failures are classified."""

from __future__ import annotations

import time
from typing import Any

from ._failure import ErrorMeaning, Failure, FailureKind, LateCallError, answers, classify_exception

# A READONLY that lasts longer than a failover comes from a replica's address.
READ_ONLY_SECONDS = 10.0
# At most this many calls of a batch are in flight to one server at a time; a small part shows soon that the server
# answers.
_MOST_OF_BATCH = 1_000
_FIRST_OF_BATCH = 100


class Node:
    def __init__(self, in_cluster: bool) -> None:
        self._in_cluster = in_cluster
        self._read_only_since = float("-inf")

    def heard(self, replies: list[Any]) -> list[Any]:
        """Returns the replies, with each failure classified."""
        for at, reply in enumerate(replies):
            if isinstance(reply, Failure):
                if answers(reply, "READONLY") and self._read_only_since < 0:
                    self._read_only_since = time.monotonic()
                replies[at] = reply._replace(meaning=self._meaning(reply))
            else:
                self._read_only_since = float("-inf")
        return replies

    def _meaning(self, failure: Failure) -> ErrorMeaning:
        kind, charged = classify_exception(failure.error, failure.sent)
        if kind is FailureKind.REDIRECT:
            followed = self._in_cluster and answers(failure, "MOVED", "ASK")
            kind = FailureKind.UNAVAILABLE if followed else FailureKind.MISCONFIGURED
        elif answers(failure, "READONLY") and time.monotonic() - self._read_only_since >= READ_ONLY_SECONDS:
            kind = FailureKind.MISCONFIGURED
        return ErrorMeaning(kind, charged)


class LargeBatch:
    """Splits the calls of a batch to one server into parts, each sent after the previous one has ended."""

    def __init__(self, commands: list[Any]) -> None:
        self.replies: list[Any] = []
        self._commands, self._is_large = commands, len(commands) > _MOST_OF_BATCH

    def next(self, has_time: bool) -> list[Any]:
        """Returns the next part to send; an empty list at the end, or if no time is left after the first part."""
        begin = len(self.replies)
        if begin and not has_time:
            # Depends on the end of the last part; if that was answered, the server answers.
            last = self.replies[-1]
            late = Failure(LateCallError("the batch is too large for its timeout"), sent=False)
            ended = late if not isinstance(last, Failure) or answers(last) else last._replace(sent=False)
            self.replies += [ended] * (len(self._commands) - begin)
            return []
        return self._commands[begin : begin + (_FIRST_OF_BATCH if self._is_large and not begin else _MOST_OF_BATCH)]

    def take(self, replies: list[Any]) -> None:
        """Accepts the replies to a part."""
        self.replies += replies
