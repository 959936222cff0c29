"""Rule F2: verdict.json, on a clock of the test."""

import asyncio

import pytest
import redis
import redis.asyncio
from penstock_redis._asking import NodeAsker, ThreadAsker, clock
from penstock_redis._failure import FailureKind, classify
from penstock_redis._loop_asking import LoopAsker
from penstock_redis._numbers import CALLS_IN_FLIGHT
from penstock_redis._verdict import CallVerdict, NodeVerdict
from redis.exceptions import AuthenticationError, ConnectionError
from servers import vectors

OUTAGES = (FailureKind.NOT_SENT, FailureKind.NOT_ANSWERED, FailureKind.UNAVAILABLE)


def meaning_of(step):
    """What an answer says of the server."""
    kind = step.get("kind", "ok")
    is_outage = kind != "ok" and classify(f"{kind} as the server says").kind in OUTAGES
    return CallVerdict.OUTAGE if is_outage else CallVerdict.OVERLOADED


REFUSALS = {
    "ECONNREFUSED": ConnectionRefusedError("refused"),
    "WRONGPASS": AuthenticationError("WRONGPASS invalid username-password pair"),
    "maxclients": ConnectionError("max number of clients reached"),
}


class PlayedAsker(NodeAsker):
    """Checks a server whose answers and time are the test's."""

    def __init__(self, listeners, through_client=False):
        super().__init__("server", listeners, through_client)
        self.at, self._machine = 0.0, NodeVerdict(spread=0, again=1)

    def now(self):
        return self.at

    def does(self, at, what, *things):
        """Plays an event of the machine at this time."""
        self.at = at
        self._machine.advance(at)
        getattr(self._machine, what)(*things, at)


class PlayedNode:
    """One node of a scenario: plays what comes in, and notes what goes out."""

    def __init__(self, name, scenario, out, says):
        self.name, self.by_hand, self.out = name, scenario.get("byhand", ()), out
        self.asker = PlayedAsker([lambda change: says.append([self.asker.at, change.verdict])])
        self.compares_drops = any("drop" in each for each in scenario["out"])
        self.machine, self.calls, self.turning = self.asker._machine, {}, False

    def begins(self, step, now):
        crowd = [self.machine.begin(now, float("inf")) for _ in range(CALLS_IN_FLIGHT if "crowded" in step else 0)]
        call = self.calls[step["begins"]] = self.machine.begin(now, step["deadline_ms"], step.get("on"))
        for each in crowd:
            self.machine.leave(each)
        if call.verdict is not None:
            self.machine.todo.append(("end", call))

    def plays(self, step, now):
        machine, self.asker.at = self.machine, now
        if "begins" in step:
            self.begins(step, now)
        elif "answered" in step:
            machine.answered(self.calls[step["answered"]], now, meaning_of(step))
        elif "cancels" in step:
            machine.leave(self.calls[step["cancels"]])
        elif "opens" in step:
            assert machine.opens() is step["may"]
        elif "connected" in step:
            machine.connected(step["connected"], now)
        elif "refused" in step:
            self.asker._is_refused(step["refused"], REFUSALS[step["kind"]])
        elif "cut" in step:
            self.asker._is_cut(step["cut"], ConnectionError("lost"))
        elif "written" in step:
            machine.written(step["written"], now)
        else:
            machine.replied(step["reply"], now, meaning_of(step))
        self.done(now)

    def done(self, now):
        self.asker.at = now
        self.asker._tell_change()
        self.asker._report()
        todo, self.machine.todo = self.machine.todo, []
        for what, *things in todo:
            noted = {"at_ms": now} if self.name == "a" else {"at_ms": now, "node": self.name}
            if what == "connect":
                self.out.append({**noted, "connect": things[0]})
            elif what == "ask":
                self.out.append({**noted, "ask": things[0], "on": things[1]})
                if things[0] not in self.by_hand:
                    self.machine.written(things[0], now)
            elif what == "turn":
                self.turning = True
            elif what == "close":
                self.out.append({**noted, "close": things[0]})
            elif what == "drop" and self.compares_drops:
                self.out.append({**noted, "drop": things[0]})
            elif what == "end":
                ended = [name for name, call in self.calls.items() if call is things[0]]
                self.out += [{**noted, "end": name, "outcome": things[0].verdict.name} for name in ended]
        if self.machine.todo:
            self.done(now)


def played(scenario):
    out, says, nodes, steps, stands_until = [], [], {}, list(scenario["in"]), float("-inf")
    ends = sum("end" in each for each in scenario["out"])

    def turn(now):
        for node in nodes.values():
            if node.turning:
                node.turning = False
                node.machine.turned(now)
                node.done(now)

    def timers(now):
        for node in nodes.values():
            node.machine.advance(now)
            node.done(now)

    while sum("end" in each for each in out) < ends or steps:
        due = min([node.machine.next_at for node in nodes.values()], default=float("inf"))
        now = max(stands_until, min(due, steps[0]["at_ms"] if steps else float("inf")))
        assert now < float("inf"), out
        timers(now)
        while steps and steps[0]["at_ms"] <= now:
            step = steps.pop(0)
            if "stands_still_until_ms" in step:
                stands_until = step["stands_still_until_ms"]
                continue
            name = step.get("node", "a")
            if "forks" in step:
                del nodes[name]
                continue
            if name not in nodes:
                nodes[name] = PlayedNode(name, scenario, out, says)
            nodes[name].plays(step, now)
        turn(now)
    return out, says


@pytest.mark.parametrize("scenario", vectors("verdict", "scenarios"))
def test_verdict_json(scenario):
    out, says = played(scenario)
    last = max(at for at, each in enumerate(out) if "end" in each)
    assert out[: last + 1] == scenario["out"], scenario["name"]
    assert says == scenario.get("says", says), scenario["name"]


def test_f2_10_a_minute_without_calls_is_no_change_of_the_verdict():
    calls = [{"at_ms": at, "begins": name, "deadline_ms": 200} for at, name in ((0, "a"), (1_000, "b"), (70_000, "c"))]
    events = [{"at_ms": 1, "connected": 1}, {"at_ms": 2, "reply": 1}, {"at_ms": 3, "answered": "a"}]
    events += [{"at_ms": 70_001, "connected": 2}, {"at_ms": 70_002, "reply": 3}, {"at_ms": 70_003, "answered": "c"}]
    _, says = played({"in": sorted(calls + events, key=lambda each: each["at_ms"]), "out": [{"end": each["begins"]} for each in calls]})
    assert [verdict for _, verdict in says] == ["silent", "up"]
    assert says[1][0] >= 70_000


def test_f2_1_only_the_first_connection_waits():
    machine = NodeVerdict(spread=3_000, again=1)

    def connections():
        todo, machine.todo = machine.todo, []
        return [what for what, *_ in todo if what in ("connect", "drop")]

    machine.answered(machine.begin(0, 50), 1)
    assert connections() == []
    machine.advance(3_000)
    assert connections() == ["connect"]
    machine.connected(1, 3_001)
    machine.written(1, 3_001)
    machine.replied(1, 3_002)
    machine.advance(70_000)
    assert connections() == ["drop"]
    # Without calls for a minute: the next one connects at once, so that it learns of an outage.
    machine.begin(80_000, 50)
    assert connections() == ["connect"]


def test_turns_that_a_call_asks_for_while_the_question_is_read_are_taken(monkeypatch):
    asker, reads = ThreadAsker("", [], lambda: None, ask=lambda command: None), []

    class Turned(Exception):
        pass

    def read(open_ones, seconds):
        reads.append(asker._turns)
        if len(reads) == 1:
            asker._turns = 2
        assert len(reads) < 10

    def turned(now):
        raise Turned

    asker._machine = NodeVerdict(spread=60_000)
    monkeypatch.setattr(asker, "_read", read)
    monkeypatch.setattr(asker._machine, "turned", turned)
    # The thread ends where nothing is due.
    asker._machine.begin(clock(), 60_000)
    with pytest.raises(Turned):
        asker._drive()
    assert reads == [0, 2, 1]


def with_a_silent_connection():
    """An asker whose connection 1 has answered and is silent, and whose connection 2 is being made."""
    asker = PlayedAsker([])
    asker._machine.begin(0, 50)
    asker.does(1, "connected", 1)
    asker.does(2, "replied", 1)
    asker._machine.begin(20_000, 50)
    asker.does(20_001, "written", 2)
    asker.does(20_255, "turned")
    asker._machine.begin(20_400, 50)
    asker.does(26_000, "advance")
    assert ("connect", 2) in asker._machine.todo
    return asker


def failure_of_a_late_call(asker, at):
    call = asker._machine.begin(at, 50)
    asker._machine.advance(at + 50)
    return call.verdict, asker.failure(call, is_sent=True)


def test_f2_3_a_lost_connection_does_not_replace_the_reason_of_a_refusal():
    asker, refusal = with_a_silent_connection(), AuthenticationError("WRONGPASS invalid username-password pair")
    asker._is_refused(2, refusal)
    asker._is_cut(1, ConnectionError("reset"))
    # Of an attempt that was given up.
    asker._is_refused(2, ConnectionError("too late"))
    verdict, failure = failure_of_a_late_call(asker, 26_001)
    assert verdict is CallVerdict.REFUSED and failure.error is refusal


def test_f2_10_a_listener_is_told_once_of_a_refusal_beside_answered_calls():
    told, refusal = [], AuthenticationError("WRONGPASS invalid username-password pair")
    asker = PlayedAsker([told.append])
    asker.does(1, "answered", asker._machine.begin(0, 50))
    asker._is_refused(1, refusal)
    asker._report()
    assert [(change.verdict, change.before, change.error) for change in told] == [("up", "up", refusal)]
    asker._machine.begin(2, 50)
    asker.does(6_000, "advance")
    asker.does(6_000, "answered", asker._machine.begin(6_000, 50))
    asker._is_refused(2, refusal)
    asker._report()
    assert len(told) == 1


def test_f2_10_a_check_that_is_lost_through_the_client_is_silence_and_no_refusal():
    async def loses(command):
        raise ConnectionError("lost")

    async def body():
        told = asyncio.Queue()
        asker = LoopAsker("server", [told.put_nowait], lambda: None, loses)
        asker._machine = NodeVerdict(spread=0)
        asker.leave(asker.begin(60, ("EVALSHA", "sha", 1, "key", 1, 10, 60)))
        change = await told.get()
        assert (change.verdict, change.before, change.error) == ("silent", "up", None)
        assert failure_of_a_late_call(asker, asker.now())[0] is CallVerdict.OUTAGE

    asyncio.run(asyncio.wait_for(body(), 120))


def test_f2_10_a_check_that_is_lost_through_the_client_beside_answered_calls_is_not_told():
    told = []
    asker = PlayedAsker([told.append], through_client=True)
    asker.does(1, "answered", asker._machine.begin(0, 50))
    asker.does(2, "connected", 1)
    asker._is_cut(1, ConnectionError("lost"))
    asker._tell_change()
    asker._report()
    assert told == [] and asker.state == "up"
    assert failure_of_a_late_call(asker, 2)[0] is CallVerdict.OVERLOADED


@pytest.mark.parametrize("client", (redis.Redis, redis.asyncio.Redis))
def test_f2_3_nothing_listens_at_a_unix_socket_that_does_not_exist(client, tmp_path):
    async def body():
        told = []
        asker = PlayedAsker([told.append])
        asker._machine.begin(0, 50)
        asker._machine.advance(1)
        with pytest.raises(Exception) as refused:
            await client(unix_socket_path=str(tmp_path / "no.sock"), retry=None).connection_pool.make_connection().connect()
        asker._is_refused(1, refused.value)
        asker._tell_change()
        asker._report()
        assert [change.verdict for change in told] == ["silent"]
        assert failure_of_a_late_call(asker, 2)[0] is CallVerdict.OUTAGE

    asyncio.run(asyncio.wait_for(body(), 120))


def test_f2_3_a_file_of_the_client_that_does_not_exist_is_a_wrong_configuration():
    asker = PlayedAsker([])
    asker._machine.begin(0, 50)
    with pytest.raises(FileNotFoundError) as missing:
        open("/no/certificate")
    asker._is_refused(1, missing.value)
    assert asker.state == "refused" and failure_of_a_late_call(asker, 2)[0] is CallVerdict.REFUSED
