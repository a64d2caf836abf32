#!/usr/bin/env python3
"""kubectl against the embedded server and a real one: it has to say the same.

  kubectl_test.py [PART OF A CASE'S NAME]

With a part of a name only these cases are run, and what the real server made of them is printed.
The real server is that of KUBECONFIG: tests/real_server/run, or tools/kube run. README.md tells the
form of the cases.
"""

import concurrent.futures
import contextlib
import difflib
import glob
import os
import re
import subprocess
import sys
import tempfile
import uuid

from expected_differences import EXPECTED_DIFFERENCES
from player import Player
from script import parse

# Among the test's data.
CASES = os.path.join("tests", "kubectl", "cases", "*.txt")
SERVER = os.path.join("apiserver", "main")
# Folders of Go modules' files beside the test's own data: a case has their paths by these names.
FOLDERS = ("gateway_api_crds", "prometheus_operator_crds", "snapshotter_crds")


def find_folders():
    """The path of each, or None after saying why it is not there."""
    paths = {}
    for name in FOLDERS:
        paths[name] = os.path.abspath(os.path.join("..", name))
        for marker in glob.glob(os.path.join(paths[name], "*.skipped")):
            with open(marker, encoding="utf-8") as file:
                print(f"SKIPPED: {name}: {file.read().strip()}")
            return None
    return paths


def read_cases(part):
    cases = []
    for path in sorted(glob.glob(CASES)):
        with open(path, encoding="utf-8") as file:
            cases += parse(file.read())
    names = [case.name for case in cases]
    unknown = [name for name in EXPECTED_DIFFERENCES if name not in names]
    if unknown or len(set(names)) < len(names):
        raise SystemExit(f"FAILED: names of cases: twice, or not there: {unknown}")
    return [case for case in cases if part in case.name]


@contextlib.contextmanager
def embedded_server(folder):
    """Its kubeconfig's path."""
    path = os.path.join(folder, "kubeconfig")
    with subprocess.Popen(
        [SERVER, "--no-controllers", "--end-with-stdin"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        with open(path, "w", encoding="utf-8") as file:
            for line in server.stdout:
                file.write(line)
                if line.strip().startswith("namespace:"):  # the last one
                    break
        yield path
        server.stdin.close()


def real_config(folder):
    """A kubeconfig of the real server for its administrator by token, as he is on the other."""
    path = os.path.join(folder, "real_kubeconfig")
    with open(os.environ["KUBECONFIG"], encoding="utf-8") as file:
        text = re.sub("^current-context: .*", "current-context: admin-token", file.read(), flags=re.M)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def make_namespaces(player, names):
    objects = [f'{{"apiVersion":"v1","kind":"Namespace","metadata":{{"name":"{n}"}}}}' for n in names]
    stdin = "\n---\n".join(objects)
    _, errors, status = player.run("create", "-f", "-", stdin=stdin)
    if status != 0:
        raise SystemExit(f"FAILED: make namespaces: {errors}")


class Report:
    """Counts, and prints what is wrong."""

    def __init__(self, verbose):
        self._verbose = verbose
        self.failed = 0

    def add(self, case, real, embedded):
        """The outcomes of its steps."""
        wrong = [
            f"{step.text}\n{text}is not as expected on the real server\n"
            for step, (text, good) in zip(case.steps, real)
            if not good
        ]
        expected = EXPECTED_DIFFERENCES.get(case.name)
        differs = [t for t, _ in real] != [t for t, _ in embedded]
        if differs and expected is None:
            wrong += map(_difference, case.steps, real, embedded)
        if expected is not None and not differs:
            wrong.append("both say the same: remove it from expected_differences.py\n")
        if wrong:
            self.failed += 1
            print(f"FAILED: {case.name}\n{''.join(wrong)}", flush=True)
        if self._verbose:
            for step, (text, _) in zip(case.steps, real):
                print(f"{step.text}\n{text}", flush=True)


def _difference(step, real, embedded):
    if real[0] == embedded[0]:
        return ""
    lines = difflib.unified_diff(
        real[0].splitlines(), embedded[0].splitlines(), "real", "embedded", lineterm=""
    )
    return "\n".join([step.text, *lines]) + "\n"


def main(part=""):
    if not os.environ.get("KUBECTL") or not os.environ.get("KUBECONFIG"):
        print("SKIPPED: no server: run tests/real_server/run")
        return 0
    folders = find_folders()
    if folders is None:
        return 0
    cases = read_cases(part)
    names = [f"k{uuid.uuid4().hex[:8]}-{index:03}" for index in range(len(cases))]
    report = Report(verbose=bool(part))
    with tempfile.TemporaryDirectory() as folder, embedded_server(folder) as embedded_config:
        kubectl = os.environ["KUBECTL"]
        real = Player(kubectl, real_config(folder), os.path.join(folder, "real"))
        embedded = Player(kubectl, embedded_config, os.path.join(folder, "embedded"))
        for player in (real, embedded):
            make_namespaces(player, names)
        with concurrent.futures.ThreadPoolExecutor(max_workers=4) as pool:
            jobs = []
            for case, name in zip(cases, names):
                variables = {"NS": name, **folders}
                plays = [pool.submit(p.play, case, name, variables) for p in (real, embedded)]
                jobs.append((case, *plays))
            for case, on_real, on_embedded in jobs:
                report.add(case, on_real.result(), on_embedded.result())
    steps = sum(len(case.steps) for case in cases)
    print(
        f"kubectl: {len(cases)} cases of {steps} commands, {report.failed} failed, "
        f"{len(EXPECTED_DIFFERENCES)} expected differences"
    )
    for name, reason in EXPECTED_DIFFERENCES.items():
        print(f"  {name}: {reason}")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
