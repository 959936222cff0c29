#!/usr/bin/env python3
"""Measures the figures of docs/scale.md that ./penstock plan does not, each on a server of its own.

    benchmarks/scale.py memory SERVER [NAME STATE]  bytes of a key, by used_memory, its name and state of so many bytes; also in a cluster
    benchmarks/scale.py held SERVER                 bytes of a reservation that is held, by used_memory: all under one key, and a key each
    benchmarks/scale.py cpu SERVER                  µs of the main thread for a call in batches, from 50 connections, from one
    benchmarks/scale.py connections SERVER          bytes of a connection: when it has just called, and when it has been idle
    benchmarks/scale.py replication SERVER          bytes of a call to a replica and in the AOF
    benchmarks/scale.py fork SERVER                 how long a fork takes with a million subjects, and what is copied while it saves
    benchmarks/scale.py skew                        load of the busiest of 6 and 14 nodes over the mean; needs no server, measures no time

SERVER is a redis-server or valkey-server. Needs Python 3.11 on Linux, and up to 600 MB of memory.
"""

import ast
import binascii
import contextlib
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "packages"))
from testbed import SLOTS, Connection, free_port  # noqa: E402

MILLION = 1_000_000
AT_ONCE = 1_000
MINUTE_US = 60_000_000
HELD = 100_000


def script(name="TOKEN_BUCKET"):
    """A script, as it is shipped."""
    module = ast.parse((ROOT / "packages/python/src/penstock_redis/_scripts.py").read_text(encoding="utf-8"))
    for each in module.body:
        if isinstance(each, ast.Assign) and each.targets[0].id == name:
            return max((word.value for word in each.value.args if isinstance(word, ast.Constant)), key=lambda text: len(str(text)))
    sys.exit(f"packages/python has no {name}.")


@contextlib.contextmanager
def server(executable, *options):
    """A connection to an empty server that saves nothing by itself."""
    port = free_port()
    with tempfile.TemporaryDirectory() as directory:
        words = [executable, "--port", str(port), "--dir", directory, "--save", "", "--repl-ping-replica-period", "3600", *options]
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
        try:
            yield connected(port)
        finally:
            process.terminate()
            process.wait()


def connected(port):
    for _ in range(200):
        with contextlib.suppress(OSError):
            connection = Connection(port)
            connection.port = port
            return connection
        time.sleep(0.05)
    sys.exit("The server does not start.")


def info(connection, field, section="everything"):
    for line in connection("INFO", section).decode().splitlines():
        if line.startswith(field + ":"):
            return float(line.partition(":")[2])
    return None


def encoded(words):
    words = [str(word).encode() for word in words]
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words)


def batch(connection, calls):
    """Sends calls at once, and reads their answers."""
    calls = [encoded(words) for words in calls]
    connection.socket.sendall(b"".join(calls))
    return [connection.reply() for _ in calls]


def key(number):
    """A name of 46 bytes, as plan's."""
    return f"penstock:api:{{user:{number:08}}}:b100.100.60000000"


def call(sha1, number, cost=1, minutes=1, tiers=1):
    numbers = (word for tier in range(tiers) for word in (100 * 9**tier, 100 * 9**tier, minutes * MINUTE_US * 60**tier))
    return ("EVALSHA", sha1, 1, key(number), cost, *numbers)


def still(connection):
    """used_memory, once tables have come to rest."""
    last = -1
    while abs(info(connection, "used_memory") - last) > 4096:
        last = info(connection, "used_memory")
        time.sleep(1)
    return last


def fill(connection, keys, name, state):
    # From a script: Valkey 9.1 keeps a number that a script wrote as text, and any other as a number.
    sha1 = connection("SCRIPT", "LOAD", "return redis.call('SET', KEYS[1], ARGV[1], 'PX', 3600000)").decode()
    for start in range(0, keys, AT_ONCE):
        names = (f"p:{{{number:08}}}:".ljust(name, "b") for number in range(start, start + AT_ONCE))
        batch(connection, (("EVALSHA", sha1, 1, each, state) for each in names))


def memory(executable, name=44, state=16):
    text = ("1764000000000000 " * 9)[: int(state)]
    for keys, options in ((MILLION, ()), (200_000, ()), (200_000, ("--cluster-enabled", "yes"))):
        with server(executable, *options) as connection:
            if options:
                connection("CLUSTER", "ADDSLOTS", *range(SLOTS))
                while b"cluster_state:ok" not in connection("CLUSTER", "INFO"):
                    time.sleep(0.1)
            empty = still(connection)
            fill(connection, keys, int(name), text)
            taken = still(connection) - empty
            print(f"{keys:,} keys{' in a cluster' if options else ''}: {taken / 1e6:.1f} MB, {taken / keys:.1f} bytes a key")


def held(executable):
    """A tenant's tokens, held for 30 s by calls with ids as long as clients make them."""
    for title, tenants in (("all under one key", 1), ("a key each", HELD)):
        with server(executable) as connection:
            sha1 = connection("SCRIPT", "LOAD", script("RESERVE")).decode()
            empty = still(connection)
            for start in range(0, HELD, AT_ONCE):
                answers = batch(connection, (reserve(sha1, number, number % tenants) for number in range(start, start + AT_ONCE)))
                if any(answer[0] != 1 for answer in answers):
                    sys.exit(f"A call was denied: {answers[0]}")
            taken = still(connection) - empty
            print(f"{HELD:,} reservations held, {title}: {taken / 1e6:.1f} MB, {taken / HELD:.1f} bytes each")


def reserve(sha1, number, tenant):
    group = f"{{tenant:{tenant:08}}}"
    keys = (f"penstock:tpm:{group}:rs60000000", f"penstock:{group}:{number:036}")
    return ("EVALSHA", sha1, 2, *keys, 30_000_000, 0, "reserve", "sliding-window", 1, 1, 10**9, MINUTE_US)


def cpu(executable):
    with server(executable) as first:
        sha1 = first("SCRIPT", "LOAD", script()).decode()
        others = [connected(first.port) for _ in range(50)]
        number = iter(range(10**8))

        def apart(connections, make):
            for each in connections:
                each.socket.sendall(encoded(make()))
            for each in connections:
                each.reply()

        def together(tiers):
            return batch(first, [call(sha1, next(number), tiers=tiers) for _ in range(AT_ONCE)])

        cases = {
            "calls in batches of 1,000": (4_000, 4, lambda: together(1)),
            "... of three tiers": (4_000, 4, lambda: together(3)),
            "calls from 50 connections": (4_000, 80, lambda: apart(others, lambda: call(sha1, next(number)))),
            "calls from one connection": (2_000, 2_000, lambda: apart([first], lambda: call(sha1, next(number)))),
            "PING from one connection": (2_000, 2_000, lambda: apart([first], lambda: ("PING",))),
        }
        took = {name: [] for name in cases}
        for _ in range(7):
            for name, (calls, turns, turn) in cases.items():
                before = thread(first)
                for _ in range(turns):
                    turn()
                took[name].append((thread(first) - before) * 1e6 / calls)
        batches = statistics.median(took["calls in batches of 1,000"])
        for name, micros in took.items():
            median = statistics.median(micros)
            print(f"{name}: {median:.1f} µs, best {min(micros):.1f}, {median / batches:.2f} times batches")


def thread(connection):
    """Seconds of processor: of the main thread, of a server that tells it."""
    parts = [info(connection, f"used_cpu_{kind}_main_thread", "cpu") for kind in ("user", "sys")]
    return sum(parts) if None not in parts else info(connection, "used_cpu_user", "cpu") + info(connection, "used_cpu_sys", "cpu")


def connections(executable):
    with server(executable) as first:
        sha1 = first("SCRIPT", "LOAD", script()).decode()
        first(*call(sha1, 0))
        for _ in range(3):
            before = still(first)
            others = [connected(first.port) for _ in range(1_000)]
            for each in others:
                each(*call(sha1, 0))
            called = info(first, "used_memory")
            time.sleep(8)
            idle = still(first)
            print(f"a connection: {(called - before) / 1e6:.1f} kB when it has called, {(idle - before) / 1e6:.1f} kB when idle")
            for each in others:
                each.file.close()
                each.socket.close()


def replication(executable):
    calls = 20_000
    with server(executable, "--appendonly", "yes", "--appendfsync", "no") as first:
        sha1 = first("SCRIPT", "LOAD", script()).decode()
        with server(executable, "--replicaof", "127.0.0.1", str(first.port)) as replica:
            while b"master_link_status:up" not in replica("INFO", "replication"):
                time.sleep(0.1)
            for what in "allowed", "denied":
                before = info(first, "master_repl_offset"), info(first, "aof_current_size")
                for start in range(0, calls, AT_ONCE):
                    batch(first, [call(sha1, number, 100) for number in range(start, start + AT_ONCE)])
                offset, size = info(first, "master_repl_offset") - before[0], info(first, "aof_current_size") - before[1]
                print(f"{what}: {offset / calls:.1f} bytes to a replica, {size / calls:.1f} in the AOF")


def fork(executable):
    with server(executable) as first:
        sha1 = first("SCRIPT", "LOAD", script()).decode()

        def charge(numbers):
            batch(first, [call(sha1, number, 10, 60) for number in numbers])

        for start in range(0, MILLION, AT_ONCE):
            charge(range(start, start + AT_ONCE))
        full = still(first)
        for _ in range(3):
            saved(first, lambda: time.sleep(0.2))
            print(f"{first('DBSIZE'):,} subjects, {full / 1e6:.0f} MB: a fork of {info(first, 'latest_fork_usec') / 1e3:.1f} ms")
        chosen = random.Random(5)
        turns = saved(first, lambda: charge(chosen.choices(range(MILLION), k=AT_ONCE)))
        copied, lasted = info(first, "rdb_last_cow_size"), info(first, "rdb_last_bgsave_time_sec")
        print(f"{turns * AT_ONCE:,} calls while it saved for {lasted:.0f} s: {copied / 1e6:.0f} MB copied")


def saved(connection, meanwhile):
    """Saves, and says how many turns there were meanwhile."""
    connection("BGSAVE")
    turns = 0
    while info(connection, "rdb_bgsave_in_progress"):
        meanwhile()
        turns += 1
    return turns


def skew():
    """The slots are the servers' own, in equal parts; in each of five runs, subjects have other names."""
    chosen = random.Random(5)
    exponents = {exponent: [number**-exponent for number in range(1, MILLION + 1)] for exponent in (0.0, 0.8, 1.0)}
    ratios = {(exponent, nodes): [] for exponent in exponents for nodes in (6, 14)}
    for _ in range(5):
        slots = [binascii.crc_hqx(b"user:%d" % chosen.getrandbits(48), 0) % SLOTS for _ in range(MILLION)]
        for exponent, nodes in ratios:
            loads = [0.0] * nodes
            for slot, weight in zip(slots, exponents[exponent]):
                loads[slot * nodes // SLOTS] += weight
            ratios[exponent, nodes].append(max(loads) * nodes / sum(loads))
    for (exponent, nodes), found in ratios.items():
        first = 100 / sum(exponents[exponent])
        print(f"Zipf, exponent {exponent}, the first has {first:.1f} %, {nodes} nodes:", end=" ")
        print(f"{statistics.median(found):.2f}, worst {max(found):.2f}")


COMMANDS = {each.__name__: each for each in (memory, held, cpu, connections, replication, fork, skew)}

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in COMMANDS or (sys.argv[1] != "skew") != (len(sys.argv) > 2):
        sys.exit(__doc__)
    try:
        COMMANDS[sys.argv[1]](*sys.argv[2:])
    except OSError as failure:
        sys.exit(f"{' '.join(sys.argv)}: {failure}")
