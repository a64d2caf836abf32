"""The declarations of a header that its users see: no private members, no bodies, nothing of a namespace internal."""

import re
from typing import NamedTuple

import lexer

_PART = re.compile(r"[{};()]|\b(?:public|protected|private)\s*:(?!:)")
_DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)
_NAMESPACE = re.compile(r"^(?:inline\s+)?namespace\b(?P<name>[\w:\s]*)$")
_CLASS = re.compile(
    r"^(?:class|struct|union)\s+(?:\[\[.*?\]\]\s*|alignas\([^)]*\)\s*)*[\w:]+\s*(?:<.*>\s*)?(?:final\s*)?(?::[^:].*)?$",
    re.DOTALL,
)
_NOT_NEWLINE = re.compile(r"[^\n]")


class Declaration(NamedTuple):
    line: int
    text: str  # up to its body or its semicolon


def public(code):
    """Yields a Declaration for each member and each name at namespace scope that users of the header see."""
    code = _DIRECTIVE.sub(lambda match: _NOT_NEWLINE.sub(" ", match[0]), code)
    scopes = []  # of each open brace that is not in parentheses: whether users see what is in it
    begin = parentheses = 0
    for part in _PART.finditer(code):
        token = part[0][0]
        if token in "()":
            parentheses = max(0, parentheses + (1 if token == "(" else -1))
        if parentheses or token == ")":
            continue
        head = code[begin : part.start()].strip()
        line = lexer.line_of(code, part.start() - len(code[begin : part.start()].lstrip()))
        begin = part.end()
        if token == "p" and scopes:
            scopes[-1] = not part[0].startswith("private")
        elif token == "}" and scopes:
            scopes.pop()
        elif token in "{;":
            if head and head[0] != "," and all(scopes):
                yield Declaration(line, head)
            if token == "{":
                scopes.append(_scope(head))


def _scope(head):
    namespace = _NAMESPACE.match(head)
    if namespace:
        return bool(namespace["name"].strip()) and "internal" not in namespace["name"].strip().split("::")
    head = without_template(head)
    return bool(_CLASS.match(head)) and not head.startswith("class")


def signature(text):
    """The declaration without template parameters, constraints, values, private bases and initialisers of members."""
    text = _without_constraint(without_template(text))
    if re.match(r"(class|struct)\b", text):
        return re.sub(r"\bprivate\s+[\w:]+", "", text)
    if text.startswith("using"):
        return text
    text = re.sub(r"(?<!operator)(?<![=!<>])=(?!=)[^,;)]*", "", text)
    end = _end_of_parameters(text)
    return text[:end] + re.sub(r"(?<!:):(?!:).*", "", text[end:], flags=re.DOTALL)


def without_template(text):
    while text.startswith("template"):
        end = _closing(text, text.find("<"), "<", ">")
        text = text[end:].lstrip()
    return text


def _without_constraint(text):
    if not text.startswith("requires"):
        return text
    at = text.find("(")
    return _without_constraint(text[_closing(text, at, "(", ")") :].lstrip()) if at >= 0 else ""


def _end_of_parameters(text):
    at = text.find("(")
    return _closing(text, at, "(", ")") if at >= 0 else len(text)


def _closing(text, at, opening, closing):
    """The place after the bracket that closes the one at the place."""
    depth = 0
    for place in range(max(at, 0), len(text)):
        depth += {opening: 1, closing: -1}.get(text[place], 0)
        if depth == 0:
            return place + 1
    return len(text)
