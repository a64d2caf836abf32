#!/usr/bin/env python3
"""What look_at_status_page.py finds in the text of a page."""

import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import look_at_status_page

HEADINGS = "".join(f'<h2 id="{section}">{section}</h2>' for section in look_at_status_page.SECTIONS)


def page(style="body { margin: 0 }", body=HEADINGS):
    return f'<!DOCTYPE html><meta name="viewport" content="width=device-width"><style>{style}</style><body>{body}</body>'


def wrong(text):
    return list(look_at_status_page.read(text))


class ReadTest(unittest.TestCase):
    def test_a_page_of_its_own_is_right(self):
        self.assertEqual(wrong(page()), [])

    def test_texts_that_look_like_references_are_none(self):
        self.assertEqual(wrong(page(body=HEADINGS + "<td>https://example.com &lt;script src=x&gt;</td>")), [])

    def test_what_loads_or_runs_something_is_found(self):
        for element in [
            "<script>f()</script>",
            '<script src="a.js"></script>',
            '<link rel="stylesheet" href="a.css">',
            '<img src="a.png">',
            '<td onclick="f()">x</td>',
            '<td style="background: red">x</td>',
            '<a href="https://example.com">x</a>',
        ]:
            with self.subTest(element):
                self.assertTrue(any("could load or run something" in each for each in wrong(page(body=HEADINGS + element))))

    def test_a_style_that_refers_to_something_is_found(self):
        self.assertEqual(wrong(page(style="@import 'a.css';")), ["style: @import refers to something else"])
        self.assertEqual(wrong(page(style="body { background: url(a.png) }")), ["style: url( refers to something else"])

    def test_a_section_that_is_missing_is_found(self):
        self.assertEqual(wrong(page(body=HEADINGS.replace('id="memory"', 'id="other"'))), ["no section memory"])

    def test_a_page_without_a_viewport_is_found(self):
        self.assertEqual(wrong(page().replace("viewport", "port")), ["no viewport: a phone shows it as wide as a screen"])


if __name__ == "__main__":
    unittest.main()
