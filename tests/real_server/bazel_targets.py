"""Builds and runs the Bazel tests that need a real server.

Such a test has the tags "real_server" and "manual": manual, because "bazel test //..." has no
server for it. It finds the server by KUBECONFIG and the other variables that "tools/kube start"
prints, and shares it with tests that run before and after it: it works in a namespace of its own.
With a tag of _VARIANTS it runs once more against a server of that kind, whose name it finds in
KUBE_VARIANT. The variants' servers run one after another, beside the common server. No server has
two tests at a time: some look at what all namespaces have.

Tests with the tag "real_server_on_request" instead run only if the variable
REAL_SERVER_ON_REQUEST is set: they take minutes to compile.
"""

import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
import time

import releases

_ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
_TAGGED = 'attr(tags, "[\\[ ]{tag}[,\\]]", {targets})'  # Bazel matches the list as text: [a, b]
_VARIANTS = {
    "also_on_1_33": ["--emulated-version=1.33"],
    "also_with_controllers": ["--controller-manager"],
    "also_without_watch_cache": ["--apiserver-flag=--watch-cache=false"],
}


def run(rows, minor):
    """How many passed, failed and were skipped on a server of 1.MINOR."""
    try:
        labels = _labels("tests(//...)", "real_server")
        if os.environ.get("REAL_SERVER_ON_REQUEST"):
            labels += _labels("tests(//...)", "real_server_on_request")
        not_manual = set(labels) - set(_labels("tests(//...)", "manual"))
        by_variant = {v: _labels(f"set({' '.join(labels)})", v) for v in _VARIANTS if labels}
    except subprocess.CalledProcessError as error:
        print(f"FAILED: {' '.join(error.cmd)}: {error.stderr.strip()}")
        return 0, 1, 0
    if not labels:
        print("Bazel: no test has the tag real_server")
        return 0, 0, 0
    unknown = unknown_labels(rows, labels)
    for label in unknown:
        print(f"FAILED: {label}: a row of releases.txt, but no test with the tag real_server")
    labels, by_variant, skipped = for_release(rows, minor, labels, by_variant)
    for label in not_manual:
        print(f"FAILED: {label}: it has the tag real_server, expected manual too")
    if subprocess.run(["bazel", "build", *labels], cwd=_ROOT, check=False).returncode != 0:
        print(f"FAILED: bazel build {' '.join(labels)}, expected all to build")
        return 0, len(labels) + len(unknown), skipped
    [output] = _output("info", "bazel-bin")
    # Two servers at a time, since their tests mostly wait.
    with concurrent.futures.ThreadPoolExecutor(max_workers=1) as pool:
        variants = pool.submit(_run_variants, output, by_variant)
        results = [_passes(output, label) for label in labels if label not in not_manual]
        results += variants.result()
    return sum(results), len(results) - sum(results) + len(not_manual) + len(unknown), skipped


def unknown_labels(rows, labels):
    """The labels of rows that are those of no test: such a row would leave out nothing."""
    return [row.name for row in rows if row.kind == "test" and row.name.startswith("//") and row.name not in labels]


def for_release(rows, minor, labels, by_variant):
    """The labels and the variants without those that are for other releases, and how many these were."""
    reasons = {label: releases.why_not(rows, "test", label, minor) for label in labels}
    skipped = {label: reason for label, reason in reasons.items() if reason}
    labels = [label for label in labels if label not in skipped]
    kept = {}
    for variant, its_labels in by_variant.items():
        reason = releases.why_not(rows, "variant", variant, minor)
        if reason and its_labels:
            skipped[variant] = reason
        kept[variant] = [] if reason else [label for label in its_labels if label in labels]
    for name, reason in skipped.items():
        print(f"SKIPPED: {name}: {reason}")
    return labels, kept, len(skipped)


def _labels(targets, tag):
    return _output("query", _TAGGED.format(tag=tag, targets=targets))


def _output(*arguments):
    command = ["bazel", *arguments]
    done = subprocess.run(command, cwd=_ROOT, check=True, capture_output=True, text=True)
    return done.stdout.split()


def _run_variants(output, by_variant):
    """Whether each test of each variant passes."""
    return [
        result
        for variant, labels in by_variant.items()
        if labels
        for result in _run_variant(output, variant, labels)
    ]


def _run_variant(output, variant, labels):
    """Whether each passes against a server of its own."""
    with tempfile.TemporaryDirectory() as folder:
        results = os.path.join(folder, "results")
        kube = [os.path.join(_ROOT, "tools", "kube"), "run", "--ttl", "10m", *_VARIANTS[variant]]
        tests = [sys.executable, "-B", os.path.abspath(__file__), results, output, *labels]
        environment = {**os.environ, "KUBE_VARIANT": variant}
        done = subprocess.run([*kube, "--", *tests], env=environment, check=False)
        if done.returncode != 0:
            print(f"FAILED: tools/kube run for {variant}: exit status {done.returncode}")
            return [False] * len(labels)
        with open(results, encoding="utf-8") as file:
            return json.load(file)


def _passes(output, label):
    """Runs one test as Bazel would, but beside the server, and prints its output if it fails."""
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
    name = " ".join([label, *filter(None, [os.environ.get("KUBE_VARIANT")])])
    lines = f"{name} ... {'ok' if passed else 'FAIL'} ({time.monotonic() - began:.1f} s)\n"
    if not passed:
        lines += f"{done.stdout}FAILED: {name}: exit status {done.returncode}, expected 0\n"
    print(lines, end="", flush=True)  # one write: the lines of two servers' tests do not mix
    return passed


def main(results, output, *labels):
    with open(results, "w", encoding="utf-8") as file:
        json.dump([_passes(output, label) for label in labels], file)


if __name__ == "__main__":
    main(*sys.argv[1:])
