#!/usr/bin/env python3
"""Tests of judges.py, with programs that only answer."""

import os
import unittest
from unittest import mock

import judges


class JudgesTest(unittest.TestCase):
    def test_each_judge_has_its_version(self):
        def read(command):
            if command[-1] == "version":
                return "go version go1.99.3 linux/amd64\n"
            return f"7.8-{command[-1]}"

        with mock.patch.dict(os.environ, judges.PINNED):
            lines = judges.judges(read)
        self.assertIn("Go 1.99.3 linux/amd64", lines)
        for title, package in (
            ("libcurl", "libcurl4"),
            ("RE2", "libre2-9"),
            ("libyaml", "libyaml-0-2"),
            ("simdjson", "libsimdjson14"),
            ("protobuf", "libprotobuf32"),
            ("llhttp", "node-llhttp"),
            ("googletest", "libgtest-dev"),
            ("python3", "python3"),
            ("Bazel", "bazel-bootstrap"),
        ):
            self.assertIn(f"{title} 7.8-{package}", lines)
        self.assertIn("locale C.UTF-8, time zone UTC", lines)

    def test_what_is_missing_is_said(self):
        with mock.patch.dict(os.environ):
            os.environ.pop("LC_ALL", None)
            os.environ.pop("TZ", None)
            lines = judges.judges(lambda command: "")
        self.assertIn("Go not found", lines)
        self.assertIn("time zones not found", lines)
        self.assertIn("locale not set, time zone not set", lines)

    def test_a_program_that_cannot_run_says_nothing(self):
        self.assertEqual(judges.output(["/nonexistent/program"]), "")
        self.assertEqual(judges.output(["sh", "-c", "echo half; exit 1"]), "")
        self.assertEqual(judges.output(["sh", "-c", "echo whole"]), "whole\n")


if __name__ == "__main__":
    unittest.main()
