"""What is done to the pages that Doxygen wrote: those that the site's navigation and search replace go, and so do links that lead nowhere."""

import html
import os
import re

# Lists of all members, by letter and for each class, and what only Doxygen's own style sheet and scripts show.
_UNUSED = re.compile(r"(?:functions|globals|namespacemembers)(?:_\w+|_~)*\.html|(?:files|hierarchy|classes)\.html|.*-members\.html|.*\.(?:css|js|png|svg)")
# What opens and closes parts of a page, which are always open here.
_OPENS = re.compile(r'<img src="closed\.png"[^>]*>(?:&#160;)?| onclick="[^"]*"|<span[^>]* class="arrow"[^>]*>.*?</span>|(?<=<tr )style="display:none;"|(?<=") style="display:none;"')
_LINK = re.compile(r'<a (?:class="[^"]*" )?href="([^"#]*)(?:#([^"]*))?"[^>]*>(.*?)</a>', re.DOTALL)
_ALL_MEMBERS = re.compile(r'(?: &#124;\s*)?<a href="[^"]*-members\.html">.*?</a>')
_EMPTY_SUMMARY = re.compile(r'<div class="summary">\s*</div>')
_ANCHOR = re.compile(r'\s(?:id|name)="([^"]*)"')
_TITLE = re.compile(r'(?<=<div class="title">).*?(?=</div>)', re.DOTALL)


def without_dead_links(page, text, anchors):
    """A page with the text of links that lead nowhere in its place; {page: its anchors}."""

    def kept(match):
        path, anchor, content = match.groups()
        if path.startswith(("../", "http:", "https:")):
            return match[0]
        leads = anchors.get(path or page)
        alive = leads is not None and (not anchor or html.unescape(anchor) in leads)
        return match[0] if alive else content

    return _LINK.sub(kept, text)


def tidy_page(page, text, anchors):
    text = _OPENS.sub("", _EMPTY_SUMMARY.sub("", _ALL_MEMBERS.sub("", text)))
    text = _TITLE.sub(lambda title: title[0].replace("::", "::<wbr>"), text)  # a phone has no room for the whole name
    return without_dead_links(page, text, anchors)


def tidy(folder):
    pages = {}
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if _UNUSED.fullmatch(name):
            os.remove(path)
        elif name.endswith(".html"):
            with open(path, encoding="utf-8") as file:
                pages[name] = file.read()
    anchors = {name: set(_ANCHOR.findall(text)) for name, text in pages.items()}
    for name, text in pages.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(tidy_page(name, text, anchors))
