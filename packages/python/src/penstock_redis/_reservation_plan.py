"""Calls under several limits as pure functions for keys, arguments and replies. This module needs no client."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from typing import Optional

from ._entries import CallId, EntryCost, EntryTotal, EntryUsage, receipt_key
from ._protocol import LONGEST_US, Decision, microseconds

MOST_ENTRIES = 8
_HEAD = 4
_EACH = 5
_SHORTEST_KEEP_US = 1_000


class SettleResult(Enum):
    """The result of a settlement."""

    SETTLED = "settled"
    """The call is settled, by this or an earlier settlement."""
    RAN_OUT = "ran_out"
    """The reservation no longer exists, because it expired and its held units were charged at that time, or because the server lost it."""
    NOTHING_HELD = "nothing_held"
    """Nothing was sent, because the call was denied or undecided, held nothing, or had already ended."""
    UNDECIDED = "undecided"
    """The server did not answer, and ``on_unavailable`` or ``on_overload`` is not ``raise``. If the settlement did not reach the server,
    the held units are charged when the reservation expires."""


@dataclass(frozen=True)
class ReservationAnswer:
    """The answer to a call under several limits."""

    id: CallId
    allowed: bool
    """Whether the call was allowed."""
    enforced: bool
    """False if ``on_unavailable`` or ``on_overload`` determined the result; it is then unknown which units are held."""
    repeated: bool
    """Whether this is the answer to an earlier call with the same id, such as an attempt whose reply was lost."""
    wait_us: int
    """For a denied call, the time until it would be allowed if no reservation is settled in the meantime, or -1 if it can never be allowed.
    For an allowed call, its delay."""
    denying: Optional[int]
    """The index, from 0, of the entry with the longest wait; None if the call was allowed or is undecided."""
    usages: tuple[EntryUsage, ...]
    """The usage of each limit, in the order of the entries."""

    def __bool__(self) -> bool:
        """Returns ``allowed``, so that a denial is falsy."""
        return self.allowed

    @property
    def retry_after(self) -> timedelta:
        """The time until the call would be allowed if no reservation is settled in the meantime. It is zero if the call was allowed, and
        ``timedelta.max`` if a cost exceeds its limit. To wait and retry, use ``ask_again_after``."""
        return self._decision.retry_after

    @property
    def retry_after_seconds(self) -> int | None:
        """``retry_after`` in whole seconds, rounded up, as in HTTP's ``Retry-After``; None if waiting does not help."""
        return self._decision.retry_after_seconds

    @property
    def delay(self) -> timedelta:
        """The time that an allowed call must wait for its turn in a leaky bucket's queue before it proceeds."""
        return self._decision.delay

    @property
    def ask_again_after(self) -> timedelta:
        """The time to wait before retrying a denied call: ``retry_after``, or a random time of 50 to 250 ms if that is shorter and held
        units could be settled sooner."""
        if self.denying is None or self.wait_us < 0 or self.usages[self.denying].held == 0:
            return self.retry_after
        return min(self.retry_after, timedelta(milliseconds=random.randint(50, 250)))

    @property
    def _decision(self) -> Decision:
        return Decision(int(self.allowed), 1, 0, self.wait_us, 0, 1)


def keep_microseconds(keep: timedelta) -> int:
    kept = microseconds("keep", keep)
    if not _SHORTEST_KEEP_US <= kept <= LONGEST_US:
        raise ValueError(f"keep must be from 1 ms to 366 days: {keep!r}")
    return kept


@dataclass(frozen=True)
class ReservationPlan:
    """A call under several limits, and the parser of its replies."""

    call_id: CallId
    group: str | bytes
    entries: tuple[EntryCost, ...]
    prefix: str = "penstock"

    def __post_init__(self) -> None:
        if not isinstance(self.call_id, CallId):
            raise TypeError(f"call_id must be a CallId, which the program makes: {type(self.call_id).__name__}")
        if not 1 <= len(self.entries) <= MOST_ENTRIES:
            raise ValueError(f"entries must be 1 to {MOST_ENTRIES}: {len(self.entries)}")
        for at, entry in enumerate(self.entries):
            if not isinstance(entry, EntryCost):
                raise TypeError(f"entries must be made by an EntryLimit: entry {at + 1} is {entry!r}")
        keys = self.keys
        for at, key in enumerate(keys):
            if key in keys[:at]:
                raise ValueError(f"entries must have different keys: entry {at + 1} has the key of an earlier entry")

    @property
    def holders(self) -> tuple[EntryCost, ...]:
        """The entries that reserve units, in order. Each of them has a total."""
        return tuple(entry for entry in self.entries if entry.holds)

    @property
    def keys(self) -> list[bytes]:
        """Returns the keys for ``reserve``."""
        return [*(entry.key(self.prefix, self.group) for entry in self.entries), self.receipt]

    @property
    def holding(self) -> list[bytes]:
        """Returns the keys for ``settle``."""
        return [*(entry.key(self.prefix, self.group) for entry in self.holders), self.receipt]

    @property
    def receipt(self) -> bytes:
        return receipt_key(self.prefix, self.group, self.call_id)

    def reserve(self, keep_us: int) -> list[str]:
        """Returns the arguments for ``reserve``."""
        return [str(keep_us), "0", *(argument for entry in self.entries for argument in entry.arguments)]

    def settle(self, keep_us: int, totals: Sequence[int]) -> list[str]:
        """Returns the arguments for ``settle``; a ``keep_us`` of 0 ends the reservation."""
        return [str(keep_us), "0", *map(str, totals)]

    def totals(self, named: Sequence[EntryTotal]) -> list[int]:
        """Returns the total of each entry that reserves units; an entry without a total is charged its estimate."""
        of = {each.entry: each.total for each in named}
        if len(of) < len(named) or not set(of) <= set(self.entries):
            raise ValueError(f"totals must name entries of this call, each once: {[each.entry.limit.policy for each in named]}")
        return [of.get(entry, entry.units) for entry in self.holders]

    def answer(self, reply: object) -> ReservationAnswer:
        """Decodes a reply of ``reserve``; raises ``ValueError`` unless it consists of integers within their bounds."""
        numbers = _integers(reply, _HEAD + _EACH * len(self.entries))
        allowed, wait_us, denying, repeated = numbers[:_HEAD]
        fives = [numbers[at : at + _EACH] for at in range(_HEAD, len(numbers), _EACH)]
        valid = allowed in (0, 1) and repeated in (0, 1) and wait_us >= allowed - 1
        valid = valid and (denying == 0 if allowed else 1 <= denying <= len(self.entries))
        for entry, (limit, remaining, held, reset_us, tier) in zip(self.entries, fives):
            valid = valid and limit >= 1 and min(remaining, held, reset_us) >= 0 and 1 <= tier <= entry.tiers
        if not valid:
            raise _unreadable(reply)
        usages = tuple(EntryUsage(entry, *five) for entry, five in zip(self.entries, fives))
        return ReservationAnswer(self.call_id, allowed == 1, True, repeated == 1, wait_us, None if allowed else denying - 1, usages)

    def undecided(self, allowed: bool, wait_us: int) -> ReservationAnswer:
        """Returns the answer that the program chose for a call that the server did not answer."""
        usages = tuple(EntryUsage(entry, entry.capacity, 0, 0, 0, 1) for entry in self.entries)
        return ReservationAnswer(self.call_id, allowed, False, False, 0 if allowed else wait_us, None, usages)

    def settled(self, reply: object) -> bool:
        """Returns whether a reply of ``settle`` reports success; raises ``ValueError`` unless it consists of integers."""
        done = _integers(reply, 1 + _EACH * len(self.holders))[0]
        if done not in (0, 1):
            raise _unreadable(reply)
        return done == 1


def _integers(reply: object, count: int) -> list[int]:
    if not isinstance(reply, (list, tuple)) or len(reply) != count or not all(type(value) is int for value in reply):
        raise _unreadable(reply)
    return list(reply)


def _unreadable(reply: object) -> ValueError:
    return ValueError(f"the reply must be integers of the protocol: {reply!r}")
