#!/usr/bin/env python3
"""Looks at a site in Chromium, as a reader does: look_at_site.py SITE PICTURES

For a screen and for a phone: pictures of some pages, whether a page is wider than the window, and what the search finds.
"""

import base64
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

WIDTHS = {"screen": (1280, 900), "phone": (390, 844)}
PAGES = [
    "index.html", "docs/README.html", "docs/design.html", "docs/design.html#sharing-equal-parts-are-stored-once", "docs/informers.html", "docs/behaviour.html", "ARCHITECTURE.html",
    "reference/index.html", "reference/annotated.html", "reference/namespacekube_1_1informers.html",
    "reference/classkube_1_1workqueue_1_1Queue.html", "reference/classkube_1_1workqueue_1_1Queue.html#details",
    "reference/wait__for__cache__sync_8h.html", "source/docs/snippets/readme.cc.html",
]  # fmt: skip
# What somebody types, and a part of an address that must be among the results.
SEARCHES = {
    "WaitForCacheSync": ["reference/namespacekube_1_1informers.html#", "docs/informers.html"],
    "work queue": ["docs/workqueue.html", "reference/classkube_1_1workqueue_1_1Queue.html"],
    "fencing": ["docs/leader-election.html"],
    "client.h": ["reference/rest_2client_8h.html"],
    "qqqq": [],
}
# What is wider than the window, of all that does not scroll in itself.
TOO_WIDE = """(() => {
  const scrolls = (e) => e && e !== document.body && (getComputedStyle(e).overflowX !== 'visible' || scrolls(e.parentElement));
  return [...document.body.querySelectorAll('*')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !scrolls(e.parentElement))
    .slice(0, 3).map((e) => e.tagName + '.' + e.className + ' ' + e.textContent.trim().slice(0, 40))
})()"""


class Browser:
    """Chromium without a window, driven through a pipe."""

    def __init__(self, profile):
        read, self._to = os.pipe()
        self._from, write = os.pipe()
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe", f"--user-data-dir={profile}"]
        start = ["bash", "-c", f'exec "$@" 3<&{read} 4>&{write}', "-", "chromium", *flags, "about:blank"]
        self._process = subprocess.Popen(start, pass_fds=(read, write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read)
        os.close(write)
        self._number, self._buffer, self._session = 0, b"", None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")

    def close(self):
        self._session = None
        self.call("Browser.close")
        self._process.wait()

    def _message(self):
        while b"\0" not in self._buffer:
            read = os.read(self._from, 1 << 20)
            if not read:
                raise EOFError("chromium has ended")
            self._buffer += read
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def call(self, method, **parameters):
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while (answer := self._message()).get("id") != self._number:
            pass
        if "error" in answer:
            raise ValueError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise ValueError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def window(self, width, height, dark):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def open(self, url):
        self.call("Page.navigate", url="about:blank")  # else only an anchor may change, and nothing is loaded
        self._await_load()
        self.call("Page.navigate", url=url)
        self._await_load()

    def _await_load(self):
        while self._message().get("method") != "Page.loadEventFired":
            pass

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot")["data"]))


def search(browser, text):
    """Types it, and returns where the results lead."""
    typed = f"const i = document.getElementById('search'); i.focus(); i.value = {json.dumps(text)}; i.dispatchEvent(new Event('input'))"
    shown = "document.querySelector('#results a, #results p')"
    waits = f"new Promise((done) => {{ const look = () => {shown} ? done() : setTimeout(look, 20); {typed}; look(); }})"
    browser.value(waits)
    return browser.value("[...document.querySelectorAll('#results a')].map((a) => a.href)")


def look(browser, site, pictures):
    """Yields what is wrong."""
    for name, (width, height) in WIDTHS.items():
        for page in PAGES:
            path, mark, anchor = page.partition("#")
            if not os.path.exists(os.path.join(site, path)):
                yield f"{page}: no such page"
                continue
            browser.window(width, height, dark=False)
            browser.open(pathlib.Path(site, path).resolve().as_uri() + mark + anchor)
            browser.picture(os.path.join(pictures, f"{name}-{re.sub('[^A-Za-z0-9_.-]', '-', page.replace('.html', ''))}.png"))
            wide = browser.value(TOO_WIDE)
            if browser.value("document.documentElement.scrollWidth > innerWidth") or wide:
                yield f"{page}: wider than {width} pixels: {wide}"
        for text, wanted in SEARCHES.items():
            browser.open(pathlib.Path(site, "index.html").resolve().as_uri())
            found = search(browser, text)
            browser.picture(os.path.join(pictures, f"{name}-search-{text.replace(' ', '-')}.png"))
            for each in wanted:
                if not any(each in address for address in found):
                    yield f'search for "{text}": {each} is not found'
            if not wanted and found:
                yield f'search for "{text}": finds {found}'
        browser.value("document.getElementById('search').blur(); document.getElementById('results').hidden = true")
        browser.value("document.getElementById('menu').click()")
        browser.picture(os.path.join(pictures, f"{name}-menu.png"))
        browser.window(width, height, dark=True)
        browser.open(pathlib.Path(site, "docs/informers.html").resolve().as_uri())
        browser.picture(os.path.join(pictures, f"{name}-dark.png"))


def main(site, pictures):
    os.makedirs(pictures, exist_ok=True)
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(profile)
        findings = list(look(browser, site, pictures))
        browser.close()
    print("\n".join(findings + [f"{len(PAGES)} pages and {len(SEARCHES)} searches in {len(WIDTHS)} widths, {len(findings)} findings: {pictures}"]))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
