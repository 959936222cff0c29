"""Rule F2 on a real server and through a proxy: what opens a limit, and what does not."""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import types
from datetime import timedelta

import penstock_redis._verdict
import pytest
import redis
import redis.asyncio
from penstock_redis import AsyncRateLimiter, MisconfiguredError, RateLimiter, key
from penstock_redis._loop_asking import LoopAsker
from redis.asyncio.cluster import ClusterNode
from servers import FORMS, PREFIX, REDIS
from test_failures import administered, faulty, opened, opens_nothing
from test_limiter import CLUSTERS, PATIENT, SINGLE, WINDOW, client_of, limiter_of, run, settled, subject

SHORT = timedelta(milliseconds=100)


class Proxy:
    """Passes on to the single server, late or not at all, or cuts a connection in place of an answer."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.port = self.listener.getsockname()[1]
        self.number, self.hole, self.cuts, self.holds, self.forgets = 0, False, False, 0.0, set()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                self.number += 1
                server = socket.create_connection(("127.0.0.1", REDIS))
                for one, other, forth in ((connection, server, True), (server, connection, False)):
                    threading.Thread(target=self._pass_on, args=(one, other, forth, self.number), daemon=True).start()

    def _pass_on(self, source, sink, forth, number):
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                if not forth and self.holds:
                    time.sleep(self.holds)
                if self.cuts and not forth:
                    break
                if not self.hole and number not in self.forgets:
                    sink.sendall(data)
        for each in (source, sink):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def forget(self):
        """Drops what comes on the connections that there are, as a firewall does which has forgotten them."""
        self.forgets = set(range(1, self.number + 1))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()


async def until_asked(limiter, before=None):
    """Calls until a connection of the question, another one than that before, has been answered."""
    with administered() as admin:
        for _ in range(600):
            await settled(limiter.acquire(subject()))
            asker = asker_of(limiter)
            newest = asker and asker._machine._newest
            if newest and newest is not before and newest.heard and not newest.overdue:
                return asker
            await asyncio.sleep(0.05)
    raise AssertionError("no connection for the question")


def asker_of(limiter):
    from penstock_redis import _connections, _exchange

    if isinstance(limiter, AsyncRateLimiter):
        return next((each._asker for each in _exchange._of_clients.get(limiter._client, {}).values()), None)
    found = _connections._of_pools.get(limiter._client.connection_pool)
    return found and found._asker


async def many(limiter, number):
    """The decisions of so many calls at once."""
    if isinstance(limiter, AsyncRateLimiter):
        return await asyncio.gather(*(limiter.acquire(subject()) for _ in range(number)))
    decisions = []
    threads = [threading.Thread(target=lambda: decisions.append(limiter.acquire(subject()))) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        await asyncio.to_thread(thread.join)
    assert len(decisions) == number
    return decisions


async def one_by_one(limiter, times, *subjects):
    """The decisions of calls one after another."""
    return [await settled(limiter.acquire(who)) for _ in range(times) for who in subjects or (subject(),)]


@pytest.mark.parametrize("name", SINGLE)
def test_a_flood_opens_nothing_while_the_server_answers_and_all_of_it_when_it_is_stopped(name):
    async def body():
        limiter = limiter_of(client_of(name), timeout=timedelta(milliseconds=20), on_unavailable="allow")
        await until_asked(limiter)
        await opens_nothing(lambda: many(limiter, 300))
        with faulty("stop", "cont"):
            # The last answers may be younger than 100 ms.
            await asyncio.sleep(0.2)
            assert opened(await many(limiter, 300)) == 300

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_f2_10_a_listener_is_told_of_each_verdict(name):
    async def body():
        told, others, client = [], [], client_of(name)

        def raising(change):
            others.append(change)
            raise ValueError("a mistake of the program")

        options = {"timeout": timedelta(milliseconds=100), "on_unavailable": "allow"}
        limiter = limiter_of(client, on_verdict=raising, **options)
        limiter_of(client, on_verdict=told.append)
        await until_asked(limiter)
        with faulty("stop", "cont"):
            while not told:
                await settled(limiter.acquire(subject()))
        while len(told) == 1:
            await settled(limiter.acquire(subject()))
        assert [each[:3] for each in told] == [(f"127.0.0.1:{REDIS}", "silent", "up"), (f"127.0.0.1:{REDIS}", "up", "silent")]
        assert told == others and all(each.lasted > timedelta() and each.error is None for each in told)

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_the_answer_to_the_question_is_held_back_as_a_lost_segment_holds_it(name):
    async def body():
        with Proxy() as proxy:
            limiter = limiter_of(client_of(name, proxy.port), timeout=timedelta(milliseconds=20), on_unavailable="allow")
            await until_asked(limiter)
            proxy.holds = 0.22
            # The 30 ms that are left until P are few on a busy machine, whose proxy is late, too.
            for _ in range(20):
                # Else the last answers may be younger than 100 ms.
                await asyncio.sleep(0.2)
                if not opened(await many(limiter, 200)):
                    return
            raise AssertionError("each burst opened")

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_the_connection_of_the_question_comes_late(name, monkeypatch):
    async def body():
        # As where a SYN is lost, which is sent again after 1 s: nothing is heard until then. A machine that stalls needs the rest of 1.2 s.
        kind = client_of(name).connection_pool.connection_class
        make, first = kind.connect, []
        with administered() as admin:
            server = admin.info("server")["process_id"]

        @contextlib.contextmanager
        def stopped():
            first.append(server)
            os.kill(server, signal.SIGSTOP)
            try:
                yield 0.5
            finally:
                os.kill(server, signal.SIGCONT)

        def slow(connection):
            if threading.current_thread().name != "MainThread" and not first:
                with stopped() as seconds:
                    time.sleep(seconds)
            return make(connection)

        async def slow_too(connection):
            if connection.socket_timeout is None and not first:
                with stopped() as seconds:
                    await asyncio.sleep(seconds)
            return await make(connection)

        monkeypatch.setattr(kind, "connect", slow_too if "asyncio" in name else slow)

        async def burst():
            first.clear()
            limiter = limiter_of(client_of(name), timeout=timedelta(milliseconds=20), on_unavailable="allow")
            decisions = [limiter.acquire(subject())] if name == "Redis" else []
            while asker_of(limiter) is None or not asker_of(limiter)._machine._questions:
                decisions += await many(limiter, 100)
            assert first
            return decisions

        await opens_nothing(burst)

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_a_process_that_stands_still_opens_nothing(name):
    body = f"""
import asyncio, sys, threading, time
sys.path.insert(0, {os.path.dirname(__file__)!r})
from test_lateness import *
async def body():
    limiter = limiter_of(client_of({name!r}), timeout=timedelta(milliseconds=50), on_unavailable="allow")
    await until_asked(limiter)
    print("ready", flush=True)
    count = 0
    until = time.monotonic() + 4
    while time.monotonic() < until:
        count += opened(await many(limiter, 20))
    print(count, flush=True)
asyncio.run(body())
"""
    counts = []
    while "0\n" not in counts:
        # As opens_nothing does.
        assert len(counts) < 3, counts
        process = subprocess.Popen([sys.executable, "-c", body], stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout.readline() == "ready\n"
            for _ in range(2):
                time.sleep(0.3)
                process.send_signal(signal.SIGSTOP)
                time.sleep(1)
                process.send_signal(signal.SIGCONT)
            counts.append(process.communicate(timeout=60)[0])
        finally:
            process.kill()


def test_a_loop_that_is_blocked_for_2_s_opens_nothing():
    async def body():
        limiter = limiter_of(client_of("asyncio Redis"), timeout=SHORT, on_unavailable="allow")
        await until_asked(limiter)

        async def burst():
            calls = [asyncio.ensure_future(limiter.acquire(subject())) for _ in range(200)]
            for _ in range(5):
                await asyncio.sleep(0)
            time.sleep(2)
            return await asyncio.gather(*calls)

        await opens_nothing(burst)

    run(body())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_fork_after_the_first_call_asks_anew():
    async def body():
        limiter = limiter_of(client_of("Redis"), timeout=timedelta(milliseconds=20), on_unavailable="allow")
        asker = await until_asked(limiter)
        code = f"""
import asyncio, os, sys
sys.path.insert(0, {os.path.dirname(__file__)!r})
from test_lateness import *
async def parent():
    limiter = limiter_of(client_of("Redis"), timeout=timedelta(milliseconds=20), on_unavailable="allow")
    await until_asked(limiter)
    return limiter
limiter = asyncio.run(parent())
if os.fork():
    sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))
assert asker_of(limiter) is None
asyncio.run(opens_nothing(lambda: many(limiter, 200)))
asyncio.run(until_asked(limiter))
asyncio.run(opens_nothing(lambda: many(limiter, 200)))
os._exit(0)
"""
        assert subprocess.run([sys.executable, "-c", code], timeout=100).returncode == 0
        assert asker_of(limiter) is asker

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_connections_that_are_forgotten_heal(name):
    async def body():
        with Proxy() as proxy:
            limiter = limiter_of(client_of(name, proxy.port), timeout=SHORT, on_unavailable="allow")
            asker = await until_asked(limiter)
            forgotten = asker._machine._newest
            proxy.forget()
            # A failover: the old connections are silent, and the question finds the server again by a new one.
            begun = time.monotonic()
            while not (await settled(limiter.acquire(subject()))).enforced:
                assert time.monotonic() - begun < 90
            await until_asked(limiter, forgotten)
            await opens_nothing(lambda: many(limiter, 100))

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_a_frozen_process_whose_connections_are_forgotten_opens_nothing(name, monkeypatch):
    async def body():
        # A moved clock in place of 40 s.
        moved = 0.0
        from penstock_redis import _asking, _loop_asking

        for module in (_asking, _loop_asking):
            monkeypatch.setattr(module, "clock", lambda: time.monotonic() * 1_000 + moved)
        with Proxy() as proxy:
            limiter = limiter_of(client_of(name, proxy.port), timeout=SHORT, on_unavailable="allow")
            await until_asked(limiter)

            async def burst():
                nonlocal moved
                proxy.forget()
                moved += 40_000
                return await many(limiter, 20)

            await opens_nothing(burst)

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_a_wrong_password_is_thrown_and_a_rotated_one_opens_nothing(name, monkeypatch):
    async def body():
        # The connection of the question is the second.
        monkeypatch.setattr(penstock_redis._verdict, "random", types.SimpleNamespace(uniform=lambda least, most: 500))
        with administered() as admin:
            who = subject()
            admin.acl_setuser(who, enabled=True, passwords=["+one"], keys=["*"], commands=["+@all"])
            try:
                limiter = limiter_of(client_of(name, username=who, password="one"), timeout=SHORT, on_unavailable="allow")
                await until_asked(limiter)
                admin.acl_setuser(who, enabled=True, reset_passwords=True, passwords=["+two"])
                # Older connections are answered; that of the question is cut, and refused when it is made again.
                # The one that was made last.
                admin.client_kill_filter(_id=max((each["id"] for each in admin.client_list() if each["user"] == who), key=int))
                await opens_nothing(lambda: one_by_one(limiter, 20))
                admin.execute_command("CLIENT", "KILL", "USER", who)
                with pytest.raises(MisconfiguredError):
                    await one_by_one(limiter, 200)
            finally:
                admin.acl_deluser(who)

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_a_server_that_has_reached_its_limit_of_clients_opens_nothing_while_older_connections_are_answered(name):
    async def body():
        with administered() as admin:
            limiter = limiter_of(client_of(name), timeout=timedelta(milliseconds=300), on_unavailable="allow")
            # A connection of calls, and no question yet.
            with pytest.MonkeyPatch.context() as patched:
                patched.setattr(penstock_redis._verdict, "VERDICT_SPREAD_MS", 10**9)
                await settled(limiter.acquire(subject()))
            before = admin.config_get("maxclients")["maxclients"]
            admin.config_set("maxclients", int(admin.info("clients")["connected_clients"]))
            try:
                await opens_nothing(lambda: one_by_one(limiter, 20))
            finally:
                admin.config_set("maxclients", before)

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_a_user_with_the_rights_for_scripts_only(name):
    async def body():
        with administered() as admin:
            who = subject()
            commands = ["+evalsha", "+eval", "+get", "+set", "+del", "+time", "+hello"]
            admin.acl_setuser(who, enabled=True, passwords=["+one"], keys=["*"], commands=["-@all", *commands])
            try:
                client = client_of(name, username=who, password="one")
                limiter = limiter_of(client, timeout=timedelta(milliseconds=20), on_unavailable="allow")
                await until_asked(limiter)
                await opens_nothing(lambda: many(limiter, 200))
            finally:
                admin.acl_deluser(who)

    run(body())


# Redis 6.0, which has no Functions, cannot pause writes alone.
@pytest.mark.parametrize("kind", ("stop", "hole", "pause") if "FCALL" in FORMS else ("stop", "hole"))
@pytest.mark.parametrize("name", SINGLE)
def test_an_outage_opens_every_call_with_few_attempts_to_connect(name, kind):
    async def body():
        with Proxy() as proxy, administered() as admin:
            limiter = limiter_of(client_of(name, proxy.port), timeout=SHORT, on_unavailable="allow")
            await until_asked(limiter)
            if kind == "pause":
                admin.execute_command("CLIENT", "PAUSE", 20_000, "WRITE")
            proxy.hole = kind == "hole"
            with faulty("stop", "cont") if kind == "stop" else contextlib.nullcontext():
                try:
                    # The last answers may be younger than 100 ms; the first call that is late learns of the outage.
                    await asyncio.sleep(0.2)
                    begun, before = time.monotonic(), proxy.number
                    assert opened(await many(limiter, 50)) == 50
                    for _ in range(5):
                        assert opened(await many(limiter, 5)) == 5
                    # As many as calls before the question was put, and one after; those of the question are 2.5 s apart or more.
                    assert proxy.number - before <= 52 + (time.monotonic() - begun) / 2.5
                finally:
                    if kind == "pause":
                        admin.execute_command("CLIENT", "UNPAUSE")

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_without_a_connection_for_the_question_it_goes_the_way_of_calls(name):
    async def body():
        client = client_of(name)
        limiter = limiter_of(client, timeout=SHORT, on_unavailable="allow", verdict_connection=False)
        await until_asked(limiter)
        with faulty("stop", "cont"):
            await asyncio.sleep(0.2)
            assert opened(await many(limiter, 3)) == 3
        with pytest.raises(TypeError, match="^verdict_connection must be True or False: 1"):
            limiter_of(client, verdict_connection=1)

    run(body())


def test_a_check_that_loses_its_cancellation_ends_with_its_loop():
    async def body():
        others = asyncio.all_tasks()
        limiter = limiter_of(client_of("asyncio Redis"), timeout=SHORT, verdict_connection=False)
        asker, begun = await until_asked(limiter), asyncio.Event()

        async def losing(command):
            """As asyncio.wait_for before Python 3.12."""
            begun.set()
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(PATIENT.total_seconds())

        asker._asks_as_call = losing
        with faulty("stop", "cont"):
            call = asyncio.ensure_future(limiter.acquire(subject()))
            await begun.wait()
        await settled(call)
        tasks = asyncio.all_tasks() - others
        for task in tasks:
            task.cancel()
        # The check's connection is closed after 60 s without calls, and its task ended.
        assert tasks and not (await asyncio.wait(tasks, timeout=30))[1]

    run(body())


def text(value):
    return value.decode() if isinstance(value, bytes) else value


def raw_slots(node):
    """Of CLUSTER SLOTS, the ranges with their masters."""
    node.response_callbacks.clear()
    return node.execute_command("CLUSTER SLOTS")


@pytest.mark.parametrize("name", CLUSTERS)
def test_a_master_that_is_stopped_opens_its_own_subjects_only(name):
    async def body():
        client = client_of(name)
        limiter = limiter_of(client, timeout=timedelta(milliseconds=300), on_unavailable="allow")
        subjects = [subject() for _ in range(30)]
        # The script is on each node then, and each node is known.
        for _ in range(600):
            if all(outcome.enforced for outcome in await settled(limiter.acquire_all(subjects))):
                break
        stopped = int(os.environ["PENSTOCK_NODES"].split()[0])
        with redis.Redis(port=stopped) as node:
            process, own = node.info("server")["process_id"], text(node.execute_command("CLUSTER MYID"))
            shares = [tuple(share[:2]) for share in raw_slots(node) if own in map(text, share[2])]
            slots = [node.execute_command("CLUSTER KEYSLOT", key("api", who, WINDOW, PREFIX)) for who in subjects]
            placed = [any(first <= slot <= last for first, last in shares) for slot in slots]
        assert any(placed) and not all(placed)

        async def of_others(outcomes):
            """Those of the masters that answer."""
            return [outcome for outcome, stops in zip(await outcomes, placed) if not stops]

        os.kill(process, signal.SIGSTOP)
        try:
            for _ in range(3):
                # One after another: a call of the stopped master is no reason for one of another to wait.
                await opens_nothing(lambda: of_others(one_by_one(limiter, 1, *subjects[:8])))

            async def batch():
                outcomes = await settled(limiter.acquire_all(subjects))
                assert all(opened([outcome]) for outcome, stops in zip(outcomes, placed) if stops)
                return outcomes

            await opens_nothing(lambda: of_others(batch()))
        finally:
            os.kill(process, signal.SIGCONT)

    run(body())


def test_a_second_event_loop():
    limiter = limiter_of(client_of("asyncio Redis"))
    who = subject()
    assert [asyncio.run(limiter.acquire(who)).remaining for _ in range(3)] == [999, 998, 997]
    limiter = limiter_of(client_of("asyncio RedisCluster"))
    assert [asyncio.run(limiter.acquire(who)).remaining for _ in range(3)] == [999, 998, 997]


def test_a_loop_that_ends_while_the_check_connects_waits_for_nothing():
    class Ending(redis.asyncio.Connection):
        async def connect(self):
            await super().connect()
            # The task of the check is cancelled when its connection is made, and has not noticed it yet.
            asyncio.get_running_loop().call_soon(serving.cancel)

    async def body():
        nonlocal serving
        asker = LoopAsker("", [], lambda: Ending(host="127.0.0.1", port=REDIS))
        serving = asyncio.ensure_future(asker._serve(0, asyncio.Queue()))
        await asyncio.wait({serving}, timeout=30)
        assert serving.cancelled()

    serving = None
    asyncio.run(body())


@pytest.mark.parametrize(
    "kind, owner, place",
    (
        (RateLimiter, "Connection", "_sock"),
        (RateLimiter, "SSLConnection", "_connect"),
        (AsyncRateLimiter, "Connection", "_reader"),
        (AsyncRateLimiter, "SSLConnection", "_connection_arguments"),
        (AsyncRateLimiter, "pool", "get_available_connection"),
        (AsyncRateLimiter, "cluster", "_initialize"),
        (AsyncRateLimiter, "node", "_connections"),
        (AsyncRateLimiter, "node", "acquire_connection"),
        (AsyncRateLimiter, "node", "release" if hasattr(ClusterNode, "release") else "_free"),
    ),
)
def test_a_client_without_a_place_that_is_needed_is_refused_when_a_limiter_is_made(kind, owner, place, monkeypatch):
    module = redis.asyncio if kind is AsyncRateLimiter else redis

    def without(of):
        class Other(of):
            def __getattribute__(self, name):
                return ... if name == place else super().__getattribute__(name)

        return Other

    options = {"host": "127.0.0.1", "port": REDIS}
    if owner in ("cluster", "node"):
        client = module.RedisCluster(**options)
        monkeypatch.setattr(module.RedisCluster if owner == "cluster" else ClusterNode, place, ...)
    else:
        kinds = {} if owner == "pool" else {"connection_class": without(getattr(module, owner))}
        pool = without(module.ConnectionPool) if owner == "pool" else module.ConnectionPool
        client = module.Redis(connection_pool=pool(**kinds, **options))
    with pytest.raises(TypeError, match=f"^this version of the client is not known to work: .* has no {place} as expected$"):
        kind(client, "api", WINDOW, prefix=PREFIX)


def test_the_question_keeps_no_process_alive():
    code = f"""
import sys
sys.path.insert(0, {os.path.dirname(__file__)!r})
from test_lateness import *
limiter_of(client_of("Redis")).acquire(subject())
"""
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0
