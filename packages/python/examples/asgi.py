import logging
from datetime import timedelta

from fastapi import Depends, FastAPI, HTTPException, Request
from penstock_redis import AsyncRateLimiter, NoDecisionError, OverloadedError, token_bucket
from redis.asyncio import BlockingConnectionPool, Redis

redis = Redis(connection_pool=BlockingConnectionPool.from_url("redis://localhost", max_connections=100))
bucket = token_bucket(100, 10, timedelta(seconds=1))
limiter = AsyncRateLimiter(redis, "api", bucket, timeout=timedelta(milliseconds=200))


async def limit_address(request: Request) -> None:
    try:
        decision = await limiter.acquire(request.client.host if request.client else "unknown")
    except NoDecisionError as outage:
        logging.warning("served without a limit: %s", outage)
        return
    except OverloadedError:
        raise HTTPException(503)
    if not decision:
        seconds = decision.retry_after_seconds
        raise HTTPException(429, headers={"Retry-After": str(seconds)} if seconds else None)


app = FastAPI(dependencies=[Depends(limit_address)])


@app.get("/")
async def hello() -> str:
    return "Hello"
