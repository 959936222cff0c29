"""Penstock's protocol as pure functions for limits, keys, arguments and replies. This module needs no client."""

from __future__ import annotations

import hashlib
import math
import re
from dataclasses import dataclass
from datetime import timedelta

MOST_UNITS = 10**12
MOST_TIERS = 16
LONGEST_US = 366 * 24 * 3600 * 10**6
PERIODS_US = {"d": 86_400_000_000, "h": 3_600_000_000, "m": 60_000_000, "s": 1_000_000, "ms": 1_000, "us": 1}
_CENTURY_US = 36525 * 24 * 3600 * 10**6
_NAME = re.compile(r"[A-Za-z0-9._-]{1,64}")
# A subject that needs no escaping in a key.
_PLAIN = re.compile(r"[ -$&-z|~]{1,128}")
_ESCAPED = re.compile(rb"[\x00-\x1f\x7f%{}]")


@dataclass(frozen=True, repr=False)
class Script:
    """One of the protocol's scripts.

    ``marker`` is the letter with which the last part of a key begins, and ``unmarked`` is how many leading numbers of each tier that part
    omits. ``tier`` and ``most`` are the names and the upper bounds of a tier's numbers; ``refill`` is how its units refill: ``evenly``,
    ``in_batches``, ``at_end`` of a window, or ``fading`` with the older of two windows. ``queues`` is whether an admitted call waits for
    its turn, and ``holds`` is whether units can be reserved.
    """

    name: str
    sha1: str
    function: str
    marker: str
    unmarked: int
    tier: tuple[str, ...]
    most: tuple[int, ...]
    refill: str
    queues: bool
    holds: bool
    source: str

    def __repr__(self) -> str:
        return f"<Script {self.name} {self.sha1}>"


@dataclass(frozen=True, repr=False)
class DropIn:
    """A script that replaces the script of another limiter; docs/drop-ins.md describes its contract."""

    sha1: str
    source: str

    def __repr__(self) -> str:
        return f"<DropIn {self.sha1}>"


@dataclass(frozen=True, repr=False)
class Limit:
    """A script and the numbers of its 1 to 16 tiers, with times in microseconds. A call is charged to all tiers or to none."""

    script: Script
    tiers: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.tiers) <= MOST_TIERS:
            raise ValueError(f"tiers must be 1 to {MOST_TIERS}: {len(self.tiers)}")
        for tier in self.tiers:
            if len(tier) != len(self.script.tier):
                raise ValueError(f"a tier must be {' '.join(self.script.tier)}: {tier}")
            for name, value, most in zip(self.script.tier, tier, self.script.most):
                integer(name, value, 1, most)
            if len(tier) == 3:
                _bucket(self.script.refill == "in_batches", *tier)

    def __str__(self) -> str:
        """The limit as text, such as ``token-bucket:100/1m,burst=20``, in the syntax of ``parse_limit``."""
        return f"{self.script.name}:{'+'.join(map(_tier_text, self.tiers))}"

    def __repr__(self) -> str:
        tiers = (" ".join(f"{name}={value}" for name, value in zip(self.script.tier, tier)) for tier in self.tiers)
        return f"<Limit {self.script.name} {', '.join(tiers)}>"

    def __and__(self, other: Limit) -> Limit:
        """Combines this limit with another limit of the same script."""
        if other.script != self.script:
            raise ValueError(f"tiers must be of one script: {self.script.name} and {other.script.name}")
        return Limit(self.script, self.tiers + other.tiers)

    @property
    def marker(self) -> str:
        """The last part of the key."""
        return self.script.marker + "-".join(".".join(map(str, tier[self.script.unmarked :])) for tier in self.tiers)

    @property
    def arguments(self) -> tuple[str, ...]:
        """The arguments that follow the cost."""
        return tuple(str(value) for tier in self.tiers for value in tier)


@dataclass(frozen=True, init=False)
class Decision:
    """The script's reply. ``granted`` is 0 or 1 or, for ``cost*calls``, the number of calls that were charged."""

    granted: int
    limit: int
    remaining: int
    wait_us: int
    reset_us: int
    tier: int
    enforced: bool = True
    """False if the server did not make the decision, because of an outage or an overload."""

    def __init__(
        self, granted: int, limit: int, remaining: int, wait_us: int, reset_us: int, tier: int, enforced: bool = True
    ) -> None:
        # This takes half the time of a frozen dataclass.
        own = self.__dict__
        own["granted"], own["limit"], own["remaining"] = granted, limit, remaining
        own["wait_us"], own["reset_us"], own["tier"], own["enforced"] = wait_us, reset_us, tier, enforced

    @property
    def allowed(self) -> bool:
        return self.granted > 0

    def __bool__(self) -> bool:
        """Returns ``allowed``, so that a denial is falsy."""
        return self.allowed

    @property
    def impossible(self) -> bool:
        """Whether the cost exceeds the limit, so the call can never succeed."""
        return self.wait_us < 0

    @property
    def retry_after(self) -> timedelta:
        """The time after which a denied call can be retried. It is zero if the call was allowed, and ``timedelta.max`` if waiting does not
        help."""
        if self.impossible:
            return timedelta.max
        return timedelta(microseconds=0 if self.allowed else self.wait_us)

    @property
    def retry_after_seconds(self) -> int | None:
        """``retry_after`` in whole seconds, rounded up, as in HTTP's ``Retry-After``; None if waiting does not help."""
        if self.impossible:
            return None
        seconds, rest = divmod(self.retry_after, timedelta(seconds=1))
        return seconds + bool(rest)

    @property
    def delay(self) -> timedelta:
        """The time that an allowed call must wait for its turn in a leaky bucket's queue before it proceeds."""
        return timedelta(microseconds=self.wait_us if self.allowed else 0)

    @property
    def reset_after(self) -> timedelta:
        """The time until the deciding tier is back at full capacity."""
        return timedelta(microseconds=self.reset_us)


def microseconds(name: str, time: timedelta) -> int:
    """Converts a time to microseconds, the unit of the scripts; a timedelta is always a whole number of them."""
    if not isinstance(time, timedelta):
        raise TypeError(f"{name} must be a timedelta: {time!r}")
    return time // timedelta(microseconds=1)


def key(policy: str, subject: str | bytes, limit: Limit, prefix: str = "penstock") -> bytes:
    """Returns ``<prefix>:<policy>:{<subject>}:<marker>`` with the subject escaped, or hashed if it is longer than 128 bytes."""
    return key_head(prefix, policy) + escaped(subject) + f"}}:{limit.marker}".encode()


def key_head(prefix: str, policy: str) -> bytes:
    return f"{name_of('prefix', prefix)}:{name_of('policy', policy)}:{{".encode()


def name_of(argument: str, value: str) -> str:
    """Checks a name that is used in keys without escaping."""
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise ValueError(f"{argument} must be 1 to 64 letters, digits, dots, hyphens and underscores, such as get-orders: {value!r}")
    return value


def escaped(subject: str | bytes) -> bytes:
    if isinstance(subject, str) and _PLAIN.fullmatch(subject):
        return subject.encode()
    if not isinstance(subject, (str, bytes)):
        raise TypeError(f"subject must be str, or bytes of UTF-8: {subject!r}")
    try:
        octets = (subject.decode() if isinstance(subject, bytes) else subject).encode()
    except UnicodeError as error:
        raise ValueError(f"subject must be well-formed: {error}") from error
    if not octets:
        raise ValueError("subject must not be empty")
    if len(octets) > 128:
        return b"%sha256-" + hashlib.sha256(octets).hexdigest().encode()
    return _ESCAPED.sub(lambda match: b"%%%02X" % match[0][0], octets)


def charge(cost: int, name: str = "cost") -> int:
    """Checks the units of a charge or a refund: 1 to 10^12."""
    return integer(name, cost, 1, MOST_UNITS)


def several(calls: int, cost: int) -> str:
    """Returns the argument for as many calls as fit; ``cost`` times ``calls`` is at most 10^12."""
    integer("calls", calls, 1, MOST_UNITS // charge(cost))
    return f"{cost}*{calls}"


def decision(reply: object, calls: int = 1) -> Decision:
    """Decodes a reply; raises ``ValueError`` unless it consists of six integers within their bounds."""
    if isinstance(reply, (list, tuple)) and len(reply) == 6 and all(type(value) is int for value in reply):
        read = Decision(*reply)
        unsigned = min(read.granted, read.remaining, read.reset_us, read.wait_us if read.allowed else read.wait_us + 1) >= 0
        if unsigned and read.granted <= calls and read.limit >= 1 and 1 <= read.tier <= MOST_TIERS:
            return read
    raise ValueError(f"the reply must be six integers of the protocol: {reply!r}")


def _tier_text(tier: tuple[int, ...]) -> str:
    capacity, units, period_us = tier[0], tier[-2], tier[-1]
    unit = next(unit for unit, length in PERIODS_US.items() if period_us % length == 0)
    return f"{units}/{period_us // PERIODS_US[unit]}{unit}" + (f",burst={capacity}" if capacity != units else "")


def _bucket(in_batches: bool, capacity: int, units: int, period_us: int) -> None:
    """Checks the scripts' bounds for a bucket as a whole."""
    fills = -(-capacity // units) * period_us <= _CENTURY_US if in_batches else capacity * period_us <= units * _CENTURY_US
    if not fills:
        raise ValueError(f"capacity must be such that the bucket fills within 100 years: {capacity}")
    if not in_batches and capacity * period_us // math.gcd(units, period_us) >= 2**53:
        raise ValueError(f"capacity must be such that capacity * period is below 2^53 where units / period is in lowest terms: {capacity}")


def integer(name: str, value: int, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{name} must be an integer from {least} to {most}: {value!r}")
    return value
