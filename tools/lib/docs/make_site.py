#!/usr/bin/env python3
"""Makes one site of guides and API reference. tools/docs calls it:

  make_site.py --frame FOLDER VERSION                   writes the header and the footer that Doxygen puts around its pages
  make_site.py --site FOLDER VERSION TAG_FILE HEADERS   writes guides, sources and the search; HEADERS is the folder that Doxygen read

The site needs no server and no network: links are relative, and what the search looks through is a script.
"""

import html
import json
import os
import posixpath
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
import code_html
import guides
import navigation
import reference_pages
import symbols

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))
PARTS = os.path.join(os.path.dirname(os.path.realpath(__file__)), "site")
REFERENCE = "reference"
_REFERENCE_PAGES = [
    ("Headers", "index.html"), ("Namespaces", "namespaces.html"), ("Classes", "annotated.html"), ("Concepts", "concepts.html"),
]  # fmt: skip
_LINES = 20_000  # of a source that is shown


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as file:
        return file.read()


def write(folder, path, text):
    path = os.path.join(folder, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def tracked_files():
    """What Git knows or would add."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
    return sorted(path for path in set(listed.split("\0")) if path and os.path.isfile(os.path.join(ROOT, path)))


class Frame:
    """What stands around the content of each page, of guides and of the reference."""

    def __init__(self, sections, titles, version):
        self._template = read(os.path.join(PARTS, "page.html"))
        self._sections, self._titles, self._version = sections, titles, version

    def page(self, root, title, content, current="", headings=()):
        """`root` leads from the page to the site's root; `current` is the page's path in the site, or its folder; `headings` are
        [(level, anchor, text)]."""
        values = {
            "root": root,
            "title": title,
            "version": html.escape(self._version),
            "navigation": self._navigation(root, current, headings),
            "content": content,
        }
        text = self._template
        for name, value in values.items():
            text = text.replace("{" + name + "}", value)
        return text

    def around(self, root, title, current):
        """The same, in two halves."""
        return self.page(root, title, "{here}", current).split("{here}")

    def _navigation(self, root, current, headings):
        found = []
        for name, paths in self._sections:
            pages = [(guides.page_of(path), self._titles[path]) for path in paths]
            found.append(self._group(name, pages, root, current, headings))
        pages = [(f"{REFERENCE}/{page}", title) for title, page in _REFERENCE_PAGES]
        found.append(self._group("API reference", pages, root, current, ()))
        return "\n".join(found)

    def _group(self, name, pages, root, current, headings):
        items = []
        for page, title in pages:
            here = ' aria-current="page"' if page == current else ""
            items.append(f'<li><a href="{root}{page}"{here}>{html.escape(title)}</a>{_contents(headings) if here else ""}</li>')
        listed = f"<ul>{''.join(items)}</ul>"
        if not name:
            return listed
        is_open = " open" if any(page == current or posixpath.dirname(page) + "/" == current for page, _ in pages) else ""
        return f"<details{is_open}><summary>{html.escape(name)}</summary>{listed}</details>"


def _contents(headings):
    """What a page has, for the navigation: its sections of the second level."""
    items = [f'<li><a href="#{anchor}">{html.escape(text)}</a></li>' for level, anchor, text in headings if level == 2]
    return f"<ul>{''.join(items)}</ul>" if items else ""


def root_of(page):
    """How a page of the site leads to its root, with a slash at the end."""
    return "../" * page.count("/") or "./"


def source_page(path, site):
    """The content of the page of a source, with an anchor for each line."""
    page = f"source/{path}.html"

    text = read(path)
    if text.count("\n") > _LINES:
        text = "\n".join([*text.split("\n")[:_LINES], "…", ""])
    lines = code_html.coloured(text, code_html.language_of(path), lambda name: site.link(name, page)).rstrip("\n").split("\n")
    numbered = "".join(f'<span id="L{number}" class="line">{line}\n</span>' for number, line in enumerate(lines, 1))
    return f'<h1 class="path">{html.escape(path)}</h1>\n<pre class="source"><code>{numbered}</code></pre>'


def reference_page(site, reference):
    """The Markdown of the page on which the reference begins, with a list of all headers by folder."""
    folders = {}
    for path in sorted(reference.headers):
        folders.setdefault(posixpath.dirname(path), []).append(path)
    lines = [f"* `{folder}`: {', '.join(f'[{posixpath.basename(path)}]({path})' for path in paths)}" for folder, paths in folders.items()]
    with open(os.path.join(PARTS, "reference.txt"), encoding="utf-8") as file:
        return file.read() + "\n" + "\n".join(lines) + "\n"


def search_index(rendered, titles, reference):
    """What site.js searches: sections of guides, and symbols of the reference."""
    sections = [
        [f"{guides.page_of(path)}#{anchor}" if anchor else guides.page_of(path), titles[path], heading, text]
        for path, page in rendered.items()
        for anchor, heading, text in page.sections()
    ]
    shown = {}  # one of the functions with the same name
    for symbol in reference.symbols:
        shown.setdefault((symbol.name, symbol.scope, symbol.kind), f"{REFERENCE}/{symbol.url}")
    headers = [[posixpath.basename(path), posixpath.dirname(path), "header", f"{REFERENCE}/{url}"] for path, url in reference.headers.items()]
    found = {"sections": sections, "symbols": [[*key, url] for key, url in shown.items()] + headers}
    return f"var searchIndex = {json.dumps(found, ensure_ascii=False, separators=(',', ':'))};\n"


def make_frame(pages, titles, version):
    return Frame(navigation.sections(pages), titles, version)


def main(mode, folder, version, tag_file=None, headers=None):
    tracked = tracked_files()
    pages = {path: read(path) for path in tracked if path.endswith(".md")}
    titles = {path: navigation.title(markdown) or path for path, markdown in pages.items()}
    frame = make_frame(pages, titles, version)
    if mode == "--frame":
        header, footer = frame.around("$relpath^../", "$title", f"{REFERENCE}/")
        write(folder, "header.html", header + '<div class="doxygen"><div id="top">')
        write(folder, "footer.html", "</div>" + footer)
        return
    reference_pages.tidy(os.path.join(folder, REFERENCE))
    reference = symbols.read(read(tag_file), headers)
    site = guides.Site(tracked, reference)
    rendered = {path: guides.render(markdown, path, site) for path, markdown in pages.items()}
    for path, guide in rendered.items():
        page = guides.page_of(path)
        write(folder, page, frame.page(root_of(page), html.escape(titles[path]), guide.content, page, guide.headings))
    page = f"{REFERENCE}/index.html"
    begin = guides.render(reference_page(site, reference), "", site, page)
    write(folder, page, frame.page(root_of(page), "API reference", begin.content, page))
    for path in sorted(site.sources):
        page = f"source/{path}.html"
        write(folder, page, frame.page(root_of(page), html.escape(path), source_page(path, site)))
    for path in sorted(site.assets):
        os.makedirs(os.path.join(folder, posixpath.dirname(path)), exist_ok=True)
        shutil.copyfile(os.path.join(ROOT, path), os.path.join(folder, path))
    for name in ("site.css", "site.js"):
        shutil.copyfile(os.path.join(PARTS, name), os.path.join(folder, name))
    write(folder, "search_index.js", search_index(rendered, titles, reference))
    print(f"{len(rendered)} guides, {len(site.sources)} sources, {len(reference.symbols)} symbols")


if __name__ == "__main__":
    main(*sys.argv[1:])
