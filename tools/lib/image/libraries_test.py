#!/usr/bin/env python3
"""Tests of elf.py and libraries.py, with ELF files of their own in folders that look like a build machine's."""

import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import elf
import fake_elf
import layers
import libraries
from errors import ImageError

_LOADER = "/lib64/ld-linux-x86-64.so.2"
_FOLDER = "/lib/x86_64-linux-gnu"
_ARM64 = 183


class ElfTest(unittest.TestCase):
    def test_reads_what_the_loader_reads(self):
        data = fake_elf.make(
            interpreter=_LOADER,
            needed=["liba.so.1", "libc.so.6"],
            runpath="$ORIGIN/../lib:/opt/lib",
            needs_versions=[("libc.so.6", "GLIBC_2.34"), ("liba.so.1", "A_1")],
        )
        parsed = elf.parse(data, "p")
        self.assertEqual(parsed.architecture, "amd64")
        self.assertEqual(parsed.interpreter, _LOADER)
        self.assertEqual(parsed.needed, ["liba.so.1", "libc.so.6"])
        self.assertEqual(parsed.runpath, ["$ORIGIN/../lib", "/opt/lib"])
        self.assertEqual(parsed.versions_needed, [("libc.so.6", "GLIBC_2.34"), ("liba.so.1", "A_1")])

    def test_reads_the_versions_of_a_library(self):
        parsed = elf.parse(fake_elf.make(soname="liba.so.1", defines_versions=["liba.so.1", "A_1", "A_2"]), "l")
        self.assertEqual(parsed.soname, "liba.so.1")
        self.assertEqual(parsed.interpreter, "")
        self.assertEqual(parsed.versions_defined, ["liba.so.1", "A_1", "A_2"])

    def test_the_file_and_the_cause_are_in_each_error(self):
        whole = fake_elf.make(needed=["liba.so.1"])
        for data, cause in (
            (b"#!/bin/sh\n", "p: not an ELF file"),
            (whole[:40], "p: an ELF file that is damaged or cut off"),
            (whole[:-60], "p: an ELF file that is damaged or cut off"),
            (fake_elf.make(machine=8), "p: a program of a machine that is not known here: e_machine 8"),
        ):
            with self.subTest(cause), self.assertRaisesRegex(ImageError, cause):
                elf.parse(data, "p")

    def test_reads_the_program_that_runs_this(self):
        path = os.path.realpath(sys.executable)
        self.assertIn("ld", os.path.basename(elf.parse(libraries.read(path), path).interpreter))


class MachineTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        os.makedirs(os.path.join(self.root, "build/bin"))

    def write(self, path, data):
        path = os.path.join(self.root, path.lstrip("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)

    def find(self, base=None, **program):
        program.setdefault("interpreter", _LOADER)
        parsed = elf.parse(fake_elf.make(**program), "program")
        path = os.path.join(self.root, "build/bin/program")
        return libraries.find(path, parsed, libraries.Machine(self.root), base)

    def paths(self, found):
        return {soname: os.path.relpath(library.path, self.root) for soname, library in found.libraries.items()}

    def test_finds_libraries_of_libraries_once(self):
        self.write(f"{_FOLDER}/libc.so.6", fake_elf.make(needed=["ld-linux-x86-64.so.2"]))
        self.write("/usr/lib/x86_64-linux-gnu/liba.so.1", fake_elf.make(needed=["libb.so.1", "libc.so.6"]))
        self.write("/usr/lib/libb.so.1", fake_elf.make(needed=["liba.so.1"]))
        found = self.find(needed=["liba.so.1", "libc.so.6"])
        self.assertEqual(
            self.paths(found),
            {
                "liba.so.1": "usr/lib/x86_64-linux-gnu/liba.so.1",
                "libb.so.1": "usr/lib/libb.so.1",
                "libc.so.6": "lib/x86_64-linux-gnu/libc.so.6",
            },
        )
        self.assertEqual(found.loader, _LOADER)
        # The loader looks where it has been built to have its libc.
        self.assertEqual(found.folder, _FOLDER)

    def test_looks_first_where_the_program_says(self):
        self.write("/usr/lib/liba.so.1", fake_elf.make())
        self.write("/build/lib/liba.so.1", fake_elf.make())
        for how in ("runpath", "rpath"):
            with self.subTest(how):
                found = self.find(needed=["liba.so.1"], **{how: "${ORIGIN}/../lib"})
                self.assertEqual(os.path.normpath(self.paths(found)["liba.so.1"]), "build/lib/liba.so.1")

    def test_an_rpath_holds_for_libraries_of_libraries_and_a_runpath_does_not(self):
        self.write("/build/lib/liba.so.1", fake_elf.make(needed=["libb.so.1"]))
        self.write("/build/lib/libb.so.1", fake_elf.make())
        self.assertIn("libb.so.1", self.find(needed=["liba.so.1"], rpath="$ORIGIN/../lib").libraries)
        with self.assertRaisesRegex(ImageError, "liba.so.1: it needs libb.so.1"):
            self.find(needed=["liba.so.1"], runpath="$ORIGIN/../lib")

    def test_reads_the_folders_of_ld_so_conf(self):
        self.write("/etc/ld.so.conf", b"# folders\ninclude ld.so.conf.d/*.conf\n/opt/own\n")
        self.write("/etc/ld.so.conf.d/a.conf", b"/opt/a # of a\n")
        self.assertEqual(libraries.Machine(self.root).configured, ["/opt/a", "/opt/own"])
        self.write("/opt/a/liba.so.1", fake_elf.make())
        self.assertEqual(self.paths(self.find(needed=["liba.so.1"])), {"liba.so.1": "opt/a/liba.so.1"})

    def test_passes_by_libraries_of_other_machines_and_scripts(self):
        self.write(f"{_FOLDER}/liba.so.1", fake_elf.make(machine=_ARM64))
        self.write("/usr/lib64/liba.so.1", b"INPUT(libb.so.1)\n")
        self.write("/usr/lib/liba.so.1", fake_elf.make())
        self.assertEqual(self.paths(self.find(needed=["liba.so.1"])), {"liba.so.1": "usr/lib/liba.so.1"})

    def test_takes_along_what_libc_opens(self):
        self.write(f"{_FOLDER}/libc.so.6", fake_elf.make())
        self.write(f"{_FOLDER}/libnss_dns.so.2", fake_elf.make(needed=["libresolv.so.2"]))
        self.write(f"{_FOLDER}/libresolv.so.2", fake_elf.make(needed=["libc.so.6"]))
        found = self.find(needed=["libc.so.6"])
        self.assertEqual(sorted(found.libraries), ["libc.so.6", "libnss_dns.so.2", "libresolv.so.2"])

    def test_a_library_that_is_nowhere_is_an_error_with_its_user(self):
        with self.assertRaisesRegex(ImageError, r"build/bin/program: it needs libz\.so\.1, which is in no folder"):
            self.find(needed=["libz.so.1"])

    def test_a_static_program_needs_nothing(self):
        self.assertEqual(self.find(interpreter=""), libraries.Found(loader="", folder="", libraries={}))

    def base(self, **libc):
        files = layers.FileSystem("base.tar")
        layer = layers.Files()
        layer.add(_LOADER, fake_elf.make(), 0o755)
        layer.add("/usr/lib/x86_64-linux-gnu/libc.so.6", fake_elf.make(**libc), 0o755)
        files.apply(layer.tar(), "layer 1")
        return files

    def test_takes_libraries_of_the_base_and_adds_the_others(self):
        self.write(f"{_FOLDER}/libc.so.6", fake_elf.make())
        self.write(f"{_FOLDER}/liba.so.1", fake_elf.make(needed=["libc.so.6"], needs_versions=[("libc.so.6", "GLIBC_2.34")]))
        found = self.find(self.base(defines_versions=["GLIBC_2.34"]), needed=["liba.so.1", "libc.so.6"])
        self.assertEqual(list(found.libraries), ["liba.so.1"])
        self.assertEqual(found.loader, "")
        self.assertEqual(found.folder, "/usr/lib/x86_64-linux-gnu")

    def test_a_base_that_is_too_old_is_an_error(self):
        base = self.base(defines_versions=["GLIBC_2.31"])
        with self.assertRaisesRegex(ImageError, r"base.tar: /usr/lib/x86_64-linux-gnu/libc.so.6 has no GLIBC_2.34, which .*program needs"):
            self.find(base, needed=["libc.so.6"], needs_versions=[("libc.so.6", "GLIBC_2.34")])

    def test_a_base_without_the_loader_gives_no_libraries(self):
        self.write(f"{_FOLDER}/libc.so.6", fake_elf.make())
        files = layers.FileSystem("base.tar")
        layer = layers.Files()
        layer.add("/lib/ld-musl-x86_64.so.1", fake_elf.make(), 0o755)
        layer.add("/usr/lib/libc.so.6", fake_elf.make(), 0o755)
        files.apply(layer.tar(), "layer 1")
        found = self.find(files, needed=["libc.so.6"])
        self.assertEqual(list(found.libraries), ["libc.so.6"])
        self.assertEqual(found.loader, _LOADER)


if __name__ == "__main__":
    unittest.main()
