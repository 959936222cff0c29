"""The limiters on a real server, on a real cluster, and through a proxy that loses answers."""

import asyncio
import contextlib
import inspect
import uuid
from datetime import timedelta

import pytest
import redis
import redis.asyncio
from penstock_redis import AsyncRateLimiter, FailureKind, MaybeChargedError, MisconfiguredError, NoDecisionError, RateLimiter
from penstock_redis import fixed_window, key, leaky_bucket, proves_not_run, token_bucket
from servers import CLUSTER, FORMS, MEASURES, PREFIX, PROXY, REDIS, measured, servers_do

HOUR = timedelta(hours=1)
# Longer than a machine stalls.
PATIENT = timedelta(minutes=1)
WINDOW = fixed_window(1000, HOUR)
SINGLE = {"Redis": redis.Redis, "asyncio Redis": redis.asyncio.Redis}
CLUSTERS = {"RedisCluster": redis.RedisCluster, "asyncio RedisCluster": redis.asyncio.RedisCluster}
CLIENTS = {**SINGLE, **CLUSTERS}


def client_of(name, port=REDIS, **options):
    """A client of the single server's port, or of the cluster. It waits for an answer longer than a machine stalls."""
    return CLIENTS[name](host="127.0.0.1", port=CLUSTER if name in CLUSTERS else port, **{"socket_timeout": 60, **options})


def limiter_of(client, policy="api", limit=WINDOW, **options):
    kind = AsyncRateLimiter if inspect.iscoroutinefunction(type(client).execute_command) else RateLimiter
    return kind(client, policy, limit, prefix=PREFIX, **{"timeout": PATIENT, **options})


async def settled(value):
    return await value if inspect.isawaitable(value) else value


def run(body):
    """Runs a test's coroutine with what it awaits, blocking or not; the client is closed with the loop."""
    asyncio.run(asyncio.wait_for(body, 120))


def subject():
    return uuid.uuid4().hex


async def used(client, policy, who, limit=WINDOW):
    """The units in a fixed window, read without a script."""
    state = await settled(client.get(key(policy, who, limit, PREFIX)))
    return int(state.split(b":")[1]) if state else 0


async def await_used(client, policy, who, units):
    """Waits until so many units are used: a proxy may be slow to pass on what its client has given up."""
    for _ in range(600):
        if (count := await used(client, policy, who)) == units:
            break
        await asyncio.sleep(0.1)
    assert count == units


async def connected(client, *subjects):
    """Makes the connections for these subjects: a call that waits for one may end before it is sent."""
    for _ in range(60):
        outcomes = await settled(limiter_of(client).acquire_all(subjects))
        if not any(isinstance(outcome, Exception) for outcome in outcomes):
            break
    else:
        raise AssertionError(outcomes)


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.parametrize("form", FORMS)
def test_all_that_a_limiter_does(name, form):
    async def body():
        client = client_of(name)
        limit = token_bucket(10, 1, HOUR) & token_bucket(20, 1, HOUR)
        limiter = limiter_of(client, limit=limit, functions=form == "FCALL")
        if form == "FCALL":
            await settled(limiter.load_functions())
        who, other = subject(), subject()
        first = await settled(limiter.acquire(who, 4))
        assert (first.allowed, first.limit, first.remaining, first.tier) == (True, 10, 6, 1)
        assert not (await settled(limiter.acquire(who, 7))).allowed
        assert (await settled(limiter.acquire(who, 11))).impossible
        assert (await settled(limiter.peek(who))).remaining == 6
        assert (await settled(limiter.refund(who, 3))).remaining == 9
        many = await settled(limiter.acquire_all([who, other, who, *(subject() for _ in range(20))]))
        assert [decision.remaining for decision in many] == [8, 9, 7] + [9] * 20
        each = await settled(limiter.acquire_each([(who, 2), (other, 3), (who, 10), (other, 0), (subject().encode(), 4)]))
        assert [getattr(outcome, "remaining", None) for outcome in each] == [5, 6, 5, None, 6] and not each[2]
        assert str(each[3]).startswith("cost must")
        assert (await settled(limiter.reset(who))).remaining == 10
        some = await settled(limiter.acquire_up_to(who, 64, cost=3))
        assert (some.granted, some.allowed, some.remaining, some.retry_after) == (3, True, 1, timedelta(0))
        none = await settled(limiter.acquire_up_to(who, 64, cost=3))
        assert (none.granted, none.allowed, none.retry_after > timedelta(0)) == (0, False, True)
        await settled(limiter.reset(who))
        assert await settled(client.exists(key("api", who, limit, PREFIX))) == 0
        turns = limiter_of(client, limit=leaky_bucket(10, 1, timedelta(seconds=10)), functions=form == "FCALL")
        await settled(turns.acquire(who))
        assert timedelta(0) < (await settled(turns.acquire(who))).delay <= timedelta(seconds=10)
        with pytest.raises(ValueError, match="^cost must"):
            await settled(limiter.acquire(who, 0))
        with pytest.raises(ValueError, match="^calls must"):
            await settled(limiter.acquire_up_to(who, 10**11 + 1, cost=10))
        with pytest.raises(ValueError, match="^subject must"):
            await settled(limiter.acquire(""))

    run(body())


@pytest.mark.parametrize("name", CLIENTS)
def test_a_batch_has_at_most_10_000_calls(name):
    async def body():
        client, who, limit = client_of(name), subject(), fixed_window(10_000, HOUR)
        limiter = limiter_of(client, limit=limit)
        with pytest.raises(ValueError, match="^subjects must be at most 10000 in a batch: 10001$"):
            await settled(limiter.acquire_all([who] * 10_001))
        with pytest.raises(ValueError, match="^calls must be at most 10000 in a batch: 10001$"):
            await settled(limiter.acquire_each([(who, 1)] * 10_001))
        assert await used(client, "api", who, limit) == 0
        outcomes = await settled(limiter.acquire_all([who] * 10_000))
        assert [outcome.remaining for outcome in outcomes] == list(range(9_999, -1, -1))

    run(body())


@pytest.mark.parametrize("name", CLIENTS)
def test_a_batch_says_what_is_wrong_in_its_place(name):
    async def body():
        limiter = limiter_of(client_of(name))
        good, empty, half, number, last = await settled(limiter.acquire_all([subject(), "", "\ud83d", 42, subject()]))
        assert (good.remaining, last.remaining) == (999, 999)
        assert [type(wrong) for wrong in (empty, half, number)] == [ValueError, ValueError, TypeError]
        assert [type(wrong) for wrong in await settled(limiter.acquire_all([""]))] == [ValueError]
        assert await settled(limiter.acquire_all([])) == []
        for one in ("abc", b"abc"):
            with pytest.raises(TypeError, match="^subjects must be a collection"):
                await settled(limiter.acquire_all(one))
            with pytest.raises(TypeError, match="^calls must be pairs"):
                await settled(limiter.acquire_each([one]))
            assert (await settled(limiter.peek(one[:1]))).remaining == 1000

    run(body())


@pytest.mark.parametrize("made, message", [
    (lambda: RateLimiter(redis.asyncio.Redis(), "api", WINDOW), "client must be redis.Redis .*AsyncRateLimiter.*: redis.asyncio.client"),
    (lambda: AsyncRateLimiter(redis.Redis(), "api", WINDOW), "client must be redis.asyncio.Redis .*RateLimiter.*: redis.client.Redis"),
    (lambda: RateLimiter("redis://localhost", "api", WINDOW), "client must be redis.Redis .*: builtins.str"),
    (lambda: RateLimiter(redis.Redis(), "api", "token-bucket"), "limit must be made by a function"),
])  # fmt: skip
def test_what_is_put_together_in_a_wrong_way_is_said_at_once(made, message):
    with pytest.raises(TypeError, match=f"^{message}"):
        made()


def test_two_slots_prove_it():
    client = client_of("RedisCluster")
    with pytest.raises(redis.RedisError) as crossed:
        client.execute_command("EVALSHA", WINDOW.script.sha1, 2, "a", "b", 1, target_nodes=client.get_default_node())
    assert proves_not_run(crossed.value)


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.skipif("FCALL" not in FORMS, reason="the server has no Functions")
def test_functions_are_loaded_on_every_master(name):
    async def body():
        limiter = limiter_of(client_of(name), functions=True)
        servers_do("flush")
        with pytest.raises(MisconfiguredError, match="the configuration is wrong: Function not found"):
            await settled(limiter.acquire(subject()))
        await settled(limiter.load_functions())
        for port in servers_do("masters").split() if name in CLUSTERS else [REDIS]:
            assert redis.Redis(port=port).function_list("penstock_1"), port
        outcomes = await settled(limiter.acquire_all([subject() for _ in range(50)]))
        assert [decision.remaining for decision in outcomes] == [999] * 50

    run(body())


@pytest.mark.parametrize("name", CLUSTERS)
@pytest.mark.parametrize("batch", [False, True], ids=["alone", "in a batch"])
@pytest.mark.parametrize("flushed", [False, True], ids=["known", "NOSCRIPT"])
def test_moved_and_ask_are_followed(name, batch, flushed):
    async def body():
        limiter = limiter_of(client_of(name))

        async def remaining(who):
            if flushed:
                servers_do("flush")
            if not batch:
                return (await settled(limiter.acquire(who))).remaining
            answers = await settled(limiter.acquire_all([who, *(subject() for _ in range(9))]))
            assert [getattr(answer, "remaining", answer) for answer in answers[1:]] == [999] * 9
            return getattr(answers[0], "remaining", answers[0])

        await remaining(subject())
        moved = subject()
        servers_do("move", key("api", moved, WINDOW, PREFIX))
        assert [await remaining(moved) for _ in range(3)] == [999, 998, 997]
        asked = subject()
        servers_do("ask", key("api", asked, WINDOW, PREFIX))
        try:
            assert [await remaining(asked) for _ in range(3)] == [999, 998, 997]
        finally:
            servers_do("move", key("api", asked, WINDOW, PREFIX))

    run(body())


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.parametrize("fault", ["lost", "late"])
def test_charged_once(name, fault):
    async def body():
        servers_do("load", said=WINDOW.script.source)
        counter, who, raw = client_of(name), subject(), subject()
        client = client_of(name, PROXY)
        limiter = limiter_of(client, fault, timeout=timedelta(seconds=1))
        await connected(client, who)
        with pytest.raises(MaybeChargedError):
            await settled(limiter.acquire(who))
        await await_used(counter, fault, who, 1)
        await connected(client, who)
        with pytest.raises(MaybeChargedError):
            await settled(limiter.refund(who, 1))
        await await_used(counter, fault, who, 0)
        with pytest.raises(NoDecisionError) as raised:
            await settled(limiter.peek(who))
        assert not raised.value.charged and not isinstance(raised.value, MaybeChargedError)
        batch = [subject() for _ in range(3)]
        await connected(client, *batch)
        for outcome in await settled(limiter.acquire_all(batch)):
            # Denied as an overload if the server has answered something else meanwhile.
            assert isinstance(outcome, MaybeChargedError) or not (outcome.allowed or outcome.enforced), outcome
        for each in batch:
            await await_used(counter, fault, each, 1)
        if not MEASURES:
            return
        by_default = client_of(name, PROXY, socket_timeout=0.3)
        with pytest.raises(redis.RedisError):
            await settled(by_default.evalsha(WINDOW.script.sha1, 1, key(fault, raw, WINDOW, PREFIX), 1, *WINDOW.arguments))
        measured(f"redis-py `{name}()`", redis.__version__, fault, await used(counter, fault, raw), 1)

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_a_connection_that_the_server_closed_is_replaced(name):
    async def body():
        limiter, who = limiter_of(client_of(name)), subject()
        assert (await settled(limiter.acquire(who))).remaining == 999
        await asyncio.to_thread(servers_do, "kill")
        assert (await settled(limiter.acquire(who))).remaining == 998

    run(body())


def test_a_cancelled_call_leaves_no_answer_behind():
    async def body():
        client = client_of("asyncio Redis", PROXY, max_connections=1)
        call = asyncio.create_task(limiter_of(client, "late").acquire(subject()))
        await asyncio.to_thread(servers_do, "held")
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert await client.ping() is True
        assert (await limiter_of(client).acquire(subject())).remaining == 999

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_a_listener_is_told_of_each_outcome(name, caplog):
    async def body():
        told, who, other = [], subject(), subject()
        client = client_of(name)
        limiter = limiter_of(client, limit=fixed_window(1, HOUR), remember_denials=HOUR, on_outcome=told.append)
        await settled(limiter.acquire_all([who, "", other]))
        for _ in range(2):
            await settled(limiter.acquire(who))
        assert [outcome.decision.allowed for outcome in told] == [True, True, False, False]
        assert {(outcome.policy, outcome.error) for outcome in told} == {("api", None)}
        assert [outcome.key for outcome in told] == [limiter._key(each) for each in (who, other, who, who)]
        away = client_of(name, port=1)
        for choice, calls in (("deny", 1), ("raise", 0)):
            told.clear()
            limiter = limiter_of(away, timeout=timedelta(seconds=1), on_unavailable=choice, on_outcome=told.append)
            for call in (lambda: limiter.acquire(who), lambda: limiter.peek(who)):
                with contextlib.suppress(NoDecisionError):
                    await settled(call())
            assert [outcome.decision is not None for outcome in told] == [bool(calls), False]
            assert all(isinstance(outcome.error, NoDecisionError) for outcome in told)

        def raising(outcome):
            raise ValueError("a mistake of the program")

        assert await settled(limiter_of(client, on_outcome=raising).acquire(who))
        assert "policy api: on_outcome raised" in caplog.text

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_a_trace_is_around_each_trip(name):
    async def body():
        seen = []

        @contextlib.contextmanager
        def trace(span):
            seen.append(f"> {span}")
            try:
                yield
            except Exception as error:
                seen.append(f"{type(error).__name__}")
                raise
            seen.append("<")

        limiter = limiter_of(client_of(name), trace=trace)
        await settled(limiter.acquire(subject()))
        await settled(limiter.acquire_all([subject(), subject()]))
        with pytest.raises(NoDecisionError):
            await settled(limiter_of(client_of(name, port=1), trace=trace).peek(subject()))
        assert seen == ["> penstock api", "<", "> penstock api", "<", "> penstock api", "NoDecisionError"]

    run(body())
