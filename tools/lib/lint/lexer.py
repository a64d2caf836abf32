"""Just enough of a C++ lexer: rules look at code, or at comments, never at what literals contain."""

import functools
import re
from typing import NamedTuple

_TOKEN = re.compile(
    r"""
    ^[ \t]*\#[ \t]*include[ \t]*(?P<include>"[^"\n]*"|<[^>\n]*>)
    | (?P<comment> //(?:\\\n|[^\n])* | /\*.*?(?:\*/|\Z) )
    | (?<!\w)(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s]{0,16})\(.*?(?:\)(?P=delimiter)"|\Z)
    | (?P<number> (?<![\w.])\.?\d(?:[eEpP][+-]|'?[\w.])* )
    | "(?:\\.|[^"\\\n])*"?
    | '(?:\\.|[^'\\\n])*'?
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_NOT_NEWLINE = re.compile(r"[^\n]")
_NOT_SPACE = re.compile(r"\S")
_SLASHES = re.compile(r"/[/*]+")


class Include(NamedTuple):
    line: int
    path: str


class Source(NamedTuple):
    """`code` is the text with comments, include directives and the insides of literals blanked: every
    character that is left stands where it stood."""

    code: str
    includes: list[Include]


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


@functools.lru_cache(maxsize=8)
def scan(text):
    """Text of a C++ file -> Source."""
    includes = []

    def blank(match):
        token = match[0]
        if match["number"]:  # matched only so that the ' in 1'000 does not open a literal
            return token
        if match["include"]:
            includes.append(Include(line_of(text, match.start()), match["include"][1:-1]))
        spaces = _NOT_NEWLINE.sub(" ", token)
        if match["include"] or match["comment"] or len(token) < 2 or token[-1] not in "\"'":
            return spaces
        return token[-1] + spaces[1:-1] + token[-1]

    return Source(_TOKEN.sub(blank, text), includes)


def prose(text):
    """Text of a C++ file -> the text of its comments, with ; for all other characters that are not blanks: every
    character stands where it stood."""
    parts = []
    end = 0
    for match in _TOKEN.finditer(text):
        if match["comment"]:
            parts.append(_NOT_SPACE.sub(";", text[end : match.start()]))
            parts.append(_SLASHES.sub(lambda slashes: " " * len(slashes[0]), match[0], count=1))
            end = match.end()
    parts.append(_NOT_SPACE.sub(";", text[end:]))
    return "".join(parts)


def find_words(code, words):
    """Yields (line, word) for each place where one of the words stands, and not as a part of a longer name."""
    for word in words:
        at = code.find(word)
        while at >= 0:
            end = at + len(word)
            starts = not _in_name(word[0]) or at == 0 or not _in_name(code[at - 1])
            ends = not _in_name(word[-1]) or end == len(code) or not _in_name(code[end])
            if starts and ends:
                yield line_of(code, at), word
            at = code.find(word, end)


def _in_name(character):
    return character.isalnum() or character == "_"
