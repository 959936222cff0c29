"""Parser of limits as text; docs/limits.md has the grammar."""

from __future__ import annotations

import re

from ._protocol import LONGEST_US, MOST_TIERS, MOST_UNITS, PERIODS_US, Limit
from ._scripts import SCRIPTS

_NUMBER = re.compile(r"[0-9]+(?:_[0-9]+)*")
_PERIOD = re.compile(rf"({_NUMBER.pattern})?({'|'.join(PERIODS_US)})")
_BURST = ",burst="
_LONGEST_EXCERPT = 40
# Bounds the cost of parsing any text as a number.
_MOST_DIGITS = 15
_LONGEST_MEANT = 200


# Common spellings of the units of a period, and filler words.
_UNITS = {
    word: unit
    for unit, words in {
        ("us", 1): "us",
        ("ms", 1): "ms msec millisecond milliseconds",
        ("s", 1): "s sec secs second seconds",
        ("m", 1): "m min mins minute minutes",
        ("h", 1): "h hr hrs hour hours",
        ("d", 1): "d day days",
        ("d", 7): "week weeks",
    }.items()
    for word in words.split()
}
_IDLE = frozenset("r req reqs request requests call calls hit hits and rate".split())
_PER = frozenset("/ per every each in a an".split())
_WORDS = re.compile(r"[a-z]+|[0-9][0-9_]*|/")
# A sign, a fraction or a grouped number would be misread.
_NO_HINT = re.compile(r"[^a-z0-9_\s/:;+,=-]|[0-9_][.,][0-9_]|-[0-9]")


def parse_limit(text: str) -> Limit:
    """Parses a limit such as ``token-bucket:100/1m,burst=20`` or ``fixed-window:10/1s+100/1m``; ``str(limit)`` is the inverse.

    An invalid text raises a ``ValueError`` with the position (an index from 0), the offending words, and the rule. If the text is in
    another common notation, such as ``100/minute``, the error also suggests the equivalent text.
    """
    if not isinstance(text, str):
        raise TypeError(f"limit must be a str, such as token-bucket:100/1m: {text!r}")
    name, colon, rest = text.partition(":")
    script = next((script for script in SCRIPTS if script.name == name), None)
    if script is None:
        names = ", ".join(script.name for script in SCRIPTS)
        raise _wrong(text, 0, name, f"a limit must begin with one of {names}, and a colon")
    if not colon:
        raise _wrong(text, len(text), "", f"a colon must follow, as in {name}:100/1m")
    tiers: list[tuple[int, ...]] = []
    at = len(name) + 1
    for part in rest.split("+"):
        if len(tiers) == MOST_TIERS:
            raise _wrong(text, at, part, f"a limit has at most {MOST_TIERS} tiers")
        tier = _tier(text, at, part, len(script.tier) == 3)
        try:
            Limit(script, (tier,))
        except ValueError as error:
            raise _wrong(text, at, part, str(error)) from error
        tiers.append(tier)
        at += len(part) + 1
    return Limit(script, tuple(tiers))


def _tier(text: str, at: int, tier: str, holds_burst: bool) -> tuple[int, ...]:
    number, slash, rest = tier.partition("/")
    if not slash:
        raise _wrong(text, at, tier, "a tier must be UNITS/PERIOD, such as 100/1m")
    units = _units(text, "units", at, number)
    at += len(number) + 1
    period, comma, _ = rest.partition(",")
    found = _PERIOD.fullmatch(period)
    if not found:
        raise _wrong(text, at, period, "a period must be a number with us, ms, s, m, h or d, such as 1m")
    period_us = _value(found[1] or "1") * PERIODS_US[found[2]]
    if not 1 <= period_us <= LONGEST_US:
        raise _wrong(text, at, period, "a period must be from 1us to 366d")
    if not holds_burst and not comma:
        return units, period_us
    at, burst = at + len(period), rest[len(period) :]
    if not holds_burst:
        raise _wrong(text, at, burst, "a window has no burst")
    if not comma:
        return units, units, period_us
    if not burst.startswith(_BURST):
        raise _wrong(text, at, burst, "only ,burst=N may follow the period")
    return _units(text, "burst", at + len(_BURST), burst[len(_BURST) :]), units, period_us


def _units(text: str, name: str, at: int, number: str) -> int:
    units = _value(number) if _NUMBER.fullmatch(number) else 0
    if not 1 <= units <= MOST_UNITS:
        raise _wrong(text, at, number, f"{name} must be a whole number from 1 to {MOST_UNITS}")
    return units


def _value(number: str) -> int:
    digits = number.replace("_", "").lstrip("0")
    return int(digits or "0") if len(digits) <= _MOST_DIGITS else 10**_MOST_DIGITS


def _wrong(text: str, at: int, words: str, rule: str) -> ValueError:
    excerpt = words if len(words) <= _LONGEST_EXCERPT else f"{words[:_LONGEST_EXCERPT]}..."
    meant = _meant(text)
    hint = f'; did you mean "{meant}"?' if meant else ""
    return ValueError(f'limit "{text}" at {at}, "{excerpt}": {rule}{hint}')


def _meant(text: str) -> str:
    """Returns the valid text closest to the invalid one; empty if there is none."""
    lower = text.lower()
    if len(text) > _LONGEST_MEANT or _NO_HINT.search(lower):
        return ""
    words = _WORDS.findall(lower)
    kind = "-".join(words[:2])
    named = any(script.name == kind for script in SCRIPTS)
    words = words[2:] if named else words
    nginx = "r" in words and not named
    tiers: list[str] = []
    units = count = 0
    for before, word in zip(["", *words], words):
        number = _value(word) if _NUMBER.fullmatch(word) else 0
        if before == "burst" and tiers and number:
            tiers[-1] += f"{_BURST}{number + nginx}"
        elif number and not units:
            units = number
        elif number and count == 1:
            count = number + 1
        elif word in _PER and units and not count:
            count = 1
        elif word in _UNITS and count:
            unit, times = _UNITS[word]
            tiers.append(f"{units}/{max(1, count - 1) * times}{unit}")
            units = count = 0
        elif word != "burst" and word not in _IDLE and not (nginx and word == "nodelay"):
            return ""
    if not tiers or units or words[-1] == "burst":
        return ""
    bursts = any(_BURST in tier for tier in tiers)
    if nginx and not bursts:
        tiers[-1] += f"{_BURST}1"
    if not named:
        delays = nginx and bursts and "nodelay" not in words
        kind = "leaky-bucket" if delays else "token-bucket" if nginx or bursts else "fixed-window"
    meant = f"{kind}:{'+'.join(tiers)}"
    try:
        return "" if meant == text or not parse_limit(meant) else meant
    except ValueError:
        return ""
