"""Where things stand: what the folders of the house promise."""

import collections
import os
import posixpath
import re

import build_files
import declarations
import files
import lexer

_INTERNAL = "/internal/"
_MOST_FILES = 45
PRODUCT = ("apimachinery/", "net/", "clientset/", "listers/", "informers/", "controller/", "apiserver/", "envtest/", "webhook/", "codegen/")
# What the project's card promises: who looks for a Kubernetes client built with Bazel finds these.
CARD_PATHS = (
    *("WORKSPACE", "BUILD.bazel"),
    *(f"{folder}/" for folder in "clientset informers listers apimachinery codegen tests third_party".split()),
)
CARD_LABELS = ("@curl", "@simdjson", "@com_google_absl//", "@com_google_protobuf//", "@com_google_googletest//", "@rules_cc//")


def internal_include(sources):
    """Go's rule: X/internal/ is included by files below X/ only. Generated files are no exception."""
    for path, text in sources.items():
        if not files.is_cpp(path):
            continue
        for include in lexer.scan(text).includes:
            owner, found, _ = include.path.partition(_INTERNAL)
            if found and not path.startswith(owner + "/"):
                yield path, include.line, (
                    f"#include {include.path}: only files below {owner}/ may; make the header public, or move its user"
                )


def internal_visibility(path, text):
    """A target that has only headers of internal/ is for the folder above it, as its headers are."""
    package = os.path.dirname(path)
    for target in build_files.targets(path, text):
        headers = [header.text for header in target.headers]
        if not headers or not all(header.startswith("internal/") for header in headers):
            continue
        for label in target.visibility:
            seen = label.text.removeprefix("//").partition(":")[0]
            if label.text != "//visibility:private" and not (seen + "/").startswith(package + "/"):
                yield label.line, f"{target.name} is internal to //{package}: it must not be visible to {label.text}"


_INTERNAL_TYPE = re.compile(r"\b(?:\w+::)*internal::(\w+)")


def public_internal_type(path, text):
    """Yields (line, message, type) for parameters, results, bases, members and aliases; a reason names header and type.

    What a template asks of its parameters, a concept, is no type.
    """
    if not files.is_public_header(path):
        return
    for declaration in declarations.public(lexer.scan(text).code):
        name = _INTERNAL_TYPE.search(declarations.signature(declaration.text))
        if name and not re.match(r"friend\s+(class|struct)\b", declaration.text):
            message = f"{name[0]} in a public declaration: make it private, or {name[1]} a public type"
            yield declaration.line, message, f"{path}:{name[1]}"


_SUPPORT = re.compile(r"(?:^|/)(?:fake|scripted|mock|test)_\w+\.(?:h|cc)$")


def test_support(path, text):
    """Fakes and what else tests are made with stand in <package>/testing/."""
    if not files.is_cpp(path) or not path.startswith(PRODUCT):
        return
    if "_for_test." in path:
        yield 1, "test support stands in a folder testing/, without _for_test in its name"
    elif _SUPPORT.search(path) and not path.endswith("_test.cc") and not re.search(r"/testing/|^envtest/fake/", path):
        yield 1, f"{os.path.basename(path)}: test support stands in a folder testing/"


def testing_target(path, text):
    """What is in testing/ is testonly, and so is what depends on it: Bazel keeps that out of products."""
    in_testing = "/testing/" in path
    for target in build_files.targets(path, text):
        if not target.rule.startswith("cc_") or target.testonly:
            continue
        if in_testing:
            yield target.line, f"{target.name}: add testonly = True"
            continue
        for dep in target.deps:
            if "/testing/" in dep.text.partition(":")[0] + "/":
                yield dep.line, f"{dep.text} is for tests, and {target.name} is none: testonly = True, or do without"


def testing_include(path, text):
    """No product code uses what is for tests."""
    if not files.is_cpp(path) or not path.startswith(PRODUCT) or files.is_test(path):
        return
    for include in lexer.scan(text).includes:
        if "/testing/" in include.path:
            yield include.line, f"#include {include.path}: it is for tests"


# The last folder of a path that is not internal/ names the namespace. The folders below these divide a package: they add
# nothing to its namespace.
_DIVIDED = {
    "apimachinery/cel": "cel",
    "apimachinery/codec": "codec",
    "apiserver": "apiserver",
    "clientset/rest/internal/credentials": "rest",
    "codegen": "codegen",
    "controller/cache": "controller",
    "controller/manager": "controller",
    "controller/predicates": "controller",
    "controller/reconcile": "controller",
    "controller/triggers": "controller",
    "envtest/workloads": "envtest",
}
# Below a divided package, but packages of their own.
_WHOLE = ("apiserver/printers",)
_NAMESPACE = re.compile(r"^(?:inline )?namespace (kube(?:::\w+)*) \{", re.MULTILINE)
# Besides: what a kind's table, or a value of the API, needs in the namespace of all types.
_ALSO = {
    "apimachinery/base": ("kube",),
    "apimachinery/types": ("kube", "kube::internal", "kube::table", "kube::table::operators"),
    "apimachinery/table": ("kube",),
    "apimachinery/resource": ("kube",),
    "clientset/typed": ("kube::codec",),
    "clientset/kubernetes": ("kube::kubernetes",),
    "informers/kubernetes": ("kube::kubernetes",),
}


def namespace_of(path):
    """The namespace of a file: kube and the name of its package, with ::internal for what is internal to it."""
    folder = os.path.dirname(path)
    for part in _WHOLE:
        if (folder + "/").startswith(part + "/"):
            return "kube::" + posixpath.basename(part)
    for part, name in _DIVIDED.items():
        if (folder + "/").startswith(part + "/"):
            return "kube::" + name
    return "kube::" + [name for name in folder.split("/") if name != "internal"][-1]


def namespace(path, text):
    if not files.is_cpp(path) or not path.startswith(PRODUCT) or files.is_test(path):
        return
    wanted = namespace_of(path) + ("::internal" if _INTERNAL in path else "")
    also = next((names for folder, names in _ALSO.items() if path.startswith(folder + "/")), ())
    for match in _NAMESPACE.finditer(lexer.scan(text).code):
        name = match[1]
        if (name + "::").startswith(wanted + "::") or name in also or name.startswith("kube::api"):
            continue
        yield lexer.line_of(text, match.start(1)), f"namespace {name}: a file of this folder is in {wanted}"


def build_order(path, text):
    """Targets stand in alphabetical order, a test behind what it tests."""
    named = [target for target in build_files.targets(path, text) if target.top and target.name.isidentifier()]
    names = {target.name for target in named}
    for before, after in zip(named, named[1:]):
        if order_key(before.name, names) > order_key(after.name, names):
            yield after.line, f"{after.name} stands before {before.name}: tools/sort_build puts targets in order"


def order_key(name, names):
    tested = name.removesuffix("_test")
    return (tested, 1) if tested != name and tested in names else (name, 0)


def folder_size(sources):
    """A folder that nobody can take in at a glance holds several subjects."""
    counts = collections.Counter(
        os.path.dirname(path)
        for path in sources
        if files.is_cpp(path) and path.startswith(PRODUCT) and not path.endswith("_test.cc")
    )
    for folder, count in counts.items():
        if count > _MOST_FILES:
            yield folder, 1, f"{count} files: more than {_MOST_FILES}; divide it by subject"


_ADR = re.compile(r"^docs/adr/(\d{4})-[\w.-]+\.md$")


def adr_numbers(sources):
    """Decisions are numbered without gaps, and listed."""
    found = sorted(path for path in sources if _ADR.match(path))
    index = sources.get("docs/adr/README.md")
    if index is None:
        return  # Not the whole folder.
    for number, path in enumerate(found, start=1):
        if int(_ADR.match(path)[1]) != number:
            yield path, 1, f"the decision after number {number - 1} is number {number}"
        if f"({os.path.basename(path)})" not in index:
            yield path, 1, "docs/adr/README.md does not list it"


def project_card(sources):
    """The top of the tree and what the build is made of are what the project's description says."""
    if "WORKSPACE" not in sources and "ARCHITECTURE.md" not in sources:
        return  # Not the whole tree.
    for wanted in CARD_PATHS:
        if not any(path == wanted or (wanted.endswith("/") and path.startswith(wanted)) for path in sources):
            yield wanted, 1, "the top of the tree has it"
    build = "\n".join(text for path, text in sources.items() if path.endswith((".bazel", ".bzl", ".BUILD", "WORKSPACE")))
    for label in CARD_LABELS:
        if label not in build:
            yield "BUILD.bazel", 1, f"nothing in the build names {label}"
