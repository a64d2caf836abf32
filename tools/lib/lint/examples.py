"""The examples in the comments of public headers are lines of sources that are compiled.

An example is a block of comment lines, with two slashes or three, that are indented by three blanks or more, one of which ends
as code does. The source may indent it otherwise, as a whole. A line "..." stands for any lines. What stands below `#if 0` is not
compiled.
"""

import posixpath
import re
import textwrap

import files
import lexer

_SHARED_FOLDERS = ("docs/snippets/", "examples/")
_ITEM = r"[ \t]*///? *(?:[*-]|\d+\.) .*\n"
_INDENTED = rf"(?!{_ITEM})[ \t]*///?   .*\n"
_EMPTY = r"[ \t]*///?[ \t]*\n"
# What is indented below an item of a list belongs to the item.
_BLOCK = re.compile(rf"^(?P<item>{_ITEM})?(?P<lines>(?:{_INDENTED}(?:(?:{_EMPTY})+(?={_INDENTED}))?)+)", re.MULTILINE)
_SLASHES = re.compile(r"^[ \t]*///?", re.MULTILINE)
_CODE = re.compile(r"[;{})][ \t]*$|;[ \t]*//", re.MULTILINE)
_CONDITION = re.compile(r"[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b(.*)")
_CONSTANT = re.compile(r"^[ \t]*#[ \t]*if[ \t]+(?:0|1|false|true)\b", re.MULTILINE)


def check(sources):
    """Yields (path, line, message) over {path: text}."""
    if "WORKSPACE" not in sources:
        return  # Not the whole tree.
    compiled = {path: preprocessed(text) for path, text in sources.items() if path.endswith(".cc")}
    for path, text in sources.items():
        if not files.is_public_header(path) or files.is_generated(text):
            continue
        folder = posixpath.dirname(path)
        near = [source for at, source in compiled.items() if at.startswith((folder + "/", *_SHARED_FOLDERS))]
        for line, example in examples(text):
            if not any(holds(source, example) for source in near):
                yield path, line, (
                    f"the example in this comment stands in no compiled source of {folder}, docs/snippets or examples: "
                    "make it equal to lines of a test"
                )


def examples(text):
    """Yields (line, lines) of each example; the lines are without slashes and common indentation."""
    for block in _BLOCK.finditer(text):
        code = textwrap.dedent(_SLASHES.sub("", block["lines"]))
        if not block["item"] and _CODE.search(code):
            yield lexer.line_of(text, block.start("lines")), [line.rstrip() for line in code.splitlines()]


def preprocessed(text):
    """The source without the lines that a constant condition leaves out: `#if 0`, or the other branches of `#if 1`."""
    if not _CONSTANT.search(text):
        return text
    lines = []
    branches = []  # of each condition that is open: whether its lines are left out, and whether those of later branches are
    for line in text.splitlines(keepends=True):
        condition = _CONDITION.match(line)
        if not condition:
            if not any(left_out for left_out, _ in branches):
                lines.append(line)
        elif condition[1] == "endif":
            branches = branches[:-1]
        elif condition[1] in ("elif", "else"):
            branches[-1:] = [(decided, decided) for _, decided in branches[-1:]]
        else:
            value = condition[2].split("//")[0].strip() if condition[1] == "if" else ""
            branches.append((value in ("0", "false"), value in ("1", "true")))
    return "".join(lines)


def holds(source, example):
    if example[0] not in source:
        return False  # As the pattern would say, but slowly.
    pattern = "".join(_pattern(line) for line in example).removeprefix("(?P=indent)")
    return re.search("^(?P<indent> *)" + pattern, source, re.MULTILINE) is not None


def _pattern(line):
    if line.strip() == "...":
        return r"(?:.*\n)*?"
    return rf"(?P=indent){re.escape(line)}\n" if line else r"\n"
