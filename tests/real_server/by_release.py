"""Runs the tests beside a server of each release that is asked for, one after the other, and counts.

What tests/real_server/run does. The last line is "N passed, N failed, N skipped".
"""

import os
import re
import subprocess
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))
_TOOLS = os.path.join(_HERE, "..", "..", "tools")
sys.path.insert(0, os.path.join(_TOOLS, "lib", "kube"))

import binaries  # noqa: E402  (needs the path above)
from errors import KubeError  # noqa: E402

_SUMMARY = re.compile(r"(\d+) passed, (\d+) failed, (\d+) skipped")
_FAILURES_COUNTED = 3  # main.py has counted the failures


def cached_releases():
    return [release for release in binaries.releases() if not binaries.missing(binaries.cache_directory(release))]


def chosen(words):
    """The releases that the words mean: versions, "all" that are cached, or the "newest" of these.

    The release of this library stands for none, and where "all" or "newest" finds no release.
    """
    found = []
    for word in words or [""]:
        if word in ("all", "newest"):
            cached = cached_releases() or [binaries.default_release()]
            found += cached if word == "all" else cached[-1:]
        else:
            found.append(binaries.find_release(word))
    return list(dict.fromkeys(found))


def run_release(release):
    """Runs the tests beside a server of the release: (passed, failed, skipped)."""
    directory = binaries.cache_directory(release)
    reason = binaries.why_missing(directory, release=release)
    if reason:
        print(f"SKIPPED: real server: {reason}", flush=True)
        return 0, 0, 1
    main = ["python3", "-B", os.path.join(_HERE, "main.py")]
    command = [os.path.join(_TOOLS, "kube"), "run", "--version", release.kubernetes, "--ttl", "40m", "--", *main]
    # Servers that the tests start themselves are of the same release; envtest looks for theirs in KUBEBUILDER_ASSETS.
    environment = {**os.environ, "KUBE_VERSION": release.kubernetes, "KUBEBUILDER_ASSETS": directory}
    last = ""
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True, errors="replace") as process:
        for line in process.stdout:
            print(line, end="", flush=True)
            last = line.strip() or last
    summary = _SUMMARY.fullmatch(last)
    if process.returncode in (0, _FAILURES_COUNTED) and summary:
        return tuple(map(int, summary.groups()))
    print(f"FAILED: tools/kube run: exit status {process.returncode}, see above")
    return 0, 1, 0


def main(words):
    try:
        releases = chosen(words or os.environ.get("KUBE_VERSIONS", "").split())
    except KubeError as error:
        print(f"FAILED: {error}\n0 passed, 1 failed, 0 skipped")
        return 1
    counts = []
    for release in releases:
        print(f"-- Kubernetes {release.kubernetes}", flush=True)
        counts.append(run_release(release))
    for release, count in zip(releases, counts):
        print(f"Kubernetes {release.kubernetes}: {_text(count)}")
    total = [sum(column) for column in zip(*counts)]
    print(_text(total))
    return 1 if total[1] else 0


def _text(count):
    return "{} passed, {} failed, {} skipped".format(*count)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
