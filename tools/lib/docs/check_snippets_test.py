#!/usr/bin/env python3
import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check_snippets

SOURCE = """
void F() {
  if (a) {
    B();

    C();
  }
}
"""


def guide(*lines):
    return "\n".join(["Text.", "", *lines, "", "More."])


class CheckTest(unittest.TestCase):
    def check(self, text):
        return list(check_snippets.check({"guide.md": text}, {"a.cc": "int x;\n", "b.cc": SOURCE}))

    def test_blocks_that_stand_in_a_source(self):
        for name, lines in {
            "no block": [],
            "whole": ["```cpp", *SOURCE.strip().split("\n"), "```"],
            "indented less": ["```cpp", "B();", "", "C();", "```"],
            "indented more": ["* item", "", "  ```cpp", "        B();", "", "        C();", "  ```"],
            "other source": ["```cpp", "int x;", "```"],
            "other language": ["```bash", "rm x", "```"],
            "two": ["```cpp", "int x;", "```", "```cpp", "B();", "```"],
        }.items():
            with self.subTest(name):
                self.assertEqual(self.check(guide(*lines)), [])

    def test_blocks_that_do_not(self):
        for name, lines in {
            "other text": ["```cpp", "B(1);", "```"],
            "line left out": ["```cpp", "B();", "C();", "```"],
            "part of a line": ["```cpp", "int", "```"],
            "other indentation inside": ["```cpp", "if (a) {", "B();", "```"],
            "never closed": ["```cpp", "int y;"],
            "empty": ["```cpp", "```"],
        }.items():
            with self.subTest(name):
                findings = self.check(guide(*lines))
                self.assertEqual(len(findings), 1)
                self.assertTrue(findings[0].startswith("guide.md:3: "), findings[0])

    def test_every_bad_block_is_named(self):
        text = guide("```cpp", "int y;", "```", "", "```cpp", "int x;", "```", "```cpp", "int z;", "```")
        self.assertEqual([f.split(": ")[0] for f in self.check(text)], ["guide.md:3", "guide.md:10"])

    def test_without_guides_it_fails(self):
        self.assertEqual(check_snippets.main([]), 1)


if __name__ == "__main__":
    unittest.main()
