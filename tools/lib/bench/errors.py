"""The one exception of this folder: its message says verb, object and cause."""


class BenchError(Exception):
    pass


def tail(text, lines=8):
    """The end of a program's output, indented below a message."""
    kept = text.strip().splitlines()[-lines:]
    return "".join("\n  " + line for line in kept)
