"""Starts the example: a Redis of its own, a model's stand-in and three gateways, each a process; stops them at its end.

Started as a program it prints how to ask, and runs until it is stopped.
"""

import argparse
import hashlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from types import TracebackType
from typing import Any, Optional

HERE = pathlib.Path(__file__).parent
GATEWAYS = 3
USUAL_ANSWER = 120
LIMITS = {
    "user-rpm": "sliding-window:120/1m",
    "user-tpm": "sliding-window:6000/1m",
    "user-in-flight": "concurrency:4",
    "tenant-rpm": "sliding-window:600/1m",
    "tenant-tpm": "sliding-window:20000/1m",
    "tenant-in-flight": "concurrency:10",
}


def key_of(tenant: str, user: str) -> str:
    """A key of the example's: yours come from wherever you keep secrets."""
    return f"sk-{tenant}-{user}-do-not-log-me"


class Deployment:
    """All processes. Their logs are in `folder`."""

    def __init__(self, server: str, settings: Optional[dict[str, Any]] = None) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="llm-gateway-"))
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.server, self.redis_port, self.upstream_port = server, free_port(), free_port()
        self.ports = [free_port() for _ in range(GATEWAYS)]
        callers = [(f"tenant-{tenant}", f"user-{user}") for tenant in range(12) for user in range(20)]
        keys = {hashlib.sha256(key_of(*each).encode()).hexdigest(): dict(zip(("tenant", "user"), each)) for each in callers}
        base = {"limits": LIMITS, "keep_seconds": 30, "timeout_seconds": 1, "usual_answer": USUAL_ANSWER, "keys": keys}
        where = {"redis": f"redis://127.0.0.1:{self.redis_port}", "upstream": f"http://127.0.0.1:{self.upstream_port}"}
        self.settings = self.folder / "settings.json"
        self.settings.write_text(json.dumps({**base, **where, **(settings or {})}))

    def __enter__(self) -> "Deployment":
        try:
            self.run("redis", self.server, "--port", str(self.redis_port), "--save", "", "--bind", "127.0.0.1", "--dir", str(self.folder))
            self.serve("upstream", self.upstream_port)
            for number in range(GATEWAYS):
                self.start_gateway(number)
            for port in [self.upstream_port, *self.ports]:
                self.await_http(port)
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if kind in (None, SystemExit):
            shutil.rmtree(self.folder)

    def run(self, name: str, *command: str) -> None:
        with open(self.folder / f"{name}.log", "ab") as log:
            environment = {**os.environ, "GATEWAY_SETTINGS": str(self.settings)}
            self.processes[name] = subprocess.Popen(command, cwd=HERE, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def serve(self, module: str, port: int, name: str = "") -> None:
        self.run(name or module, sys.executable, "-m", "uvicorn", f"{module}:app", "--port", str(port), "--log-level", "info")

    def start_gateway(self, number: int) -> None:
        self.serve("gateway", self.ports[number], f"gateway-{number}")

    def kill_gateway(self, number: int) -> None:
        self.processes[f"gateway-{number}"].kill()
        self.processes[f"gateway-{number}"].wait()

    def await_http(self, port: int) -> None:
        until = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/openapi.json", timeout=5).close()
                return
            except (urllib.error.URLError, OSError):
                dead = [name for name, process in self.processes.items() if process.poll() is not None]
                if dead or time.monotonic() > until:
                    logs = [(self.folder / f"{name}.log").read_text()[-2_000:] for name in dead]
                    sys.exit("\n".join([f"did not start: {dead or port}", *logs]))
                time.sleep(0.1)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def server_of(arguments: argparse.Namespace) -> str:
    server = arguments.server or shutil.which("redis-server") or shutil.which("valkey-server")
    if server is None:
        sys.exit("There is neither redis-server nor valkey-server on the PATH: name one with --server FILE.")
    return str(server)


def options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", metavar="FILE", help="a redis-server or valkey-server (default: that of the PATH)")
    return parser


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with Deployment(server_of(options().parse_args())) as running:
        urls = ", ".join(f"http://localhost:{port}" for port in running.ports)
        print(f"Three gateways: {urls}. Logs: {running.folder}. Ctrl-C ends it. Ask:\n")
        print(f"curl -iN localhost:{running.ports[0]}/v1/chat/completions -H 'Authorization: Bearer {key_of('tenant-1', 'user-1')}' \\")
        print("  -H 'Content-Type: application/json' \\")
        print("""  -d '{"model": "steady", "max_tokens": 20, "stream": true, "messages": [{"role": "user", "content": "Hello"}]}'""")
        try:
            signal.pause()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
