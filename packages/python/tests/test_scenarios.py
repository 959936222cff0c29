"""failures.json: what each call is while the server or its network fails, on a real server and through a proxy."""

import asyncio
import contextlib
import functools
import json
from datetime import timedelta

import pytest
import redis
from penstock_redis import MaybeChargedError, MisconfiguredError, NoDecisionError, OverloadedError, PenstockError, key
from servers import PREFIX, PROXY, REDIS, VECTORS, servers_do, vectors
from test_lateness import until_asked
from test_limiter import CLIENTS, CLUSTERS, WINDOW, client_of, connected, limiter_of, run, settled, subject, used

CHOICES = json.loads((VECTORS / "failures.json").read_text())["choices"]
OUTAGES = ("not_sent", "not_answered", "unavailable")
ERRORS = {**dict.fromkeys(OUTAGES, NoDecisionError), "overloaded": OverloadedError, "misconfigured": MisconfiguredError}
PORTS = {"server": REDIS, "proxy": PROXY, "nobody": 1}
UNITS = {"acquire": 1, "up_to": 5, "all": 1}


async def outcomes_of(limiter, verb, who):
    name, *arguments = {
        "acquire": ("acquire", who[0]), "up_to": ("acquire_up_to", who[0], 5), "all": ("acquire_all", who),
        "peek": ("peek", who[0]), "refund": ("refund", who[0], 1), "reset": ("reset", who[0]),
    }[verb]  # fmt: skip
    call = getattr(limiter, name)
    try:
        made = await (call(*arguments) if asyncio.iscoroutinefunction(call) else asyncio.to_thread(call, *arguments))
    except PenstockError as error:
        made = error
    return made if verb == "all" else [made]


def check(case, choice, verb, outcome, deadline):
    kinds, chosen = case["is"], "throw"
    if verb in UNITS and kinds[0] in (*OUTAGES, "overloaded"):
        chosen = choice["on_overload" if kinds[0] == "overloaded" else "on_unavailable"]
    if kinds == ["decided"]:
        assert outcome.enforced
    elif chosen == "throw":
        assert isinstance(outcome, PenstockError) and outcome.kind.value in kinds, repr(outcome)
        kind = ERRORS.get(outcome.kind.value)
        assert [isinstance(outcome, each) for each in set(ERRORS.values())] == [each is kind for each in set(ERRORS.values())]
        if verb in UNITS:
            assert outcome.charged == case.get("maybe_charged", outcome.kind.value == "not_answered"), repr(outcome)
            assert isinstance(outcome, MaybeChargedError) == (outcome.charged and kind is NoDecisionError)
    else:
        six = outcome.granted, outcome.limit, outcome.remaining, outcome.reset_after, outcome.tier, outcome.enforced
        assert six == (UNITS[verb] if chosen == "allow" else 0, 1000, 0, timedelta(0), 1, False), outcome
        assert timedelta(0) < outcome.retry_after <= deadline if chosen == "deny" else not outcome.retry_after, outcome


@contextlib.contextmanager
def faulty(case, everywhere):
    before, after = case.get("bed", (None, None))
    everywhere(*case.get("commands", ()))
    try:
        servers_do(before) if before else None
        yield
    finally:
        servers_do(after) if after else None
        everywhere(*case.get("undo", ()))


def plays(name, case):
    # A blocking client of a cluster signs in when it is made, before there is a limiter.
    return name not in CLUSTERS or case.get("cluster") and (name != "RedisCluster" or case["client"].get("password") != "wrong")


@pytest.mark.parametrize("name, case", [
    pytest.param(name, each.values[0], id=f"{name}-{each.id}")
    for name in CLIENTS for each in vectors("failures", "scenarios", functools.partial(plays, name))
])  # fmt: skip
def test_failures_json(name, case):
    user, where, policy = f"u{subject()}", case["client"], case.get("policy", "api")
    deadline, port = timedelta(milliseconds=case.get("deadline_ms", 20_000)), PORTS[where["at"]]
    nodes = servers_do("masters").split() if name in CLUSTERS else [REDIS]
    admins = [redis.Redis(port=int(node), single_connection_client=True) for node in nodes]

    def everywhere(*commands, **words):
        for command in commands:
            for admin in admins:
                admin.execute_command(*(words.get(word, word.replace("$user", user)) for word in command))

    async def play(limiter, choice):
        """Plays the calls of a limiter, and returns the charges whose number is known."""
        calls = [(verb, [case.get("subject", "") + f" #{subject()}" for _ in range(2 if verb == "all" else 1)])
                 for verb in case.get("calls", ["acquire"])]  # fmt: skip
        for _, who in calls if "before_each" in case else ():
            everywhere(case["before_each"], **{"$key": key(policy, who[0], WINDOW, PREFIX)})
        made = await asyncio.gather(*(outcomes_of(limiter, *call) for call in calls))
        for (verb, _), outcomes in zip(calls, made):
            for outcome in outcomes:
                check(case, choice, verb, outcome, deadline)
        return [(verb, each) for verb, who in calls for each in who if verb in UNITS and "ran" in case]

    async def body():
        counter, client, played, options = client_of(name), None, [], {}
        if "user" in where:
            options = {"username": where["user"].replace("$user", user), "password": where["password"]}
        elif "database" in where:
            options = {"db": where["database"]}
        elif not case.get("new"):
            client = client_of(name, port)
            await connected(client, *(subject() for _ in range(20)))
            await until_asked(limiter_of(client)) if case.get("asked") and name not in CLUSTERS else None
        with faulty(case, everywhere):
            client = client or client_of(name, port, **options)
            for choice in CHOICES:
                # Where calls lose their connections, the next ones have them again.
                if not {"user", "database"} & where.keys() and not {"new", "bed", "commands"} & case.keys():
                    await connected(client, *(subject() for _ in range(20)))
                choices = {name: "raise" if each == "throw" else each for name, each in choice.items()}
                played += await play(limiter_of(client, policy, timeout=deadline, **choices), choice)
        for verb, who in played:
            while (await used(counter, policy, who) / UNITS[verb]) not in case["ran"]:
                await asyncio.sleep(0.1)
        denies = limiter_of(client, on_unavailable="deny", on_overload="deny")
        while not case.get("stays") and not (await settled(denies.acquire(subject()))).enforced:
            pass

    run(body())
