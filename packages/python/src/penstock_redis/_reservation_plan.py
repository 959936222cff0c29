"""Calls under several limits in pure functions: keys, arguments, replies. No client is needed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from typing import Optional

from ._entries import CallEntry, CallId, EntryTotal, EntryUsage, receipt_key
from ._protocol import LONGEST_US, Decision, microseconds

MOST_ENTRIES = 8
_HEAD = 4
_EACH = 5
_SHORTEST_KEEP_US = 1_000


class SettleResult(Enum):
    """The result of a settlement."""

    SETTLED = "settled"
    """It is done, by this call or an earlier one."""
    RAN_OUT = "ran_out"
    """The reservation no longer exists. It expired, and its held units were charged at that time, or the server lost it."""
    NOTHING_HELD = "nothing_held"
    """Nothing was sent: the call was denied or is undecided, reserves nothing, or was ended before."""
    UNDECIDED = "undecided"
    """No answer came, and ``on_unavailable`` or ``on_overload`` is not ``raise``. The held units expire at their time and are charged then,
    unless the settlement did arrive."""


@dataclass(frozen=True)
class ReservationAnswer:
    """The answer to a call under several limits."""

    id: CallId
    allowed: bool
    """Whether the call is allowed."""
    enforced: bool
    """False if no decision could be made, and ``on_unavailable`` or ``on_overload`` decided. Then no held units are known."""
    repeated: bool
    """Whether an earlier call with this id was decided, such as an attempt whose answer was lost."""
    wait_us: int
    """For a denied call, the time until the same call would be allowed if no reservation were settled, -1 for never; for an allowed call,
    its delay."""
    denying: Optional[int]
    """The index of the entry with the longest wait, from 0; None if the call was allowed or is undecided."""
    usages: tuple[EntryUsage, ...]
    """The usage of each limit, in the order of the entries."""

    def __bool__(self) -> bool:
        """``allowed``, so that a denied call is false in a condition."""
        return self.allowed

    @property
    def retry_after(self) -> timedelta:
        """The time until the same call would be allowed if no reservation were settled meanwhile: zero if it was allowed, ``timedelta.max``
        if a cost exceeds its limit. ``ask_again_after`` is for callers that wait."""
        return self._decision.retry_after

    @property
    def retry_after_seconds(self) -> int | None:
        """``retry_after`` in whole seconds, rounded up, as in HTTP's ``Retry-After``; None if no wait helps."""
        return self._decision.retry_after_seconds

    @property
    def delay(self) -> timedelta:
        """The delay of an allowed call until its turn in a leaky bucket."""
        return self._decision.delay

    @property
    def ask_again_after(self) -> timedelta:
        """The time that a denied caller should wait before it tries again: ``retry_after``, but at most 50 to 250 ms, at random, while held
        units may be settled sooner."""
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
    """One call under several limits, and the parser of its replies."""

    call_id: CallId
    group: str | bytes
    entries: tuple[CallEntry, ...]
    prefix: str = "penstock"

    def __post_init__(self) -> None:
        if not isinstance(self.call_id, CallId):
            raise TypeError(f"call_id must be a CallId, which the program makes: {type(self.call_id).__name__}")
        if not 1 <= len(self.entries) <= MOST_ENTRIES:
            raise ValueError(f"entries must be 1 to {MOST_ENTRIES}: {len(self.entries)}")
        for at, entry in enumerate(self.entries):
            if not isinstance(entry, CallEntry):
                raise TypeError(f"entries must be made by a NamedLimit: entry {at + 1} is {entry!r}")
        keys = self.keys
        for at, key in enumerate(keys):
            if key in keys[:at]:
                raise ValueError(f"entries must have different keys: entry {at + 1} is of an earlier one's")

    @property
    def holders(self) -> tuple[CallEntry, ...]:
        """The entries that reserve, in their order: each has a total."""
        return tuple(entry for entry in self.entries if entry.holds)

    @property
    def keys(self) -> list[bytes]:
        """The keys of ``reserve``."""
        return [*(entry.key(self.prefix, self.group) for entry in self.entries), self.receipt]

    @property
    def holding(self) -> list[bytes]:
        """The keys of ``settle``."""
        return [*(entry.key(self.prefix, self.group) for entry in self.holders), self.receipt]

    @property
    def receipt(self) -> bytes:
        return receipt_key(self.prefix, self.group, self.call_id)

    def reserve(self, keep_us: int) -> list[str]:
        """The arguments of ``reserve``."""
        return [str(keep_us), "0", *(argument for entry in self.entries for argument in entry.arguments)]

    def settle(self, keep_us: int, totals: Sequence[int]) -> list[str]:
        """The arguments of ``settle``; ``keep_us`` 0 ends the reservation."""
        return [str(keep_us), "0", *map(str, totals)]

    def totals(self, named: Sequence[EntryTotal]) -> list[int]:
        """The total of each entry that reserves; an entry without a total keeps its estimate."""
        of = {each.entry: each.total for each in named}
        if len(of) < len(named) or not set(of) <= set(self.entries):
            raise ValueError(f"totals must name entries of this call, each once: {[each.entry.limit.policy for each in named]}")
        return [of.get(entry, entry.units) for entry in self.holders]

    def answer(self, reply: object) -> ReservationAnswer:
        """Reads a reply of ``reserve``; anything but integers within their bounds is a ``ValueError``."""
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
        """The program's decision in place of a missing answer."""
        usages = tuple(EntryUsage(entry, entry.capacity, 0, 0, 0, 1) for entry in self.entries)
        return ReservationAnswer(self.call_id, allowed, False, False, 0 if allowed else wait_us, None, usages)

    def settled(self, reply: object) -> bool:
        """Whether a reply of ``settle`` reports success; anything but integers is a ``ValueError``."""
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
