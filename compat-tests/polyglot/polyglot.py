"""Plays the vectors through every client, and lets all clients call on one key at once.

packages/test does both, with packages that it has built and installed. A caller is a program of one language, started as
`caller CLIENT PORT RESP`. It answers each line of its standard input by a line, both JSON:

    {"load": true, "functions": true}       loads the scripts, and the Functions library, as the package does it
        -> {"token-bucket": ["the package's SHA1", "the server's", "the function's name"], ...}
    {"words": ["EVALSHA", ...]}             sends a command through the client, and reads its answer by the package
        -> {"read": [1, 10, 9, 0, 1000, 1]} or {"error": "its text", "proves": true}
    {"script": "token-bucket", "tiers": [[10, 1, 1000]], "prefix": "penstock", "policy": "api", "subject": "a",
     "functions": true, "cost": 2, "batch": 1, "most": 100}
        -> {"admitted": 6}, the units that 8 took at once, each so many times `batch` calls in one trip or until it was denied
    {"words": ["EVALSHA", ...], "whole": true}    the same as `words`, but the answer is not read by the package: -> {"read": [1, 0, ...]}
    {"held": 3, "used": 2, "limits": {"policy": "limit as text", ...}, "prefix": "penstock", "group": "a", "functions": true, "most": 100}
        -> {"admitted": 6}, the units that 8 settled at once, each so many times or until a limit denied that nothing was held of: a call
        holds so many of the first limit and one place of the second, which is concurrency, and is settled with `used`
"""

import collections
import contextlib
import json
import math
import pathlib
import re
import subprocess
import sys
import time
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "packages"))
import testbed

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
VECTORS = ROOT / "lua/vectors"
MANIFEST = json.loads((ROOT / "lua/manifest.json").read_text())
SCRIPTS = {name: entry["sha1"] for name, entry in MANIFEST["scripts"].items()}
LOADED = SCRIPTS | {name: entry["sha1"] for name, entry in MANIFEST["groups"]["reservation"].items()}
PERIOD_US = 5 * 24 * 3600 * 10**6
UNITS = 5000
AT_ONCE = 8
PLACES = 20


class Caller:
    """A running caller: one client on one server."""

    def __init__(self, client, command, port, protocol):
        self.client = f"{client}, RESP{protocol}" if protocol else client
        self.process = subprocess.Popen([*map(str, command), str(port), str(protocol)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)

    def ask(self, **question):
        self.begin(question)
        return self.answer()

    def begin(self, question):
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(f"the caller of {self.client} ended")
        return json.loads(line)

    def end(self):
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


@contextlib.contextmanager
def callers(clients, port):
    """A caller of each of these clients: its name, the command that starts it, and its protocol (0 is its own choice)."""
    with contextlib.ExitStack() as stack:
        started = []
        for client, command, protocol in clients:
            started.append(Caller(client, command, port, protocol))
            stack.callback(started[-1].end)
        yield started


def kinds_of(bed):
    """All forms and protocols of a server."""
    forms = ["EVALSHA", "FCALL"] if bed["PENSTOCK_FUNCTIONS"] == "yes" else ["EVALSHA"]
    return [(form, protocol) for form in forms for protocol in (2, 3)]


def play_vectors(clients, bed, kinds, say, replayed):
    """Every vector through each client (name: command), once in each of these kinds, such as ("FCALL", 3).

    `replayed` gets each sequence that all of these clients have played.
    """
    played = collections.Counter()
    port = int(bed["PENSTOCK_REDIS"])
    for form, protocol in kinds:
        with callers([(client, command, protocol) for client, command in clients.items()], port) as started:
            for caller in started:
                steps = _play(caller, testbed.Connection(port), form, played)
                say(f"vectors on {bed['PENSTOCK_SERVER']}: {caller.client}, {form}: {steps} steps")
                steps = _play_reservations(caller, testbed.Connection(port), form, played)
                say(f"reservations on {bed['PENSTOCK_SERVER']}: {caller.client}, {form}: {steps} steps")
    for sequence, times in played.items():
        if times == len(clients) * len(kinds):
            replayed(sequence)


def _play(caller, server, form, played):
    server("SCRIPT", "FLUSH")
    if form == "FCALL":
        server("FUNCTION", "FLUSH")
    loaded, steps = caller.ask(load=True, functions=form == "FCALL"), 0
    _equal({name: (packaged, answered) for name, (packaged, answered, _) in loaded.items()},
           {name: (sha1, sha1) for name, sha1 in LOADED.items()}, caller.client)
    for script in SCRIPTS:
        sha1, _, function = loaded[script]
        target = [form, function if form == "FCALL" else sha1]
        for at, sequence in enumerate(json.loads((VECTORS / f"{script}.json").read_text())["sequences"]):
            prefix, written_at = uuid.uuid4().hex + ":", {}
            for step in sequence["steps"]:
                _step(caller, server, script, target, prefix, step, written_at)
                steps += 1
            played[f"{script}.sequences:{at}"] += 1
    assert steps > 5000, steps
    return steps


def _play_reservations(caller, server, form, played):
    targets, steps = {name: (form, loaded) for name, loaded in _loaded(caller, form).items()}, 0
    for at, sequence in enumerate(json.loads((VECTORS / "reservation.json").read_text())["sequences"]):
        written_at = {}
        for key in {key for step in sequence["steps"] for key in step["keys"]}:
            server("DEL", key)
        for step in sequence["steps"]:
            for key, before in step.get("before", {}).items():
                _prepare(server, key, before)
                written_at[key] = time.monotonic()
            written_at |= {key: time.monotonic() for key in step["written"]}
            _reservation_step(caller, server, targets[step["script"]], step, written_at)
            steps += 1
        played[f"reservation.sequences:{at}"] += 1
    assert steps > 100, steps
    return steps


def _loaded(caller, form):
    """What a call of each script names: its SHA1, or its function."""
    loaded = caller.ask(load=True, functions=form == "FCALL")
    return {name: function if form == "FCALL" else sha1 for name, (sha1, _, function) in loaded.items()}


def _reservation_step(caller, server, target, step, written_at):
    where = f"{caller.client}, {target[0]}: {step}"
    answer = caller.ask(words=[*target, str(len(step["keys"])), *step["keys"], *step["args"]], whole=True)
    if "error" in step:
        begins = f"penstock {step['script']}: {step['error']} "
        assert answer.get("proves") is True and answer["error"].removeprefix("ERR ").startswith(begins), (where, answer)
    else:
        _equal(answer, {"read": step["reply"]}, where)
    for key, stored in step["stored"].items():
        _check_stored(server, key, stored, written_at.get(key), where)


def _step(caller, server, script, target, prefix, step, written_at):
    where = f"{caller.client}, {target[0]}: {script} {step}"
    keys = [prefix + key for key in step["keys"]]
    first = keys[0] if keys else prefix + "k"
    if "before" in step or step["written"]:
        written_at[first] = time.monotonic()
    if "before" in step:
        _prepare(server, first, step["before"])
    answer = caller.ask(words=[*target, str(len(keys)), *keys, *step["args"]])
    if "error" in step:
        assert answer.get("proves") is True, (where, answer)
        text, begins = answer["error"].removeprefix("ERR "), f"penstock {script}: {step['error']} "
        assert "WRONGTYPE" in text if step["error"] == "WRONGTYPE" else text.startswith(begins), (where, answer)
    else:
        _equal(answer, {"read": step["reply"]}, where)
    _check_stored(server, first, step["stored"], written_at.get(first), where)


def _prepare(server, key, before):
    server("DEL", key)
    if before and "type" in before:
        server("RPUSH", key, "x")
    elif before:
        value = bytes.fromhex(before["hex"]) if "hex" in before else before["value"]
        server("SET", key, value, *([] if before["ttl_ms"] is None else ["PX", before["ttl_ms"]]))


def _check_stored(server, key, stored, written_at, where):
    if stored is None:
        _equal(server("EXISTS", key), 0, where)
    elif "type" in stored:
        _equal(server("TYPE", key), stored["type"], where)
    else:
        value = bytes.fromhex(stored["hex"]) if "hex" in stored else stored["value"].encode()
        _equal(server("GET", key), value, where)
        ttl = server("PTTL", key)
        passed = 0 if stored["ttl_ms"] is None else math.ceil((time.monotonic() - written_at) * 1000)
        within = ttl == -1 if stored["ttl_ms"] is None else stored["ttl_ms"] - passed - 1 <= ttl <= stored["ttl_ms"]
        assert within, f"{where}: {ttl} ms to live, {passed} ms after it was written"


def _equal(found, expected, where):
    assert found == expected, f"{where}: {found} instead of {expected}"


def tier(script):
    """A tier of UNITS that gains one in PERIOD_US, in the order of the script's header."""
    bounds = re.search(r"^  Bounds +(.*)$", (ROOT / f"lua/{script}.lua").read_text(), re.M)[1]
    names = [bound.split()[0] for bound in bounds.split(", ")]
    return [PERIOD_US if name.endswith("_us") else UNITS if name == names[0] else 1 for name in names]


def play_together(clients, adapters, bed):
    """All clients, and Java's adapters, call on one key at once."""
    port, functions = int(bed["PENSTOCK_REDIS"]), bed["PENSTOCK_FUNCTIONS"] == "yes"
    every = [(client, command, protocol) for client, command in clients.items() for protocol in (2, 3)]
    with callers([*every, *((client, command, 0) for client, command in adapters.items())], port) as started:
        print("together: " + "; ".join(caller.client for caller in started))
        for caller in started:
            caller.ask(load=True, functions=functions)
        _share_one_key(started, port, functions)
        _reserve_together(started, port, functions)


def _share_one_key(started, port, functions):
    """They take until it is empty: together they must get exactly what it holds."""
    tiers = {script: tier(script) for script in SCRIPTS}
    rounds = [[script] for script in SCRIPTS] + [["token-bucket", "leaky-bucket"]]
    for scripts in rounds:
        subject = uuid.uuid4().hex
        questions = [{"script": scripts[at % len(scripts)], "tiers": [tiers[scripts[at % len(scripts)]]], "prefix": "polyglot",
                      "policy": "api", "subject": subject, "functions": functions and at // 2 % 2 == 0,
                      # A third of them takes one unit at a time, one three, one batches of single ones.
                      "cost": [1, 3, 1][at % 3], "batch": [1, 1, 10][at % 3]} for at in range(len(started))]
        # First there is room for all that they take, so that each of them has a part.
        first = _at_once(started, [{**question, "most": 2} for question in questions])
        _equal(first, [2 * AT_ONCE * question["cost"] * question["batch"] for question in questions], scripts)
        rest = _at_once(started, [{**question, "most": UNITS} for question in questions])
        admitted = [sum(both) for both in zip(first, rest)]
        keys = testbed.Connection(port)("KEYS", f"polyglot:api:{{{subject}}}:*")
        _equal((sum(admitted), len(keys)), (UNITS, 1), f"{scripts}: {admitted}")
        print(f"{' and '.join(scripts)}: {' + '.join(map(str, admitted))} = {UNITS} units of one key", flush=True)


def _reserve_together(started, port, functions):
    """They hold units of one key and places of another, and settle less, until nothing is left: what they settled is what is used, and no
    more places are taken at once than there are."""
    group = uuid.uuid4().hex
    limits = {"tokens": f"fixed-window:{UNITS}/5d", "places": f"concurrency:{PLACES}"}
    questions = [{"limits": limits, "prefix": "polyglot", "group": group, "functions": functions and at // 2 % 2 == 0, "most": UNITS,
                  # What a call settles is less than what it held, in two of three.
                  "held": [3, 5, 4][at % 3], "used": [2, 5, 1][at % 3]} for at in range(len(started))]
    settled = _at_once(started, questions)
    keys = sorted(testbed.Connection(port)("KEYS", f"polyglot:*{{{group}}}:r*"))
    assert len(keys) == 2, keys
    left = started[0].ask(**{**questions[0], "held": 1, "used": 1})["admitted"]
    _equal((sum(settled) + left, left < 5), (UNITS, True), f"{settled} and {left}")
    print(f"reserved: {' + '.join(map(str, settled))} + {left} = {UNITS} units of one key, {PLACES} in flight", flush=True)


def _at_once(started, questions):
    for caller, question in zip(started, questions):
        caller.begin(question)
    return [caller.answer()["admitted"] for caller in started]
