"""Tests the example: starts it, asks it, and takes processes away from it. With --load SECONDS it shows figures under load with faults."""

import asyncio
import collections
import functools
import json
import random
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
from deployment import GATEWAYS, LIMITS, USUAL_ANSWER, Deployment, key_of, options, server_of
from redis.asyncio import Redis

PROMPT = "the xyzzy prompt nobody may read"
PROMPT_TOKENS = 6
KEEP_SECONDS = 10
UNPACKED = "local v = redis.call('GET', KEYS[1]) return v and cmsgpack.unpack(v) or {}"
TIMES = 3
WINDOW = 3


class Gateways:
    """The gateways that run, as clients see them."""

    def __init__(self, running: Deployment, client: httpx.AsyncClient, redis: Redis) -> None:
        self.running, self.client, self.redis = running, client, redis

    @asynccontextmanager
    async def ask(self, who: tuple[str, str], gateway: int = 0, **more: Any) -> AsyncIterator[httpx.Response]:
        question = {"model": "steady", "max_tokens": 20, "stream": True, "messages": [{"role": "user", "content": PROMPT}], **more}
        url = f"http://127.0.0.1:{self.running.ports[gateway]}/v1/chat/completions"
        async with self.client.stream("POST", url, json=question, headers={"Authorization": f"Bearer {key_of(*who)}"}) as answer:
            yield answer

    async def answered(self, who: tuple[str, str], gateway: int = 0, **more: Any) -> httpx.Response:
        async with self.ask(who, gateway, **more) as answer:
            await answer.aread()
            return answer

    async def stored(self, policy: str, tenant: str) -> list[int]:
        """What stands under a reserved limit of the tenant itself."""
        marker = "rc" if LIMITS[policy].startswith("concurrency") else "rs60000000"
        integers: list[int] = await self.redis.eval(UNPACKED, 1, f"penstock:{policy}:{{{tenant}}}:{marker}")
        return integers

    async def used(self, tenant: str) -> int:
        return (await self.stored("tenant-tpm", tenant))[TIMES]

    async def held(self, policy: str, tenant: str) -> int:
        stored = await self.stored(policy, tenant)
        fields = 0 if policy.endswith("in-flight") else WINDOW
        return sum(stored[TIMES + fields + 1 :: 2])

    async def until(self, what: str, holds: Callable[[], Awaitable[bool]]) -> None:
        for _ in range(600):
            if await holds():
                return
            await asyncio.sleep(0.05)
        raise AssertionError(f"this never came: {what}")

    async def counts(self, tenant: str) -> dict[str, int]:
        url = f"http://127.0.0.1:{self.running.upstream_port}/counts"
        counts: dict[str, int] = (await self.client.get(url)).json().get(tenant, {"in_flight": 0, "tokens": 0})
        return counts


async def a_call_is_charged_what_it_used_in_two_trips(gateways: Gateways) -> None:
    await gateways.answered(("tenant-0", "user-0"), max_tokens=5)
    used = PROMPT_TOKENS + 5
    for _ in range(4):
        before = await trips(gateways)
        answer = await gateways.answered(("tenant-0", "user-1"), max_tokens=20)
        assert answer.status_code == 200, answer.text
        assert answer.text.count('"content"') == 20 and answer.text.rstrip().endswith("data: [DONE]")
        assert '"tenant-tpm";r=' in answer.headers["ratelimit"]
        await gateways.until("its settlement", lambda: nothing_held(gateways, "tenant-0"))
        used += PROMPT_TOKENS + 20
        assert await gateways.used("tenant-0") == used, await gateways.used("tenant-0")
        # Each gateway checks within 3 s after its first call, and then every 10 s, whether the server answers.
        made = await trips(gateways) - before
        if made == 2:
            return
    raise AssertionError(f"a call made {made} round trips")


async def trips(gateways: Gateways) -> int:
    calls: int = (await gateways.redis.info("commandstats"))["cmdstat_evalsha"]["calls"]
    return calls


async def nothing_held(gateways: Gateways, tenant: str) -> bool:
    return await gateways.held("tenant-tpm", tenant) == 0 and await gateways.held("tenant-in-flight", tenant) == 0


async def all_processes_share_the_places(gateways: Gateways) -> None:
    who = ("tenant-1", "user-0")
    first = [asyncio.create_task(gateways.answered(who, number % GATEWAYS, model="slow", max_tokens=1_000)) for number in range(4)]
    await gateways.until("four calls in flight", lambda: holds(gateways, "tenant-1", 4))
    denied = await gateways.answered(who, 2)
    assert (denied.status_code, denied.json()["error"]["limit"]) == (429, "user-in-flight"), denied.text
    assert denied.headers["retry-after"] == "1"
    other = await gateways.answered(("tenant-1", "user-1"), 1, max_tokens=1)
    assert other.status_code == 200
    for each in first:
        each.cancel()
    await gateways.until("free places", lambda: nothing_held(gateways, "tenant-1"))
    assert (await gateways.answered(who, 1, max_tokens=1)).status_code == 200


async def holds(gateways: Gateways, tenant: str, places: int) -> bool:
    return await gateways.held("tenant-in-flight", tenant) == places


async def a_client_that_goes_away_pays_what_was_streamed(gateways: Gateways) -> None:
    seen = 0
    async with gateways.ask(("tenant-2", "user-0"), max_tokens=5_000) as answer:
        async for line in answer.aiter_lines():
            seen += '"content"' in line
            if seen == 10:
                break
    await gateways.until("its settlement", lambda: nothing_held(gateways, "tenant-2"))
    charged = await gateways.used("tenant-2")
    await gateways.until("the model's end", lambda: idle(gateways, "tenant-2"))
    assert PROMPT_TOKENS + 10 <= charged <= (await gateways.counts("tenant-2"))["tokens"] < 5_000, charged


async def what_a_caller_asks_reaches_the_model(gateways: Gateways) -> None:
    parts = [{"type": "text", "text": "three small words"}, {"type": "image_url", "image_url": {"url": "data:,"}}]
    more: dict[str, Any] = {"temperature": 0.5, "tools": [{"type": "function"}], "stream": False, "max_tokens": 7}
    answer = await gateways.answered(("tenant-8", "user-0"), messages=[{"role": "user", "content": parts, "name": "me"}], **more)
    assert answer.status_code == 200 and len(answer.json()["choices"][0]["message"]["content"].split()) == 7, answer.text
    asked = (await gateways.client.get(f"http://127.0.0.1:{gateways.running.upstream_port}/asked")).json()["tenant-8"]
    assert {name: asked[name] for name in more} == more and "stream_options" not in asked, asked
    assert await gateways.used("tenant-8") == 3 + 7 and await nothing_held(gateways, "tenant-8")


async def an_error_within_a_stream_is_passed_on(gateways: Gateways) -> None:
    failed = await gateways.answered(("tenant-9", "user-0"), model="fails", max_tokens=40)
    assert failed.status_code == 200 and '{"error": {"message": "overloaded"}}' in failed.text, failed.text
    await gateways.until("its settlement", lambda: nothing_held(gateways, "tenant-9"))
    assert await gateways.used("tenant-9") == PROMPT_TOKENS + 20


async def what_a_redis_that_came_back_empty_cannot_settle_is_logged(gateways: Gateways) -> None:
    who, tenant = ("tenant-10", "user-0"), "tenant-10"
    streaming = asyncio.create_task(gateways.answered(who, 1, max_tokens=100))
    await gateways.until("a call in flight", lambda: holds(gateways, tenant, 1))
    # What stays of a server's data when it is restarted without persistence; its scripts stay here.
    await gateways.redis.flushall()
    assert (await streaming).status_code == 200

    async def logged() -> bool:
        line = f"{tenant}: {PROMPT_TOKENS + 100} tokens could not be settled: SettleResult.RAN_OUT"
        return line in (gateways.running.folder / "gateway-1.log").read_text()

    await gateways.until("its total in the log", logged)
    assert await gateways.stored("tenant-tpm", tenant) == []


async def idle(gateways: Gateways, tenant: str) -> bool:
    return (await gateways.counts(tenant))["in_flight"] == 0


async def a_model_that_fails_costs_what_it_gave(gateways: Gateways) -> None:
    refused = await gateways.answered(("tenant-3", "user-0"), model="refuses")
    assert refused.status_code == 502 and await gateways.used("tenant-3") == 0 and await nothing_held(gateways, "tenant-3")
    cut = await gateways.answered(("tenant-3", "user-0"), model="cut", max_tokens=40)
    assert cut.status_code == 200 and "the model ended early" in cut.text
    await gateways.until("its settlement", lambda: nothing_held(gateways, "tenant-3"))
    assert await gateways.used("tenant-3") == PROMPT_TOKENS + 20


async def a_stream_longer_than_its_time_is_held_and_charged_as_it_goes(gateways: Gateways) -> None:
    streaming = asyncio.create_task(gateways.answered(("tenant-4", "user-0"), max_tokens=600))

    await gateways.until("a call in flight", lambda: holds(gateways, "tenant-4", 1))

    async def charged_while_held() -> bool:
        return await gateways.used("tenant-4") > 50 and await holds(gateways, "tenant-4", 1)

    await gateways.until("progress", charged_while_held)
    assert (await streaming).status_code == 200
    await gateways.until("its settlement", lambda: nothing_held(gateways, "tenant-4"))
    # More than the 126 that were held: the rest is charged as well.
    used = await gateways.used("tenant-4")
    assert used == PROMPT_TOKENS + 600, used


async def what_a_killed_process_held_is_charged_when_it_runs_out(gateways: Gateways) -> None:
    who, tenant = ("tenant-5", "user-0"), "tenant-5"
    lost = asyncio.create_task(gateways.answered(who, 0, model="slow", max_tokens=1_000))
    await gateways.until("a call in flight", lambda: holds(gateways, tenant, 1))
    gateways.running.kill_gateway(0)
    assert isinstance((await asyncio.gather(lost, return_exceptions=True))[0], httpx.HTTPError)
    stored = await gateways.stored("tenant-tpm", tenant)
    until_us, amount = stored[TIMES + WINDOW], stored[TIMES + WINDOW + 1]
    assert amount > 0 and await holds(gateways, tenant, 1)

    async def over() -> bool:
        seconds, microseconds = await gateways.redis.time()
        return seconds * 1_000_000 + microseconds >= until_us

    await gateways.until("the end of its time", over)
    assert (await gateways.answered(who, 1, max_tokens=1)).status_code == 200
    await gateways.until("its settlement", lambda: nothing_held(gateways, tenant))
    # Its estimate, no matter what of it was charged as it went, and what the second call used.
    used = await gateways.used(tenant)
    assert used == PROMPT_TOKENS + USUAL_ANSWER + PROMPT_TOKENS + 1, used
    gateways.running.start_gateway(0)
    gateways.running.await_http(gateways.running.ports[0])


async def what_cannot_be_is_refused(gateways: Gateways) -> None:
    long = [{"role": "user", "content": "word " * 6_001}]
    never = await gateways.answered(("tenant-6", "user-0"), messages=long)
    assert (never.status_code, never.json()["error"]["limit"]) == (413, "user-tpm") and "retry-after" not in never.headers
    stranger = await gateways.answered(("tenant-6", "user-99"))
    assert stranger.status_code == 401


async def without_redis_nobody_is_served(gateways: Gateways) -> None:
    gateways.running.processes["redis"].send_signal(signal.SIGSTOP)
    try:
        assert (await gateways.answered(("tenant-7", "user-0"), 1)).status_code == 503
    finally:
        gateways.running.processes["redis"].send_signal(signal.SIGCONT)
    assert (await gateways.answered(("tenant-7", "user-0"), 1, max_tokens=1)).status_code == 200


async def neither_prompts_nor_keys_are_written(gateways: Gateways) -> None:
    written = {path.name: path.read_bytes() for path in gateways.running.folder.glob("*.log")}
    assert written["gateway-1.log"].count(b"/v1/chat/completions") > 0
    async for key in gateways.redis.scan_iter("*"):
        written[str(key)] = key + (await gateways.redis.get(key) or b"")
    assert len(written) > 20
    for name, content in written.items():
        assert b"xyzzy" not in content and b"do-not-log-me" not in content, f"{name} holds a prompt or a key"


TESTS = [
    a_call_is_charged_what_it_used_in_two_trips,
    all_processes_share_the_places,
    a_client_that_goes_away_pays_what_was_streamed,
    a_model_that_fails_costs_what_it_gave,
    what_a_caller_asks_reaches_the_model,
    an_error_within_a_stream_is_passed_on,
    a_stream_longer_than_its_time_is_held_and_charged_as_it_goes,
    what_a_killed_process_held_is_charged_when_it_runs_out,
    what_cannot_be_is_refused,
    without_redis_nobody_is_served,
    neither_prompts_nor_keys_are_written,
    what_a_redis_that_came_back_empty_cannot_settle_is_logged,
]


async def tested(gateways: Gateways) -> None:
    for test in TESTS:
        await test(gateways)
        print(f"ok  {test.__name__.replace('_', ' ')}", flush=True)


async def loaded(gateways: Gateways, seconds: float) -> None:
    """40 clients of three tenants; one in ten goes away, one in ten meets a failing model; a gateway is killed, and started again."""
    outcomes: collections.Counter[str] = collections.Counter()
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds

    async def client(chance: random.Random) -> None:
        while loop.time() < end:
            who = (f"tenant-{chance.randrange(3)}", f"user-{chance.randrange(20)}")
            leaves = chance.random() < 0.1
            model = chance.choices(["any", "refuses", "cut"], [90, 5, 5])[0]
            try:
                async with gateways.ask(who, chance.randrange(GATEWAYS), model=model, max_tokens=chance.randint(50, 400)) as answer:
                    if answer.status_code == 429:
                        denied = json.loads(await answer.aread())["error"]["limit"]
                        outcomes[f"429, {denied}"] += 1
                        await asyncio.sleep(chance.uniform(0.05, 0.25))
                        continue
                    words = 0
                    async for line in answer.aiter_lines():
                        words += '"content"' in line
                        if leaves and words == 20:
                            break
                    outcomes["200, but the client went away" if leaves and words == 20 else f"{answer.status_code}"] += 1
            except httpx.HTTPError:
                outcomes["the gateway was killed, or down"] += 1
                await asyncio.sleep(0.25)

    async def killer() -> None:
        await asyncio.sleep(seconds / 3)
        gateways.running.kill_gateway(0)
        await asyncio.sleep(5)
        gateways.running.start_gateway(0)

    await asyncio.gather(killer(), *(client(random.Random(seed)) for seed in range(40)))
    for outcome, count in sorted(outcomes.items()):
        print(f"{count:7,}  {outcome}")
    for tenant in ("tenant-0", "tenant-1", "tenant-2"):
        await gateways.until("the ends of all calls", functools.partial(all_ended, gateways, tenant))
        counts = await gateways.counts(tenant)
        print(f"{tenant}: at the model at most {counts['most_in_flight']} at once of {LIMITS['tenant-in-flight']},", end=" ")
        fullest, total = counts["most_tokens_in_a_minute"], counts["tokens"]
        print(f"{fullest:,} tokens in its fullest minute under {LIMITS['tenant-tpm']}, {total:,} in all")
    await neither_prompts_nor_keys_are_written(gateways)


async def all_ended(gateways: Gateways, tenant: str) -> bool:
    # A peek would do; a call does as well, and lets run out what a killed process held.
    await gateways.answered((tenant, "user-19"), 1, max_tokens=1)
    return await nothing_held(gateways, tenant)


async def main() -> None:
    parser = options()
    parser.add_argument("--load", metavar="SECONDS", type=float, help="shows figures under load with faults, in place of the tests")
    arguments = parser.parse_args()
    # A busy machine may answer late.
    settings = {} if arguments.load else {"keep_seconds": KEEP_SECONDS, "timeout_seconds": 10}
    with Deployment(server_of(arguments), settings) as running:
        limits = httpx.Limits(max_connections=200, max_keepalive_connections=0)
        async with httpx.AsyncClient(timeout=60, limits=limits) as client, Redis(port=running.redis_port) as redis:
            gateways = Gateways(running, client, redis)
            await (loaded(gateways, arguments.load) if arguments.load else tested(gateways))


if __name__ == "__main__":
    asyncio.run(main())
