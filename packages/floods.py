#!/usr/bin/env python3
"""Floods: bursts of calls through a limiter that allows what is undecided, on a server that is healthy, stopped, or stopped in the burst.

    packages/test floods go                                 # builds the clients of these languages, and runs all cells
    packages/floods.py threads python3 tests/flood.py       # one client by its command, in the environment of the caller
    packages/floods.py --cell 3 --cell 7 asyncio python3 tests/flood.py
    packages/floods.py --long asyncio python3 tests/flood.py   # outages of 20 s after a minute of health, a failover, a rotated password
    packages/floods.py --long --only rotated --health 8 asyncio python3 tests/flood.py
    packages/floods.py --long --circuit 1000 asyncio python3 tests/flood.py   # the limiter has a circuit breaker of that length

    packages/floods.py --callers 64 --added 500 asyncio python3 tests/flood.py   # what callers gain by shared trips, over 0.5 ms; for
                                                                                 # Java better ./penstock jmh SharedTripsBenchmark
    packages/floods.py --callers 64 --lost 10 asyncio python3 tests/flood.py     # and what ten lost answers cost

    ./penstock --version    # builds the jar that --added needs, with Java's client: jedis, "lettuce stages", "redisson virtual", ...
    packages/floods.py jedis java -cp tools/cli/target/penstock.jar io.github.penstock.benchmarks.flood.FloodClient

`floods.json` has the cells. Each runs on a healthy server, where no call may be allowed without a decision, and with its outage, where no
call may be lost, and none denied that F2.11 does not leave out: those of a process that has just started, and with deadlines of up to
100 ms. The burst has so many busy processes beside it as the cell's `load`. `packages/test` runs the short cells. All others have the raw
client beside them: in an outage no call may end later than the bound of F2.8, or another burst must do better, and of a healthy server
it is printed what both decide, of which the limiter is to decide 0.8 from 50 ms on.

A client is a program that reads one JSON object from its argument and prints one. What it reads:

    {"address": "127.0.0.1:7000", "kind": "single|cluster|tls", "ca": path or null, "calls": 900, "deadline_ms": 50,
     "warm": true, "limit": 1000, "form": "threads|asyncio|node-redis|ioredis|go-redis|redis-rs", "raw": false, "signal": path or null}

It makes one limiter with that deadline which allows in an outage and denies in an overload: a token bucket of `limit` that refills in a
day, under a prefix and a subject of its own. `warm`: it makes a call that is decided, and, unless it is `raw`, waits for 4 s, until the
connection of the question stands. It creates the file `signal`, and makes all calls at once (threads: at most 1,000, which share the
calls). With `raw` it sends the same script by the client itself with the same deadline, and `decided` counts what was answered in time. It
prints

    {"opened": allowed without a decision, "allowed": by the server, "denied_by_server": 0, "overloaded": 0, "thrown": 0,
     "slowest_ms": 61.3, "decided": allowed and denied by the server, "cpu_ms": user and system time of the burst}

With `seconds` the calls are made evenly over that time instead, and it prints `each` as well: a list of [begin in Unix time in seconds,
duration in ms, "decided|opened|overloaded|thrown"]. The address may then be `user:password@127.0.0.1:7000`. With `circuit_ms` the limiter
has a circuit breaker of that length.

With `callers` as well, so many callers each begin a call when their last one has ended, for half a second and then for `seconds`; it prints
only {"decided": of the calls that began in `seconds`, "lost": the others of them, "median_ms": how long half of the decided ones took, and
"slowest_ms": how long the slowest of them took}. `shares` is whether calls share trips.
"""

import argparse
import collections
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import testbed

PACKAGES = pathlib.Path(__file__).resolve().parent
CELLS = json.loads((PACKAGES / "floods.json").read_text())["cells"]
NUMBERS = {each["name"]: each["value"] for each in json.loads((PACKAGES.parent / "lua/vectors/client.json").read_text())["numbers"]}
STOPS_AFTER = 0.03
# Of each, the best counts where a limiter's decisions stand beside the raw client's. With shorter deadlines these are few.
ROUNDS, COMPARED_MS = 3, 50
# The longest back-off between attempts to connect is 7.5 s, and P comes before it.
FAILOVER_SECONDS = 8.5
# After a longer freeze a process trusts no connection that is silent.
FROZEN_SECONDS = NUMBERS["verdict_stale_ms"] // 1000 + 1
LASTING = ("failover", "frozen", "stop", "hole", "pause", "ping", "rotated")
# In these, 99 % of the calls end within the bound of F2.8. After a failover and in a freeze the raw client waits longer than any deadline:
# its connections are silent for good, or its process stands still; with a rotated password the server answers.
BOUNDED = ("stop", "hole", "pause", "ping")
# A call of one unit under one key, from its number of keys on; the question's has a cost of 0.
CALL = re.compile(rb"\$1\r\n1\r\n\$\d+\r\n[^\r]*\r\n\$1\r\n([01])\r\n")
# The reply to a call: six integers.
ANSWER = re.compile(rb"\*6\r\n")
# In 20 s.
MOST_ATTEMPTS = 8
MOST_FAILED_SIGN_INS = 10
SHARING_SECONDS = 1


class Flooded:
    """A single server, one with TLS, and a cluster, by whose processes a test stops them."""

    def __init__(self, executable, scratch):
        self.executable, self.scratch, self.processes = str(executable), pathlib.Path(scratch), {}
        self.ca = self.scratch / "cert.pem"
        made = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
        added = ("-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-addext", "basicConstraints=critical,CA:FALSE")
        subprocess.run([*made.split(), *added, "-keyout", self.scratch / "key.pem", "-out", self.ca], check=True, capture_output=True)
        single, plain, tls, *nodes = (testbed.free_port() for _ in range(6))
        try:
            self.start("single", single)
            self.start("tls", plain, "--tls-port", tls, "--tls-cert-file", self.ca, "--tls-key-file", self.scratch / "key.pem",
                       "--tls-ca-cert-file", self.ca, "--tls-auth-clients", "no")
            for node in nodes:
                self.start("cluster", node, "--cluster-enabled", "yes")
            testbed.form_cluster(nodes)
        except BaseException:
            self.end()
            raise
        self.ports = {"single": single, "tls": tls, "cluster": nodes[0]}

    def start(self, kind, port, *options):
        folder = self.scratch / str(port)
        folder.mkdir()
        command = [self.executable, "--port", port, "--save", "", "--dir", folder, "--maxclients", "20000", *options]
        with open(folder / "log", "wb") as log:
            process = subprocess.Popen(list(map(str, command)), stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        self.processes.setdefault(kind, []).append(process)
        testbed.await_true(lambda: testbed.Connection(port)("PING") == "PONG", f"the server of port {port}")

    def send(self, kind, what):
        for process in self.processes[kind]:
            process.send_signal(what)

    def end(self):
        for process in (process for each in self.processes.values() for process in each):
            process.kill()
            process.wait()


@contextlib.contextmanager
def loaded(number):
    """So many processes that are never idle; each is stopped until it gets SIGCONT."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(number)]
    try:
        # Stopped from here: one that stops itself may do so only after the SIGCONT of a client that begins at once.
        for process in busy:
            process.send_signal(signal.SIGSTOP)
        yield busy
    finally:
        for process in busy:
            process.kill()
            process.wait()


def flood(servers, form, command, cell, busy, raw=False, outage=None):
    """What a client prints of a cell, whose burst has these busy processes beside it."""
    begins = servers.scratch / f"burst of {form} {time.monotonic_ns()}"
    is_tls = cell["kind"] == "tls"
    asked = {"address": f"{'localhost' if is_tls else '127.0.0.1'}:{servers.ports[cell['kind']]}", "kind": cell["kind"],
             "ca": str(servers.ca) if is_tls else None, "limit": 1000, "form": form, "raw": raw, "signal": str(begins),
             **{name: cell[name] for name in ("calls", "deadline_ms", "warm")}}
    # A process that starts within an outage is a case of its own: it learns of it when the question's connection is made.
    # A cluster's client of redis-py that blocks cannot be made then.
    is_late = outage == "stopped" and not cell["warm"] and (form, cell["kind"]) != ("threads", "cluster")
    if is_late:
        servers.send(cell["kind"], signal.SIGSTOP)
    process = subprocess.Popen([*map(str, command), json.dumps(asked)], stdout=subprocess.PIPE, text=True)
    try:
        while not begins.exists() and process.poll() is None:
            time.sleep(0.001)
        for each in busy:
            each.send_signal(signal.SIGCONT)
        if outage and not is_late:
            time.sleep(STOPS_AFTER if outage == "stops" else 0)
            servers.send(cell["kind"], signal.SIGSTOP)
        printed, _ = process.communicate(timeout=300)
    finally:
        process.kill()
        for each in busy:
            each.send_signal(signal.SIGSTOP)
        servers.send(cell["kind"], signal.SIGCONT)
    if process.returncode:
        sys.exit(f"the flood client {form} ended with {process.returncode}: {json.dumps(asked)}")
    return outcomes_of(printed)


def outcomes_of(printed):
    """The object that a client prints; GLIDE's core may log to the same stream."""
    return json.loads([line for line in printed.splitlines() if line.startswith("{")][-1])


def wrong(cell, outage, said, bound=float("inf")):
    """What is wrong with a flood: without a bound, by counts alone."""
    total = sum(said[name] for name in ("opened", "allowed", "denied_by_server", "overloaded", "thrown"))
    if total != cell["calls"]:
        return f"{total} outcomes of {cell['calls']} calls"
    if said["thrown"]:
        return f"{said['thrown']} thrown"
    if not outage and said["opened"]:
        return f"{said['opened']} opened on a healthy server"
    if outage and said["overloaded"] and cell["warm"] and cell["deadline_ms"] > NUMBERS["verdict_fresh_ms"]:
        return f"{said['overloaded']} denied in an outage"
    if outage and said["slowest_ms"] > bound:
        return f"the slowest ended {said['slowest_ms'] - bound:.0f} ms after the bound"
    return None


def play(servers, form, command, cells, with_raw=True):
    """Runs cells, and prints them; returns what is wrong in any of them."""
    found = []
    for cell in cells:
        rounds = ROUNDS if with_raw and cell["deadline_ms"] >= COMPARED_MS else 1

        def burst(outage=None, raw=False):
            return flood(servers, form, command, cell, busy, raw, outage)

        with loaded(cell["load"]) as busy:
            raws = [burst(raw=True) for _ in range(rounds) if with_raw]
            bound = max((bound_ms(cell["deadline_ms"], raw["slowest_ms"], cell["warm"]) for raw in raws), default=float("inf"))
            runs = [(None, burst()) for _ in range(rounds)]
            # A machine on which the server does not run for P makes an outage. Another burst shows whether it was that.
            while runs[-1][1]["opened"] and len(runs) < rounds + 2:
                runs.append((None, burst()))
            outage = cell["outage"]
            for _ in range(ROUNDS):
                runs.append((outage, burst(outage)))
                if not wrong(cell, outage, runs[-1][1], bound):
                    break
        name = f"{form} {CELLS.index(cell)}: {cell['calls']} calls, {cell['deadline_ms']} ms, {'warm' if cell['warm'] else 'cold'}, " \
               f"{cell['kind']}, load {cell['load']}"
        for at, (outage, said) in enumerate(runs):
            fault = wrong(cell, outage, said, bound)
            is_again = fault is not None and any(later == outage for later, _ in runs[at + 1 :])
            mark = "AGAIN " if is_again else "WRONG " if fault else ""
            counts = ", ".join(f"{word} {said[word]}" for word in ("decided", "overloaded", "opened"))
            beside = f" (bound {bound:.0f} ms)" if outage and raws else ""
            print(f"{mark}{name}, {outage or 'healthy'}: {counts}; {_costs(said)}{beside}", flush=True)
            if fault and not is_again:
                found.append(f"{name}, {outage or 'healthy'}: {fault}")
        if raws:
            best = max(raws, key=lambda raw: raw["decided"])
            decided = max(said["decided"] for outage, said in runs if not outage)
            print(f"{name}, raw: decided {best['decided']}, beside {decided} by the limiter, best of {rounds}; {_costs(best)}", flush=True)
    return found


def _costs(said):
    return f"slowest {said['slowest_ms']:.0f} ms, CPU {said['cpu_ms']:.0f} ms"


def bound_ms(deadline_ms, raw_slowest_ms, warm=True):
    """The bound of F2.8, with the time that the raw client takes beyond its own deadline for the same calls."""
    return max(deadline_ms, raw_slowest_ms) + NUMBERS["verdict_silence_ms" if warm else "verdict_connecting_ms"]


class Outage:
    """A proxy before the single server, in front of which outages of other kinds than a stopped process are made."""

    def __init__(self, target):
        self.target, self.mode, self.accepted, self.passed_by = target, "open", [], 0
        # An element for each answer that is to be lost.
        self.losses = collections.deque()
        # By connection: the costs of the calls on it.
        self.costs = collections.defaultdict(set)
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=4096)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            connection, _ = self.listener.accept()
            self.accepted.append(time.time())
            number = len(self.accepted)
            server = socket.create_connection(("127.0.0.1", self.target))
            for each in (connection, server):
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
            for one, other, forth in ((connection, server, True), (server, connection, False)):
                threading.Thread(target=self.pass_on, args=(one, other, forth, number), daemon=True).start()

    def fail_over(self):
        """From now on only new connections are served; the others are silent for good."""
        self.passed_by = len(self.accepted)

    def cut_question(self):
        """Cuts the newest connection on which only the question was asked; returns whether there was one."""
        asked = [each for each, costs in self.costs.items() if costs == {b"0"}][-1:]
        for each in asked:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        return bool(asked)

    def pass_on(self, source, sink, forth, number):
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                if forth:
                    self.costs[source].update(CALL.findall(data))
                if self.mode == "ping" and forth and b"PING" in data.upper():
                    source.sendall(b"+PONG\r\n" * data.upper().count(b"PING"))
                if not forth and self.losses and ANSWER.match(data):
                    self.losses.pop()
                    break
                if self.mode == "open" and number > self.passed_by:
                    sink.sendall(data)
        for each in (source, sink):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


class Flow:
    """A client that makes 50 calls a second with a deadline of 200 ms, through a proxy of its own."""

    def __init__(self, servers, form, command, kind, seconds, circuit_ms=None, raw=False):
        self.proxy, self.printed = Outage(servers.ports["single"]), []
        self.signal = servers.scratch / f"outage {kind} {form} {raw}"
        address = f"{form.split()[0]}:one@127.0.0.1:{self.proxy.port}"
        asked = {"address": address, "kind": "single", "ca": None, "limit": 10**9, "form": form, "raw": raw,
                 "signal": str(self.signal), "calls": 50 * seconds, "deadline_ms": 200, "warm": True, "seconds": seconds}
        if circuit_ms:
            asked["circuit_ms"] = circuit_ms
        self.process = subprocess.Popen([*map(str, command), json.dumps(asked)], stdout=subprocess.PIPE, text=True)
        self.reading = threading.Thread(target=lambda: self.printed.append(self.process.stdout.read()))
        self.reading.start()

    def await_begun(self):
        while not self.signal.exists() and self.process.poll() is None:
            time.sleep(0.01)

    def said(self):
        self.reading.join()
        self.process.wait()
        return outcomes_of(self.printed[0])


def within(said, begin, end):
    """The calls that began and ended in this time."""
    return [each for each in said["each"] if each[0] > begin and each[0] + each[1] / 1000 < end]


def outages(servers, form, command, health, length, kinds=LASTING, circuit_ms=None):
    """An outage of each kind after a time of health, at 50 calls a second; its calls all open, 99 % of them within the bound of F2.8. After
    a failover by which all connections are silent, calls are decided again within 8.5 s and the length of the circuit. So they are after
    a freeze of the process in which its connections were forgotten, and that opens nothing. A password that is rotated when the
    question's connection is cut opens nothing."""
    found = []
    for kind in kinds:
        admin, user = testbed.Connection(servers.ports["single"]), form.split()[0]
        admin("ACL", "SETUSER", user, "reset", "on", ">one", "~*", "+@all")
        admin("ACL", "LOG", "RESET")
        # The raw client begins some seconds before the limiter, which waits for its question's connection.
        raw = Flow(servers, form, command, kind, health + length + 5, raw=True) if kind in BOUNDED else None
        flow = Flow(servers, form, command, kind, health + length + (FROZEN_SECONDS if kind == "frozen" else 0), circuit_ms)
        proxy = flow.proxy
        flow.await_begun()
        time.sleep(health)
        begun = time.time()
        if kind == "frozen":
            flow.process.send_signal(signal.SIGSTOP)
            proxy.fail_over()
            time.sleep(FROZEN_SECONDS)
            begun = time.time()
            flow.process.send_signal(signal.SIGCONT)
        elif kind == "stop":
            servers.send("single", signal.SIGSTOP)
        elif kind == "pause":
            admin("CLIENT", "PAUSE", length * 1000, "ALL")
        elif kind == "failover":
            proxy.fail_over()
        elif kind == "rotated":
            admin("ACL", "SETUSER", user, "resetpass", ">two")
            has_asked = proxy.cut_question()
        else:
            proxy.mode = raw.proxy.mode = kind
        flow.reading.join()
        servers.send("single", signal.SIGCONT)
        said = flow.said()
        raw = raw and raw.said()
        if kind in ("failover", "frozen"):
            lost = [at + took / 1000 - begun for at, took, outcome in said["each"] if at > begun and outcome != "decided"]
            decided = sum(at > begun and outcome == "decided" for at, _, outcome in said["each"])
            opened = sum(outcome == "opened" for _, _, outcome in said["each"])
            last = max(lost, default=0)
            told = f"{form}, {kind}: {len(lost)} calls not decided, the last after {last:.1f} s"
            print(f"{told}; {decided} decided, {opened} opened", flush=True)
            if last > FAILOVER_SECONDS + (circuit_ms or 0) / 1000 or not decided or (kind == "frozen" and opened):
                found.append(f"{told}; {decided} decided, {opened} opened")
            continue
        # Calls of the first half a second may have been answered, or fall under the first 100 ms of an outage.
        inside, before = within(said, begun + 0.5, begun + length), within(said, 0, begun)
        bound = bound_ms(200, max((took for _, took, _ in within(raw, begun + 0.5, begun + length)), default=0) if raw else 0)
        late = sum(took > bound for _, took, _ in inside)
        not_open = sum(outcome != "opened" for _, _, outcome in inside)
        opened = sum(outcome == "opened" for _, _, outcome in (said["each"] if kind == "rotated" else before))
        attempts = sum(at > begun for at in proxy.accepted)
        if kind == "rotated":
            entries = [dict(zip(entry[::2], entry[1::2])) for entry in admin("ACL", "LOG", "128")]
            failed = sum(entry[b"count"] for entry in entries if entry[b"username"] == user.encode())
            others = sum(outcome != "decided" for at, _, outcome in said["each"] if at > begun)
            told = f"{form}, a password that is rotated: {failed} failed sign-ins, {attempts} attempts to connect"
            print(f"{told}, {others} calls not decided, {opened} opened", flush=True)
            if not has_asked or failed > MOST_FAILED_SIGN_INS or attempts > MOST_ATTEMPTS or opened:
                found.append(f"{told}, {opened} opened")
            continue
        told = f"{form}, outage by {kind} of {length} s: {len(inside)} calls in it, {not_open} not opened, {late} later than {bound:.0f} ms"
        print(f"{told}, {attempts} attempts to connect; before it {len(before)} calls, {opened} opened", flush=True)
        if not inside or not_open or opened or late > len(inside) / 100:
            found.append(f"{told}; {opened} opened before it")
    return found


@contextlib.contextmanager
def relayed(port, added):
    """A port before a server, by which a round trip takes so many microseconds more."""
    if not added:
        yield port
        return
    jar = PACKAGES.parent / "tools/cli/target/penstock.jar"
    if not jar.exists():
        sys.exit("packages/floods.py: --added needs the jar that ./penstock --version builds")
    command = ["java", "-cp", jar, "io.github.penstock.benchmarks.server.DelayRelay", f"redis://127.0.0.1:{port}", str(added)]
    relay = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, text=True)
    try:
        yield int(relay.stdout.readline())
    finally:
        relay.kill()
        relay.wait()


@contextlib.contextmanager
def losing(port, answers, begun):
    """A port before a server, by which so many answers are lost, with their connections, when a client has `begun`."""
    if not answers:
        yield port
        return
    proxy, over = Outage(port), threading.Event()

    def lose():
        while not begun.exists() and not over.wait(0.001):
            pass
        over.wait(0.5)
        for _ in range(answers):
            over.wait(SHARING_SECONDS / (answers + 1))
            proxy.losses.append(True)

    losing = threading.Thread(target=lose)
    losing.start()
    try:
        yield proxy.port
    finally:
        over.set()
        losing.join()


def shares(servers, form, command, callers, added, rounds, lost=0):
    """Prints what callers of one subject decide when their calls share trips: of the best round, and as a ratio to asking each, where
    each is the median of rounds; and what so many lost answers cost."""
    admin = testbed.Connection(servers.ports["single"])

    def server_cpu():
        return sum(float(each) for each in re.findall(r"used_cpu_(?:sys|user):([\d.]+)", admin("INFO", "cpu").decode()))

    def round_of(port, shares):
        begun = servers.scratch / f"sharing {form} {time.monotonic_ns()}"
        admin("CONFIG", "RESETSTAT")
        before = server_cpu()
        with losing(port, lost, begun) as port:
            asked = {"address": f"127.0.0.1:{port}", "kind": "single", "ca": None, "limit": 10**9, "form": form, "raw": False,
                     "signal": str(begun), "calls": 0, "deadline_ms": 10_000, "warm": False, "seconds": SHARING_SECONDS,
                     "callers": callers, "shares": shares}
            ran = subprocess.run([*map(str, command), json.dumps(asked)], stdout=subprocess.PIPE, text=True, check=True)
        calls = sum(int(each) for each in re.findall(r"cmdstat_eval(?:sha)?:calls=(\d+)", admin("INFO", "commandstats").decode()))
        return {**outcomes_of(ran.stdout), "commands": calls, "cpu": server_cpu() - before}

    with relayed(servers.ports["single"], added) as port:
        pairs = [(round_of(port, False), round_of(port, True)) for _ in range(rounds)]

    def ratio(name):
        return statistics.median(shared[name] / asked[name] for asked, shared in pairs)

    def per_call(name):
        return ratio(name) / ratio("decided")

    print(f"{form}, {callers} callers, {added} us added: {max(shared['decided'] for _, shared in pairs) / SHARING_SECONDS:,.0f} a second, "
          f"{ratio('decided'):.2f} of asking each; median latency {ratio('median_ms'):.2f}; "
          f"{100 * per_call('commands'):.0f} commands for 100, and {per_call('cpu'):.2f} of the server's time for a call", flush=True)
    if lost:
        asked, shared = ([statistics.median(pair[which][name] for pair in pairs) for name in ("lost", "slowest_ms")] for which in (0, 1))
        print(f"for {lost} lost answers {shared[0]:.0f} calls without a decision ({asked[0]:.0f} by asking each); of the decided calls, "
              f"the slowest took {shared[1]:.1f} ms ({asked[1]:.1f} ms)", flush=True)


@contextlib.contextmanager
def started(executable):
    with tempfile.TemporaryDirectory(prefix="penstock floods ") as scratch:
        servers = Flooded(executable, scratch)
        try:
            yield servers
        finally:
            servers.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", default=shutil.which("redis-server") or shutil.which("valkey-server"), help="a server with TLS")
    parser.add_argument("--short", action="store_true", help="only the cells that packages/test runs")
    parser.add_argument("--cell", type=int, action="append", help="only this one; may be given several times")
    parser.add_argument("--long", action="store_true", help="outages of 20 s after a minute of health, in place of floods")
    parser.add_argument("--health", type=int, default=60, help="with --long: seconds before the outage")
    parser.add_argument("--outage", type=int, default=20, help="with --long: seconds of the outage")
    parser.add_argument("--circuit", type=int, metavar="MS", help="with --long: the length of the limiter's circuit breaker")
    parser.add_argument("--only", choices=LASTING, action="append", help="with --long: only this one; may be given several times")
    parser.add_argument("--callers", type=int, action="append", help="shared trips of so many callers; may be given several times")
    parser.add_argument("--added", type=int, action="append", metavar="US", help="with --callers: a round trip takes so much longer")
    parser.add_argument("--lost", type=int, default=0, metavar="N", help="with --callers: so many answers are lost in a round")
    parser.add_argument("--rounds", type=int, default=5, help="with --callers: so many of each")
    parser.add_argument("form")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    if not options.server:
        sys.exit("packages/floods.py: there is no redis-server on the PATH; name one by --server")
    # So that servers and load end, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    cells = [cell for at, cell in enumerate(CELLS) if (not options.short or cell["short"]) and (not options.cell or at in options.cell)]
    with started(options.server) as servers:
        if options.callers:
            found = None
            for added in options.added or [0]:
                for callers in options.callers:
                    shares(servers, options.form, options.command, callers, added, options.rounds, options.lost)
        elif options.long:
            found = outages(servers, options.form, options.command, options.health, options.outage, options.only or LASTING,
                            options.circuit)
        else:
            found = play(servers, options.form, options.command, cells)
    if found:
        sys.exit("\n".join(["packages/floods.py:", *found]))


if __name__ == "__main__":
    main()
