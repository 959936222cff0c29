"""Decisions of several policies about one request as HTTP RateLimit fields and problem bodies."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Optional

from ._entries import EntryUsage
from ._http import HeaderForm, RateLimitHeaders, checked_form, problem_body, quoted, retry_after, three_figures
from ._protocol import Decision
from ._reservation_plan import ReservationAnswer


@dataclass(frozen=True)
class _AnsweredPolicy:
    form: HeaderForm
    decision: Decision
    names: tuple[str, ...]
    fields: dict[str, str]

    @property
    def order(self) -> tuple[bool, float, bool, int]:
        """Returns the sort key by which the strictest decision comes first."""
        decision = self.decision
        wait = 0 if decision.allowed else math.inf if decision.impossible else decision.wait_us
        return decision.allowed, -wait, not decision.enforced, decision.remaining

    @property
    def violated(self) -> str:
        return self.names[self.decision.tier - 1]


class CombinedHeaders:
    """Formats the decisions of several policies about one request as header fields, the strictest first, and as a problem body if one of
    them is a denial.

    Denials come before all other decisions, starting with the longest wait. The other decisions follow in order of units remaining,
    starting with the fewest; decisions that are not ``enforced`` come last. Ties keep their order. If two decisions have the same policy
    name, only the stricter one is written. ``draft-11`` lists all policies; the other formats have room only for the strictest.
    ``Retry-After`` is the longest wait; it is omitted if waiting does not help one of the denials.
    """

    def __init__(self, answers: Iterable[tuple[RateLimitHeaders, Decision]]) -> None:
        """
        :param answers: one or more pairs of a policy's headers and its decision; all headers must have the same format
        """
        self._take([_answered(headers, decision) for headers, decision in answers])

    @classmethod
    def of(cls, answer: ReservationAnswer, *, form: HeaderForm = "draft-11") -> CombinedHeaders:
        """Creates the headers for all limits of a call. Held units count as used. A concurrency limit has the quota unit
        ``concurrent-requests`` and no times, because a place can become free at any time."""
        made = cls.__new__(cls)
        made._take([_of_entry(answer, at, usage, checked_form(form)) for at, usage in enumerate(answer.usages)])
        return made

    def _take(self, policies: list[_AnsweredPolicy]) -> None:
        if not policies or any(policy.form != policies[0].form for policy in policies):
            raise ValueError(f"answers must be at least one, and of one form: {[policy.form for policy in policies]}")
        taken: set[str] = set()
        self._policies: list[_AnsweredPolicy] = []
        for policy in sorted(policies, key=lambda policy: policy.order):
            if taken.isdisjoint(policy.names):
                self._policies.append(policy)
                taken.update(policy.names)

    def fields(self) -> dict[str, str]:
        """Returns the fields by name, in the order in which to write them."""
        strictest = self._policies[0]
        if strictest.form != "draft-11":
            return dict(strictest.fields)
        listed = {
            name: ", ".join(policy.fields[name] for policy in self._policies if name in policy.fields)
            for name in ("RateLimit-Policy", "RateLimit")
        }
        return {name: text for name, text in listed.items() if text} | {
            name: text for name, text in strictest.fields.items() if name not in listed
        }

    @property
    def status(self) -> int:
        """The status of the response if a policy denies the request: 429, or 503 if the server made none of the decisions."""
        return 429 if any(policy.decision.enforced for policy in self._denials()) else 503

    def problem(self, detail: Optional[str] = None) -> str:
        """Returns the body, in ASCII, of the response if a policy denies the request. It names all policies that are known to deny it, the
        strictest first."""
        violated = [policy.violated for policy in self._denials() if policy.decision.enforced]
        return problem_body(bool(violated), violated, detail)

    def _denials(self) -> list[_AnsweredPolicy]:
        denials = [policy for policy in self._policies if not policy.decision.allowed]
        if not denials:
            raise ValueError(f"a policy must deny: {self.fields()}")
        return denials


def _answered(headers: RateLimitHeaders, decision: Decision) -> _AnsweredPolicy:
    return _AnsweredPolicy(headers.form, decision, headers.names, headers.fields(decision))


def decisions_of(answer: ReservationAnswer) -> list[Decision]:
    """Returns the decision under each limit of a call. After a denial, only the limit with the longest wait is known to deny; for an
    undecided call, all limits deny."""
    return [_decision(answer, at, usage) for at, usage in enumerate(answer.usages)]


def _decision(answer: ReservationAnswer, at: int, usage: EntryUsage) -> Decision:
    denies = not answer.allowed and (at == answer.denying or not answer.enforced)
    wait_us = answer.wait_us if denies else 0
    return Decision(int(not denies), usage.limit, usage.remaining, wait_us, usage.reset_us, usage.tier, enforced=answer.enforced)


def _of_entry(answer: ReservationAnswer, at: int, usage: EntryUsage, form: HeaderForm) -> _AnsweredPolicy:
    decision, limit = _decision(answer, at, usage), usage.entry.limit
    if limit.limit is not None:
        return _answered(RateLimitHeaders(limit.policy, limit.limit, form=form), decision)
    name = quoted("policy", limit.policy)
    fields = {}
    if form == "draft-11":
        fields["RateLimit-Policy"] = f'{name};q={usage.limit};qu="concurrent-requests"'
        if decision.enforced:
            fields["RateLimit"] = f"{name};r={usage.remaining}"
    else:
        fields |= three_figures(form, decision, -(-usage.reset_us // 10**6))
    return _AnsweredPolicy(form, decision, (limit.policy,), fields | retry_after(decision))
