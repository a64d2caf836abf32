#!/usr/bin/env python3
"""Tests of tools/version."""

import pathlib
import subprocess
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2]


def call(*arguments):
    """Returns exit status, standard output and standard error."""
    done = subprocess.run([TOOLS / "version", *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


class VersionTest(unittest.TestCase):
    def test_it_prints_a_version(self):
        for name in ("GO_VERSION", "KUBERNETES_VERSION", "KUBERNETES_MODULES_VERSION", "ETCD_VERSION"):
            with self.subTest(name):
                status, out, _ = call(name)
                self.assertEqual(status, 0)
                self.assertRegex(out, r"^\d+\.\d+\.\d+\n$")

    def test_bad_calls(self):
        rows = {
            "unknown name": (["GO_VERSIO"], 1, 'read "GO_VERSIO": tools/versions.bzl has no such name'),
            "not a name": ([".*"], 1, 'read ".*"'),
            "empty name": ([""], 1, 'read ""'),
            "no name": ([], 2, "usage: tools/version NAME"),
        }
        for name, (arguments, want, message) in rows.items():
            with self.subTest(name):
                status, out, err = call(*arguments)
                self.assertEqual((status, out), (want, ""))
                self.assertIn(message, err)

    def test_help(self):
        status, out, err = call("--help")
        self.assertEqual((status, err), (0, ""))
        self.assertIn("usage: tools/version NAME", out)


if __name__ == "__main__":
    unittest.main()
