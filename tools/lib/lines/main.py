#!/usr/bin/env python3
"""Counts the hand-written lines of programs in C++, IDL or Go: tools/lines [--total] FOLDER...

For each folder it prints the lines of each source in it and their sum. What is counted is what somebody has to write
and to read of an operator, by the same definition for all languages: the lines of *.cc, *.h, *.proto and *.go, but not

* blank lines, and lines with nothing but a comment (markers of controller-gen are comments, too);
* includes and imports;
* generated files, which have a line "// Code generated ... DO NOT EDIT.";
* tests: files *_test.cc, *_test.h, *_test.go, and what is in a folder test, tests, testing or testdata below the one
  that is counted.

Build files, manifests and scripts are not counted. `package`, `namespace`, `syntax` and include guards are.
"""

import argparse
import os
import re
import sys

_TEST_FOLDERS = {"test", "tests", "testing", "testdata"}
_TEST_FILE = re.compile(r"_test\.[a-z]+$")
_GENERATED = re.compile(r"^// Code generated .* DO NOT EDIT\.$", re.MULTILINE)

_COMMENT = r"(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))"
_TEXT = r'"(?:\\.|[^"\\\n])*"'
_CHARACTER = r"'(?:\\.|[^'\\\n])*'"
_CPP_RAW_TEXT = r'(?<!\w)(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)"'
_CPP_NUMBER = r"(?<![\w.])\.?\d(?:[eEpP][+-]|'?[\w.])*"  # so that the ' in 1'000 does not open a literal
_GO_RAW_TEXT = r"`[^`]*`"


def _tokens(*literals):
    return re.compile("|".join((_COMMENT, *literals)), re.DOTALL)


# By the ending of a file: its comments and literals, and its imports once the comments are gone.
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b[^\n]*", re.MULTILINE)
_CPP = (_tokens(_CPP_RAW_TEXT, _CPP_NUMBER, _TEXT, _CHARACTER), _INCLUDE)
_LANGUAGES = {
    ".cc": _CPP,
    ".h": _CPP,
    ".proto": (_tokens(_TEXT, _CHARACTER), re.compile(r"^[ \t]*import\b[^;]*;", re.MULTILINE)),
    ".go": (_tokens(_GO_RAW_TEXT, _TEXT, _CHARACTER), re.compile(r"^import\b[ \t]*(?:\([^)]*\)|[^\n]*)", re.MULTILINE)),
}


def count(path, text):
    """Returns the number of hand-written lines of a source; 0 if it is generated or in another language."""
    language = _LANGUAGES.get(os.path.splitext(path)[1])
    if language is None or _GENERATED.search(text):
        return 0
    tokens, imports = language
    code = tokens.sub(lambda token: " " if token["comment"] else token[0], text)
    return sum(1 for line in imports.sub("", code).splitlines() if line.strip())


def is_counted(path):
    """Returns whether a path below the folder that is counted is a source, and not a test."""
    *folders, name = path.split(os.sep)
    return os.path.splitext(name)[1] in _LANGUAGES and not _TEST_FILE.search(name) and not _TEST_FOLDERS & set(folders)


def sources(folder):
    """Yields the paths of the sources below a folder, relative to it and sorted."""
    for parent, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.relpath(os.path.join(parent, name), folder)
            if is_counted(path):
                yield path


def report(folder, only_total):
    """Returns the lines to print for a folder."""
    counts = {}
    for path in sources(folder):
        with open(os.path.join(folder, path), encoding="utf-8") as file:
            lines = count(path, file.read())
        if lines:
            counts[path] = lines
    rows = [] if only_total else [f"{lines:6}  {path}" for path, lines in counts.items()]
    return [*rows, f"{sum(counts.values()):6}  {folder}"]


def main(arguments):
    parser = argparse.ArgumentParser(
        prog="tools/lines", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--total", action="store_true", help="print the sums alone")
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    options = parser.parse_args(arguments)
    for folder in options.folders:
        if not os.path.isdir(folder):
            print(f'tools/lines: read "{folder}": it is not a folder', file=sys.stderr)
            return 1
        print("\n".join(report(folder, options.total)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
