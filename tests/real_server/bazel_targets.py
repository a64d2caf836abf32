"""Builds and runs the Bazel tests that need a real server.

Such a test has the tags "real_server" and "manual": manual, because "bazel test //..." has no
server for it. It finds the server by KUBECONFIG and the other variables that "tools/kube start"
prints, and shares it with other tests: it works in a namespace of its own.
"""

import os
import subprocess
import tempfile
import time

_ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
_TAGGED = 'attr(tags, "[\\[ ]{tag}[,\\]]", {targets})'  # Bazel matches the list as text: [a, b]


def run():
    """How many passed and how many failed."""
    try:
        labels, not_manual = _labels()
    except subprocess.CalledProcessError as error:
        print(f"FAILED: {' '.join(error.cmd)}: {error.stderr.strip()}")
        return 0, 1
    if not labels:
        print("Bazel: no test has the tag real_server")
        return 0, 0
    for label in not_manual:
        print(f"FAILED: {label}: it has the tag real_server, expected manual too")
    if subprocess.run(["bazel", "build", *labels], cwd=_ROOT, check=False).returncode != 0:
        print(f"FAILED: bazel build {' '.join(labels)}, expected all to build")
        return 0, len(labels)
    passed = sum(_passes(label) for label in labels if label not in not_manual)
    return passed, len(labels) - passed


def _labels():
    tagged = _TAGGED.format(tag="real_server", targets="tests(//...)")
    manual = _TAGGED.format(tag="manual", targets=tagged)
    return _output("query", tagged), _output("query", f"{tagged} except {manual}")


def _output(*arguments):
    command = ["bazel", *arguments]
    done = subprocess.run(command, cwd=_ROOT, check=True, capture_output=True, text=True)
    return done.stdout.split()


def _passes(label):
    """Runs one test as Bazel would, but beside the server, and prints its output if it fails."""
    [output] = _output("info", "bazel-bin")
    binary = os.path.join(output, label.removeprefix("//").replace(":", "/"))
    runfiles = f"{binary}.runfiles"
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(
            [binary],
            cwd=os.path.join(runfiles, "client_cpp"),
            env={
                **os.environ,
                "TEST_SRCDIR": runfiles,
                "TEST_TMPDIR": scratch,
                "TEST_WORKSPACE": "client_cpp",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
    passed = done.returncode == 0
    print(f"{label} ... {'ok' if passed else 'FAIL'} ({time.monotonic() - began:.1f} s)")
    if not passed:
        print(f"{done.stdout}FAILED: {label}: exit status {done.returncode}, expected 0")
    return passed
