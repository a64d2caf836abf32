#!/usr/bin/env python3
"""Tests of how cases are read, and of what is left of kubectl's output."""

import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from normal_form import normal_form  # noqa: E402  (needs the path above)
from script import ScriptError, parse  # noqa: E402

SCRIPT = """# A comment.

== The first
$ get pods -o 'jsonpath={.items[0]}'
! get nothing
$ create -f -
kind: A
# no comment
uid = get pod a -o name
"""

SECOND = """== The second
& 2..5 get pods -w
"""


class ParseTest(unittest.TestCase):
    def test_steps(self):
        [case] = parse(SCRIPT)
        self.assertEqual((case.name, case.line), ("The first", 3))
        good, bad, create = case.steps
        self.assertEqual(good.arguments, ["get", "pods", "-o", "jsonpath={.items[0]}"])
        self.assertEqual([good.fails, bad.fails, bad.line], [False, True, 5])
        self.assertEqual(create.stdin, ["kind: A", "# no comment", "uid = get pod a -o name"])

    def test_what_stands_behind_the_input(self):
        [case] = parse(f"{SCRIPT}\nuid = get pod a\n# A comment.\n$ get pods\n")
        self.assertEqual([step.variable for step in case.steps], ["", "", "", "uid", ""])
        self.assertEqual(case.steps[3].arguments, ["get", "pod", "a"])

    def test_beside(self):
        _, case = parse(f"{SCRIPT}\n{SECOND}")
        [step] = case.steps
        self.assertEqual((step.begins, step.ends, step.is_beside), (2, 5, True))
        self.assertEqual(step.arguments, ["get", "pods", "-w"])

    def test_errors(self):
        for text, message in [
            ("$ get pods\n", "line 1: expected a case's name"),
            ("== A\nget pods\n", 'line 2: "get pods" is no step'),
            ("== A\n& 2 get pods\n", 'line 2: "& 2 get pods" is no step'),
            ("== A\n\n== B\n$ get pods\n", "line 1: A: no steps"),
        ]:
            with self.subTest(message), self.assertRaises(ScriptError) as caught:
                parse(text)
            self.assertEqual(str(caught.exception), message)


_EVENTS = """Events:
  Type     Reason  Age  From  Message
  ----     ------  ---- ----  -------
"""


# What explain says of a field, after the lines that name group and kind.
_EXPLAINED = """VERSION: v1

FIELD: spec <Spec>


DESCRIPTION:
    {}FIELDS:
  a\t<string>
    DESCRIPTION
"""
_PROSE = _EXPLAINED.format("A thing.\n\n    More of it.\n\n")
_WITHOUT_PROSE = _EXPLAINED.format("TEXT\n")


class NormalFormTest(unittest.TestCase):
    def test_rules(self):
        for text, expected in [
            ("uid: 142f9358-ae60-4631-a237-b3fd1e309a11", "uid: UID"),
            ('resourceVersion: "12"', 'resourceVersion: "VERSION"'),
            ('"resourceVersion": "12",', '"resourceVersion": "VERSION",'),
            ("Resource Version:  12", "Resource Version:  VERSION"),
            ("at 2026-11-21T20:34:32Z.", "at TIME."),
            ("2026-11-21T20:34:32.123456Z", "TIME"),
            ("2026-11-21 21:00:00 +0000 UTC", "TIME"),
            ("Sat, 21 Nov 2026 20:44:10 +0000", "TIME"),
            ("web   1/1     5m23s   <none>", "web  1/1  AGE  <none>"),
            ("10.0.0.17  80:31234/TCP", "ADDRESS  80:PORT/TCP"),
            ("dial https://127.0.0.1:4711/api", "dial SERVER/api"),
            (_EVENTS + "  Warning  ClusterIPNotAllocated  3s  x  y\n", "Events:  <none>\n"),
            ("KIND: Pod\n" + _PROSE, "KIND: Pod\n" + _WITHOUT_PROSE),
            ("GROUP: apps\nKIND: Job\n" + _PROSE, "GROUP: apps\nKIND: Job\n" + _WITHOUT_PROSE),
            (
                "GROUP: rbac.authorization.k8s.io\nKIND: Role\n" + _PROSE,
                "GROUP: rbac.authorization.k8s.io\nKIND: Role\n" + _WITHOUT_PROSE,
            ),
            ("--- /tmp/LIVE-12/v1.Pod.a\t2026-11-21 20:34:32.123456789 +0000", "--- LIVE/v1.Pod.a\tTIME"),
        ]:
            with self.subTest(text):
                self.assertEqual(normal_form(text), expected)

    def test_what_stays(self):
        for text in [
            "spec:\n    a:\n      b: 1\n",
            "replicas: 3",
            "image: nginx:1.2",
            "10.7.0.1",
            "Events:\n  Type  Reason\n",
            "GROUP: a.example.org\nKIND: Pod\n" + _PROSE,
        ]:
            with self.subTest(text):
                self.assertEqual(normal_form(text), text)


if __name__ == "__main__":
    unittest.main()
