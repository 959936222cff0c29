from datetime import timedelta

from flask import Flask, request
from penstock_redis import RateLimiter, token_bucket
from redis import Redis

app = Flask(__name__)
limiter = RateLimiter(Redis(socket_timeout=0.2), "api", token_bucket(100, 10, timedelta(seconds=1)))


@app.before_request
def limit():
    decision = limiter.acquire(request.remote_addr or "unknown")
    if not decision.allowed:
        seconds = decision.retry_after_seconds
        return "Too many requests", 429, {"Retry-After": str(seconds)} if seconds else {}
