"""The order of the guides: by the tasks of docs/README.md."""

import posixpath
import re

_ROW = re.compile(r"^\|\s*(.*?)\s*\|\s*(.*?)\s*\|$", re.MULTILINE)
_LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")
_TASKS = "## By task\n"
_FIRST = ["README.md", "docs/README.md"]


def title(markdown):
    """The first heading of a page, without marks."""
    match = re.search(r"^# (.+)$", markdown, re.MULTILINE)
    return re.sub(r"[`*]", "", match[1]) if match else ""


def links(markdown, page):
    """Paths of the pages to which a page links, each one once, in their order."""
    targets = [posixpath.normpath(posixpath.join(posixpath.dirname(page), each)) for each in _LINK.findall(markdown)]
    return list(dict.fromkeys(each for each in targets if each.endswith(".md") and ":" not in each))


def by_task(markdown, page="docs/README.md"):
    """[(name of a section, [path])]: a page stands where a task names it for the first time."""
    _, _, tasks = markdown.partition(_TASKS)
    found, seen = [], set(_FIRST)
    for wanted, where in _ROW.findall(tasks.partition("\n## ")[0]):
        name = re.fullmatch(r"\*\*(.+)\*\*", wanted)
        if name:
            found.append((name[1], []))
        for path in links(where, page) if found else []:
            if path not in seen:
                seen.add(path)
                found[-1][1].append(path)
    return found


def sections(pages):
    """{path: Markdown} -> [(name, [path])] of all of them: by task, then decisions, then what is in the other folders."""
    found = [("", _FIRST)]
    found += by_task(pages.get("docs/README.md", ""))
    decisions = sorted(each for each in pages if each.startswith("docs/adr/"))
    found.append(("Decisions", sorted(decisions, key=lambda path: not path.endswith("README.md"))))
    named = {path for _, paths in found for path in paths}
    found.append(("Folders", sorted(each for each in pages if each not in named)))
    return [(name, [each for each in paths if each in pages]) for name, paths in found]
