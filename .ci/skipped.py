"""Fails if a test was skipped, if a module with tests ran none, or if more than two tests failed once; prints how many ran.

    python3 .ci/skipped.py                                         # after mvn verify
    python3 .ci/skipped.py --load --since TIME --idle 98 --stolen 0  # after the load tests, which began at TIME

A skip is expected only where its reason begins with "optional: ", or with "load: " and what a machine that is too slow was
measured to do. Both are printed, and so is a test that failed and passed when it ran again. On a machine that was idle at most
1 % of the load tests are skipped.
"""

import argparse
import datetime
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

MODULES = ("*", "compat-tests/*", "tools/*", "examples/*")
LEAST_IDLE, MOST_STOLEN, MOST_SKIPPED, MOST_UNSTEADY = 90, 2, 0.01, 2

options = argparse.ArgumentParser()
options.add_argument("--load", action="store_true")
options.add_argument("--since", type=lambda text: datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp(), default=0)
options.add_argument("--idle", type=float, default=100)
options.add_argument("--stolen", type=float, default=0)
given = options.parse_args()

reports = sorted(
    report
    for modules in MODULES
    for kind in ("surefire", "failsafe")
    for report in pathlib.Path(".").glob(f"{modules}/target/{kind}-reports/TEST-*.xml")
    if report.stat().st_mtime >= given.since
)
ran = 0
slow = 0
unsteady = 0
unexpected = []
for report in reports:
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        failed = case.find("flakyFailure") if case.find("flakyFailure") is not None else case.find("flakyError")
        if failed is not None:
            unsteady += 1
            print(f"FAILED ONCE: {case.get('classname')}.{case.get('name')}: {failed.get('message')}")
        skipped = case.find("skipped")
        if skipped is None:
            ran += 1
            continue
        reason = skipped.get("message") or (skipped.text or "").strip() or "no reason given"
        line = f"{case.get('classname')}.{case.get('name')}: {reason.splitlines()[0]}"
        print("skipped", line)
        if given.load and "load: " in reason:
            slow += 1
        elif "optional: " not in reason:
            unexpected.append(line)

untested = [
    str(module)
    for modules in MODULES
    for module in sorted(pathlib.Path(".").glob(f"{modules}/src/test/java"))
    if not given.load and not any(report.is_relative_to(module.parents[2]) for report in reports)
]
print(f"{ran} tests ran in {len(reports)} classes" + (f", {slow} were skipped for this machine's speed" if given.load else ""))
if unsteady > MOST_UNSTEADY:
    sys.exit(f"CI: {unsteady} tests failed once")
if unexpected:
    sys.exit(f"CI: {len(unexpected)} tests were skipped unexpectedly")
if untested:
    sys.exit(f"CI: no test ran in {', '.join(untested)}")
if not ran:
    sys.exit("CI: no test ran at all")
idle = given.idle >= LEAST_IDLE and given.stolen < MOST_STOLEN
if idle and slow > MOST_SKIPPED * (ran + slow):
    sys.exit(f"CI: {slow} load tests were skipped though the machine was idle")
