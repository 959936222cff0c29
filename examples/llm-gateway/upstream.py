"""A stand-in for a model's API: it streams words as server-sent events, and counts what it gave to whom.

The name of the model says what happens: `steady` streams `max_tokens` words, `slow` one of them a second, `any` a number at random,
`refuses` answers 500, `cut` ends in the middle, `fails` says so in the middle.
"""

import asyncio
import collections
import json
import random
import time
from collections.abc import AsyncIterator
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse

WORDS_PER_SECOND = 50
app = FastAPI()
in_flight: collections.Counter[str] = collections.Counter()
most_in_flight: collections.Counter[str] = collections.Counter()
asked_last: dict[str, dict[str, Any]] = {}
used: dict[str, list[tuple[float, int]]] = collections.defaultdict(list)


@app.post("/v1/chat/completions")
async def complete(request: Request) -> Response:
    asked: dict[str, Any] = await request.json()
    tenant = request.headers.get("x-tenant", "")
    if asked["model"] == "refuses":
        return Response(status_code=500)
    asked_last[tenant] = {name: value for name, value in asked.items() if name != "messages"}
    prompt = sum(len(text_of(message["content"]).split()) for message in asked["messages"])
    most: int = asked["max_tokens"]
    words = random.randint(1, most) if asked["model"] == "any" else most
    if not asked["stream"]:
        used[tenant].append((time.time(), prompt + words))
        message = {"role": "assistant", "content": "word " * words}
        return JSONResponse({"choices": [{"index": 0, "message": message}], "usage": usage(prompt, words)})
    return StreamingResponse(stream(asked["model"], tenant, prompt, words), media_type="text/event-stream")


def text_of(content: str | list[dict[str, Any]]) -> str:
    return content if isinstance(content, str) else " ".join(part.get("text", "") for part in content)


def usage(prompt: int, words: int) -> dict[str, int]:
    return {"prompt_tokens": prompt, "completion_tokens": words}


async def stream(model: str, tenant: str, prompt: int, words: int) -> AsyncIterator[str]:
    in_flight[tenant] += 1
    most_in_flight[tenant] = max(most_in_flight[tenant], in_flight[tenant])
    used[tenant].append((time.time(), prompt))
    try:
        for number in range(words):
            if model == "cut" and number == words // 2:
                raise RuntimeError("cut")
            if model == "fails" and number == words // 2:
                yield event({"error": {"message": "overloaded"}})
                return
            used[tenant].append((time.time(), 1))
            yield event({"choices": [{"index": 0, "delta": {"content": "word "}}]})
            await asyncio.sleep(1 if model == "slow" else 1 / WORDS_PER_SECOND)
        yield event({"choices": [], "usage": usage(prompt, words)})
        yield "data: [DONE]\n\n"
    finally:
        in_flight[tenant] -= 1


def event(chunk: dict[str, Any]) -> str:
    return "data: " + json.dumps(chunk) + "\n\n"


@app.get("/counts")
async def counts() -> dict[str, dict[str, int]]:
    """Of each tenant: what is in flight, the most that was, tokens in all, and the most of them in any minute."""
    return {
        tenant: {
            "in_flight": in_flight[tenant],
            "most_in_flight": most_in_flight[tenant],
            "tokens": sum(tokens for _, tokens in each),
            "most_tokens_in_a_minute": most_in_a_minute(each),
        }
        for tenant, each in used.items()
    }


@app.get("/asked")
async def last_asked() -> dict[str, dict[str, Any]]:
    """What each tenant asked for last, without the prompt."""
    return asked_last


def most_in_a_minute(each: list[tuple[float, int]]) -> int:
    most = total = first = 0
    for at, tokens in each:
        total += tokens
        while each[first][0] <= at - 60:
            total -= each[first][1]
            first += 1
        most = max(most, total)
    return most
