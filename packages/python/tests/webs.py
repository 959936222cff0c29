"""Applications of each framework with one limit, on real web servers."""

import contextlib
import functools
import http.client
import threading
import time

import django
import django.conf
import django.core.asgi
import django.core.wsgi
import django.http
import django.urls
import fastapi
import flask
import penstock_redis.django
import penstock_redis.flask
import redis
import redis.asyncio
import starlette.applications
import starlette.responses
import starlette.routing
import uvicorn
import werkzeug.serving
from penstock_redis.asgi import RateLimitedError, RateLimitMiddleware, problem_response, rate_limit
from servers import REDIS

django.conf.settings.configure(ALLOWED_HOSTS=["*"], SECRET_KEY="none", LOGGING_CONFIG=None, REST_FRAMEWORK={"UNAUTHENTICATED_USER": None})
django.setup()
# These read the settings.
from penstock_redis.rest_framework import RateLimitThrottle, RequestLimit  # noqa: E402
from rest_framework.exceptions import APIException  # noqa: E402
from rest_framework.response import Response  # noqa: E402
from rest_framework.views import APIView  # noqa: E402


@contextlib.contextmanager
def asgi(app):
    # Its own belief in X-Forwarded-For is off: a test is about the package's.
    server = uvicorn.Server(uvicorn.Config(app, port=0, proxy_headers=False, log_level="critical", lifespan="off"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()


@contextlib.contextmanager
def wsgi(app):
    server = werkzeug.serving.make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()


def status_of(request):
    """What a handler answers."""
    return int(request.headers.get("X-Answer", "200"))


# What makes an application takes functions, the outermost limit's first, of which each makes what its framework has of it.


def fastapi_app(*limits):
    app = fastapi.FastAPI()
    app.add_exception_handler(RateLimitedError, problem_response)

    @app.get("/", dependencies=[fastapi.Depends(limit(rate_limit)) for limit in limits])
    async def hello(request: fastapi.Request) -> str:
        if (status := status_of(request)) != 200:
            raise fastapi.HTTPException(status)
        return "Hello"

    return app


def starlette_app(*limits):
    async def hello(request):
        return starlette.responses.PlainTextResponse("Hello", status_of(request))

    return with_middlewares(starlette.applications.Starlette(routes=[starlette.routing.Route("/", hello)]), *limits)


def with_middlewares(app, *limits):
    for limit in reversed(limits):
        limit(functools.partial(app.add_middleware, RateLimitMiddleware))
    return app


def limited_by(limits, make, view):
    """A view that is decorated."""
    return functools.reduce(lambda view, limit: limit(make)(view), reversed(limits), view)


def flask_view(*limits):
    app = flask.Flask(__name__)
    app.get("/")(limited_by(limits, penstock_redis.flask.rate_limit, lambda: ("Hello", status_of(flask.request))))
    return app


def flask_app(*limits):
    return with_limits_of_all(flask_view(), *limits)


def with_limits_of_all(app, *limits):
    for limit in limits:
        limit(functools.partial(penstock_redis.flask.limit_app, app))
    return app


def project(make_app, view, *middlewares):
    """A project of Django, which is configured once in a process: the test that runs has its own view and middlewares."""
    names = [f"middleware_{at}" for at, _ in enumerate(middlewares)]
    globals().update(zip(names, middlewares))
    settings = django.conf.settings
    settings.ROOT_URLCONF, settings.MIDDLEWARE = (django.urls.path("", view),), [f"webs.{name}" for name in names]
    return make_app()


def hello(request):
    return django.http.HttpResponse("Hello", status=status_of(request))


async def hello_awaited(request):
    return hello(request)


def django_middleware(*limits, view=hello, make_app=django.core.wsgi.get_wsgi_application):
    return project(make_app, view, *(limit(penstock_redis.django.rate_limit) for limit in limits))


def django_view(*limits):
    return django_middleware(view=django_limited(*limits))


def django_limited(*limits):
    return limited_by(limits, penstock_redis.django.rate_limit, hello)


def django_asgi(*limits):
    return django_middleware(*limits, view=hello_awaited, make_app=django.core.asgi.get_asgi_application)


def throttled(*limits):
    """A view of the REST framework."""
    throttles = [type("Throttle", (RateLimitThrottle,), {"rate_limit": limit(RequestLimit)}) for limit in limits]

    class View(APIView):
        authentication_classes = permission_classes = ()
        throttle_classes = throttles

        def get(self, request):
            return Response("Hello", status_of(request))

    return View.as_view()


def rest_framework(*limits):
    """The framework asks all throttles, also after a denial, so only the innermost limit is one."""
    return django_middleware(*limits[:-1], view=throttled(limits[-1]))


WEBS = {
    "fastapi": (redis.asyncio.Redis, fastapi_app, asgi),
    "starlette": (redis.asyncio.Redis, starlette_app, asgi),
    "flask": (redis.Redis, flask_view, wsgi),
    "flask app": (redis.Redis, flask_app, wsgi),
    "django": (redis.Redis, django_middleware, wsgi),
    "django view": (redis.Redis, django_view, wsgi),
    "django asgi": (redis.Redis, django_asgi, asgi),
    "rest framework": (redis.Redis, rest_framework, wsgi),
}


def exception_of_rest(text, status):
    error = APIException(text)
    error.status_code = status
    return error


# What answers a denial in each.
ANSWERS = {
    "fastapi": lambda text, status: fastapi.HTTPException(status, text),
    "starlette": lambda text, status: starlette.responses.PlainTextResponse(text, status),
    "flask": lambda text, status: (text, status),
    "flask app": lambda text, status: flask.Response(text, status),
    **dict.fromkeys(("django", "django view", "django asgi"), lambda text, status: django.http.HttpResponse(text, status=status)),
    "rest framework": exception_of_rest,
}

# Those of several limits, also of both kinds that a framework has.
SEVERAL = {
    **WEBS,
    "fastapi, both kinds": (redis.asyncio.Redis, lambda first, *others: with_middlewares(fastapi_app(*others), first), asgi),
    "flask, both kinds": (redis.Redis, lambda first, *others: with_limits_of_all(flask_view(*others), first), wsgi),
    "django, both kinds": (redis.Redis, lambda first, *others: django_middleware(first, view=django_limited(*others)), wsgi),
}


# Those of limits that see the response; FastAPI's dependencies and throttles do not.
JOINT = {**WEBS, "fastapi, middleware": (redis.asyncio.Redis, lambda *limits: with_middlewares(fastapi_app(), *limits), asgi)}
BLIND = ("fastapi", "rest framework")


@contextlib.contextmanager
def web(name, *limit, port=REDIS, user=None, **options):
    """What sends a request with these headers to the application, and returns status, headers and body."""
    client, app, served = JOINT[name]
    with served(app(lambda make: make(client(port=port, username=user, password=user), *limit, **options))) as own:
        yield lambda *headers: get(own, headers)


def get(port, headers, path="/", method="GET"):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.putrequest(method, path)
    for name, value in headers:
        connection.putheader(name, value)
    connection.endheaders()
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response.status, response.headers, body
