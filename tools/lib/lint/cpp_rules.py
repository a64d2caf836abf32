"""Rules about C++ that need more than a list of words."""

import re

import files
import lexer


def header_guard(path, text):
    if not files.is_header(path):
        return
    code = lexer.scan(text).code
    guard = guard_of(path)
    for line, _ in lexer.find_words(code, ["#pragma once"]):
        yield line, f"#pragma once: write #ifndef {guard} and #define {guard}"
    directives = re.findall(r"^\s*#\s*(\w+)[ \t]*(\w*)", code, re.MULTILINE)
    directives = [d for d in directives if d[0] != "pragma"]
    if directives[:2] != [("ifndef", guard), ("define", guard)]:
        yield 1, f"the first directives must be #ifndef {guard} and #define {guard}"
    elif not text.rstrip().endswith(f"#endif  // {guard}"):
        yield text.rstrip().count("\n") + 1, f"the last line must be: #endif  // {guard}"


def guard_of(path):
    return re.sub(r"\W", "_", path).upper() + "_"


_ALIAS = re.compile(r"\s*(template\s*<.*>\s*)?(typedef\b|using\s+(?!namespace\b)|namespace\s+\w+\s*=)")


def global_alias(path, text):
    """An alias at global scope of a header is everybody's who includes it."""
    if not files.is_header(path):
        return
    depth = 0
    for number, line in enumerate(lexer.scan(text).code.split("\n"), start=1):
        if depth == 0 and _ALIAS.match(line):
            yield number, "alias at global scope: move it into a namespace, or write the name out"
        depth += line.count("{") - line.count("}")


def macro(path, text):
    if not files.is_header(path):
        return
    for match in re.finditer(r"^\s*#\s*define\s+(\w+)", lexer.scan(text).code, re.MULTILINE):
        if match[1] != guard_of(path):
            line = lexer.line_of(text, match.start(1))
            yield line, f"#define {match[1]}: write a constant, an inline function or a template"


def raw_new(path, text):
    if not files.is_cpp(path):
        return
    code = re.sub(r"= *delete\b", "", lexer.scan(text).code)  # a deleted function
    for line, word in lexer.find_words(code, ["new", "delete"]):
        yield line, f"{word}: use std::make_unique, std::make_shared, a container or a value"


_OUTPUT_WORDS = [
    *["std::cout", "std::cerr", "std::clog", "stdout", "stderr"],
    *["printf(", "fprintf(", "vprintf(", "vfprintf(", "puts(", "putchar(", "perror(", "absl::PrintF"],
]
_PROGRAM_FOLDERS = ("benchmarks/", "cmd/", "examples/", "tests/", "tools/")


def output(path, text):
    if not files.is_cpp(path) or files.is_test(path) or path.startswith(_PROGRAM_FOLDERS):
        return
    code = lexer.scan(text).code
    if re.search(r"^int main\(", code, re.MULTILINE):
        return
    for line, word in lexer.find_words(code, _OUTPUT_WORDS):
        yield line, f"{word}: a library does not print; log through apimachinery/base, or return the text"


_NAMES_IN_DATE = re.compile(r'\b(?:FormatTime|ParseTime)\(\s*"[^"\n]*%[aAbBchprxX]')


def locale_date(path, text):
    """absl leaves all but numbers to strftime and strptime."""
    if not files.is_cpp(path) or files.is_test(path):
        return
    for match in _NAMES_IN_DATE.finditer(text):
        line = lexer.line_of(text, match.start())
        yield line, "names in a date are those of the process' locale: take base/internal/http_date.h, or numbers"


def skip_without_reason(path, text):
    """tools/test counts and lists what tests print after "SKIPPED: "."""
    if not files.is_cpp(path):
        return
    for match in re.finditer(r"\bGTEST_SKIP\(", lexer.scan(text).code):
        line = lexer.line_of(text, match.start())
        around = "\n".join(text.split("\n")[max(0, line - 4) : line + 3])
        if "SKIPPED: " not in around and "PrintSkipped(" not in around:
            yield line, 'GTEST_SKIP: print "SKIPPED: " and the reason just before; tests/oracle/oracle.h has PrintSkipped'
