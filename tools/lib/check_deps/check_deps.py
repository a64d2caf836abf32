#!/usr/bin/env python3
"""Compares every #include of a C++ target with its deps, in both directions.

The compiler cannot tell: the headers of Debian's packages are visible to all targets, and headers of
ours come along with other deps. A monorepo with upstream's repositories would not build.

A dep that is there for another reason than its headers is marked in the BUILD file: "//a:b",  # keep
A library without files of its own is a bundle: its deps are there to be handed on. Examples are built as users build:
they may include what comes along with their deps. A bundle_test, the README's program, and the programs in folders of
docs/snippets, show what a bundle is enough for: they may include what the bundles among their deps name, the API types
along with their generated clients, and nothing else that comes along.
"""

import argparse
import ast
import os
import re
import subprocess
import sys
import xml.etree.ElementTree
from typing import NamedTuple

_HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(_HERE)))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(_HERE, "..", "lint"))
import lexer

QUERY = 'kind("(cc_library|cc_binary|cc_test|cc_proto_library|proto_library|alias|_kube_generate_[a-z]+) rule", //...)'

# Start of an include -> the targets that may provide it; the first is the one to recommend.
LIBRARIES = {
    "benchmark/": ["@com_google_benchmark//:benchmark", "@com_google_benchmark//:benchmark_main"],
    "curl/": ["@curl//:curl"],
    "gmock/": ["@com_google_googletest//:gtest", "@com_google_googletest//:gtest_main"],
    "google/protobuf/compiler/": ["@com_google_protobuf//:protoc_lib"],
    "google/protobuf/": ["@com_google_protobuf//:protobuf", "@com_google_protobuf//:protobuf_lite"],
    "gtest/": ["@com_google_googletest//:gtest", "@com_google_googletest//:gtest_main"],
    "k8s.io/": ["@k8s_protos//:cc_protos"],
    "nghttp2/": ["@nghttp2//:nghttp2"],
    "openssl/": ["@openssl//:openssl", "@openssl//:ssl", "@openssl//:crypto"],
    "re2/": ["@com_googlesource_code_re2//:re2"],
    "simdjson": ["@simdjson//:simdjson"],
    "yaml.h": ["@libyaml//:libyaml"],
    "zlib.h": ["@zlib//:zlib"],
}


class Target(NamedTuple):
    kind: str
    label: str
    place: str  # of its rule: path:line
    srcs: list[str]  # labels, as are all below
    hdrs: list[str]
    deps: list[str]
    actual: str  # of an alias
    strip_import_prefix: str = ""  # of a proto_library
    header: str = ""  # of a rule that generates one whose name is known: a path in its package


class Include(NamedTuple):
    place: str
    path: str
    optional: bool  # the file asks __has_include


def parse_query(text, root):
    """The output of `bazel query --output=xml` -> {label: Target}."""
    targets = {}
    for rule in xml.etree.ElementTree.fromstring(text).iter("rule"):
        lists = {each.get("name"): [x.get("value") for x in each.iter("label")] for each in rule.findall("list")}
        labels = {each.get("name"): each.get("value") for each in rule.findall("label")}
        strings = {each.get("name"): each.get("value") for each in rule.findall("string")}
        path, line, _ = rule.get("location").rsplit(":", 2)
        targets[rule.get("name")] = Target(
            kind=rule.get("class"),
            label=rule.get("name"),
            place=f"{os.path.relpath(path, root)}:{line}",
            srcs=lists.get("srcs", []),
            hdrs=lists.get("hdrs", []) + lists.get("textual_hdrs", []),
            deps=lists.get("deps", []),
            actual=labels.get("actual", ""),
            strip_import_prefix=strings.get("strip_import_prefix") or "",
            header=strings.get("header") or "",
        )
    return targets


def path_of(label):
    """//a/b:c.h is a/b/c.h."""
    return label.removeprefix("//").replace(":", "/").removeprefix("/")


def header_of(proto, src):
    """The header that protoc writes for a .proto file of a proto_library."""
    path = path_of(src).replace(".proto", ".pb.h")
    if proto.strip_import_prefix.startswith("/"):
        path = path.removeprefix(proto.strip_import_prefix[1:] + "/")
    return path


def abseil_headers(starlark):
    """third_party/abseil/targets.bzl -> {header: label}."""
    (assignment,) = [node for node in ast.parse(starlark).body if isinstance(node, ast.Assign)]
    return {
        f"absl/{package}/{header}": f"@com_google_absl//absl/{package}:{target}"
        for package, targets in ast.literal_eval(assignment.value).items()
        for target, headers in targets.items()
        for header in headers
    }


class Checker:
    """Looks up who provides a header. Paths are relative to root."""

    def __init__(self, root, targets, abseil):
        self.root = root
        self.targets = targets
        self.abseil = abseil
        self.owners = {}  # header -> labels
        for target in targets.values():
            for header in self.headers(target):
                self.owners.setdefault(header, []).append(target.label)
        self.private = {path_of(s): t.label for t in targets.values() for s in t.srcs if s.endswith(".h")}

    def headers(self, target):
        if target.kind == "cc_library":
            return [path_of(self.generated_header(header)) for header in target.hdrs]
        if target.kind == "cc_proto_library":
            protos = [self.targets[dep] for dep in target.deps if dep in self.targets]
            return [header_of(proto, src) for proto in protos for src in proto.srcs]
        return []

    def generated_header(self, label):
        """The file of a target that generates a header whose name is known, as a label; others as they are."""
        target = self.targets.get(label)
        return f"{label.partition(':')[0]}:{target.header}" if target is not None and target.header else label

    def exists(self, path):
        return os.path.isfile(os.path.join(self.root, path))

    def read(self, path):
        with open(os.path.join(self.root, path), encoding="utf-8") as file:
            return file.read()

    def includes(self, target):
        """Those of its files that are not generated."""
        for path in sorted({path_of(label) for label in target.srcs + target.hdrs}):
            if not self.exists(path):
                continue
            text = self.read(path)
            for line, include in lexer.scan(text).includes:
                optional = re.search(rf'__has_include\([<"]{re.escape(include)}[>"]\)', text)
                yield Include(f"{path}:{line}", include, bool(optional))

    def providers(self, include):
        """Labels that provide a header; [] where nothing does; None where it is none of our business."""
        if include.startswith("absl/"):
            return [self.abseil[include]] if include in self.abseil else []
        for prefix, labels in LIBRARIES.items():
            if include.startswith(prefix):
                return labels
        if include in self.owners or os.path.isdir(os.path.join(self.root, include.split("/")[0])):
            return self.owners.get(include, [])
        return None

    def resolve(self, label):
        while label in self.targets and self.targets[label].kind == "alias":
            label = self.targets[label].actual
        return label

    def generates(self, label):
        """Whether a target has headers whose names cannot be known here."""
        target = self.targets.get(label)
        return target is not None and any(
            not header.endswith(".h") and not self.exists(header) for header in self.headers(target)
        )

    def may_generate(self, label, header):
        package = label.partition(":")[0].removeprefix("//")
        return header.startswith(package + "/") and self.generates(label)

    def closure(self, labels):
        """The targets, and what comes along with them."""
        found, left = set(), [self.resolve(label) for label in labels]
        while left:
            label = left.pop()
            if label not in found:
                found.add(label)
                left += map(self.resolve, self.targets[label].deps if label in self.targets else [])
        return found

    def with_bundles(self, labels):
        """The targets, the deps of those that are bundles, and the generated deps of those that are generated."""
        found, left = set(), list(labels)
        while left:
            label = self.resolve(left.pop())
            if label not in found:
                found.add(label)
                target = self.targets.get(label)
                if target is None or target.kind != "cc_library":
                    continue
                if not target.srcs and not target.hdrs:
                    left += target.deps
                elif self.is_generated(label):
                    left += filter(self.is_generated, map(self.resolve, target.deps))
        return found

    def is_generated(self, label):
        """Whether a target is a library of generated headers alone: API types, clients or informers of them."""
        target = self.targets.get(label)
        return bool(target and target.hdrs) and not any(header.endswith(".h") for header in target.hdrs)

    def check(self, target):
        """Yields the findings about one target."""
        own_files = {path_of(label) for label in target.srcs + target.hdrs}
        if not own_files:
            return
        deps = {self.resolve(dep): dep for dep in target.deps}
        is_example = any(path.startswith("examples/") for path in own_files)
        shows_bundle = target.label.endswith((":bundle_test", "_bundle_test")) or any(
            re.match(r"docs/snippets/([^/]+/|readme\.cc$)", path) for path in own_files
        )
        usable = self.closure(deps) if is_example else self.with_bundles(deps) if shows_bundle else deps.keys()
        used = set()
        for include in self.includes(target):
            providers = self.providers(include.path)
            if providers is None or include.path in own_files:
                continue
            used.update(providers)
            if target.label in providers or usable & set(providers):
                continue
            generating = any(self.may_generate(dep, include.path) for dep in usable)
            if providers or not (generating or include.optional):
                advice = self.advice(include.path, providers)
                yield f"{include.place}: {target.label} includes {include.path}: {advice}"
        if any(not self.exists(path) for path in own_files):
            return  # a generated file may use anything
        kept = self.kept_deps(target)
        for dep, written in sorted(deps.items()):
            if dep not in used and written not in kept and self.is_for_headers(dep):
                yield f"{target.place}: {target.label} includes nothing of {written}: remove it, or mark it # keep"

    def advice(self, include, providers):
        if providers:
            return f"add {providers[0]} to deps"
        if include in self.private:
            return f"it is private to {self.private[include]}"
        if include.startswith("absl/"):
            return "no target of third_party/abseil/targets.bzl has it"
        return "no target has it in its hdrs"

    def is_for_headers(self, dep):
        """Whether a dep is of use only if a header of it is included."""
        if dep.startswith("@"):
            return dep in self.abseil.values() or (
                any(dep in labels for labels in LIBRARIES.values()) and not dep.endswith("_main")
            )
        target = self.targets.get(dep)
        return target is not None and bool(self.headers(target)) and not self.generates(dep)

    def kept_deps(self, target):
        """The deps that the target's BUILD file marks with # keep, as full labels."""
        package = target.label.partition(":")[0]
        marked = re.findall(r'"([^"]+)",?\s*# keep\b', self.read(target.place.rpartition(":")[0]))
        return {self.full_label(package, label) for label in marked}

    @staticmethod
    def full_label(package, label):
        if label.startswith(":"):
            return package + label
        return label if ":" in label else f"{label}:{label.rpartition('/')[2]}"


def check_tree(root, targets, abseil):
    checker = Checker(root, targets, abseil)
    checked = [t for t in targets.values() if t.kind in ("cc_library", "cc_binary", "cc_test")]
    return len(checked), [finding for target in checked for finding in checker.check(target)]


def main():
    formatter = argparse.RawDescriptionHelpFormatter
    argparse.ArgumentParser(prog="tools/check_deps", description=__doc__, formatter_class=formatter).parse_args()
    query = subprocess.run(["bazel", "query", "--output=xml", QUERY], cwd=ROOT, capture_output=True)
    if query.returncode != 0:
        sys.exit(f"query targets: {query.stderr.decode(errors='replace').strip()}")
    with open(os.path.join(ROOT, "third_party/abseil/targets.bzl"), encoding="utf-8") as file:
        abseil = abseil_headers(file.read())
    count, findings = check_tree(ROOT, parse_query(query.stdout, ROOT), abseil)
    for finding in sorted(findings):
        print(finding)
    print(f"{count} targets, {len(findings)} findings")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
