#!/usr/bin/env python3
"""Tests of the packages that tools/install installs: a machine that has them all does not notice when one is left out."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]

# The package of each repository of third_party/debian.bzl.
NEEDED_BY_THE_BUILD = {
    "com_google_absl": "libabsl-dev",
    "com_google_protobuf": "libprotobuf-dev",
    "com_googlesource_code_re2": "libre2-dev",
    "curl": "libcurl4-openssl-dev",
    "libyaml": "libyaml-dev",
    "llhttp": "node-llhttp",
    "nghttp2": "libnghttp2-dev",
    "openssl": "libssl-dev",
    "simdjson": "libsimdjson-dev",
    "zlib": "zlib1g-dev",
}
NEEDED_BY_TESTS = {
    "com_google_benchmark": "libbenchmark-dev",
    "com_google_googletest": "libgtest-dev",
}


def repositories():
    text = (ROOT / "third_party" / "debian.bzl").read_text()
    names = re.findall(r'^    "(\w+)": \(|name = "(com_\w+|llhttp)"', text, re.MULTILINE)
    return {first or second for first, second in names}


def packages():
    """Those of tools/install --build, and those that tools/install adds."""
    text = (ROOT / "tools" / "install").read_text()
    return [set(words.split()) for words in re.findall(r"packages\+?=\(\n(.*?)\)", text, re.DOTALL)]


class InstallTest(unittest.TestCase):
    def test_every_repository_is_known(self):
        self.assertEqual(repositories(), NEEDED_BY_THE_BUILD.keys() | NEEDED_BY_TESTS.keys())

    def test_the_build_has_its_packages(self):
        build, _ = packages()
        self.assertEqual(set(NEEDED_BY_THE_BUILD.values()) - build, set())

    def test_the_tests_have_their_packages(self):
        _, tests = packages()
        self.assertEqual(set(NEEDED_BY_TESTS.values()) - tests, set())


if __name__ == "__main__":
    unittest.main()
