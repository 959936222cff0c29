"""Calls through redis-py what polyglot.py asks for: caller.py CLIENT PORT RESP"""

import asyncio
import functools
import json
import sys
from datetime import timedelta

import redis
import redis.asyncio
from penstock_redis import RESERVE, SCRIPTS, SETTLE, AsyncRateLimiter, AsyncReservations, Limit, EntryLimit, RateLimiter, Reservations
from penstock_redis import decision, fixed_window, proves_not_run

AT_ONCE = 8


async def settled(blocking, function, *arguments):
    return await (asyncio.to_thread(function, *arguments) if blocking else function(*arguments))


async def main(name, port, protocol):
    blocking = name == "Redis"
    # A call is sent once, and waited for longer than a machine stalls.
    client = (redis if blocking else redis.asyncio).Redis(port=int(port), protocol=int(protocol), socket_timeout=60, retry=None)
    limiters = functools.partial(RateLimiter if blocking else AsyncRateLimiter, timeout=timedelta(minutes=1))

    reservations = functools.partial(Reservations if blocking else AsyncReservations, timeout=timedelta(minutes=1))

    async def send(*words):
        return client.execute_command(*words) if blocking else await client.execute_command(*words)

    async def load(question):
        if question["functions"]:
            await settled(blocking, limiters(client, "api", fixed_window(1, timedelta(seconds=1))).load_functions)
        scripts = (*SCRIPTS, RESERVE, SETTLE)
        sha1s = [await send("SCRIPT", "LOAD", script.source) for script in scripts]
        return {script.name: [script.sha1, sha1 if isinstance(sha1, str) else sha1.decode(), script.function]
                for script, sha1 in zip(scripts, sha1s)}

    async def call(question):
        try:
            reply = await send(*question["words"])
        except redis.ResponseError as error:
            return {"error": str(error), "proves": proves_not_run(error)}
        return {"read": reply if "whole" in question else [*vars(decision(reply, 10**12)).values()][:6]}

    async def share(question):
        script = next(script for script in SCRIPTS if script.name == question["script"])
        limit = Limit(script, tuple(map(tuple, question["tiers"])))
        limiter = limiters(client, question["policy"], limit, prefix=question["prefix"], functions=question["functions"])
        subject, cost, batch = question["subject"], question["cost"], question["batch"]

        async def until_denied():
            units = 0
            for _ in range(question["most"]):
                if batch > 1:
                    decisions = await settled(blocking, limiter.acquire_all, [subject] * batch)
                else:
                    decisions = [await settled(blocking, limiter.acquire, subject, cost)]
                units += cost * sum(decision.allowed for decision in decisions)
                if not all(decision.allowed for decision in decisions):
                    break
            return units

        return {"admitted": sum(await asyncio.gather(*(until_denied() for _ in range(AT_ONCE))))}

    async def hold(question):
        llm = reservations(client, "llm", timedelta(hours=1), prefix=question["prefix"], functions=question["functions"])
        tokens, places = (EntryLimit.parse(policy, limit) for policy, limit in question["limits"].items())

        async def until_denied():
            units = 0
            while units < question["used"] * question["most"]:
                call = await settled(blocking, llm.reserve, question["group"], tokens.reserve(question["held"]), places.reserve())
                if call:
                    assert (await settled(blocking, call.settle, question["used"])).value == "settled"
                    units += question["used"]
                elif call.answer.denying == 0 and call.usages[0].held == 0:
                    break
                else:
                    await asyncio.sleep(0.005)
            return units

        return {"admitted": sum(await asyncio.gather(*(until_denied() for _ in range(AT_ONCE))))}

    questions = {"load": load, "words": call, "held": hold, "script": share}
    for line in sys.stdin:
        question = json.loads(line)
        answer = await next(answers for name, answers in questions.items() if name in question)(question)
        print(json.dumps(answer), flush=True)


asyncio.run(main(*sys.argv[1:]))
