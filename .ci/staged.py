"""Checks a folder that `mvn -Prelease deploy` filled: what Central asks of each artifact, and what we promise beside.

Usage: .ci/staged.py FOLDER [--unsigned]. Reads the checkout it stands in for what must be there. Signatures are verified
with gpg; --unsigned is for a build with -Dgpg.skip.
"""

import hashlib
import json
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
import zipfile

NAMESPACE = "{http://maven.apache.org/POM/4.0.0}"
GROUP = "io.github.penstock"
REQUIRED = (
    "name description url licenses/license/name licenses/license/url developers/developer/name "
    "scm/connection scm/developerConnection scm/url"
).split()
FORBIDDEN = "parent build profiles repositories pluginRepositories distributionManagement modules properties".split()
ALGORITHMS = {"md5": hashlib.md5, "sha1": hashlib.sha1, "sha256": hashlib.sha256, "sha512": hashlib.sha512}

root = pathlib.Path(__file__).resolve().parent.parent
problems = []


def read(pom):
    return ElementTree.parse(pom).getroot()


def text(element, path):
    found = element.find("/".join(NAMESPACE + part for part in path.split("/")))
    return (found.text or "").strip() if found is not None else ""


def every(element, path):
    return element.findall("/".join(NAMESPACE + part for part in path.split("/")))


def shipped():
    """The artifacts of the modules that say they are deployed, with their packaging."""
    artifacts = {}
    for module in every(read(root / "pom.xml"), "modules/module"):
        pom = read(root / module.text / "pom.xml")
        skip = text(pom, "properties/maven.deploy.skip")
        if skip not in ("true", "false"):
            problems.append(f"{module.text}/pom.xml does not say whether it is shipped: set maven.deploy.skip")
        if skip == "false":
            artifacts[text(pom, "artifactId")] = text(pom, "packaging") or "jar"
    return artifacts


def check_pom(artifact, pom, staged):
    content = read(pom)
    problems.extend(f"{pom.name} has no {path}" for path in REQUIRED if not text(content, path))
    problems.extend(f"{pom.name} has <{name}>" for name in FORBIDDEN if content.find(NAMESPACE + name) is not None)
    for expression in sorted(set(re.findall(r"\$\{[^}]*\}", pom.read_text()))):
        problems.append(f"{pom.name} has {expression}")
    version = text(content, "version")
    for dependency in every(content, "dependencies/dependency") + every(content, "dependencyManagement/dependencies/dependency"):
        name, of = text(dependency, "artifactId"), text(dependency, "version")
        if text(dependency, "scope") == "test" or not of:
            problems.append(f"{pom.name} depends on {name} in version '{of}', scope '{text(dependency, 'scope')}'")
        if text(dependency, "groupId") == GROUP:
            if name not in staged or of != version:
                problems.append(f"{pom.name} depends on {name} {of}, which is not staged")
        elif "SNAPSHOT" in of:
            problems.append(f"{pom.name} depends on a snapshot: {name} {of}")
    if artifact == "penstock-bom":
        listed = [text(d, "artifactId") for d in every(content, "dependencyManagement/dependencies/dependency")]
        libraries = sorted(name for name, packaging in staged.items() if packaging == "jar")
        if sorted(listed) != libraries:
            problems.append(f"{pom.name} lists {sorted(listed)}, but shipped are {libraries}")


def check_jar(jar):
    """The classes stand below the package that the manifest gives as the module's name. Returns that name."""
    with zipfile.ZipFile(jar) as content:
        manifest = content.read("META-INF/MANIFEST.MF").decode().replace("\r\n", "\n").replace("\n ", "")
        names = content.namelist()
    module = re.search(r"^Automatic-Module-Name: (.+)$", manifest, re.M)
    if not module:
        problems.append(f"{jar.name} has no Automatic-Module-Name")
        return None
    below = module[1].replace(".", "/") + "/"
    outside = [name for name in names if name.endswith(".class") and not name.startswith(below) and name != "module-info.class"]
    if outside:
        problems.append(f"{jar.name} is {module[1]}, but has {outside[0]}")
    if "META-INF/LICENSE" not in names:
        problems.append(f"{jar.name} has no META-INF/LICENSE")
    return module[1]


def check_beside(stem, suffix):
    """Checks that the file is there and, where it is an archive or an SBOM, what is in it."""
    file = stem.with_name(stem.name + suffix)
    if not file.is_file():
        problems.append(f"{file.name} is missing")
    elif suffix == "-cyclonedx.json":
        described = json.loads(file.read_text())["metadata"]["component"]["name"]
        if not stem.name.startswith(described + "-"):
            problems.append(f"{file.name} describes {described}")
    elif suffix.endswith(".jar"):
        kind = {"-sources.jar": ".java", "-javadoc.jar": ".html", ".jar": ".class"}[suffix]
        with zipfile.ZipFile(file) as content:
            if not any(name.endswith(kind) for name in content.namelist()):
                problems.append(f"{file.name} has no {kind}")


def check_file(file, signed):
    content = file.read_bytes()
    for name, algorithm in ALGORITHMS.items():
        checksum = file.with_name(f"{file.name}.{name}")
        if not checksum.is_file() or checksum.read_text().split()[0] != algorithm(content).hexdigest():
            problems.append(f"{checksum.name} is missing or wrong")
    if signed:
        signature = file.with_name(file.name + ".asc")
        answer = subprocess.run(["gpg", "--batch", "--verify", signature, file], capture_output=True, text=True)
        if answer.returncode != 0:
            problems.append(f"{signature.name} is missing or wrong: {answer.stderr.strip()}")


def main(folder, signed):
    expected = shipped()
    group = pathlib.Path(folder).joinpath(*GROUP.split("."))
    found = sorted(directory.name for directory in group.iterdir() if directory.is_dir())
    if found != sorted(expected):
        problems.append(f"staged are {found}, but shipped are {sorted(expected)}")
    modules, files = [], 0
    for artifact, packaging in sorted(expected.items()):
        poms = sorted(group.glob(f"{artifact}/*/*.pom"))
        if len(poms) != 1:
            problems.append(f"{artifact} is staged {len(poms)} times: empty the folder and deploy once")
            continue
        check_pom(artifact, poms[0], expected)
        if packaging != "pom":
            stem = poms[0].with_suffix("")
            for suffix in (".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json", "-cyclonedx.xml"):
                check_beside(stem, suffix)
            jar = stem.with_name(stem.name + ".jar")
            modules.append(check_jar(jar) if jar.is_file() else None)
        for file in sorted(poms[0].parent.iterdir()):
            if file.suffix[1:] not in (*ALGORITHMS, "asc") and not file.name.startswith("maven-metadata"):
                check_file(file, signed)
                files += 1
    modules = [module for module in modules if module]
    if len(set(modules)) != len(modules):
        problems.append(f"two jars have one module name: {sorted(modules)}")
    if problems:
        sys.exit("\n".join(["The staging folder is not what a release must be:", *(f"- {p}" for p in problems)]))
    print(f"{len(expected)} artifacts, {files} files{'' if signed else ', not signed'}: complete")


if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--unsigned"]):
    sys.exit(__doc__)
main(sys.argv[1], signed=len(sys.argv) == 2)
