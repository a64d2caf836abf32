#!/usr/bin/env python3
"""docs/tutorial.md as its reader takes it: files to write, and commands to run.

  document.py TUTORIAL FILE...     writes those of its files that have these names
"""

import os
import re
import sys
from typing import NamedTuple

_BLOCK = re.compile(r"^```(\w*)\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
# "`main.cc` takes ...", "`BUILD`, at its end:"
_NAMED = re.compile(r"`([\w.]+)`[ .,:]")
# "kubectl get pods    # web   Running"
_EXPECTING = re.compile(r"(\S.*?) +# (.+)")


class Document(NamedTuple):
    files: dict[str, str]  # by name
    commands: str  # a shell's input


def read(markdown):
    """A block goes to the file that the paragraph before it begins with, at its end; one of sh is commands."""
    files, commands = {}, []
    for block in _BLOCK.finditer(markdown):
        language, text = block.groups()
        paragraph = markdown[: block.start()].rstrip("\n").rpartition("\n\n")[2]
        named = _NAMED.match(paragraph)
        if language == "sh":
            commands.append(text)
        elif named:
            files.setdefault(named[1], []).append(text)
        else:
            line = markdown.count("\n", 0, block.start()) + 1
            raise ValueError(f"line {line}: the paragraph before the block does not begin with `FILE`")
    return Document({name: "\n\n".join(texts) + "\n" for name, texts in files.items()}, "\n".join(commands) + "\n")


def awaiting(commands):
    """The commands, with `await WHAT COMMAND` for "COMMAND  # WHAT"."""
    lines = []
    for line in commands.split("\n"):
        expecting = _EXPECTING.fullmatch(line)
        lines.append(f"await '{' '.join(expecting[2].split())}' {expecting[1]}" if expecting else line)
    return "\n".join(lines)


def main(path, *outputs):
    with open(path, encoding="utf-8") as file:
        document = read(file.read())
    for output in outputs:
        with open(output, "w", encoding="utf-8") as file:
            file.write(document.files[os.path.basename(output)])


if __name__ == "__main__":
    main(*sys.argv[1:])
