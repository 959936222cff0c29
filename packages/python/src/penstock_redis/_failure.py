"""Classifies failures: one pure function for error texts, one for redis-py's exceptions, and the exceptions that calls raise."""

from __future__ import annotations

import asyncio
import contextlib
import re
import ssl
import sys
from collections.abc import Iterator
from contextvars import ContextVar
from enum import Enum
from typing import Callable, NamedTuple, Optional

from ._scripts import ERROR_RULES

# The text that Redis 6 adds around an error that is raised inside a script.
_WRAPPER = re.compile(r"^(ERR )?Error running script \(call to f_[0-9A-Za-z]*\): @user_script:[0-9]+: (@user_script: [0-9]+: )?-?")
# redis-py removes the code word from an error's text and converts it to the error's class.
_CODE_WORDS = {
    "AskError": "ASK",
    "AuthenticationError": "NOAUTH",
    "BusyLoadingError": "LOADING",
    "ClusterCrossSlotError": "CROSSSLOT",
    "ClusterDownError": "CLUSTERDOWN",
    "MasterDownError": "MASTERDOWN",
    "MaxClientsError": "ERR",
    "MovedError": "MOVED",
    "NoPermissionError": "NOPERM",
    "NoScriptError": "NOSCRIPT",
    "OutOfMemoryError": "OOM",
    "ReadOnlyError": "READONLY",
    "TryAgainError": "TRYAGAIN",
}


class FailureKind(Enum):
    """The classes of failures. Only ``NOT_SENT``, ``NOT_ANSWERED`` and ``UNAVAILABLE`` are outages."""

    NOT_SENT = "not_sent"
    """The call was never sent, because there was no connection."""
    NOT_ANSWERED = "not_answered"
    """The call was sent, but no answer arrived."""
    UNAVAILABLE = "unavailable"
    """The server replied that it cannot serve calls now."""
    MISCONFIGURED = "misconfigured"
    """The configuration is wrong: credentials, certificate, database, kind of deployment, permissions, or a key of another type."""
    OVERLOADED = "overloaded"
    """A resource of this process is exhausted although the server answers, or the server is out of memory."""
    REDIRECT = "redirect"
    """The server requires the call to be sent in a different form or to a different node."""
    UNKNOWN = "unknown"
    """The error is unknown."""


class ErrorMeaning(NamedTuple):
    """The classification of an error. ``charged`` is whether the call may have been charged; False proves that it was not."""

    kind: FailureKind
    charged: bool


class PenstockError(Exception):
    """Raised if a call failed without a decision. The subclasses represent known errors; this class itself represents an unknown error.

    ``charged`` is whether the call may have been charged; ``__cause__`` is the client's own error.
    """

    def __init__(self, message: str, kind: FailureKind = FailureKind.UNKNOWN, charged: bool = True) -> None:
        super().__init__(message)
        self.kind = kind
        self.charged = charged


class NoDecisionError(PenstockError):
    """Raised in an outage, in which the server is unreachable or cannot serve calls. This is the only error after which a request may be
    served without a decision."""


class MaybeChargedError(NoDecisionError):
    """Raised in an outage in which the call was sent but not answered. The call may or may not have been charged."""


class MisconfiguredError(PenstockError):
    """Raised if the configuration is wrong, such as the credentials, database, kind of deployment or permissions. Nothing was charged,
    unless ``charged`` says that an earlier attempt of a call with an id may have been charged."""


class OverloadedError(PenstockError):
    """Raised if the call timed out although the server answers, or if the server is out of memory. Nothing was charged, unless ``charged``
    says that this call, or an earlier attempt of a call with an id, may have been charged."""


class Failure(NamedTuple):
    """The failure of a command, in place of its reply."""

    error: Exception
    sent: bool = True
    meaning: ErrorMeaning = ErrorMeaning(FailureKind.UNKNOWN, charged=True)


class LateCallError(TimeoutError):
    """A call was late although the server answers: an overload."""


def classify(text: str, *, of_client: bool = False) -> ErrorMeaning:
    """Classifies an error text of the server, with its code word or without ``ERR``, or one of redis-py's own error texts."""
    text = without_wrapper(text)
    for begins, kind, charged, is_of_client in ERROR_RULES:
        if is_of_client == of_client and (_begins(text, begins) or begins.startswith("ERR ") and _begins(text, begins[4:])):
            return ErrorMeaning(FailureKind(kind), charged)
    return ErrorMeaning(FailureKind.UNKNOWN, charged=True)


def classify_exception(error: BaseException, sent: bool = True) -> ErrorMeaning:
    """Classifies an exception of redis-py by the exception and its causes. ``sent`` is whether the command may have left this process."""
    if isinstance(error, LateCallError):
        return ErrorMeaning(FailureKind.OVERLOADED, sent)
    found = list(causes(error))
    if any(map(_is_of_a_file, found)):
        return ErrorMeaning(FailureKind.MISCONFIGURED, charged=False)
    for each in found:
        text = server_text(each)
        meaning = classify(str(each) or type(each).__name__, of_client=True) if text is None else classify(text)
        if text is not None or meaning.kind is not FailureKind.UNKNOWN:
            return ErrorMeaning(meaning.kind, sent and meaning.charged)
        if not sent and is_alert(each):
            return ErrorMeaning(FailureKind.MISCONFIGURED, charged=False)
    if any(map(_is_of_the_network, found)) and not any(map(_hides_a_mistake, found)):
        return ErrorMeaning(FailureKind.NOT_ANSWERED if sent else FailureKind.NOT_SENT, sent)
    return ErrorMeaning(FailureKind.UNKNOWN, sent)


def proves_not_run(error: BaseException | str) -> bool:
    """Returns whether an exception, or an error text of the server, proves that the call was not charged."""
    return not (classify(error) if isinstance(error, str) else classify_exception(error)).charged


# The exception that the caller is handling, which is in the context of each exception of a call and unrelated to it.
_callers: ContextVar[Optional[BaseException]] = ContextVar("callers", default=None)


def note_caller() -> None:
    """Records the exception that the caller is handling, if any, so that it is not taken for a cause."""
    handled = sys.exc_info()[1]
    if handled is not _callers.get():
        _callers.set(handled)


def causes(error: BaseException) -> Iterator[BaseException]:
    """Returns the error and all errors in its chain of causes and contexts."""
    seen: set[int] = set()
    each: BaseException | None = error
    callers = _callers.get()
    while each is not None and each is not callers and id(each) not in seen:
        seen.add(id(each))
        yield each
        each = each.__cause__ or (None if each.__suppress_context__ else each.__context__)


def server_text(error: BaseException) -> str | None:
    """Returns the server's error text with its code word, or None if the error is not a reply of the server."""
    word = _CODE_WORDS.get(type(error).__name__)
    if word:
        return f"{word} {error}"
    return str(error) if is_a(error, "ResponseError") else None


def answers(reply: object, *words: str) -> bool:
    """Returns whether a reply is an error of the server, with one of these code words if any are given."""
    texts = (server_text(each) for each in causes(reply.error)) if isinstance(reply, Failure) else iter(())
    return any(text is not None and without_wrapper(text).startswith(words or "") for text in texts)


def has_answer(reply: object) -> bool:
    """Returns whether the server answered, even with an error."""
    return not isinstance(reply, Failure) or answers(reply)


def is_alert(error: BaseException) -> bool:
    """Returns whether TLS failed for a reason other than a closed connection or a timeout."""
    return isinstance(error, ssl.SSLError) and not isinstance(error, (ssl.SSLEOFError, ssl.SSLZeroReturnError, TimeoutError))


def is_refusal(error: BaseException) -> bool:
    """Returns whether a connection failed for a reason that is neither an outage nor an exhausted resource."""
    return classify_exception(error, sent=False).kind in (FailureKind.MISCONFIGURED, FailureKind.UNKNOWN)


def is_unreachable(error: BaseException) -> bool:
    """Returns whether nothing listens: a TCP connection is refused, or a Unix socket does not exist."""
    found = list(causes(error))
    listens = not any(isinstance(each, (ConnectionRefusedError, FileNotFoundError)) for each in found)
    return not listens and not any(map(_is_of_a_file, found))


def failing(task: Callable[[], object]) -> None:
    """Runs a function that may fail."""
    with contextlib.suppress(Exception):
        task()


def without_wrapper(text: str) -> str:
    return _WRAPPER.sub("", text)


def failed(who: str, kind: FailureKind, charged: bool, error: Exception) -> PenstockError:
    """Returns the exception that a call raises for the client's error; ``who`` names the limiter."""
    because = str(error) or type(error).__name__
    maybe = ", and the call may have been charged" if charged else ""
    if kind is FailureKind.NOT_ANSWERED and charged:
        raised: PenstockError = MaybeChargedError(f"{who}: no answer came, so the call may have been charged: {because}", kind)
    elif kind in (FailureKind.NOT_SENT, FailureKind.NOT_ANSWERED, FailureKind.UNAVAILABLE):
        why = {FailureKind.NOT_SENT: "there is no connection", FailureKind.NOT_ANSWERED: "no answer came"}
        word = why.get(kind, "the server cannot serve")
        raised = NoDecisionError(f"{who}: no decision, because {word}: {because}", kind, charged)
    elif kind is FailureKind.MISCONFIGURED:
        raised = MisconfiguredError(f"{who}: the configuration is wrong{maybe}: {because}", kind, charged)
    elif kind is FailureKind.OVERLOADED:
        raised = OverloadedError(f"{who}: overloaded{maybe}: {because}", kind, charged)
    else:
        raised = PenstockError(f"{who}: unknown failure{maybe}: {because}", kind, charged)
    raised.__cause__ = error
    return raised


def _begins(text: str, words: str) -> bool:
    return text.startswith(words) and not text[len(words) : len(words) + 1].isalnum()


def is_a(error: BaseException, name: str) -> bool:
    return any(kind.__name__ == name for kind in type(error).__mro__)


def _is_of_a_file(error: BaseException) -> bool:
    """Returns whether the error comes from a file, such as a certificate or a token; network errors have no such cause."""
    return isinstance(error, OSError) and error.filename is not None


def _hides_a_mistake(error: BaseException) -> bool:
    """Returns whether redis-py's asyncio client wrapped an error that is unrelated to the network, such as a host that is not a string."""
    wrapped = error.__cause__ if is_a(error, "ConnectionError") else None
    return isinstance(wrapped, Exception) and not _is_of_the_network(wrapped)


def _is_of_the_network(error: BaseException) -> bool:
    return isinstance(error, (OSError, EOFError, asyncio.TimeoutError)) or is_a(error, "ConnectionError") or is_a(error, "TimeoutError")
