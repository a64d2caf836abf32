#!/usr/bin/env python3
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check_packages

PAGE = """# Page

| `not/of/a/table` | no row |

### `example.org/m`

3 packages: 2 here, 1 not.

| package | packages | | where, or why not |
| --- | --- | --- | --- |
| `a` | 1 | here | `x/a.h` |
| `t/*` | 1 | here | `x/GROUP/t.h` |
| `t/old` | 1 | not here | it is old |

## After it

| `b` | 1 |
"""
PATHS = ["a", "t/new", "t/old"]


class CheckTest(unittest.TestCase):
    def check(self, page, paths):
        tables, findings = check_packages.tables(page)
        self.assertEqual([table.module for table in tables], ["example.org/m"])
        findings += check_packages.check(tables[0], paths, lambda path: path == "x/a.h")
        return [finding for _, finding in findings]

    def test_a_page_that_is_right(self):
        self.assertEqual(self.check(PAGE, PATHS), [])

    def test_pages_that_are_wrong(self):
        for old, new, finding in (
            ("| `t/*` | 1 |", "| `t/*` | 2 |", "t/* stands for 1 packages, not for 2"),
            ("3 packages: 2 here, 1 not", "3 packages: 3 here, 0 not", 'the sums are "3 packages: 2 here, 1 not"'),
            ("3 packages: 2 here, 1 not", "", 'no sums; they are "3 packages: 2 here, 1 not"'),
            ("`x/a.h`", "`x/b.h`", "there is no x/b.h"),
            ("`x/a.h`", "in the README", "a is here, but the row names no header"),
            ("| `a` | 1 | here |", "| `a` | 1 | perhaps |", "not a row of a package"),
        ):
            with self.subTest(new):
                self.assertIn(finding, " ".join(self.check(PAGE.replace(old, new), PATHS)))

    def test_packages_without_a_row(self):
        self.assertIn("example.org/m/b has no row", self.check(PAGE, [*PATHS, "b"]))
        # A star stands for one name.
        self.assertIn("example.org/m/t/a/b has no row", self.check(PAGE, [*PATHS, "t/a/b"]))


class PackagesTest(unittest.TestCase):
    def test_packages(self):
        with tempfile.TemporaryDirectory() as root:
            for path, text in {
                "doc.go": "package m",
                "a/a.go": "// Package a is one.\npackage a\n",
                "a/internal/i.go": "package i",
                "a/testdata/t.go": "package t",
                "b/b_test.go": "package b",
                "c/main.go": "//go:build x\n\npackage main",
                "d/e/e.go": "package e",
            }.items():
                os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(text)
            self.assertEqual(list(check_packages.packages(root)), ["a", "d/e"])


if __name__ == "__main__":
    unittest.main()
