"""Checked, not run: the types of the wheel. A comment that ignores nothing is an error, so each one is a mistake that is found."""
# pyright: reportUnnecessaryTypeIgnoreComment=true

from datetime import timedelta
from typing import Optional

from penstock_redis import AsyncRateLimiter, Decision, Limit, RateLimiter, fixed_window
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
RateLimiter(Redis(), "api", limit, on_unavailable="alow")  # type: ignore[arg-type]
AsyncRateLimiter(AsyncRedisCluster(host="localhost"), "api", limit)
RateLimiter(AsyncRedis(), "api", limit)  # type: ignore[arg-type]
RateLimiter(AsyncRedisCluster(host="localhost"), "api", limit)  # type: ignore[arg-type]
RateLimiter("redis://localhost", "api", limit)  # type: ignore[arg-type]
AsyncRateLimiter(Redis(), "api", limit)  # type: ignore[arg-type]
AsyncRateLimiter(RedisCluster(host="localhost"), "api", limit)  # type: ignore[arg-type]
