#!/usr/bin/env python3
import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check_names

FILES = {"a/b.h": "", "a/b_test.cc": "TEST(B, IsGood) {}\nTEST_F(Fixture,\n       IsGood) {}\n  TEST(Not, Here)\n", "docs/x.md": ""}


class CheckTest(unittest.TestCase):
    def check(self, text):
        return [finding for _, finding in check_names.check(text, FILES.get)]

    def test_what_is_there(self):
        for text in (
            "`a/b.h`",
            "`a/b_test.cc`",
            "`a/b_test.cc: B.IsGood`",
            "`a/b_test.cc: B.IsGood, Fixture.IsGood` and `a/b.h`",
            # Not paths from the root.
            "`b.h`", "`T::kMessage`", "`tools/lint`", "a/none.h", "`a/b`",
        ):  # fmt: skip
            with self.subTest(text):
                self.assertEqual(self.check(text), [])

    def test_what_is_not(self):
        for text, finding in {
            "`a/none.h`": "there is no a/none.h",
            "`a/none_test.cc: B.IsGood`": "there is no a/none_test.cc",
            "`a/b_test.cc: B.IsBad`": "a/b_test.cc has no test B.IsBad",
            "`a/b_test.cc: B.IsGood, Not.Here`": "a/b_test.cc has no test Not.Here",
        }.items():
            with self.subTest(text):
                self.assertEqual(self.check(text), [finding])

    def test_lines(self):
        self.assertEqual(list(check_names.check("x\n`a/none.h`\n", FILES.get)), [(2, "there is no a/none.h")])

    def test_without_pages_it_fails(self):
        self.assertEqual(check_names.main(".", []), 1)


if __name__ == "__main__":
    unittest.main()
