"""Runs the steps of cases: kubectl against one server."""

import os
import subprocess
import threading
import time

from normal_form import normal_form

_STEP_SECONDS = 60  # none takes more than some; so that what hangs is told apart
# What kubectl says of a definition that is so new that it has no conditions, and of a group whose
# OpenAPI document a real server has not made yet.
_NOT_YET = (
    ".status.conditions accessor error: <nil> is of the type <nil>",
    "couldn't find resource for",
)


class Player:
    """kubectl and one server. Thread-safe."""

    def __init__(self, kubectl, kubeconfig, home):
        self._kubectl = kubectl
        # Neither the user's settings nor the cache of another server.
        self._environment = {
            "HOME": home,
            "KUBECONFIG": kubeconfig,
            "PATH": os.environ.get("PATH", ""),
            "TZ": "UTC",
        }

    def run(self, *arguments, stdin=""):
        """Its output, its errors and its exit status."""
        due = time.monotonic() + _STEP_SECONDS
        while True:
            output, errors, status = self._run_once(arguments, stdin)
            if not any(text in errors for text in _NOT_YET) or time.monotonic() > due:
                return output, errors, status
            time.sleep(0.1)

    def _run_once(self, arguments, stdin):
        done = subprocess.run(
            [self._kubectl, *arguments],
            input=stdin,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=_STEP_SECONDS,
            check=False,
        )
        return done.stdout, done.stderr, done.returncode

    def play(self, case, namespace, variables):
        """For each step what there is to compare, and whether its exit status is the expected."""
        return _Play(self, case, namespace, variables).outcomes()

    def start(self, *arguments):
        """kubectl beside others."""
        return subprocess.Popen(
            [self._kubectl, *arguments],
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )


class _Play:
    def __init__(self, player, case, namespace, variables):
        self._player = player
        self._case = case
        self._namespace = namespace
        self._variables = dict(variables)

    def outcomes(self):
        results, beside = [], []
        try:
            for step in self._case.steps:
                arguments = ["-n", self._namespace, *map(self._filled, step.arguments)]
                if step.is_beside:
                    beside.append((len(results), step, _Beside(self._player.start(*arguments))))
                    beside[-1][2].wait_for(step.begins)
                    results.append(None)
                else:
                    results.append(self._outcome(step, arguments))
            for index, step, lines in beside:
                lines.wait_for(step.ends)
                text = "".join(lines.all()[: step.ends])
                results[index] = (normal_form(text), text.count("\n") == step.ends)
        finally:
            for _, _, lines in beside:
                lines.end()
        return results

    def _outcome(self, step, arguments):
        stdin = self._filled("\n".join(step.stdin) + "\n")
        out, err, status = self._player.run(*arguments, stdin=stdin)
        expected = (status != 0) == step.fails
        if step.variable:
            self._variables[step.variable] = out
            return err, expected and not err
        return normal_form(f"{out}{err}exit status {status}\n"), expected

    def _filled(self, text):
        for name, value in self._variables.items():
            text = text.replace(f"${{{name}}}", value)
        return text


class _Beside:
    """A process whose lines are read as they come."""

    def __init__(self, process):
        self._process = process
        self._lines = []
        self._ended = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _read(self):
        for line in self._process.stdout:
            with self._changed:
                self._lines.append(line)
                self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def wait_for(self, count):
        """Until it has said so many lines, has ended, or hangs."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._ended or len(self._lines) >= count, timeout=_STEP_SECONDS
            )

    def all(self):
        with self._changed:
            return list(self._lines)

    def end(self):
        self._process.kill()
        self._process.wait()
        self._thread.join()
