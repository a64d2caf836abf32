#!/usr/bin/env python3
"""Tests of stages.py, with a "bazel" in PATH that writes what the row says."""

import contextlib
import io
import json
import os
import pathlib
import tempfile
import unittest
from unittest import mock

import stages
from counting import Outcome

_FAKE_BAZEL = """#!/bin/sh
echo "$*" >>"$FAKE/commands"
for argument in "$@"; do
  case $argument in --build_event_json_file=*) cat "$FAKE/events" >"${argument#*=}" ;; esac
done
cat "$FAKE/$1.out" 2>/dev/null
exit "$(cat "$FAKE/$1.code" 2>/dev/null || echo 0)"
"""

# Says whether it got a scratch folder, a corpus and a time; fails where the corpus holds "boom".
_FAKE_FUZZER = """#!/bin/sh
scratch= corpus=
for argument in "$@"; do
  case $argument in -*) ;; *) scratch=$corpus; corpus=$argument ;; esac
done
[ -z "$(ls "$scratch")" ] || exit 2
echo "$1 corpus: $(cat "$corpus"/*)"
! grep -q boom "$corpus"/*
"""

_FORMAT = pathlib.Path(__file__).parents[2] / "format"


class StagesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("bin/bazel", _FAKE_BAZEL, mode=0o755)
        path = f"{self.root / 'bin'}:{os.environ['PATH']}"
        for patch in (
            mock.patch.dict(os.environ, FAKE=str(self.root), PATH=path),
            mock.patch.object(stages, "ROOT", self.root),
            mock.patch.object(stages, "CACHE", self.root / "cache"),
        ):
            patch.start()
            self.addCleanup(patch.stop)

    def write(self, name, text, mode=0o644):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)

    def run_stage(self, run, **options):
        """Returns the outcome and what the stage printed."""
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            outcome = run(stages.Options(**options))
        return outcome, out.getvalue()

    def commands(self):
        return (self.root / "commands").read_text().splitlines()

    def test_script_stage(self):
        rows = {
            "exit status 0": ("echo fine", Outcome(passed=1)),
            "exit status 3": (
                "echo bad >&2; exit 3",
                Outcome(failed=1, failures=["tools/s get: exited with 3"]),
            ),
            "its own count": ("echo 4 passed, 0 failed, 0 skipped", Outcome(passed=4)),
            "skipped": (
                'echo "SKIPPED: no $1"',
                Outcome(skipped=1, skips=["tools/s get: no get"]),
            ),
        }
        for name, (script, want) in rows.items():
            with self.subTest(name):
                self.write("tools/s", f"#!/bin/sh\n{script}\n", mode=0o755)
                outcome, printed = self.run_stage(stages.script_stage("tools/s", "get"))
                self.assertEqual(outcome, want)
                self.assertNotEqual(printed, "")

    def test_a_missing_script_does_not_start(self):
        with self.assertRaises(FileNotFoundError):
            self.run_stage(stages.script_stage("tools/none"))

    def test_bazel_test(self):
        passed = json.dumps(
            {"id": {"testSummary": {"label": "//a:x"}}, "testSummary": {"overallStatus": "PASSED"}}
        )
        rows = {
            "passed": (passed, "0", Outcome(passed=1)),
            "not built": ("", "1", Outcome(failed=1, failures=["bazel: exited with 1"])),
        }
        for name, (events, code, want) in rows.items():
            with self.subTest(name):
                self.write("events", events)
                self.write("test.code", code)
                outcome, _ = self.run_stage(stages.bazel_test("--config=x", "//..."))
                self.assertEqual(outcome, want)

    def test_bazel_test_without_events(self):
        self.write("bin/bazel", "#!/bin/sh\nexit 37\n", mode=0o755)
        outcome, _ = self.run_stage(stages.bazel_test("//..."))
        self.assertEqual(outcome, Outcome(failed=1, failures=["bazel: exited with 37"]))

    def test_only_logs_have_the_ci_configuration(self):
        self.write("events", "")
        for ci in (True, False):
            self.run_stage(stages.bazel_test("//..."), ci=ci)
            self.assertEqual("--config=ci" in self.commands()[-1].split(), ci)

    def test_what_a_sanitizer_runs_is_not_run_with_gcc(self):
        self.write("events", "")
        self.write("query.out", "//a:y_test\n//a:x_test\n")
        self.run_stage(stages.not_sanitized)
        query, test = self.commands()
        for package in (*stages.FOREIGN_BYTES, *stages.THREADS):
            self.assertIn(f"//{package.removeprefix('-')}", query)
        self.assertTrue(test.endswith(" -- //... -//benchmarks/... -//a:x_test -//a:y_test"), test)

    def test_a_package_with_a_dash_is_left_out(self):
        packages = ("a/...", "-a/b:all", "c:all")
        self.assertEqual(stages.patterns(packages), ["//a/...", "-//a/b:all", "//c:all"])
        self.assertEqual(stages.tests_query(packages), "(tests(set(//a/... //c:all)) except set(//a/b:all))")

    def test_the_unit_tests_need_no_server(self):
        self.write("events", "")
        self.write("query.out", "//a:with_server_test\n")
        self.run_stage(stages.without_server)
        query, test = self.commands()
        self.assertIn("//(apiserver|", query)
        self.assertNotIn("rdeps", query)
        self.assertTrue(test.endswith(" -//a:with_server_test"), test)

    def test_the_tags_are_those_of_bazelrc(self):
        bazelrc = (pathlib.Path(stages.__file__).parents[3] / ".bazelrc").read_text()
        for config, tags in (("asan", stages.NOT_WITH_ASAN), ("tsan", stages.NOT_WITH_TSAN)):
            filters = ",".join(f"-{tag}" for tag in tags if tag != "manual")
            self.assertIn(f"test:{config} --test_tag_filters={filters}\n", bazelrc)

    def fuzz_workspace(self, corpus):
        """Two targets whose corpus is one file."""
        self.write("query.out", "//a:two_fuzz_test\n//a/b:one_fuzz_test\n")
        self.write("info.out", str(self.root / "out"))
        for binary in ("out/a/two_fuzz_test", "out/a/b/one_fuzz_test"):
            self.write(binary, _FAKE_FUZZER, mode=0o755)
        # The fake answers the query for the corpus like the one for the targets.
        self.write("a/two_fuzz_test", corpus)
        self.write("a/b/one_fuzz_test", corpus)

    def test_fuzz_targets_share_the_time(self):
        self.fuzz_workspace("seed")
        outcome, printed = self.run_stage(stages.fuzz, fuzz_seconds=9)
        self.assertEqual(outcome, Outcome(passed=2))
        self.assertEqual(printed.count("-max_total_time=4 corpus: seedseed"), 2)

    def test_only_the_wanted_fuzz_targets_run(self):
        self.fuzz_workspace("seed")
        rows = {
            "one has all of the time": (("//a:two_fuzz_test",), {"//a:two_fuzz_test": 9}),
            "two": (
                ("//a:two_fuzz_test", "//a/b:one_fuzz_test"),
                {"//a:two_fuzz_test": 4, "//a/b:one_fuzz_test": 4},
            ),
            "twice the same, once without slashes": (
                ("a:two_fuzz_test", "//a:two_fuzz_test"),
                {"//a:two_fuzz_test": 9},
            ),
        }
        for name, (targets, want) in rows.items():
            with self.subTest(name):
                outcome, printed = self.run_stage(stages.fuzz, fuzz_seconds=9, fuzz_targets=targets)
                self.assertEqual(outcome, Outcome(passed=len(want)))
                for label, seconds in want.items():
                    self.assertIn(f"-- {label}, {seconds} s\n", printed)
                build = [line for line in self.commands() if line.startswith("build")][-1]
                self.assertEqual([word for word in build.split() if word[:2] == "//"], sorted(want))

    def test_a_fuzz_target_that_is_none(self):
        self.fuzz_workspace("seed")
        with self.assertRaisesRegex(ValueError, 'fuzz "//a:typo": no such fuzz target'):
            self.run_stage(stages.fuzz, fuzz_targets=("//a:two_fuzz_test", "//a:typo"))
        self.assertFalse(any(line.startswith("build") for line in self.commands()))

    def test_a_crash_fails_and_the_next_target_runs(self):
        self.fuzz_workspace("boom")
        outcome, _ = self.run_stage(stages.fuzz)
        labels = ("//a/b:one_fuzz_test", "//a:two_fuzz_test")
        self.assertEqual(outcome.failures, [f"{label}: exited with 1" for label in labels])

    def test_fuzz_targets_that_do_not_build(self):
        self.fuzz_workspace("seed")
        self.write("build.code", "1")
        outcome, _ = self.run_stage(stages.fuzz)
        self.assertEqual(outcome, Outcome(failed=1, failures=["the fuzz targets do not build"]))

    def test_no_fuzz_target(self):
        outcome, _ = self.run_stage(stages.fuzz)
        self.assertEqual(outcome, Outcome(skipped=1, skips=["fuzz: no test has the tag fuzz"]))

    def test_a_query_that_fails(self):
        self.write("query.code", "7")
        with self.assertRaisesRegex(RuntimeError, "bazel query"):
            self.run_stage(stages.fuzz)

    def run_format(self):
        """Runs the stage with the real tools/format, in a workspace of fakes."""
        self.write("bin/git", "#!/bin/sh\nprintf 'a.cc\\0gone.cc\\0'\n", mode=0o755)
        self.write("bin/clang-format", '#!/bin/sh\necho "checks $*" >>"$FAKE/formatted"\n', mode=0o755)
        self.write("a.cc", "")
        self.write("tools/format", _FORMAT.read_text(), mode=0o755)
        with mock.patch.dict(os.environ, HOME=str(self.root / "home")):
            outcome, _ = self.run_stage(stages.script_stage("tools/format", "--check"))
        self.assertIn("-Werror a.cc\n", (self.root / "formatted").read_text())
        return outcome

    def test_format(self):
        self.write("home/.cache/client-cpp/buildifier", "#!/bin/sh\nexit 4\n", mode=0o755)
        outcome = self.run_format()
        self.assertEqual((outcome.passed, outcome.failed, outcome.skipped), (1, 1, 0))

    def test_format_without_buildifier(self):
        outcome = self.run_format()
        self.assertEqual((outcome.passed, outcome.failed, outcome.skipped), (1, 0, 1))

    def test_label_path(self):
        rows = {"//a/b:c": "a/b/c", "//:c": "c", "//a:b/c.txt": "a/b/c.txt"}
        for label, want in rows.items():
            with self.subTest(label):
                self.assertEqual(stages.label_path(label), want)


if __name__ == "__main__":
    unittest.main()
