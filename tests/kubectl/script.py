"""Reads cases: README.md describes the form."""

import re
import shlex
from dataclasses import dataclass, field


class ScriptError(Exception):
    """A line that is none of a script's."""


@dataclass
class Step:
    """One run of kubectl."""

    line: int
    text: str  # of its line
    arguments: list
    fails: bool = False  # its exit status is not 0
    variable: str = ""  # what it prints becomes this one, instead of being compared
    begins: int = -1  # of one that runs beside those after it: they begin when it has said so much
    ends: int = -1  # and it is ended when it has said so many lines
    stdin: list = field(default_factory=list)

    @property
    def is_beside(self):
        return self.ends >= 0


@dataclass
class Case:
    """What kubectl does, one step after the other, in a namespace of its own."""

    name: str
    line: int
    steps: list = field(default_factory=list)


_BESIDE = re.compile(r"& (\d+)\.\.(\d+) (.*)")
_VARIABLE = re.compile(r"(\w+) = (.*)")


def parse(text):
    """The cases of a file."""
    cases, step = [], None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("== "):
            cases.append(Case(line[3:], number))
            step = None
        elif step is not None and line:
            step.stdin.append(line)
        elif line.startswith("#") or not line:
            step = None
        elif not cases:
            raise ScriptError(f"line {number}: expected a case's name")
        else:
            step = _step(number, line)
            cases[-1].steps.append(step)
            if not _reads_stdin(step):
                step = None
    for case in cases:
        if not case.steps:
            raise ScriptError(f"line {case.line}: {case.name}: no steps")
    return cases


def _step(number, line):
    if line.startswith(("$ ", "! ")):
        return Step(number, line, shlex.split(line[2:]), fails=line[0] == "!")
    if beside := _BESIDE.fullmatch(line):
        begins, ends, rest = beside.groups()
        return Step(number, line, shlex.split(rest), begins=int(begins), ends=int(ends))
    if variable := _VARIABLE.fullmatch(line):
        return Step(number, line, shlex.split(variable[2]), variable=variable[1])
    raise ScriptError(f'line {number}: "{line}" is no step')


def _reads_stdin(step):
    return "-" in step.arguments
