#!/usr/bin/env python3
"""Tests of main.py, with stages that only return."""

import contextlib
import io
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import main
from counting import Outcome
from stages import STAGES, Options, Stage


def failing_start(_):
    raise FileNotFoundError("no such program")


class MainTest(unittest.TestCase):
    def setUp(self):
        self.ran = []
        self.options = None
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.report = Path(folder.name) / "cache" / "report.txt"

    def stage(self, name, outcome, full=False):
        def run(options):
            self.ran.append(name)
            self.options = options
            self.environment = {name: os.environ[name] for name in ("LC_ALL", "TZ")}
            return outcome

        return Stage(name, f"the {name} stage", run, full)

    def run_main(self, arguments, stages):
        """Returns the exit status and the lines on standard output."""
        out = io.StringIO()
        with (
            contextlib.redirect_stdout(out),
            mock.patch("disk_cache.trim") as self.trim,
            mock.patch("disk_cache.make_room") as self.make_room,
            mock.patch("main.REPORT", self.report),
            mock.patch("judges.judges", return_value=["Go 1.99.3", "kernel 7"]),
            mock.patch.dict(os.environ, LC_ALL="tr_TR.UTF-8", TZ="Asia/Kathmandu"),
        ):
            status = main.main(arguments, stages, self.stage("unit", Outcome(passed=1)))
        return status, out.getvalue().splitlines()

    def test_the_last_line_and_the_status(self):
        ok, bad = Outcome(passed=2), Outcome(failed=1, failures=["//a:x: failed"])
        skip = Outcome(skipped=1, skips=["//a:y: there is no go"])
        rows = {
            "all pass": ([ok, ok], "4 passed, 0 failed, 0 skipped", 0),
            "one fails": ([bad, ok], "2 passed, 1 failed, 0 skipped", 1),
            "one skips": ([ok, skip], "2 passed, 0 failed, 1 skipped", 0),
            "a stage without a test fails": ([ok, Outcome()], "2 passed, 1 failed, 0 skipped", 1),
            "no stage": ([], "0 passed, 0 failed, 0 skipped", 1),
        }
        for name, (outcomes, last, status) in rows.items():
            with self.subTest(name):
                stages = [self.stage(f"s{i}", outcome) for i, outcome in enumerate(outcomes)]
                got = self.run_main(["--all"], stages)
                self.assertEqual((got[0], got[1][-1]), (status, last))

    def test_stages_run_in_one_locale_and_time_zone(self):
        self.run_main(["--all"], [self.stage("one", Outcome(passed=1))])
        self.assertEqual(self.environment, {"LC_ALL": "C.UTF-8", "TZ": "UTC"})

    def test_the_report_names_the_judges(self):
        _, lines = self.run_main(["--all"], [self.stage("one", Outcome(passed=1))])
        self.assertEqual(lines[lines.index("judged with:") + 1 :][:2], ["  Go 1.99.3", "  kernel 7"])

    def test_the_report_is_kept(self):
        _, lines = self.run_main(["--all"], [self.stage("one", Outcome(passed=1))])
        kept = self.report.read_text(encoding="utf-8").splitlines()
        self.assertEqual(kept, lines[lines.index("== report") :])
        self.assertRegex(kept[1], r"^  one: 1 passed, 0 failed, 0 skipped \([0-9.]+ s\)$")

    def test_a_failure_does_not_stop_the_stages_after_it(self):
        stages = [
            Stage("start", "cannot start", failing_start),
            self.stage("bad", Outcome(failed=1, failures=["//a:x: failed"])),
            self.stage("ok", Outcome(passed=1)),
        ]
        status, lines = self.run_main(["--all"], stages)
        self.assertEqual(status, 1)
        self.assertEqual(self.ran, ["bad", "ok"])
        self.assertEqual(lines[-1], "1 passed, 2 failed, 0 skipped")
        self.assertIn("  start: FileNotFoundError: no such program", lines)
        self.assertIn("  bad: //a:x: failed", lines)

    def test_skips_are_listed_once(self):
        skip = "//a:y: there is no go"
        stages = [self.stage(name, Outcome(skipped=1, skips=[skip])) for name in ("one", "two")]
        status, lines = self.run_main(["--all"], stages)
        self.assertEqual((status, lines[-1]), (0, "0 passed, 0 failed, 2 skipped"))
        self.assertEqual(lines.count("  " + skip), 1)

    def test_each_stage_prints_name_and_time(self):
        _, lines = self.run_main(["--all"], [self.stage("one", Outcome(passed=1))])
        self.assertIn("== one: the one stage", lines)
        self.assertRegex("\n".join(lines), r"== one: 1 passed, 0 failed, 0 skipped \(\d+\.\d s\)")

    def test_selection(self):
        stages = [
            self.stage("format", Outcome(passed=1)),
            self.stage("gcc", Outcome(passed=1)),
            self.stage("kube", Outcome(passed=1), full=True),
        ]
        rows = {
            "": ["unit"],
            "--all": ["format", "gcc"],
            "--full": ["format", "gcc", "kube"],
            "--only kube": ["kube"],
            "--only gcc --only format": ["format", "gcc"],
            "--list": [],
        }
        for arguments, want in rows.items():
            with self.subTest(arguments):
                self.ran = []
                status, _ = self.run_main(arguments.split(), stages)
                self.assertEqual((status, self.ran), (0, want))

    def test_fuzz_seconds(self):
        rows = {"": 60, "--full": 600, "--fuzz-seconds 5": 5, "--full --fuzz-seconds 7": 7}
        for arguments, want in rows.items():
            with self.subTest(arguments):
                self.run_main(arguments.split(), [self.stage("gcc", Outcome(passed=1))])
                # Standard output is no terminal here.
                self.assertEqual(self.options, Options(fuzz_seconds=want, ci=True))

    def test_fuzz_targets(self):
        stages = [self.stage("gcc", Outcome(passed=1)), self.stage("fuzz", Outcome(passed=1), full=True)]
        rows = {
            "--fuzz-target //a:b": (60, ("//a:b",)),
            "--fuzz-target //a:b --fuzz-target //c:d --fuzz-seconds 9": (9, ("//a:b", "//c:d")),
            "--only fuzz --fuzz-target //a:b": (60, ("//a:b",)),
        }
        for arguments, (seconds, targets) in rows.items():
            with self.subTest(arguments):
                self.ran = []
                status, _ = self.run_main(arguments.split(), stages)
                self.assertEqual((status, self.ran), (0, ["fuzz"]))
                self.assertEqual(self.options, Options(fuzz_seconds=seconds, fuzz_targets=targets, ci=True))

    def test_help_names_the_options(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out), self.assertRaises(SystemExit):
            main.main(["--help"])
        for option in ("--fuzz-target LABEL", "--fuzz-seconds N", "--only STAGE"):
            self.assertIn(option, out.getvalue())

    def test_all_runs_bound_the_disk_cache(self):
        for arguments, calls in (("", 1), ("--all", 1), ("--only gcc", 1), ("--list", 0)):
            with self.subTest(arguments):
                self.run_main(arguments.split(), [self.stage("gcc", Outcome(passed=1))])
                self.assertEqual(self.trim.call_count, calls)
                self.assertEqual(self.make_room.call_count, calls)

    def test_bad_command_lines(self):
        for arguments in (
            "--only nonsense",
            "--fast",
            "--all --full",
            "extra",
            "--fuzz-seconds x",
            "--fuzz-target",
            "--all --fuzz-target //a:b",
            "--full --fuzz-target //a:b",
            "--only gcc --fuzz-target //a:b",
        ):
            with self.subTest(arguments), contextlib.redirect_stderr(io.StringIO()):
                with self.assertRaises(SystemExit) as raised:
                    main.main(arguments.split(), [self.stage("gcc", Outcome(passed=1))])
                self.assertEqual(raised.exception.code, 2)

    def test_the_real_stages(self):
        self.assertEqual(
            [stage.name for stage in STAGES],
            "format style deps docs gcc asan tsan gcc-all asan-all tsan-all imported foreign clang fuzz downstream tutorial kube operator server".split(),
        )
        self.assertEqual([stage.name for stage in STAGES if stage.full], ["gcc-all", "asan-all", "tsan-all", "imported", "foreign", "clang", "fuzz", "tutorial", "kube", "operator"])


if __name__ == "__main__":
    unittest.main()
