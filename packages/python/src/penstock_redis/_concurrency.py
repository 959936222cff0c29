"""A limit on the number of concurrent calls of each subject."""

from __future__ import annotations

from typing import Generic, Optional, Protocol, TypeVar

from ._entries import CallId, EntryCost, EntryLimit

Permit = TypeVar("Permit", covariant=True)


class Reserves(Protocol[Permit]):
    """``Reservations`` or ``AsyncReservations``."""

    def reserve(self, group: str | bytes, *entries: EntryCost, call_id: Optional[CallId] = None) -> Permit: ...


class ConcurrencyLimiter(Generic[Permit]):
    """Limits the number of concurrent calls of each subject. A permit is a reservation; close it when the call ends, or renew it before it
    expires. If the process crashes, its permits expire and become available again."""

    def __init__(self, reservations: Reserves[Permit], policy: str, limit: int) -> None:
        """
        :param reservations: ``Reservations`` or ``AsyncReservations``; their ``keep`` is how long a permit is held without renewal
        :param policy: the name of the policy: 1 to 64 letters, digits, dots, hyphens and underscores
        :param limit: the number of concurrent calls of each subject, 1 to 10^12
        """
        self._reservations, self._place = reservations, EntryLimit.concurrency(policy, limit).reserve()

    def acquire(self, subject: str | bytes, *, call_id: Optional[CallId] = None) -> Permit:
        """Takes one permit if one is available, like ``reserve``. A denial is returned as an answer, never raised."""
        return self._reservations.reserve(subject, self._place, call_id=call_id)
