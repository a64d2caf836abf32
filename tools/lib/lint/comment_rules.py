"""Rules about the comments of public headers."""

import re

import files
import lexer

_PRIVATE = re.compile(r"(^|/)(internal|testing|differential|tests)/")

# What looks like the code of a rule, and is the name of a standard.
_STANDARDS = "AES|CVE|HTTP|ISO|KEP|RFC|SHA|UTF"

# What is found in the text of comments, and what to write instead. A blank matches a line break, too.
_RIDDLES = [
    (re.compile(pattern.replace(" ", r"\s+"), re.MULTILINE | (re.IGNORECASE if pattern.islower() else 0)), instead)
    for pattern, instead in [
        (r"(?:^|(?<=;))[^\S\n]*Of ", "begin with a verb, or with the name of what the comment is about"),
        (r"(?:^|(?<=;))[^\S\n]*The same of ", 'write a sentence with a verb: "Does the same for ..."'),
        (r"\b(?:is|are) none\b", 'name what is missing: "if no object has this key"'),
        (r"\bso (?:many\b|often\b|long\b(?! as\b))", "name the number or the time: the parameter, the field"),
        (r"\bwhat there is\b", "name it"),
        (r"\bwhoever\b", "name the caller, the thread or the class"),
        (rf"\b(?!(?:{_STANDARDS})-)[A-Z]{{2,5}}-\d+\b", "readers cannot look up the code of a rule: say what the rule says"),
    ]
]


def riddle(path, text):
    if not files.is_header(path) or _PRIVATE.search(path):
        return
    prose = lexer.prose(text)
    for pattern, instead in _RIDDLES:
        for match in pattern.finditer(prose):
            words = " ".join(match[0].split())
            yield lexer.line_of(text, match.end() - len(match[0].lstrip())), f"{words}: {instead}"
