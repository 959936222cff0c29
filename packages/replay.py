"""Which vectors each language replays: the table of docs/languages.md, made from what the languages' tests reported.

A test that has replayed a case adds a line such as `keys.keys:0` to the file that PENSTOCK_REPLAYED names: the file of the vectors, its
list, and the case's place in it.
"""

import collections
import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
VECTORS = ROOT / "lua/vectors"
PAGE = ROOT / "docs/languages.md"
BEGIN, END = "<!-- Written by packages/test --write. -->\n", "<!-- Until here. -->\n"
COLUMNS = {"python": "Python", "npm": "Node.js", "go": "Go", "rust": "Rust"}
CLIENTS = {"python": ["redis-py"], "npm": ["node-redis", "ioredis"], "go": ["go-redis"], "rust": ["redis-rs"]}
# What the files' lists hold; one that is not named here fails, so that nobody forgets it.
CASES = {
    **{f"{script}.sequences": "calls, their replies and what they store" for script in
       json.loads((ROOT / "lua/manifest.json").read_text())["scripts"]},
    "reservation.sequences": "calls of `reserve` and `settle`, and their replies",
    "calls.calls": "calls under several limits: keys and arguments, or why they are refused",
    "calls.replies": "what their replies tell",
    "calls.settlements": "what replies to settlements tell",
    "keys.keys": "keys, or why they are refused",
    "limits.limits": "limits as text, with arguments, or where the mistake is",
    "commands.commands": "what a limiter's calls send, or which argument is wrong",
    "commands.unreadable": "replies that cannot be read, where the language's types have them",
    "decisions.decisions": "what a reply tells its caller",
    "http.answers": "header fields, status and problem body",
    "http.several": "fields of several policies in one answer",
    "http.reservations": "fields of a call under several limits",
    "errors.cases": "what errors of the server and of its own clients mean",
    "near.sequences": "remembered denials, N1 to N5 with times",
    "circuit.sequences": "the circuit breaker, F1 with times",
    "verdict.scenarios": "late calls, F2 with times",
    "failures.scenarios": "failures of the server and of the network",
    "trips.histories": "calls that share trips, C1 to C5 with times",
    "requests.addresses": "the address of a request",
    "requests.wrong_networks": "lists of addresses that are refused",
    "requests.headers": "a header as a subject",
    "requests.subjects": "subjects that a function finds, where the language's types have others than texts",
    "requests.costs": "costs that a function finds, where the language's types have them",
    "requests.plans": "the strictest plan",
    "requests.several": "fields of several limits of one request, over HTTP",
    "requests.plans_as_written": "plans that are unlimited, and which texts are refused, with the text that was meant",
    "requests.charge_when": "responses that are charged, or texts that are refused",
    "requests.joint": "two policies of one request, and charges by the response, over HTTP",
}
# From the first two packages/generate writes each language's own; with each of the last, every scenario is played.
NOT_CASES = {"errors.rules", "client.numbers", "failures.choices"}


def compared(replayed, write):
    """Compares the page with the cases that each of these languages has replayed, or writes it; says what differs."""
    before, rest = PAGE.read_text().split(BEGIN)
    written, after = rest.split(END)
    columns = _columns(written)
    for language, cases in replayed.items():
        columns[COLUMNS[language]] = _cells(language, cases)
    table = _table(columns)
    if table == written:
        return None
    if write:
        PAGE.write_text(f"{before}{BEGIN}{table}{END}{after}")
        return None
    return f"docs/languages.md is not what was replayed; packages/test --write writes it:\n{table}"


def _lists():
    """The cases of each list of the vectors."""
    lists = {}
    for file in sorted(VECTORS.glob("*.json")):
        for name, cases in json.loads(file.read_text()).items():
            if isinstance(cases, list) and f"{file.stem}.{name}" not in NOT_CASES:
                lists[f"{file.stem}.{name}"] = cases
    if set(lists) != set(CASES):
        raise SystemExit(f"packages/replay.py must name each list of the vectors, and no other: {sorted(set(lists) ^ set(CASES))}")
    return lists


def _cells(language, replayed):
    places = collections.defaultdict(set)
    for case in replayed:
        name, _, at = case.rpartition(":")
        places[name].add(int(at))
    cells, lists = [], _lists()
    for name in CASES:
        cases = lists[name]
        meant = {at for at, case in enumerate(cases) if _is_meant(language, name, case)}
        done = len(places[name] & meant)
        cells.append("all" if done == len(meant) else f"**{done} of {len(meant)}**")
    return cells


def _is_meant(language, name, case):
    """Whether a case is for a language: errors of other clients are not, nor costs that its types exclude."""
    if name == "errors.cases":
        return case["client"] in ("server", *CLIENTS[language])
    if name == "requests.subjects":
        return language in ("python", "npm")
    if name == "verdict.scenarios" and language == "go":
        # No two calls share a connection of go-redis.
        return not any("close" in each for each in case["out"])
    if name == "requests.costs" and language in ("go", "rust"):
        return type(case["given"]) is int and (language == "go" or case["given"] >= 0)
    if name == "commands.commands" and language == "rust":
        return all(case.get(argument, 0) >= 0 for argument in ("cost", "calls", "units"))
    if name == "commands.unreadable" and language == "rust":
        return isinstance(case["reply"], list) and all(type(number) is int for number in case["reply"])
    return True


def _columns(table):
    """The cells of each language, as the page has them; what it does not have is nothing."""
    rows = [[cell.strip() for cell in line.strip("| \n").split(" | ")] for line in table.splitlines() if line.startswith("|")]
    known = {row[0]: dict(zip(rows[0][1:], row[1:])) for row in rows[2:]}
    return {column: [known.get(label, {}).get(column, "") for label in _labels()] for column in COLUMNS.values()}


def _labels():
    return [f"{label} (`{name.partition('.')[0]}.json`)" for name, label in CASES.items()]


def _table(columns):
    lines = [["cases of the vectors", *columns], ["---"] * (len(columns) + 1)]
    lines += [[label, *cells] for label, *cells in zip(_labels(), *columns.values())]
    return "\n" + "".join(f"| {' | '.join(line)} |\n" if line[0] != "---" else f"|{'|'.join(line)}|\n" for line in lines) + "\n"
