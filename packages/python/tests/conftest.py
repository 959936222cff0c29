"""Reports the vectors that were replayed, for the table of docs/languages.md; and lets processes learn of an outage sooner."""

import re

import penstock_redis._verdict
import pytest
from servers import replayed


@pytest.fixture(autouse=True)
def no_spread(monkeypatch):
    """The question's connection is made with the first call, and not within 3 s of it: else nothing opens before."""
    monkeypatch.setattr(penstock_redis._verdict, "VERDICT_SPREAD_MS", 0)


def pytest_runtest_logreport(report):
    case = re.search(r"[\[-](\w+\.\w+:\d+)[\]-]", report.nodeid)
    if case and report.when == "call" and report.passed:
        replayed(case[1])
