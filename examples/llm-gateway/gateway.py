"""A proxy before a model's API. Requests, tokens and calls in flight are limited, of a user and of his tenant, in one trip to Redis.

A call holds the tokens that it usually needs, and is charged what it used when its stream ends, whichever way it ends. Neither prompts nor
keys are written anywhere: a key is known by its SHA-256, and Redis sees the names of tenants and users.
"""

import contextlib
import hashlib
import json
import logging
import math
import os
import pathlib
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Any

import anyio
import httpx
from fastapi import Depends, FastAPI, HTTPException, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from penstock_redis import AsyncReservation, AsyncReservations, EntryCost, CombinedHeaders, EntryLimit, NoDecisionError, OverloadedError
from penstock_redis import PenstockError, SettleResult
from pydantic import BaseModel, ConfigDict, Field
from redis.asyncio import BlockingConnectionPool, Redis
from starlette.types import Receive, Scope, Send

SETTINGS: dict[str, Any] = json.loads(pathlib.Path(os.environ["GATEWAY_SETTINGS"]).read_text())
LIMITS = {name: EntryLimit.parse(name, text) for name, text in SETTINGS["limits"].items()}
KEEP = timedelta(seconds=SETTINGS["keep_seconds"])
USUAL_ANSWER = SETTINGS["usual_answer"]

redis = Redis(connection_pool=BlockingConnectionPool.from_url(SETTINGS["redis"], max_connections=100))
llm = AsyncReservations(redis, "llm", KEEP, timeout=timedelta(seconds=SETTINGS["timeout_seconds"]), on_overload="raise")
upstream = httpx.AsyncClient(base_url=SETTINGS["upstream"], timeout=60, limits=httpx.Limits(max_connections=1_000))
app = FastAPI()
log = logging.getLogger("uvicorn.error")


class Message(BaseModel):
    """Whatever else it has goes to the model."""

    model_config = ConfigDict(extra="allow")
    role: str
    content: str | list[dict[str, Any]] | None = None

    def text(self) -> str:
        parts = [{"text": self.content}] if isinstance(self.content, str) else self.content or []
        return " ".join(str(part.get("text", "")) for part in parts)


class Question(BaseModel):
    """Whatever else it has, such as a temperature or tools, goes to the model."""

    model_config = ConfigDict(extra="allow")
    model: str
    messages: list[Message] = Field(min_length=1)
    max_tokens: int = Field(default=256, ge=1, le=100_000)
    stream: bool = False

    def prompt_tokens(self) -> int:
        """As our stand-in counts them: words."""
        return sum(len(message.text().split()) for message in self.messages)


@dataclass(frozen=True)
class Caller:
    tenant: str
    user: str


async def caller_of(request: Request) -> Caller:
    kind, _, key = request.headers.get("authorization", "").partition(" ")
    known = SETTINGS["keys"].get(hashlib.sha256(key.encode()).hexdigest()) if kind.lower() == "bearer" else None
    if known is None:
        raise HTTPException(401, "unknown key")
    return Caller(**known)


def entries(caller: Caller, estimate: int) -> list[EntryCost]:
    return [
        LIMITS["user-rpm"].charge(1, within=caller.user),
        LIMITS["user-tpm"].reserve(estimate, within=caller.user),
        LIMITS["user-in-flight"].reserve(within=caller.user),
        LIMITS["tenant-rpm"].charge(1),
        LIMITS["tenant-tpm"].reserve(estimate),
        LIMITS["tenant-in-flight"].reserve(),
    ]


class Metered(StreamingResponse):
    """Passes on what the model streams; however that ends, what was used until then is charged, and the places are free."""

    def __init__(self, call: AsyncReservation, tenant: str, prompt_tokens: int, answer: httpx.Response) -> None:
        self.call, self.tenant, self.used, self.answer = call, tenant, prompt_tokens, answer
        super().__init__(self.lines(), media_type="text/event-stream", headers=fields(call))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            # A client that has gone cancels this task: the rest is still done.
            with anyio.CancelScope(shield=True):
                await self.answer.aclose()
                await settle(self.call, self.tenant, self.used)

    async def lines(self) -> AsyncIterator[str]:
        renewed = time.monotonic()
        try:
            async for line in self.answer.aiter_lines():
                self.count(line)
                yield line + "\n"
                if time.monotonic() - renewed > KEEP.total_seconds() / 3:
                    renewed = time.monotonic()
                    with contextlib.suppress(PenstockError):
                        await self.call.renew(self.used)
        except httpx.HTTPError:
            yield 'data: {"error": {"message": "the model ended early"}}\n\n'

    def count(self, line: str) -> None:
        """A chunk counts as a token until the model says how many they were; one with an error has neither."""
        if line.startswith("data: {"):
            chunk = json.loads(line.removeprefix("data: "))
            self.used = tokens(chunk, self.used + len(chunk.get("choices") or []))


def tokens(answer: dict[str, Any], otherwise: int) -> int:
    """As the model counts them, if it does here."""
    usage = answer.get("usage")
    return usage["prompt_tokens"] + usage["completion_tokens"] if usage else otherwise


async def settle(call: AsyncReservation, tenant: str, used: int) -> None:
    """In an outage what is held runs out by itself, and is charged as it was estimated; a Redis that came back empty charges nothing."""
    try:
        result: Any = await call.settle(used)
    except PenstockError as failure:
        result = failure
    if result is not SettleResult.SETTLED:
        log.warning("%s: %d tokens could not be settled: %s", tenant, used, result)


@app.post("/v1/chat/completions")
async def complete(question: Question, caller: Annotated[Caller, Depends(caller_of)]) -> Response:
    prompt_tokens = question.prompt_tokens()
    estimate = prompt_tokens + min(question.max_tokens, USUAL_ANSWER)
    try:
        call = await llm.reserve(caller.tenant, *entries(caller, estimate))
    except (NoDecisionError, OverloadedError):
        return JSONResponse({"error": {"message": "limits cannot be read now"}}, 503, {"Retry-After": "1"})
    if not call:
        return refusal(call)
    try:
        asked = question.model_dump()
        if question.stream:
            asked["stream_options"] = {**(asked.get("stream_options") or {}), "include_usage": True}
        else:
            call.keep_alive()
        request = upstream.build_request("POST", "/v1/chat/completions", json=asked, headers={"X-Tenant": caller.tenant})
        answer = await upstream.send(request, stream=True)
        if answer.status_code == 200 and question.stream:
            return Metered(call, caller.tenant, prompt_tokens, answer)
        if answer.status_code == 200:
            whole = json.loads(await answer.aread())
            await settle(call, caller.tenant, tokens(whole, estimate))
            return JSONResponse(whole, headers=fields(call))
        await answer.aclose()
    except httpx.HTTPError:
        pass
    except BaseException:
        await call.cancel()
        raise
    with contextlib.suppress(PenstockError):
        await call.cancel()
    return JSONResponse({"error": {"message": "the model does not answer"}}, 502)


def refusal(call: AsyncReservation) -> Response:
    """A denial: which limit, and when to come back. Where units are held, a call that ends may free them at any time."""
    denying = call.usages[call.answer.denying or 0]
    after = {} if call.retry_after_seconds is None else {"Retry-After": str(max(1, math.ceil(call.ask_again_after.total_seconds())))}
    error = {"message": "too much at once" if after else "more than this limit ever allows", "limit": denying.entry.limit.policy}
    return JSONResponse({"error": error}, 429 if after else 413, {**fields(call), **after})


def fields(call: AsyncReservation) -> dict[str, str]:
    return CombinedHeaders.of(call.answer).fields()
