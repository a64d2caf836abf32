#!/usr/bin/env python3
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check_links

OTHER = '<h2 id="part">P</h2><a name="old"></a><a id="a&amp;b"></a>'


class CheckTest(unittest.TestCase):
    def dead(self, *links):
        page = "".join(f'<a class="x" href="{link}">x</a>' for link in links)
        count, dead = check_links.check({"a/page.html": page, "a/other.html": OTHER}, lambda path: path == "a/b.svg")
        self.assertEqual(count, len(links))
        return [(link, why) for _, link, why in dead]

    def test_links_that_lead_somewhere(self):
        for link in (
            "other.html", "../a/other.html", "other.html#part", "other.html#old", "other.html#a&amp;b", "other.html#a%26b", "#", "b.svg",
            "https://example.com/x", "//example.com/x", "mailto:a@example.com",
        ):  # fmt: skip
            with self.subTest(link):
                self.assertEqual(self.dead(link), [])

    def test_links_that_do_not(self):
        for link, why in {
            "none.html": "no such file",
            "../other.html": "no such file",
            "../../out.html": "no such file",
            "/a/other.html": "no such file",
            "file:///a/other.html": "no such file",
            "other.html#none": "no such anchor",
            "#part": "no such anchor",
        }.items():
            with self.subTest(link):
                self.assertEqual(self.dead(link), [(link, why)])

    def test_each_link_is_reported_once_a_page(self):
        self.assertEqual(len(self.dead("none.html", "none.html", "other.html")), 1)

    def test_a_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {
                "index.html": '<img src="a.svg"><a href="#x">x</a><p id="x">',
                "a.svg": "",
                "search_index.js": 'var searchIndex = {"sections":[["index.html#x","T","H","t"]],"symbols":[["N","s","class","none.html"]]};\n',
            }.items():
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            self.assertEqual(check_links.main(folder), 1)  # what the search finds is not there
            with open(os.path.join(folder, "none.html"), "w", encoding="utf-8"):
                pass
            self.assertEqual(check_links.main(folder), 0)


if __name__ == "__main__":
    unittest.main()
