"""Checked, not run: the types of the wheel."""

from datetime import timedelta
from typing import Optional

from penstock_redis import AsyncRateLimiter, Decision, Limit, RateLimiter, fixed_window
from redis import Redis
from redis.asyncio import Redis as AsyncRedis

limit: Limit = fixed_window(1, timedelta(seconds=1)) & fixed_window(10, timedelta(minutes=1))
decision: Decision = RateLimiter(Redis(), "api", limit).acquire("user:42")
seconds: Optional[int] = decision.retry_after_seconds
outcomes: "list[Decision | Exception]" = RateLimiter(Redis(), "api", limit).acquire_all(["user:42", b"user:43"])


async def peeked() -> int:
    return (await AsyncRateLimiter(AsyncRedis(), "api", limit).peek(b"user:42")).remaining
