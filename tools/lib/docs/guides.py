"""Guides as HTML: what cmark-gfm makes of their Markdown, with anchors for headings, and links that hold in the site."""

import html
import posixpath
import re
import subprocess

import code_html

# What is looked at in the HTML of cmark-gfm; links and headings may hold code, code holds nothing.
_PART = re.compile(
    r"""
    <pre><code(?:\ class="language-(?P<language>[^"]*)")?>(?P<block>.*?)</code></pre>
    | <h(?P<level>[1-6])>(?P<heading>.*?)</h(?P=level)>
    | <a\ href="(?P<href>[^"]*)"(?P<attributes>[^>]*)>(?P<link>.*?)</a>
    | <img\ src="(?P<image>[^"]*)"
    | <code>(?P<code>.*?)</code>
    | (?P<table></?table>)
    """,
    re.VERBOSE | re.DOTALL,
)
_TAG = re.compile(r"<[^>]*>")
_PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)*/?")
_SOURCE = re.compile(r"\.(?:bazel|bzl|cc|dot|go|h|proto|py|sh|txt|yaml)$")
_TESTS = re.compile(r"([\w/]+_test\.\w+): \w.*")
# Where a long name in code may go on in the next line.
_BREAK = re.compile(r"(?<=[\w.])(?:/|::|_)(?=\w)")
_LONG = 24
_EXTERNAL = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)


def page_of(path):
    """Where in the site a page of the checkout is."""
    return "index.html" if path == "README.md" else path.removesuffix(".md") + ".html"


def plain(fragment):
    """The text of some HTML."""
    return html.unescape(_TAG.sub("", fragment))


def slug(heading):
    """The anchor that GitHub gives to a heading's text."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


class Site:
    """The checkout's files, and where a link to one of them leads in the site."""

    def __init__(self, tracked, reference, reference_folder="reference"):
        self.tracked = set(tracked)
        self.sources, self.assets = set(), set()  # to which pages have linked: shown as pages of their own, and copied
        self._reference, self._reference_folder = reference, reference_folder
        self._folders = {folder for path in self.tracked for folder in _parents(path)}
        self._by_name = {}
        for path in self.tracked:
            self._by_name.setdefault(posixpath.basename(path), []).append(path)

    def page_of_file(self, path):
        """The page for a file or a folder of the checkout, or None."""
        if path in self._folders:
            path += "/README.md"
        if path.endswith(".md"):
            return page_of(path) if path in self.tracked else None
        if path in self._reference.headers:
            return f"{self._reference_folder}/{self._reference.headers[path]}"
        if path not in self.tracked:
            return None
        self.sources.add(path)
        return f"source/{path}.html"

    def link(self, name, page):
        """The link from a page of the site to what code names: a symbol, or a header in quotes that has a page. Or None."""
        path = name.strip('"')
        if path == name:
            found = self.symbol(name)
        else:
            found = self.page_of_file(path) if path in self._reference.headers or path in self.sources else None
        return relative(found, page) if found else None

    def target(self, link, path, page):
        """A link of a guide with this path as its page of the site must have it; one that leads nowhere stays."""
        file, mark, anchor = link.partition("#")
        if _EXTERNAL.match(link) or not file:
            return link
        found = self.page_of_file(posixpath.normpath(posixpath.join(posixpath.dirname(path), file)))
        return relative(found, page) + mark + anchor if found else link

    def named(self, text, guide):
        """The page for code that is a path: from the root, from the guide's folder, or the only file that ends so. Or None."""
        if not _PATH.fullmatch(text) or not re.search(r"[./]", text):
            return None
        text = text.rstrip("/")
        for path in (text, posixpath.normpath(posixpath.join(posixpath.dirname(guide), text))):
            found = self.page_of_file(path) if path != guide else None
            if found:
                return found
        if not _SOURCE.search(text):
            return None
        same = [path for path in self._by_name.get(posixpath.basename(text), ()) if f"/{path}".endswith("/" + text)]
        return self.page_of_file(same[0]) if len(same) == 1 and same[0] != guide else None

    def symbol(self, text):
        found = self._reference.resolve(text)
        return f"{self._reference_folder}/{found}" if found else None


def _parents(path):
    while path := posixpath.dirname(path):
        yield path


def relative(target, page):
    """A path of the site as a page of it links to it."""
    path, mark, anchor = target.partition("#")
    return posixpath.relpath(path, posixpath.dirname(page) or ".") + mark + anchor


class Rendered:
    """One guide: its HTML, and for the search its headings and the text below each."""

    def __init__(self, markdown_html, path, site, page):
        self._path, self._site, self._page, self._seen = path, site, page, {}
        self.headings = []  # (level, anchor, text)
        self.content = _PART.sub(self._part, markdown_html)

    def sections(self):
        """[(anchor, heading, text)], of which the first has the page's beginning."""
        parts = re.split(r'(?=<h[1-6] id=")', self.content)
        for part in parts:
            heading = re.match(r'<h[1-6] id="([^"]*)">(.*?)</h[1-6]>', part, re.DOTALL)
            text = " ".join(plain(part[heading.end() :] if heading else part).split())
            if heading or text:
                yield (heading[1], _heading_text(heading[2]), text) if heading else ("", "", text)

    def _part(self, match):
        if match["block"] is not None:
            return self._block(match["language"] or "", html.unescape(match["block"]))
        if match["heading"] is not None:
            return self._heading(int(match["level"]), match["heading"])
        if match["href"] is not None:
            href = self._site.target(html.unescape(match["href"]), self._path, self._page)
            return f'<a href="{html.escape(href)}"{match["attributes"]}>{match["link"]}</a>'
        if match["image"] is not None:
            return f'<img src="{html.escape(self._image(html.unescape(match["image"])))}"'
        if match["code"] is not None:
            return self._code(match["code"])
        return '<div class="scroll"><table>' if match["table"] == "<table>" else "</table></div>"

    def _block(self, language, code):
        return f"<pre><code>{code_html.coloured(code, language, lambda name: self._site.link(name, self._page))}</code></pre>"

    def _heading(self, level, content):
        anchor = slug(plain(content))
        number = self._seen.get(anchor, 0)
        self._seen[anchor] = number + 1
        anchor += f"-{number}" if number else ""
        content = re.sub(r"<a [^>]*>|</a>", "", content)
        self.headings.append((level, anchor, plain(content)))
        return f'<h{level} id="{anchor}">{content}<a class="here" href="#{anchor}" aria-label="Link to this section">#</a></h{level}>'

    def _image(self, link):
        if not _EXTERNAL.match(link):
            path = posixpath.normpath(posixpath.join(posixpath.dirname(self._path), link))
            if path in self._site.tracked:
                self._site.assets.add(path)
                return relative(path, self._page)
        return link

    def _code(self, content):
        text = html.unescape(content)
        tests = _TESTS.fullmatch(text)
        found = self._site.named(tests[1] if tests else text, self._path) or self._site.symbol(text)
        code = f"<code>{_BREAK.sub(lambda at: at[0] + '<wbr>', content) if len(text) > _LONG else content}</code>"
        return f'<a href="{html.escape(relative(found, self._page))}">{code}</a>' if found else code


def _heading_text(content):
    return plain(re.sub(r'<a class="here".*?</a>', "", content))


def render(markdown, path, site, page=None):
    """Markdown of a file of the checkout -> Rendered, for a page of the site that is where such a file's page is, or elsewhere."""
    command = ["cmark-gfm", "--extension", "table", "--extension", "strikethrough", "--extension", "autolink"]
    found = subprocess.run(command, input=markdown, stdout=subprocess.PIPE, check=True, encoding="utf-8")
    return Rendered(found.stdout, path, site, page or page_of(path))
