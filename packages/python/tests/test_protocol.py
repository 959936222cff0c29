"""The pure functions."""

import asyncio
import inspect
import json
from datetime import timedelta

import pytest
import redis
import redis.asyncio
from penstock_redis import DROP_INS, SCRIPTS, AsyncRateLimiter, CallId, CombinedHeaders, Decision, EntryCost, EntryLimit, FailureKind, Limit
from penstock_redis import RateLimitHeaders, RateLimiter, ReservationPlan
from penstock_redis import classify, decision, fixed_window, interval_bucket, key, parse_limit, proves_not_run, token_bucket
from servers import vectors

SECOND = timedelta(seconds=1)
HOUR = timedelta(hours=1)


def limit_of(example):
    script = next(script for script in SCRIPTS if script.name == example["script"])
    return Limit(script, tuple(map(tuple, example["tiers"])))


@pytest.mark.parametrize("example", vectors("keys", "keys"))
def test_keys(example):
    subjects = [bytes.fromhex(example["subject_hex"])] + ([example["subject"]] if "subject" in example else [])
    for subject in subjects:
        if "key" in example:
            assert key(example["policy"], subject, limit_of(example), example["prefix"]).decode() == example["key"]
        else:
            with pytest.raises(ValueError, match=f"^{example['error']} must"):
                key(example["policy"], subject, limit_of(example), example["prefix"])


def test_half_of_a_surrogate_pair_is_no_subject():
    with pytest.raises(ValueError, match="^subject must"):
        key("api", "\ud83d", fixed_window(1, SECOND))


def test_decision():
    denied = Decision(0, 100, 3, 1_000_001, 5, 1)
    assert (denied.allowed, denied.retry_after, denied.retry_after_seconds) == (False, timedelta(seconds=1, microseconds=1), 2)
    assert (denied.delay, denied.reset_after) == (timedelta(0), timedelta(microseconds=5))
    turn = Decision(1, 100, 3, 2_000_000, 5, 1)
    assert (turn.allowed, turn.retry_after, turn.retry_after_seconds, turn.delay) == (True, timedelta(0), 0, 2 * SECOND)
    never = Decision(0, 100, 3, -1, 5, 1)
    assert never.impossible and never.retry_after == timedelta.max and never.retry_after_seconds is None


@pytest.mark.parametrize("wrong, message", [
    (lambda: token_bucket(0, 1, SECOND), "capacity"), (lambda: token_bucket(10**12 + 1, 1, SECOND), "capacity"),
    (lambda: token_bucket(1.0, 1, SECOND), "capacity"), (lambda: token_bucket(True, 1, SECOND), "capacity"),
    (lambda: token_bucket(1, 1, timedelta(0)), "refill_period_us"),
    (lambda: token_bucket(1, 1, timedelta(days=366, microseconds=1)), "refill_period_us"),
    (lambda: token_bucket(10**12, 1, HOUR), "capacity"), (lambda: interval_bucket(10**6, 1, HOUR), "capacity"),
    (lambda: token_bucket(10**12 - 1, 10**6 - 1, SECOND), "capacity"),
    (lambda: fixed_window(1, SECOND) & token_bucket(1, 1, SECOND), "tiers"), (lambda: Limit(SCRIPTS[0], ()), "tiers"),
    (lambda: Limit(SCRIPTS[0], ((1, 1),) * 17), "tiers"), (lambda: Limit(SCRIPTS[0], ((1,),)), "a tier"),
])  # fmt: skip
def test_bounds(wrong, message):
    with pytest.raises(ValueError, match=f"^{message} must"):
        wrong()


def test_a_time_is_a_timedelta():
    with pytest.raises(TypeError, match="^window must"):
        fixed_window(1, 60)


def test_a_bucket_as_a_whole_in_bounds():
    for limit in (token_bucket(10**12, 10**6, SECOND), token_bucket(36525 * 24, 1, HOUR), interval_bucket(36525 * 24, 1, HOUR)):
        assert limit.arguments
    assert interval_bucket(10, 10**12, 366 * 24 * HOUR).marker.startswith("i10.")


def test_what_is_printed_has_no_source():
    limit = token_bucket(10, 10, SECOND) & token_bucket(100, 50, SECOND)
    first, second = "capacity=10 refill_tokens=10 refill_period_us=1000000", "capacity=100 refill_tokens=50 refill_period_us=1000000"
    assert repr(limit) == f"<Limit token-bucket {first}, {second}>"
    assert all(len(repr(each)) < 80 for each in (*SCRIPTS, *DROP_INS.values()))


@pytest.mark.parametrize("made, message", [
    (lambda: key("api", 42, fixed_window(1, SECOND)), "subject must be str, or bytes of UTF-8: 42"),
    (lambda: key("api", None, fixed_window(1, SECOND)), "subject must be str"),
])  # fmt: skip
def test_types(made, message):
    with pytest.raises(TypeError, match=f"^{message}"):
        made()


def test_a_policy_is_a_str():
    with pytest.raises(ValueError, match="^policy must be 1 to 64 letters"):
        key(b"api", "a", fixed_window(1, SECOND))


def test_tiers():
    both = token_bucket(10, 10, SECOND) & token_bucket(100, 50, 60 * SECOND)
    assert both.marker == "b10.10.1000000-100.50.60000000"
    assert both.arguments == ("10", "10", "1000000", "100", "50", "60000000")


@pytest.mark.parametrize("example", vectors("decisions", "decisions"))
def test_decisions(example):
    read = decision(example["reply"])
    for name in ("allowed", "impossible", "retry_after_seconds"):
        assert getattr(read, name) == example[name]
    assert read.delay == timedelta(microseconds=example["delay_us"])


@pytest.mark.parametrize("example", vectors("commands", "commands"))
@pytest.mark.parametrize("kind, client", [(RateLimiter, redis.Redis), (AsyncRateLimiter, redis.asyncio.Redis)])
def test_commands(kind, client, example, monkeypatch):
    limiter, sent = kind(client(port=1), "api", parse_limit(example["limit"])), []
    monkeypatch.setattr(limiter, "_one", lambda call: sent.append(call) or answered())
    arguments = [example[name] for name in ("calls", "cost", "units") if name in example]

    async def answered():
        return None

    async def body():
        made = getattr(limiter, example["call"])("user:42", *arguments)
        return await made if inspect.isawaitable(made) else made

    if "error" in example:
        with pytest.raises(ValueError, match=f"^{example['error']} must"):
            asyncio.run(body())
        assert not sent
        return
    asyncio.run(body())
    ((verb, sha1, keys, key_sent, *args),) = sent
    assert (verb, sha1, keys) == ("EVALSHA", limiter._limit.script.sha1, 1) and list(map(str, args)) == example["args"]
    assert key_sent == key("api", "user:42", parse_limit(example["limit"]))


@pytest.mark.parametrize("example", vectors("commands", "unreadable"))
def test_unreadable_replies(example):
    with pytest.raises(ValueError, match="^the reply must"):
        decision(example["reply"], example["calls"])


def test_a_reply_of_another_type():
    with pytest.raises(ValueError, match="^the reply must"):
        decision([True, 1, 1, 1, 1, 1])


@pytest.mark.parametrize("example", vectors("limits", "limits"))
def test_limits(example):
    if "error_at" in example:
        with pytest.raises(ValueError) as error:
            parse_limit(example["text"])
        assert str(error.value).startswith(f'limit "{example["text"]}" at {example["error_at"]}, "')
        hint = f'; did you mean "{example["did_you_mean"]}"?' if "did_you_mean" in example else ""
        assert str(error.value).endswith(hint) and ("did you mean" in str(error.value)) == bool(hint)
        return
    limit = parse_limit(example["text"])
    assert (limit.script.name, list(limit.arguments), limit.marker) == (example["script"], example["arguments"], example["marker"])
    assert str(limit) == example["normal"] and parse_limit(str(limit)) == limit


def test_a_limit_is_read_from_a_str():
    with pytest.raises(TypeError, match="^limit must be a str"):
        parse_limit(5)


def check_combined(headers, example):
    assert [list(field) for field in headers.fields().items()] == example["fields"]
    if "status" in example:
        assert (headers.status, json.loads(headers.problem())) == (example["status"], example["problem"])
        return
    for denied in (lambda: headers.status, headers.problem):
        with pytest.raises(ValueError, match="^a policy must deny"):
            denied()


@pytest.mark.parametrize("example", vectors("http", "several"))
def test_several_policies(example):
    answers = []
    for each in example["policies"]:
        headers = RateLimitHeaders(each["policy"], parse_limit(each["limit"]), form=example.get("form", "draft-11"))
        answers.append((headers, Decision(*each["reply"], enforced=each.get("enforced", True))))
    check_combined(CombinedHeaders(answers), example)


@pytest.mark.parametrize("example", vectors("http", "reservations"))
def test_fields_of_a_reservation(example):
    entries = []
    for each in example["entries"]:
        limit = EntryLimit.parse(each["policy"], each["limit"])
        entries.append(EntryCost(limit, each["mode"], 1, each.get("within")))
    answer = ReservationPlan(CallId("id"), "g", tuple(entries)).answer(example["reply"])
    check_combined(CombinedHeaders.of(answer, form=example.get("form", "draft-11")), example)


def test_fields_of_a_reservation_without_a_decision():
    entries = (EntryLimit("tpm", fixed_window(1000, SECOND)).reserve(10), EntryLimit.concurrency("in-flight", 10).reserve())
    plan, policies = ReservationPlan(CallId("id"), "g", entries), '"tpm";q=1000;w=1, "in-flight";q=10;qu="concurrent-requests"'
    assert CombinedHeaders.of(plan.undecided(True, 0)).fields() == {"RateLimit-Policy": policies}
    denied = CombinedHeaders.of(plan.undecided(False, 1_500_000))
    assert denied.fields() == {"RateLimit-Policy": policies, "Retry-After": "2"} and denied.status == 503
    assert json.loads(denied.problem("Wait."))["detail"] == "Wait."


def test_headers_of_several_forms():
    api, decided = token_bucket(100, 10, SECOND), Decision(1, 100, 99, 0, 100_000, 1)
    for answers in ([], [(RateLimitHeaders("a", api), decided), (RateLimitHeaders("b", api, form="draft-07"), decided)]):
        with pytest.raises(ValueError, match="^answers must be at least one, and of one form"):
            CombinedHeaders(answers)


@pytest.mark.parametrize("example", vectors("http", "answers"))
def test_http(example):
    options = {name: example[name] for name in ("form", "names", "quota_unit") if name in example}
    headers = RateLimitHeaders(example["policy"], parse_limit(example["limit"]), **options)
    made = Decision(*example["reply"], example.get("enforced", True))
    assert list(map(list, headers.fields(made).items())) == example["fields"]
    if made.allowed:
        with pytest.raises(ValueError, match="^denied must"):
            headers.problem(made)
        return
    problem = headers.problem(made, example.get("detail"))
    assert (headers.status(made), json.loads(problem), problem.isascii()) == (example["status"], example["problem"], True)


@pytest.mark.parametrize("name", ["", "t\u00e4glich", "a\nb", "\x7f"])
def test_what_a_field_cannot_hold(name):
    bucket = token_bucket(100, 10, SECOND)
    for argument, made in (
        ("policy", lambda: RateLimitHeaders(name, bucket)),
        ("names", lambda: RateLimitHeaders("api", bucket, names=[name])),
        ("names", lambda: RateLimitHeaders("api", bucket, names=["a", "b"])),
        ("quota_unit", lambda: RateLimitHeaders("api", bucket, quota_unit=name)),
        ("form", lambda: RateLimitHeaders("api", bucket, form="draft-1")),
        ("decision", lambda: RateLimitHeaders("api", bucket).fields(Decision(1, 50, 49, 0, 1, 1))),
    ):
        with pytest.raises(ValueError, match=f"^{argument} must"):
            made()


@pytest.mark.parametrize("case", vectors("errors", "cases", lambda case: case["client"] in ("server", "redis-py")))
def test_errors(case):
    assert classify(case["text"], of_client=case["client"] == "redis-py") == (FailureKind(case["class"]), case.get("charged", True))


@pytest.mark.parametrize("text, proof", [
    ("NOSCRIPT No matching script.", True), ("MOVED 1 host:1", True), ("ASK 1 host:1", True), ("ERR ASK again", False),
    ("ERR Error running script (call to f_x): @user_script:9: -READONLY You can't", True), ("OOM command not allowed", True),
    ("BUSY Redis is busy", True), ("BUSYGROUP Consumer Group", False), ("ROOM 1", False), ("MOVEDX 1", False),
    ("ERR Function not found", True), ("ERR unknown command 'FCALL'", True), ("unknown command 'FCALL'", True),
    ("ERR penstock token-bucket: cost must", True), ("penstock token-bucket: cost must", True),
    ("ERR The user executing the script can't run this command or subcommand script: x", True),
    ("WRONGTYPE Operation against", True), ("MASTERDOWN Link with MASTER is down", True), ("TRYAGAIN Multiple keys", True),
    ("CROSSSLOT Keys in request", True), ("ERR max number of clients reached", True), ("max number of clients reached", True),
    ("DENIED Redis is running in protected mode", True), ("ERR timed out upstream", False), ("", False),
])  # fmt: skip
def test_proof(text, proof):
    assert proves_not_run(text) is proof


def test_proof_of_an_exception():
    assert not proves_not_run(TimeoutError("READONLY")), "it is not the server's answer"
