#!/usr/bin/env python3
"""Tests of what makes the site. cmark-gfm and Doxygen are not needed: their output stands here."""

import json
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import code_html
import guides
import make_site
import navigation
import reference_pages
import symbols

README = """# Documentation

See [something](none.md).

## By task

| I want to | page |
| --- | --- |
| **Start** | |
| see it | [faq.md](faq.md), [elsewhere](https://example.com/a.md) |
| go on | [faq.md](faq.md#second), [the README](../README.md) |
| **Test** | |
| test | [faq.md](faq.md), [crds.md](crds.md) |

## By name

| x | [late.md](late.md) |
"""
PAGES = {
    "README.md": "# client-cpp\n", "docs/README.md": README, "docs/faq.md": "# Questions\n", "docs/crds.md": "", "net/README.md": "",
    "docs/adr/0002-b.md": "", "docs/adr/0001-a.md": "", "docs/adr/README.md": "",
}  # fmt: skip

TAGS = """<tagfile>
<compound kind="file"><name>client.h</name><path>/in/rest/</path><filename>client_8h.html</filename>
  <member kind="define"><name>KUBE_DO</name><anchorfile>client_8h.html</anchorfile><anchor>d</anchor></member>
  <member kind="function"><name>MakeClient</name><anchorfile>namespacerest.html</anchorfile><anchor>m</anchor></member></compound>
<compound kind="namespace"><name>kube::rest</name><filename>namespacerest.html</filename>
  <member kind="function"><name>MakeClient</name><anchorfile>namespacerest.html</anchorfile><anchor>m</anchor></member>
  <member kind="function"><name>MakeClient</name><anchorfile>namespacerest.html</anchorfile><anchor>m2</anchor></member></compound>
<compound kind="class"><name>kube::rest::Client</name><filename>classClient.html</filename>
  <member kind="function"><name>SendRequest</name><anchorfile>classClient.html</anchorfile><anchor>s</anchor></member>
  <member kind="friend"><name>Other</name><anchorfile>classClient.html</anchorfile><anchor>o</anchor></member></compound>
<compound kind="class"><name>kube::rest::TwoWords</name><filename>classTwo.html</filename></compound>
<compound kind="class"><name>kube::a::SameName</name><filename>classA.html</filename></compound>
<compound kind="class"><name>kube::b::SameName</name><filename>classB.html</filename></compound>
</tagfile>"""


def site():
    tracked = [*PAGES, "rest/client.h", "net/a.cc", "net/a_test.cc", "net/b/c.cc", "x/c.cc", "docs/pictures/p.svg", "tools/test", "LICENSE"]
    return guides.Site(tracked, symbols.read(TAGS, "/in"))


def rendered(markdown_html, path="docs/faq.md"):
    return guides.Rendered(markdown_html, path, site(), guides.page_of(path))


class NavigationTest(unittest.TestCase):
    def test_a_page_stands_where_a_task_names_it_first(self):
        self.assertEqual(navigation.by_task(README), [("Start", ["docs/faq.md"]), ("Test", ["docs/crds.md"])])

    def test_all_pages_are_somewhere(self):
        self.assertEqual(
            navigation.sections(PAGES),
            [
                ("", ["README.md", "docs/README.md"]),
                ("Start", ["docs/faq.md"]),
                ("Test", ["docs/crds.md"]),
                ("Decisions", ["docs/adr/README.md", "docs/adr/0001-a.md", "docs/adr/0002-b.md"]),
                ("Folders", ["net/README.md"]),
            ],
        )

    def test_titles(self):
        for markdown, title in {"# A `b` *c*\n": "A b c", "x\n\n# A\n# B\n": "A", "## A\n": ""}.items():
            with self.subTest(markdown):
                self.assertEqual(navigation.title(markdown), title)


class SymbolsTest(unittest.TestCase):
    def test_names(self):
        reference = symbols.read(TAGS, "/in")
        for code, url in {
            "TwoWords": "classTwo.html",
            "TwoWords<Pod>": "classTwo.html",
            "MakeClient(config)": "namespacerest.html#m",
            "rest::Client": "classClient.html",
            "kube::rest::Client": "classClient.html",
            "Client::SendRequest": "classClient.html#s",
            "KUBE_DO": "client_8h.html#d",
            # These may be something else.
            "Client": None, "SendRequest": None, "SameName": None, "Other": None, "NotThere": None, "a b": None,
        }.items():  # fmt: skip
            with self.subTest(code):
                self.assertEqual(reference.resolve(code), url)

    def test_headers(self):
        self.assertEqual(symbols.read(TAGS, "/in").headers, {"rest/client.h": "client_8h.html"})


class GuidesTest(unittest.TestCase):
    def test_links(self):
        for link, want in {
            "crds.md": "crds.html",
            "crds.md#a-b": "crds.html#a-b",
            "#here": "#here",
            "../README.md": "../index.html",
            "../net/": "../net/README.html",
            "../rest/client.h": "../reference/client_8h.html",
            "../net/a.cc": "../source/net/a.cc.html",
            "../LICENSE": "../source/LICENSE.html",
            "https://example.com/a.md": "https://example.com/a.md",
            "none.md": "none.md",
        }.items():
            with self.subTest(link):
                self.assertEqual(rendered(f'<a href="{link}">x</a>').content, f'<a href="{want}">x</a>')

    def test_code(self):
        for code, want in {
            "rest/client.h": "../reference/client_8h.html",
            "net/a.cc": "../source/net/a.cc.html",
            "a.cc": "../source/net/a.cc.html",
            "tools/test": "../source/tools/test.html",
            "net": None,
            "net/": "../net/README.html",
            "c.cc": None,  # two
            "b/c.cc": "../source/net/b/c.cc.html",
            "none.cc": None,
            "TwoWords": "../reference/classTwo.html",
            "faq.md": None,  # this page
            "net/a_test.cc: A.B, A.C": "../source/net/a_test.cc.html",
        }.items():
            with self.subTest(code):
                plain = f"<code>{code}</code>"
                self.assertEqual(rendered(plain).content, f'<a href="{want}">{plain}</a>' if want else plain)

    def test_long_code_may_go_on_in_the_next_line(self):
        content = rendered("<code>a/long_name/of::some file_that is_not there</code>").content
        self.assertEqual(content, "<code>a/<wbr>long_<wbr>name/<wbr>of::<wbr>some file_<wbr>that is_<wbr>not there</code>")
        self.assertEqual(guides.plain(content), "a/long_name/of::some file_that is_not there")

    def test_code_within_a_link_is_no_other_link(self):
        self.assertEqual(rendered('<a href="crds.md"><code>a.cc</code></a>').content, '<a href="crds.html"><code>a.cc</code></a>')

    def test_headings_have_anchors(self):
        page = rendered("<h1>A &amp; B</h1><h2>What <code>it</code> does, now</h2><h2>A &amp; B</h2>")
        self.assertEqual(page.headings, [(1, "a--b", "A & B"), (2, "what-it-does-now", "What it does, now"), (2, "a--b-1", "A & B")])
        self.assertIn('<h2 id="what-it-does-now">', page.content)

    def test_sections_for_the_search(self):
        page = rendered("<p>Before.</p><h1>A</h1>\n<p>One &lt;two&gt;.</p><h2>B</h2><pre><code>c;\n</code></pre>")
        self.assertEqual(list(page.sections()), [("", "", "Before."), ("a", "A", "One <two>."), ("b", "B", "c;")])

    def test_tables_and_pictures(self):
        self.assertEqual(rendered("<table><tr></tr></table>").content, '<div class="scroll"><table><tr></tr></table></div>')
        page = rendered('<img src="pictures/p.svg" alt="P" />')
        self.assertEqual(page.content, '<img src="pictures/p.svg" alt="P" />')
        self.assertEqual(page._site.assets, {"docs/pictures/p.svg"})


class CodeTest(unittest.TestCase):
    def test_colours(self):
        for language, code, want in [
            ("cpp", "int a;  // b\n", '<span class="k">int</span> a;  <span class="c">// b</span>\n'),
            ("cpp", 'F("//<");', 'F(<span class="s">&quot;//&lt;&quot;</span>);'),
            ("cpp", "1'000 x1", "1'000 x1"),
            ("cpp", "/* a\nb */", '<span class="c">/* a</span>\n<span class="c">b */</span>'),
            ("bash", "a # b", 'a <span class="c"># b</span>'),
            ("bash", "a#b", "a#b"),
            ("", "int <a>", "int &lt;a&gt;"),
        ]:
            with self.subTest(code):
                self.assertEqual(code_html.coloured(code, language), want)

    def test_links(self):
        links = {"kube::A": "a.html", '"x/y.h"': "y.html"}
        self.assertEqual(code_html.coloured("kube::A b;", "cpp", links.get), '<a href="a.html">kube::A</a> b;')
        self.assertEqual(code_html.coloured('#include "x/y.h"', "cpp", links.get), '#include <a href="y.html">&quot;x/y.h&quot;</a>')
        self.assertEqual(code_html.coloured("kube::A", "go", links.get), "kube::A")

    def test_languages_of_files(self):
        for path, language in {"a/b.cc": "cpp", "a.bzl": "python", "tools/test": "", "a.sh": "sh", "a.yaml": "yaml"}.items():
            with self.subTest(path):
                self.assertEqual(code_html.language_of(path), language)


class ReferencePagesTest(unittest.TestCase):
    def test_a_page(self):
        anchors = {"a.html": {"x"}, "b.html": {"y"}}
        for text, want in {
            '<a class="el" href="b.html#y">B</a>': None,
            '<a href="#x">X</a>': None,
            '<a href="../index.html">I</a>': None,
            '<a class="el" href="b.html#none">B</a>': "B",
            '<a class="el" href="none.html">N</a>': "N",
            '<a href="#none">X</a>': "X",
            '<div class="title">a::b</div>': '<div class="title">a::<wbr>b</div>',
            'x &#124;\n<a href="a-members.html">List of all members</a>': "x",
            '<div class="summary">\n<a href="a-members.html">List</a></div>': "",
            '<tr style="display:none;">': "<tr >",
        }.items():
            with self.subTest(text):
                self.assertEqual(reference_pages.tidy_page("a.html", text, anchors), text if want is None else want)

    def test_a_folder(self):
        names = ["classA.html", "classA-members.html", "functions_b.html", "functions_~.html", "hierarchy.html", "tabs.css", "closed.png"]
        with tempfile.TemporaryDirectory() as folder:
            for name in names:
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write('<a href="hierarchy.html">H</a>')
            reference_pages.tidy(folder)
            self.assertEqual(os.listdir(folder), ["classA.html"])
            with open(os.path.join(folder, "classA.html"), encoding="utf-8") as file:
                self.assertEqual(file.read(), "H")


class PageTest(unittest.TestCase):
    def frame(self):
        return make_site.Frame(navigation.sections(PAGES), {path: navigation.title(text) or path for path, text in PAGES.items()}, "1.2")

    def test_navigation(self):
        page = self.frame().page("../", "Questions", "<p>x</p>", "docs/faq.html", [(1, "q", "Q"), (2, "w", "Why?"), (3, "n", "Not")])
        self.assertIn('<a href="../docs/faq.html" aria-current="page">Questions</a><ul><li><a href="#w">Why?</a></li></ul>', page)
        self.assertIn("<details open><summary>Start</summary>", page)
        self.assertIn("<details><summary>Test</summary>", page)
        self.assertIn('<a href="../reference/index.html">', page)
        self.assertIn("<p>x</p>", page)

    def test_what_doxygen_writes_is_in_the_open_group_of_its_folder(self):
        before, after = self.frame().around("$relpath^../", "$title", "reference/")
        self.assertIn("<details open><summary>API reference</summary>", before)
        self.assertIn("$relpath^../site.css", before)
        self.assertTrue(before.rstrip().endswith("<main>"))
        self.assertTrue(after.lstrip().startswith("</main>"))

    def test_roots(self):
        for page, root in {"index.html": "./", "docs/a.html": "../", "docs/adr/a.html": "../../"}.items():
            with self.subTest(page):
                self.assertEqual(make_site.root_of(page), root)

    def test_search_index(self):
        reference = symbols.read(TAGS, "/in")
        script = make_site.search_index({"docs/faq.md": rendered("<h1>Questions</h1><p>x</p>")}, {"docs/faq.md": "Questions"}, reference)
        index = json.loads(script[len("var searchIndex = ") : -2])
        self.assertEqual(index["sections"], [["docs/faq.html#questions", "Questions", "Questions", "x"]])
        self.assertIn(["MakeClient", "kube::rest", "function", "reference/namespacerest.html#m"], index["symbols"])
        self.assertIn(["client.h", "rest", "header", "reference/client_8h.html"], index["symbols"])
        self.assertEqual(len([each for each in index["symbols"] if each[0] == "MakeClient"]), 1)


if __name__ == "__main__":
    unittest.main()
