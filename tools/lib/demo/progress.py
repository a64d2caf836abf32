"""Shortens what "bazel build" prints to one line now and then, with the time that is left: bazel ... 2>&1 | progress.py

The time left is the time so far, multiplied by the actions to do and divided by those done. Lines without progress, such
as a compiler's errors, pass.
"""

import re
import sys
import time
from typing import Callable, Iterable, Iterator

# Bazel's own are "[12 / 345] Compiling x.cc; 3s local".
_PROGRESS = re.compile(r"\[([\d,]+) / ([\d,]+)\]")
# What Bazel prints before it knows its actions, and for a log.
_NOISE = re.compile(r"Loading:|Analyzing:|INFO:|Target //|  bazel-bin/|DEBUG:|$")
# Seconds between two lines; before the first, too few actions are done to tell.
_PERIOD = 15


def shortened(lines: Iterable[str], now: Callable[[], float]) -> Iterator[str]:
    began = said = now()
    for line in lines:
        progress = _PROGRESS.match(line)
        if not progress:
            if not _NOISE.match(line):
                yield line
            continue
        done, total = (int(number.replace(",", "")) for number in progress.groups())
        if now() - said < _PERIOD or done == 0 or done >= total:
            continue
        said = now()
        left = (said - began) * (total - done) / done
        yield f"{done} of {total} steps, {how_long(left)} left"


def how_long(seconds: float) -> str:
    minutes = round(seconds / 60)
    return "less than a minute" if minutes < 1 else f"about {minutes} minute{'s' if minutes > 1 else ''}"


if __name__ == "__main__":
    for text in shortened((line.rstrip("\n") for line in sys.stdin), time.monotonic):
        print(f"tools/demo: {text}" if text.endswith(" left") else text, file=sys.stderr, flush=True)
