#!/usr/bin/env python3
"""Guides say what their code includes: guide_headers.py [--write] GUIDE...; tools/docs --guides writes.

A guide of docs/ with C++ has a section "Headers and targets", a table of what its blocks use: the names, the header that
declares them, the Bazel target that has the header, the bundles that export the target. A name is used if a block has it,
and the compiled source in which the block stands includes its header. Without --write the table is compared, with it written.
"""

import ast
import functools
import os
import re
import sys

sys.dont_write_bytecode = True
import check_snippets

HEADING = "## Headers and targets"
INTRODUCTION = """The headers that the code above includes, and the targets of `@client_cpp` that have them. A target that is in a bundle
([bazel.md](bazel.md#bundles)) need not be named by programs that depend on the bundle; `//controller:operator` contains `//controller`, which contains `//clientset`."""
# The labels of the bundles, which are libraries with deps and without files, in the order of docs/bazel.md.
_BUNDLES = ("//clientset", "//controller", "//controller:operator", "//envtest", "//envtest/fake")
_DECLARED = [
    re.compile(r"^(?:class|struct|enum class|enum|concept)\s+(?:ABSL_\w+(?:\([^)]*\))?\s+)?(\w+)\b(?!::)", re.MULTILINE),
    re.compile(r"^using (\w+) =", re.MULTILINE),
    re.compile(r"^#define (\w+)\(", re.MULTILINE),
    re.compile(r"^(?:inline )?constexpr [\w:<>]+ (k\w+)", re.MULTILINE),
    # A function: a type, a name, an opening parenthesis, at the beginning of a line.
    re.compile(r"^(?!return|using|namespace|#|//)[A-Za-z_][\w:<>,&* ]*?[ &*](\w+)\(", re.MULTILINE),
]
_FORWARD = re.compile(r"^(?:class|struct) (\w+);", re.MULTILINE)
_GENERATED = {
    "api": re.compile(r"^api/(\w+)/(\w+)/types\.kube\.h$"),
    "applies": re.compile(r"^api/(\w+)/(\w+)/types\.applies\.kube\.h$"),
    "client": re.compile(r"^clientset/kubernetes/(\w+)/(\w+)/client\.h$"),
    "informers": re.compile(r"^informers/kubernetes/(\w+)/(\w+)/informers\.h$"),
}


def declared(header):
    """The names that a header declares in its namespaces; clang-format does not indent these."""
    text = re.sub(r"^template <.*?>\s*\n?(?:  requires .*\n)?", "", header, flags=re.MULTILINE)
    text = text.partition("// ---- implementation")[0]
    return {name for pattern in _DECLARED for name in pattern.findall(text)}


def used(path, names, block):
    """What of a header a block uses: its names, for a generated one how its group is written."""
    for kind, pattern in _GENERATED.items():
        match = pattern.match(path)
        if not match:
            continue
        group, version = match.groups()
        form = {
            "api": rf"{group}{version}::",
            "applies": rf"\bApplyOf<{group}{version}::\w+>",
            "client": rf"{group}{version}\(\)",
            "informers": rf"{group}\(\)\.{version}\(\)",
        }[kind]
        found = re.search(form, block, re.IGNORECASE)
        return {found[0]} if found else set()
    if "/fake/" in path:  # whose names are also those of what it stands for
        return {f"fake::{name}" for name in names if re.search(rf"\bfake::{name}\b", block)}
    return {name for name in names if re.search(rf"\b{name}\b", block)}


def _short(label, package):
    """A label as the tables have it: with its package, and without a name that the package's folder has, too."""
    if label.startswith(":"):
        label = f"//{package}{label}"
    folder, _, name = label.partition(":")
    return folder if name == os.path.basename(folder) else label


class Checkout:
    def __init__(self, root):
        self.root = root

    def read(self, path):
        with open(os.path.join(self.root, path), encoding="utf-8") as file:
            return file.read()

    @functools.cache
    def names(self, header):
        exists = os.path.isfile(os.path.join(self.root, header))
        return declared(self.read(header)) if exists else set()

    @functools.cache
    def forward_declared(self, header):
        exists = os.path.isfile(os.path.join(self.root, header))
        return set(_FORWARD.findall(self.read(header))) if exists else set()

    @functools.cache
    def target(self, header):
        """The label that has a header, or None."""
        for kind, pattern in _GENERATED.items():
            match = pattern.match(header)
            if match:
                group, version = match.groups()
                folder = header.partition(f"/{group}/")[0]
                if kind == "applies":
                    return f"//api/{group}/{version}:{version}_applies"
                return f"//api/{group}/{version}" if kind == "api" else f"//{folder}:{group}_{version}"
        package = os.path.dirname(header)
        while package and not os.path.isfile(os.path.join(self.root, package, "BUILD.bazel")):
            package = os.path.dirname(package)
        if not package:
            return None
        wanted = os.path.relpath(header, package)
        for call in ast.walk(ast.parse(self.read(f"{package}/BUILD.bazel"))):
            if not isinstance(call, ast.Call):
                continue
            attributes = {keyword.arg: keyword.value for keyword in call.keywords}
            if "hdrs" in attributes and f"'{wanted}'" in ast.unparse(attributes["hdrs"]):
                name = attributes["name"].value
                return f"//{package}" if os.path.basename(package) == name else f"//{package}:{name}"
        return None

    @functools.cache
    def _exported(self, bundle):
        """The labels of this repository that a bundle has as deps."""
        package, _, name = bundle[2:].partition(":")
        name = name or os.path.basename(package)
        if not os.path.isfile(os.path.join(self.root, package, "BUILD.bazel")):
            return set()
        for call in ast.walk(ast.parse(self.read(f"{package}/BUILD.bazel"))):
            if not isinstance(call, ast.Call):
                continue
            attributes = {keyword.arg: keyword.value for keyword in call.keywords}
            if "deps" in attributes and ast.unparse(attributes["name"]) == repr(name):
                return {_short(label, package) for label in ast.literal_eval(attributes["deps"])}
        return set()

    def bundles(self, target):
        """The bundles that export a target."""
        return [bundle for bundle in _BUNDLES if target in self._exported(bundle)]

    @functools.cache
    def sources(self):
        """The text of each source in which the code of guides is compiled."""
        return [self.read(path) for path in self._source_paths()]

    def _source_paths(self):
        for folder in ("docs/snippets", "examples/envtest_demo", "examples/website_operator"):
            for parent, _, files in os.walk(os.path.join(self.root, folder)):
                for name in sorted(files):
                    if name.endswith((".cc", ".h")):
                        yield os.path.relpath(os.path.join(parent, name), self.root)


def table(guide, checkout):
    """The lines of the table that a guide should have; [] where it has no C++."""
    rows = {}
    for block in re.findall(r"^```cpp\n(.*?)\n```$", guide, re.MULTILINE | re.DOTALL):
        first_line = block.partition("\n")[0].strip()
        for text in checkout.sources():
            if first_line not in text or not check_snippets.holds(text, block):
                continue
            headers = re.findall(r'^#include "([\w./]+)"', text, re.MULTILINE)
            defined = {name for header in headers for name in checkout.names(header) - checkout.forward_declared(header)}
            for header in headers:
                if header.startswith(("absl/", "gtest/", "gmock/", "docs/", "examples/")):
                    continue
                # What a header only announces belongs to the header that has it.
                names = used(header, checkout.names(header) - (checkout.forward_declared(header) & defined), block)
                target = checkout.target(header)
                if names and target:
                    rows.setdefault((header, target), set()).update(names)
            break
    lines = [
        f"| {_code(sorted(names))} | `{header}` | `{target}` | {_code(checkout.bundles(target)) or '-'} |"
        for (header, target), names in sorted(rows.items())
    ]
    return ["| for | include | depend on | in the bundle |", "| --- | --- | --- | --- |", *lines] if lines else []


def _code(words):
    return ", ".join(f"`{word}`" for word in words)


def with_section(guide, lines):
    """The guide with the section: where it was, or at the end. What follows it stays."""
    before, found, after = guide.partition(f"\n{HEADING}\n")
    next_heading = after.find("\n## ")
    rest = after[next_heading:] if found and next_heading >= 0 else ""
    body = before.rstrip("\n")
    if not lines:
        return body + "\n" + rest
    return "\n".join([body, "", HEADING, "", INTRODUCTION, "", *lines, ""]) + rest


def main(root, arguments):
    checkout = Checkout(root)
    findings = 0
    guides = [each for each in arguments if each != "--write"]
    for path in guides:
        guide = checkout.read(path)
        wanted = with_section(guide, table(guide, checkout))
        if wanted == guide:
            continue
        if "--write" in arguments:
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(wanted)
            continue
        findings += 1
        missing = sorted(set(wanted.splitlines()) - set(guide.splitlines()))
        print(f"{path}: \"{HEADING[3:]}\" is not what its code includes; run tools/docs --guides {path}")
        print("\n".join(f"  lacks {line}" for line in missing))
    print(f"{len(guides)} guides, {findings} findings")
    return 1 if findings or not guides else 0


if __name__ == "__main__":
    sys.exit(main(os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))), sys.argv[1:]))
