import logging
from datetime import timedelta

from fastapi import Depends, FastAPI, HTTPException, Request
from penstock_redis import AsyncRateLimiter, PenstockError, RateLimitHeaders, token_bucket
from redis.asyncio import BlockingConnectionPool, Redis

redis = Redis(connection_pool=BlockingConnectionPool.from_url("redis://localhost", max_connections=100))
bucket = token_bucket(100, 10, timedelta(seconds=1))
limiter = AsyncRateLimiter(redis, "api", bucket, timeout=timedelta(milliseconds=200), on_unavailable="allow")
headers = RateLimitHeaders("api", bucket)


async def limit_address(request: Request) -> None:
    try:
        decision = await limiter.acquire(request.client.host if request.client else "unknown")
    except PenstockError as error:  # Such as a wrong password: nobody is served.
        logging.exception("no decision")
        raise HTTPException(503) from error
    if not decision:
        raise HTTPException(headers.status(decision), headers=headers.fields(decision))


app = FastAPI(dependencies=[Depends(limit_address)])


@app.get("/")
async def hello() -> str:
    return "Hello"
