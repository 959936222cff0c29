#!/usr/bin/env python3
"""Writes docs/clients.md from the lines of JSON that the clients' compatibility suites leave behind.

    compat-tests/clients-page.py [DIRECTORY]

reads */target/penstock-clients/**/*.json below DIRECTORY (default: the project) and writes the page there;
compat-tests/README.md says how they are measured. Charges must not vary; times vary with the machine.
"""

import json
import pathlib
import re
import sys

PROJECT = pathlib.Path(__file__).resolve().parent.parent
MEASURE = ("mvn test -Dpenstock.parallel=false -Dpenstock.clients.long=true -Dtest='*CompatibilityTest'"
           " -DexcludedGroups=once -Dsurefire.failIfNoSpecifiedTests=false")
FAULTS = "compat-tests/src/main/java/io/github/penstock/compat/result/FaultCase.java"


def read(root, pattern):
    lines = (line for file in sorted(root.glob("*/target/penstock-clients/" + pattern))
             for line in file.read_text(encoding="utf-8").splitlines())
    return [json.loads(line) for line in lines]


def millis(micros):
    if micros <= 0:
        return "0"
    if micros < 100:
        return "< 0.1 ms"
    return f"{micros / 1_000:.1f} ms" if micros < 10_000 else f"{micros / 1_000:,.0f} ms"


def table(names, rows):
    head = f"| |{'|'.join(names)}|\n|---|{'---:|' * len(names)}\n"
    return head + "".join(f"| {name} | {' | '.join(cells)} |\n" for name, cells in rows)


def charges(case):
    return str(case.get("most_charges", "-"))


def slowest(case):
    return f"{millis(case['slowest_us'])} ({millis(case['deadline_us'])})"


class Page:
    def __init__(self, root):
        self.cases = read(root, "*.json")
        if not self.cases:
            sys.exit(f"clients-page: there are no measurements in {root}/*/target/penstock-clients: run {MEASURE} first.")
        self.circuits = sorted(read(root, "circuits/*.json"), key=lambda one: one["client"])
        self.choices = read(root, "choices/*.json")
        self.titles = dict(re.findall(r'^  ([A-Z_]+)\("(.*?)"', (PROJECT / FAULTS).read_text(encoding="utf-8"), re.M))
        self.blocking = [case for case in self.cases if not case["asynchronous"]]
        self.asynchronous = [case for case in self.cases if case["asynchronous"]]

    def rows(self, cases, cell):
        clients = sorted({case["client"] for case in cases})
        found = {(case["client"], case["fault"]): case for case in cases}
        faults = [fault for fault in self.titles if any(case["fault"] == fault for case in cases)]
        return table(clients, [
            (self.titles[fault],
             [cell(found[client, fault]) if (client, fault) in found else "not tested" for client in clients])
            for fault in faults])

    def section(self, title, text, cell, needs=None):
        cases = [case for case in self.blocking if needs is None or case.get(needs) is not None]
        return f"## {title}\n\n{text}\n\n{self.rows(cases, cell)}" if cases else ""

    def advice(self):
        def exact(cases):
            faults = {case["fault"] for case in cases}
            return [client for client in sorted({case["client"] for case in cases})
                    if faults == {case["fault"] for case in cases
                                  if case["client"] == client and (case.get("most_charges") or 0) <= 1}]

        candidates = exact(self.blocking)
        if not candidates:
            return "None was tested in every case without charging a call twice, so none is preferred here."
        worst = {client: max(case["recovery_us"] for case in self.cases if case["client"] == client)
                 for client in candidates}
        first = min(candidates, key=worst.get)
        return ("**Take the client that your application has already.** If it has none, take "
                f"{first}, which recovered fastest.")

    def opened(self):
        if not self.choices:
            return ""
        clients = sorted({one["client"] for one in self.choices})
        found = {(one["client"], one["failure"]): one for one in self.choices}

        def ends(key):
            one = found.get(key)
            return "not tested" if one is None else "{open:,}, {denied:,}, {thrown:,} of {calls:,}".format(**one)

        failures = dict.fromkeys(one["failure"] for one in self.choices)
        return """## What opens under `onUnavailable(ALLOW)`

Calls allowed though no server decided them, denied, and failed, of all calls. Those that are missing were
decided by the server. Blocking, asynchronous and in batches, after the first call that showed the failure.
What opens looks like an outage; `awaitConnected` and `throwUntilFirstDecision` show it when a service starts.
A plain port waits for the rest of what TLS begins with, and Redis' TLS port resets a plain connection, as a load
balancer does that has nothing behind it: neither proves a wrong setting. An alert of TLS and an error of RESP do.

""" + table(clients, [(failure, [ends((client, failure)) for client in clients]) for failure in failures])

    def circuit(self):
        if not self.circuits:
            return ""
        any_one = self.circuits[0]

        def row(name, cell):
            return name, [cell(one) for one in self.circuits]

        def median(one):
            micros = (one["median_nanos"] + 500) // 1_000
            return f"{micros} µs" if micros < 100 else millis(micros)

        return f"""## A circuit that is open

{any_one['threads']} threads call in a loop, with `onUnavailable(ALLOW)` and `circuitBreaker` of {millis(any_one['open_us'])}, while
the server is stopped: how long a call takes once the circuit is open (the slowest are those that are sent), how many calls of a
process are sent while it is open once, and how long after the server resumed the last call was still decided without it.

""" + table([one["client"] for one in self.circuits], [
            row("a call, median", median),
            row("a call, slowest (deadline)", slowest),
            row("calls sent while it is open", lambda one: f"{one['asked'] * one['open_us'] / one['watched_us']:.1f}"),
            row("back after", lambda one: millis(one["back_us"]))])

    def text(self):
        servers = ", ".join(sorted({case["server"] for case in self.cases}))
        stall = max(case["stall_us"] for case in self.cases + self.circuits)
        parts = [
            self.section("Charges per call", "The highest number of charges that the server counted for one call."
                         " A failed call may have been charged once.", charges),
            self.section("Slowest call", "The deadline of the case is in brackets.", slowest),
            self.section("Failed calls", "Failed calls of all calls; then how many of the failed ones had to say that they"
                         " may have been charged.", "{errors:,} of {calls:,}; {unknown:,}".format_map),
            self.section("Recovery", "Time from the end of the fault (after a failover: from the new primary's first answer)"
                         " to the last call that failed.", lambda case: millis(case["recovery_us"])),
            self.section("Units admitted above the limit", "Charges that a server lost, as it was killed, evicted them or had"
                         " not sent them to its replica: so many units more are admitted.",
                         "{over_admitted:,}".format_map, "over_admitted"),
            self.section("Log lines", "Lines that two threads' limiters with `onUnavailable(ALLOW)` logged from the beginning"
                         " of the fault until calm.", "{log_lines:,}".format_map, "log_lines"),
            self.opened(),
            self.circuit(),
            "## Asynchronous calls\n\nThe same faults, for clients that have asynchronous limiters: charges per call;"
            " slowest call (deadline); failed calls; recovery.\n\n" + self.rows(
                self.asynchronous,
                lambda case: f"{charges(case)}; {slowest(case)}; {case['errors']:,}; {millis(case['recovery_us'])}")
            if self.asynchronous else "",
            (PROJECT / "compat-tests/clients-page.md").read_text(encoding="utf-8")]
        return f"""# The clients side by side

What each adapter does when something goes wrong, as its compatibility suite measured it
({servers}, one machine, threads that call in a loop). This page is generated from
those measurements; `compat-tests/README.md` says how. Times vary with the machine:
an idle thread woke up to {millis(stall)} late. Charges must not vary.

`socket` is the suite's own example over plain sockets, not a client to choose.

## Advice

{self.advice()}

""" + "\n".join(part for part in parts if part)


if __name__ == "__main__":
    directory = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else PROJECT
    (directory / "docs").mkdir(exist_ok=True)
    (directory / "docs/clients.md").write_text(Page(directory).text(), encoding="utf-8")
    print(f"wrote {directory / 'docs/clients.md'}")
