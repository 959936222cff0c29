"""Servers for the packages' tests: a single one, a cluster of three masters, and proxies before them that lose answers.

A proxy passes everything on, except the answer to a script's call on a key of the policy `lost` (the server runs the call, then the
connection is cut), `late` (the answer is held back until the client has gone, or the proxies are told to go on), `slow` (the same, except
of peeks) or `told` (the client gets the subject in place of the answer, up to its last ` #`). What a test counts afterwards it reads by
GET, which is not a script's call. A cluster's nodes announce their proxies, so every client of the cluster goes through them.

    move KEY     gives the slot of KEY, emptied, to the next master; a client learns of it by MOVED
    ask KEY      begins to move the slot of KEY; a client is sent on by ASK
    settle KEY   ends that
    load         loads the script behind the line on every server
    flush        empties every server's cache of scripts and its Functions
    masters      prints the ports of the cluster's masters, behind their proxies
    kill         closes every connection of the single server's clients
    lose         lets the proxies lose the answer to the next reservation or settlement on a key of the policy `once`
    faults       prints the faults that the two commands of a trip can meet (TRIPS), one a line
    trip FAULT   lets the next trip of at least three calls meet this fault
    tripped      prints how many calls that trip had, how many of them may have been charged, and how many were refused; nothing if there
                 was none yet
    held         returns when a proxy holds an answer back
    release      passes on what is held back
    stop         stops the single server's process, which answers nobody 0.1 s later; `cont` lets it go on
    crash        kills the single server's process, so that its port is refused; `revive` starts it again, with nothing in it
    down         cuts the proxies' connections, and refuses new ones; `up` takes them again

They are told what to do by a line on the port PENSTOCK_CONTROL, after which a test closes its side of the connection. What they answer
begins with `done `. `testbed.py COMMAND` does that, too.

    testbed.py run COMMAND  starts servers and proxies on the redis-server or valkey-server of the PATH, and runs a command that finds them
                            in its environment. Where neither is on the PATH, PENSTOCK_SKIP says so to the command, whose tests skip.
    testbed.py run          prints that environment in place of a command, then an empty line, and ends with its standard input
"""

import asyncio
import contextlib
import functools
import itertools
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

SLOTS = 16384
FILES = {
    "PENSTOCK_TESTBED": str(pathlib.Path(__file__).resolve()),
    "PENSTOCK_VECTORS": str(pathlib.Path(__file__).resolve().parent.parent / "lua/vectors"),
}

# A key, and a cost that is no peek's.
SLOW = re.compile(rb":SLOW:[^\r]*\r\n\$\d+\r\n(?!0\r)")
TOLD = re.compile(rb":told:\{([^}]*) #")
# The question whether a server answers has one key; a reservation and a settlement have a receipt's, too.
QUESTION = re.compile(rb"\*\d+\r\n\$\d+\r\n(?:EVALSHA|FCALL)\r\n\$\d+\r\n[^\r]*\r\n\$1\r\n1\r\n")


# The cost of the first of a trip's two commands, and the reply to an ECHO behind which nothing is on its way to the client.
SEVERAL, MARK = re.compile(rb"\r\n\d+\*(\d+)\r\n"), b"$4\r\nmark\r\n"

# What becomes of one of a trip's two commands: it does not reach the server (cut), its answer is lost or held back, or it is changed so
# that the server refuses it. With it, of so many calls of the trip: the number that may have been charged, and the number that is refused.
# A client reads both answers before it tells any.
TRIPS = {
    "first cut": lambda calls: (calls, 0),
    "second cut": lambda calls: (1, 0),
    "first lost": lambda calls: (calls, 0),
    "second lost": lambda calls: (1, 0),
    "first late": lambda calls: (calls, 0),
    "second late": lambda calls: (calls, 0),
    "first NOSCRIPT": lambda calls: (0, 0),
    "second NOSCRIPT": lambda calls: (0, 0),
    "first error": lambda calls: (0, calls - 1),
    "second error": lambda calls: (0, 1),
    **{f"{which} {redirection}": lambda calls: (0, 0) for which in ("first", "second") for redirection in ("MOVED", "ASK")},
}
CHANGES = {
    "NOSCRIPT": lambda command: re.sub(rb"\r\n[0-9a-f]{40}\r\n", b"\r\n" + b"0" * 40 + b"\r\n", command),
    "error": lambda command: re.sub(rb"(?i)\r\nevalsha\r\n", b"\r\nNOTHING\r\n", command),
}


def end_of_command(data, at):
    """Where the command ends that begins at this place; a ValueError if not all of it is there."""
    end = data.index(b"\r\n", at) + 2
    for _ in range(int(data[at + 1 : end])):
        begins = data.index(b"\r\n", end) + 2
        end = begins + int(data[end + 1 : begins]) + 2
    if end > len(data):
        raise ValueError
    return end


async def reply_of(reader):
    line = await reader.readline()
    return line + b"".join([await reply_of(reader) for _ in range(int(line[1:]) if line.startswith(b"*") else 0)])


class RedisError(Exception):
    """The server answered an error."""


class Connection:
    """A connection that sends one command at a time."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.file = self.socket.makefile("rb")

    def __call__(self, *words):
        words = [word if isinstance(word, bytes) else str(word).encode() for word in words]
        self.socket.sendall(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words))
        return self.reply()

    def reply(self):
        line = self.file.readline().rstrip(b"\r\n")
        if not line:
            raise ConnectionError("the server closed the connection")
        kind, rest = line[:1], line[1:]
        if kind == b"-":
            raise RedisError(rest.decode())
        if kind == b"$":
            return None if rest == b"-1" else self.file.read(int(rest) + 2)[:-2]
        if kind == b"*":
            return [self.reply() for _ in range(int(rest))]
        return int(rest) if kind == b":" else rest.decode()


# Ports that no outgoing connection is given, nor a server of Java's tests (FreePorts): a cluster's bus takes 10,000 more. Each process has
# a range of its own, and gives a port once only, as nothing listens on a proxy's while it refuses connections.
PORTS = iter(range(18000 + os.getpid() % 8 * 500, 22000))


def free_port():
    """A port that nothing listens on."""
    for port in PORTS:
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return port
    sys.exit("This process has no free port left.")


class Proxies:
    """Listen on ports and pass on to other ones. They are told what to do by a line on a port of their own."""

    def __init__(self, control, targets, others):
        """Serves `targets`, which are the servers' ports by those to listen on; `others` does the commands for servers."""
        self.loop = asyncio.new_event_loop()
        # The loop holds its tasks by weak references only.
        self.connections, self.writers = set(), set()
        self.targets, self.others, self.listening = targets, others, []
        self.holds, self.released, self.loses = asyncio.Event(), asyncio.Event(), False
        self.trip, self.tripped = None, ()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        for begun in (asyncio.start_server(self.told, "127.0.0.1", control), self.up()):
            asyncio.run_coroutine_threadsafe(begun, self.loop).result()

    async def up(self):
        for port, target in () if self.listening else self.targets.items():
            serve = functools.partial(self.serve, target)
            self.listening.append(await asyncio.start_server(serve, "127.0.0.1", port))

    def down(self):
        while self.listening:
            self.listening.pop().close()
        for each in self.writers:
            each.transport.abort()

    async def told(self, reader, writer):
        (command, *arguments), said = (await reader.readline()).decode().split(), await reader.read()
        answer = None
        if command == "held":
            await self.holds.wait()
        elif command == "release":
            self.released.set()
            self.released = asyncio.Event()
        elif command == "lose":
            self.loses = True
        elif command == "up":
            await self.up()
        elif command == "down":
            self.down()
        elif command == "faults":
            answer = "\n".join(TRIPS)
        elif command == "trip":
            self.trip, self.tripped = " ".join(arguments), ()
        elif command == "tripped":
            answer = " ".join(map(str, self.tripped))
        else:
            answer = await self.loop.run_in_executor(None, self.others, command, arguments, said)
        writer.write(b"done %s\n" % (answer or "").encode())
        writer.close()

    async def serve(self, target, reader, writer):
        self.connections.add(asyncio.current_task())
        self.writers.add(writer)
        try:
            await self.passed_on(reader, writer, target)
        finally:
            self.connections.discard(asyncio.current_task())
            self.writers.discard(writer)

    async def passed_on(self, reader, writer, target):
        try:
            server_reader, server_writer = await asyncio.open_connection("127.0.0.1", target)
        except OSError:
            writer.close()
            return
        fault = {"lost": False, "late": False, "told": None}
        gone = asyncio.Event()
        back = asyncio.create_task(self.answers(server_reader, writer, fault, gone))
        command = b""
        try:
            while data := await reader.read(1 << 16):
                # A command begins with an asterisk; what does not goes on with the one before.
                command = (data if data.startswith(b"*") else command + data).upper()
                for name in ("lost", "late"):
                    if b":%s:" % name.upper().encode() in command and b"\r\nGET\r\n" not in command:
                        fault[name] = True
                if SLOW.search(command):
                    fault["late"] = True
                if told := TOLD.search(data):
                    fault["told"] = told[1] + b"\r\n"
                if self.loses and b":ONCE:" in command and not QUESTION.match(command):
                    self.loses, fault["lost"] = False, True
                if self.trip and SEVERAL.search(data):
                    data = await self.meets(data, back, reader, writer, server_reader, server_writer)
                    back = asyncio.create_task(self.answers(server_reader, writer, fault, gone))
                server_writer.write(data)
                await server_writer.drain()
        except OSError:
            pass
        gone.set()
        server_writer.close()
        await back

    async def meets(self, data, back, reader, writer, server_reader, server_writer):
        """Lets a trip, which these data have the beginning of, meet its fault; returns what the client sent behind it."""
        (which, kind), self.trip = self.trip.split(), None
        end, commands, before = 0, [], b""
        while len(commands) < 2:
            try:
                begins, end = end, end_of_command(data, end)
            except ValueError:
                if not (more := await reader.read(1 << 16)):
                    raise ConnectionError from None
                data += more
                continue
            if commands or SEVERAL.search(data, begins, end):
                commands.append(data[begins:end])
            else:
                before += data[begins:end]
        calls = int(SEVERAL.search(commands[0])[1]) + 1
        server_writer.write(before + b"*2\r\n$4\r\nECHO\r\n" + MARK)
        await back
        tripped = (calls, *TRIPS[f"{which} {kind}"](calls))
        # Who reads this of an answer that is late may release it.
        self.tripped = () if kind == "late" else tripped
        is_cut = False
        for name, command in zip(("first", "second"), commands):
            fault = kind if name == which else ""
            is_cut |= fault in ("cut", "lost")
            if is_cut and kind == "cut":
                break
            if fault in ("MOVED", "ASK"):
                key = command.split(b"\r\n")[8]
                server_writer.write(b"*3\r\n$7\r\nCLUSTER\r\n$7\r\nKEYSLOT\r\n$%d\r\n%s\r\n" % (len(key), key))
                slot, port = (await reply_of(server_reader))[1:-2], writer.get_extra_info("sockname")[1]
                reply = b"-%s %s 127.0.0.1:%d\r\n" % (fault.encode(), slot, port)
            else:
                server_writer.write(CHANGES.get(fault, bytes)(command))
                reply = await reply_of(server_reader)
            if fault == "late":
                self.tripped = tripped
                await self.held_back(asyncio.Event())
            if not is_cut:
                writer.write(reply)
                await writer.drain()
        if is_cut:
            writer.close()
        return data[end:]

    async def answers(self, reader, writer, fault, gone):
        try:
            while data := await reader.read(1 << 16):
                if fault["lost"]:
                    writer.transport.abort()
                    return
                if fault["late"]:
                    fault["late"] = False
                    await self.held_back(gone)
                    # A client that has only said that it goes may still read.
                    if gone.is_set():
                        break
                writer.write(fault["told"] or data.removesuffix(MARK))
                fault["told"] = None
                await writer.drain()
                if data.endswith(MARK):
                    return
        except OSError:
            pass
        writer.close()

    async def held_back(self, gone):
        ends = [asyncio.ensure_future(event.wait()) for event in (gone, self.released)]
        self.holds.set()
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        self.holds.clear()
        for end in ends:
            end.cancel()


class Testbed:
    """Starts everything, on request without the cluster; `environment` is what the tests read."""

    def __init__(self, server, scratch, cluster=True):
        self.server, self.scratch, self.processes = str(server), pathlib.Path(scratch), []
        control, single, proxy, *ports = (free_port() for _ in range(9))
        nodes, proxies = ports[:3], ports[3:]
        self.ports = [single, *nodes]
        try:
            self.start(single)
            said = dict(line.split(":", 1) for line in Connection(single)("INFO", "server").decode().splitlines() if ":" in line)
            self.name = f"Valkey {said['valkey_version']}" if "valkey_version" in said else f"Redis {said['redis_version']}"
            Proxies(control, dict(zip([proxy, *proxies], [single, *nodes])), self.do)
            for node, announced in zip(nodes, proxies) if cluster else ():
                self.start(node, "--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1", "--cluster-announce-port", announced,
                           "--cluster-announce-bus-port", node + 10000, "--cluster-node-timeout", 5000)
            if cluster:
                form_cluster(nodes)
        except BaseException:
            self.stop()
            raise
        self.environment = {
            **FILES,
            "PENSTOCK_CONTROL": str(control),
            "PENSTOCK_REDIS": str(single),
            "PENSTOCK_PROXY": str(proxy),
            "PENSTOCK_CLUSTER": str(proxies[0]),
            "PENSTOCK_NODES": " ".join(map(str, nodes)),
            "PENSTOCK_SERVER": self.name,
            "PENSTOCK_EXECUTABLE": self.server,
            "PENSTOCK_FUNCTIONS": "no" if self.name.startswith("Redis 6.") else "yes",
        }

    def start(self, port, *options):
        folder = self.scratch / str(port)
        folder.mkdir()
        command = [self.server, "--port", port, "--save", "", "--appendonly", "no", "--dir", folder, *options]
        with open(folder / "log", "wb") as log:
            self.processes.append(subprocess.Popen(list(map(str, command)), stdout=log, stderr=log, stdin=subprocess.DEVNULL))
        await_true(lambda: Connection(port)("PING") == "PONG", f"the server of port {port}")

    def do(self, command, arguments, said):
        """Does a command for the servers, and returns the answer."""
        if command == "stop":
            self.processes[0].send_signal(signal.SIGSTOP)
            # Until it has, it may answer.
            time.sleep(0.1)
        elif command == "cont":
            self.processes[0].send_signal(signal.SIGCONT)
        elif command == "crash":
            self.processes[0].kill()
            self.processes[0].wait()
        elif command == "revive":
            nothing = subprocess.DEVNULL
            self.processes[0] = subprocess.Popen(self.processes[0].args, stdout=nothing, stderr=nothing, stdin=nothing)
            await_true(lambda: Connection(self.ports[0])("PING") == "PONG", f"the server of port {self.ports[0]}")
        elif command == "load":
            for port in self.ports:
                Connection(port)("SCRIPT", "LOAD", said)
        elif command == "flush":
            for port in self.ports:
                Connection(port)("SCRIPT", "FLUSH")
                if self.environment["PENSTOCK_FUNCTIONS"] == "yes":
                    Connection(port)("FUNCTION", "FLUSH")
        elif command == "kill":
            Connection(self.ports[0])("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
        elif command == "masters":
            return " ".join(str(port) for _, _, (_, port, *_), *_ in Connection(self.ports[1])("CLUSTER", "SLOTS"))
        else:
            self.move(command, *arguments)
        return None

    def move(self, command, key):
        """Moves the slot of a key, or begins or ends that."""
        nodes = {connection("CLUSTER", "MYID").decode(): connection for connection in map(Connection, self.ports[1:])}
        slot = next(iter(nodes.values()))("CLUSTER", "KEYSLOT", key)
        if command == "settle":
            for node in nodes.values():
                node("CLUSTER", "SETSLOT", slot, "STABLE")
            return
        owner, after = owner_and_next(nodes, slot)
        while keys := nodes[owner]("CLUSTER", "GETKEYSINSLOT", slot, 1000):
            for name in keys:
                nodes[owner]("DEL", name)
        nodes[after]("CLUSTER", "SETSLOT", slot, "IMPORTING", owner)
        nodes[owner]("CLUSTER", "SETSLOT", slot, "MIGRATING", after)
        # The new owner first: its epoch rises above all others, so that nobody takes the slot away from it again.
        for name in {"move": [after, owner, *nodes], "ask": []}[command]:
            nodes[name]("CLUSTER", "SETSLOT", slot, "NODE", after)

    def stop(self):
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()


def await_true(condition, what):
    end = time.monotonic() + 60
    while True:
        try:
            if condition():
                return
        except (OSError, RedisError):
            pass
        if time.monotonic() > end:
            sys.exit(f"{what} did not come up within a minute.")
        time.sleep(0.05)


def form_cluster(ports):
    nodes = [Connection(port) for port in ports]
    share = -(-SLOTS // len(nodes))
    for at, node in enumerate(nodes):
        node("CLUSTER", "ADDSLOTS", *range(at * share, min(SLOTS, (at + 1) * share)))
        node("CLUSTER", "SET-CONFIG-EPOCH", at + 1)
    polls = itertools.count()

    def formed():
        # A handshake that a stall of the node timeout breaks off is begun by no node again.
        for port in ports[1:] if next(polls) % 100 == 0 else ():
            nodes[0]("CLUSTER", "MEET", "127.0.0.1", port, port + 10000)
        return all(b"cluster_state:ok" in node("CLUSTER", "INFO") and b"cluster_known_nodes:3" in node("CLUSTER", "INFO")
                   and len(node("CLUSTER", "SLOTS")) == 3 for node in nodes)

    await_true(formed, "the cluster")
    for node in nodes:
        # Longer than a machine stalls: else the others may call a node failed.
        node("CONFIG", "SET", "cluster-node-timeout", 30000)


def owner_and_next(nodes, slot):
    ids = list(nodes)
    owner = next(name for name in ids if any(first <= slot <= last and node[2].decode() == name
                                             for first, last, node, *_ in nodes[name]("CLUSTER", "SLOTS")))
    return owner, ids[(ids.index(owner) + 1) % len(ids)]


def found_server():
    return shutil.which("redis-server") or shutil.which("valkey-server")


def run(command):
    """Runs a command on servers of its own, and returns its exit status; without one, prints the environment that it would have."""
    # So that the servers end, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with contextlib.ExitStack() as stack:
        found = {**FILES, "PENSTOCK_SKIP": "these tests need a redis-server or valkey-server on the PATH"}
        if server := found_server():
            bed = Testbed(server, stack.enter_context(tempfile.TemporaryDirectory(prefix="penstock tests ", ignore_cleanup_errors=True)))
            stack.callback(bed.stop)
            found = bed.environment
        if command:
            return subprocess.run(command, env={**os.environ, **found}, check=False).returncode
        print("".join(f"{name}={value}\n" for name, value in found.items()), flush=True)
        sys.stdin.read()
        return 0


def tell(command, said):
    with socket.create_connection(("127.0.0.1", int(os.environ["PENSTOCK_CONTROL"])), timeout=60) as control:
        control.sendall(command.encode() + b"\n" + said)
        control.shutdown(socket.SHUT_WR)
        done, _, answer = control.makefile().read().partition(" ")
        if done != "done":
            sys.exit(f"The servers did not do this: {command}")
        print(answer.strip(), end="")


def main(command, *arguments):
    if command == "run":
        sys.exit(run(arguments))
    tell(" ".join([command, *arguments]), sys.stdin.buffer.read() if command == "load" else b"")


if __name__ == "__main__":
    main(*sys.argv[1:])
