"""The parts of a call under several limits: named limits, entries, and call ids. This module needs no client."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Literal, Optional, get_args

from ._protocol import MOST_UNITS, Limit, escaped, integer, key_head, name_of
from ._text import parse_limit

Mode = Literal["charge", "reserve", "debit"]
_CONCURRENCY = "concurrency"
_PLACES = re.compile(r"[0-9]{1,13}", re.ASCII)


@dataclass(frozen=True)
class EntryLimit:
    """A limit with the name of its policy. It creates the entries of a call. ``EntryLimit.concurrency`` creates a limit for the number of
    concurrent calls.

    A charge counts against the same units as a ``RateLimiter`` with this name and limit. Reservations and debits are counted separately
    from charges, so combine reserve with debit under one limit, but never with charge.
    """

    policy: str
    """The name of the policy: 1 to 64 letters, digits, dots, hyphens and underscores."""
    limit: Optional[Limit]
    """The rate limit; None for a concurrency limit."""
    places: int = 0
    """The number of concurrent calls; 0 for a rate limit."""

    def __post_init__(self) -> None:
        name_of("policy", self.policy)
        if self.limit is None:
            integer("limit", self.places, 1, MOST_UNITS)
        elif not isinstance(self.limit, Limit) or self.places != 0:
            raise TypeError(f"limit must be made by a function of this package, such as token_bucket: {self.limit!r}")

    @classmethod
    def concurrency(cls, policy: str, limit: int) -> EntryLimit:
        """Creates a limit for the number of concurrent calls, 1 to 10^12. A call holds a place while it runs. Places are never charged."""
        return cls(policy, None, limit)

    @classmethod
    def parse(cls, policy: str, text: str) -> EntryLimit:
        """Parses a limit in the syntax of ``parse_limit``, or a concurrency limit such as ``concurrency:10``; ``str(limit)`` is the
        inverse."""
        if not isinstance(text, str) or not text.startswith(f"{_CONCURRENCY}:"):
            return cls(policy, parse_limit(text))
        number = text[len(_CONCURRENCY) + 1 :]
        if not _PLACES.fullmatch(number):
            raise ValueError(f'limit "{text}" must be a number after "concurrency:", such as concurrency:10')
        return cls.concurrency(policy, int(number))

    def __str__(self) -> str:
        return f"{_CONCURRENCY}:{self.places}" if self.limit is None else str(self.limit)

    def charge(self, units: int, *, within: str | bytes | None = None) -> EntryCost:
        """Creates an entry that charges a known cost permanently: 1 to 10^12 units of any rate limit.

        :param within: the member of the group, which has the syntax of a subject, or None for the group itself
        """
        return EntryCost(self, "charge", units, within)

    def reserve(self, units: int = 1, *, within: str | bytes | None = None) -> EntryCost:
        """Creates an entry that holds an estimate until the call is settled: 1 to 10^12 units of a token bucket, fixed window, sliding
        window or concurrency limit. A call usually holds 1 unit of a concurrency limit."""
        return EntryCost(self, "reserve", units, within)

    def debit(self, units: int, *, within: str | bytes | None = None) -> EntryCost:
        """Creates an entry that charges a known cost under a limit from which other calls reserve units: 1 to 10^12 units of a token
        bucket, fixed window or sliding window."""
        return EntryCost(self, "debit", units, within)


@dataclass(frozen=True)
class EntryCost:
    """One limit of a call and the call's cost under this limit. A ``EntryLimit`` creates it."""

    limit: EntryLimit
    mode: Mode
    units: int
    within: str | bytes | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        rate = self.limit.limit
        modes = ("reserve",) if rate is None else get_args(Mode) if rate.script.holds else ("charge",)
        if self.mode not in modes:
            raise ValueError(f"limit does not support {self.mode}: {self.limit}")
        integer("units", self.units, 1, MOST_UNITS)
        if self.within is not None:
            _of_group("within", self.within)

    def used(self, total: int) -> EntryTotal:
        """Returns the total that this entry used, 0 to 10^12, to be passed to ``settle_entries``."""
        return EntryTotal(self, total)

    @property
    def holds(self) -> bool:
        """Returns whether the entry holds units until the call is settled."""
        return self.mode == "reserve"

    @property
    def counts_total(self) -> bool:
        """Returns whether the entry holds units of a rate limit; a settlement charges such units."""
        return self.holds and self.limit.limit is not None

    @property
    def tiers(self) -> int:
        return 1 if self.limit.limit is None else len(self.limit.limit.tiers)

    @property
    def capacity(self) -> int:
        """Returns the limit or capacity of the first tier."""
        return self.limit.places if self.limit.limit is None else self.limit.limit.tiers[0][0]

    def key(self, prefix: str, group: str | bytes) -> bytes:
        """Returns the key of the entry for this group."""
        key = key_head(prefix, self.limit.policy) + _of_group("group", group) + b"}"
        if self.within is not None:
            key += b"/" + _of_group("within", self.within).replace(b"/", b"%2F")
        marker = "c" if self.limit.limit is None else self.limit.limit.marker
        return key + f":{'' if self.mode == 'charge' else 'r'}{marker}".encode()

    @property
    def arguments(self) -> tuple[str, ...]:
        """Returns the entry's arguments for the ``reserve`` script."""
        rate = self.limit.limit
        script, numbers = (_CONCURRENCY, (str(self.limit.places),)) if rate is None else (rate.script.name, rate.arguments)
        return (self.mode, script, str(self.units), str(self.tiers), *numbers)


@dataclass(frozen=True)
class EntryTotal:
    """The total that an entry used, created by ``EntryCost.used``."""

    entry: EntryCost
    total: int

    def __post_init__(self) -> None:
        integer("total", self.total, 0, MOST_UNITS)
        if not self.entry.counts_total:
            raise ValueError(f"entry must reserve units of a rate: {self.entry.mode} {self.entry.limit.policy}")


@dataclass(frozen=True)
class CallId:
    """The idempotency key of one call. A call that is repeated with the same id and entries gets the same answer and is charged once.

    Generate the id in your program: 1 to 64 of ``A-Z a-z 0-9 . _ -``. Never take it from a request, such as from a header, because a client
    that chooses the id can repeat an allowed call, which is then allowed again without a charge.
    """

    text: str

    def __post_init__(self) -> None:
        name_of("text", self.text)

    @classmethod
    def random(cls) -> CallId:
        """Returns a unique id, which is a random UUID."""
        return cls(str(uuid.uuid4()))

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class EntryUsage:
    """The usage of an entry's limit after a call. Held units count as used."""

    entry: EntryCost
    limit: int
    """The limit or capacity of the reported tier, in units."""
    remaining: int
    """The available units."""
    held: int
    """The units that unsettled calls hold; 0 for an entry that charges."""
    reset_us: int
    """The time until the reported tier is back at full capacity, in microseconds."""
    tier: int
    """The index of the reported tier, from 1. This is the tier that denied the call or, if none did, the tier with the fewest units
    remaining."""

    @property
    def reset_after(self) -> timedelta:
        """The time until the reported tier is back at full capacity."""
        return timedelta(microseconds=self.reset_us)


def receipt_key(prefix: str, group: str | bytes, call_id: CallId) -> bytes:
    """``<prefix>:{<group>}:<id>``"""
    return f"{name_of('prefix', prefix)}:{{".encode() + _of_group("group", group) + f"}}:{call_id}".encode()


def _of_group(name: str, text: str | bytes) -> bytes:
    try:
        return escaped(text)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}") from None
