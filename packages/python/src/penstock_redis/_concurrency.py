"""A limit of the concurrent calls of one subject."""

from __future__ import annotations

from typing import Generic, Optional, Protocol, TypeVar

from ._entries import CallEntry, CallId, NamedLimit

Permit = TypeVar("Permit", covariant=True)


class Reserves(Protocol[Permit]):
    """``Reservations`` or ``AsyncReservations``."""

    def reserve(self, group: str | bytes, *entries: CallEntry, call_id: Optional[CallId] = None) -> Permit: ...


class ConcurrencyLimiter(Generic[Permit]):
    """Limits the concurrent calls of one subject. A permit is a reservation: close it, or renew it before its time ends; the permit of
    a crashed process is free again at that time."""

    def __init__(self, reservations: Reserves[Permit], policy: str, limit: int) -> None:
        """
        :param reservations: ``Reservations`` or ``AsyncReservations``: their ``keep`` is how long a place is held unless it is renewed
        :param policy: its name, 1 to 64 letters, digits, dots, hyphens and underscores
        :param limit: how many places each subject has, 1 to 10^12
        """
        self._reservations, self._place = reservations, NamedLimit.concurrency(policy, limit).reserve()

    def acquire(self, subject: str | bytes, *, call_id: Optional[CallId] = None) -> Permit:
        """Takes one place if there is one, like ``reserve``. A denial is an answer, not an error."""
        return self._reservations.reserve(subject, self._place, call_id=call_id)
