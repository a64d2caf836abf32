"""Which tests are for servers of some releases only: the table releases.txt, which says its form."""

import collections
import os
import re

_TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "releases.txt")
_KINDS = ("behaviour", "variant", "test")

Row = collections.namedtuple("Row", ("word", "minor", "kind", "name", "reason"))


def parse(text):
    """The rows of a table; raises ValueError with the line of an error."""
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        columns = line.split(" | ")
        match = re.fullmatch(r"(since|until|only) 1\.(\d+)", columns[0])
        if not match or len(columns) != 4 or columns[1] not in _KINDS or not all(columns):
            raise ValueError(f'line {number}: want "since 1.36 | KIND | NAME | REASON": {line}')
        rows.append(Row(match[1], int(match[2]), *columns[1:]))
    names = [(row.kind, row.name) for row in rows]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f'table of releases: "{name[1]}" has several rows')
    return rows


def read(path=_TABLE):
    with open(path, encoding="utf-8") as file:
        return parse(file.read())


def covers(row, minor):
    """Whether what the row is about is so on a server of 1.MINOR."""
    return {"since": minor >= row.minor, "until": minor <= row.minor, "only": minor == row.minor}[row.word]


def why_not(rows, kind, name, minor):
    """Why something is not for a server of 1.MINOR, or ""."""
    for row in rows:
        if (row.kind, row.name) == (kind, name) and not covers(row, minor):
            return f"{row.word} 1.{row.minor}: {row.reason}"
    return ""
