"""Fails if a line of prose is longer than .editorconfig allows: 140 columns. Tables, code blocks, links and directives are not prose.
Fails if more than 4 % of the sentences of a module have a construction that is rare in well-kept English documentation."""

import collections
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

# Each is legal; together they are a dialect. Plainer: the noun that the field uses, "no caller", "this number of", "a separate", "equals".
CONSTRUCTIONS = re.compile(
    r"\bwhat(ever)?\b(?! if\b)(?!.*\?)"
    r"|(^|[,;:(]|\b(and|as|by|for|from|if|is|knows|of|or|says|than|tells|that|those|to|where|with)) who(m|ever)?\b|^who(m|ever)?\b"
    r"|\b(nobody|no one|everybody|any more|is told|by turns|all the same|of (its|his|their|one's) own)\b"
    r"|\bso (few|long|many|much)\b(?! (as|that)\b)"
    r"|^(and )?the same\b"
    r"|(?<!\bthere )\b(is|are|was|were) (no|none)\b(?! (fewer|greater|later|less|longer|more|sooner)\b)"
    r"|\bas (\w+ ){1,4}(gets|gives|has|have|takes) (it|them)\b"
    r"|\b(come|comes|came) to\b(?! an? )|\b(go|goes) by\b|\bstands? (at|behind|for|in)\b",
    re.I)
MOST_PERCENT = 4
FRONT_PAGES = re.compile(
    r"(client-[a-z]+/|packages/[a-z]+/)?README\.md"
    r"|docs/(languages|limits|near|operations|protocol|reliability|reservations|spring)\.md")
PUBLIC_API = re.compile(r"client-core/src/main/java/io/github/penstock/core/((http|limit|reserve)/)?\w+\.java")
CODE = re.compile(r".*/src/main/.*\.java|packages/(go|npm/src|python/src|rust/src)/.*\.(go|py|rs|ts)")
NO_PROSE = re.compile(r"CHANGELOG\.md|.*(_test\.go|[/_](numbers|scripts)\.(go|py|rs|ts))|docs/clients\.md")


def listed(patterns):
    found = subprocess.run(["git", "ls-files", *patterns], capture_output=True, text=True, check=True)
    return found.stdout.split()


def paragraphs(name, text):
    """The prose of a page, or the comments and docstrings of code, a paragraph or an item at a time."""
    if name.endswith(".md"):
        text = re.sub(r"^ *```.*?^ *```", "", text, flags=re.S | re.M)
        lines = ["" if re.match(r"[|#<!]| {4,}\S", line) and not line.lstrip()[:2] in ("- ", "* ") else line for line in text.splitlines()]
        return re.split(r"\n\s*(?:\n|[-*] |\d+\. )", "\n".join(lines))
    if name.endswith(".py"):
        comments = re.findall(r'"""(.*?)"""', text, re.S)
    elif name.endswith((".go", ".rs")):
        comments = [re.sub(r"^\s*//[/!]? ?", "", lines, flags=re.M) for lines in re.findall(r"(?:^[ \t]*//.*\n)+", text, re.M)]
    else:
        comments = [re.sub(r"^\s*\* ?", "", comment, flags=re.M) for comment in re.findall(r"/\*\*?(.*?)\*/", text, re.S)]
    return [part for comment in comments for part in re.split(r"\n\s*\n|\n(?=\s*(?:[@<]|:param|- ))", comment)]


def sentences(name, text):
    for paragraph in paragraphs(name, text):
        words = re.sub(r"\s+|<p>|(?<!\{)@\w+ (\w+ )?|:param \w+:", " ", paragraph).strip()
        for sentence in re.split(r"(?<=[.;:?]) (?=[A-Z@`\[{])", words):
            if len(sentence.split()) >= 5:
                yield sentence.strip()


def module(name):
    if FRONT_PAGES.fullmatch(name):
        return "the front pages"
    if PUBLIC_API.fullmatch(name):
        return "the API of core"
    if name.endswith(".md"):
        return "docs/adr" if name.startswith("docs/adr/") else "other pages"
    return "/".join(name.split("/")[: 2 if name.startswith("packages/") else 1])


def shares():
    """Of each module its number of sentences, and those with a construction."""
    counts, odd = collections.Counter(), collections.defaultdict(list)
    for name in listed(()):
        if (name.endswith(".md") or CODE.fullmatch(name)) and not NO_PROSE.fullmatch(name):
            for sentence in sentences(name, pathlib.Path(name).read_text(encoding="utf-8")):
                counts[module(name)] += 1
                if CONSTRUCTIONS.search(sentence):
                    odd[module(name)].append(f"{name}: {sentence[:200]}")
    return counts, odd


def long_lines():
    commented = set(listed(COMMENTED))
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
                yield f"{name}:{number}: {len(line)} columns"


def main(arguments):
    too_long = list(long_lines())
    if too_long:
        sys.exit("CI: lines longer than %d columns:\n%s" % (LONGEST, "\n".join(too_long)))
    counts, odd = shares()
    above = []
    for name in sorted(counts, key=lambda each: -len(odd[each]) / counts[each]):
        percent = 100 * len(odd[name]) / counts[name]
        if "--list" in arguments:
            print(f"{percent:5.1f} %  {len(odd[name]):4d} of {counts[name]:5d}  {name}", *odd[name], sep="\n    ")
        if percent > MOST_PERCENT:
            above += [f"{name}: {percent:.1f} % of {counts[name]} sentences, at most {MOST_PERCENT} %", *odd[name][:20]]
    if above:
        sys.exit("CI: constructions that .ci/prose.py lists; say it plainly (--list shows all):\n" + "\n".join(above))


main(sys.argv[1:])
