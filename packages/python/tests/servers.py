"""The servers that packages/test started, and their faults."""

import json
import os
import pathlib
import subprocess
import sys
import uuid

import pytest

REDIS, PROXY, CLUSTER, CONTROL = (int(os.environ[f"PENSTOCK_{name}"]) for name in ("REDIS", "PROXY", "CLUSTER", "CONTROL"))
VECTORS = pathlib.Path(os.environ["PENSTOCK_VECTORS"])
REPLAYED = os.environ.get("PENSTOCK_REPLAYED")
FORMS = ["EVALSHA", "FCALL"] if os.environ["PENSTOCK_FUNCTIONS"] == "yes" else ["EVALSHA"]
PREFIX = "t" + uuid.uuid4().hex[:12]


def servers_do(*command, said=""):
    """Runs packages/testbed.py and returns what it printed."""
    bed = [sys.executable, os.environ["PENSTOCK_TESTBED"], *command]
    return subprocess.run(bed, check=True, stdout=subprocess.PIPE, text=True, input=said).stdout


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
