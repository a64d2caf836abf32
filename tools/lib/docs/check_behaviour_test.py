#!/usr/bin/env python3
import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check_behaviour

PAGE = """# Behaviour

| Code | Behaviour | Upstream | Our tests |
| --- | --- | --- | --- |
| RF-1 | Watches end. | client-go: a.go, F | `a/b_test.cc: Watch.Ends, Watch.Rf1_Rf2_Late` |
| RF-2 | Waits. | client-go: a.go, F | deviates, see [More](rest.md#rest-client); `a/b_test.cc: Watch.Rf1_Rf2_Late` |
| RF-10 | Traces. | client-go: a.go, G | not implemented: counters |

## More

| Code | Behaviour | Upstream | Our tests |
| --- | --- | --- | --- |
| EV-1 | Tries. | client-go: b.go, F | `c_test.cc: Events.EV1TriesTwelveTimes` |
| RF-3 | Lists. | client-go: a.go, F | no test |
"""
TESTS = {
    "a/b_test.cc": """
// Ends.
// behaviour.md: RF-1
TEST(Watch, Ends) {}

TEST_P(Watch, Rf1_Rf2_Late) {
  const Case cases[] = {{"RF-3 lists"}};
}

TEST(Watch, Http2IsNoCode) {}
""",
    "c_test.cc": "// RF-3\n\nTYPED_TEST(Events,\n           EV1TriesTwelveTimes) {}\n",
}
HEADERS = {"a/b.h": "// Reads UTF-8.\nclass B {};\n"}
GUIDE = "# REST\n\n## REST client\n\n| RF-2 |\n"


class CheckTest(unittest.TestCase):
    def check(self, page=PAGE, tests={}, headers={}, guide=GUIDE):
        found = check_behaviour.check(page, {**TESTS, **tests}, {**HEADERS, **headers}, {"rest.md": guide})
        return [f"{place}: {finding}" for place, finding in found]

    def test_what_fits(self):
        self.assertEqual(self.check(), [])
        kinds = [row.kind() for _, row, _ in check_behaviour.rows(PAGE)]
        self.assertEqual(kinds, ["tested", "deviates", "not implemented", "tested", "no test"])

    def test_rows(self):
        for name, (old, new, expected) in {
            "twice": ("| RF-3 |", "| RF-2 |", "14: RF-2 has a row already, in line 6"),
            "order": ("| RF-10 |", "| EV-10 |", "7: EV-10 after RF-2"),
            "no cell of tests": (" | no test |", " |", "14: not a row of four cells that begins with a code"),
            "no code": ("| RF-3 |", "| lists |", "14: not a row of four cells that begins with a code"),
            "empty": ("no test", "soon", '14: RF-3 names no test; say "no test" or "not implemented"'),
            "no file": ("c_test.cc", "d_test.cc", "13: EV-1: there is no d_test.cc"),
            "no test": ("Watch.Ends,", "Watch.End,", "5: RF-1: a/b_test.cc has no test Watch.End"),
            "no section": ("#rest-client", "#client", "6: RF-2: rest.md has no section #client"),
            "half a list": (
                "Watch.Ends, Watch.Rf1_Rf2_Late` |",
                "Watch.Rf1_Rf2_Late`; `c_test.cc: Late` |",
                "5: RF-1 has tests that are not written as `a/b_test.cc: Suite.Name, Suite.Name`",
            ),
        }.items():
            with self.subTest(name):
                self.assertIn(expected, self.check(PAGE.replace(old, new)))

    def test_citations(self):
        for name, (text, expected) in {
            "comment without a row": ("// behaviour.md: XY-1\nTEST(A, B) {}", ["d_test.cc: cites XY-1, which has no row"]),
            "code without a row": ('TEST(A, B) { Case("RF-11"); }', ["d_test.cc: cites RF-11, which has no row"]),
            "name without a row": ("TEST(A, Rf12_B) {}", ["d_test.cc: cites RF-12, which has no row"]),
            "comment that the row lacks": (
                "// behaviour.md: RF-1, RF-3\nTEST(A, B) {}",
                ["d_test.cc: A.B cites RF-1, whose row does not name it", "d_test.cc: A.B cites RF-3, whose row does not name it"],
            ),
            "name that the row lacks": ("TEST_F(A, EV1) {}", ["d_test.cc: A.EV1 cites EV-1, whose row does not name it"]),
            "comment of another test": ("// behaviour.md: RF-1\n\nTEST(A, B) {}", []),
        }.items():
            with self.subTest(name):
                self.assertEqual(self.check(tests={"d_test.cc": text}), expected)

    def test_named_tests_cite(self):
        tests = {"a/b_test.cc": TESTS["a/b_test.cc"].replace("// behaviour.md: RF-1\n", "")}
        expected = 'a/b_test.cc: Watch.Ends does not cite RF-1, whose row names it; write "// behaviour.md: RF-1" above it'
        self.assertEqual(self.check(tests=tests), [expected])

    def test_headers_cite_nothing(self):
        expected = "a/c.h: a public header cites RF-2; say what is so instead"
        self.assertEqual(self.check(headers={"a/c.h": "// Waits (RF-2).\n"}), [expected])

    def test_guides_cite_rows(self):
        expected = "rest.md: cites RF-9, which has no row"
        self.assertEqual(self.check(guide=GUIDE + "| RF-9 |\n"), [expected])

    def test_without_rows_nothing_is_cited(self):
        self.assertEqual(len(list(check_behaviour.check("", {"d_test.cc": "// RF-1\n"}, {}, {}))), 0)


if __name__ == "__main__":
    unittest.main()
