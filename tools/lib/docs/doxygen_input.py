#!/usr/bin/env python3
"""Makes Doxygen's documentation of the plain // comments of headers.

  doxygen_input.py FOLDER HEADER...     writes them below the folder

In namespaces, classes and enumerations, a comment right above a declaration and one at the end of its line belong to it;
all others stay comments. One above a namespace is about the file. Their text is plain: `code`, lists with * or -, and code indented by three blanks after an empty line.
"""

import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lint"))
import lexer

_SCOPE = re.compile(r"(?:inline |typedef |friend )?(namespace|class|struct|union|enum|extern)\b")
_TEMPLATE = re.compile(r"^template <(?:[^<>]|<[^<>]*>)*>\s*(?:requires [^{]*?(?=\b(?:class|struct)\b))?")
_SPECIAL = re.compile(r'[\\@&<>#%"$]|--+|(?<!\w)::')
_CODE_INDENT = 3
_NAMESPACE = ("namespace ", "inline namespace ")


def escaped(text):
    """Text that Doxygen shows as it is."""
    return _SPECIAL.sub(lambda special: special[0].replace("-", "\\-") if special[0][0] == "-" else "\\" + special[0], text)


def inline(text):
    """A line of prose, with `code`."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # one that is not closed on its line
        parts[-2:] = ["`".join(parts[-2:])]
    return "".join(f"<code>{escaped(part)}</code>" if i % 2 else escaped(part) for i, part in enumerate(parts))


def documentation(lines):
    """Lines of a comment without their slashes -> the same for Doxygen."""
    found, in_code = [], False
    for number, line in enumerate(lines):
        indented = len(line) - len(line.lstrip()) >= _CODE_INDENT
        after_empty = number == 0 or not lines[number - 1].strip()
        if in_code and line.strip() and not indented:
            found.append(" @endcode")
            in_code = False
        elif not in_code and indented and after_empty:
            found.append(" @code{.cpp}")
            in_code = True
        if in_code:
            found.append(line)
        else:
            found.append(inline(re.sub(r"^(\s*)\* ", r"\1- ", line)))
    return found + [" @endcode"] * in_code


class _Scopes:
    """Where declarations may stand, from the code up to some line."""

    def __init__(self):
        self._kinds = []  # of the braces that are open: what _SCOPE found, or "" for code
        self._statement = ""

    def declares(self):
        return "" not in self._kinds

    def in_enum(self):
        return self._kinds[-1:] == ["enum"]

    def begins(self):
        """Whether no declaration is under way."""
        return not self._statement.strip() or self.in_enum()

    def add(self, code):
        if code.lstrip().startswith("#"):
            return
        for character in code + " ":
            if character == "{":
                statement = _TEMPLATE.sub("", " ".join(self._statement.split()))
                scope = _SCOPE.match(statement)
                self._kinds.append(scope[1] if scope and not statement.endswith(")") else "")
                self._statement = ""
            elif character == "}":
                if self._kinds:
                    self._kinds.pop()
                self._statement = ""
            elif character == ";":
                self._statement = ""
            else:
                self._statement += character
        self._statement = re.sub(r"\b(public|protected|private):", "", self._statement)


def _is_documented(code):
    """Whether a comment right above this line of code belongs to it."""
    code = code.strip()
    return bool(code) and not re.match(r"}|(public|protected|private):|#(?!define)", code)


def filtered(text):
    lines, code = text.split("\n"), lexer.scan(text).code.split("\n")
    scopes, found, number, trailing_at = _Scopes(), [], 0, None
    while number < len(lines):
        line = lines[number]
        end = number
        while end < len(lines) and lines[end].lstrip().startswith("//"):
            end += 1
        if end == number:
            trailing_at, line = _trailing(line, code[number], scopes)
            found.append(line)
            scopes.add(code[number])
            number += 1
            continue
        column = len(line) - len(line.lstrip())
        block = [each.lstrip()[2:] for each in lines[number:end]]
        while block and column == trailing_at:  # goes on where the line before it ended
            found.append(f"{' ' * column}///< {inline(block.pop(0).strip())}")
            number += 1
            column = len(lines[number]) - len(lines[number].lstrip()) if block else None
        if block and scopes.declares() and scopes.begins() and end < len(code) and _is_documented(code[end]):
            while block and re.match(r" (----|NOLINT)", block[0]):
                found.append(f"//{block.pop(0)}")
            if block and code[end].startswith(_NAMESPACE):
                found.append("/// @file")
            found += [f"{' ' * column}///{each}" for each in documentation(block)]
        else:
            found += lines[number:end]
        number, trailing_at = end, None
    return "\n".join(found)


def _trailing(line, code, scopes):
    """A line of code -> where its documentation stands, or None, and the line with it."""
    at = len(code.rstrip())
    comment = line[at:].strip()
    declared = code.rstrip().endswith((";", "}")) or scopes.in_enum()
    if not comment.startswith("// ") or comment.startswith("// NOLINT") or not scopes.declares() or not declared:
        return None, line
    if not _is_documented(code):
        return None, line
    column = line.index("//", at)
    return column, f"{line[:column]}///< {inline(comment[3:])}"


def main(folder, *headers):
    for header in headers:
        path = os.path.join(folder, header)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(header, encoding="utf-8") as source, open(path, "w", encoding="utf-8") as written:
            written.write(filtered(source.read()))


if __name__ == "__main__":
    main(*sys.argv[1:])
