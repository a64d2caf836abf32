#!/usr/bin/env python3
"""Compares what pages say of the checkout with it: check_names.py PAGE...

Tests that a page names, `a/b_test.cc: Suite.Name, Suite.Other`, and files that it names by their path from the root, `a/b.h`, must exist.
"""

import os
import re
import sys

_CODE = re.compile(r"`([^`\n]+)`")
_TESTS = re.compile(r"([\w/]+_test\.cc): (\w+\.\w+(?:, \w+\.\w+)*)")
_PATH = re.compile(r"(?:[\w.-]+/)+[\w.-]+\.(?:bazel|bzl|cc|h|md|proto|py|sh|txt)")
_TEST = re.compile(r"^\w*TEST\w*\(\s*(\w+),\s*(\w+)\s*\)", re.MULTILINE)


def check(page, read):
    """The text of a page, and the text of a file by its path, None if there is none -> findings."""
    for line, text in enumerate(page.splitlines(), 1):
        for code in _CODE.findall(text):
            tests = _TESTS.fullmatch(code)
            path = tests[1] if tests else code
            if not _PATH.fullmatch(path):
                continue
            source = read(path)
            if source is None:
                yield line, f"there is no {path}"
                continue
            found = {".".join(each) for each in _TEST.findall(source)}
            for name in tests[2].split(", ") if tests else ():
                if name not in found:
                    yield line, f"{path} has no test {name}"


def main(root, pages):
    def read(path):
        path = os.path.join(root, path)
        if not os.path.isfile(path):
            return None
        with open(path, encoding="utf-8") as file:
            return file.read()

    findings = [f"{path}:{line}: {finding}" for path in pages for line, finding in check(read(path), read)]
    print("\n".join([*findings, f"{len(pages)} pages, {len(findings)} findings"]))
    return 1 if findings or not pages else 0


if __name__ == "__main__":
    sys.exit(main(os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))), sys.argv[1:]))
