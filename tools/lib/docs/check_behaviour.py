#!/usr/bin/env python3
"""Compares docs/behaviour.md with the tests: check_behaviour.py PAGE.

A row of the page is `| CODE | behaviour | upstream's place | our tests |`. A test cites a code in its name, "Wq4_KeysComeOnce" or
"EV1TriesTwelveTimes", or in the comment above it, "// behaviour.md: RF-11". A row names the tests that cite its code, and no others.
Whatever else a test file cites, in comments or names of cases, has a row too. Public headers cite no code.
"""

import os
import re
import sys

sys.dont_write_bytecode = True
import public_headers

_LIST = r"[A-Z]+-\d+(?:, [A-Z]+-\d+)*"
_ROW = re.compile(r"\| ([A-Z]+)-(\d+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|")
_TESTS = re.compile(r"`([\w/]+_test\.cc): (\w+\.\w+(?:, \w+\.\w+)*)`")
_SECTION = re.compile(r"\[[^\]]+\]\(([\w-]+\.md)#([\w-]+)\)")
# A test, and the lines of comment above it.
_TEST = re.compile(r"((?:^//.*\n)*)^\w*TEST\w*\(\s*(\w+),\s*(\w+)\s*\)", re.MULTILINE)
_WITHOUT_TESTS = ("no test", "not implemented")


class Row:
    def __init__(self, line, match):
        prefix, number, self.behaviour, self.place, self.cell = match.groups()
        self.line, self.code = line, f"{prefix}-{number}"
        self.order = (prefix, int(number))
        self.tests = [(path, name) for path, names in _TESTS.findall(self.cell) for name in names.split(", ")]

    def kind(self):
        if self.tests:
            return "deviates" if self.cell.startswith("deviates, see [") else "tested"
        return next((kind for kind in _WITHOUT_TESTS if self.cell.startswith(kind)), None)


def rows(page):
    """Yields the tables' rows, each as (line, Row or None if it is none of ours, whether it is the first one of its table)."""
    first = True
    for line, text in enumerate(page.splitlines(), 1):
        if not text.startswith("| ") or text.startswith(("| Code |", "| --- |")):
            first = True
            continue
        match = _ROW.fullmatch(text)
        yield line, match and Row(line, match), first
        first = False


def anchors(page):
    """Those of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", page, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def codes_of_name(name, prefixes):
    """Wq1_Wq3_Defaults -> {WQ-1, WQ-3}; EV1 -> {EV-1}."""
    found = set()
    while match := re.match(r"([A-Z][A-Za-z]*?)(\d+)(?:_|$|(?=[A-Z]))", name):
        if match[1].upper() not in prefixes:
            break
        found.add(f"{match[1].upper()}-{match[2]}")
        name = name[match.end() :]
    return found


def marked(text):
    """The codes of its "behaviour.md: RF-3, RF-11"."""
    return {code for codes in re.findall(rf"behaviour\.md: ({_LIST})", text) for code in codes.split(", ")}


def cited(text, prefixes):
    """All codes in a text, but for those in names."""
    known = rf"\b(?:{'|'.join(sorted(prefixes))})-\d+\b"
    return marked(text) | set(re.findall(known, text) if prefixes else [])


def check(page, tests, headers, guides):
    """The page's text, {path: text} of tests and public headers, {name: text} of the pages beside it -> findings."""
    known, before = {}, None
    sections = {name: anchors(text) for name, text in guides.items()}
    for line, row, first in rows(page):
        if row is None:
            yield line, "not a row of four cells that begins with a code"
            continue
        if row.code in known:
            yield line, f"{row.code} has a row already, in line {known[row.code].line}"
        elif not first and before is not None and row.order < before.order:
            yield line, f"{row.code} after {before.code}"
        if row.kind() is None:
            yield line, f"{row.code} names no test; say \"no test\" or \"not implemented\""
        elif row.cell.count("_test.cc: ") != len(_TESTS.findall(row.cell)):
            yield line, f"{row.code} has tests that are not written as `a/b_test.cc: Suite.Name, Suite.Name`"
        for guide, section in _SECTION.findall(row.cell):
            if section not in sections.get(guide, ()):
                yield line, f"{row.code}: {guide} has no section #{section}"
        known.setdefault(row.code, row)
        before = row

    prefixes = {row.order[0] for row in known.values()}
    codes_of_test = {}
    for path, text in tests.items():
        codes = cited(text, prefixes)
        for comment, suite, name in _TEST.findall(text):
            of_test = marked(comment) | codes_of_name(name, prefixes)
            codes_of_test[path, f"{suite}.{name}"] = of_test
            codes |= of_test
        for code in sorted(codes - set(known)):
            yield path, f"cites {code}, which has no row"
    for row in known.values():
        for path, name in row.tests:
            if path not in tests:
                yield row.line, f"{row.code}: there is no {path}"
            elif (path, name) not in codes_of_test:
                yield row.line, f"{row.code}: {path} has no test {name}"
            elif row.code not in codes_of_test[path, name]:
                yield path, f"{name} does not cite {row.code}, whose row names it; write \"// behaviour.md: {row.code}\" above it"
    for (path, name), codes in codes_of_test.items():
        for code in sorted(codes & set(known)):
            if (path, name) not in known[code].tests:
                yield path, f"{name} cites {code}, whose row does not name it"
    for name, text in guides.items():
        for code in sorted(cited(text, prefixes) - set(known)):
            yield name, f"cites {code}, which has no row"
    for path, text in headers.items():
        for code in sorted(cited(text, prefixes)):
            yield path, f"a public header cites {code}; say what is so instead"


def _read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def _tests(root):
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(each for each in folders if not each.startswith((".", "bazel-")))
        for name in sorted(names):
            if name.endswith("_test.cc"):
                yield os.path.relpath(os.path.join(folder, name), root)


def _guides(root, page):
    folder = os.path.dirname(page)
    names = sorted(name for name in os.listdir(os.path.join(root, folder)) if name.endswith(".md"))
    return {name: _read(root, os.path.join(folder, name)) for name in names if name != os.path.basename(page)}


def main(root, arguments):
    path = arguments[0]
    page = _read(root, path)
    findings = list(
        check(
            page,
            {each: _read(root, each) for each in _tests(root)},
            {each: _read(root, each) for each in sorted(public_headers.all_headers(root))},
            _guides(root, path),
        )
    )
    for place, finding in findings:
        print(f"{path}:{place}: {finding}" if isinstance(place, int) else f"{place}: {finding}")
    kinds = [row.kind() for _, row, _ in rows(page) if row]
    counts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in ("tested", "deviates", *_WITHOUT_TESTS))
    print(f"{len(kinds)} rows ({counts}), {len(findings)} findings")
    return 1 if findings or not kinds else 0


if __name__ == "__main__":
    sys.exit(main(os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))), sys.argv[1:]))
