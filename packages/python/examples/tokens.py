import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta

from penstock_redis import AsyncReservations, EntryLimit, PenstockError, sliding_window, token_bucket
from redis.asyncio import Redis

minute = timedelta(minutes=1)
requests = EntryLimit("rpm", sliding_window(60, minute))
tokens = EntryLimit("tpm", token_bucket(100_000, 100_000, minute))
in_flight = EntryLimit.concurrency("in-flight", 10)
llm = AsyncReservations(Redis(), "llm", keep=2 * minute, on_overload="raise")  # What is full has denied nothing.


class TooManyRequests(Exception):
    pass


async def ask(tenant: str, user: str, model: Callable[[], Awaitable[tuple[str, int]]]) -> str:
    entries = (requests.charge(1, within=user), tokens.reserve(4_000, within=user), tokens.reserve(4_000), in_flight.reserve())
    async with llm.reserve(tenant, *entries) as call:  # Settles the estimates at its end, unless the call was settled.
        if not call:
            raise TooManyRequests(call.retry_after_seconds)
        answer, used = await model()
        try:
            await call.settle(used)
        except PenstockError:  # It costs no answer; what is held runs out.
            logging.exception("a settlement failed")
    return answer
