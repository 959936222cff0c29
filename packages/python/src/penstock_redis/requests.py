"""The rate limit for HTTP requests that all middleware of this package uses; docs/languages.md describes its rules."""

from __future__ import annotations

import asyncio
import functools
import inspect
import logging
import time
from collections.abc import Coroutine, Iterable, Mapping, MutableMapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional, TypedDict, TypeVar, Union

from ._asking import VerdictChange
from ._async import AsyncRateLimiter
from ._async_reservations import AsyncReservations
from ._async_transport import AsyncClient
from ._blocking import RateLimiter
from ._blocking_reservations import Reservations
from ._blocking_transport import BlockingClient
from ._callers import Address, Networks, address_of, address_subject, cost_of, header_subject, statuses_of, subject_of
from ._calls import SECOND, Choice, Tracing, checked_client
from ._circuit import CircuitBreaker
from ._combined import CombinedHeaders, decisions_of
from ._entries import EntryCost, EntryLimit
from ._failure import PenstockError
from ._hold import ReservationEvent, ReservedCall
from ._http import HeaderForm, RateLimitHeaders
from ._limiter import CallOutcome
from ._plans import Also, AnyLimit, Planned, PolicyPlans, read_limit
from ._protocol import Decision, Limit
from ._reservation_plan import ReservationAnswer, SettleResult

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Also", "AnyLimit", "RequestLimit", "RequestOptions", "Verdict", "header"]

Outcome = TypeVar("Outcome")
# The time for which a request may hold units that are charged once its response is known.
_HELD = timedelta(minutes=1)
_log = logging.getLogger("penstock_redis")
# The decisions about a request so far, and the units that they charged.
_ANSWERS = "penstock_redis.answers"
_CHARGED = "penstock_redis.charged"


class RequestOptions(TypedDict, total=False):
    """The options of a limit for HTTP requests. Functions receive the framework's request; asynchronous limits also accept coroutine
    functions."""

    subject: Callable[[Any], Any]
    """Returns the subject of a request, such as ``header("X-Api-Key")``: a string, an integer, a UUID or an ObjectId. If it returns
    anything else or raises, the client's address is the subject."""
    cost: Union[int, Callable[[Any], Any]]
    """The cost of a request in units, or a function that returns it. A result that is not a positive integer counts as 1."""
    plan: Callable[[Any], Any]
    """Returns the name of a request's plan; an unknown name gets the strictest limit."""
    limit_of: Callable[[Any], Any]
    """Returns a request's own limit, as an object or as text. If it returns None or an invalid limit, or raises, ``limit`` applies."""
    also: Also
    """A second policy for the same requests. A request is charged under both policies or under neither."""
    charge_when: str
    """The responses that are charged, such as ``status 401, 403`` or ``status 4xx``. The cost is held before the request and settled
    after it. A request that is denied only because of held units is retried every 50 to 250 ms until ``timeout``. If there is no
    response, the cost is charged after a minute."""
    skip: Callable[[Any], Any]
    """Returns whether a request is exempt from the limit; only True exempts it."""
    exempt: Iterable[str]
    """Addresses and networks that are exempt from the limit."""
    trusted_proxies: Iterable[str]
    """Addresses and networks of proxies whose ``X-Forwarded-For`` header is trusted; ``unix`` means a proxy that connects over a Unix
    socket."""
    dry_run: bool
    """Whether to charge requests and call ``on_decision``, but never reject a request."""
    on_decision: Callable[[Any, Decision], Any]
    """Receives each request and its decision; if ``enforced`` is False, the server did not make the decision."""
    on_denied: Callable[[Any, Decision], Any]
    """Creates the framework's response to a request that the server denied, which is sent instead of the problem body; the header fields
    are added to it. If the function returns None or raises, the problem body is sent. The function is not called for an undecided request,
    which gets a 503."""
    form: HeaderForm
    """The format of the header fields."""
    prefix: str
    functions: bool
    timeout: timedelta
    on_unavailable: Choice
    on_overload: Choice
    remember_denials: timedelta
    circuit_breaker: Optional[CircuitBreaker]
    trace: Optional[Tracing]
    on_outcome: Optional[Callable[[CallOutcome], Any]]
    on_verdict: Optional[Callable[[VerdictChange], Any]]
    on_event: Optional[Callable[[ReservationEvent], Any]]
    """Used instead of ``on_outcome`` with ``also`` or ``charge_when``, because their calls are reservations."""


class Verdict(NamedTuple):
    """The result for a request. Either pass the request on and add these fields to its response, or reject it with this status, these
    fields and this problem body."""

    refused: bool = False
    status: int = 200
    fields: Mapping[str, str] = {}
    body: bytes = b""
    decision: Optional[Decision] = None
    answer: Any = None
    """The return value of ``on_denied``."""
    held: Optional[Callable[[int], Coroutine[Any, Any, None]]] = None
    """Settles the units held for ``charge_when`` according to the response's status."""

    def settle(self, status: int) -> None:
        """Charges the request's held units if the response's status is listed in ``charge_when``, and returns them otherwise."""
        _at_once(self.settle_async(status))

    async def settle_async(self, status: int) -> None:
        """The variant of the method for ``redis.asyncio`` clients."""
        if self.held is not None:
            await self.held(status)

    def add_fields(self, headers: Any) -> None:
        """Adds the fields to a response, but keeps any fields that the response already has, because an inner limit wrote them."""
        for name, value in self.fields.items():
            headers.setdefault(name, value)


class RequestLimit:
    """A rate limit for HTTP requests under one policy: one limit for all requests, or one for each plan."""

    def __init__(
        self,
        client: AsyncClient | BlockingClient,
        policy: str,
        limit: AnyLimit | Mapping[str, AnyLimit],
        **options: Unpack[RequestOptions],
    ) -> None:
        """
        :param client: a redis-py client, from ``redis.asyncio`` for ``decide_async`` or blocking for ``decide``
        :param limit: the limit, as text or as an object. With ``plan``, it is a mapping of plan names to limits, in which a plan can be
            ``"unlimited"``
        """
        names = ("subject", "plan", "limit_of", "skip", "on_decision", "on_denied")
        own: dict[str, Any] = {name: options.pop(name, None) for name in names}  # type: ignore[misc]
        own["cost"] = options.pop("cost", 1)
        also, charge_when = options.pop("also", None), options.pop("charge_when", None)
        if also is not None and not isinstance(also, Also):
            raise TypeError(f"also must be an Also, made of a policy, its limit and its subject: {also!r}")
        self.charge_when = None if charge_when is None else statuses_of(charge_when)
        others = {} if also is None else {name: getattr(also, name) for name in ("subject", "plan", "limit_of", "cost")}
        self.is_awaited = is_awaited(client)
        for where, functions in (("", own), ("also's ", others)):
            for name, function in functions.items():
                self._check_function(where + name, function, is_needed=bool(where) and name == "subject", is_number=name == "cost")
        self._functions, self._policy = own, policy
        self._exempt = Networks("exempt", options.pop("exempt", ()))
        self._proxies = Networks("trusted_proxies", options.pop("trusted_proxies", ()))
        self._dry_run, form = options.pop("dry_run", False), options.pop("form", "draft-11")
        if not isinstance(self._dry_run, bool):
            raise TypeError(f"dry_run must be True or False: {self._dry_run!r}")
        self._timeout = options.get("timeout", SECOND)
        is_joint = also is not None or charge_when is not None
        left_out = [name for name in ("on_outcome", "remember_denials") if is_joint and name in options]
        if left_out or "on_event" in options and not is_joint:
            raise ValueError(f"{(*left_out, 'on_event')[0]} must {'not' if left_out else 'only'} be given with also or charge_when")
        self._reservations: Any = None
        if is_joint:
            held: Any = AsyncReservations if self.is_awaited else Reservations
            keep = max(_HELD, self._timeout) if isinstance(self._timeout, timedelta) else _HELD
            self._reservations = held(client, policy, keep, **options)

        def made(name: str, each: Limit) -> Planned:
            kind: Any = AsyncRateLimiter if self.is_awaited else RateLimiter
            limiter = kind(client, name, each, **options) if self._reservations is None else EntryLimit(name, each)
            if each.script.queues:
                raise ValueError(f"limit must not make callers wait, because a request needs an immediate response: {each}")
            if self._reservations is not None:
                self._entry(limiter, 1, None)
            return Planned(limiter, RateLimitHeaders(name, each, form=form), each)

        self._policies = [PolicyPlans(policy, limit, own, made)]
        if also is not None:
            self._policies.append(PolicyPlans(also.policy, also.limit, others, made))
            if also.policy == policy:
                raise ValueError(f"also must be another policy: {policy!r}")
        self._warned = float("-inf")
        self._warned_of: set[str] = set()

    def _check_function(self, name: str, function: object, is_needed: bool, is_number: bool) -> None:
        if not callable(function) and not is_number and (is_needed or function is not None):
            raise TypeError(f"{name} must be a function: {function!r}")
        if inspect.iscoroutinefunction(function) and not self.is_awaited:
            raise TypeError(f"{name} must not be a coroutine function, because this client is blocking: {function!r}")

    def decide(
        self, request: Any, connection: Optional[str], forwarded: Iterable[str] = (), scope: Optional[MutableMapping[str, Any]] = None
    ) -> Verdict:
        """
        :param request: the value passed to the option functions
        :param connection: the remote address of the connection
        :param forwarded: the lines of the ``X-Forwarded-For`` header
        :param scope: a dictionary that belongs to the request, such as WSGI's environ. The fields report all limits that received the same
            dictionary, the strictest first
        """
        return _at_once(self.decide_async(request, connection, forwarded, scope))

    async def decide_async(
        self, request: Any, connection: Optional[str], forwarded: Iterable[str] = (), scope: Optional[MutableMapping[str, Any]] = None
    ) -> Verdict:
        """The variant of the method for ``redis.asyncio`` clients."""
        address = address_of(connection, forwarded, self._proxies)
        if address in self._exempt or (address is None and not connection and self._exempt.unix):
            return Verdict()
        if await self._found(self._functions, "skip", request) is True:
            return Verdict()
        asked = [(policy, await self._planned(policy, request)) for policy in self._policies]
        planned = [each for _, each in asked if each is not None]
        if not planned:
            return Verdict()
        subjects = [await self._subject(policy, request, address) for policy, _ in asked]
        costs: list[int] = []
        for policy, _ in asked:
            costs.append(await self._cost(policy, request, costs[0] if costs else 1))
        if scope is not None:
            charged, units = scope.setdefault(_CHARGED, []), (self._policy, planned[0].limit.marker, *subjects)
            if units in charged:
                self._warn_once("twice", "one request is counted twice: is the limit mounted twice on its route?")
            charged.append(units)
        held = None
        try:
            if self._reservations is None:
                decisions: list[Decision] = [await self._awaited(planned[0].limiter.acquire(subjects[0], costs[0]))]
            else:
                call = await self._reserved(subjects, costs, [each for _, each in asked])
                decisions = decisions_of(call.answer)
                held = functools.partial(self._settle, call) if call and call.enforced and self.charge_when else None
        except PenstockError as error:
            self._warn("a request without a decision: %s", error)
            decisions = [Decision(0, each.limit.tiers[0][0], 0, -1, 0, 1, enforced=False) for each in planned]
        at = next((at for at, decision in enumerate(decisions) if not decision), 0)
        decision, headers = decisions[at], planned[at].headers
        await self._found(self._functions, "on_decision", request, decision)
        if self._dry_run:
            return Verdict(decision=decision, held=held)
        answers = [] if scope is None else scope.setdefault(_ANSWERS, [])
        answers.extend(zip([each.headers for each in planned], decisions))
        fields = CombinedHeaders(answer for answer in answers if answer[0].form == headers.form).fields()
        if decision:
            return Verdict(fields=fields, decision=decision, held=held)
        answer = await self._found(self._functions, "on_denied", request, decision) if decision.enforced else None
        if answer is None:
            fields["Content-Type"] = headers.PROBLEM_TYPE
        return Verdict(True, headers.status(decision), fields, headers.problem(decision).encode(), decision, answer)

    async def _planned(self, policy: PolicyPlans, request: Any) -> Optional[Planned]:
        planned = policy.planned(await self._found(policy.functions, "plan", request))
        own = await self._found(policy.functions, "limit_of", request) if planned else None
        try:
            return planned if own is None else policy.made(read_limit("", own))
        except (TypeError, ValueError) as error:
            self._warn("limit_of returned no valid limit: %s", error)
            return planned

    async def _subject(self, policy: PolicyPlans, request: Any, address: Optional[Address]) -> str | bytes:
        found = await self._found(policy.functions, "subject", request)
        subject = subject_of(found)
        if subject is None and found is not None and found != "":
            kind = type(found).__name__
            self._warn_once(kind, "subject returned a %s, so the address stands in: a subject is a text, an integer or a UUID", kind)
        return address_subject(address) if subject is None else subject

    async def _cost(self, policy: PolicyPlans, request: Any, without: int) -> int:
        if policy.cost is None:
            return without
        return cost_of(await self._found(policy.functions, "cost", request)) if policy.functions["cost"] else policy.cost

    def _entry(self, limit: EntryLimit, units: int, within: str | bytes | None) -> EntryCost:
        return limit.reserve(units, within=within) if self.charge_when else limit.charge(units, within=within)

    async def _reserved(self, subjects: list[str | bytes], costs: list[int], planned: list[Optional[Planned]]) -> ReservedCall:
        """Reserves the units of both policies in one call; with ``charge_when`` it retries if only held units cause the denial."""
        last = time.monotonic() + self._timeout.total_seconds()
        whom = [subjects[0] if len(subjects) > 1 else None, None]
        entries = [self._entry(each.limiter, cost, of) for each, cost, of in zip(planned, costs, whom) if each]
        while True:
            call: ReservedCall = await self._awaited(self._reservations.reserve(subjects[-1], *entries))
            pause = call.ask_again_after.total_seconds()
            waits = self.charge_when and not self._dry_run and _is_denied_by_held(call.answer)
            if not waits or time.monotonic() + pause > last:
                return call
            await self._awaited((asyncio.sleep if self.is_awaited else time.sleep)(pause))

    async def _settle(self, call: Any, status: int) -> None:
        is_charged = self.charge_when is not None and self.charge_when.fullmatch(str(status))
        try:
            result = await self._awaited(call.close() if is_charged else call.cancel())
        except PenstockError as error:
            result = error
        if result not in (None, SettleResult.SETTLED):
            self._warn("the units held for a request were not settled, and are charged when they expire: %s", result)

    async def _found(self, functions: Mapping[str, Any], name: str, *arguments: Any) -> Any:
        """Returns the result of an option function, or None."""
        function = functions[name]
        try:
            return function and await self._awaited(function(*arguments))
        except Exception as error:
            self._warn("%s raised %r", name, error)
            return None

    async def _awaited(self, found: Any) -> Any:
        return await found if self.is_awaited and inspect.isawaitable(found) else found

    def _warn_once(self, what: str, text: str, *values: Any) -> None:
        if what not in self._warned_of:
            self._warned_of.add(what)
            _log.warning(f"policy %s: {text}", self._policy, *values)

    def _warn(self, text: str, *values: Any) -> None:
        """Logs a warning, at most once a second."""
        if time.monotonic() - self._warned >= 1:
            self._warned = time.monotonic()
            _log.warning(f"policy %s: {text}", self._policy, *values)


def header(name: str) -> Callable[[Any], Optional[str]]:
    """Returns a function for ``subject`` that returns the hash of a header's value. Callers control the header, so verify it or also limit
    by address."""

    def subject(request: Any) -> Optional[str]:
        headers = request.headers
        values = headers.getlist(name) if hasattr(headers, "getlist") else [headers.get(name)]
        # If it occurs twice, its value is ambiguous. Servers of WSGI, and Django, join both values.
        is_joined = (hasattr(request, "META") or hasattr(request, "environ")) and "," in (values[0] if values and values[0] else "")
        return header_subject(values[0]) if len(values) == 1 and not is_joined else None

    return subject


def is_awaited(client: object) -> bool:
    """Returns whether the client is a ``redis.asyncio`` client."""
    return inspect.iscoroutinefunction(getattr(client, "execute_command", None))


def awaited_limit(client: AsyncClient, policy: str, limit: AnyLimit | Mapping[str, AnyLimit], options: RequestOptions) -> RequestLimit:
    """Creates the limit for an asynchronous framework; raises ``TypeError`` for a blocking client."""
    checked_client(client, is_awaited(client), "redis.asyncio.Redis or redis.asyncio.RedisCluster, since requests are awaited")
    return RequestLimit(client, policy, limit, **options)


def blocking_limit(client: BlockingClient, policy: str, limit: AnyLimit | Mapping[str, AnyLimit], options: RequestOptions) -> RequestLimit:
    """Creates the limit for a synchronous framework."""
    checked_client(client, not is_awaited(client), "redis.Redis or redis.RedisCluster, since it is not awaited")
    return RequestLimit(client, policy, limit, **options)


def _at_once(work: Coroutine[Any, Any, Outcome]) -> Outcome:
    """Runs a coroutine that never suspends, and returns its result."""
    try:
        work.send(None)
    except StopIteration as end:
        outcome: Outcome = end.value
        return outcome
    raise TypeError("client must not be awaited; decide_async and settle_async are for one of redis.asyncio")


def _is_denied_by_held(answer: ReservationAnswer) -> bool:
    """Returns whether the call would be allowed if all held units were returned."""
    usage = None if answer.denying is None else answer.usages[answer.denying]
    return usage is not None and usage.held > 0 and usage.remaining + usage.held >= usage.entry.units
