"""What one server answered lately, by which a failure is judged that could mean two things."""

from __future__ import annotations

import time
from typing import Any, Optional

from ._failure import ErrorMeaning, Failure, FailureKind, LateAmongOthersError, answers, classify_exception, has_answer, is_a

# A READONLY that is answered for longer than a failover takes comes from a replica's address.
READ_ONLY_SECONDS = 10.0
# More calls of a batch to one server are not under way at a time; a part that is small shows soon that it answers.
_MOST_OF_BATCH = 1_000
_FIRST_OF_BATCH = 100


class Node:
    def __init__(self, in_cluster: bool) -> None:
        self._in_cluster = in_cluster
        self._last_answer = self._read_only_since = float("-inf")

    def answered(self) -> None:
        """Takes notice of an answer, or of a connection, in which the server has answered, too."""
        self._last_answer = time.monotonic()

    def answered_within(self, seconds: float) -> bool:
        return time.monotonic() - self._last_answer <= seconds

    def hear(self, reply: Any) -> None:
        """Takes notice of a reply, or of its failure."""
        now = time.monotonic()
        if not isinstance(reply, Failure):
            self._read_only_since = float("-inf")
        elif answers(reply, "READONLY") and self._read_only_since < 0:
            self._read_only_since = now
        if has_answer(reply):
            self._last_answer = now

    def meaning(self, failure: Failure, answering: bool) -> ErrorMeaning:
        """What a failure means; ``answering`` is whether the server answers others."""
        now = time.monotonic()
        kind, charged = classify_exception(failure.error, failure.sent)
        if kind is FailureKind.REDIRECT:
            followed = self._in_cluster and answers(failure, "MOVED", "ASK")
            kind = FailureKind.UNAVAILABLE if followed else FailureKind.MISCONFIGURED
        elif kind is FailureKind.OVERLOADED and not (answering or answers(failure) or isinstance(failure.error, LateAmongOthersError)):
            kind = FailureKind.NOT_SENT
        elif answers(failure, "READONLY") and now - self._read_only_since >= READ_ONLY_SECONDS:
            kind = FailureKind.MISCONFIGURED
        return ErrorMeaning(kind, charged)


class LargeBatch:
    """The calls of a batch to one server in parts, each of which is sent after the one before has ended. What is late where others of a
    large batch were answered is an overload, and no outage."""

    def __init__(self, node: Node, commands: list[Any]) -> None:
        self.replies: list[Any] = []
        self._node, self._commands = node, commands
        self._is_large, self._answered = len(commands) > _MOST_OF_BATCH, False

    def next(self, has_time: bool) -> list[Any]:
        """The next part to send; nothing at the end, or if no time is left after the first part."""
        begin = len(self.replies)
        if begin and not has_time:
            self.take([Failure(TimeoutError("the batch is too large for its time-out"), sent=False)] * (len(self._commands) - begin))
            return []
        return self._commands[begin : begin + (_FIRST_OF_BATCH if self._is_large and not begin else _MOST_OF_BATCH)]

    def take(self, replies: list[Any]) -> None:
        """Takes the replies of a part."""
        if any(map(has_answer, replies)):
            self._answered = True
            self._node.answered()
        elif any(isinstance(reply, Failure) and isinstance(reply.error, LateAmongOthersError) for reply in replies):
            # The server answers others.
            self._answered = True
        self.replies += [late(reply) for reply in replies] if self._is_large and self._answered else replies


def late(reply: Any) -> Any:
    """A reply, or what its failure is where others were answered: one in time is an overload."""
    if not isinstance(reply, Failure) or not is_a(reply.error, "TimeoutError"):
        return reply
    return reply._replace(error=LateAmongOthersError(str(reply.error)))


def late_or_refused(lates: list[Any], refusal: Optional[Exception]) -> list[Any]:
    """What late replies are where the server was heard: what was not sent to one that refuses connections is refused."""
    if refusal is None:
        return lates
    return [Failure(refusal, sent=False) if isinstance(reply, Failure) and not reply.sent else reply for reply in lates]
