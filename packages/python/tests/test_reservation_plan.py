"""The pure functions of reservations, and what is refused before anything is sent."""

from datetime import timedelta

import pytest
import redis
import redis.asyncio
from penstock_redis import AsyncReservations, CallId, ConcurrencyLimiter, EntryCost, EntryLimit, EntryUsage, ReservationAnswer
from penstock_redis import ReservationPlan, Reservations, fixed_window, leaky_bucket, sliding_window, token_bucket
from servers import vectors

SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)
BUCKET = EntryLimit("tpm", token_bucket(100, 10, SECOND))
LEAKY = EntryLimit("rpm", leaky_bucket(5, 10, SECOND))
PLACES = EntryLimit.concurrency("in-flight", 10)


@pytest.mark.parametrize("entry, key", [
    (BUCKET.charge(1), "p:tpm:{tenant:7}:b100.10.1000000"), (BUCKET.debit(1), "p:tpm:{tenant:7}:rb100.10.1000000"),
    (BUCKET.reserve(1, within="user:42"), "p:tpm:{tenant:7}/user:42:rb100.10.1000000"),
    (BUCKET.reserve(1, within="a/b%{\u00fc"), "p:tpm:{tenant:7}/a%2Fb%25%7B\u00fc:rb100.10.1000000"),
    (PLACES.reserve(), "p:in-flight:{tenant:7}:rc"), (LEAKY.charge(1), "p:rpm:{tenant:7}:b5.10.1000000"),
    (EntryLimit("day", fixed_window(9, DAY)).reserve(1), "p:day:{tenant:7}:rw86400000000"),
    (EntryLimit("day", sliding_window(9, DAY)).reserve(1), "p:day:{tenant:7}:rs86400000000"),
])  # fmt: skip
def test_keys_of_a_group(entry, key):
    assert entry.key("p", "tenant:7").decode() == key


def refusing():
    """Reservations that must send nothing: nobody listens there."""
    return Reservations(redis.Redis(port=1), "llm", MINUTE, on_unavailable="allow")


@pytest.mark.parametrize("made, message", [
    (lambda: refusing().reserve("g"), "entries must be 1 to 8: 0"),
    (lambda: refusing().reserve("g", *(BUCKET.reserve(1, within="x" * at) for at in range(1, 10))), "entries must be 1 to 8: 9"),
    (lambda: refusing().reserve("", BUCKET.reserve(1)), "group: subject must not be empty"),
    (lambda: refusing().reserve(b"\xff", BUCKET.reserve(1)), "group: subject must be well-formed"),
    (lambda: refusing().reserve("g", BUCKET.reserve(1), BUCKET.debit(2)), "entries must have different keys: entry 2 has the key"),
    (lambda: BUCKET.reserve(1, within=""), "within: subject must not be empty"),
    (lambda: BUCKET.reserve(0), "units must be an integer from 1 to 1000000000000: 0"),
    (lambda: BUCKET.charge(10**12 + 1), "units must"), (lambda: BUCKET.charge(1.0), "units must"),
    (lambda: PLACES.reserve(0), "units must"),
    (lambda: PLACES.charge(1), "limit does not support charge: concurrency:10"), (lambda: PLACES.debit(1), "limit does not support debit"),
    (lambda: LEAKY.reserve(1), "limit does not support reserve: leaky-bucket:10/1s,burst=5"),
    (lambda: LEAKY.debit(1), "limit does not support debit"),
    (lambda: EntryLimit.concurrency("in-flight", 0), "limit must be an integer from 1 to 1000000000000: 0"),
    (lambda: EntryLimit("GET /", BUCKET.limit), "policy must be 1 to 64"),
    (lambda: BUCKET.reserve(1).used(-1), "total must be an integer from 0"), (lambda: BUCKET.charge(1).used(1), "entry must reserve units"),
    (lambda: PLACES.reserve().used(1), "entry must reserve units of a rate: reserve in-flight"),
    (lambda: CallId("a b"), "text must be 1 to 64"), (lambda: CallId(""), "text must be 1 to 64"), (lambda: CallId("a\n"), "text must"),
    (lambda: EntryLimit.parse("x", "concurrency:+1"), 'limit "concurrency:.1" must be a number after "concurrency:"'),
    (lambda: EntryLimit.parse("x", "concurrency:\u0661"), "limit .* must be a number"),
    (lambda: EntryLimit.parse("x", "concurrency:0"), "limit must be an integer"),
    (lambda: EntryLimit.parse("x", "concurrenc:1"), "limit .*must begin with one of"),
    (lambda: Reservations(redis.Redis(), "llm", timedelta(microseconds=999)), "keep must be from 1 ms to 366 days"),
    (lambda: Reservations(redis.Redis(), "llm", timedelta(days=366, microseconds=1)), "keep must"),
    (lambda: Reservations(redis.Redis(), "llm", timedelta(seconds=0.3)), r"keep must be at least the timeout of .*seconds=1.: .*300000"),
    (lambda: Reservations(redis.Redis(), "llm", MINUTE, timeout=2 * MINUTE), "keep must be at least the timeout"),
    (lambda: Reservations(redis.Redis(), "llm", MINUTE, prefix="a:b"), "prefix must"),
    (lambda: Reservations(redis.Redis(), "llm", MINUTE, timeout=timedelta(0)), "timeout must"),
    (lambda: Reservations(redis.Redis(), "llm", MINUTE, on_unavailable="alow"), "on_unavailable must be 'raise', 'allow' or 'deny'"),
    (lambda: Reservations(redis.Redis(), "llm", MINUTE, on_overload="alow"), "on_overload must"),
    (lambda: ConcurrencyLimiter(refusing(), "x", 0), "limit must"), (lambda: ConcurrencyLimiter(refusing(), "x y", 1), "policy must"),
])  # fmt: skip
def test_what_is_refused(made, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        made()


@pytest.mark.parametrize("made, message", [
    (lambda: refusing().reserve("g", BUCKET.reserve(1), call_id="from-a-header"), "call_id must be a CallId, which the program makes: str"),
    (lambda: refusing().reserve("g", "tpm"), "entries must be made by an EntryLimit: entry 1 is 'tpm'"),
    (lambda: refusing().reserve(7, BUCKET.reserve(1)), "group: subject must be str"),
    (lambda: EntryLimit("tpm", "token-bucket:1/1s"), "limit must be made by a function"),
    (lambda: EntryLimit("tpm", fixed_window(1, SECOND), 10), "limit must be made by a function"),
    (lambda: EntryLimit.parse("tpm", 5), "limit must be a str"),
    (lambda: Reservations(redis.Redis(), "llm", 60), "keep must be a timedelta"),
    (lambda: Reservations(redis.asyncio.Redis(), "llm", MINUTE), "client must be redis.Redis .*AsyncReservations.*"),
    (lambda: AsyncReservations(redis.Redis(), "llm", MINUTE), "client must be redis.asyncio.Redis .*; Reservations takes those of redis"),
    (lambda: bool(AsyncReservations(redis.asyncio.Redis(), "llm", MINUTE).reserve("g", BUCKET.debit(1))), "the call was not sent: .*await"),
])  # fmt: skip
def test_types(made, message):
    with pytest.raises(TypeError, match=f"^{message}"):
        made()


def test_named_limits_as_text_and_ids():
    for text in ("concurrency:10", "token-bucket:100/1m,burst=20"):
        assert str(EntryLimit.parse("x", text)) == text and EntryLimit.parse("x", text).policy == "x"
    ids = {CallId.random() for _ in range(100)}
    assert len(ids) == 100 and all(len(str(each)) == 36 and str(each)[14] == "4" for each in ids)
    assert CallId("A-z.0_9") == CallId("A-z.0_9")


def test_whom_an_entry_is_about_is_not_printed():
    plan = ReservationPlan(CallId.random(), "g", (BUCKET.reserve(1, within="user:42"),))
    assert "user:42" not in repr(plan.entries) and "user:42" not in repr(plan.undecided(True, 0))


GOOD = [1, 0, 0, 0, 10, 9, 1, 5, 1]
PLAN = ReservationPlan(CallId.random(), "g", (PLACES.reserve(),))


def test_a_reply_is_read():
    answer = PLAN.answer(GOOD)
    assert answer and answer.enforced and answer.denying is None and answer.usages == (EntryUsage(PLACES.reserve(), 10, 9, 1, 5, 1),)
    assert answer.usages[0].reset_after == timedelta(microseconds=5)
    denied = PLAN.answer([0, 1_000_001, 1, 0, *GOOD[4:]])
    assert not denied and denied.denying == 0 and denied.retry_after_seconds == 2


@pytest.mark.parametrize("at, wrong", [
    (0, 2), (0, -1), (0, 0), (0, "1"), (0, None), (0, True), (1, -1), (2, 1), (2, -1), (3, 2), (3, -1), (4, 0), (5, -1), (6, -1), (7, -1),
    (8, 0), (8, 2),
])  # fmt: skip
def test_unreadable_replies_allow_nothing(at, wrong):
    with pytest.raises(ValueError, match="^the reply must"):
        PLAN.answer([*GOOD[:at], wrong, *GOOD[at + 1 :]])


@pytest.mark.parametrize("reply", [None, 1, "OK", [1], [2, 0, 0, 0, 0, 0], [True, 0, 0, 0, 0, 0], GOOD])
def test_unreadable_settlements(reply):
    with pytest.raises(ValueError, match="^the reply must"):
        PLAN.settled(reply)
    assert PLAN.settled([1, 10, 10, 0, 0, 1]) and not PLAN.settled([0] * 6)


def test_others_ask_at_a_pace_of_their_own():
    def asked(wait_us, held):
        usages = (EntryUsage(PLACES.reserve(), 10, 0, held, 5, 1),)
        return ReservationAnswer(CallId.random(), False, True, False, wait_us, 0, usages).ask_again_after / timedelta(milliseconds=1)

    paces = {asked(60_000_000, 1) for _ in range(2000)}
    assert (min(paces), max(paces)) == (50, 250)
    assert (asked(20_000, 1), asked(60_000_000, 0)) == (20, 60_000)
    assert asked(-1, 1) == timedelta.max / timedelta(milliseconds=1)


def test_a_mode_of_nobody():
    for limit in (PLACES, BUCKET, LEAKY):
        with pytest.raises(ValueError, match="^limit does not support chrage"):
            EntryCost(limit, "chrage", 1)


def planned(call):
    """A call of calls.json as it would be sent."""
    keep = timedelta(microseconds=call["keep_us"])
    llm = Reservations(redis.Redis(port=1), "llm", keep, prefix=call["prefix"], timeout=min(keep, MINUTE))
    entries = []
    for entry in call["entries"]:
        make = getattr(EntryLimit.parse(entry["policy"], entry["limit"]), entry["mode"])
        entries.append(make(entry["units"], within=entry.get("within")))
    return llm._plan(CallId(call["id"]), call["group"], entries)


@pytest.mark.parametrize("call", vectors("calls", "calls"))
def test_calls(call):
    if "error" in call:
        with pytest.raises(ValueError):
            planned(call)
        return
    plan = planned(call)
    assert [key.decode() for key in plan.keys] == call["keys"]
    assert [key.decode() for key in plan.holding] == call["settle_keys"]
    assert plan.reserve(call["keep_us"]) == call["args"]


def plan_of(vector):
    entries = tuple(EntryLimit.parse(f"p{at}", text).reserve() for at, text in enumerate(vector["limits"]))
    return ReservationPlan(CallId.random(), "g", entries)


@pytest.mark.parametrize("vector", vectors("calls", "replies"))
def test_replies(vector):
    if "error" in vector:
        with pytest.raises(ValueError, match="^the reply must"):
            plan_of(vector).answer(vector["reply"])
        return
    answer = plan_of(vector).answer(vector["reply"])
    for name in ("allowed", "repeated", "denying", "retry_after_seconds"):
        assert getattr(answer, name) == vector[name]
    assert answer.enforced and answer.delay == timedelta(microseconds=vector["delay_us"])
    assert [list(vars(usage).values())[1:] for usage in answer.usages] == [
        vector["reply"][at : at + 5] for at in range(4, len(vector["reply"]), 5)
    ]


@pytest.mark.parametrize("vector", vectors("calls", "settlements"))
def test_settlements(vector):
    if "error" in vector:
        with pytest.raises(ValueError, match="^the reply must"):
            plan_of(vector).settled(vector["reply"])
    else:
        assert plan_of(vector).settled(vector["reply"]) is vector["settled"]
