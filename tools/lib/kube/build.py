"""Builds the server's binaries from Go modules: what "tools/kube get" does.

"go install k8s.io/kubernetes/cmd/kube-apiserver@VERSION" is refused: that module's go.mod has
replace lines (its staging modules), which go accepts in a main module only. So the build makes a
main module of its own. Its go.mod is the release's, with each "k8s.io/X => ./staging/src/k8s.io/X"
turned into the published "k8s.io/X VERSION"; its go.sum is the release's, so that every third-party
module is checked against the hash that Kubernetes itself pinned. etcd is the server module which
the release pins, with a three-line main.

All releases are built with the one Go toolchain of tools/versions.bzl: a newer Go compiles a module
with an older "go" line, and the release's "godebug" line, which is kept, makes its standard library
behave as the Go that the release was made for.

Equal inputs give equal binaries, byte for byte: no paths (-trimpath), and the release's date as the
date of the build.
"""

import fcntl
import json
import os
import re
import shutil
import subprocess
import tempfile
import time

import binaries
from errors import KubeError

_GO = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "go")
_ETCD_MODULE = "go.etcd.io/etcd/server/v3"
_ETCD_MAIN = """package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() { etcdmain.Main(os.Args) }
"""
# Those of Kubernetes' own release builds: no test-only code, no tracing of each gRPC call.
_TAGS = "selinux,notest,grpcnotrace"
_STARTED = time.monotonic()


def get(directory, release):
    """Leaves the binaries of the release in `directory`, unless it has them."""
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, ".lock"), "w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _say(f"waiting for another build into {directory}")
            fcntl.flock(lock, fcntl.LOCK_EX)
        names = binaries.missing(directory)
        for name in set(binaries.NAMES) - set(names):
            check_version(directory, name, release)
        if names:
            _build(names, directory, release)
        _say(f"{directory} has {', '.join(binaries.NAMES)}")


def check_version(directory, name, release):
    """Raises unless the binary runs and reports the expected version."""
    path = os.path.join(directory, name)
    arguments = ["version", "--client"] if name == "kubectl" else ["--version"]
    expected = {
        "etcd": f"etcd Version: {release.etcd}",
        "kubectl": f"Client Version: v{release.kubernetes}",
    }.get(name, f"Kubernetes v{release.kubernetes}")
    try:
        output = subprocess.run(
            [path, *arguments], capture_output=True, text=True, check=False
        ).stdout
    except OSError as error:
        raise KubeError(f"run {path}: {error.strerror}; delete it and try again") from error
    first = output.split("\n", 1)[0]
    if first != expected:
        raise KubeError(
            f'check {path}: unexpected version "{first}", expected "{expected}"; delete it and try again'
        )


def main_module(go_mod, modules_version):
    """The go.mod of our main module, made from that of k8s.io/kubernetes.

    Its name stands in etcd's build information, and is no one's import path.
    """
    text = re.sub(r"^module .*", "module kube.invalid/build", go_mod, count=1, flags=re.MULTILINE)
    text = re.sub(
        r"^(\s+)(k8s\.io/[a-z-]+) => \./staging/src/.*$",
        rf"\1\2 => \2 v{modules_version}",
        text,
        flags=re.MULTILINE,
    )
    text = re.sub(r"^\s*ignore .*\n", "", text, flags=re.MULTILINE)
    if unknown := re.search(r"^.*=> \./.*$", text, re.MULTILINE):
        raise KubeError(
            f'read go.mod of k8s.io/kubernetes: unknown replacement "{unknown[0].strip()}"'
        )
    return text


def check_etcd_version(go_mod, release):
    """Raises unless the release's go.mod pins the etcd of tools/versions.bzl."""
    pinned = re.search(rf"^\s*(?:require )?{re.escape(_ETCD_MODULE)} v(\S+)", go_mod, re.MULTILINE)
    found = pinned[1] if pinned else "no etcd"
    if found != release.etcd:
        raise KubeError(
            f"build etcd: Kubernetes {release.kubernetes} pins etcd {found}, "
            f"but tools/versions.bzl has etcd {release.etcd} for it"
        )


def _say(text):
    print(f"[{time.monotonic() - _STARTED:4.0f}s] {text}", flush=True)


class _Go:
    """The go command, in the build's module."""

    def __init__(self, module):
        self._module = module
        self._environment = {
            **os.environ,
            "GOWORK": "off",
            "CGO_ENABLED": "0",
            "GOFLAGS": "-mod=mod",
        }

    def popen(self, *arguments, **options):
        return subprocess.Popen(
            [_GO, *arguments],
            cwd=self._module,
            env=self._environment,
            text=True,
            stdout=subprocess.PIPE,
            **options,
        )

    def output(self, *arguments):
        """Standard output and error, and whether it succeeded."""
        process = self.popen(*arguments, stderr=subprocess.PIPE)
        out, err = process.communicate()
        return out, err, process.returncode == 0


def _download(go, version):
    """Where the module cache has k8s.io/kubernetes, and that release's date."""
    module = f"k8s.io/kubernetes@v{version}"
    out, err, good = go.output("mod", "download", "-json", module)
    info = json.loads(out) if out.startswith("{") else {}
    if not good or "Dir" not in info:
        raise KubeError(f"download {module}: {info.get('Error') or err.strip()}")
    with open(info["Info"], encoding="utf-8") as file:
        return info["Dir"], json.load(file)["Time"]


def _linker_flags(version, date):
    """The stamp that /version and --version print. Modules do not carry a git commit."""
    minor = version.split(".")[1]
    values = {
        "gitVersion": f"v{version}",
        "gitMajor": "1",
        "gitMinor": minor,
        "gitTreeState": "clean",
        "gitCommit": "",
        "buildDate": date,
    }
    packages = ("k8s.io/component-base/version", "k8s.io/client-go/pkg/version")
    return " ".join(
        ["-s -w"] + [f"-X {p}.{key}={value}" for p in packages for key, value in values.items()]
    )


def _compile(go, packages, total, flags):
    """Runs go build, which names each package it compiles, and prints every hundredth instead."""
    process = go.popen(
        "build",
        "-v",
        "-buildvcs=false",
        "-trimpath",
        "-tags",
        _TAGS,
        "-ldflags",
        flags,
        "-o",
        "out/",
        *packages,
        stderr=subprocess.STDOUT,
    )
    compiled, messages = 0, []
    for line in process.stdout:
        if re.fullmatch(r"[^\s:]+\n", line):
            compiled += 1
            if compiled % 100 == 0:
                _say(f"{compiled} packages compiled, of at most {total}")
        elif not line.startswith("go: "):
            messages.append(line)
    if process.wait() != 0:
        raise KubeError(f"compile {' '.join(packages)}:\n{''.join(messages[-20:])}")


def _build(names, directory, release):
    version = release.kubernetes
    with tempfile.TemporaryDirectory(prefix="kube-build.") as module:
        go = _Go(module)
        _say(f"Kubernetes {version}: downloading modules for {', '.join(names)}")
        source, date = _download(go, version)
        with open(os.path.join(source, "go.mod"), encoding="utf-8") as file:
            go_mod = file.read()
        check_etcd_version(go_mod, release)
        files = {
            "go.mod": main_module(go_mod, release.modules),
            "etcd/main.go": _ETCD_MAIN,
        }
        os.mkdir(os.path.join(module, "etcd"))
        for name, text in files.items():
            with open(os.path.join(module, name), "w", encoding="utf-8") as file:
                file.write(text)
        shutil.copyfile(os.path.join(source, "go.sum"), os.path.join(module, "go.sum"))

        packages = [
            "./etcd" if name == "etcd" else f"k8s.io/kubernetes/cmd/{name}" for name in names
        ]
        for arguments in (
            ("mod", "edit", f"-require=k8s.io/kubernetes@v{version}"),
            ("list", "-tags", _TAGS, "-deps", *packages),
        ):
            out, err, good = go.output(*arguments)
            if not good:
                raise KubeError(
                    f"resolve the modules of Kubernetes {version}: {err.strip()[-1000:]}"
                )
        total = out.count("\n")
        _say(f"compiling and linking {total} packages; 5 to 20 minutes if the build cache is empty")
        _compile(go, packages, total, _linker_flags(version, date))
        for name in names:
            check_version(os.path.join(module, "out"), name, release)
            # Copied beside, then renamed: a binary in the cache is always a whole one.
            part = os.path.join(directory, f".{name}.part")
            shutil.copy(os.path.join(module, "out", name), part)
            os.replace(part, os.path.join(directory, name))
            _say(f"built {name}, {os.path.getsize(os.path.join(directory, name)) / 1e6:.1f} MB")
