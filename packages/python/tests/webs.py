"""Applications of each framework with one limit, on real web servers."""

import contextlib
import http.client
import threading
import time

import fastapi
import redis
import redis.asyncio
import starlette.applications
import starlette.responses
import starlette.routing
import uvicorn
from penstock_redis.asgi import RateLimitedError, RateLimitMiddleware, problem_response, rate_limit
from servers import REDIS


@contextlib.contextmanager
def asgi(app):
    # Its own belief in X-Forwarded-For is off: a test is about the package's.
    server = uvicorn.Server(uvicorn.Config(app, port=0, proxy_headers=False, log_level="critical", lifespan="off"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    thread.join()


def fastapi_app(client, *limit, **options):
    app = fastapi.FastAPI()
    app.add_exception_handler(RateLimitedError, problem_response)

    @app.get("/", dependencies=[fastapi.Depends(rate_limit(client, *limit, **options))])
    async def hello() -> str:
        return "Hello"

    return app


def starlette_app(client, *limit, **options):
    async def hello(request):
        return starlette.responses.PlainTextResponse("Hello")

    app = starlette.applications.Starlette(routes=[starlette.routing.Route("/", hello)])
    app.add_middleware(RateLimitMiddleware, client, *limit, **options)
    return app


WEBS = {"fastapi": (redis.asyncio.Redis, fastapi_app, asgi), "starlette": (redis.asyncio.Redis, starlette_app, asgi)}


@contextlib.contextmanager
def web(name, *limit, port=REDIS, user=None, **options):
    """What sends a request with these headers to the application, and returns status, headers and body."""
    client, app, served = WEBS[name]
    with served(app(client(port=port, username=user, password=user), *limit, **options)) as own:
        yield lambda *headers: get(own, headers)


def get(port, headers, path="/"):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.putrequest("GET", path)
    for name, value in headers:
        connection.putheader(name, value)
    connection.endheaders()
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response.status, response.headers, body
