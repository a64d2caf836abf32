#!/usr/bin/env python3
"""Literals and comments are blanked, code is left, and nothing moves."""

import unittest

import lexer

# name, text, code that scan() leaves
CASES = [
    ("line comment", "int a;  // new\nint b;", "int a;        \nint b;"),
    ("line comment that goes on", "// one \\\nnew\nint b;", "        \n   \nint b;"),
    ("block comment", "a /* new\n throw */ b", "a       \n          b"),
    ("block comment that does not end", "a /* new", "a       "),
    ("string", 'f("new // x");', 'f("        ");'),
    ("string with an escaped quote", r'f("\" new"); g', 'f("      "); g'),
    ("string that a backslash ends", r'f("\\"); new', 'f("  "); new'),
    ("two strings", '"a" b "c"', '" " b " "'),
    ("empty string", '""', '""'),
    ("comment in a string, string in a comment", '"/*" a // "\n b', '"  " a     \n b'),
    ("character", "'\"' new '\\'' b", "' ' new '  ' b"),
    ("prefixed character", "u8'n' new", "u8' ' new"),
    ("digit separators", "1'000'000 new 0xFF'FF'ul b", "1'000'000 new 0xFF'FF'ul b"),
    ("one digit separator before a character", "1'0 + '\"' new", "1'0 + ' ' new"),
    ("exponent", "1e+5'0 new 'a'", "1e+5'0 new ' '"),
    ("name with a digit before a character", "x1'n' new", "x1' ' new"),
    ("raw string", 'R"(new " \\)" a', '"          " a'),
    ("raw string of lines", 'R"(new\n")new\n)" a', '"     \n     \n " a'),
    ("raw string with a delimiter", 'R"x(new)" )x" a', '"           " a'),
    ("prefixed raw string", 'u8R"(new)" a', '"        " a'),
    ("name that ends in R", 'FOOR"(new)" a', 'FOOR"     " a'),
    ("include", '#include "net/new.h"\n#include <new>\na', " " * 20 + "\n" + " " * 14 + "\na"),
    ("literal that does not end", "#error don't\nnew", "#error don  \nnew"),
]


class LexerTest(unittest.TestCase):
    def test_scan(self):
        for name, text, code in CASES:
            with self.subTest(name):
                self.assertEqual(lexer.scan(text).code, code)
                self.assertEqual(len(code), len(text), "the expectation itself moves code")

    def test_prose(self):
        for text, prose in [
            ("int a;  // one\n/// two\nb", ";;; ;;     one\n    two\n;"),
            ('f("// no");  // yes', ";;;;; ;;;;;     yes"),
            ("/** one\n * two */ a", "    one\n * two */ ;"),
            ("// http://a", "   http://a"),
            ("a\n", ";\n"),
        ]:
            with self.subTest(text):
                self.assertEqual(lexer.prose(text), prose)
                self.assertEqual(len(prose), len(text), "the expectation itself moves text")

    def test_includes(self):
        text = '// #include "no.h"\n#include "a/b.h"\n  #  include <c> // why\nconst char* s = "\\n#include <no>";\n'
        self.assertEqual(lexer.scan(text).includes, [(2, "a/b.h"), (3, "c")])

    def test_words(self):
        code = "new x; news; renew\nx = new(p);\n_new; a::new_; time(nullptr); uptime(nullptr)"
        found = list(lexer.find_words(code, ["new", "time(nullptr)"]))
        self.assertEqual(found, [(1, "new"), (2, "new"), (3, "time(nullptr)")])


if __name__ == "__main__":
    unittest.main()
