"""Fails if a line of prose is longer than .editorconfig allows: 140 columns. Tables, code blocks, links and directives are not prose.
Fails if a line has a phrase for which there is a plain one."""

import pathlib
import re
import subprocess
import sys

LONGEST = 140
GENERATED = {"docs/clients.md", "packages/python/src/penstock_redis/_scripts.py"}

PATTERNS = ("*.md", "*.lua", "*.java", "*.sh", "*.py", ".ci/run", ".ci/steps", "penstock")
# Of these, only lines that are a comment.
COMMENTED = ("*.go", "*.rs", "*.ts", "*.mjs", "*.yml", "*.toml", ".ci/toolchains", "packages/generate", "packages/test")
COMMENTS = ("//", "#", "*", "/*")
# Plainer: "the outcome of", "by itself", "an idle ...", "learns", "means", "interleaved", "however it ends", "nevertheless".
PHRASES = re.compile(
    r"what became of|of its own accord|that nobody .* any more|\b(is told|stands for|by turns|all the same)\b|whatever becomes of", re.I)
# History, what tests replay, and this list.
QUOTING = ("CHANGELOG.md", "docs/adr/", "lua/include/", ".ci/prose.py")


def listed(patterns):
    found = subprocess.run(["git", "ls-files", *patterns], capture_output=True, text=True, check=True)
    return found.stdout.split()


commented = set(listed(COMMENTED))
too_long = []
refused = []
for name in listed(PATTERNS + COMMENTED):
    if name in GENERATED:
        continue
    for number, line in enumerate(pathlib.Path(name).read_text(encoding="utf-8").splitlines(), 1):
        if PHRASES.search(line) and not name.startswith(QUOTING):
            refused.append(f"{name}:{number}: {line.strip()}")
        if name in commented and not line.lstrip().startswith(COMMENTS):
            continue
        exempt = name.endswith(".md") and (line.startswith(("|", "    ")) or "](http" in line or "!" == line[:1])
        quoted = name.endswith(".java") and '"' in line
        directive = name.endswith(".lua") and line.lstrip().startswith("--- @")
        if len(line) > LONGEST and not exempt and not quoted and not directive:
            too_long.append(f"{name}:{number}: {len(line)} columns")
if refused:
    sys.exit("CI: phrases that .ci/prose.py lists; say it plainly:\n" + "\n".join(refused))
if too_long:
    sys.exit("CI: lines longer than %d columns:\n%s" % (LONGEST, "\n".join(too_long)))
