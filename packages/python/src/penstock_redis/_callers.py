"""Pure functions that determine the caller of a request; lua/vectors/requests.json has examples that all languages replay."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Optional, Union
from uuid import UUID

from ._protocol import MOST_UNITS, Limit, escaped

Address = Union[IPv4Address, IPv6Address]
_NETWORK = re.compile(r"[0-9A-Fa-f:.]+(/(0|[1-9][0-9]{0,2}))?")
_WITH_PORT = re.compile(r"\[([^\]]*:[^\]]*)\](?::[0-9]{1,5})?|([0-9.]+):[0-9]{1,5}")


_STATUS = re.compile(r"[1-5](xx|[0-9][0-9])")


def statuses_of(text: object) -> re.Pattern[str]:
    """Parses the statuses of ``charge_when``, such as ``status 401, 403`` or ``status 4xx``."""
    statuses = [each.strip() for each in text[7:].split(",")] if isinstance(text, str) and text.startswith("status ") else []
    if not statuses or not all(map(_STATUS.fullmatch, statuses)):
        raise ValueError(f'charge_when must be "status" and statuses from 100 to 599, such as status 401, 403 or status 4xx: {text!r}')
    return re.compile("|".join(statuses).replace("x", "[0-9]"))


class Networks:
    """A list of addresses and networks, such as ``192.0.2.1`` and ``10.0.0.0/8``; ``unix`` is a connection without an address."""

    def __init__(self, name: str, texts: Iterable[str]) -> None:
        if isinstance(texts, (str, bytes)):
            raise TypeError(f"{name} must be a collection, such as a list: {texts!r}")
        listed = list(texts)
        self.unix = "unix" in listed
        self._networks = [_network(name, text) for text in listed if text != "unix"]

    def __contains__(self, address: Optional[Address]) -> bool:
        return address is not None and any(address in network for network in self._networks)


def _network(name: str, text: str) -> Union[IPv4Network, IPv6Network]:
    try:
        network = ip_network(text)
        mapped = isinstance(network, IPv6Network) and network.network_address.ipv4_mapped is not None
        if _NETWORK.fullmatch(text) and network.prefixlen > 0 and not mapped:
            return network
    except (TypeError, ValueError):
        pass
    rule = "addresses, networks such as 10.0.0.0/8 with nothing set after the prefix, and not everybody"
    raise ValueError(f"{name} must be {rule}, IPv4 in its own notation: {text!r}")


def address_of(connection: Optional[str], forwarded: Iterable[str], proxies: Networks) -> Optional[Address]:
    """Returns the address of the connection, or the one that a trusted proxy reports in ``X-Forwarded-For``."""
    address = _parsed(connection or "")
    is_proxy = address in proxies if connection else proxies.unix
    elements = [element.strip(" \t") for line in forwarded for element in line.split(",")]
    for element in filter(None, reversed(elements)):
        match = _WITH_PORT.fullmatch(element)
        found = _parsed((match[1] or match[2]) if match else element) if is_proxy else None
        if found is None:
            break
        address, is_proxy = found, found in proxies
    return address


def _parsed(text: str) -> Optional[Address]:
    host, zone, _ = text.partition("%")
    try:
        address = ip_address(host)
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        return address.ipv4_mapped or address
    return None if zone else address


def address_subject(address: Optional[Address]) -> str:
    """Returns the subject for an address: an IPv4 address, or the /64 network of an IPv6 address. All callers without an address share one
    subject."""
    if isinstance(address, IPv6Address):
        return f"address:{IPv6Network((int(address) >> 64 << 64, 64))}"
    return f"address:{address or 'unknown'}"


def header_subject(value: Optional[str]) -> Optional[str]:
    """Returns the hash of a header's value as the subject, so that the value does not appear in keys; None if there is no value."""
    return f"header:{hashlib.sha256(value.encode('latin-1')).hexdigest()}" if value else None


def subject_of(found: object) -> Union[str, bytes, None]:
    """Converts the value that a ``subject`` function returned: a string, an integer, a UUID or an ObjectId; None for any other type."""
    try:
        if isinstance(found, int) and not isinstance(found, bool):
            found = str(int(found))
        elif isinstance(found, UUID) or type(found).__name__ == "ObjectId":
            found = str(found)
        return found if escaped(found) else None  # type: ignore[arg-type, return-value]
    except (TypeError, ValueError):
        return None


_WHOLE = re.compile(r"[+-]?[0-9]{1,300}(?:\.0{0,100})?")


def cost_of(found: object) -> int:
    """Converts the value that a ``cost`` function returned: an integer, also as a string; 1 for any other value."""
    if isinstance(found, str) and _WHOLE.fullmatch(found.strip()):
        found = int(found.partition(".")[0])
    elif isinstance(found, float) and found.is_integer():
        found = int(found)
    return min(found, MOST_UNITS) if type(found) is int and found > 0 else 1


def strictest(plans: Mapping[str, Limit]) -> str:
    """Returns the plan with the lowest sustained rate; ties are broken by the smallest burst, and then by name."""

    def strictness(name: str) -> tuple[Fraction, int, str]:
        limit = plans[name]
        in_batches = limit.script.refill == "in_batches"
        rates = (Fraction(min(tier[-2], tier[0]) if in_batches else tier[-2], tier[-1]) for tier in limit.tiers)
        return min(rates), min(tier[0] for tier in limit.tiers), name

    return min(plans, key=strictness)
