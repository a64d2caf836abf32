"""What decides a run besides the code: the versions of compilers, libraries and judges, printed with each report.

Pinned are Go (tools/versions.bzl), the locale and the time zone. All else is the machine's; two runs that differ can be
compared by these lines. docs/compatibility.md says for each whether it is pinned.
"""

import os
import platform
import re
import subprocess
from pathlib import Path
from typing import Callable, Sequence

ROOT = Path(__file__).resolve().parents[3]

# Of every process that a stage starts. Bazel gives its tests nothing else anyway; scripts inherit it.
PINNED = {"LC_ALL": "C.UTF-8", "TZ": "UTC"}

_NOT_FOUND = "not found"
_SECONDS = 10

Read = Callable[[Sequence[str]], str]


def output(command: Sequence[str]) -> str:
    """What a program prints, or nothing if it cannot run."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""


def _package(read: Read, name: str) -> str:
    return read(["dpkg-query", "-W", "-f", "${Version}", name]).strip() or _NOT_FOUND


def _first(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    return found[1] if found else _NOT_FOUND


def judges(read: Read = output) -> list[str]:
    """Lines of the form NAME VERSION; a program that is missing is said to be so."""
    packages = {
        "g++": "g++-12",
        "clang": "clang-14",
        "libcurl": "libcurl4",
        "OpenSSL": "libssl3",
        "nghttp2": "libnghttp2-14",
        "Abseil": "libabsl20220623",
        "RE2": "libre2-9",
        "libyaml": "libyaml-0-2",
        "simdjson": "libsimdjson14",
        "protobuf": "libprotobuf32",
        "llhttp": "node-llhttp",
        "googletest": "libgtest-dev",
        "python3": "python3",
        "Bazel": "bazel-bootstrap",
        "time zones": "tzdata",
    }
    return [
        f"Go {_first(r'go version go(.+)', read([str(ROOT / 'tools/go'), 'version']))}",
        *(f"{title} {_package(read, package)}" for title, package in packages.items()),
        f"kernel {platform.release()}",
        f"locale {os.environ.get('LC_ALL', 'not set')}, time zone {os.environ.get('TZ', 'not set')}",
    ]
