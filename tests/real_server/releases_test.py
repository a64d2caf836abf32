#!/usr/bin/env python3
"""Tests of releases.py, by_release.py and what bazel_targets.py leaves out, without a server."""

import contextlib
import io
import os
import shutil
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import bazel_targets  # noqa: E402  (needs the path above)
import by_release  # noqa: E402
import releases  # noqa: E402
from by_release import binaries  # noqa: E402

_TABLE = """# of a test
since 1.36 | behaviour | A thing is new | a gate

until 1.36 | variant | also_on_1_33 | it is too old
only 1.36 | test | //a:b_test | it compares
"""
# Stands for tools/kube: says what it was asked for, and ends as the variable FAKE_END says.
_FAKE_KUBE = """#!/bin/sh
echo "$1 $2 $3 for $KUBE_VERSION with $KUBEBUILDER_ASSETS"
echo "$FAKE_SAYS"
exit "$FAKE_END"
"""


class TableTest(unittest.TestCase):
    def test_each_word_covers_its_minor_versions(self):
        rows = releases.parse(_TABLE)
        covered = [[releases.covers(row, minor) for row in rows] for minor in (35, 36, 37)]
        self.assertEqual(covered, [[False, True, False], [True, True, True], [True, False, False]])

    def test_why_not_says_the_reason(self):
        rows = releases.parse(_TABLE)
        self.assertEqual(releases.why_not(rows, "test", "//a:b_test", 35), "only 1.36: it compares")
        self.assertEqual(releases.why_not(rows, "test", "//a:b_test", 36), "")
        self.assertEqual(releases.why_not(rows, "variant", "//a:b_test", 35), "")
        self.assertEqual(releases.why_not(rows, "test", "//a:other_test", 35), "")

    def test_wrong_rows_are_refused(self):
        for row in (
            "since 1.36 | behaviour | no reason",
            "from 1.36 | behaviour | a | b",
            "since 36 | behaviour | a | b",
            "since 1.36 | sentence | a | b",
            "since 1.36 | behaviour |  | b",
        ):
            with self.subTest(row), self.assertRaisesRegex(ValueError, "line 2: want"):
                releases.parse(f"# of a test\n{row}\n")
        with self.assertRaisesRegex(ValueError, '"a" has several rows'):
            releases.parse("only 1.36 | test | a | b\nsince 1.36 | test | a | c\n")

    def test_the_rows_of_the_checkout_can_be_read(self):
        rows = releases.read()
        self.assertTrue(rows)
        variants = {row.name for row in rows if row.kind == "variant"}
        self.assertLessEqual(variants, set(bazel_targets._VARIANTS))

    def test_the_release_of_the_library_is_tested_with_everything(self):
        minor = int(binaries.default_release().kubernetes.split(".")[1])
        for row in releases.read():
            self.assertTrue(releases.covers(row, minor), row)


class BazelTargetsTest(unittest.TestCase):
    def left(self, minor):
        labels = ["//a:b_test", "//a:c_test"]
        by_variant = {"also_on_1_33": ["//a:c_test"], "also_with_controllers": ["//a:b_test", "//a:c_test"]}
        with contextlib.redirect_stdout(io.StringIO()) as out:
            return *bazel_targets.for_release(releases.parse(_TABLE), minor, labels, by_variant), out.getvalue()

    def test_a_row_about_no_test_is_found(self):
        rows = releases.parse(_TABLE)
        self.assertEqual(bazel_targets.unknown_labels(rows, ["//a:b_test", "//a:c_test"]), [])
        self.assertEqual(bazel_targets.unknown_labels(rows, ["//a:c_test"]), ["//a:b_test"])

    def test_the_release_of_the_library_leaves_nothing_out(self):
        labels, by_variant, skipped, out = self.left(36)
        self.assertEqual((labels, skipped, out), (["//a:b_test", "//a:c_test"], 0, ""))
        self.assertEqual(by_variant["also_on_1_33"], ["//a:c_test"])

    def test_another_release_leaves_out_what_is_not_for_it_and_says_why(self):
        labels, by_variant, skipped, out = self.left(37)
        self.assertEqual((labels, skipped), (["//a:c_test"], 2))
        self.assertEqual(by_variant, {"also_on_1_33": [], "also_with_controllers": ["//a:c_test"]})
        self.assertEqual(
            out, "SKIPPED: //a:b_test: only 1.36: it compares\nSKIPPED: also_on_1_33: until 1.36: it is too old\n"
        )


class ByReleaseTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(shutil.rmtree, self.scratch)
        kube = os.path.join(self.scratch, "kube")
        with open(kube, "w", encoding="utf-8") as file:
            file.write(_FAKE_KUBE)
        os.chmod(kube, 0o755)
        variables = {"XDG_CACHE_HOME": self.scratch, "KUBE_VERSIONS": "", "FAKE_SAYS": "2 passed, 0 failed, 1 skipped"}
        for patch in (
            mock.patch.dict(os.environ, {**variables, "FAKE_END": "0"}),
            mock.patch.object(by_release, "_TOOLS", self.scratch),
        ):
            patch.start()
            self.addCleanup(patch.stop)
        self.default = binaries.default_release()
        self.oldest, *_, self.newest = binaries.releases()

    def cache(self, *cached):
        for release in cached:
            os.makedirs(binaries.cache_directory(release))
            for name in binaries.NAMES:
                path = os.path.join(binaries.cache_directory(release), name)
                shutil.copyfile("/bin/true", path)
                os.chmod(path, 0o755)

    def run_words(self, *words):
        """The exit status, and the lines that it prints."""
        with contextlib.redirect_stdout(io.StringIO()) as out:
            status = by_release.main(list(words))
        return status, out.getvalue().splitlines()

    def test_words_choose_releases(self):
        self.assertEqual(by_release.chosen([]), [self.default])
        self.assertEqual(by_release.chosen(["newest"]), [self.default])
        self.cache(self.default, self.oldest)
        minor = binaries.minor_version(self.oldest.kubernetes)
        self.assertEqual(by_release.chosen(["newest"]), [self.default])
        self.assertEqual(by_release.chosen(["all"]), [self.oldest, self.default])
        self.assertEqual(by_release.chosen(["newest", minor, "all"]), [self.default, self.oldest])
        self.cache(self.newest)
        self.assertEqual(by_release.chosen(["newest"]), [self.newest])

    def test_each_release_has_a_server_of_its_own_and_a_line(self):
        self.cache(self.default, self.oldest)
        status, lines = self.run_words("all")
        self.assertEqual(status, 0)
        for release in (self.oldest, self.default):
            version, directory = release.kubernetes, binaries.cache_directory(release)
            self.assertIn(f"run --version {version} for {version} with {directory}", lines)
            self.assertIn(f"Kubernetes {version}: 2 passed, 0 failed, 1 skipped", lines)
        self.assertEqual(lines[-1], "4 passed, 0 failed, 2 skipped")

    def test_the_variable_chooses_where_no_argument_does(self):
        self.cache(self.oldest)
        os.environ["KUBE_VERSIONS"] = self.oldest.kubernetes
        self.assertEqual(self.run_words()[1][0], f"-- Kubernetes {self.oldest.kubernetes}")
        self.assertEqual(self.run_words(self.default.kubernetes)[1][0], f"-- Kubernetes {self.default.kubernetes}")

    def test_a_release_that_is_not_cached_is_skipped(self):
        status, lines = self.run_words(self.oldest.kubernetes)
        self.assertEqual((status, lines[-1]), (0, "0 passed, 0 failed, 1 skipped"))
        self.assertIn(f"run tools/kube get {self.oldest.kubernetes}", "\n".join(lines))

    def test_failures_that_were_counted_are_counted_once(self):
        self.cache(self.default)
        os.environ.update(FAKE_SAYS="3 passed, 2 failed, 0 skipped", FAKE_END="3")
        status, lines = self.run_words()
        self.assertEqual((status, lines[-1]), (1, "3 passed, 2 failed, 0 skipped"))

    def test_a_server_that_does_not_start_is_one_failure(self):
        self.cache(self.default)
        for says, end in (("no server", "1"), ("no server", "0"), ("9 passed, 0 failed, 0 skipped", "137")):
            with self.subTest(end):
                os.environ.update(FAKE_SAYS=says, FAKE_END=end)
                status, lines = self.run_words()
                self.assertEqual((status, lines[-1]), (1, "0 passed, 1 failed, 0 skipped"))

    def test_an_unknown_release_is_a_failure(self):
        status, lines = self.run_words("1.2")
        self.assertEqual((status, lines[-1]), (1, "0 passed, 1 failed, 0 skipped"))
        self.assertIn('unknown release', lines[0])


if __name__ == "__main__":
    unittest.main()
