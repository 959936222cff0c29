"""Applications of each framework with one limit, on real web servers."""

import contextlib
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
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()


def fastapi_app(*limit, **options):
    app = fastapi.FastAPI()
    app.add_exception_handler(RateLimitedError, problem_response)

    @app.get("/", dependencies=[fastapi.Depends(rate_limit(*limit, **options))])
    async def hello() -> str:
        return "Hello"

    return app


def starlette_app(*limit, **options):
    async def hello(request):
        return starlette.responses.PlainTextResponse("Hello")

    app = starlette.applications.Starlette(routes=[starlette.routing.Route("/", hello)])
    app.add_middleware(RateLimitMiddleware, *limit, **options)
    return app


def flask_view(*limit, **options):
    app = flask.Flask(__name__)
    app.get("/")(penstock_redis.flask.rate_limit(*limit, **options)(lambda: "Hello"))
    return app


def flask_app(*limit, **options):
    app = flask.Flask(__name__)
    app.get("/")(lambda: "Hello")
    penstock_redis.flask.limit_app(app, *limit, **options)
    return app


def project(make_app, view, *middleware):
    """A project of Django, which is configured once in a process: the test that runs has its own view and middleware."""
    settings = django.conf.settings
    settings.ROOT_URLCONF, settings.MIDDLEWARE = (django.urls.path("", view),), [f"webs.{name}" for name in middleware]
    return make_app()


def hello(request):
    return django.http.HttpResponse("Hello")


async def hello_awaited(request):
    return django.http.HttpResponse("Hello")


def django_middleware(*limit, **options):
    globals()["limited"] = penstock_redis.django.rate_limit(*limit, **options)
    return project(django.core.wsgi.get_wsgi_application, hello, "limited")


def django_view(*limit, **options):
    return project(django.core.wsgi.get_wsgi_application, penstock_redis.django.rate_limit(*limit, **options)(hello))


def django_asgi(*limit, **options):
    globals()["limited"] = penstock_redis.django.rate_limit(*limit, **options)
    return project(django.core.asgi.get_asgi_application, hello_awaited, "limited")


def rest_framework(*limit, **options):
    class Throttle(RateLimitThrottle):
        rate_limit = RequestLimit(*limit, **options)

    class View(APIView):
        authentication_classes = permission_classes = ()
        throttle_classes = (Throttle,)

        def get(self, request):
            return Response("Hello")

    return project(django.core.wsgi.get_wsgi_application, View.as_view())


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
