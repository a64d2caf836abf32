#!/usr/bin/env python3
"""Tests of counting.py."""

import json
import pathlib
import tempfile
import unittest

from counting import Outcome, from_bazel, from_script, read_log


def summary(label, status, logs=()):
    """A testSummary as Bazel 4.2.3 and 7.7 write it."""
    return json.dumps(
        {
            "id": {"testSummary": {"label": label, "configuration": {"id": "c0ffee"}}},
            "testSummary": {"overallStatus": status, "passed": [{"uri": uri} for uri in logs]},
        }
    )


def completed(label, success):
    """A targetCompleted: Bazel writes no false."""
    return json.dumps(
        {
            "id": {"targetCompleted": {"label": label}},
            "completed": {"success": True} if success else {},
        }
    )


OTHER_EVENTS = [
    json.dumps({"id": {"started": {}}, "started": {"command": "test"}}),
    json.dumps({"id": {"testResult": {"label": "//a:x"}}, "testResult": {"status": "PASSED"}}),
    completed("//a:x", success=True),
    completed("//a:lib", success=True),
]

LOGS = {
    "file:///ok": "3 tests\nSKIPPED is only a word: fine\n  SKIPPED: indented, so of something else\n",
    "file:///skip": "before\nSKIPPED: there is no go\nafter\n",
    "file:///twice": "SKIPPED: there is no go\nSKIPPED: there is no net \nSKIPPED: there is no go\n",
    "file:///empty-reason": "SKIPPED: \nSKIPPED:\nmore\n",
}


class FromBazelTest(unittest.TestCase):
    def test_rows(self):
        no_go = "//a:x: there is no go"
        rows = {
            "passed": ([summary("//a:x", "PASSED", ["file:///ok"])], 0, Outcome(passed=1)),
            "passed without a log": ([summary("//a:x", "PASSED")], 0, Outcome(passed=1)),
            "flaky is passed": ([summary("//a:x", "FLAKY", ["file:///ok"])], 0, Outcome(passed=1)),
            "skipped": (
                [summary("//a:x", "PASSED", ["file:///skip"])],
                0,
                Outcome(skipped=1, skips=[no_go]),
            ),
            "skipped in one of two shards": (
                [summary("//a:x", "PASSED", ["file:///ok", "file:///skip"])],
                0,
                Outcome(skipped=1, skips=[no_go]),
            ),
            "several reasons, each once": (
                [summary("//a:x", "PASSED", ["file:///twice"])],
                0,
                Outcome(skipped=1, skips=[no_go + "; there is no net"]),
            ),
            "no reason is no skip": (
                [summary("//a:x", "PASSED", ["file:///empty-reason"])],
                0,
                Outcome(passed=1),
            ),
            "failed, although it says skipped": (
                [summary("//a:x", "FAILED", ["file:///skip"])],
                3,
                Outcome(failed=1, failures=["//a:x: failed"]),
            ),
            "timeout": (
                [summary("//a:x", "TIMEOUT")],
                3,
                Outcome(failed=1, failures=["//a:x: timeout"]),
            ),
            "a test and its library do not build": (
                [completed("//b:l", False), completed("//b:t", False), summary("//a:x", "PASSED")],
                1,
                Outcome(1, 2, 0, ["//b:l: does not build", "//b:t: does not build"]),
            ),
            "a build that was given up": (
                [json.dumps({"id": {"targetCompleted": {"label": "//b:l"}}, "aborted": {}})],
                1,
                Outcome(failed=1, failures=["//b:l: does not build"]),
            ),
            "a test that does not build is one failure": (
                [completed("//b:t", False), summary("//b:t", "FAILED_TO_BUILD")],
                1,
                Outcome(failed=1, failures=["//b:t: failed to build"]),
            ),
            "did not run": (
                [summary("//a:x", "NO_STATUS")],
                8,
                Outcome(failed=1, failures=["//a:x: no status"]),
            ),
            "events that end within one": (
                [summary("//a:x", "PASSED"), summary("//a:y", "PASSED")[:40]],
                1,
                Outcome(1, 1, 0, ["bazel: the list of its events ends within one: is the disk full?"]),
            ),
            "broken BUILD file": (
                [],
                1,
                Outcome(failed=1, failures=["bazel: exited with 1"]),
            ),
            "no test found": ([], 4, Outcome(failed=1, failures=["bazel: exited with 4"])),
            "nothing": ([], 0, Outcome()),
        }
        for name, (events, exit_code, want) in rows.items():
            with self.subTest(name):
                got = from_bazel([*OTHER_EVENTS, *events], exit_code, LOGS.__getitem__)
                self.assertEqual(got, want)

    def test_logs_are_read_from_files(self):
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "a log + more.txt"
            log.write_bytes(b"\xff not UTF-8\nSKIPPED: there is no go\n")
            got = from_bazel([summary("//a:x", "PASSED", [log.as_uri()])], 0)
            self.assertEqual(got, Outcome(skipped=1, skips=["//a:x: there is no go"]))
            self.assertIn("\ufffd", read_log(log.as_uri()))


class FromScriptTest(unittest.TestCase):
    def test_rows(self):
        rows = {
            "one test, passed": ("all is well\n", 0, Outcome(passed=1)),
            "silent": ("", 0, Outcome(passed=1)),
            "one test, failed": ("oh\n", 2, Outcome(failed=1, failures=["s: exited with 2"])),
            "one test, skipped": (
                "SKIPPED: no server\n",
                0,
                Outcome(skipped=1, skips=["s: no server"]),
            ),
            "skipped and then failed": (
                "SKIPPED: no server\n",
                1,
                Outcome(failed=1, failures=["s: exited with 1"]),
            ),
            "counts": ("text\n12 passed, 0 failed, 0 skipped\n\n", 0, Outcome(passed=12)),
            "counts with failures": (
                "3 passed, 2 failed, 0 skipped\n",
                1,
                Outcome(passed=3, failed=2, failures=["s: 2 failed"]),
            ),
            "failures count whatever the exit code": (
                "3 passed, 2 failed, 0 skipped",
                0,
                Outcome(passed=3, failed=2, failures=["s: 2 failed"]),
            ),
            "an exit code counts whatever the line says": (
                "3 passed, 0 failed, 0 skipped",
                9,
                Outcome(passed=3, failed=1, failures=["s: exited with 9"]),
            ),
            "counts with skips": (
                "SKIPPED: no server\n1 passed, 0 failed, 1 skipped\n",
                0,
                Outcome(passed=1, skipped=1, skips=["s: no server"]),
            ),
            "counts that are not last are text": (
                "3 passed, 2 failed, 0 skipped\nmore\n",
                0,
                Outcome(passed=1),
            ),
            "counts in a longer line are text": (
                "so 3 passed, 2 failed, 0 skipped",
                0,
                Outcome(passed=1),
            ),
            "counts nothing": ("0 passed, 0 failed, 0 skipped", 0, Outcome()),
        }
        for name, (output, exit_code, want) in rows.items():
            with self.subTest(name):
                self.assertEqual(from_script("s", output, exit_code), want)


class OutcomeTest(unittest.TestCase):
    def test_add(self):
        total = Outcome(1, 2, 3, ["f"], ["s"])
        total.add(Outcome(10, 20, 30, ["g"], ["t"]))
        self.assertEqual(total, Outcome(11, 22, 33, ["f", "g"], ["s", "t"]))
        self.assertEqual(total.total(), 66)
        self.assertEqual(str(total), "11 passed, 22 failed, 33 skipped")


if __name__ == "__main__":
    unittest.main()
