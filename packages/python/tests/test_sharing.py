"""Calls that share trips (rules C1 to C6) on a real server, on a real cluster, and through a proxy."""

import asyncio
import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import redis
from penstock_redis import CircuitBreaker, PenstockError, RateLimiter, fixed_window, leaky_bucket, token_bucket
from penstock_redis._trips import TripGroup
from servers import FORMS, PROXY, REDIS, servers_do
from test_failures import administered
from test_lateness import Proxy
from test_limiter import CLIENTS, CLUSTERS, HOUR, PATIENT, SINGLE, client_of, limiter_of, run, settled, subject, used

DAYS = timedelta(days=30)


FAULTS = servers_do("faults").splitlines()
CALLERS = 24


async def outcomes_of(limiter, who, callers=CALLERS):
    """What calls that are made at the same time end with, errors too."""

    async def one():
        try:
            return await settled(asyncio.to_thread(limiter.acquire, who) if isinstance(limiter, RateLimiter) else limiter.acquire(who))
        except PenstockError as error:
            return error

    return await asyncio.gather(*(one() for _ in range(callers)))


async def together(limiter, who, callers, calls, cost=1):
    """What so many callers get who make their calls one after the other: threads of a blocking limiter, tasks of the other."""
    outcomes = []
    if asyncio.iscoroutinefunction(limiter.acquire):

        async def one():
            for _ in range(calls):
                outcomes.append(await limiter.acquire(who, cost))

        await asyncio.gather(*(one() for _ in range(callers)))
        return outcomes

    def work():
        for _ in range(calls):
            outcomes.append(limiter.acquire(who, cost))

    threads = [threading.Thread(target=work) for _ in range(callers)]
    for thread in threads:
        thread.start()
    await asyncio.to_thread(lambda: [thread.join() for thread in threads])
    return outcomes


def commands():
    """How often the server has executed a script."""
    with administered() as admin:
        counts = admin.info("commandstats")
    return sum(counts.get(f"cmdstat_{name}", {}).get("calls", 0) for name in ("eval", "evalsha", "fcall"))


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.parametrize("form", FORMS)
def test_c3_each_call_gets_what_it_would_get_alone(name, form):
    async def body():
        client, who = client_of(name), subject()
        limit = token_bucket(400, 1, DAYS) & token_bucket(10_000, 10_000, DAYS)
        limiter = limiter_of(client, limit=limit, functions=form == "FCALL")
        if form == "FCALL":
            await settled(limiter.load_functions())
        before = commands()
        outcomes = await together(limiter, who, 40, 15, cost=3)
        assert commands() - before < 600 or name in ("RedisCluster", "asyncio RedisCluster")
        granted = [outcome for outcome in outcomes if outcome.allowed]
        assert sorted(outcome.remaining for outcome in granted) == list(range(1, 400, 3))[: len(granted)]
        assert len(granted) == 133 and {(outcome.limit, outcome.tier, outcome.wait_us) for outcome in granted} == {(400, 1, 0)}
        denied = [outcome for outcome in outcomes if not outcome.allowed]
        assert len(denied) == 467 and {(outcome.remaining, outcome.tier) for outcome in denied} == {(1, 1)}
        assert all(timedelta(days=59) < outcome.retry_after <= timedelta(days=60) and outcome.enforced for outcome in denied)

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_c1_trips_are_fewer_and_can_be_switched_off(name):
    async def body():
        client = client_of(name)
        counts = []
        for share_trips in (True, False):
            limiter = limiter_of(client, limit=fixed_window(10**6, HOUR), share_trips=share_trips)
            await settled(limiter.acquire("any"))
            before = commands()
            outcomes = await together(limiter, subject(), 64, 20)
            counts.append(commands() - before)
            assert sorted(outcome.remaining for outcome in outcomes) == list(range(10**6 - 1280, 10**6))
        assert counts[0] < 0.7 * counts[1] and counts[1] >= 1280
        with pytest.raises(TypeError, match="^share_trips must be True or False"):
            limiter_of(client, share_trips=1)

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_c6_calls_of_leaky_buckets_are_not_shared(name):
    async def body():
        limiter = limiter_of(client_of(name), limit=leaky_bucket(10**6, 10**6, HOUR))
        await settled(limiter.acquire("any"))
        before = commands()
        outcomes = await together(limiter, subject(), 64, 20)
        assert all(outcome.allowed and outcome.enforced for outcome in outcomes) and commands() - before >= 1280

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_c4_a_server_that_forgets_the_script(name):
    async def body():
        client, who, limit = client_of(name), subject(), fixed_window(10**6, HOUR)
        limiter = limiter_of(client, limit=limit)
        flushing = threading.Event()

        def flush():
            with administered() as admin:
                while not flushing.is_set():
                    admin.script_flush()

        thread = threading.Thread(target=flush)
        thread.start()
        try:
            outcomes = await together(limiter, who, 32, 20)
        finally:
            flushing.set()
            thread.join()
        assert sorted(outcome.remaining for outcome in outcomes) == list(range(10**6 - 640, 10**6))
        assert await used(client, "api", who, limit) == 640

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_c4_answers_that_are_cut_off_are_charged_at_most_once(name):
    async def body():
        who, limit = subject(), fixed_window(10**6, HOUR)
        with Proxy() as proxy:
            client = client_of(name, proxy.port, socket_timeout=None)
            errors = []
            limiter = limiter_of(
                client, limit=limit, on_unavailable="allow", on_overload="allow", on_outcome=lambda outcome: errors.append(outcome.error)
            )
            await settled(limiter.acquire(who))
            told = []

            def holes():
                for _ in range(6):
                    time.sleep(0.05)
                    proxy.cuts = not proxy.cuts

            thread = threading.Thread(target=holes)
            thread.start()
            while thread.is_alive():
                told += await together(limiter, who, 25, 4)
            told += await together(limiter, who, 25, 4)
        enforced = sum(outcome.enforced for outcome in told) + 1
        with administered() as admin:
            charged = await used(admin, "api", who, limit)
        assert enforced <= charged <= enforced + sum(error is not None and error.charged for error in errors)
        assert 100 <= enforced < len(told)

    run(body())


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", CLIENTS)
def test_c4_a_trip_that_meets_a_fault_charges_each_call_at_most_once(name, fault):
    units = 11 if name in ("Redis", "asyncio RedisCluster") else 1000

    async def body():
        if fault.endswith(("MOVED", "ASK")) and name not in CLUSTERS:
            return
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(CALLERS))
        client, limit = client_of(name, PROXY, socket_timeout=None), fixed_window(units, HOUR)
        limiter = limiter_of(client, limit=limit, on_overload="raise", timeout=timedelta(seconds=1) if "late" in fault else PATIENT)
        await settled(limiter.acquire("any"))
        servers_do("trip", fault)
        for _ in range(100):
            # A crowd of which three wait at the same time has such a trip.
            outcomes = await outcomes_of(limiter, who := subject())
            if met := servers_do("tripped"):
                break
        if "late" in fault:
            servers_do("release")
        _, maybe, refused = map(int, met.split())
        errors = [outcome for outcome in outcomes if isinstance(outcome, PenstockError)]
        counts = sum(error.charged for error in errors), len(errors)
        # At the deadline, the reply to the first command may be read.
        is_read = fault == "second late" and 1 <= counts[0] <= counts[1] <= maybe
        assert counts == (maybe, maybe + refused) or is_read
        granted = [outcome.remaining for outcome in outcomes if outcome not in errors and outcome.allowed]
        used_units = await used(client, "api", who, limit)
        assert len(set(granted)) == len(granted) <= used_units <= min(units, len(granted) + maybe)
        if maybe == 0:
            assert len(granted) == min(units, CALLERS - refused)

    run(body())


def test_c5_a_task_that_is_cancelled_leaves_its_unit_to_the_next():
    async def body():
        client, who, limit = client_of("asyncio Redis"), subject(), token_bucket(100, 1, DAYS)
        limiter = limiter_of(client, limit=limit)
        # The first eight go alone; the others wait for an answer, however long their beginning takes.
        limiter._sharing._took = 60_000
        tasks = [asyncio.create_task(limiter.acquire(who)) for _ in range(200)]
        await asyncio.sleep(0)
        for task in tasks[50:150]:
            task.cancel()
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        allowed = [at for at, outcome in enumerate(outcomes) if not isinstance(outcome, BaseException) and outcome.allowed]
        # Those that had not been sent were not charged; the others are few.
        assert allowed[:50] == list(range(50)) and len(allowed) >= 99
        assert (await limiter.peek(who)).remaining == 0

    run(body())


def test_c5_the_units_of_tasks_that_are_cancelled_after_they_were_sent_go_to_the_next():
    async def body():
        client, who, limit = client_of("asyncio Redis", PROXY, socket_timeout=None), subject(), fixed_window(11, HOUR)
        limiter = limiter_of(client, limit=limit)
        # There are as many connections as calls go alone.
        await asyncio.gather(*(limiter.acquire(subject()) for _ in range(8)))
        # The first eight go alone; the others wait for an answer.
        limiter._sharing._took = 60_000
        servers_do("trip", "second late")
        tasks = [asyncio.create_task(limiter.acquire(who)) for _ in range(CALLERS)]
        await asyncio.to_thread(servers_do, "held")
        for task in tasks[8:11]:
            task.cancel()
        await asyncio.wait(tasks[8:11])
        servers_do("release")
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        allowed = [at for at, outcome in enumerate(outcomes) if not isinstance(outcome, BaseException) and outcome.allowed]
        # Those that go alone may reach the server after the trip.
        alone = sum(call < 8 for call in allowed)
        assert allowed[alone:] == list(range(11, 22 - alone)) and await used(client, "api", who, limit) == 11

    run(body())


def test_c5_a_task_whose_deadline_has_passed_is_not_sent():
    async def body():
        client, who, limit = client_of("asyncio Redis"), subject(), fixed_window(1_000, HOUR)
        limiter = limiter_of(client, limit=limit, timeout=timedelta(seconds=2))
        await limiter.acquire("any")
        # The ninth call waits for the answers to the others for as long as these take.
        limiter._sharing._took = 60_000
        with administered() as admin:
            server = admin.info("server")["process_id"]
            os.kill(server, signal.SIGSTOP)
            try:
                sent = [asyncio.create_task(limiter.acquire(who)) for _ in range(8)]
                groups = limiter._sharing._of_loops[asyncio.get_running_loop()]
                while len(trips(limiter)) < 8:
                    await asyncio.sleep(0)
                (group,) = groups.values()
                late = asyncio.create_task(limiter.acquire(who))
                while not group.waiting:
                    await asyncio.sleep(0)
                group.waiting[0].timed.deadline = 0
            finally:
                os.kill(server, signal.SIGCONT)
        assert all([(await call).enforced for call in sent])
        assert not (await late).enforced
        assert await used(client, "api", who, limit) == 8

    run(body())


@pytest.mark.parametrize("name, timeout", [("Redis", PATIENT), ("Redis", timedelta(seconds=1)), ("asyncio Redis", PATIENT)])
def test_c5_a_client_that_is_closed_charges_each_call_of_a_trip_at_most_once(name, timeout):
    async def body():
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(CALLERS))
        client, limit = client_of(name, PROXY, socket_timeout=None), fixed_window(1000, HOUR)
        limiter, is_blocking = limiter_of(client, limit=limit, on_overload="raise", timeout=timeout), name == "Redis"
        await settled(limiter.acquire("any"))
        servers_do("trip", "first late")
        while not (met := servers_do("tripped")):
            crowd = asyncio.ensure_future(outcomes_of(limiter, who := subject()))
            while not crowd.done() and not servers_do("tripped"):
                await asyncio.sleep(0.01)
        await settled(client.close() if is_blocking else client.aclose())
        if is_blocking:
            # Both close idle connections only: the trip goes on, until its answer or its deadline.
            limiter.close()
            if timeout is PATIENT:
                servers_do("release")
        outcomes = await crowd
        servers_do("release")
        granted = [outcome.remaining for outcome in outcomes if not isinstance(outcome, PenstockError)]
        maybe = sum(isinstance(outcome, PenstockError) and outcome.charged for outcome in outcomes)
        assert maybe == 0 if is_blocking and timeout is PATIENT else maybe >= int(met.split()[0])
        assert len(set(granted)) == len(granted)
        # The next call connects anew.
        assert (await settled(limiter.acquire("any"))).enforced
        assert len(granted) <= await used(client, "api", who, limit) <= len(granted) + maybe

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_c4_a_trip_counts_once_for_the_circuit_breaker(name):
    async def body():
        breaker = CircuitBreaker(timedelta(minutes=10))
        client = client_of(name, PROXY, socket_timeout=None)
        limiter = limiter_of(client, timeout=PATIENT, circuit_breaker=breaker, on_unavailable="allow")
        await settled(limiter.acquire("any"))
        # The first eight go alone; the others wait for an answer, and share the trip.
        limiter._sharing._took = 60_000
        servers_do("trip", "first lost")
        servers_do("stop")
        try:
            crowd = asyncio.ensure_future(together(limiter, subject(), CALLERS, 1))
            while waiting(limiter) < CALLERS - 8 and not crowd.done():
                await asyncio.sleep(0.001)
        finally:
            servers_do("cont")
        outcomes = await crowd
        assert servers_do("tripped").split()[0] == "16" and not breaker.open
        assert sum(not outcome.enforced for outcome in outcomes) == 16
        with Proxy() as proxy:
            client = client_of(name, proxy.port, socket_timeout=None)
            limiter = limiter_of(client, timeout=timedelta(milliseconds=200), circuit_breaker=breaker, on_unavailable="allow")
            await settled(limiter.acquire("any"))
            proxy.hole = True
            # Those that go alone end at the deadline of the first.
            await together(limiter, "hot", 20, 1)
            assert breaker.open
            begun = time.monotonic()
            outcomes = await together(limiter, "hot", 20, 1)
            assert all(outcome.allowed and not outcome.enforced for outcome in outcomes)
            assert time.monotonic() - begun < 10

    run(body())


def groups_of(limiter):
    """The groups of calls that are under way, in this loop or of all threads."""
    sharing = limiter._sharing
    groups = sharing._groups if isinstance(limiter, RateLimiter) else sharing._of_loops.get(asyncio.get_running_loop(), {})
    return [group for group in list(groups.values()) if isinstance(group, TripGroup)]


def trips(limiter):
    return [trip for group in groups_of(limiter) for trip in group._trips]


def waiting(limiter):
    return sum(len(group.waiting) for group in groups_of(limiter))


def test_c4_a_trip_whose_first_call_is_cancelled_counts_for_the_circuit_breaker():
    async def body():
        breaker = CircuitBreaker(timedelta(minutes=10))
        with Proxy() as proxy:
            client = client_of("asyncio Redis", proxy.port, socket_timeout=None)
            limiter = limiter_of(client, timeout=timedelta(milliseconds=200), circuit_breaker=breaker, on_unavailable="allow")
            await limiter.acquire("any")
            proxy.hole = True
            for _ in range(8):
                calls = [asyncio.create_task(limiter.acquire("hot")) for _ in range(11)]
                while not breaker.open and not any(len(trip.calls) == 3 for trip in trips(limiter)):
                    await asyncio.sleep(0)
                # The eight that were sent alone, and the first of the trip.
                for call in calls[:9]:
                    call.cancel()
                await asyncio.gather(*calls, return_exceptions=True)
        assert breaker.open

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_c4_an_error_is_that_of_each_call(name):
    async def body():
        client, who, limit = client_of(name), subject(), token_bucket(10, 1, HOUR)
        limiter = limiter_of(client, limit=limit, timeout=PATIENT)
        await settled(limiter.acquire(who))
        with administered() as admin:
            (key,) = [each for each in admin.keys() if who.encode() in each]
            admin.delete(key)
            admin.lpush(key, "of another type")
        found = []

        async def call():
            try:
                await settled(asyncio.to_thread(limiter.acquire, who) if name == "Redis" else limiter.acquire(who))
            except PenstockError as error:
                found.append(str(error))

        await asyncio.gather(*(call() for _ in range(30)))
        assert len(found) == 30 and all("WRONGTYPE" in each for each in found)

    run(body())


def test_c5_a_thread_that_is_interrupted_leaves_the_others():
    client, who, limit = redis.Redis(port=REDIS), subject(), fixed_window(1_000, HOUR)
    limiter = limiter_of(client, limit=limit)
    limiter.acquire(who)
    exchange, failed = limiter._transport.exchange, []

    def interrupted(commands, deadline):
        if len(commands) == 2 and not failed:
            failed.append(threading.current_thread().name)
            raise KeyboardInterrupt
        time.sleep(0.005)
        return exchange(commands, deadline)

    limiter._transport.exchange = interrupted
    ends = []

    def work():
        try:
            for _ in range(10):
                ends.append(limiter.acquire(who).enforced)
        except (KeyboardInterrupt, PenstockError) as error:
            ends.append(type(error).__name__)

    threads = [threading.Thread(target=work) for _ in range(CALLERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert ends.count("KeyboardInterrupt") == 1 and ends.count("MaybeChargedError") >= 1
    # This trip was not sent, which its other calls do not know.
    assert asyncio.run(used(client, "api", who, limit)) == 1 + ends.count(True)
    assert not limiter._sharing._groups
