"""Reservations on a real server, on a real cluster, without a server, and through a proxy that loses an answer."""

import asyncio
import inspect
import json
import subprocess
import sys
import threading
import time
from datetime import timedelta

import pytest
import redis
from penstock_redis import RESERVE, SCRIPTS, SETTLE, AsyncReservations, CallId, ConcurrencyLimiter, EventKind, FailureKind
from penstock_redis import EntryLimit, MaybeChargedError, MisconfiguredError, NoDecisionError, OverloadedError, PenstockError
from penstock_redis import Reservations, SettleResult
from penstock_redis import fixed_window, token_bucket
from servers import FORMS, PREFIX, PROXY, REDIS, VECTORS, replayed, servers_do
from test_failures import SHORT, administered, faulty
from test_limiter import CLIENTS, HOUR, PATIENT, SINGLE, client_of, connected, run, settled, subject

BUDGET = EntryLimit("tpm", fixed_window(1000, HOUR))
PLACES = EntryLimit.concurrency("in-flight", 2)
SEQUENCES = json.loads((VECTORS / "reservation.json").read_text())["sequences"]


def reservations_of(client, keep=HOUR, name="llm", **options):
    kind = AsyncReservations if inspect.iscoroutinefunction(type(client).execute_command) else Reservations
    return kind(client, name, keep, prefix=PREFIX, **{"timeout": PATIENT, **options})


def left(call):
    """The remaining and held units of a call's entries."""
    return " ".join([str(call.allowed), *(f"{usage.remaining}/{usage.held}" for usage in call.usages)])


def outcome(client, command):
    try:
        return list(client.execute_command(*command))
    except redis.ResponseError as error:
        return str(error)


@pytest.mark.parametrize("form", [*FORMS, "EVAL"])
def test_vectors(form):
    scripts = {script.name: script for script in (RESERVE, SETTLE, *SCRIPTS)}
    client = client_of("Redis")
    if form == "FCALL":
        reservations_of(client).load_functions()
    for script in scripts.values():
        servers_do("load", said=script.source)
    assert len(SEQUENCES) > 20
    for number, sequence in enumerate(SEQUENCES):
        for step in sequence["steps"]:
            for key in step["keys"]:
                client.delete(key)
        for at, step in enumerate(sequence["steps"]):
            for key, state in step.get("before", {}).items():
                client.delete(key)
                if state is not None:
                    client.set(key, bytes.fromhex(state["hex"]) if "hex" in state else state["value"])
            script, keys = scripts[step["script"]], step["keys"]
            target = {"EVALSHA": script.sha1, "FCALL": script.function, "EVAL": script.source}[form]
            answered = outcome(client, [form, target, len(keys), *keys, *step["args"]])
            if "error" in step:
                assert f"penstock {step['script']}: {step['error']} " in answered, (sequence["name"], at)
            else:
                assert answered == step["reply"], (sequence["name"], at)
        replayed(f"reservation.sequences:{number}")


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.parametrize("form", FORMS)
def test_all_that_a_reservation_does(name, form):
    async def body():
        events = []
        llm = reservations_of(client_of(name), functions=form == "FCALL", on_event=lambda event: events.append(event.kind.value))
        if form == "FCALL":
            await settled(llm.load_functions())
        else:
            servers_do("flush")
        group, user = subject(), "a/{b}"
        rate = EntryLimit("rpm", token_bucket(10, 1, HOUR))
        own, all_of_it = BUDGET.reserve(400, within=user), BUDGET.reserve(400)
        call = await settled(llm.reserve(group, rate.charge(1), own, all_of_it, PLACES.reserve()))
        assert left(call) == "True 9/0 600/400 600/400 1/1" and call and call.enforced
        assert call.retry_after + call.delay + call.ask_again_after == timedelta(0) and call.retry_after_seconds == 0
        assert await settled(call.renew(100)) is SettleResult.SETTLED
        second = await settled(llm.reserve(group, own, PLACES.reserve()))
        assert left(second) == "True 200/700 0/2"
        denied = await settled(llm.reserve(group, BUDGET.reserve(1), PLACES.reserve()))
        assert left(denied) == "False 600/300 0/2" and not denied and denied.answer.denying == 1
        assert denied.retry_after > timedelta(minutes=1) and denied.ask_again_after <= timedelta(milliseconds=250)
        assert await settled(denied.settle(1)) is SettleResult.NOTHING_HELD
        await settled(denied.close())
        for wrong, words in [
            (lambda: call.settle_entries(BUDGET.reserve(5).used(1)), "totals must name entries of this call"),
            (lambda: call.settle_entries(own.used(1), own.used(1)), "totals must name entries of this call, each once"),
            (lambda: call.settle(-1), "total must be an integer from 0 to 1000000000000: -1"),
            (lambda: call.renew(-1), "total must be an integer from 0 to 1000000000000: -1"),
        ]:
            with pytest.raises(ValueError, match=f"^{words}"):
                await settled(wrong())
        assert await settled(call.settle_entries(own.used(150))) is SettleResult.SETTLED
        assert await settled(call.settle(1)) is SettleResult.NOTHING_HELD
        assert await settled(call.renew()) is SettleResult.NOTHING_HELD
        await settled(call.close())
        assert await settled(second.cancel()) is SettleResult.SETTLED
        third = await settled(llm.reserve(group, BUDGET.debit(10, within=user), BUDGET.debit(10), PLACES.reserve()))
        assert left(third) == "True 840/0 590/0 1/1"
        await settled(third.close())
        assert events == "reserved renewed reserved denied settled cancelled reserved settled".split()
        never = await settled(llm.reserve(group, BUDGET.reserve(1001)))
        assert never.retry_after == never.ask_again_after == timedelta.max and never.retry_after_seconds is None

    run(body())


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.parametrize("error", [None, KeyError("the block's own")], ids=["ended", "raised"])
def test_an_end_without_a_word_settles_the_estimates(name, error):
    async def body():
        llm, group, limit = reservations_of(client_of(name)), subject(), EntryLimit("tpm", fixed_window(1000, HOUR))
        try:
            if name.startswith("asyncio"):
                async with llm.reserve(group, limit.reserve(400), PLACES.reserve()) as call:
                    assert call
                    if error:
                        raise error
            else:
                with llm.reserve(group, limit.reserve(400), PLACES.reserve()) as call:
                    assert call
                    if error:
                        raise error
        except KeyError as raised:
            assert raised is error
        assert left(await settled(llm.reserve(group, limit.debit(1), PLACES.reserve()))) == "True 599/0 1/1"

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_what_a_renewal_counted_is_charged_though_it_never_arrived(name):
    async def body():
        group, client = subject(), client_of(name, PROXY)
        tokens, llm = EntryLimit("tpm", fixed_window(1000, HOUR)), reservations_of(client, timeout=timedelta(seconds=4))
        call = await settled(llm.reserve(group, tokens.reserve(100)))
        with faulty("down", "up"), pytest.raises(NoDecisionError):
            await settled(call.renew(150))
        await connected(client, subject())
        await settled(call.close())
        assert left(await settled(llm.reserve(group, tokens.debit(1)))) == "True 849/0"

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_an_id_finds_its_reservation(name):
    async def body():
        llm, group, call_id = reservations_of(client_of(name)), subject(), CallId.random()
        first = await settled(llm.reserve(group, BUDGET.reserve(400), call_id=call_id))
        again = await settled(llm.reserve(group, BUDGET.reserve(400), call_id=call_id))
        assert left(again) == "True 600/400" and (first.answer.repeated, again.answer.repeated, again.answer.id) == (False, True, call_id)
        with pytest.raises(MisconfiguredError, match="reserve: id must"):
            await settled(llm.reserve(group, BUDGET.reserve(401), call_id=call_id))
        assert await settled(first.settle(300)) is SettleResult.SETTLED
        assert await settled(again.settle(200)) is SettleResult.SETTLED
        assert left(await settled(llm.reserve(group, BUDGET.debit(1)))) == "True 699/0"
        with pytest.raises(MisconfiguredError, match="reserve: id must"):
            await settled(llm.reserve(group, BUDGET.reserve(400), call_id=call_id))

    run(body())


@pytest.mark.parametrize("name", CLIENTS)
def test_an_answer_that_is_lost_once(name):
    async def body():
        for script in (RESERVE, SETTLE):
            servers_do("load", said=script.source)
        once, group, client = EntryLimit("once", fixed_window(1000, HOUR)), subject(), client_of(name, PROXY)
        await connected(client, group)
        llm = reservations_of(client)
        servers_do("lose")
        call = await settled(llm.reserve(group, once.reserve(400)))
        assert left(call) == "True 600/400" and call.answer.repeated
        servers_do("lose")
        assert await settled(call.settle(300)) is SettleResult.SETTLED
        assert left(await settled(llm.reserve(group, once.debit(1)))) == "True 699/0"

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_too_late_to_settle(name):
    async def body():
        events, group, brief = [], subject(), timedelta(seconds=3)
        llm = reservations_of(client_of(name), brief, timeout=brief, on_event=lambda event: events.append(event.kind))
        call = await settled(llm.reserve(group, BUDGET.reserve(400), PLACES.reserve()))
        await asyncio.sleep(3.5)
        assert await settled(call.settle(1)) is SettleResult.RAN_OUT
        assert await settled(call.settle(1)) is SettleResult.NOTHING_HELD
        assert left(await settled(llm.reserve(group, BUDGET.debit(1), PLACES.reserve()))) == "True 599/0 1/1"
        assert events == [EventKind.RESERVED, EventKind.RAN_OUT, EventKind.RESERVED]

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_without_a_server(name):
    async def body():
        client, group, events = client_of(name), subject(), []

        def tell(event):
            events.append((event.kind, event.error and event.error.kind))

        choices, brief = ("raise", "allow", "deny"), timedelta(seconds=1.5)
        hasty = {choice: reservations_of(client, timeout=brief, on_unavailable=choice, on_event=tell) for choice in choices}
        patient = reservations_of(client, on_event=tell)
        held = await settled(patient.reserve(subject(), BUDGET.reserve(400)))
        # What these hold is settled while the server is stopped, on a connection that is open.
        other = client_of(name)
        late = {choice: await settled(reservations_of(other).reserve(subject(), BUDGET.reserve(1))) for choice in ("raise", "allow")}
        for choice, call in late.items():
            call._reservations = reservations_of(other, timeout=brief, on_unavailable=choice, on_event=tell)
        del events[:]
        with faulty("stop", "cont"):
            with pytest.raises(MaybeChargedError, match="^reservations llm: no answer came, so the call may have been charged: "):
                await settled(hasty["raise"].reserve(group, BUDGET.reserve(1)))
            for choice, wait in (("allow", timedelta(0)), ("deny", brief)):
                call = await settled(hasty[choice].reserve(group, BUDGET.reserve(1), PLACES.reserve()))
                assert left(call) == f"{choice == 'allow'} 0/0 0/0" and not call.enforced and call.answer.denying is None
                assert [usage.limit for usage in call.usages] == [1000, 2] and call.retry_after == wait
                assert await settled(call.settle(1)) is SettleResult.NOTHING_HELD
                await settled(call.close())
            with pytest.raises(NoDecisionError, match="^reservations llm: the held units expire: no decision, because ") as raised:
                await settled(late["raise"].settle(1))
            assert raised.value.kind is FailureKind.NOT_ANSWERED and type(raised.value) is NoDecisionError
            assert await settled(late["allow"].settle(1)) is SettleResult.UNDECIDED
            await settled(late["raise"].close())
        kinds = [kind for kind, _ in events]
        assert kinds == [EventKind.UNDECIDED, EventKind.RESERVED, EventKind.DENIED, EventKind.UNDECIDED, EventKind.UNDECIDED]
        assert all(kind in (FailureKind.NOT_ANSWERED, FailureKind.NOT_SENT) for _, kind in events)
        assert await settled(held.settle(1)) is SettleResult.SETTLED

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_an_attempt_without_an_answer_is_not_forgotten(name):
    async def body():
        llm, once = reservations_of(client_of(name, PROXY), timeout=timedelta(seconds=2)), EntryLimit("once", fixed_window(9, HOUR))
        with pytest.raises(NoDecisionError) as refused:
            await settled(reservations_of(client_of(name, port=1), timeout=SHORT).reserve(subject(), once.reserve(1)))
        assert type(refused.value) is NoDecisionError and not refused.value.charged
        call = await settled(llm.reserve(subject(), once.reserve(1)))
        # A connection is cut that waits for its answer, and the next ones are refused.
        late = EntryLimit("late", fixed_window(9, HOUR))
        cutting = threading.Thread(target=lambda: (servers_do("held"), servers_do("down")))
        cutting.start()
        try:
            with pytest.raises(MaybeChargedError):
                await settled(llm.reserve(subject(), late.reserve(1)))
        finally:
            cutting.join()
            servers_do("up")
        assert call

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_a_close_in_an_outage_raises_nothing(name):
    async def body():
        events = []
        llm = reservations_of(client_of(name), timeout=SHORT, on_event=lambda event: events.append(event.kind))
        patient = reservations_of(llm._client)
        call = await settled(patient.reserve(subject(), BUDGET.reserve(1)))
        call._reservations = llm
        with faulty("stop", "cont"):
            await settled(call.close())
            await settled(call.close())
        assert events == [EventKind.UNDECIDED]
        call._reservations = patient
        assert await settled(call.settle(1)) is SettleResult.SETTLED

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_a_wrong_password_opens_no_reservation(name):
    async def body():
        client = client_of(name, username="nobody", password="wrong")
        llm = reservations_of(client, on_unavailable="allow", on_overload="allow")
        with pytest.raises(MisconfiguredError, match="^reservations llm: the configuration is wrong: .*username-password") as raised:
            await settled(llm.reserve(subject(), BUDGET.reserve(1)))
        assert not raised.value.charged and "wrong-password" not in str(raised.value)

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_a_memory_that_is_full(name):
    async def body():
        with administered() as admin:
            client = client_of(name)
            await settled(reservations_of(client).reserve(subject(), BUDGET.debit(1)))
            admin.config_set("maxmemory", 1)
            try:
                denied = await settled(reservations_of(client, on_unavailable="allow").reserve(subject(), BUDGET.reserve(1)))
                with pytest.raises(Exception, match="^reservations llm: overloaded: "):
                    await settled(reservations_of(client, on_overload="raise").reserve(subject(), BUDGET.reserve(1)))
            finally:
                admin.config_set("maxmemory", 0)
            assert left(denied) == "False 0/0" and not denied.enforced

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_a_memory_that_is_full_after_a_lost_answer(name):
    async def body():
        servers_do("load", said=RESERVE.source)
        once, group, client = EntryLimit("once", fixed_window(1000, HOUR)), subject(), client_of(name, PROXY)
        await connected(client, group)
        llm = reservations_of(client, on_overload="raise")
        with administered() as admin:
            admin.config_set("maxmemory", 1)
            try:
                servers_do("lose")
                with pytest.raises(OverloadedError) as raised:
                    await settled(llm.reserve(group, once.reserve(1)))
            finally:
                admin.config_set("maxmemory", 0)
        assert type(raised.value) is OverloadedError and raised.value.charged, repr(raised.value)
        assert str(raised.value).startswith("reservations llm: overloaded, and the call may have been charged: ")

    run(body())


@pytest.mark.parametrize("name", ["RedisCluster", "asyncio RedisCluster"])
def test_tryagain_is_sent_again(name):
    async def body():
        llm, group = reservations_of(client_of(name)), subject()
        await settled((await settled(llm.reserve(group, BUDGET.reserve(1), PLACES.reserve()))).close())
        slot = f"x:{{{group}}}"
        servers_do("ask", slot)
        hasty = reservations_of(llm._client, timeout=timedelta(milliseconds=500))
        failure = None
        # On a machine that stalls an attempt may have no answer in time: that is an overload, which denies.
        while failure is None or failure.kind is not FailureKind.UNAVAILABLE:
            try:
                assert not (await settled(hasty.reserve(group, BUDGET.reserve(1), PLACES.reserve()))).answer.enforced
            except NoDecisionError as error:
                failure = error
        assert not failure.charged and "the server cannot serve: " in str(failure)
        ending = threading.Timer(0.2, servers_do, ["settle", slot])
        ending.start()
        assert left(await settled(llm.reserve(group, BUDGET.reserve(1), PLACES.reserve()))) == "True 999/1 1/1"
        ending.join()

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_permits_in_flight(name):
    async def body():
        events, who = [], subject()
        tell = {"on_event": lambda event: events.append(event.kind.value)}
        keep = timedelta(seconds=6)
        exports = ConcurrencyLimiter(reservations_of(client_of(name), keep, timeout=keep, **tell), "exports", 1)
        permit = await settled(exports.acquire(who))
        assert left(permit) == "True 0/1"
        assert left(await settled(exports.acquire(who, call_id=CallId.random()))) == "False 0/1"
        permit.keep_alive()
        permit.keep_alive()
        for _ in range(1200):
            if events.count("renewed") == 2:
                break
            await asyncio.sleep(0.05)
        assert left(await settled(exports.acquire(who))) == "False 0/1"
        await settled(permit.close())
        assert left(await settled(exports.acquire(who))) == "True 0/1"
        assert events == "reserved denied renewed renewed denied settled reserved".split()

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_a_listener_that_raises_loses_nothing(name, caplog):
    async def body():
        def fail(event):
            raise KeyError(event.kind)

        llm, group = reservations_of(client_of(name), on_event=fail), subject()
        call = await settled(llm.reserve(group, BUDGET.reserve(400)))
        assert await settled(call.settle(300)) is SettleResult.SETTLED
        said = [record.message for record in caplog.records if record.name == "penstock_redis"]
        assert said == ["reservations llm: on_event raised"] * 2

    run(body())


async def cancelled(unfinished):
    """Cancels the task of a call whose answer is held back."""
    task = asyncio.ensure_future(unfinished)
    await asyncio.to_thread(servers_do, "held")
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    servers_do("release")


async def await_ended(llm):
    for _ in range(6000):
        if not llm._tasks:
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it is still under way")


def test_a_cancelled_task_gives_back_and_settles():
    async def body():
        client, group, late = client_of("asyncio Redis", PROXY), subject(), EntryLimit("late", fixed_window(1000, HOUR))
        direct, llm = reservations_of(client_of("asyncio Redis")), reservations_of(client)
        await connected(client, group)
        for script in (RESERVE, SETTLE):
            servers_do("load", said=script.source)
        await cancelled(settled(llm.reserve(group, late.reserve(400))))
        await asyncio.to_thread(servers_do, "held")
        servers_do("release")
        await await_ended(llm)
        call = await direct.reserve(group, late.reserve(400))
        assert left(call) == "True 600/400"
        call._reservations = llm
        await cancelled(call.settle(300))
        await await_ended(llm)
        assert left(await direct.reserve(group, late.debit(1))) == "True 699/0"

    run(body())


def test_close_leaves_no_connection():
    with administered() as admin:
        name, group = subject(), subject()
        llm = reservations_of(client_of("Redis", client_name=name))

        def opened():
            return sum(each["name"] == name for each in admin.client_list())

        # One of the calls, and one for the question whether the server answers.
        assert llm.reserve(group, BUDGET.debit(1)) and 1 <= opened() <= 2
        llm.close()
        for _ in range(600):
            if opened() == 0:
                break
            time.sleep(0.1)
        assert opened() == 0 and left(llm.reserve(group, BUDGET.debit(1))) == "True 998/0"


def test_a_process_that_is_killed():
    held = "import sys; from datetime import timedelta; from redis import Redis; from penstock_redis import *\n"
    held += "port, prefix, group, keep = int(sys.argv[1]), sys.argv[2], sys.argv[3], timedelta(seconds=6)\n"
    held += "places, budget = EntryLimit.concurrency('in-flight', 2), EntryLimit('tpm', fixed_window(1000, timedelta(hours=1)))\n"
    held += "call = Reservations(Redis(port=port), 'llm', keep, prefix=prefix, timeout=keep).reserve(\n"
    held += "    group, budget.reserve(400), places.reserve(2))\n"
    held += "print(call.allowed, flush=True); sys.stdin.read()"
    group, llm = subject(), reservations_of(client_of("Redis"))
    command = [sys.executable, "-c", held, str(REDIS), PREFIX, group]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as one:
        assert one.stdout.readline() == "True\n"
        one.kill()
    denied = llm.reserve(group, BUDGET.reserve(601), PLACES.reserve())
    assert not denied and denied.usages[1].held == 2
    for _ in range(600):
        if llm.reserve(group, PLACES.reserve()):
            break
        time.sleep(0.1)
    # Charged as it was estimated, and free again.
    assert left(llm.reserve(group, BUDGET.debit(1), PLACES.reserve())) == "True 599/0 0/2"
