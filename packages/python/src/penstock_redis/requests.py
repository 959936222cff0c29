"""A limit of HTTP requests, as the middlewares of this package have it; docs/languages.md says what it does with a request."""

from __future__ import annotations

import functools
import inspect
import logging
import time
from collections.abc import Iterable, Mapping, MutableMapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional, TypedDict, Union

from ._async import AsyncRateLimiter
from ._async_transport import AsyncClient
from ._blocking import RateLimiter
from ._blocking_transport import BlockingClient
from ._callers import Networks, address_of, address_subject, cost_of, header_subject, strictest, subject_of
from ._calls import Choice, Tracing, checked_client
from ._circuit import CircuitBreaker
from ._combined import CombinedHeaders
from ._failure import PenstockError
from ._http import HeaderForm, RateLimitHeaders
from ._limiter import CallOutcome
from ._protocol import Decision, Limit, charge
from ._text import parse_limit

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["RequestLimit", "RequestOptions", "Verdict", "header"]

AnyLimit = Union[str, Limit]
UNLIMITED = "unlimited"
# Limits that functions find, of which each has a limiter.
_MOST_FOUND = 1_000
_log = logging.getLogger("penstock_redis")
# What the limits of a request have decided so far, and which units they charged.
_ANSWERS = "penstock_redis.answers"
_CHARGED = "penstock_redis.charged"


class RequestOptions(TypedDict, total=False):
    """What a limit of requests may be told. Functions take the framework's request; whoever awaits may be given coroutine functions."""

    subject: Callable[[Any], Any]
    """Whom a request is counted for, such as ``header("X-Api-Key")``: a text, an integer, a UUID or an ObjectId. Where it finds none of
    these or raises, it is the address."""
    cost: Union[int, Callable[[Any], Any]]
    """The units of a request. What a function finds that is no integer above 0 is 1."""
    plan: Callable[[Any], Any]
    """Which of several limits is a request's, by name; a name that is unknown is the strictest limit's."""
    limit_of: Callable[[Any], Any]
    """A request's own limit, made or as text; where it finds nothing, raises or finds what is no limit, it is that of ``limit``."""
    skip: Callable[[Any], Any]
    """Whether a request is not limited: True, and nothing else, says so."""
    exempt: Iterable[str]
    """Addresses and networks that are not limited."""
    trusted_proxies: Iterable[str]
    """Addresses and networks of proxies whose ``X-Forwarded-For`` is believed; ``unix`` is a proxy behind a Unix socket."""
    dry_run: bool
    """Charges and tells ``on_decision``, and refuses nobody."""
    on_decision: Callable[[Any, Decision], Any]
    """Told of each request and its decision; one that is not ``enforced`` was not the server's."""
    on_denied: Callable[[Any, Decision], Any]
    """Answers a request that the server denied, in the framework's form, in place of the problem body; the fields are added. Where it
    returns None or raises, the answer is the problem body. What is undecided is no denial, and is answered 503."""
    form: HeaderForm
    """Of the header fields."""
    prefix: str
    functions: bool
    timeout: timedelta
    on_unavailable: Choice
    on_overload: Choice
    remember_denials: timedelta
    circuit_breaker: Optional[CircuitBreaker]
    trace: Optional[Tracing]
    on_outcome: Optional[Callable[[CallOutcome], Any]]


class Verdict(NamedTuple):
    """What becomes of a request: passed on, with these fields in its answer, or refused with these, this status and this problem body."""

    refused: bool = False
    status: int = 200
    fields: Mapping[str, str] = {}
    body: bytes = b""
    decision: Optional[Decision] = None
    answer: Any = None
    """What ``on_denied`` returned."""

    def add_fields(self, headers: Any) -> None:
        """Adds the fields to those of an answer, of which each stays: a limit that is nearer to the answer has written it."""
        for name, value in self.fields.items():
            headers.setdefault(name, value)


class RequestLimit:
    """One policy for HTTP requests: one limit for all, or one for each plan."""

    def __init__(
        self,
        client: AsyncClient | BlockingClient,
        policy: str,
        limit: AnyLimit | Mapping[str, AnyLimit],
        **options: Unpack[RequestOptions],
    ) -> None:
        """
        :param client: of redis-py; one of ``redis.asyncio`` for ``decide_async``, another one for ``decide``
        :param limit: as text or made by a function, or several by the names of plans, with ``plan``; a plan may be ``"unlimited"``
        """
        names = ("subject", "plan", "limit_of", "skip", "on_decision", "on_denied")
        own: dict[str, Any] = {name: options.pop(name, None) for name in names}  # type: ignore[misc]
        cost = options.pop("cost", 1)
        own["cost"] = cost if callable(cost) else None
        self._cost = 1 if callable(cost) else charge(cost)
        self.is_awaited = is_awaited(client)
        kind: Any = AsyncRateLimiter if self.is_awaited else RateLimiter
        for name, function in own.items():
            if function is not None and not callable(function):
                raise TypeError(f"{name} must be a function: {function!r}")
            if inspect.iscoroutinefunction(function) and kind is RateLimiter:
                raise TypeError(f"{name} must be no coroutine function, since this client is not awaited: {function!r}")
        if isinstance(limit, Mapping) != (own["plan"] is not None) or limit == {}:
            raise ValueError(f"plan must be given with limits by the names of plans, and only with these: {limit!r}")
        self._functions, self._policy = own, policy
        self._exempt = Networks("exempt", options.pop("exempt", ()))
        self._proxies = Networks("trusted_proxies", options.pop("trusted_proxies", ()))
        self._dry_run, form = options.pop("dry_run", False), options.pop("form", "draft-11")
        if not isinstance(self._dry_run, bool):
            raise TypeError(f"dry_run must be True or False: {self._dry_run!r}")
        given = limit if isinstance(limit, Mapping) else {"": limit}
        limits = {name: _parsed(name, each) for name, each in given.items() if not isinstance(limit, Mapping) or each != UNLIMITED}
        if not limits:
            raise ValueError(f"limit must have a plan that is not unlimited, for callers without a plan: {limit!r}")
        self._unlimited = given.keys() - limits.keys()

        @functools.lru_cache(_MOST_FOUND)
        def limited(each: Limit) -> tuple[Any, RateLimitHeaders, Limit]:
            limiter = kind(client, policy, each, **options)
            if each.script.name == "leaky-bucket":
                raise ValueError(f"limit must be none whose callers wait, since a request is answered at once: {each}")
            return limiter, RateLimitHeaders(policy, each, form=form), each

        self._limited = limited
        self._plans = {name: limited(each) for name, each in limits.items()}
        self._strictest = strictest(limits)
        self._warned = float("-inf")
        self._warned_of: set[str] = set()

    def decide(
        self, request: Any, connection: Optional[str], forwarded: Iterable[str] = (), scope: Optional[MutableMapping[str, Any]] = None
    ) -> Verdict:
        """
        :param request: what the functions take
        :param connection: the address that the connection comes from
        :param forwarded: the lines of ``X-Forwarded-For``
        :param scope: the request's own, such as WSGI's environ: the fields are those of all limits that were given it, the strictest first
        """
        try:
            # It awaits nothing, so its first step is its last.
            self.decide_async(request, connection, forwarded, scope).send(None)
        except StopIteration as end:
            verdict: Verdict = end.value
            return verdict
        raise TypeError("client must not be awaited; decide_async is for one of redis.asyncio")

    async def decide_async(
        self, request: Any, connection: Optional[str], forwarded: Iterable[str] = (), scope: Optional[MutableMapping[str, Any]] = None
    ) -> Verdict:
        """The same over a client of ``redis.asyncio``."""
        address = address_of(connection, forwarded, self._proxies)
        if address in self._exempt or (address is None and not connection and self._exempt.unix):
            return Verdict()
        if await self._found("skip", request) is True:
            return Verdict()
        plan = await self._found("plan", request)
        if isinstance(plan, str) and plan in self._unlimited:
            return Verdict()
        limiter, headers, limit = self._plans[plan if isinstance(plan, str) and plan in self._plans else self._strictest]
        own = await self._found("limit_of", request)
        if own is not None:
            try:
                limiter, headers, limit = self._limited(_parsed("", own))
            except (TypeError, ValueError) as error:
                self._warn("limit_of found no limit: %s", error)
        found = await self._found("subject", request)
        subject = subject_of(found)
        if subject is None:
            if found is not None and found != "":
                kind = type(found).__name__
                self._warn_once(kind, "subject returned a %s, so the address stands in: a subject is a text, an integer or a UUID", kind)
            subject = address_subject(address)
        cost = cost_of(await self._found("cost", request)) if self._functions["cost"] else self._cost
        if scope is not None:
            charged, units = scope.setdefault(_CHARGED, []), (self._policy, limit.marker, subject)
            if units in charged:
                self._warn_once("twice", "one request is counted twice: is the limit mounted twice on its route?")
            charged.append(units)
        try:
            decision: Decision = await self._awaited(limiter.acquire(subject, cost))
        except PenstockError as error:
            self._warn("a request without a decision: %s", error)
            decision = Decision(0, limit.tiers[0][0], 0, -1, 0, 1, enforced=False)
        await self._found("on_decision", request, decision)
        if self._dry_run:
            return Verdict(decision=decision)
        answers = [] if scope is None else scope.setdefault(_ANSWERS, [])
        answers.append((headers, decision))
        fields = CombinedHeaders(answer for answer in answers if answer[0].form == headers.form).fields()
        if decision:
            return Verdict(fields=fields, decision=decision)
        answer = await self._found("on_denied", request, decision) if decision.enforced else None
        if answer is None:
            fields["Content-Type"] = headers.PROBLEM_TYPE
        return Verdict(True, headers.status(decision), fields, headers.problem(decision).encode(), decision, answer)

    async def _found(self, name: str, *arguments: Any) -> Any:
        """What a function finds, or None."""
        function = self._functions[name]
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
        """At most once a second."""
        if time.monotonic() - self._warned >= 1:
            self._warned = time.monotonic()
            _log.warning(f"policy %s: {text}", self._policy, *values)


def header(name: str) -> Callable[[Any], Optional[str]]:
    """A ``subject``: the header's value, hashed. Check that it is one of yours, or limit by address as well: callers choose it."""

    def subject(request: Any) -> Optional[str]:
        headers = request.headers
        values = headers.getlist(name) if hasattr(headers, "getlist") else [headers.get(name)]
        # Twice, nobody knows which one counts. Servers of WSGI, and Django, make one value of both.
        is_joined = (hasattr(request, "META") or hasattr(request, "environ")) and "," in (values[0] if values and values[0] else "")
        return header_subject(values[0]) if len(values) == 1 and not is_joined else None

    return subject


def is_awaited(client: object) -> bool:
    """Whether it is a client of ``redis.asyncio``."""
    return inspect.iscoroutinefunction(getattr(client, "execute_command", None))


def awaited_limit(client: AsyncClient, policy: str, limit: AnyLimit | Mapping[str, AnyLimit], options: RequestOptions) -> RequestLimit:
    """The limit of a framework whose requests are awaited; another client is a ``TypeError``."""
    checked_client(client, is_awaited(client), "redis.asyncio.Redis or redis.asyncio.RedisCluster, since requests are awaited")
    return RequestLimit(client, policy, limit, **options)


def blocking_limit(client: BlockingClient, policy: str, limit: AnyLimit | Mapping[str, AnyLimit], options: RequestOptions) -> RequestLimit:
    """The limit of a framework whose requests are not."""
    checked_client(client, not is_awaited(client), "redis.Redis or redis.RedisCluster, since it is not awaited")
    return RequestLimit(client, policy, limit, **options)


def _parsed(plan: str, limit: object) -> Limit:
    if limit == "none":
        where = f"the plan {plan!r}" if plan else "limit"
        rule = '"unlimited" is a plan whose requests all pass; to let none pass, answer them yourself'
        raise ValueError(f'{where} must not be "none": {rule}')
    return parse_limit(limit) if isinstance(limit, str) else limit  # type: ignore[return-value]
