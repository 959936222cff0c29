"""Rules C1 to C5: random histories of calls that share trips, beside an exact bucket, and deliberate mistakes that they must find.

`python tests/test_trips.py` writes some of them into trips.json, for all languages.
"""

import json
import random

import pytest
from penstock_redis._numbers import OLD_TRIPS, TRIP_CALLS_AT_ONCE, TRIP_OLD_MS, TRIPS_UNDER_WAY
from penstock_redis._trips import TripFailure, TripGroup, TripReply
from servers import VECTORS, vectors

HISTORIES = 2_000


def reply(granted, remaining, wait=0):
    return TripReply((granted, 1_000, remaining, wait, 7, 1))


def written(outcome):
    """An outcome, as trips.json has it."""
    if isinstance(outcome, TripReply):
        return list(outcome.fields)
    return {"error": outcome.why, "ran": outcome.ran, "needs_source": outcome.needs_source}


def read(outcome):
    if isinstance(outcome, list):
        return TripReply(tuple(outcome))
    return TripFailure(outcome["error"], outcome["ran"], outcome["needs_source"])


class History:
    """A group beside other clients of a bucket, with lost answers, NOSCRIPT, MOVED, callers that give up and deadlines that pass."""

    def __init__(self, seed, group):
        self.random = random.Random(seed)
        self.cost = self.random.choice([1, 1, 2, 7, 50])
        self.units = self.random.randrange(60) * self.cost + self.random.randrange(self.cost)
        self.group = group(self.cost)
        self.refills = self.random.choice([0, 0.1, 0.6])
        self.faults = self.random.choice([0, 0, 0.15])
        self.loaded = self.random.random() < 0.7
        # Whether its callers ask first whether their calls go alone, as a driver's do.
        self.drives = self.random.random() < 0.5
        # Trips of up to 2 ms, or of up to 16 ms.
        self.slow = self.random.choice([1, 8])
        self.ended, self.left, self.cancels, self.order, self.events, self.number = {}, set(), set(), [], [], 0
        # For trips.json: what happens to the group, and what it does.
        self.given, self.done, self.trips = [], [], {}

    def at(self, when, what, timer_is_late=False):
        self.number += 1
        self.events.append((when, self.number, what, timer_is_late))
        self.events.sort(key=lambda each: each[:2])

    def run(self):
        now = 0.0
        calls, crowded = self.random.choice([3, 14, 60]), self.random.random() < 0.7
        for call in range(calls):
            now += self.random.choice([0, 0, 0, 0, 0.125] if crowded else [0, 0, 0.125, 0.5, 3])
            self.at(now, lambda when, call=call: self.enters(call, when), self.drives and self.random.random() < 0.3)
            if self.random.random() < 0.1:
                self.at(now + self.soon(), lambda when, call=call: self.stops(call, when, self.random.random() < 0.5))
        while self.events:
            when, _, what, timer_is_late = self.events.pop(0)
            if not timer_is_late:
                self.advances(when)
            what(when)
            self.perform(when)
            due = self.group.next_time(when)
            if not self.events and self.group.waiting:
                assert due > when, "nothing would ever send those who wait"
                self.at(due, self.advances)
        assert set(self.ended) | self.left == set(range(calls)), "a call has no end"
        assert self.group.is_over

    def soon(self):
        """A time whose quarter is a whole number of nanoseconds."""
        return self.slow * self.random.randrange(1, 9) / 8

    def enters(self, call, when):
        self.given.append({"at_ms": when, "begins" if self.drives else "enters": call})
        trip = self.group.goes_alone(when) if self.drives else None
        if trip is None:
            self.group.enter(call, when)
            return
        assert not self.group.waiting, "a call goes ahead of those who wait"
        self.trips[trip] = len(self.trips) + 1
        self.ended[call] = "hears its answer itself"
        self.done.append({"at_ms": when, "goes_alone": call})
        self.send(trip, when)

    def advances(self, when):
        if self.group.waiting:
            self.given.append({"at_ms": when, "advances": True})
        self.group.advance(when)
        self.perform(when)

    def stops(self, call, when, cancels):
        if call in self.ended:
            return
        self.given.append({"at_ms": when, "cancels" if cancels else "leaves": call})
        self.left.add(call)
        if cancels:
            self.cancels.add(call)
            self.group.cancel(call)
        else:
            self.group.leave(call)

    def perform(self, when):
        while self.group.actions:
            what, *things = self.group.actions.pop(0)
            if what == "send":
                self.trips[things[0]] = len(self.trips) + 1
                sent = {"sends": list(things[0].calls), "commands": things[0].commands, "by_source": things[0].by_source}
                self.done.append({"at_ms": when, **sent})
                self.send(things[0], when)
                continue
            self.done.append({"at_ms": when, "ends": things[0], "outcome": written(things[1])})
            if things[0] not in self.left:
                assert things[0] not in self.ended, "a call has two ends"
                self.ended[things[0]] = things[1]

    def send(self, trip, when):
        assert not self.left & set(trip.calls), "a call that has ended is sent"
        young = [each.number for each in self.group._trips if when < self.group._old_at(each)]
        assert len(young) <= TRIPS_UNDER_WAY or sum(young[:-1]) < TRIP_CALLS_AT_ONCE, "more than four trips of at least eight calls"
        self.order += [call for call in trip.calls if call not in self.order]
        assert self.order == sorted(self.order) and trip.calls == sorted(trip.calls), "the queue has lost its order"
        outcomes, grants = [], []
        ran = when + self.soon()

        def run(now, at, asks):
            if self.random.random() < self.refills:
                self.units += self.random.randrange(3 * self.cost)
            if self.random.random() < 0.2:
                self.units -= min(self.units, self.random.randrange(2 * self.cost))
            if self.random.random() < self.faults:
                self.loaded = False
            grants.append([])
            if self.random.random() < self.faults / 3:
                outcomes.append(TripFailure("MOVED", ran=False))
            elif self.random.random() < self.faults / 3:
                outcomes.append(TripFailure("OOM", ran=True))
            elif not self.loaded and not (trip.by_source and at == 0):
                outcomes.append(TripFailure("NOSCRIPT", ran=False, needs_source=True))
            else:
                self.loaded = True
                while self.units >= self.cost and len(grants[-1]) < asks:
                    self.units -= self.cost
                    grants[-1].append(self.units)
                outcomes.append(reply(len(grants[-1]), self.units, 0 if grants[-1] else self.cost - self.units))
            if at == len(trip.commands) - 1:
                self.at(now + self.soon(), lambda then: self.comes(trip, outcomes, grants, then))

        for at, asks in enumerate(trip.commands):
            self.at(ran, lambda now, at=at, asks=asks: run(now, at, asks))

    def comes(self, trip, outcomes, grants, now):
        """The answers, of which the last ones may be lost."""
        if self.random.random() < self.faults:
            lost_from = self.random.randrange(len(outcomes))
            outcomes[lost_from:] = [TripFailure("cut", ran=None)] * (len(outcomes) - lost_from)
        takers = [call for call in trip.calls if call not in self.cancels]
        self.given.append({"at_ms": now, "answered": self.trips[trip], "outcomes": list(map(written, outcomes))})
        self.group.answered(trip, outcomes, now)
        ends = [each[1:] for each in self.group.actions if each[0] == "end"]
        told = dict(ends)
        assert len(told) == len(ends) and not set(told) & set(self.ended), "a call has two ends"
        self.compare(trip, outcomes, grants, takers, told)

    def compare(self, trip, outcomes, grants, takers, told):
        """What each call is told is what it would have got alone, at that instant."""
        first, last = outcomes[0], outcomes[-1]
        if isinstance(first, TripFailure) and first.ran is None:
            assert told == dict.fromkeys(takers, first), "all may have been charged"
            return
        if len(outcomes) == 2 and isinstance(first, TripFailure) and first.ran:
            spoken = [call for call in takers if call in trip.calls[:-1]]
            assert all(told[call] is first for call in spoken), "an error is the answer of those for whom its command speaks"
            takers = [call for call in takers if call not in spoken]
        if len(trip.calls) == 2 and isinstance(first, TripReply) and first.granted == 0:
            assert all(told[call] is first for call in takers[:1])
            takers = takers[1:]
        alone = [left for outcome, lefts in zip(outcomes, grants) if isinstance(outcome, TripReply) for left in lefts]
        for call, remaining in zip(takers, alone):
            assert told[call] == reply(1, remaining), "a grant has its own remaining units, in order"
        rest = takers[len(alone) :]
        if isinstance(last, TripFailure) and last.ran is not False:
            assert all(told[call] is last for call in rest[:1])
            rest = rest[1:]
        ran_behind = len(outcomes) == 1 or isinstance(first, TripReply) or first.ran
        denied = [] if isinstance(last, TripFailure) or last.granted else rest if ran_behind else rest[:1]
        ended = {call: told[call] for call in rest if call in told}
        assert ended == dict.fromkeys(denied, last), "no other call ends, and none by a wrong denial"


def lost_trips():
    """A history of calls that go alone when all trips before them are old, until more trips are old than may be."""
    group, given, done, sent = TripGroup(1), [], [], []
    last = OLD_TRIPS + TRIP_CALLS_AT_ONCE

    def notes(now):
        for what, *things in group.actions:
            if what == "send":
                sent.append(things[0])
                done.append({"at_ms": now, "sends": things[0].calls, "commands": things[0].commands, "by_source": False})
            else:
                done.append({"at_ms": now, "ends": things[0], "outcome": written(things[1])})
        group.actions.clear()

    for call in range(last + 1):
        now = float(call * TRIP_OLD_MS)
        given.append({"at_ms": now, "enters": call})
        group.enter(call, now)
        notes(now)
    assert len(sent) == last and group.next_time(now) == float("inf"), "only an answer lets the last one go"
    now += TRIP_OLD_MS
    for trip in range(last + 1):
        given.append({"at_ms": now, "answered": trip + 1, "outcomes": [written(reply(1, last - trip))]})
        group.answered(sent[trip], [reply(1, last - trip)], now)
        notes(now)
    assert group.is_over
    return {"cost": 1, "in": given, "out": done}


def late_answer():
    """A history of a call that went alone and whose answer is heard late: that makes no other trip count for longer."""
    group, given, done, trips = TripGroup(1), [], [], []

    def begins(call, now):
        given.append({"at_ms": now, "begins": call})
        trips.append(group.goes_alone(now))
        assert trips[-1] is not None, "those before it are old"
        done.append({"at_ms": now, "goes_alone": call})

    def hears(trip, now):
        given.append({"at_ms": now, "answered": trip + 1, "outcomes": [written(reply(1, 9))]})
        group.answered(trips[trip], [reply(1, 9)], now)

    for call in range(8):
        begins(call, 0.0)
    hears(0, 1.0)
    hears(1, 20.0)
    for call in range(8, 16):
        begins(call, 20.0)
    for trip in range(2, 16):
        hears(trip, 21.0)
    assert group.is_over and group.took == 1.0
    return {"cost": 1, "in": given, "out": done}


class Crowd:
    """64 callers of a group, each of which calls again when it is answered; `units(trip)` are what each command finds in the bucket."""

    TOOK = 8.0

    def __init__(self, units, group=TripGroup):
        self.units, self.group = units, group(1)
        self.entered, self.trips, self.waits, self.denied, self.under_way = {}, 0, [], 0, []

    def run(self):
        now = 0.0
        for _ in range(64):
            self.enters(now)
        while self.trips < 2_000:
            self.perform(now)
            back = self.under_way[0][0]
            now = min(back, self.group.next_time(now))
            if now == back:
                self.group.answered(*self.under_way.pop(0)[1:], now)
            else:
                self.group.advance(now)
        return self

    def enters(self, now):
        call = len(self.entered)
        self.entered[call] = now
        self.group.enter(call, now)

    def perform(self, now):
        while self.group.actions:
            what, *things = self.group.actions.pop(0)
            if what == "send":
                self.send(things[0], now)
                continue
            call, answer = things
            self.waits.append((now - self.entered[call]) / self.TOOK)
            self.denied += not answer.granted
            self.enters(now)

    def send(self, trip, now):
        in_order = [*trip.calls, *self.group.waiting]
        assert in_order == sorted(in_order), "one that came later goes ahead"
        self.trips += 1
        left, replies = 0, []
        for asks, more in zip(trip.commands, self.units()):
            left += more
            granted = min(asks, left)
            left -= granted
            replies.append(reply(granted, left, 0 if granted else 1))
        self.under_way.append((now + self.TOOK, trip, replies))


class OutOfOrder(TripGroup):
    def _shared(self, trip, outcomes):
        trip.calls.reverse()
        return super()._shared(trip, outcomes)


class DeniedByPart(TripGroup):
    def _shared(self, trip, outcomes):
        first = outcomes[0]
        if isinstance(first, TripReply) and 0 < first.granted < len(trip.calls) - 1:
            outcomes = [first, first._replace(fields=(0, *first.fields[1:]))]
        return super()._shared(trip, outcomes)


class SentAgain(TripGroup):
    def _shared(self, trip, outcomes):
        if isinstance(outcomes[0], TripFailure) and outcomes[0].ran is None:
            return [call for call in trip.calls if call not in self._cancelled]
        return super()._shared(trip, outcomes)


class ToldLess(TripGroup):
    def _shared(self, trip, outcomes):
        first = outcomes[0]
        if isinstance(first, TripReply) and first.granted > 1:
            outcomes[0] = first._replace(fields=(first.granted - 1, *first.fields[1:]))
        return super()._shared(trip, outcomes)


class GoesAhead(TripGroup):
    def goes_alone(self, now):
        waiting, self.waiting = self.waiting, []
        try:
            return super().goes_alone(now)
        finally:
            self.waiting = waiting


class GivenOn(TripGroup):
    def leave(self, call):
        self.cancel(call)


class DeniedAhead(TripGroup):
    def _alone(self, calls, outcome):
        if isinstance(outcome, TripReply) and outcome.granted == 0:
            return self._all(calls, outcome)
        return super()._alone(calls, outcome)


@pytest.mark.parametrize("history", vectors("trips", "histories"))
def test_c_json(history):
    group, trips, done = TripGroup(history["cost"]), [], []
    for step in history["in"]:
        now = step["at_ms"]
        if "begins" in step:
            trip = group.goes_alone(now)
            if trip is None:
                group.enter(step["begins"], now)
            else:
                trips.append(trip)
                done.append({"at_ms": now, "goes_alone": step["begins"]})
        elif "enters" in step:
            group.enter(step["enters"], now)
        elif "leaves" in step:
            group.leave(step["leaves"])
        elif "cancels" in step:
            group.cancel(step["cancels"])
        elif "answered" in step:
            group.answered(trips[step["answered"] - 1], list(map(read, step["outcomes"])), now)
        else:
            group.advance(now)
        for what, *things in group.actions:
            if what == "send":
                trips.append(things[0])
                sent = {"sends": things[0].calls, "commands": things[0].commands, "by_source": things[0].by_source}
                done.append({"at_ms": now, **sent})
            else:
                done.append({"at_ms": now, "ends": things[0], "outcome": written(things[1])})
        group.actions.clear()
    assert done == history["out"] and group.is_over


def test_c_histories():
    for seed in range(HISTORIES):
        History(seed, TripGroup).run()


@pytest.mark.parametrize("mistaken", [OutOfOrder, DeniedByPart, SentAgain, ToldLess, GivenOn, DeniedAhead, GoesAhead])
def test_c_finds_mistakes(mistaken):
    with pytest.raises((AssertionError, KeyError)):
        for seed in range(HISTORIES):
            History(seed, mistaken).run()


@pytest.mark.parametrize("between", [0, 0.016])
def test_c2_a_crowd_waits_for_no_more_than_a_few_trips(between):
    """One unit a trip, which in some trips refills behind the first command: that denies all but one, and the others go again."""
    waits, denied = [], 0
    for seed in range(5):
        chance = random.Random(seed)
        crowd = Crowd(lambda: (0, 1) if chance.random() < between else (1, 0)).run()
        waits, denied = waits + crowd.waits, denied + crowd.denied
    assert denied > len(waits) / 2
    assert sum(trips <= 2 for trips in waits) >= 0.98 * len(waits) and max(waits) <= 10


def test_c2_a_unit_behind_each_partial_grant_denies_nobody():
    """Two of those who wait are answered by each trip, the first ones first."""
    crowd = Crowd(lambda: (1, 1)).run()
    assert crowd.denied == 0 and max(crowd.waits) <= 33


def test_c1_bounds():
    """A trip has at most 1,000 calls, and asks for at most 10^12 units."""
    for cost, most in ((1, 1_000), (10**12, 2), (4 * 10**11, 3)):
        group = TripGroup(cost, sent=0.0)
        for call in range(2_500):
            group.enter(call, 0.1)
        assert sent(group) == [[call] for call in range(7)]
        group.answered(group.alone, [reply(1, 0)], 1.0)
        assert list(map(len, sent(group))) == [most]


def sent(group):
    """The calls of the trips that were sent since it was asked."""
    trips = [each[1].calls for each in group.actions if each[0] == "send"]
    group.actions.clear()
    return trips


def test_c1_times():
    """Calls go at once while fewer than eight are under way, and trips a quarter of a trip's time after the youngest; an old trip holds no
    place."""
    group = TripGroup(1, took=8.0, sent=0.0)
    for call in range(7):
        group.enter(call, 0.5)
    singles = [each[1] for each in group.actions]
    assert sent(group) == [[call] for call in range(7)]
    for call in range(7, 17):
        group.enter(call, 1.0)
    # Eight trips are under way, so that no other one may be before one is old.
    assert sent(group) == [] and group.next_time(1.0) == 32.0
    group.answered(group.alone, [reply(1, 0)], 8.0)
    assert sent(group) == [list(range(7, 17))]
    for trip in singles:
        group.answered(trip, [reply(1, 0)], 8.5)
    group.enter("a", 8.5)
    assert sent(group) == [] and group.next_time(8.5) == 10.0
    for at, call in ((10.0, "b"), (10.5, "c"), (12.0, "d")):
        group.enter(call, at)
    assert sent(group) == [["a", "b"], ["c", "d"]] and group.next_time(12.0) == float("inf")
    group.enter("e", 13.0)
    assert sent(group) == [] and group.next_time(13.0) == 14.0
    group.enter("f", 14.0)
    group.enter("g", 16.0)
    assert sent(group) == [["e", "f"]] and group.next_time(16.0) == 40.0 and group.next_time(41.0) == 41.0
    group.advance(40.0)
    assert sent(group) == [["g"]]


def test_c1_a_call_goes_alone():
    """Its caller sends it itself, unless eight are under way, others wait or the next trip must bring the script's source."""
    group = TripGroup(1, sent=0.0)
    alone = [group.goes_alone(0.5) for _ in range(7)]
    assert None not in alone and group.goes_alone(0.5) is None
    group.enter("a", 0.5)
    group.answered(alone[0], [TripFailure("lost", ran=None)], 1.0)
    assert sent(group) == [["a"]] and group.goes_alone(1.0) is None
    group.answered(alone[1], [TripFailure("NOSCRIPT", ran=False, needs_source=True)], 1.0)
    assert group.goes_alone(1.0) is None
    group.enter("b", 1.0)
    assert group.actions[-1][1].by_source and sent(group) == [["b"]]
    for trip in [group.alone, *alone[2:]]:
        group.answered(trip, [reply(1, 0)], 2.0)
    assert sent(group) == [] and group.goes_alone(2.0) is not None and not group.is_over


def test_c1_learnt():
    """Before a trip is made up, each call that has waited is decided by what has been learnt meanwhile."""
    group = TripGroup(1, learnt={"b": "a remembered denial"}.get, sent=0.0)
    for call in "abc":
        group.enter(call, 0.5)
    group.answered(group.alone, [reply(1, 5)], 1.0)
    assert group.actions[1] == ("end", "b", "a remembered denial") and group.actions[2][1].calls == ["c"]
    assert len(group.actions) == 3 and group.took == 1.0


def test_c4_a_call_that_was_alone_and_lacked_the_script():
    """It goes again itself; the next trip brings the script's source."""
    group = TripGroup(1, sent=0.0)
    for call in "abcdefghi":
        group.enter(call, 0.5)
    group.answered(group.alone, [TripFailure("NOSCRIPT", ran=False, needs_source=True)], 1.0)
    expected = [*(([call], False) for call in "abcdefg"), (["h", "i"], True)]
    assert [(trip.calls, trip.by_source) for what, trip in group.actions if what == "send"] == expected


ABOUT = {
    "in": "what happens to a group of calls with this cost, in order of at_ms. begins: a call begins, which its caller sends itself if the "
    "group lets it go alone; otherwise it enters. enters: a call begins. leaves: its deadline has passed. cancels: its caller gives up. "
    "advances: its timer. answered: the n-th trip has these outcomes, one for each of its commands: the six integers of a reply; or an "
    "error, where ran is false if the server proves that the command did not run (needs_source: NOSCRIPT), null if no answer came, and "
    "true for any other error.",
    "out": "what the group does at once, in order. sends: a trip of these calls, with commands that ask for so many calls each, the first "
    "with the script's source if by_source. goes_alone: a call is the next trip, which its caller sends itself. ends: a call, with its "
    "outcome, of which one that has left is told nothing.",
    "time": "multiples of an eighth of a millisecond, and quarters of these",
}


def main():
    """Writes histories in which each kind of outcome occurs."""
    made = [lost_trips(), late_answer()]
    for seed in range(10_000):
        history = History(seed, TripGroup)
        history.run()
        shares = any(len(trip.calls) > 2 for trip in history.trips)
        if len(history.ended) <= 14 and (shares or len(made) < 6) and (history.faults or history.left or len(made) < 12):
            made.append({"cost": history.cost, "in": history.given, "out": history.done})
        if len(made) == 42:
            break
    histories = ",\n  ".join(json.dumps(each) for each in made)
    text = f'{{\n "protocol": 1,\n "about": {json.dumps(ABOUT)},\n "histories": [\n  {histories}\n ]\n}}\n'
    (VECTORS / "trips.json").write_text(text)


if __name__ == "__main__":
    main()
