from datetime import timedelta

from flask import Flask, request
from penstock_redis import NoDecisionError, OverloadedError, RateLimiter, token_bucket
from redis import Redis

app = Flask(__name__)
limit = token_bucket(100, 10, timedelta(seconds=1))
limiter = RateLimiter(Redis(), "api", limit, timeout=timedelta(milliseconds=200))


@app.before_request
def limit_address():
    try:
        decision = limiter.acquire(request.remote_addr or "unknown")
    except NoDecisionError as outage:
        app.logger.warning("served without a limit: %s", outage)
        return None
    except OverloadedError:
        return "Too much at once", 503
    if not decision:
        seconds = decision.retry_after_seconds
        return "Too many requests", 429, {"Retry-After": str(seconds)} if seconds else {}
