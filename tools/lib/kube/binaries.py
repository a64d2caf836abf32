"""Where the server's binaries are, and whether they are there.

Imports little: "tools/kube get --check" stands at the start of a test run and answers in a tenth of
a second.
"""

import os
import re

NAMES = ("kube-apiserver", "kube-controller-manager", "kubectl", "etcd")

_VERSIONS_BZL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "versions.bzl")


def versions(path=_VERSIONS_BZL):
    """The constants of tools/versions.bzl: {"KUBERNETES_VERSION": …}."""
    with open(path, encoding="utf-8") as file:
        return dict(re.findall(r'^([A-Z_]+) = "([^"]+)"$', file.read(), re.MULTILINE))


def cache_directory():
    """The directory for the binaries of the release in tools/versions.bzl, built with the Go toolchain named there."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    pinned = versions()
    name = f"{pinned['KUBERNETES_VERSION']}-go{pinned['GO_VERSION']}"
    return os.path.join(cache, "client-cpp", "kube", name)


def missing(directory, names=NAMES):
    """Those of `names` that `directory` lacks. What is there has been asked for its version."""
    return [name for name in names if not os.access(os.path.join(directory, name), os.X_OK)]


def why_missing(directory, names=NAMES):
    """Empty if `directory` has all of `names`, else a sentence that says what to do."""
    lacking = missing(directory, names)
    return f"no {', '.join(lacking)} in {directory}; run tools/kube get" if lacking else ""
