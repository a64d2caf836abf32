"""Reads BUILD files: Starlark's syntax is Python's."""

import ast
import functools
import os
from typing import NamedTuple


class Label(NamedTuple):
    line: int
    text: str


class Target(NamedTuple):
    line: int
    rule: str
    name: str  # an expression where it is computed
    deps: list[Label]
    testonly: bool
    headers: list[Label]
    visibility: list[Label]  # the package's, where the target has none of its own
    top: bool  # not made in a list comprehension


def is_build(path):
    return os.path.basename(path) == "BUILD.bazel"


@functools.lru_cache(maxsize=8)
def parse(text):
    """Every call with a name, also inside a list comprehension. Raises SyntaxError."""
    tree = ast.parse(text)
    top = {id(statement.value) for statement in tree.body if isinstance(statement, ast.Expr)}
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    visibility = []
    for call in calls:
        if ast.unparse(call.func) == "package":
            visibility = [label for k in call.keywords if k.arg == "default_visibility" for label in _strings(k.value)]
    return [_target(call, id(call) in top, visibility) for call in calls if any(k.arg == "name" for k in call.keywords)]


def targets(path, text):
    """The targets of a BUILD file, none where it cannot be parsed: the rule build-syntax says so."""
    try:
        return parse(text) if is_build(path) else []
    except SyntaxError:
        return []


def _target(call, top, default_visibility):
    attributes = {keyword.arg: keyword.value for keyword in call.keywords}
    rule = call.func.id if isinstance(call.func, ast.Name) else ""
    name = attributes["name"]
    testonly = attributes.get("testonly")
    return Target(
        line=call.lineno,
        rule=rule,
        name=name.value if isinstance(name, ast.Constant) else ast.unparse(name),
        deps=list(_strings(attributes["deps"])) if "deps" in attributes else [],
        headers=list(_strings(attributes["hdrs"])) if "hdrs" in attributes else [],
        visibility=list(_strings(attributes["visibility"])) if "visibility" in attributes else default_visibility,
        top=top,
        testonly=rule.endswith(("_test", "_benchmark")) or bool(testonly and ast.unparse(testonly) in ("True", "1")),
    )


def _strings(node):
    """The strings of a list, of a sum of lists and of the values of a select."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield Label(node.lineno, node.value)
    children = node.values if isinstance(node, ast.Dict) else ast.iter_child_nodes(node)
    for child in children:
        yield from _strings(child)
