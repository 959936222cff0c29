"""Calls a second on one denied subject, which a limiter remembers, beside the raw client's EVALSHA on the same key; and what remembering
adds to a call that it does not help.

    pip install . redis && python benchmark/denials.py PORT [ROUNDS]

The ways are interleaved; each figure is the best of all rounds, which are short so that some are not disturbed."""

import sys
import time
import uuid
from datetime import timedelta

from penstock_redis import RateLimiter, fixed_window, key
from penstock_redis._near import DenialMemory, clocks
from redis import Redis

PORT, ROUNDS = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1000
LIMIT = fixed_window(1, timedelta(hours=1))
PREFIX = f"bench{uuid.uuid4().hex[:8]}"

client = Redis(port=PORT)
limiter = RateLimiter(client, "api", LIMIT, prefix=PREFIX, timeout=timedelta(minutes=1), remember_denials=timedelta(milliseconds=100))
limiter.acquire("user:42")
denied = limiter.acquire("user:42")
words = ("EVALSHA", LIMIT.script.sha1, 1, key("api", "user:42", LIMIT, PREFIX), 1, *LIMIT.arguments)
memory, others = DenialMemory(), [f"penstock:api:{{user:{at}}}:w1000".encode() for at in range(1000)]
for other in others:
    memory.remember(other + b".", LIMIT, 1, denied, clocks(), time.monotonic_ns())


def of(way, calls):
    start = time.perf_counter()
    way(calls)
    return (time.perf_counter() - start) / calls * 1e6


def raw(calls):
    for _ in range(calls):
        client.execute_command(*words)


def remembered(calls):
    for _ in range(calls):
        limiter.acquire("user:42")


def unhelped(calls):
    for _ in range(calls // len(others)):
        for other in others:
            memory.find(other, LIMIT, 1, 100_000_000)


ways = {raw: 20, remembered: 500, unhelped: 1_000}
best = dict.fromkeys(ways, float("inf"))
for _ in range(ROUNDS):
    for way, calls in ways.items():
        best[way] = min(best[way], of(way, calls))
print(f"raw {best[raw]:.1f} us a call, a remembered denial {best[remembered]:.2f} us: {best[raw] / best[remembered]:.1f} times as many; "
      f"a call that it does not help: {best[unhelped]:.2f} us more")
