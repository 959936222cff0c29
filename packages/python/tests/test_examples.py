"""The README's examples, over HTTP: with a server, without one, and with a password that is wrong."""

import asyncio
import uuid
from pathlib import Path

import pytest
import redis
from fastapi.testclient import TestClient
from penstock_redis import OverloadedError
from servers import PREFIX, PROXY, REDIS, servers_do

ROOT = Path(__file__).resolve().parent.parent
# Where each example says which server it takes, and how that is said of another one.
SERVERS = {"app": ("Redis()", "Redis(port={port}, username={user}, password={user})"),
           "asgi": ('"redis://localhost"', '"redis://127.0.0.1:{port}", username={user}, password={user}')}  # fmt: skip
PATIENT = ("milliseconds=200", "minutes=1")


class Browser:
    """A browser before an example."""

    def __init__(self, name, port, user=None, *, patient=False):
        example = (ROOT / f"examples/{name}.py").read_text()
        assert f"```python\n{example}```" in (ROOT / "README.md").read_text()
        written, said = SERVERS[name]
        replaced = [(written, said.format(port=port, user=repr(user))), ('"api"', f'"{PREFIX}"'), *([PATIENT] if patient else [])]
        for before, after in replaced:
            assert before in example
            example = example.replace(before, after)
        module = {"__name__": name}
        exec(compile(example, f"{name}.py", "exec"), module)
        self._app, self._is_asgi = module["app"], name == "asgi"

    def get(self, requests):
        """The answers to this many requests, up to the first that is refused: status and Retry-After."""
        if not self._is_asgi:
            self._app.add_url_rule("/", view_func=lambda: "Hello")
            return self._until_refused(self._app.test_client().get, requests)
        with TestClient(self._app, raise_server_exceptions=False) as client:
            return self._until_refused(client.get, requests)

    def _until_refused(self, get, requests):
        answers = []
        while len(answers) < requests and not (answers and answers[-1][0] == 429):
            answer = get("/")
            answers.append((answer.status_code, answer.headers.get("Retry-After")))
        return answers


@pytest.mark.parametrize("name", SERVERS)
def test_it_limits(name):
    answers = Browser(name, REDIS, patient=True).get(10_000)
    assert len(answers) > 100 and set(answers[:-1]) == {(200, None)} and answers[-1] == (429, "1")


@pytest.mark.parametrize("name", SERVERS)
@pytest.mark.parametrize("fault, end", [("down", "up"), ("stop", "cont")])
def test_it_serves_in_an_outage(name, fault, end):
    browser = Browser(name, PROXY)
    servers_do(fault)
    try:
        answers = browser.get(5)
    finally:
        servers_do(end)
    assert answers == [(200, None)] * 5


@pytest.mark.parametrize("name", SERVERS)
def test_it_does_not_serve_with_a_wrong_password(name):
    assert Browser(name, REDIS, user="nobody", patient=True).get(5) == [(503, None)] * 5


def test_tokens_are_reserved(caplog):
    example = (ROOT / "examples/tokens.py").read_text()
    assert f"```python\n{example}```" in (ROOT / "README.md").read_text()
    written = 'Redis(), "llm", '
    assert written in example
    module = {"__name__": "tokens"}
    example = example.replace(written, f'Redis(port={REDIS}), "llm", prefix={PREFIX!r}, timeout=minute, ')
    exec(compile(example, "tokens.py", "exec"), module)

    async def model():
        return "answer", 30_000

    async def spoiling(tenant):
        """A model during which the settlement's keys become those of another program."""
        with redis.Redis(port=REDIS) as raw:
            for key in raw.scan_iter(f"*{tenant}*", count=10_000):
                raw.delete(key)
                raw.rpush(key, "x")
        return await model()

    async def asked():
        answers, tenant = [], uuid.uuid4().hex
        for _ in range(5):
            try:
                answers.append(await module["ask"](tenant, "user:42", model))
            except module["TooManyRequests"] as denied:
                answers.append(denied.args[0] > 0)
        with redis.Redis(port=REDIS) as raw:
            raw.config_set("maxmemory", 1)
            try:
                with pytest.raises(OverloadedError):
                    await module["ask"](uuid.uuid4().hex, "user:42", model)
            finally:
                raw.config_set("maxmemory", 0)
        other = uuid.uuid4().hex
        # What cannot be settled loses no answer.
        assert await module["ask"](other, "user:42", lambda: spoiling(other)) == "answer"
        assert "a settlement failed" in caplog.text
        return answers

    # 100,000 tokens a minute, of which each call uses 30,000.
    answers = asyncio.run(asked())
    assert answers[:3] == ["answer"] * 3 and answers[4] is True
