#!/usr/bin/env python3
"""Looks at the status page of an operator as a browser shows it: look_at_status_page.py PROGRAM [--picture FILE]

PROGRAM prints the page. Its text must refer to nothing outside, and have all sections. With Chromium, if it is installed: nothing is
requested but the page, it is not wider than a phone, and it follows the reader's choice of light or dark. --picture needs Chromium, and
writes a PNG; tools/docs --status-page-screenshot does.
"""

import html.parser
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import look_at_site

SECTIONS = ("leader", "phases", "controllers", "informers", "requests", "runnables", "memory")
WIDTHS = (360, 1280)
_REFERENCES = ("http:", "https:", "url(", "@import")
_FETCHING = {"src", "href", "srcset", "data", "action", "background", "poster", "style"}
_PICTURE_WIDTH = 1000


class Reader(html.parser.HTMLParser):
    """Collects the ids of a page, and what could load or run something."""

    def __init__(self):
        super().__init__()
        self.ids, self.wrong = [], []

    def handle_starttag(self, tag, attrs):
        if tag in ("script", "link", "iframe", "object", "embed", "img", "base", "form"):
            self.wrong.append(f"<{tag}>")
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            if name in _FETCHING or name.startswith("on"):
                self.wrong.append(f"<{tag} {name}>")


def read(page):
    """Yields what is wrong with the text of a page."""
    reader = Reader()
    reader.feed(page)
    yield from (f"{each}: could load or run something" for each in reader.wrong)
    style = page.partition("<style>")[2].partition("</style>")[0]
    yield from (f"style: {each} refers to something else" for each in _REFERENCES if each in style)
    yield from (f"no section {each}" for each in SECTIONS if each not in reader.ids)
    if '<meta name="viewport"' not in page:
        yield "no viewport: a phone shows it as wide as a screen"


class ListeningBrowser(look_at_site.Browser):
    """Remembers the addresses that pages request."""

    def __init__(self, profile):
        self.requested = []
        super().__init__(profile)
        self.call("Network.enable")

    def _message(self):
        message = super()._message()
        if message.get("method") == "Network.requestWillBeSent":
            self.requested.append(message["params"]["request"]["url"])
        return message


def look(browser, address):
    """Yields what is wrong with a page as it is shown."""
    for width in WIDTHS:
        colours = set()
        for dark in (False, True):
            browser.window(width, 800, dark)
            browser.open(address)
            colours.add(browser.value("getComputedStyle(document.body).color"))
            if browser.value("document.documentElement.scrollWidth > innerWidth"):
                yield f"wider than {width} pixels: {browser.value(look_at_site.TOO_WIDE)}"
        if len(colours) != 2:
            yield f"{width} pixels: light and dark have the same colour of text"
    for section in SECTIONS:
        if not browser.value(f"(document.getElementById('{section}') ?? document.head).getBoundingClientRect().height > 0"):
            yield f"section {section} is not shown"
    if browser.value("document.querySelectorAll('b').length"):
        yield "a text of the page has become an element"
    yield from (f"requests {each}" for each in browser.requested if each not in (address, "about:blank"))


def draw(browser, address, picture):
    browser.window(_PICTURE_WIDTH, 800, dark=False)
    browser.open(address)
    browser.window(_PICTURE_WIDTH, browser.value("document.documentElement.scrollHeight"), dark=False)
    browser.picture(picture)


def main(program, picture=None):
    page = subprocess.run([os.path.abspath(program)], check=True, stdout=subprocess.PIPE).stdout
    findings = list(read(page.decode()))
    with_browser = shutil.which("chromium")
    if not with_browser and picture:
        sys.exit("a picture needs chromium")
    if with_browser:
        with tempfile.TemporaryDirectory() as folder:
            os.environ["HOME"] = folder  # where Chromium keeps what the profile does not have
            path = pathlib.Path(folder, "status.html")
            path.write_bytes(page)
            browser = ListeningBrowser(os.path.join(folder, "profile"))
            findings += look(browser, path.as_uri())
            if picture:
                draw(browser, path.as_uri(), picture)
            browser.close()
    shown = f"{len(WIDTHS)} widths" if with_browser else "no chromium: only its text was read"
    print("\n".join([*findings, f"{len(page)} bytes, {len(SECTIONS)} sections, {shown}, {len(findings)} findings"]))
    return 1 if findings else 0


if __name__ == "__main__":
    arguments = [each for each in sys.argv[1:] if each != "--picture"]
    if not 1 <= len(arguments) <= 2 or (len(arguments) == 2) != ("--picture" in sys.argv):
        sys.exit(__doc__)
    sys.exit(main(*arguments))
