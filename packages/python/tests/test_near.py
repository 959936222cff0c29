"""Denials that are known without asking: near.json with a clock of the test's own, and the limiters on a real server."""

import threading
from datetime import timedelta

import penstock_redis._near as near
import pytest
from penstock_redis import Decision, fixed_window, parse_limit
from servers import vectors
from test_failures import SHORT, administered, faulty
from test_limiter import CLIENTS, HOUR, SINGLE, client_of, limiter_of, run, settled, subject

FIVE = fixed_window(5, HOUR)


@pytest.mark.parametrize("sequence", vectors("near", "sequences"))
def test_near_json(sequence, monkeypatch):
    now, wall = 0, 1_763_712_000_000_000
    monkeypatch.setattr(near, "monotonic_ns", lambda: now * 1_000)
    monkeypatch.setattr(near, "time_ns", lambda: (wall + now) * 1_000)
    memory, sent_by = near.DenialMemory(), {}
    for step in sequence["steps"]:
        # The clocks of whatever is sent until this step.
        for later in (each for each in sequence["steps"] if now <= each.get("sent_us", -1) <= step["at_us"]):
            before, now = now, later["sent_us"]
            sent_by.setdefault(now, near.clocks())
            now = before
        now = step["at_us"]
        call = step.get("denied") or step.get("asked") or {}
        asked = (call.get("key", "").encode(), parse_limit(call.get("limit", "fixed-window:1/1s")), call.get("cost"))
        if "denied" in step:
            memory.remember(*asked, Decision(*step["reply"]), sent_by[step["sent_us"]], now * 1_000)
        elif "asked" in step:
            told = memory.find(*asked, sequence["most_us"] * 1_000)
            assert told == (step["told"] and Decision(*step["told"])), step
        elif "given_back" in step:
            memory.forget(step["given_back"].encode())
        else:
            wall += step["wall_steps_us"]


def test_as_many_are_remembered_as_may_be():
    memory, denied = near.DenialMemory(1_000), Decision(0, 5, 0, 3_600_000_000, 3_600_000_000, 1)
    keys = [b"penstock:api:{%d}:w1" % at for at in range(5_000)]
    for key in keys:
        memory.remember(key, FIVE, 1, denied, near.clocks(), near.monotonic_ns())
    assert 500 <= sum(memory.find(key, FIVE, 1, 10**18) is not None for key in keys) <= 1_000
    assert memory.find(keys[-1], FIVE, 1, 10**18) is not None
    memory.remember(b"k" * 513, FIVE, 1, denied, near.clocks(), near.monotonic_ns())
    assert memory.find(b"k" * 513, FIVE, 1, 10**18) is None


def test_threads_share_a_memory():
    memory, denied = near.DenialMemory(10), Decision(0, 5, 0, 3_600_000_000, 3_600_000_000, 1)
    wrong = []

    def use(number):
        for at in range(2_000):
            key = b"%d" % ((at + number) % 30)
            memory.remember(key, FIVE, int(key) + 1, denied, near.clocks(), near.monotonic_ns())
            found = memory.find(key, FIVE, int(key) + 1, 10**18)
            if found is not None and found.limit != 5:
                wrong.append(found)

    threads = [threading.Thread(target=use, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and len(memory._young) + len(memory._old) <= 10


@pytest.mark.parametrize("name", CLIENTS)
def test_a_denial_that_is_known_sends_nothing(name):
    async def body():
        client, who = client_of(name), subject()
        limiter = limiter_of(client, limit=FIVE, remember_denials=HOUR)
        other = limiter_of(client, limit=FIVE, remember_denials=HOUR)
        assert await settled(limiter.acquire(who, 5))
        denied = await settled(limiter.acquire(who, 2))
        # As if somebody else had given it back: only memory denies now.
        await settled(client.delete(limiter._key(who)))
        for call in (lambda: other.acquire(who, 2), lambda: limiter.acquire(who, 5), lambda: limiter.acquire_up_to(who, 9, 2)):
            known = await settled(call())
            assert (known.allowed, known.limit, known.remaining, known.enforced) == (False, 5, 0, True)
            assert 0 < known.wait_us <= denied.wait_us
        # Another limit, a smaller cost, no memory, a peek and a subject of its own ask.
        assert await settled(limiter_of(client, limit=fixed_window(6, HOUR), remember_denials=HOUR).acquire(who, 2))
        assert await settled(limiter.acquire(who, 1))
        assert (await settled(limiter.peek(who))).remaining == 2
        assert await settled(limiter_of(client, limit=FIVE).acquire(who, 2))
        # One unit is denied now, and a batch knows it.
        assert not await settled(limiter.acquire(who))
        await settled(client.delete(limiter._key(who)))
        first, last, second = await settled(limiter.acquire_all([who, subject(), who]))
        assert (first.allowed, last.allowed, second.allowed) == (False, True, False)
        # What is given back is seen at once.
        await settled(other.refund(who, 1))
        assert await settled(limiter.acquire(who))

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_a_denial_is_known_while_the_server_is_stopped_and_an_outage_is_not(name):
    async def body():
        client, who, other = client_of(name), subject(), subject()
        patient = limiter_of(client, limit=FIVE, remember_denials=HOUR)
        assert await settled(patient.acquire(who, 5)) and not await settled(patient.acquire(who))
        limiter = limiter_of(client, limit=FIVE, remember_denials=HOUR, timeout=SHORT, on_unavailable="deny")
        with faulty("stop", "cont"):
            assert (await settled(limiter.acquire(who))).enforced
            assert not (await settled(limiter.acquire(other))).enforced
        assert await settled(patient.acquire(other))

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_a_refund_that_fails_forgets(name):
    async def body():
        client, who = client_of(name), subject()
        limiter = limiter_of(client, limit=FIVE, remember_denials=HOUR)
        assert await settled(limiter.acquire(who, 5)) and not await settled(limiter.acquire(who))
        with administered() as admin:
            admin.set(limiter._key(who), "x")
            with pytest.raises(Exception, match="state must be"):
                await settled(limiter.reset(who))
            admin.delete(limiter._key(who))
        assert await settled(limiter.acquire(who))

    run(body())


def test_a_time_that_is_none():
    with pytest.raises(TypeError, match="^remember_denials must be a timedelta"):
        limiter_of(client_of("Redis"), remember_denials=0.1)
    with pytest.raises(ValueError, match="^remember_denials must be"):
        limiter_of(client_of("Redis"), remember_denials=timedelta(seconds=-1))
