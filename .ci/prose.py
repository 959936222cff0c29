"""Fails if a line of prose is longer than .editorconfig allows: 140 columns. Tables, code blocks, links and directives are not prose."""

import pathlib
import subprocess
import sys

LONGEST = 140
GENERATED = {"docs/clients.md", "packages/python/src/penstock_redis/_scripts.py"}

PATTERNS = ("*.md", "*.lua", "*.java", "*.sh", "*.py", ".ci/run", ".ci/steps", "penstock")
# Of these, only lines that are a comment.
COMMENTED = ("*.go", "*.rs", "*.ts", "*.mjs", "*.yml", "*.toml", ".ci/toolchains", "packages/generate", "packages/test")
COMMENTS = ("//", "#", "*", "/*")


def listed(patterns):
    found = subprocess.run(["git", "ls-files", *patterns], capture_output=True, text=True, check=True)
    return found.stdout.split()


commented = set(listed(COMMENTED))
too_long = []
for name in listed(PATTERNS + COMMENTED):
    if name in GENERATED:
        continue
    for number, line in enumerate(pathlib.Path(name).read_text(encoding="utf-8").splitlines(), 1):
        if name in commented and not line.lstrip().startswith(COMMENTS):
            continue
        exempt = name.endswith(".md") and (line.startswith(("|", "    ")) or "](http" in line or "!" == line[:1])
        quoted = name.endswith(".java") and '"' in line
        directive = name.endswith(".lua") and line.lstrip().startswith("--- @")
        if len(line) > LONGEST and not exempt and not quoted and not directive:
            too_long.append(f"{name}:{number}: {len(line)} columns")
if too_long:
    sys.exit("CI: lines longer than %d columns:\n%s" % (LONGEST, "\n".join(too_long)))
