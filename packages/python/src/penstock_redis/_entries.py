"""What a call under several limits is made of: limits with a policy's name, their entries, and the ids of calls. No client is needed."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Literal, Optional, get_args

from ._protocol import MOST_UNITS, Limit, escaped, integer, key_head, name_of
from ._scripts import FIXED_WINDOW, SLIDING_WINDOW, TOKEN_BUCKET
from ._text import parse_limit

Mode = Literal["charge", "reserve", "debit"]
_CONCURRENCY = "concurrency"
_PLACES = re.compile(r"[0-9]{1,13}", re.ASCII)
_HELD = (TOKEN_BUCKET, FIXED_WINDOW, SLIDING_WINDOW)


@dataclass(frozen=True)
class NamedLimit:
    """A policy's name and its limit, of which calls make entries. ``NamedLimit.concurrency`` makes one of what is in flight.

    What is charged shares its units with a ``RateLimiter`` of the same name and limit. What is reserved or debited has units of its own:
    reserve and debit under one limit, never reserve and charge.
    """

    policy: str
    """1 to 64 letters, digits, dots, hyphens and underscores."""
    limit: Optional[Limit]
    """The rate's limit; None of concurrency."""
    places: int = 0
    """How many places there are; 0 of a rate."""

    def __post_init__(self) -> None:
        name_of("policy", self.policy)
        if self.limit is None:
            integer("limit", self.places, 1, MOST_UNITS)
        elif not isinstance(self.limit, Limit) or self.places != 0:
            raise TypeError(f"limit must be made by a function of this package, such as token_bucket: {self.limit!r}")

    @classmethod
    def concurrency(cls, policy: str, limit: int) -> NamedLimit:
        """A limit of what is in flight: 1 to 10^12 places, which are held and never charged."""
        return cls(policy, None, limit)

    @classmethod
    def parse(cls, policy: str, text: str) -> NamedLimit:
        """Reads a limit as ``parse_limit`` does, and ``concurrency:10``; ``str(limit)`` writes it."""
        if not isinstance(text, str) or not text.startswith(f"{_CONCURRENCY}:"):
            return cls(policy, parse_limit(text))
        number = text[len(_CONCURRENCY) + 1 :]
        if not _PLACES.fullmatch(number):
            raise ValueError(f'limit "{text}" must be a number after "concurrency:", such as concurrency:10')
        return cls.concurrency(policy, int(number))

    def __str__(self) -> str:
        return f"{_CONCURRENCY}:{self.places}" if self.limit is None else str(self.limit)

    def charge(self, units: int, *, within: str | bytes | None = None) -> CallEntry:
        """Charges a cost that is known, once and for all: 1 to 10^12 units of any rate.

        :param within: whom within the group, a text as subjects are; without it the group itself
        """
        return CallEntry(self, "charge", units, within)

    def reserve(self, units: int = 1, *, within: str | bytes | None = None) -> CallEntry:
        """Holds an estimate until the call is settled: 1 to 10^12 units of a token bucket, a fixed or sliding window, or places in
        flight, of which a call mostly takes 1."""
        return CallEntry(self, "reserve", units, within)

    def debit(self, units: int, *, within: str | bytes | None = None) -> CallEntry:
        """Charges a cost that is known under a limit that is otherwise reserved: 1 to 10^12 units of a token bucket, a fixed or sliding
        window."""
        return CallEntry(self, "debit", units, within)


@dataclass(frozen=True)
class CallEntry:
    """One limit in a call, and what the call costs under it; a ``NamedLimit`` makes it."""

    limit: NamedLimit
    mode: Mode
    units: int
    within: str | bytes | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        rate = self.limit.limit
        modes = ("reserve",) if rate is None else get_args(Mode) if rate.script in _HELD else ("charge",)
        if self.mode not in modes:
            raise ValueError(f"limit does not take {self.mode}: {self.limit}")
        integer("units", self.units, 1, MOST_UNITS)
        if self.within is not None:
            _of_group("within", self.within)

    def used(self, total: int) -> EntryTotal:
        """What this entry has used in all, 0 to 10^12, for ``settle_entries``."""
        return EntryTotal(self, total)

    @property
    def holds(self) -> bool:
        """Whether it holds something until the call is settled."""
        return self.mode == "reserve"

    @property
    def counts_total(self) -> bool:
        """Whether it holds units of a rate, which a settlement counts."""
        return self.holds and self.limit.limit is not None

    @property
    def tiers(self) -> int:
        return 1 if self.limit.limit is None else len(self.limit.limit.tiers)

    @property
    def capacity(self) -> int:
        """Limit or capacity of the first tier."""
        return self.limit.places if self.limit.limit is None else self.limit.limit.tiers[0][0]

    def key(self, prefix: str, group: str | bytes) -> bytes:
        """The key of the entry in a call about this group."""
        key = key_head(prefix, self.limit.policy) + _of_group("group", group) + b"}"
        if self.within is not None:
            key += b"/" + _of_group("within", self.within).replace(b"/", b"%2F")
        marker = "c" if self.limit.limit is None else self.limit.limit.marker
        return key + f":{'' if self.mode == 'charge' else 'r'}{marker}".encode()

    @property
    def arguments(self) -> tuple[str, ...]:
        """The entry's arguments of ``reserve``."""
        rate = self.limit.limit
        script, numbers = (_CONCURRENCY, (str(self.limit.places),)) if rate is None else (rate.script.name, rate.arguments)
        return (self.mode, script, str(self.units), str(self.tiers), *numbers)


@dataclass(frozen=True)
class EntryTotal:
    """What an entry has used in all; ``CallEntry.used`` makes it."""

    entry: CallEntry
    total: int

    def __post_init__(self) -> None:
        integer("total", self.total, 0, MOST_UNITS)
        if not self.entry.counts_total:
            raise ValueError(f"entry must reserve units of a rate: {self.entry.mode} {self.entry.limit.policy}")


@dataclass(frozen=True)
class CallId:
    """The idempotency key of one call: the same id with the same entries is answered again and charged once.

    The program makes it: 1 to 64 of ``A-Z a-z 0-9 . _ -``. Never take it from a request, such as from its header: whoever chooses the id
    repeats a call that was allowed, and is allowed again without a charge.
    """

    text: str

    def __post_init__(self) -> None:
        name_of("text", self.text)

    @classmethod
    def random(cls) -> CallId:
        """An id that no other call has: a random UUID."""
        return cls(str(uuid.uuid4()))

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class EntryUsage:
    """What is left of one entry's limit after a call. What is held counts as used."""

    entry: CallEntry
    limit: int
    """Limit or capacity of the tier that is reported, in units."""
    remaining: int
    """Units that are free."""
    held: int
    """Units that are held now, by all calls; 0 of an entry that charges."""
    reset_us: int
    """Microseconds until the tier is entirely unused."""
    tier: int
    """Which tier, from 1: the one with the fewest units remaining, or the one that denied."""

    @property
    def reset_after(self) -> timedelta:
        """How long until the tier is entirely unused."""
        return timedelta(microseconds=self.reset_us)


def receipt_key(prefix: str, group: str | bytes, call_id: CallId) -> bytes:
    """``<prefix>:{<group>}:<id>``"""
    return f"{name_of('prefix', prefix)}:{{".encode() + _of_group("group", group) + f"}}:{call_id}".encode()


def _of_group(name: str, text: str | bytes) -> bytes:
    try:
        return escaped(text)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}") from None
