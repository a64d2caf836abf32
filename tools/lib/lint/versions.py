"""tools/versions.bzl is the one place of versions: nothing else may spell one of them."""

import ast
import os
import re

_PLACE = "tools/versions.bzl"
_FILE = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))), "versions.bzl")


def parse(text):
    """Starlark's NAME = "1.2.3" -> {NAME: "1.2.3"}. A dictionary of releases is left out: only tools/kube needs it."""
    assignments = [node for node in ast.parse(text).body if isinstance(node, ast.Assign)]
    values = {node.targets[0].id: ast.literal_eval(node.value) for node in assignments}
    return {name: value for name, value in values.items() if isinstance(value, str)}


with open(_FILE, encoding="utf-8") as file:
    VERSIONS = parse(file.read())


def version(path, text):
    if path == _PLACE:
        return
    for name, value in VERSIONS.items():
        if value not in text:
            continue
        for match in re.finditer(rf"(?<![\d.]){re.escape(value)}(?!\.?\d)", text):
            line = text.count("\n", 0, match.start()) + 1
            yield line, f"{value}: read {name} of {_PLACE} (tools/version {name}); in prose leave the number out"
