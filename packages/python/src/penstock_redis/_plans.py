"""A policy's limits by plan name, and a second policy that is charged together with the first."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Callable, NamedTuple, Optional, Union

from ._callers import strictest
from ._http import RateLimitHeaders
from ._protocol import Limit, charge
from ._text import parse_limit

AnyLimit = Union[str, Limit]
UNLIMITED = "unlimited"
# Limits that functions find, of which each has a limiter.
_MOST_FOUND = 1_000


@dataclass(frozen=True)
class Also:
    """A second policy for the same requests. A request is charged under both policies or under neither.

    Adding a second policy has three consequences: a user of two tenants is counted separately in each, all keys of a tenant are in one slot
    of a cluster, and existing counts are lost once, because the keys move to the tenant's hash tag.
    """

    policy: str
    limit: AnyLimit | Mapping[str, AnyLimit]
    """One limit, or limits by plan name, as for ``RequestLimit``."""
    subject: Callable[[Any], Any]
    """Returns the subject of a request under this policy, such as the user's tenant."""
    cost: Union[int, Callable[[Any], Any], None] = None
    """The cost of a request under this policy; None for the same cost as under the first policy."""
    plan: Optional[Callable[[Any], Any]] = None
    limit_of: Optional[Callable[[Any], Any]] = None


class Planned(NamedTuple):
    """The limit that applies to a request under one policy."""

    limiter: Any
    headers: RateLimitHeaders
    limit: Limit


class PolicyPlans:
    """A policy's limits, and the functions that choose one for a request."""

    def __init__(
        self, name: str, limit: AnyLimit | Mapping[str, AnyLimit], functions: Mapping[str, Any], made: Callable[[str, Limit], Planned]
    ) -> None:
        if isinstance(limit, Mapping) != (functions["plan"] is not None) or limit == {}:
            raise ValueError(f"plan must be given with limits by the names of plans, and only with these: {limit!r}")
        cost = functions["cost"]
        self.name, self.functions = name, {**functions, "cost": cost if callable(cost) else None}
        self.cost = cost if cost is None or callable(cost) else charge(cost)
        given = limit if isinstance(limit, Mapping) else {"": limit}
        limits = {plan: read_limit(plan, each) for plan, each in given.items() if not isinstance(limit, Mapping) or each != UNLIMITED}
        if not limits:
            raise ValueError(f"limit must have a plan that is not unlimited, for callers without a plan: {limit!r}")
        self.unlimited = given.keys() - limits.keys()
        self.made = functools.lru_cache(_MOST_FOUND)(functools.partial(made, name))
        self._plans = {plan: self.made(each) for plan, each in limits.items()}
        self._strictest = strictest(limits)

    def planned(self, plan: object) -> Optional[Planned]:
        if isinstance(plan, str) and plan in self.unlimited:
            return None
        return self._plans[plan if isinstance(plan, str) and plan in self._plans else self._strictest]


def read_limit(plan: str, limit: object) -> Limit:
    if limit == "none":
        where = f"the plan {plan!r}" if plan else "limit"
        rule = '"unlimited" is a plan whose requests all pass; to let none pass, answer them yourself'
        raise ValueError(f'{where} must not be "none": {rule}')
    return parse_limit(limit) if isinstance(limit, str) else limit  # type: ignore[return-value]
