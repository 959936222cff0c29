"""Checked, not run: the types of the wheel. A comment that ignores nothing is an error, so each one is a mistake that is found."""
# pyright: reportUnnecessaryTypeIgnoreComment=true

from datetime import timedelta
from typing import Optional

from penstock_redis import AsyncRateLimiter, AsyncReservation, AsyncReservations, CallId, ConcurrencyLimiter, Decision, EntryLimit, Limit
from penstock_redis import RateLimiter, Reservation, Reservations, SettleResult, fixed_window
from penstock_redis.asgi import rate_limit
from penstock_redis.requests import Also, RequestLimit
from redis import Redis, RedisCluster
from redis.asyncio import Redis as AsyncRedis
from redis.asyncio import RedisCluster as AsyncRedisCluster

limit: Limit = fixed_window(1, timedelta(seconds=1)) & fixed_window(10, timedelta(minutes=1))
decision: Decision = RateLimiter(Redis(), "api", limit).acquire("user:42")
seconds: Optional[int] = decision.retry_after_seconds
outcomes: "list[Decision | Exception]" = RateLimiter(Redis(), "api", limit).acquire_all(["user:42", b"user:43"])


async def peeked() -> int:
    return (await AsyncRateLimiter(AsyncRedis(), "api", limit).peek(b"user:42")).remaining


RateLimiter(RedisCluster(host="localhost"), "api", limit, timeout=timedelta(seconds=1), on_unavailable="allow")
each: "list[Decision | Exception]" = RateLimiter(Redis(), "api", limit).acquire_each([("user:42", 5), (b"user:43", 1)])
RateLimiter(Redis(), "api", limit).acquire_each(["user:42"])  # type: ignore[list-item]
RateLimiter(Redis(), "api", limit, on_unavailable="alow")  # type: ignore[arg-type]
AsyncRateLimiter(AsyncRedisCluster(host="localhost"), "api", limit)
RateLimiter(AsyncRedis(), "api", limit)  # type: ignore[arg-type]
RateLimiter(AsyncRedisCluster(host="localhost"), "api", limit)  # type: ignore[arg-type]
RateLimiter("redis://localhost", "api", limit)  # type: ignore[arg-type]
AsyncRateLimiter(Redis(), "api", limit)  # type: ignore[arg-type]
AsyncRateLimiter(RedisCluster(host="localhost"), "api", limit)  # type: ignore[arg-type]

tokens = EntryLimit("tpm", limit)
llm = Reservations(Redis(), "llm", timedelta(minutes=2), on_unavailable="deny")
with llm.reserve("tenant:7", tokens.reserve(4_000, within="user:42"), tokens.debit(10), call_id=CallId.random()) as call:
    result: SettleResult = call.settle(900) if call else call.settle_entries(tokens.reserve(1).used(1))
permit: Reservation = ConcurrencyLimiter(llm, "exports", 10).acquire("user:42")


async def reserved(llm: AsyncReservations) -> SettleResult:
    permit: AsyncReservation = await ConcurrencyLimiter(llm, "exports", 10).acquire("user:42")
    permit.keep_alive()
    async with llm.reserve("tenant:7", tokens.reserve(4_000)) as call:
        return await call.settle(900) if call.allowed else await permit.cancel()


llm.reserve("tenant:7", tokens.reserve(1), call_id="from-a-header")  # type: ignore[arg-type]
llm.reserve("tenant:7", "tpm")  # type: ignore[arg-type]
Reservations(AsyncRedis(), "llm", timedelta(minutes=2))  # type: ignore[arg-type]
AsyncReservations(Redis(), "llm", timedelta(minutes=2))  # type: ignore[arg-type]
rate_limit(AsyncRedis(), "api", {"free": "token-bucket:100/1m", "paid": limit}, plan=lambda request: "free", on_unavailable="allow")
rate_limit(AsyncRedis(), "api", "token-bucket:100/1m", on_unavailable="alow")  # type: ignore[arg-type]
rate_limit(AsyncRedis(), "api", limit, subjct=lambda request: "user")  # type: ignore[call-arg]
rate_limit(Redis(), "api", limit)  # type: ignore[arg-type]
rate_limit("redis://localhost", "api", limit)  # type: ignore[arg-type]
RequestLimit(Redis(), "api", limit, on_outcome=lambda outcome: print(outcome.decision))
RequestLimit(AsyncRedisCluster(host="localhost"), "api", limit)
RequestLimit("redis://localhost", "api", limit)  # type: ignore[arg-type]
rate_limit(AsyncRedis(), "users", limit, also=Also("tenants", limit, subject=lambda request: request.headers["X-Tenant"]))
RequestLimit(Redis(), "logins", limit, charge_when="status 401, 403")
RequestLimit(Redis(), "logins", limit, charge_when=401)  # type: ignore[arg-type]
RequestLimit(Redis(), "users", limit, also="tenants")  # type: ignore[arg-type]
