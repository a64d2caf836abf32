"""Rules about files of any kind."""

import re

import files

# Data that is compared or replayed byte for byte.
_DATA = re.compile(r"(^|/)(testdata|corpus|golden)/")


def file_length(path, text):
    if not (files.is_cpp(path) or path.endswith(".bzl") or files.is_script(path, text)):
        return
    limit = 500 if files.is_header(path) else 800
    lines = text.count("\n")
    if lines > limit:
        yield limit, f"{lines} lines, and twice the guide is {limit}: split the file by what it does"


def final_newline(path, text):
    if text and not text.endswith("\n") and not _DATA.search(path):
        yield text.count("\n") + 1, "no newline at the end of the file: add it"


def whitespace(path, text):
    suffixes = (*files.CPP_SUFFIXES, ".proto", ".bzl", ".bazel", ".BUILD", ".md", "WORKSPACE")
    if _DATA.search(path) or not (path.endswith(suffixes) or files.is_script(path, text)):
        return
    for match in re.finditer(r"[ \r]+$|\t", text, re.MULTILINE):
        line = text.count("\n", 0, match.start()) + 1
        yield line, r"tab: indent with blanks, write \t in a literal" if match[0] == "\t" else "trailing blank: remove it"


def machine_path(path, text):
    for match in re.finditer(r"(?<![\w.}])/(?:root|home|Users)/", text):
        line = text.count("\n", 0, match.start()) + 1
        yield line, f"{match[0]}: a path of one machine; take it from the environment, an option or a temporary folder"
