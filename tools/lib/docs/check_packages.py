#!/usr/bin/env python3
"""Compares a page's tables of Go packages with the modules themselves: check_packages.py PAGE MODULES.

A row is `| PACKAGE | NUMBER | here | WHERE |`, or has `not here` and says why. The package is a path in its module, in which `*` stands
for one name, and the number says how many packages it stands for. Every exported package of a module belongs to one row: of several,
to the one with the fewest stars. A table stands below a heading that ends in the module's path, "### `k8s.io/client-go`", and a line
above it has the sums: "367 packages: 330 here, 37 not". The headers that a row names exist; of a generated one, NAME.kube.h, the folder.

MODULES is a folder that has the modules by their paths. Where there is no Go to fetch them it is a file NAME.skipped with the reason.
"""

import os
import re
import sys

_HEADING = re.compile(r"^### `([\w./-]+)`$")
_ROW = re.compile(r"\| `([\w./*-]+)` \| (\d+) \| (here|not here) \| (.+) \|")
_SUMS = re.compile(r"(\d+) packages: (\d+) here, (\d+) not")
_HEADER = re.compile(r"`((?:[\w.-]+/)+[\w.-]+\.(?:h|bzl))`")
_PACKAGE = re.compile(r"^package (\w+)", re.MULTILINE)
_NOT_EXPORTED = ("internal", "testdata", "vendor")


class Row:
    def __init__(self, line, match):
        self.line, self.path = line, match[1]
        self.count, self.here, self.text = int(match[2]), match[3] == "here", match[4]
        self.pattern = re.compile(re.escape(self.path).replace(r"\*", r"[^/]+"))


class Table:
    def __init__(self, line, module):
        self.line, self.module, self.rows, self.sums = line, module, [], None


def tables(page):
    """The tables of a page, and findings about their form."""
    found, findings = [], []
    for line, text in enumerate(page.splitlines(), 1):
        if text.startswith("#"):
            heading = _HEADING.match(text)
            if heading:
                found.append(Table(line, heading[1]))
            elif found:
                found.append(None)
            continue
        table = found[-1] if found else None
        if table is None:
            continue
        if sums := _SUMS.search(text):
            table.sums = (line, tuple(int(each) for each in sums.groups()))
        if text.startswith("| `"):
            match = _ROW.fullmatch(text)
            if match:
                table.rows.append(Row(line, match))
            else:
                findings.append((line, "not a row of a package, a number, `here` or `not here`, and where or why"))
    return [table for table in found if table], findings


def packages(module):
    """The exported packages of the module in a folder, as paths in it, without the one of the folder itself and without programs."""
    for folder, folders, files in os.walk(module, followlinks=True):
        folders[:] = sorted(each for each in folders if each not in _NOT_EXPORTED and not each.startswith((".", "_")))
        names = set()
        for file in files:
            if file.endswith(".go") and not file.endswith("_test.go"):
                with open(os.path.join(folder, file), encoding="utf-8") as source:
                    names |= set(_PACKAGE.findall(source.read())[:1])
        path = os.path.relpath(folder, module)
        if names - {"main"} and path != ".":
            yield path


def check(table, paths, exists):
    """The table of a module, its packages, and whether a file of the checkout exists -> findings."""
    counts = {row.path: 0 for row in table.rows}
    if len(counts) != len(table.rows):
        yield table.line, f"{table.module} has two rows for the same packages"
    totals = [0, 0]
    for path in paths:
        rows = sorted((row for row in table.rows if row.pattern.fullmatch(path)), key=lambda row: row.path.count("*"))
        if not rows:
            yield table.line, f"{table.module}/{path} has no row"
            continue
        counts[rows[0].path] += 1
        totals[not rows[0].here] += 1
    for row in table.rows:
        if counts[row.path] != row.count:
            yield row.line, f"{row.path} stands for {counts[row.path]} packages, not for {row.count}"
        headers = [each for each in _HEADER.findall(row.text) if "GROUP" not in each]
        if row.here and not _HEADER.search(row.text):
            yield row.line, f"{row.path} is here, but the row names no header"
        for header in headers:
            if not exists(header):
                yield row.line, f"there is no {header}"
    sums = (sum(totals), totals[0], totals[1])
    if table.sums is None:
        yield table.line, f"no sums; they are \"{sums[0]} packages: {sums[1]} here, {sums[2]} not\""
    elif table.sums[1] != sums:
        yield table.sums[0], f"the sums are \"{sums[0]} packages: {sums[1]} here, {sums[2]} not\""


def main(root, arguments):
    path, modules = arguments

    def exists(header):
        header = os.path.join(root, header)
        return os.path.isdir(os.path.dirname(header)) if header.endswith(".kube.h") else os.path.isfile(header)

    if modules.endswith(".skipped"):
        with open(modules, encoding="utf-8") as file:
            print(f"SKIPPED: {file.read().strip()}")
        return 0
    with open(os.path.join(root, path), encoding="utf-8") as file:
        found, findings = tables(file.read())
    for table in found:
        paths = list(packages(os.path.join(modules, table.module)))
        if not paths:
            findings.append((table.line, f"no packages of {table.module} in {modules}"))
        findings += check(table, paths, exists)
    for line, finding in findings:
        print(f"{path}:{line}: {finding}")
    print(f"{len(found)} modules, {len(findings)} findings")
    return 1 if findings or not found else 0


if __name__ == "__main__":
    sys.exit(main(os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))), sys.argv[1:]))
