"""Exceptions to rules, each with its reason: reasons.txt."""

import fnmatch
from typing import NamedTuple


class Reason(NamedTuple):
    line: int
    rule: str
    subject: str  # a path or a target; * matches anything
    text: str

    def covers(self, rule, subject):
        return self.rule == rule and fnmatch.fnmatchcase(subject, self.subject)


def parse(text, rules):
    """Returns the reasons, and (line, message) for each line that is not one."""
    reasons, problems = [], []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.split(maxsplit=2)
        if len(fields) < 3:
            problems.append((number, "write: rule, path or target, reason"))
        elif fields[0] not in rules:
            problems.append((number, f"no rule is named {fields[0]}"))
        else:
            reasons.append(Reason(number, *fields))
    return reasons, problems
