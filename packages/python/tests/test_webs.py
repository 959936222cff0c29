"""The middlewares, each in its framework, over HTTP."""

import asyncio
import concurrent.futures
import json
import re
import threading
import uuid
from datetime import timedelta
from pathlib import Path

import django.core.wsgi
import fakeredis
import fastapi
import flask
import penstock_redis.flask
import pytest
import redis
import redis.asyncio
import starlette.applications
import starlette.routing
import webs
from django.core.exceptions import PermissionDenied
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from penstock_redis import (
    SCRIPTS, AsyncRateLimiter, EventKind, EntryLimit, NoDecisionError, RateLimiter, Reservations, fixed_window, parse_limit,
)
from penstock_redis._callers import header_subject
from penstock_redis.asgi import RateLimitMiddleware, rate_limit
from penstock_redis.requests import Also, RequestLimit, header
from servers import PREFIX, PROXY, REDIS, servers_do, vectors
from starlette.middleware.cors import CORSMiddleware
from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.websockets import WebSocketDisconnect
from webs import ANSWERS, WEBS, asgi, get, web, wsgi

README = (Path(__file__).resolve().parent.parent / "README.md").read_text()
PATIENT = {"timeout": timedelta(minutes=1), "prefix": PREFIX}
# Less than the four seconds for which redis-py repeats what was refused.
HASTY = {"timeout": timedelta(seconds=2), "prefix": PREFIX}
SHORT = {"timeout": timedelta(milliseconds=200), "prefix": PREFIX}
TWO = "fixed-window:2/1h"
HOUR = timedelta(hours=1)
EXCEEDED = "https://iana.org/assignments/http-problem-types#quota-exceeded"
REDUCED = "https://iana.org/assignments/http-problem-types#temporary-reduced-capacity"
each = pytest.mark.parametrize("name", WEBS)


def policy():
    return uuid.uuid4().hex


def statuses(request, count, *headers):
    return [request(*headers)[0] for _ in range(count)]


def raising(request):
    raise ValueError("a mistake of the application")


@each
def test_it_limits_and_says_so(name):
    api = policy()
    with web(name, api, TWO, **PATIENT) as request:
        (_, first, hello), _, (status, fields, body) = (request() for _ in range(3))
    assert b"Hello" in hello
    assert (first["RateLimit-Policy"], first["RateLimit"]) == (f'"{api}";q=2;w=3600', f'"{api}";r=1;t=3600')
    assert fields["RateLimit"].startswith(f'"{api}";r=0;t=3')
    if name != "rest framework":
        assert fields["Content-Type"] == "application/problem+json"
        assert json.loads(body) == {"type": EXCEEDED, "title": "Quota exceeded", "status": 429, "violated-policies": [api]}
    assert status == 429 and 3500 < int(fields["Retry-After"]) <= 3600


@each
def test_a_call_that_is_never_allowed_has_no_retry_after(name):
    with web(name, policy(), TWO, cost=3, **PATIENT) as request:
        status, fields, _ = request()
    assert status == 429 and "Retry-After" not in fields


@each
def test_all_at_once_are_counted(name):
    with web(name, policy(), "fixed-window:30/1h", **PATIENT) as request, concurrent.futures.ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: request()[0], range(60)))
    assert sorted(answers) == [200] * 30 + [429] * 30


@each
def test_a_proxy_that_is_listed_is_believed(name):
    with web(name, policy(), TWO, trusted_proxies=["127.0.0.1", "10.0.0.0/8"], **PATIENT) as request:
        assert statuses(request, 3, ("X-Forwarded-For", "198.51.100.1, 10.0.0.1")) == [200, 200, 429]
        # What stands to the left was written by the caller.
        assert statuses(request, 1, ("X-Forwarded-For", "192.0.2.7, 198.51.100.1")) == [429]
        assert statuses(request, 1, ("X-Forwarded-For", "192.0.2.7"), ("X-Forwarded-For", "198.51.100.1")) == [429]
        assert statuses(request, 2, ("X-Forwarded-For", "198.51.100.2")) == [200, 200]
        assert statuses(request, 3, ("X-Forwarded-For", "2001:db8::1")) == [200, 200, 429]
        assert statuses(request, 1, ("X-Forwarded-For", "2001:db8::2")) == [429]
    with web(name, policy(), TWO, **PATIENT) as request:
        assert [request(("X-Forwarded-For", f"198.51.100.{at}"))[0] for at in range(3)] == [200, 200, 429]


@each
@pytest.mark.parametrize("subject", [raising, lambda _: None, lambda _: "", lambda _: True, lambda _: {}, header("X-Api-Key")])
def test_without_a_subject_it_is_the_address(name, subject):
    api = policy()
    with web(name, api, TWO, subject=subject, **PATIENT) as request:
        assert statuses(request, 3) == [200, 200, 429]
    assert left(api, "address:127.0.0.1") == 0


class ObjectId:
    """As bson's."""

    def __str__(self):
        return "65a1b2c3d4e5f60718293a4b"


@each
@pytest.mark.parametrize("found, subject", [
    (42, "42"), (-7, "-7"), (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"), (ObjectId(), "65a1b2c3d4e5f60718293a4b"),
])  # fmt: skip
def test_an_id_is_a_subject(name, found, subject):
    api = policy()
    with web(name, api, TWO, subject=lambda _: found, **PATIENT) as request:
        assert statuses(request, 3) == [200, 200, 429]
    assert left(api, subject) == 0 and left(api, "address:127.0.0.1") == 2


def warnings_of(caplog, part):
    return [record.getMessage() for record in caplog.records if record.name == "penstock_redis" and part in record.getMessage()]


@each
def test_what_is_no_subject_is_told_once(name, caplog):
    with web(name, policy(), TWO, subject=lambda _: {"id": 42}, **PATIENT) as request:
        assert statuses(request, 3) == [200, 200, 429]
    (told,) = warnings_of(caplog, "subject")
    assert "returned a dict, so the address stands in" in told


def left(policy, subject):
    with redis.Redis(port=REDIS) as raw:
        return RateLimiter(raw, policy, fixed_window(2, HOUR), **PATIENT).peek(subject).remaining


@each
def test_a_header_is_hashed(name):
    api = policy()
    with web(name, api, TWO, subject=header("X-Api-Key"), **PATIENT) as request:
        assert statuses(request, 3, ("X-Api-Key", "s3cret\xe9")) == [200, 200, 429]
        assert statuses(request, 1, ("X-Api-Key", "another")) == [200]
        # WSGI makes one value of both.
        assert statuses(request, 1, ("X-Api-Key", "another"), ("X-Api-Key", "s3cret\xe9")) == [200]
        assert left(api, "address:127.0.0.1") == 1
    assert left(api, header_subject("s3cret\xe9")) == 0


@each
@pytest.mark.parametrize("cost", [raising, lambda _: 0, lambda _: -5, lambda _: 1.5, lambda _: None, lambda _: True])
def test_a_cost_that_is_none_is_one(name, cost):
    with web(name, policy(), TWO, cost=cost, **PATIENT) as request:
        assert statuses(request, 3) == [200, 200, 429]


@each
def test_a_cost(name):
    with web(name, policy(), "fixed-window:10/1h", cost=lambda request: int(request.headers["X-Cost"]), **PATIENT) as request:
        assert [request(("X-Cost", cost))[0] for cost in ("7", "4", "3", "1")] == [200, 429, 200, 429]


@each
@pytest.mark.parametrize("plan, allowed", [("paid", 4), ("free", 2), ("gold", 2), (None, 2), ("raises", 2)])
def test_an_unknown_plan_is_the_strictest(name, plan, allowed):
    plans = {"paid": "fixed-window:4/1h", "free": TWO}
    found = raising if plan == "raises" else lambda _: plan
    with web(name, policy(), plans, plan=found, **PATIENT) as request:
        assert statuses(request, 5) == [200] * allowed + [429] * (5 - allowed)


@each
def test_a_plan_without_a_limit(name):
    plans = {"free": TWO, "internal": "unlimited"}
    with web(name, policy(), plans, plan=lambda request: request.headers["X-Plan"], **PATIENT) as request:
        assert statuses(request, 3, ("X-Plan", "internal")) == [200] * 3
        assert "RateLimit" not in request(("X-Plan", "internal"))[1]
        for plan in ("unlimited", "Internal", "gold"):
            assert statuses(request, 1, ("X-Plan", plan)) == [200 if plan != "gold" else 429]


@each
def test_a_limit_of_the_request(name):
    def found(request):
        return {"text": "fixed-window:1/2h", "made": fixed_window(3, 3 * HOUR), "raises": None}[request.headers["X-Limit"]]

    with web(name, policy(), TWO, limit_of=found, **PATIENT) as request:
        assert statuses(request, 2, ("X-Limit", "text")) == [200, 429]
        assert statuses(request, 4, ("X-Limit", "made")) == [200] * 3 + [429]
        assert statuses(request, 3, ("X-Limit", "unknown")) == [200, 200, 429]
        assert statuses(request, 1, ("X-Limit", "raises")) == [429]
    for wrong in ("fixed-window:9", "unlimited", "none", "leaky-bucket:9/1s", 9, {"a": 1}, 0):
        with web(name, policy(), TWO, limit_of=lambda _, wrong=wrong: wrong, **PATIENT) as request:
            assert statuses(request, 3) == [200, 200, 429]


@each
def test_an_answer_of_ones_own(name):
    told = []

    def answer(request, decision):
        told.append(decision.enforced)
        return ANSWERS[name]("Enough", 402)

    with web(name, policy(), TWO, on_denied=answer, **PATIENT) as request:
        assert statuses(request, 2) == [200, 200]
        status, fields, body = request()
    assert status == 402 and b"Enough" in body and int(fields["Retry-After"]) > 3500
    assert fields["Content-Type"] != "application/problem+json" and told == [True]
    assert name == "rest framework" or fields.get_all("RateLimit")[0].split(";")[1] == "r=0"
    # What is undecided is no denial.
    with web(name, policy(), TWO, user="nobody", on_denied=answer, **HASTY) as request:
        assert statuses(request, 1) == [503] and told == [True]
    for nothing in (raising, lambda *_: None):
        with web(name, policy(), "fixed-window:1/1h", on_denied=nothing, **PATIENT) as request:
            assert statuses(request, 2) == [200, 429]


@each
def test_a_limit_that_is_mounted_twice_is_told_once(name, caplog):
    client, app, served = WEBS[name]
    api = policy()
    one, other = (lambda make: make(client(port=REDIS), api, "fixed-window:4/1h", **PATIENT) for _ in range(2))
    with served(app(one, other)) as port:
        assert [get(port, [])[0] for _ in range(3)] == [200, 200, 429]
    (told,) = warnings_of(caplog, "twice")
    assert api in told
    # Two subjects are not one.
    caplog.clear()
    api = policy()
    named = [{"subject": lambda _: "user"}, {}]
    one, other = (lambda make, own=own: make(client(port=REDIS), api, "fixed-window:4/1h", **own, **PATIENT) for own in named)
    with served(app(one, other)) as port:
        assert get(port, [])[0] == 200
    assert warnings_of(caplog, "twice") == []


@each
def test_who_is_not_limited(name):
    with web(name, policy(), TWO, exempt=["127.0.0.0/8"], **PATIENT) as request:
        assert statuses(request, 5) == [200] * 5
    with web(name, policy(), TWO, skip=lambda request: request.headers.get("X-Job") == "yes", **PATIENT) as request:
        assert statuses(request, 5, ("X-Job", "yes")) == [200] * 5
        assert statuses(request, 3) == [200, 200, 429]
    for nothing in (raising, lambda _: "yes", lambda _: 1):
        with web(name, policy(), TWO, skip=nothing, **PATIENT) as request:
            assert statuses(request, 3) == [200, 200, 429]


@each
def test_a_dry_run_refuses_nobody(name):
    told = []
    options = {"dry_run": True, "on_decision": lambda request, decision: told.append(decision)}
    with web(name, policy(), TWO, **options, **PATIENT) as request:
        assert statuses(request, 3) == [200] * 3 and "RateLimit" not in request()[1]
        assert [decision.allowed for decision in told] == [True, True, False, False]
    with web(name, policy(), TWO, user="nobody", **options, **SHORT) as request:
        assert statuses(request, 2) == [200] * 2


# How a server is lost concerns the client only: one framework for tasks and one for threads show it.
OUTAGES = [(name, "down", "up") for name in WEBS]
OUTAGES += [(name, *fault) for name in ("starlette", "flask") for fault in (("stop", "cont"), ("crash", "revive"))]


@pytest.mark.parametrize("name, fault, end", OUTAGES)
@pytest.mark.parametrize("choice, status", [("allow", 200), ("deny", 503), ("raise", 503)])
def test_in_an_outage(name, fault, end, choice, status):
    with web(name, policy(), TWO, port=REDIS if fault == "crash" else PROXY, on_unavailable=choice, **SHORT) as request:
        # Mostly there is a connection then.
        request()
        servers_do(fault)
        try:
            answers = [request() for _ in range(2)]
        finally:
            servers_do(end)
        # It limits again.
        assert any(request()[0] == 429 for _ in range(10_000))
    for answered, fields, body in answers:
        assert answered == status and "RateLimit" not in fields
        assert fields["Retry-After"] == ("1" if choice == "deny" else None)
        if status == 503 and name != "rest framework":
            assert json.loads(body)["type"] == REDUCED


@each
@pytest.mark.parametrize("choice", ["allow", "deny", "raise"])
def test_a_wrong_password_is_a_503(name, choice):
    with web(name, policy(), TWO, user="nobody", on_unavailable=choice, on_overload="allow", **HASTY) as request:
        assert statuses(request, 1) == [503]


@pytest.mark.parametrize("options, message", [
    ({"limit": "leaky-bucket:1/1s"}, "^limit must not make callers wait"),
    ({"limit": {"free": TWO}}, "^plan must be given"), ({"plan": raising}, "^plan must be"), ({"limit": {}, "plan": raising}, "^plan"),
    ({"cost": 0}, "^cost must be an integer"), ({"subject": "user"}, "^subject must be a function"), ({"exempt": ["all"]}, "^exempt must"),
    ({"trusted_proxies": "10.0.0.1"}, "^trusted_proxies must be a collection"), ({"dry_run": "false"}, "^dry_run must be True or False"),
    ({"limit": {"a": "none"}, "plan": raising}, "^the plan 'a' must not be"), ({"limit": "none"}, "^limit must not be"),
    ({"limit": "unlimited"}, "a limit must begin with"),
    ({"also": "tenants"}, "^also must be an Also"), ({"also": Also("tenants", TWO, "acme")}, "^also's subject must be a function"),
    ({"also": Also("api", TWO, raising)}, "^also must be another policy"), ({"also": Also("a b", TWO, raising)}, "^policy must"),
    ({"also": Also("tenants", "leaky-bucket:1/1s", raising)}, "^limit must not make callers wait"),
    ({"also": Also("tenants", TWO, raising, cost=0)}, "^cost must be an integer"),
    ({"also": Also("tenants", TWO, raising, plan=raising)}, "^plan must be given"),
    ({"charge_when": "401"}, '^charge_when must be "status"'), ({"charge_when": 401}, '^charge_when must be "status"'),
    ({"charge_when": "status 401", "limit": "interval-bucket:1/1s"}, "^limit does not support reserve"),
    ({"charge_when": "status 401", "on_outcome": print}, "^on_outcome must not be given with also or charge_when"),
    ({"also": Also("t", TWO, raising), "remember_denials": HOUR}, "^remember_denials must not"),
    ({"on_event": print}, "^on_event must only"),
    ({"limit_of": TWO}, "^limit_of must be a function"), ({"on_denied": 402}, "^on_denied must be a function"),
    ({"on_unavailable": "alow"}, "^on_unavailable must"), ({"on_unavailabel": "allow"}, "unexpected keyword argument 'on_unavailabel'"),
])  # fmt: skip
def test_mistakes_are_told_at_the_start(options, message):
    limit = options.pop("limit", TWO)
    with pytest.raises((TypeError, ValueError), match=message):
        RequestLimit(redis.Redis(), "api", limit, **options)


def test_behind_a_unix_socket():
    def decided(connection, *forwarded, **options):
        limit = RequestLimit(fakeredis.FakeRedis(), "api", TWO, trusted_proxies=["unix"], on_decision=lambda *_: None, **options)
        return limit.decide(None, connection, forwarded).decision

    assert decided("", exempt=["unix"]) is decided(None, exempt=["unix"]) is decided(None, "10.0.0.1", exempt=["10.0.0.0/8"]) is None
    assert decided(None, "198.51.100.1", exempt=["unix"]) and decided("unix", exempt=["unix"]) and decided(None, exempt=["10.0.0.0/8"])


def test_a_coroutine_function_is_not_for_a_client_that_blocks():
    async def subject(request):
        return "user"

    with pytest.raises(TypeError, match="^subject must not be a coroutine function"):
        RequestLimit(redis.Redis(), "api", TWO, subject=subject)


@pytest.mark.parametrize("number", [0, 1])
def test_the_readme(number, monkeypatch):
    """In memory, as users test what they have written."""
    monkeypatch.setattr(redis.asyncio.Redis, "from_url", lambda url: fakeredis.FakeAsyncRedis())
    monkeypatch.setattr(redis, "Redis", fakeredis.FakeRedis)
    with (asgi, wsgi)[number](example(number)["app"]) as port:
        answers = [get(port, [("X-Api-Key", "one")], "/export") for _ in range(11)]
        assert [status for status, _, _ in answers] == [200] * 10 + [429]
        assert answers[0][1].get_all("RateLimit") == ['"exports";r=9;t=3600, "address";r=99;t=1']
        assert get(port, [], "/")[1]["RateLimit"].startswith('"address";r=')


def example(number):
    source = README.split("## Limits of requests")[1].split("```python\n")[1 + number].split("```")[0]
    module = {"__name__": "app"}
    exec(compile(source, "app.py", "exec"), module)
    return module


def test_the_readme_of_django(monkeypatch):
    monkeypatch.setattr(redis, "Redis", fakeredis.FakeRedis)
    with wsgi(webs.project(django.core.wsgi.get_wsgi_application, webs.hello, example(2)["address"])) as port:
        assert get(port, [])[1]["RateLimit"] == '"address";r=99;t=1'
    assert example(3)["UserThrottle"]().wait() is None


ORIGIN = ("Origin", "https://app.example")
PREFLIGHT = (ORIGIN, ("Access-Control-Request-Method", "GET"))


@pytest.mark.parametrize("name", ["fastapi", "starlette"])
def test_starlettes_cors_outside_of_a_limit(name):
    exposed = ["RateLimit", "RateLimit-Policy", "Retry-After"]
    app = WEBS[name][1](lambda make: make(redis.asyncio.Redis(port=REDIS), policy(), TWO, **PATIENT))
    app.add_middleware(CORSMiddleware, allow_origins=["https://app.example"], expose_headers=exposed)
    with asgi(app) as port:
        assert [get(port, PREFLIGHT, method="OPTIONS")[0] for _ in range(3)] == [200] * 3
        assert [get(port, [ORIGIN])[0] for _ in range(2)] == [200] * 2
        status, fields, _ = get(port, [ORIGIN])
    assert (status, fields["Access-Control-Allow-Origin"]) == (429, "https://app.example") and "Retry-After" in fields
    assert fields["Access-Control-Expose-Headers"] == ", ".join(exposed)


def test_preflights_that_flask_answers_are_not_counted():
    app = flask.Flask(__name__)
    penstock_redis.flask.limit_app(app, redis.Redis(port=REDIS), policy(), TWO, **PATIENT)
    app.get("/")(lambda: "Hello")
    app.route("/own", methods=["GET", "OPTIONS"], endpoint="own")(lambda: "Hello")

    with wsgi(app) as port:
        answers = [get(port, PREFLIGHT, method="OPTIONS") for _ in range(3)]
        assert [status for status, _, _ in answers] == [200] * 3 and "GET" in answers[0][1]["Allow"]
        # A view of its own, or none, counts, and so does what is no preflight.
        counted = [("/own", PREFLIGHT), ("/nowhere", PREFLIGHT), ("/", [ORIGIN]), ("/", PREFLIGHT[1:])]
        assert [get(port, headers, path, "OPTIONS")[0] for path, headers in counted] == [200, 404, 429, 429]
        assert get(port, PREFLIGHT, method="OPTIONS")[0] == 200


def test_a_websocket_is_limited():
    async def echo(socket):
        await socket.accept()
        await socket.close()

    app = starlette.applications.Starlette(routes=[starlette.routing.WebSocketRoute("/", echo)])
    app.add_middleware(RateLimitMiddleware, fakeredis.FakeAsyncRedis(), "sockets", "fixed-window:1/1h")
    with TestClient(app) as client:
        with client.websocket_connect("/") as socket:
            assert dict(socket.extra_headers)[b"ratelimit"] == b'"sockets";r=0;t=3600'
        with pytest.raises(WebSocketDenialResponse) as refused, client.websocket_connect("/"):
            pass
    assert refused.value.status_code == 429
    sent = []

    async def send(message):
        sent.append(message)

    closed = {"type": "websocket", "headers": [], "client": ("testclient", 50000)}
    asyncio.run(RateLimitMiddleware(None, redis.asyncio.Redis(port=1), "sockets", TWO)(closed, None, send))
    assert sent == [{"type": "websocket.close", "code": 1013}]


def sockets(server_answers):
    """An application of FastAPI that depends on a limit, with a route and a WebSocket."""
    app = fastapi.FastAPI(dependencies=[fastapi.Depends(rate_limit(fakeredis.FakeAsyncRedis(), "app", "fixed-window:2/1h"))])

    @app.websocket("/socket")
    async def socket(socket: fastapi.WebSocket) -> None:
        await socket.accept()
        await socket.close()

    async def bare(scope, receive, send):
        await app({**scope, "extensions": {}} if scope["type"] == "websocket" and not server_answers else scope, receive, send)

    app.get("/", dependencies=[fastapi.Depends(rate_limit(fakeredis.FakeAsyncRedis(), "route", "fixed-window:9/1h"))])(lambda: "Hello")
    return bare


@pytest.mark.parametrize("server_answers, refusal", [(True, WebSocketDenialResponse), (False, WebSocketDisconnect)])
def test_a_websocket_depends_on_the_limit_of_an_application(server_answers, refusal):
    client = TestClient(sockets(server_answers))
    for _ in range(2):
        with client.websocket_connect("/socket"):
            pass
    with pytest.raises(refusal) as refused, client.websocket_connect("/socket"):
        pass
    assert refused.value.status_code == 429 if server_answers else refused.value.code == 1013


@pytest.mark.parametrize("example", vectors("requests", "several"))
@pytest.mark.parametrize("name", webs.SEVERAL)
def test_the_fields_of_several_limits(name, example):
    client, app, served = webs.SEVERAL[name]
    options = {**PATIENT, "prefix": f"t{policy()}", "cost": example["cost"], "form": example.get("form", "draft-11")}
    limits = [lambda make, each=each: make(client(port=REDIS), *each.values(), **options) for each in example["limits"]]
    with served(app(*limits)) as port:
        status, fields, _ = get(port, [])
    written = [(name.lower(), value) for name, value in fields.items() if "ratelimit" in name.lower()]
    assert (status, written) == (example["status"], [(name.lower(), value) for name, value in example["fields"]])


@pytest.mark.parametrize("example", vectors("requests", "joint"))
@pytest.mark.parametrize("name", webs.JOINT)
def test_two_policies_and_charges_by_the_response(name, example):
    options = {**PATIENT, "prefix": f"t{policy()}", "cost": example.get("cost", 1), "subject": header_named("X-Subject")}
    if "also" in example:
        options["also"] = Also(**example["also"], subject=header_named("X-Also"))
    if "charge_when" in example:
        options["charge_when"] = example["charge_when"]
    opened = web(name, example["policy"], example["limit"], **options)
    if name in webs.BLIND and "charge_when" in example:
        with pytest.raises(ValueError, match="^charge_when must be given to"), opened:
            pass
        return
    with opened as request:
        for each in example["requests"]:
            headers = {"X-Subject": each.get("subject"), "X-Also": each.get("also"), "X-Answer": str(each.get("answer", 200))}
            status, fields, body = request(*((name, text) for name, text in headers.items() if text))
            left = {of: int(remaining) for of, remaining in re.findall(r'"([^"]+)";r=(\d+)', fields["RateLimit"])}
            assert status == each["status"] and left == each.get("left", left), each
            if "violated" in each and name != "rest framework":
                assert json.loads(body)["violated-policies"] == each["violated"]


@pytest.mark.parametrize("name", webs.JOINT)
def test_a_cost_is_found_once_for_both_policies(name):
    found = []
    also = Also(policy(), "fixed-window:10/1h", lambda _: "acme")
    with web(name, policy(), "fixed-window:10/1h", cost=lambda request: found.append(request) or 2, also=also, **PATIENT) as request:
        assert request()[0] == 200
    assert len(found) == 1


def header_named(name):
    return lambda request: request.headers.get(name)


LOGINS = {"charge_when": "status 401, 403", "subject": lambda _: "alice"}
seeing = pytest.mark.parametrize("name", [name for name in webs.JOINT if name not in webs.BLIND])


@seeing
@pytest.mark.parametrize("end, status", [(lambda held: held.cancel(), 200), (lambda held: held.settle(5), 429)])
def test_a_request_that_only_holds_deny_waits_for_them(name, end, status):
    """Six at once under 5; five are the test's own."""
    api, denied = policy(), threading.Event()

    def on_event(event):
        if event.kind is EventKind.DENIED:
            denied.set()

    held = Reservations(redis.Redis(port=REDIS), api, timedelta(minutes=10), **PATIENT)
    five = held.reserve("alice", EntryLimit(api, fixed_window(5, HOUR)).reserve(5))
    limited = web(name, api, "fixed-window:5/1h", on_event=on_event, **LOGINS, **PATIENT)
    with limited as request, concurrent.futures.ThreadPoolExecutor(1) as pool:
        sixth = pool.submit(request)
        assert denied.wait(60)
        end(five)
        assert sixth.result()[0] == status


@seeing
def test_a_request_that_holds_deny_is_denied_at_its_deadline(name):
    api = policy()
    held = Reservations(redis.Redis(port=REDIS), api, timedelta(minutes=10), **PATIENT)
    held.reserve("alice", EntryLimit(api, fixed_window(5, HOUR)).reserve(5))
    with web(name, api, "fixed-window:5/1h", timeout=timedelta(seconds=3), prefix=PREFIX, **LOGINS) as request:
        status, fields, body = request()
    assert status == 429 and json.loads(body)["violated-policies"] == [api] and int(fields["Retry-After"]) > 0


@seeing
def test_failures_at_once_are_counted(name):
    with web(name, policy(), "fixed-window:5/1h", **LOGINS, **PATIENT) as request, concurrent.futures.ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: request(("X-Answer", "401"))[0], range(20)))
    assert sorted(answers) == [401] * 5 + [429] * 15


@seeing
@pytest.mark.parametrize("choice, status", [("allow", 200), ("deny", 503), ("raise", 503)])
def test_charges_by_the_response_in_an_outage(name, choice, status):
    with web(name, policy(), TWO, port=1, on_unavailable=choice, also=Also("others", TWO, raising), **LOGINS, **SHORT) as request:
        answered, fields, _ = request()
    assert answered == status and "RateLimit" not in fields


@seeing
def test_a_dry_run_holds_and_refuses_nobody(name):
    told = []
    options = {"dry_run": True, "on_decision": lambda request, decision: told.append(decision.allowed)}
    with web(name, policy(), TWO, **options, **LOGINS, **PATIENT) as request:
        assert statuses(request, 2) == [200] * 2 and statuses(request, 4, ("X-Answer", "401")) == [401] * 4
    assert told == [True] * 4 + [False] * 2


def forbidden(request):
    raise PermissionDenied


def test_what_a_view_raises_has_a_status():
    for made, raised, status in (
        (webs.django_middleware, forbidden, 403), (webs.django_middleware, raising, 500),
        (django_view_of, forbidden, 403), (django_view_of, raising, 500),
    ):  # fmt: skip
        options = {"subject": lambda _: "alice", "charge_when": f"status {status}"}
        app = made(lambda make, options=options: make(redis.Redis(port=REDIS), policy(), TWO, **options, **PATIENT), view=raised)
        with wsgi(app) as port:
            assert [get(port, [])[0] for _ in range(3)] == [status, status, 429]
    app = flask.Flask(__name__)
    app.get("/")(penstock_redis.flask.rate_limit(redis.Redis(port=REDIS), policy(), TWO, **LOGINS, **PATIENT)(lambda: flask.abort(403)))
    with wsgi(app) as port:
        assert [get(port, [])[0] for _ in range(3)] == [403, 403, 429]
    options = {"subject": lambda _: "alice", "charge_when": "status 500"}
    app = starlette.applications.Starlette(routes=[starlette.routing.Route("/", raising)])
    app.add_middleware(RateLimitMiddleware, redis.asyncio.Redis(port=REDIS), policy(), TWO, **options, **PATIENT)
    with asgi(app) as port:
        assert [get(port, [])[0] for _ in range(3)] == [500, 500, 429]


def django_view_of(limit, view):
    return webs.django_middleware(view=limit(penstock_redis.django.rate_limit)(view))


def test_a_websocket_that_is_closed_before_it_is_accepted_is_a_403():
    async def refused(socket):
        await socket.close()

    app = starlette.applications.Starlette(routes=[starlette.routing.WebSocketRoute("/", refused)])
    app.add_middleware(RateLimitMiddleware, redis.asyncio.Redis(port=REDIS), policy(), TWO, **LOGINS, **PATIENT)
    with TestClient(app) as client:
        for _ in range(2):
            with pytest.raises(WebSocketDisconnect), client.websocket_connect("/"):
                pass
        with pytest.raises(WebSocketDenialResponse), client.websocket_connect("/"):
            pass


@pytest.mark.parametrize("example", vectors("requests", "plans_as_written"))
def test_plans_as_they_are_written(example):
    def made(limit, **options):
        return RequestLimit(fakeredis.FakeRedis(), "api", limit, **options)

    def policy_of(limit):
        return limit.decide(None, "192.0.2.1").fields.get("RateLimit-Policy")

    if example["limits"] is None:
        with pytest.raises(ValueError, match=re.escape(example.get("says", "limit"))):
            made(example["plans"], plan=lambda _: "free")
        return
    for plan, limit in example["limits"].items():
        assert policy_of(made(example["plans"], plan=lambda _, plan=plan: plan or None)) == (policy_of(made(limit)) if limit else None)


def test_all_throttles_of_a_view_have_their_fields():
    limits = [lambda make, limit=limit: make(fakeredis.FakeRedis(), limit, f"fixed-window:{limit}/1h") for limit in "321"]
    with wsgi(webs.django_middleware(view=webs.throttled(*limits))) as port:
        first, second = get(port, []), get(port, [])
    assert (first[0], first[1]["RateLimit"]) == (200, '"1";r=0;t=3600, "2";r=1;t=3600, "3";r=2;t=3600')
    assert (second[0], second[1]["RateLimit-Policy"]) == (429, '"1";q=1;w=3600, "2";q=2;w=3600, "3";q=3;w=3600')


@each
def test_a_client_of_another_kind_is_refused_at_the_start(name):
    client, app, _ = WEBS[name]
    other = redis.Redis if client is redis.asyncio.Redis else redis.asyncio.Redis
    for wrong in (other(), "redis://localhost", None):
        with pytest.raises(TypeError, match="^(client must be redis|rate_limit must be a RequestLimit of a client of redis)"):
            made = app(lambda make: make(wrong, "api", TWO))
            # Starlette makes its middlewares when it starts.
            made.build_middleware_stack()


@each
def test_outcomes_are_heard(name):
    heard = []
    with web(name, policy(), TWO, on_outcome=heard.append, **PATIENT) as request:
        assert statuses(request, 3) == [200, 200, 429]
    assert [outcome.decision.allowed for outcome in heard] == [True, True, False]


def test_spans_of_opentelemetry():
    provider, exporter = TracerProvider(), InMemorySpanExporter()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace = provider.get_tracer("test").start_as_current_span
    limiter = RateLimiter(fakeredis.FakeRedis(), "api", fixed_window(1, HOUR), trace=trace)
    limiter.acquire("user")
    asyncio.run(AsyncRateLimiter(fakeredis.FakeAsyncRedis(), "api", fixed_window(1, HOUR), trace=trace).acquire_all(["a", "b"]))
    with pytest.raises(NoDecisionError):
        RateLimiter(redis.Redis(port=1), "other", fixed_window(1, HOUR), trace=trace).acquire("user")
    spans = [(span.name, span.status.is_ok, [event.name for event in span.events]) for span in exporter.get_finished_spans()]
    assert spans == [("penstock api", True, []), ("penstock api", True, []), ("penstock other", False, ["exception"])]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_in_memory(script):
    limiter = RateLimiter(fakeredis.FakeRedis(), "api", parse_limit(f"{script.name}:2/1h"))
    assert [bool(limiter.acquire("user")) for _ in range(3)] == [True, True, False]
    assert limiter.refund("user", 1).remaining == 1 and limiter.acquire_up_to("user", 5).granted == 1
