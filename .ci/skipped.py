"""Fails if a test was skipped, or if a module with tests ran none; prints how many ran.

A skip is expected only where its reason begins with "optional: ", and is printed as well.
"""

import pathlib
import sys
import xml.etree.ElementTree as ElementTree

reports = sorted(
    report
    for modules in ("*", "examples/*")
    for kind in ("surefire", "failsafe")
    for report in pathlib.Path(".").glob(f"{modules}/target/{kind}-reports/TEST-*.xml")
)
ran = 0
unexpected = []
for report in reports:
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        skipped = case.find("skipped")
        if skipped is None:
            ran += 1
            continue
        reason = skipped.get("message") or (skipped.text or "").strip() or "no reason given"
        line = f"{case.get('classname')}.{case.get('name')}: {reason.splitlines()[0]}"
        print("skipped", line)
        if "optional: " not in reason:
            unexpected.append(line)

untested = [
    str(module)
    for modules in ("*", "examples/*")
    for module in sorted(pathlib.Path(".").glob(f"{modules}/src/test/java"))
    if not any(report.is_relative_to(module.parents[2]) for report in reports)
]
print(f"{ran} tests ran in {len(reports)} classes")
if unexpected:
    sys.exit(f"CI: {len(unexpected)} tests were skipped unexpectedly")
if untested:
    sys.exit(f"CI: no test ran in {', '.join(untested)}")
if not ran:
    sys.exit("CI: no test ran at all")
