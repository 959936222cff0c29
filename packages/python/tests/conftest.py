"""Reports the vectors that were replayed, for the table of docs/languages.md."""

import re

from servers import replayed


def pytest_runtest_logreport(report):
    case = re.search(r"[\[-](\w+\.\w+:\d+)[\]-]", report.nodeid)
    if case and report.when == "call" and report.passed:
        replayed(case[1])
