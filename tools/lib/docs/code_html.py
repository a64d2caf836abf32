"""Code of guides and sources as HTML, coloured, with links to the reference."""

import html
import re

_SLASHES = r"//[^\n]*|/\*.*?(?:\*/|\Z)"
_HASHES = r"(?:(?<=\s)|^)\#[^\n]*"
_STRINGS = r"R\"\((?:.*?)\)\"|\"\"\".*?\"\"\"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
_CPP_WORDS = """alignas auto bool break case char class concept const constexpr continue default delete do double else enum explicit
    extern false final float for friend if inline int int32_t int64_t long mutable namespace new noexcept nullptr operator override
    private protected public requires return short signed size_t sizeof static static_assert struct switch template this throw true
    try typedef typename uint32_t uint64_t uint8_t union unsigned using virtual void volatile while"""
_GO_WORDS = """bool break case chan const continue default defer else error fallthrough false for func go if import int int32
    int64 interface map nil package range return select string struct switch true type var"""
_PROTO_WORDS = """bool bytes extend false import int32 int64 map message optional option package repeated reserved string syntax true"""
_PYTHON_WORDS = """False None True and as assert break class continue def elif else except finally for from if import in is
    lambda not or pass raise return try while with yield"""
_SHELL_WORDS = "case do done elif else esac exit export fi for function if in local return set shift then trap while"
_LANGUAGES = {
    "cpp": (_SLASHES, _CPP_WORDS),
    "go": (_SLASHES, _GO_WORDS),
    "proto": (_SLASHES, _PROTO_WORDS),
    "python": (_HASHES, _PYTHON_WORDS),
    "sh": (_HASHES, _SHELL_WORDS),
    "yaml": (_HASHES, "false null true"),
}
_ALIASES = {
    "bash": "sh", "bazel": "python", "bzl": "python", "c++": "cpp", "cc": "cpp", "h": "cpp", "py": "python", "yml": "yaml",
}  # fmt: skip
# Parts of a line that are told apart, in this order. A name may have its namespaces.
_TOKEN = r"(?P<comment>{comment})|(?P<string>{string})|(?P<number>(?<![\w.])\d[\w.']*\b)|(?P<word>[A-Za-z_]\w*(?:::\w+)*)"


def _token(language):
    comment, words = _LANGUAGES[language]
    pattern = _TOKEN.format(comment=comment, string=_STRINGS)
    return re.compile(pattern, re.DOTALL | re.MULTILINE), set(words.split())


_TOKENS = {language: _token(language) for language in _LANGUAGES}


def language_of(path):
    """The language of a file, as a code block would name it; "" if it is not one that is coloured."""
    name = path.rpartition("/")[2]
    if "." not in name:
        return ""
    suffix = name.rpartition(".")[2]
    return _ALIASES.get(suffix, suffix)


def coloured(text, language, link=lambda name: None):
    """Code -> HTML. `link` gives the URL of a name or of a header in quotes, or None; it is asked in C++ only.

    No element goes on after the end of a line.
    """
    language = _ALIASES.get(language, language)
    if language not in _TOKENS:
        return html.escape(text)
    pattern, words = _TOKENS[language]
    found, end = [], 0
    for match in pattern.finditer(text):
        found.append(html.escape(text[end : match.start()]))
        end = match.end()
        found.append(_token_html(match, words, link if language == "cpp" else None))
    return "".join(found) + html.escape(text[end:])


def _token_html(match, words, link):
    token, kind = match[0], match.lastgroup
    if kind == "number":
        return token
    if kind == "word" and token in words:
        return f'<span class="k">{token}</span>'
    url = link(token) if link and (kind == "word" or token.endswith('.h"')) else None
    if url:
        return f'<a href="{html.escape(url)}">{html.escape(token)}</a>'
    if kind == "word":
        return token
    return "\n".join(f'<span class="{kind[0]}">{line}</span>' if line else "" for line in html.escape(token).split("\n"))
