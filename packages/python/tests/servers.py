"""The servers that packages/test or, without it, packages/testbed.py started, and their faults.

Without a server on the PATH, a module that imports what one is for is skipped.
"""

import json
import os
import pathlib
import socket
import subprocess
import sys
import uuid

import pytest

PACKAGES = pathlib.Path(__file__).resolve().parent.parent.parent


if "PENSTOCK_VECTORS" not in os.environ:
    # It ends when its standard input does, with this process.
    _bed = subprocess.Popen([sys.executable, PACKAGES / "testbed.py", "run"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    os.environ.update(line.rstrip("\n").split("=", 1) for line in iter(_bed.stdout.readline, "\n"))
VECTORS = pathlib.Path(os.environ["PENSTOCK_VECTORS"])
REPLAYED = os.environ.get("PENSTOCK_REPLAYED")
PREFIX = "t" + uuid.uuid4().hex[:12]


def __getattr__(name):
    """What only a started server has: REDIS, PROXY and CLUSTER are ports, FORMS those in which a script is called."""
    if name not in ("REDIS", "PROXY", "CLUSTER", "FORMS"):
        raise AttributeError(name)
    if reason := os.environ.get("PENSTOCK_SKIP"):
        pytest.skip(reason, allow_module_level=True)
    if name == "FORMS":
        return ["EVALSHA", "FCALL"] if os.environ["PENSTOCK_FUNCTIONS"] == "yes" else ["EVALSHA"]
    return int(os.environ[f"PENSTOCK_{name}"])


def servers_do(*command, said=""):
    """Tells packages/testbed.py to do this, and returns its answer."""
    with socket.create_connection(("127.0.0.1", os.environ["PENSTOCK_CONTROL"]), timeout=60) as control:
        control.sendall(b" ".join(map(os.fsencode, command)) + b"\n" + said.encode())
        control.shutdown(socket.SHUT_WR)
        done, _, answer = control.makefile().read().partition(" ")
    assert done == "done", command
    return answer.strip()


def vectors(file, cases, meant=lambda case: True):
    """The cases of a file of vectors, as a test's parameters: conftest.py reports each that a test has passed."""
    listed = json.loads((VECTORS / f"{file}.json").read_text())[cases]
    return [pytest.param(case, id=f"{file}.{cases}:{at}") for at, case in enumerate(listed) if meant(case)]


def replayed(case):
    """Reports a case of the vectors, such as keys.keys:0."""
    if REPLAYED:
        with open(REPLAYED, "a") as file:
            file.write(f"{case}\n")


MEASURES = "PENSTOCK_RESULTS" in os.environ


def measured(client, version, fault, by_default, then):
    """A row of docs/languages.md."""
    with open(os.environ["PENSTOCK_RESULTS"], "a") as file:
        file.write(json.dumps({"client": client, "version": version, "fault": fault, "default": by_default, "then": then}) + "\n")
