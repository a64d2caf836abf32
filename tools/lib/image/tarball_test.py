#!/usr/bin/env python3
"""Tests of tarball.py and of its command line."""

import contextlib
import io
import os
import sys
import tarfile
import tempfile
import unittest

sys.dont_write_bytecode = True
import fake_elf
import libraries
import tarball
import tarball_main
from errors import ImageError

_LOADER = "/lib64/ld-linux-x86-64.so.2"


class TarballTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        self.write(_LOADER, b"loader")
        self.write("/usr/lib/liba.so.1", fake_elf.make(soname="liba.so.1", needed=["libb.so.2"]))
        self.write("/usr/lib/libb.so.2", fake_elf.make(soname="libb.so.2"))
        self.path = self.write("/program", fake_elf.make(interpreter=_LOADER, needed=["liba.so.1"]))

    def write(self, path, data):
        path = self.root + path
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
        return path

    def make(self, name="server", files=None, path=None):
        return tarball.make(path or self.path, name, files or {}, libraries.Machine(self.root))

    def test_it_has_the_program_its_libraries_and_the_files(self):
        with tarfile.open(fileobj=io.BytesIO(self.make(files={"LICENSE": b"free"}))) as tar:
            modes = {info.name: oct(info.mode) for info in tar if info.isfile()}
            self.assertEqual(
                modes,
                {
                    "server/LICENSE": "0o644",
                    "server/lib/ld-linux-x86-64.so.2": "0o755",
                    "server/lib/liba.so.1": "0o644",
                    "server/lib/libb.so.2": "0o644",
                    "server/libexec/server": "0o755",
                    "server/server": "0o755",
                },
            )
            self.assertEqual(tar.extractfile("server/LICENSE").read(), b"free")
            script = tar.extractfile("server/server").read().decode()
            self.assertIn('"$here/lib/ld-linux-x86-64.so.2" --library-path "$here/lib" "$here/libexec/server" "$@"', script)

    def test_a_program_without_libraries_has_no_loader(self):
        path = self.write("/static", fake_elf.make())
        with tarfile.open(fileobj=io.BytesIO(self.make(path=path))) as tar:
            self.assertEqual([info.name for info in tar if info.isfile()], ["server/libexec/server", "server/server"])
            self.assertNotIn("--library-path", tar.extractfile("server/server").read().decode())

    def test_the_same_files_make_the_same_bytes(self):
        first = self.make(files={"B": b"b", "A": b"a"})
        os.utime(self.path, (0, 0))
        self.assertEqual(self.make(files={"A": b"a", "B": b"b"}), first)

    def test_it_says_what_is_wrong(self):
        lacks = self.write("/lacks", fake_elf.make(interpreter=_LOADER, needed=["libnone.so.1"]))
        for wrong, text in (
            ({"name": "../x"}, 'program name "../x"'),
            ({"name": "lib"}, 'program name "lib"'),
            ({"files": {"server": b""}}, 'file name "server"'),
            ({"path": lacks}, "libnone.so.1"),
            ({"path": self.root + "/none"}, "cannot be read"),
        ):
            with self.subTest(text), self.assertRaises(ImageError) as raised:
                self.make(**wrong)
            self.assertIn(text, str(raised.exception))

    def test_the_command_line_says_what_is_wrong(self):
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            status = tarball_main.main(["--program", "/none/x", "--name", "x", "--out", self.root + "/out"])
        self.assertEqual(status, 1)
        self.assertIn("make tarball: /none/x: cannot be read", said.getvalue())


if __name__ == "__main__":
    unittest.main()
