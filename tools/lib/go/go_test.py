#!/usr/bin/env python3
"""Tests of tools/go, with programs named go that say which version they are."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2]

_FAKE_GO = """#!/bin/sh
[ "$1" != version ] || {{ echo "go version {version} linux/amd64"; exit; }}
echo "{version}: $* GOROOT=$GOROOT GOTOOLCHAIN=$GOTOOLCHAIN"
"""


def call(command, **environment):
    """Returns exit status, standard output and standard error."""
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
    return done.returncode, done.stdout, done.stderr


class GoTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.need = call([TOOLS / "version", "GO_VERSION"])[1].strip()
        self.cache = self.root / ".cache/client-cpp/go" / self.need
        # What the scripts call, without the machine's own go.
        self.bin = self.root / "bin"
        self.bin.mkdir()
        for name in ("dirname", "readlink", "sed"):
            (self.bin / name).symlink_to(shutil.which(name))

    def make_go(self, folder, version):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "go").write_text(_FAKE_GO.format(version=version))
        (folder / "go").chmod(0o755)

    def run_go(self, *folders):
        path = ":".join(map(str, [*folders, self.bin]))
        # A caller's choice of Go is not for us.
        return call(
            [TOOLS / "go", "build", "./..."],
            PATH=path,
            HOME=str(self.root),
            GOROOT="/elsewhere",
            GOTOOLCHAIN="go1.2.3",
        )

    def test_the_first_go_in_path_of_the_very_version(self):
        minor, patch = self.need.rsplit(".", 1)
        rows = {
            "alone": [],
            "after an old one": ["go1.19.8"],
            "after a newer one": ["go99.1"],
            "after another patch": [f"go{minor}.{int(patch) + 1}"],
            "after one whose version begins alike": [f"go{self.need}0"],
            "after one with an experiment": [f"go{self.need} X:jsonv2"],
            "after one with a suffix": [f"go{self.need}-custom"],
            "after a release candidate": [f"go{minor}rc1"],
            "after one that has no version": ["devel +c0ffee"],
        }
        for name, before in rows.items():
            with self.subTest(name):
                versions = [*before, "go" + self.need]
                folders = [self.root / name / str(i) for i in range(len(versions))]
                for folder, version in zip(folders, versions):
                    self.make_go(folder, version)
                want = f"go{self.need}: build ./... GOROOT= GOTOOLCHAIN=local\n"
                self.assertEqual(self.run_go(*folders), (0, want, ""))

    def test_the_fetched_go(self):
        self.make_go(self.root / "old", "go1.19.8")
        self.make_go(self.cache / "bin", "go" + self.need)
        want = f"go{self.need}: build ./... GOROOT={self.cache} GOTOOLCHAIN=local\n"
        self.assertEqual(self.run_go(self.root / "old"), (0, want, ""))

    def test_none(self):
        self.make_go(self.root / "old", "go1.19.8")
        self.make_go(self.root / "new", "go99.1")
        status, out, err = self.run_go(self.root / "old", self.root / "new", TOOLS)
        self.assertEqual((status, out), (127, ""))
        self.assertIn(f"tools/go: find go {self.need}: neither in PATH nor in {self.cache}", err)


if __name__ == "__main__":
    unittest.main()
