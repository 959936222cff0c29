"""The flood client of redis-py: packages/floods.py has its contract."""

import asyncio
import contextlib
import json
import pathlib
import resource
import statistics
import sys
import threading
import time
import urllib.parse
import uuid
from datetime import timedelta

import redis
import redis.asyncio
from penstock_redis import AsyncRateLimiter, CircuitBreaker, RateLimiter, token_bucket

THREADS = 1_000
DAY = timedelta(days=1)


def cpu_ms():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return (used.ru_utime + used.ru_stime) * 1000


class Flood:
    def __init__(self, asked):
        self.asked, self.subject, self.outcomes = asked, uuid.uuid4().hex, []
        address = urllib.parse.urlsplit("redis://" + asked["address"])
        self.limit = token_bucket(asked["limit"], asked["limit"], DAY)
        self.seconds, self.begun, self.cpu = asked["deadline_ms"] / 1000, 0.0, 0.0
        self.options = {"host": address.hostname, "port": address.port, "username": address.username, "password": address.password}
        if asked["raw"]:
            self.options |= {"socket_timeout": self.seconds, "socket_connect_timeout": self.seconds}
        if asked["raw"] and "seconds" in asked:
            # Its own retries would take seconds beyond the deadline.
            self.options["retry"] = None
        if asked["ca"]:
            self.options |= {"ssl": True, "ssl_ca_certs": asked["ca"]}

    def limiter(self, kind, client):
        policy = {"prefix": "f" + self.subject[:8], "timeout": timedelta(milliseconds=self.asked["deadline_ms"]), "on_unavailable": "allow"}
        policy["share_trips"] = self.asked.get("shares", True)
        if length := self.asked.get("circuit_ms"):
            policy["circuit_breaker"] = CircuitBreaker(timedelta(milliseconds=length))
        return kind(client, "flood", self.limit, **policy)

    def command(self):
        key = f"flood:{{{self.subject}}}"
        return ("EVAL", self.limit.script.source, 1, key, 1, *self.limit.arguments)

    def begins(self):
        self.cpu = cpu_ms()
        if self.asked["signal"]:
            pathlib.Path(self.asked["signal"]).touch()
        self.begun = time.time()

    def note(self, begun, decision, raised):
        took = time.monotonic() - begun
        if raised is not None:
            outcome = "thrown"
        elif self.asked["raw"]:
            outcome = "decided" if took <= self.seconds else "late"
        elif decision.enforced:
            outcome = "allowed" if decision.allowed else "denied_by_server"
        else:
            outcome = "opened" if decision.allowed else "overloaded"
        if outcome == "thrown" and not self.asked["raw"]:
            print(repr(raised), file=sys.stderr)
        self.outcomes.append((time.time() - took, took * 1000, outcome))

    def goes_on(self):
        """Whether a caller makes another call. What began in the first half a second is forgotten."""
        return time.time() < self.begun + 0.5 + self.asked["seconds"]

    def says(self):
        if "callers" in self.asked:
            counted = [each for each in self.outcomes if each[0] >= self.begun + 0.5]
            took = [each[1] for each in counted if each[2] in ("allowed", "denied_by_server")]
            lost = len(counted) - len(took)
            print(json.dumps({"decided": len(took), "lost": lost, "median_ms": statistics.median(took), "slowest_ms": max(took)}))
            return
        count = {name: sum(each[2] == name for each in self.outcomes) for name in
                 ("opened", "allowed", "denied_by_server", "overloaded", "thrown")}  # fmt: skip
        decided = sum(each[2] in ("decided", "allowed", "denied_by_server") for each in self.outcomes)
        said = {**count, "decided": decided, "slowest_ms": max(each[1] for each in self.outcomes), "cpu_ms": cpu_ms() - self.cpu}
        if "seconds" in self.asked:
            names = {"allowed": "decided", "denied_by_server": "decided"}
            said["each"] = [(at, took, names.get(outcome, outcome)) for at, took, outcome in self.outcomes]
        print(json.dumps(said))

    def waits(self, number):
        """Seconds until a call of a flow begins."""
        return max(0.0, self.begun + self.asked["seconds"] * number / self.asked["calls"] - time.time())


def threads(flood):
    asked = flood.asked
    client = (redis.RedisCluster if asked["kind"] == "cluster" else redis.Redis)(**flood.options)
    limiter, command = flood.limiter(RateLimiter, client), flood.command()

    def one():
        begun = time.monotonic()
        try:
            flood.note(begun, client.execute_command(*command) if asked["raw"] else limiter.acquire(flood.subject), None)
        except Exception as error:
            flood.note(begun, None, error)

    if asked["warm"]:
        with contextlib.suppress(Exception):
            client.ping() if asked["raw"] else limiter.peek(flood.subject)
        time.sleep(0 if asked["raw"] else 4)
    if "callers" in asked:

        def caller():
            while flood.goes_on():
                one()

        flood.begins()
        running = [threading.Thread(target=caller) for _ in range(asked["callers"])]
        for thread in running:
            thread.start()
    elif "seconds" in asked:
        flood.begins()
        running = []
        for number in range(asked["calls"]):
            time.sleep(flood.waits(number))
            running.append(threading.Thread(target=one))
            running[-1].start()
    else:
        number = min(THREADS, asked["calls"])
        gate = threading.Barrier(number + 1)
        shares = [asked["calls"] // number + (at < asked["calls"] % number) for at in range(number)]

        def some(share):
            gate.wait()
            for _ in range(share):
                one()

        running = [threading.Thread(target=some, args=(share,)) for share in shares]
        for thread in running:
            thread.start()
        flood.begins()
        gate.wait()
    for thread in running:
        thread.join()


async def tasks(flood):
    asked = flood.asked
    client = (redis.asyncio.RedisCluster if asked["kind"] == "cluster" else redis.asyncio.Redis)(**flood.options)
    limiter, command = flood.limiter(AsyncRateLimiter, client), flood.command()

    async def one():
        begun = time.monotonic()
        try:
            call = client.execute_command(*command) if asked["raw"] else limiter.acquire(flood.subject)
            flood.note(begun, await call, None)
        except Exception as error:
            flood.note(begun, None, error)

    if asked["warm"]:
        with contextlib.suppress(Exception):
            await (client.ping() if asked["raw"] else limiter.peek(flood.subject))
        await asyncio.sleep(0 if asked["raw"] else 4)

    async def caller():
        while flood.goes_on():
            await one()

    flood.begins()
    running = [caller() for _ in range(asked.get("callers", 0))]
    for number in range(0 if running else asked["calls"]):
        if "seconds" in asked:
            await asyncio.sleep(flood.waits(number))
        running.append(asyncio.ensure_future(one()))
    await asyncio.gather(*running)
    # Within a deadline, which a busy machine may exceed.
    with contextlib.suppress(redis.RedisError):
        await client.aclose()


def main():
    flood = Flood(json.loads(sys.argv[1]))
    if flood.asked["form"] == "threads":
        threads(flood)
    else:
        asyncio.run(tasks(flood))
    flood.says()


if __name__ == "__main__":
    main()
