"""Rules about BUILD files."""

import os

import build_files


def build_syntax(path, text):
    try:
        build_files.is_build(path) and build_files.parse(text)
    except SyntaxError as error:
        yield error.lineno, f"{error.msg}: keep to the Starlark that Python's parser reads too"


def untested_library(path, text):
    """Yields (line, message, target): a reason names the target, as in apimachinery/base:clock."""
    targets = build_files.targets(path, text)
    tests = {target.name for target in targets if target.rule == "cc_kube_test"}
    for target in targets:
        if target.rule == "cc_kube_library" and target.name + "_test" not in tests:
            label = f"{os.path.dirname(path)}:{target.name}"
            yield target.line, f"{label} has no test: add the cc_kube_test {target.name}_test", label


def plain_cc_rule(path, text):
    """The wrappers bring the warnings. Examples and the downstream workspace are built as users build."""
    if path.startswith(("examples/", "tests/downstream_workspace/")):
        return
    for target in build_files.targets(path, text):
        if target.rule in ("cc_library", "cc_binary", "cc_test"):
            wrapper = target.rule.replace("cc_", "cc_kube_")
            yield target.line, f"{target.rule}: use {wrapper} of //tools/build:cc.bzl"
