"""Decisions as HTTP RateLimit fields and problem bodies; see docs/http.md."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Literal, Optional

from ._protocol import Decision, Limit

HeaderForm = Literal["draft-11", "draft-07", "draft-06", "x-rate-limit"]
_FORMS = ("draft-11", "draft-07", "draft-06", "x-rate-limit")
_TYPES = "https://iana.org/assignments/http-problem-types#"


class RateLimitHeaders:
    """Formats the decisions of one policy as header fields and, for denials, as problem bodies (RFC 9457)."""

    PROBLEM_TYPE = "application/problem+json"

    def __init__(
        self,
        policy: str,
        limit: Limit,
        *,
        form: HeaderForm = "draft-11",
        names: Optional[Sequence[str]] = None,
        quota_unit: Optional[str] = None,
    ) -> None:
        """
        :param policy: the name of the policy in the fields, in printable ASCII; if there are several tiers, they are named ``api-1``,
            ``api-2`` and so on
        :param form: a version of draft-ietf-httpapi-ratelimit-headers, or the common ``X-RateLimit`` fields
        :param names: a different name for each tier, in printable ASCII
        :param quota_unit: the unit, such as ``content-bytes``, for limits that do not count requests; only for ``draft-11``
        """
        tiers = len(limit.tiers)
        quoted("policy", policy)
        if names is not None and (len(names) != tiers or len(set(names)) < tiers):
            raise ValueError(f"names must be {tiers} names that differ: {list(names)}")
        self.names = tuple(names or ([policy] if tiers == 1 else [f"{policy}-{tier}" for tier in range(1, tiers + 1)]))
        self._quoted = [quoted("names", name) for name in self.names]
        self._limit, self.form = limit, checked_form(form)
        self._unit = "" if quota_unit is None else f";qu={quoted('quota_unit', quota_unit)}"

    def fields(self, decision: Decision) -> dict[str, str]:
        """Returns the fields by name. The remaining units are omitted if the server did not make the decision."""
        tier = self._tier(decision)
        more = -(-_until_more(self._limit, tier, decision) // 10**6)
        found: dict[str, str] = {}
        if self.form == "draft-11":
            quotas = zip(self._quoted, self._limit.tiers)
            found["RateLimit-Policy"] = ", ".join(name + self._quota(tier) for name, tier in quotas)
            now = f"{self._quoted[decision.tier - 1]};r={decision.remaining}" + (f";t={more}" if more else "")
            found |= {"RateLimit": now} if decision.enforced else {}
        elif self.form == "x-rate-limit":
            found |= three_figures(self.form, decision, -(-decision.reset_us // 10**6))
        else:
            found |= self._old_policy() | three_figures(self.form, decision, more)
        return found | retry_after(decision)

    @staticmethod
    def status(denied: Decision) -> int:
        """Returns 429, or 503 if no decision could be made."""
        return 429 if denied.enforced else 503

    def problem(self, denied: Decision, detail: Optional[str] = None) -> str:
        """Returns the body of the response to a denied call, in ASCII; its media type is ``PROBLEM_TYPE``."""
        self._tier(denied)
        if denied.allowed:
            raise ValueError(f"denied must be a denial: {denied}")
        return problem_body(denied.enforced, [self.names[denied.tier - 1]] if denied.enforced else [], detail)

    def _tier(self, decision: Decision) -> tuple[int, ...]:
        tiers = self._limit.tiers
        if decision.tier > len(tiers) or tiers[decision.tier - 1][0] != decision.limit:
            raise ValueError(f"decision must be about {self._limit}: {decision}")
        return tiers[decision.tier - 1]

    def _quota(self, tier: tuple[int, ...]) -> str:
        window = _window_seconds(self._limit, tier)
        return f";q={tier[0]}{self._unit}" + (f";w={window}" if window else "")

    def _old_policy(self) -> dict[str, str]:
        """In this draft a window is required, and a quota may occur only once."""
        windows: dict[int, int] = {}
        for tier in self._limit.tiers:
            if window := _window_seconds(self._limit, tier):
                windows[tier[0]] = max(window, windows.get(tier[0], 0))
        text = ", ".join(f"{quota};w={windows[quota]}" for quota in sorted(windows))
        return {"RateLimit-Policy": text} if text else {}


def checked_form(form: HeaderForm) -> HeaderForm:
    if form not in _FORMS:
        raise ValueError(f"form must be one of {', '.join(_FORMS)}: {form!r}")
    return form


def retry_after(decision: Decision) -> dict[str, str]:
    seconds = decision.retry_after_seconds
    return {} if decision.allowed or seconds is None else {"Retry-After": str(seconds)}


def three_figures(form: HeaderForm, decision: Decision, reset: int) -> dict[str, str]:
    """Returns the fields of a decision in the formats other than ``draft-11``."""
    if not decision.enforced:
        return {}
    if form == "draft-07":
        return {"RateLimit": f"limit={decision.limit}, remaining={decision.remaining}, reset={reset}"}
    prefix = "RateLimit" if form == "draft-06" else "X-RateLimit"
    figures = {"Limit": decision.limit, "Remaining": decision.remaining, "Reset": reset}
    return {f"{prefix}-{name}": str(figure) for name, figure in figures.items()}


def problem_body(exceeded: bool, violated: Sequence[str], detail: Optional[str]) -> str:
    body: dict[str, object] = {
        "type": _TYPES + ("quota-exceeded" if exceeded else "temporary-reduced-capacity"),
        "title": "Quota exceeded" if exceeded else "Temporarily reduced capacity",
        "status": 429 if exceeded else 503,
    }
    if detail is not None:
        body["detail"] = detail
    body["violated-policies"] = list(violated)
    return json.dumps(body, separators=(",", ":"))


def _window_seconds(limit: Limit, tier: tuple[int, ...]) -> int:
    """Returns the time in which a tier refills completely, in seconds; 0 if it is not a whole number."""
    units = tier[-2] if limit.script.refill != "in_batches" else min(tier[-2], tier[0])
    seconds, rest = divmod(tier[0] * tier[-1], units * 10**6)
    return 0 if rest else seconds


def _until_more(limit: Limit, tier: tuple[int, ...], decision: Decision) -> int:
    """Returns an upper bound of the microseconds until more units than now are available; 0 if there cannot be more."""
    missing, reset, period = tier[0] - decision.remaining, decision.reset_us, tier[-1]
    if missing < 1 or reset == 0:
        return 0
    refill = limit.script.refill
    if refill == "evenly":
        more = reset - (missing - 1) * period // tier[-2]
    elif refill == "in_batches":
        more = reset - (missing - 1) // tier[-2] * period
    elif refill == "fading" and reset > period and (decision.allowed or decision.remaining > 0):
        # The units of the older window are unknown; if there are none, this is exact, otherwise the older
        # window fades earlier.
        more = reset - period + (period - 1) // missing + 1
    else:
        more = reset
    waits = not decision.allowed and not decision.impossible
    return max(1, min(more, decision.wait_us) if waits else more)


def quoted(name: str, text: str) -> str:
    """Formats a string of structured fields (RFC 9651)."""
    if not text or not all(" " <= char < "\x7f" for char in text):
        raise ValueError(f'{name} must be printable ASCII of at least one character: "{text}"')
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
