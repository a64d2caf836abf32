#!/usr/bin/env python3
"""Finds the dead links of a site on disk: check_links.py FOLDER

Each link of each page to a file, and to an anchor, must lead somewhere in the folder, and so must what the search finds.
Addresses of other hosts are not asked.
"""

import html
import json
import os
import re
import sys
import urllib.parse

SEARCH = "search_index.js"
_LINK = re.compile(r'\s(?:href|src)="([^"]*)"')
_ANCHOR = re.compile(r'\s(?:id|name)="([^"]*)"')
_EXTERNAL = re.compile(r"(?:https?:)?//|(?:mailto|data):", re.IGNORECASE)


def pages(folder):
    """{path: text} of the pages."""
    found = {}
    for parent, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".html"):
                path = os.path.relpath(os.path.join(parent, name), folder)
                with open(os.path.join(folder, path), encoding="utf-8") as file:
                    found[path] = file.read()
    return found


def searched(script):
    """Text of search_index.js -> its addresses."""
    index = json.loads(script.partition("=")[2].strip().rstrip(";"))
    return [section[0] for section in index["sections"]] + [symbol[-1] for symbol in index["symbols"]]


def check(texts, exists):
    """{path: text} and whether another file exists -> (links looked at, [(page, link, what is wrong)])."""
    anchors = {path: set(map(html.unescape, _ANCHOR.findall(text))) | {""} for path, text in texts.items()}
    count, dead, files = 0, [], {}
    for page, text in sorted(texts.items()):
        links = _LINK.findall(text)
        count += len(links)
        for link in dict.fromkeys(map(html.unescape, links)):
            if _EXTERNAL.match(link):
                continue
            path, _, anchor = link.partition("#")
            path, anchor = urllib.parse.unquote(path), urllib.parse.unquote(anchor)
            target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            if target not in files:
                files[target] = target in texts or exists(target)
            if os.path.isabs(path) or target.startswith("..") or not files[target]:
                dead.append((page, link, "no such file"))
            elif target in texts and anchor not in anchors[target]:
                dead.append((page, link, "no such anchor"))
    return count, dead


def main(folder):
    texts = pages(folder)
    with open(os.path.join(folder, SEARCH), encoding="utf-8") as file:
        texts[SEARCH] = "".join(f' href="{html.escape(address)}"' for address in searched(file.read()))
    count, dead = check(texts, lambda path: os.path.isfile(os.path.join(folder, path)))
    for page, link, why in dead:
        print(f"{page}: {link}: {why}")
    print(f"{len(texts) - 1} pages, {count} links, {len(dead)} dead")
    return 1 if dead or len(texts) == 1 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
