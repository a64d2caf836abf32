"""A class has one definition in a program: two of one name in different files are told apart by luck alone."""

import re

import declarations
import files
import lexer

_NAMESPACE = re.compile(r"\bnamespace\b(?P<name>[\w:\s]*)$")
_CLASS = re.compile(
    r"\b(?<!enum )(?:class|struct|union)\s+(?:\[\[.*?\]\]\s*|alignas\([^)]*\)\s*)*(?P<name>\w+)\s*(?:final\s*)?(?::[^:].*)?$",
    re.DOTALL,
)
_PART = re.compile(r"[{};]|^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)
_PROGRAM_FOLDERS = ("benchmarks/", "examples/", "tests/")


def check(sources):
    """Yields (path, line, message) over {path: text}; what has main() or is for tests is linked with nothing else."""
    first = {}
    for path, text in sources.items():
        if not files.is_cpp(path) or files.is_test(path) or files.is_generated(text) or _is_alone(path, text):
            continue
        for line, name in definitions(text):
            other = first.setdefault(name, path)
            if other != path:
                yield path, line, f"{name} is defined in {other}, too: rename it, or use an anonymous namespace"


def _is_alone(path, text):
    return path.startswith(_PROGRAM_FOLDERS) or re.search(r"^int main\(", text, re.MULTILINE)


def definitions(text):
    """Yields (line, name) of each class of a named namespace; specialisations have names of their own, and are left out."""
    code = lexer.scan(text).code
    scopes = []  # of each open brace: the namespace's name, or None of any other and of those without one
    begin = 0
    for part in _PART.finditer(code):
        head, begin = code[begin : part.start()].rstrip(), part.end()
        if part[0] == "}" and scopes:
            scopes.pop()
        if part[0] != "{":
            continue
        namespace = _NAMESPACE.search(head)
        head = declarations.without_template(head.lstrip())
        class_ = None if namespace or "=" in head else _CLASS.search(head)
        if class_ and None not in scopes:
            yield lexer.line_of(code, part.start()), "::".join([*scopes, class_["name"]])
        scopes.append((namespace["name"].strip() or None) if namespace else None)
