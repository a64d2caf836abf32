"""Which releases there are, where the binaries of each are, and whether they are there.

Imports little: "tools/kube get --check" stands at the start of a test run and answers in a tenth of
a second.
"""

import collections
import os
import re

from errors import KubeError

NAMES = ("kube-apiserver", "kube-controller-manager", "kubectl", "etcd")

_VERSIONS_BZL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "versions.bzl")

# Versions without "v": of Kubernetes, of its Go modules, and of the etcd that it pins.
Release = collections.namedtuple("Release", ("kubernetes", "modules", "etcd"))


def versions(path=_VERSIONS_BZL):
    """The constants of tools/versions.bzl: {"KUBERNETES_VERSION": …}."""
    return dict(re.findall(r'^([A-Z_]+) = "([^"]+)"$', _read(path), re.MULTILINE))


def default_release(path=_VERSIONS_BZL):
    """The release that the types of this library come from."""
    pinned = versions(path)
    names = ("KUBERNETES_VERSION", "KUBERNETES_MODULES_VERSION", "ETCD_VERSION")
    return Release(*(pinned[name] for name in names))


def releases(path=_VERSIONS_BZL):
    """All releases of tools/versions.bzl, the oldest first."""
    others = re.search(r"^OTHER_KUBERNETES_RELEASES = \{$(.*?)^\}$", _read(path), re.MULTILINE | re.DOTALL)
    pairs = re.findall(r'"([^"]+)": "([^"]+)"', others[1]) if others else []
    found = [Release(version, "0." + version.split(".", 1)[1], etcd) for version, etcd in pairs]
    return sorted([*found, default_release(path)], key=lambda release: _numbers(release.kubernetes))


def find_release(text, path=_VERSIONS_BZL):
    """The release that "1.35", "1.35.4" or "v1.35.4" means; that of this library if `text` is empty."""
    if not text:
        return default_release(path)
    wanted = text.removeprefix("v")
    known = releases(path)
    for release in known:
        if wanted in (release.kubernetes, minor_version(release.kubernetes)):
            return release
    names = ", ".join(release.kubernetes for release in known)
    raise KubeError(f'find Kubernetes "{text}": unknown release; tools/versions.bzl has {names}')


def minor_version(kubernetes):
    """ "1.35" of "1.35.4"."""
    return kubernetes.rpartition(".")[0]


def cache_directory(release=None):
    """The directory for the binaries of a release, built with the Go toolchain of tools/versions.bzl."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    name = f"{(release or default_release()).kubernetes}-go{versions()['GO_VERSION']}"
    return os.path.join(cache, "client-cpp", "kube", name)


def missing(directory, names=NAMES):
    """Those of `names` that `directory` lacks. What is there has been asked for its version."""
    return [name for name in names if not os.access(os.path.join(directory, name), os.X_OK)]


def why_missing(directory, names=NAMES, release=None):
    """Empty if `directory` has all of `names`, else a sentence that says what to do."""
    lacking = missing(directory, names)
    command = "tools/kube get"
    if release not in (None, default_release()):
        command += f" {release.kubernetes}"
    return f"no {', '.join(lacking)} in {directory}; run {command}" if lacking else ""


def _read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def _numbers(version):
    return [int(number) for number in version.split(".")]
