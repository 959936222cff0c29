"""What each failure is, on a real server and through a proxy."""

import asyncio
import contextlib
import itertools
import os
import shutil
import socket
import socketserver
import ssl
import struct
import subprocess
import sys
import threading
import time
from datetime import timedelta

import penstock_redis._node
import penstock_redis._verdict
import pytest
import redis
import redis.asyncio
from penstock_redis import Decision, FailureKind, MaybeChargedError, MisconfiguredError, NoDecisionError, OverloadedError, PenstockError
from penstock_redis import classify_exception, fixed_window, key
from servers import PREFIX, PROXY, REDIS, servers_do
from test_limiter import CLIENTS, HOUR, PATIENT, SINGLE, WINDOW, client_of, limiter_of, run, settled, subject, used

SHORT = timedelta(milliseconds=300)


@contextlib.contextmanager
def administered():
    with redis.Redis(port=REDIS, single_connection_client=True) as admin:
        yield admin


@contextlib.contextmanager
def faulty(fault, end):
    servers_do(fault)
    try:
        yield
    finally:
        servers_do(end)


def opened(decisions):
    return sum(decision.allowed and not decision.enforced for decision in decisions)


async def opens_nothing(burst):
    """The decisions of a burst, none of which may be allowed without the server. A machine on which that does not run for P makes an
    outage; another burst shows whether it was that."""
    for _ in range(3):
        decisions = await burst()
        if not opened(decisions):
            return decisions
    raise AssertionError(f"{opened(decisions)} of {len(decisions)} opened")


UNDECIDED = Decision(1, 1000, 0, 0, 0, 1, enforced=False)


@pytest.mark.parametrize("name", SINGLE)
def test_an_outage_is_logged_once(name, caplog):
    caplog.set_level("INFO", "penstock_redis")

    async def body():
        limiter = limiter_of(client_of(name), timeout=SHORT, on_unavailable="allow")
        # The first answers may be late on a machine that stalls.
        while not (await settled(limiter.acquire(subject()))).enforced:
            pass
        caplog.clear()
        with faulty("stop", "cont"):
            first, wrong, last = await settled(limiter.acquire_all([subject(), "", subject()]))
            assert (first, type(wrong), last) == (UNDECIDED, ValueError, UNDECIDED)
            await settled(limiter.acquire(subject()))
            # asyncio's own are about clients of other tests.
            assert [record.levelname for record in caplog.records if record.name == "penstock_redis"] == ["WARNING"]
            assert "without the server: policy api: " in caplog.text
        while not (await settled(limiter.acquire(subject()))).enforced:
            pass
        said = [record.message for record in caplog.records if record.name == "penstock_redis"]
        assert said[-1] == "policy api: the server decides again"

    run(body())


async def failure_of(limiter, who=None):
    with pytest.raises(PenstockError) as raised:
        await settled(limiter.acquire(who or subject()))
    assert raised.value.__cause__ is not None and "policy" in str(raised.value)
    return raised.value


@pytest.mark.parametrize("name", SINGLE)
def test_a_server_that_answers_nobody_is_asked_once(name):
    async def body():
        client = client_of(name, socket_timeout=60, socket_connect_timeout=60)
        limiter = limiter_of(client, timeout=SHORT)
        with faulty("stop", "cont"):
            for _ in range(3):
                assert (await failure_of(limiter)).kind is FailureKind.NOT_SENT
        with administered() as admin:
            before = admin.info("stats")["total_connections_received"]
            with faulty("stop", "cont"):
                await failure_of(limiter)
            # The client itself would have made 11. Another one is that of the question, which may come again on a machine that stalls.
            assert admin.info("stats")["total_connections_received"] - before <= 4

    run(body())


class WebHandler(socketserver.BaseRequestHandler):
    """Answers what it does not understand, as servers for HTTP do."""

    def handle(self):
        self.request.recv(1024)
        self.request.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


@pytest.mark.parametrize("name", SINGLE)
def test_a_server_of_another_kind(name):
    async def body(port):
        failure = await failure_of(limiter_of(client_of(name, port=port), on_unavailable="allow", on_overload="allow"))
        assert type(failure) is PenstockError and failure.kind is FailureKind.UNKNOWN and not failure.charged, repr(failure)

    with socketserver.TCPServer(("127.0.0.1", 0), WebHandler) as web:
        threading.Thread(target=web.serve_forever).start()
        try:
            run(body(web.server_address[1]))
        finally:
            web.shutdown()


def silent(connected):
    while connected.recv(1024):
        pass


def aborting(connected):
    # Closed by a reset.
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


@contextlib.contextmanager
def behind_tls(folder, serve=silent, wants_certificate=False):
    """A port with a certificate that nobody has signed, which may want one of the client, too."""
    files = [str(folder / name) for name in ("key.pem", "cert.pem")]
    made = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=nobody"
    subprocess.run([*made.split(), "-keyout", files[0], "-out", files[1]], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    if wants_certificate:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(folder / "cert.pem")

    class TlsHandler(socketserver.BaseRequestHandler):
        def handle(self):
            with contextlib.suppress(OSError), context.wrap_socket(self.request, server_side=True) as connected:
                serve(connected)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), TlsHandler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever).start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()


@pytest.mark.parametrize("name", SINGLE)
@pytest.mark.parametrize("timeout", [PATIENT, timedelta(seconds=2)])
@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl makes the certificate")
def test_a_certificate_that_is_not_trusted(name, timeout, tmp_path):
    async def body(port):
        failure = await failure_of(limiter_of(client_of(name, port, ssl=True), timeout=timeout, on_unavailable="allow"))
        assert type(failure) is MisconfiguredError and not failure.charged and "CERTIFICATE_VERIFY_FAILED" in str(failure)

    with behind_tls(tmp_path) as port:
        run(body(port))


UNVERIFIED = {"ssl": True, "ssl_cert_reqs": "none", "ssl_check_hostname": False}


@pytest.mark.parametrize("name", SINGLE)
@pytest.mark.parametrize("protocol", (2, 3))
@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl makes the certificate")
def test_a_client_without_the_certificate_that_the_server_wants(name, protocol, tmp_path):
    async def body(port):
        # What it sends before it hears of that may cost the server's words. redis-py's asyncio client repeats it for the whole time-out.
        for _ in range(30 if name == "Redis" else 5):
            client = client_of(name, port, protocol=protocol, **UNVERIFIED)
            failure = await failure_of(limiter_of(client, timeout=timedelta(seconds=2), on_unavailable="allow", on_overload="allow"))
            assert type(failure) is MisconfiguredError and not failure.charged and "CERTIFICATE_REQUIRED" in str(failure), repr(failure)

    with behind_tls(tmp_path, wants_certificate=True) as port:
        run(body(port))


@pytest.mark.parametrize("name", SINGLE)
@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl makes the certificate")
@pytest.mark.parametrize("serve", (aborting, lambda _: None))
def test_a_server_that_is_gone_behind_tls(name, serve, tmp_path):
    async def body(port):
        for _ in range(5):
            limiter = limiter_of(client_of(name, port, **UNVERIFIED), timeout=SHORT, on_unavailable="allow")
            assert await settled(limiter.acquire(subject())) == UNDECIDED

    with behind_tls(tmp_path, serve) as port:
        run(body(port))


class Broken(redis.CredentialProvider):
    def __init__(self, task):
        self.get_credentials = task

    def get_credentials(self):
        raise NotImplementedError


def raises(error):
    raise error


@pytest.mark.parametrize("name", SINGLE)
@pytest.mark.parametrize("option", ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile"))
@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl makes the certificate")
def test_a_file_of_a_connection_that_is_not_there(name, option, tmp_path):
    async def body(port):
        files = {"ssl_ca_certs": "cert.pem", "ssl_certfile": "cert.pem", "ssl_keyfile": "key.pem", option: "none.pem"}
        client = client_of(name, port, ssl=True, **{each: str(tmp_path / file) for each, file in files.items()})
        failure = await failure_of(limiter_of(client, timeout=timedelta(seconds=2), on_unavailable="allow", on_overload="allow"))
        assert type(failure) is MisconfiguredError and not failure.charged and f"{option} cannot be read" in str(failure), repr(failure)

    with behind_tls(tmp_path) as port:
        run(body(port))


@pytest.mark.parametrize("name", SINGLE)
@pytest.mark.parametrize(
    "task, kind",
    (
        (lambda: raises(RuntimeError("no token")), FailureKind.UNKNOWN),
        (lambda: open("/no/such/token"), FailureKind.MISCONFIGURED),
    ),
)
def test_credentials_that_cannot_be_had(name, task, kind):
    async def body():
        limiter = limiter_of(client_of(name, credential_provider=Broken(task)), timeout=timedelta(seconds=2), on_unavailable="allow")
        for _ in range(3):
            failure = await failure_of(limiter)
            assert failure.kind is kind and not failure.charged, repr(failure)

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_what_the_caller_handles_is_not_the_calls_failure(name):
    async def body():
        broken = limiter_of(client_of(name, credential_provider=Broken(lambda: raises(RuntimeError("no token")))), on_unavailable="allow")
        try:
            raise ConnectionRefusedError("another server's")
        except OSError:
            assert (await failure_of(broken)).kind is FailureKind.UNKNOWN
        away = limiter_of(client_of(name, port=1), timeout=SHORT, on_unavailable="allow")
        try:
            raise redis.ResponseError("WRONGTYPE of another command")
        except redis.ResponseError:
            assert await settled(away.acquire(subject())) == UNDECIDED

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_a_protocol_that_is_none(name):
    async def body():
        failure = await failure_of(limiter_of(client_of(name, protocol=4), on_unavailable="allow"))
        assert type(failure) is MisconfiguredError and not failure.charged

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_a_time_out_that_nobody_can_answer_within(name):
    with pytest.raises(ValueError, match="timeout must be a timedelta of at least 1 millisecond"):
        limiter_of(client_of(name), timeout=timedelta(microseconds=999))


@pytest.mark.parametrize("name", SINGLE)
def test_a_password_that_is_changed_while_running(name):
    async def body():
        with administered() as admin:
            who = subject()
            admin.acl_setuser(who, enabled=True, passwords=["+one"], keys=["*"], commands=["+@all"])
            try:
                limiter = limiter_of(client_of(name, username=who, password="one"))
                assert await settled(limiter.acquire(who))
                admin.acl_setuser(who, enabled=True, reset_passwords=True, passwords=["+two"])
                admin.execute_command("CLIENT", "KILL", "USER", who)
                failures = [await failure_of(limiter, who) for _ in range(4)][1:]
                assert [type(failure) for failure in failures] == [MisconfiguredError] * 3
            finally:
                admin.acl_deluser(who)

    run(body())


@contextlib.contextmanager
def loading(folder):
    """The port of a server that loads its data for as long as it runs."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [os.environ["PENSTOCK_EXECUTABLE"], "--port", str(port), "--dir", str(folder), "--save", "", "--rdbcompression", "no"]

    def awaited(*more):
        process = subprocess.Popen([*command, *more], stdout=subprocess.DEVNULL)
        while True:
            try:
                return process, redis.Redis(port=port, single_connection_client=True)
            except redis.BusyLoadingError:
                return process, None
            except redis.ConnectionError:
                assert process.poll() is None
                time.sleep(0.05)

    process, client = awaited()
    for at in range(40):
        # It answers calls after each 2 MiB that it has loaded.
        client.setrange(f"k{at}", 2 << 20, "x")
    client.save()
    client.shutdown(nosave=True)
    process.wait()
    process, client = awaited("--key-load-delay", "500000")
    try:
        yield port
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("name", SINGLE)
def test_a_server_that_loads_its_data_answers_each_call_of_a_batch(name, tmp_path):
    async def body(port):
        # With RESP3, the client cannot connect then.
        limiter = limiter_of(client_of(name, port=port, protocol=2))
        outcomes = await settled(limiter.acquire_all([subject() for _ in range(3)]))
        assert [type(each) for each in outcomes] == [NoDecisionError] * 3
        assert all("is loading" in str(each) and each.kind is FailureKind.UNAVAILABLE and not each.charged for each in outcomes)

    with loading(tmp_path) as port:
        run(body(port))


@pytest.mark.parametrize("name", SINGLE)
def test_an_address_of_a_replica(name, monkeypatch):
    monkeypatch.setattr(penstock_redis._node, "READ_ONLY_SECONDS", 2.0)

    async def body():
        with administered() as admin:
            limiter, who = limiter_of(client_of(name)), subject()
            await settled(limiter.acquire(who))
            failures = []
            for pause, is_last in [(0, False), (2.1, True), (0, False)]:
                admin.replicaof("127.0.0.1", 1)
                try:
                    await asyncio.sleep(pause)
                    failures.append(await failure_of(limiter, who))
                finally:
                    admin.replicaof("NO", "ONE")
                if is_last:
                    # A decision, after which the time begins again.
                    assert (await settled(limiter.acquire(who))).remaining == 998
            assert [type(failure) for failure in failures] == [NoDecisionError, MisconfiguredError, NoDecisionError]
            assert [failure.kind for failure in failures][::2] == [FailureKind.UNAVAILABLE] * 2
            assert not any(failure.charged for failure in failures)

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_a_late_call_to_the_address_of_a_replica_is_no_outage(name, monkeypatch):
    monkeypatch.setattr(penstock_redis._node, "READ_ONLY_SECONDS", 0.2)

    async def body():
        client = client_of(name, PROXY, max_connections=200)
        limiter, late = limiter_of(client), limiter_of(client, "late", timeout=timedelta(seconds=1), on_unavailable="allow")
        await settled(limiter.acquire(subject()))
        with administered() as admin:
            admin.replicaof("127.0.0.1", 1)
            try:
                assert (await failure_of(limiter)).kind is FailureKind.UNAVAILABLE
                await asyncio.sleep(0.2)
                call = asyncio.ensure_future(hundred_at_once(late))
                while not call.done():
                    await failure_of(limiter)
                    await asyncio.sleep(0.01)
            finally:
                admin.replicaof("NO", "ONE")
        assert opened(await call) == 0

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_a_replica_is_left_at_most_once_a_second(name):
    async def body():
        with administered() as admin:
            limiter = limiter_of(client_of(name))
            await settled(limiter.acquire(subject()))
            admin.replicaof("127.0.0.1", 1)
            try:
                begun, before = admin.time()[0], admin.info("stats")["total_connections_received"]
                for _ in range(50):
                    await failure_of(limiter)
                made = admin.info("stats")["total_connections_received"] - before
                assert 1 <= made <= admin.time()[0] - begun + 2
            finally:
                admin.replicaof("NO", "ONE")

    run(body())


def test_a_client_for_a_cluster_at_one_server():
    async def body():
        client = redis.asyncio.RedisCluster(host="127.0.0.1", port=REDIS)
        failure = await failure_of(limiter_of(client))
        assert type(failure) is MisconfiguredError, repr(failure)
        failure = await failure_of(limiter_of(redis.asyncio.RedisCluster(host="127.0.0.1", port=1)))
        assert failure.kind is FailureKind.NOT_SENT, repr(failure)

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_what_is_full_hides_no_wrong_password(name):
    async def body():
        limiter = limiter_of(client_of(name, username="nobody", password="wrong", max_connections=1), timeout=timedelta(seconds=2),
                             on_unavailable="allow", on_overload="allow")  # fmt: skip
        # Who is the first may not know yet why nobody gets a connection.
        await failure_of(limiter)
        assert {type(outcome) for outcome in await hundred_at_once(limiter)} == {MisconfiguredError}

    run(body())


async def hundred_at_once(limiter):
    """The outcomes of 100 calls at once on a client that has one connection."""
    if asyncio.iscoroutinefunction(limiter.acquire):
        return await asyncio.gather(*(limiter.acquire(subject()) for _ in range(100)), return_exceptions=True)
    return await in_threads(limiter, 100)


async def in_threads(limiter, number, calls=1):
    """The outcomes of so many threads that make calls at once."""
    outcomes = []

    def call():
        for _ in range(calls):
            try:
                outcomes.append(limiter.acquire(subject()))
            except Exception as error:
                outcomes.append(error)

    threads = [threading.Thread(target=call) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        await asyncio.to_thread(thread.join)
    return outcomes


def test_many_threads_at_once_open_nothing_but_in_an_outage():
    async def body():
        limiter = limiter_of(client_of("Redis"), timeout=timedelta(milliseconds=30), on_unavailable="allow")
        while not limiter.acquire(subject()).enforced:
            pass
        outcomes = await opens_nothing(lambda: in_threads(limiter, 300, 5))
        assert any(outcome.enforced for outcome in outcomes)
        with faulty("stop", "cont"):
            # The last answers may be younger than 100 ms.
            await asyncio.sleep(0.2)
            outcomes = await in_threads(limiter, 300)
        assert all(outcome.allowed and not outcome.enforced for outcome in outcomes)

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_a_server_that_refuses_and_then_falls_silent_opens_nothing(name):
    async def body():
        wrong = client_of(name, username="nobody", password="wrong")
        limiter = limiter_of(wrong, timeout=SHORT, on_unavailable="allow", on_overload="allow")
        # The first may be late on a machine that stalls.
        assert type(await failure_of(limiter_of(wrong))) is MisconfiguredError
        with faulty("stop", "cont"):
            failure = await failure_of(limiter)
        assert type(failure) is MisconfiguredError, repr(failure)

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_a_late_call_before_the_first_check_does_not_say_that_the_server_answers(name, monkeypatch):
    monkeypatch.setattr(penstock_redis._verdict, "VERDICT_SPREAD_MS", 10**9)

    async def body():
        limiter = limiter_of(client_of(name, PROXY), "late", timeout=SHORT, on_overload="raise")
        late = "no answer within the deadline, and no check has shown yet whether the server answers"
        assert str(await failure_of(limiter)).endswith(late)

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_too_much_at_once_for_a_server_that_answers(name):
    async def body():
        limiter = limiter_of(client_of(name, PROXY, max_connections=1), "late", timeout=timedelta(seconds=5), on_overload="raise")
        calls = asyncio.ensure_future(hundred_at_once(limiter))
        while not calls.done():
            # Each answer is held back until here.
            await asyncio.to_thread(servers_do, "release")
            await asyncio.sleep(0.1)
        kinds = [type(outcome) for outcome in await calls]
        assert OverloadedError in kinds and set(kinds) <= {Decision, MaybeChargedError, OverloadedError}
        assert kinds.count(Decision) > 1

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_too_much_at_once_for_a_server_that_answers_nobody(name):
    async def body():
        limiter = limiter_of(client_of(name, max_connections=1), timeout=timedelta(seconds=1))
        with faulty("stop", "cont"):
            outcomes = await hundred_at_once(limiter)
        assert {type(outcome) for outcome in outcomes} == {NoDecisionError}
        assert any("not sent within the deadline" in str(outcome) for outcome in outcomes)

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_one_call_too_many_is_not_sent_and_asks(name, monkeypatch):
    async def body():
        monkeypatch.setattr(penstock_redis._verdict, "CALLS_IN_FLIGHT", 0)
        failure = await failure_of(limiter_of(client_of(name), on_overload="raise"))
        assert type(failure) is OverloadedError and not failure.charged, repr(failure)
        assert "calls are in flight" in str(failure)
        with faulty("stop", "cont"):
            assert type(await failure_of(limiter_of(client_of(name), on_overload="raise"))) is NoDecisionError

    run(body())


@pytest.mark.parametrize("stopped", (False, True))
@pytest.mark.parametrize("name", [name for name in SINGLE if "asyncio" in name])
def test_a_burst_before_the_first_connection(name, stopped):
    async def body():
        async def burst():
            limiter = limiter_of(client_of(name, max_connections=20), timeout=timedelta(seconds=0.5), on_unavailable="allow")
            return await asyncio.gather(*(limiter.acquire("burst") for _ in range(10_000)))

        if stopped:
            with faulty("stop", "cont"):
                assert opened(await burst()) == 10_000
        else:
            await opens_nothing(burst)

    run(body())


@pytest.mark.parametrize("name", [name for name in SINGLE if "asyncio" in name])
def test_an_answer_that_a_loop_has_not_read_since_it_stood_still_counts(name):
    async def body():
        limiter = limiter_of(client_of(name), timeout=timedelta(seconds=1), on_unavailable="allow")
        while not (await limiter.acquire(subject())).enforced:
            pass
        with faulty("stop", "cont"):
            call = asyncio.ensure_future(limiter.acquire(subject()))
            # Until it is sent.
            for _ in range(20):
                await asyncio.sleep(0)
        time.sleep(2)
        assert (await call).enforced

    run(body())


@pytest.mark.parametrize("name", [name for name in CLIENTS if "asyncio" in name])
def test_a_loop_that_stands_still_opens_nothing_while_the_server_answers(name):
    async def body():
        limiter = limiter_of(client_of(name), timeout=timedelta(seconds=1), on_unavailable="allow")
        while not (await limiter.acquire(subject())).enforced:
            pass
        # A cluster's client makes a connection for each call, which all go through one proxy.
        number = 1000 if name in SINGLE else 100

        async def burst():
            calls = [asyncio.ensure_future(limiter.acquire(subject())) for _ in range(50)]
            for _ in range(3):
                await asyncio.sleep(0)
            calls += [asyncio.ensure_future(limiter.acquire(subject())) for _ in range(number - 50)]
            time.sleep(1.5)
            await asyncio.sleep(0)
            time.sleep(1.5)
            return await asyncio.gather(*calls)

        await opens_nothing(burst)
        if name in SINGLE:
            with faulty("stop", "cont"):
                assert opened(await burst()) == number

    run(body())


class StoppingServer(redis.Connection):
    """Stops the server that is to get the second chunk of a batch, and has the timeout of each chunk."""

    seconds = []

    def send_packed_command(self, command, check_health=True):
        if b"".join(command).count(b"EVALSHA") > 1:
            self.seconds.append(self._sock.gettimeout())
            if len(self.seconds) == 2:
                servers_do("stop")
        super().send_packed_command(command, check_health)


def test_a_batch_ends_with_the_outage_that_begins_while_it_is_written():
    who, patient = subject(), timedelta(seconds=5)
    pool = redis.ConnectionPool(connection_class=StoppingServer, host="127.0.0.1", port=REDIS)
    limiter = limiter_of(redis.Redis(connection_pool=pool), limit=fixed_window(10_000, HOUR), timeout=patient)
    limiter.acquire(who)
    try:
        outcomes = limiter.acquire_all([who] * 10_000)
    finally:
        servers_do("cont")
    answered = sum(isinstance(outcome, Decision) for outcome in outcomes)
    assert answered < 100
    assert {type(outcome) for outcome in outcomes[answered:]} == {MaybeChargedError}
    seconds = StoppingServer.seconds
    assert len(seconds) > 1 and seconds == sorted(set(seconds), reverse=True) and seconds[0] <= patient.total_seconds()


def test_the_loop_runs_between_the_replies_of_a_batch():
    async def body():
        client, who, limit, tasks, turns = client_of("asyncio Redis"), subject(), fixed_window(10_000, HOUR), [], itertools.count()

        async def count_turns():
            while True:
                next(turns)
                await asyncio.sleep(0)

        class AnsweredBatch(redis.asyncio.Connection):
            """Counts the turns of the loop after the server has answered all calls of a batch."""

            async def send_packed_command(self, command, check_health=True):
                await super().send_packed_command(command, check_health)
                if b"".join(command).count(b"EVALSHA") > 1:
                    while await used(client, "api", who, limit) < 10_000:
                        pass
                    tasks.append(asyncio.ensure_future(count_turns()))

        await limiter_of(client).acquire(subject())
        pool = redis.asyncio.ConnectionPool(connection_class=AnsweredBatch, host="127.0.0.1", port=REDIS)
        outcomes = await limiter_of(redis.asyncio.Redis(connection_pool=pool), limit=limit).acquire_all([who] * 10_000)
        assert [outcome.remaining for outcome in outcomes] == list(range(9_999, -1, -1))
        assert next(turns) >= 10_000 // 50
        tasks[0].cancel()

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_a_batch_of_the_most_calls_in_an_outage(name):
    async def body():
        limiter = limiter_of(client_of(name), timeout=SHORT, on_unavailable="allow")
        with faulty("stop", "cont"):
            assert await settled(limiter.acquire_all(["who"] * 10_000)) == [UNDECIDED] * 10_000

    run(body())


@pytest.mark.parametrize("name", CLIENTS)
def test_a_batch_of_the_most_calls_on_a_new_client_opens_nothing(name):
    async def body():
        # The first timeout is too short for the batch on each machine, the last is long enough.
        for seconds in (0.05, 1, 30):
            limiter = limiter_of(client_of(name), timeout=timedelta(seconds=seconds), on_unavailable="allow")
            outcomes = await opens_nothing(lambda: settled(limiter.acquire_all([subject() for _ in range(10_000)])))
        assert all(outcome.enforced for outcome in outcomes)

    run(body())


class LosesCancellation(redis.asyncio.Connection):
    """Loses the first cancellation of a sending, as asyncio.wait_for of Python 3.11 does when the sending has just ended."""

    async def send_packed_command(self, command, check_health=True):
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(60)
        await asyncio.sleep(60)


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="asyncio.wait_for loses no cancellation any more")
def test_a_cancellation_that_is_lost_comes_again():
    async def body():
        pool = redis.asyncio.ConnectionPool(connection_class=LosesCancellation, host="127.0.0.1", port=REDIS, max_connections=1)
        failure = await asyncio.wait_for(failure_of(limiter_of(redis.asyncio.Redis(connection_pool=pool), timeout=SHORT)), 50)
        assert failure.kind is FailureKind.NOT_SENT

    run(body())


def test_a_burst_on_the_default_pool_is_limited():
    async def body():
        who, limit = subject(), fixed_window(100, HOUR)
        limiter = limiter_of(client_of("asyncio Redis"), limit=limit)
        outcomes = await asyncio.gather(*(limiter.acquire(who) for _ in range(2000)), return_exceptions=True)
        assert [bool(outcome) for outcome in outcomes].count(True) == 100
        assert all(isinstance(outcome, Decision) for outcome in outcomes)

    run(body())


def test_commands_of_the_application_are_waited_for():
    async def body():
        client = client_of("asyncio Redis", max_connections=1)
        popped = asyncio.create_task(client.blpop(subject(), timeout=1))
        await asyncio.sleep(0)
        assert (await limiter_of(client).acquire(subject())).remaining == 999
        assert await popped is None

    run(body())


def test_a_choice_that_there_is_not():
    for name in ("on_unavailable", "on_overload"):
        with pytest.raises(ValueError, match=f"^{name} must be 'raise', 'allow' or 'deny': 'alow'"):
            limiter_of(client_of("Redis"), **{name: "alow"})


def test_what_is_in_no_list():
    for error, sent, kind, charged in [
        (redis.ResponseError("upstream failure of LOADING NOAUTH"), True, FailureKind.UNKNOWN, True),
        (redis.ResponseError("upstream failure"), False, FailureKind.UNKNOWN, False),
        (ValueError("LOADING"), True, FailureKind.UNKNOWN, True),
        (redis.TimeoutError("LOADING"), True, FailureKind.NOT_ANSWERED, True),
        (OSError("OOM"), False, FailureKind.NOT_SENT, False),
    ]:
        assert classify_exception(error, sent) == (kind, charged)
