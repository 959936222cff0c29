from datetime import timedelta

from flask import Flask, request
from penstock_redis import PenstockError, RateLimiter, RateLimitHeaders, token_bucket
from redis import Redis

app = Flask(__name__)
limit = token_bucket(100, 10, timedelta(seconds=1))
limiter = RateLimiter(Redis(), "api", limit, timeout=timedelta(milliseconds=200), on_unavailable="allow")
headers = RateLimitHeaders("api", limit)


@app.before_request
def limit_address():
    decision = limiter.acquire(request.remote_addr or "unknown")
    if not decision:
        return "Too many requests", headers.status(decision), headers.fields(decision)


@app.errorhandler(PenstockError)
def no_decision(error):  # Such as a wrong password: nobody is served.
    app.logger.error("no decision", exc_info=error)
    return "Limits cannot be read", 503
