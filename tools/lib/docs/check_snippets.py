#!/usr/bin/env python3
"""Compares every ```cpp and ```proto block of a guide with the sources: check_snippets.py FILE...; *.md are guides, the rest sources.

A block must stand in one source, line for line, but for the indentation of the whole. So what a reader copies has
been compiled, by whatever test the source belongs to.
"""

import sys
import textwrap


def blocks(markdown):
    """Yields (line of the fence, text) of each block of a language that is compiled."""
    start, lines = 0, []
    for number, line in enumerate(markdown.splitlines(), 1):
        fence = line.strip()
        if start and fence == "```":
            yield start, "\n".join(lines)
            start = 0
        elif start:
            lines.append(line)
        elif fence in ("```cpp", "```proto"):
            start, lines = number, []
    if start:
        yield start, "\n".join(lines)


def normalize(lines):
    """Lines without the indentation they have in common, and without blanks at their ends."""
    return textwrap.dedent("\n".join(line.rstrip() for line in lines)).split("\n")


def holds(source, block):
    """Whether the block's lines follow one another somewhere in the source."""
    wanted = normalize(block.split("\n"))
    lines = source.split("\n")
    return any(normalize(lines[i : i + len(wanted)]) == wanted for i in range(len(lines) - len(wanted) + 1))


def check(guides, sources):
    """{path: text} of both -> findings."""
    for path, text in guides.items():
        for line, block in blocks(text):
            if not block.strip():
                yield f"{path}:{line}: empty snippet"
            elif not any(holds(source, block) for source in sources.values()):
                yield f"{path}:{line}: the snippet is in none of the compiled sources: {', '.join(sources) or 'none given'}"


def main(paths):
    texts = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            texts[path] = file.read()
    guides = {path: text for path, text in texts.items() if path.endswith(".md")}
    sources = {path: text for path, text in texts.items() if path not in guides}
    findings = list(check(guides, sources))
    for finding in findings:
        print(finding)
    count = sum(len(list(blocks(text))) for text in guides.values())
    print(f"{len(guides)} guides, {count} snippets, {len(findings)} findings")
    return 1 if findings or not guides else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
