#!/usr/bin/env python3
"""Tests of disk_cache.py on folders of small files."""

import hashlib
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import disk_cache


class TrimTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def write(self, name, size, accessed, modified, begin=b""):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(begin.ljust(size, b"x"))
        os.utime(path, (accessed, modified))

    def names(self):
        return sorted(path.name for path in self.folder.rglob("*") if path.is_file())

    def test_within_the_limit_nothing_is_deleted(self):
        self.write("cas/aa/old", 50, 1, 1)
        self.write("cas/bb/new", 50, 9, 9)
        self.assertEqual(disk_cache.trim(self.folder, 100), 0)
        self.assertEqual(self.names(), ["new", "old"])

    def test_above_it_what_was_unused_for_longest_goes_until_three_quarters_are_left(self):
        self.write("cas/aa/old", 40, 1, 1)
        self.write("cas/bb/read", 30, 8, 2)
        self.write("ac/cc/written", 20, 3, 9)
        self.write("ac/dd/middle", 20, 5, 5)
        self.assertEqual(disk_cache.trim(self.folder, 80), 60)
        self.assertEqual(self.names(), ["read", "written"])

    def test_programs_go_before_what_they_are_linked_from(self):
        self.write("cas/aa/object", 20, 1, 1)
        self.write("cas/bb/program", 50, 9, 9)
        self.write("cas/cc/old_program", 45, 8, 8)
        self.assertEqual(disk_cache.trim(self.folder, 100, program=40), 45)
        self.assertEqual(self.names(), ["object", "program"])

    def test_precompiled_headers_stay_as_long_as_objects(self):
        self.write("cas/aa/gcc", 50, 1, 1, begin=b"gpch")
        self.write("cas/bb/clang", 50, 1, 1, begin=b"CPCH")
        self.write("cas/cc/program", 50, 9, 9)
        self.assertEqual(disk_cache.trim(self.folder, 140, program=40), 50)
        self.assertEqual(self.names(), ["clang", "gcc"])

    def test_files_that_may_not_be_read_count_as_programs(self):
        self.write("cas/aa/object", 40, 1, 1)
        self.write("cas/bb/unreadable", 90, 9, 9, begin=b"gpch")
        self.write("ac/cc/unreadable_result", 66, 9, 9, begin=b"\n@" + b"a" * 64)
        open_file = Path.open

        def open_if_readable(path, *args, **kwargs):
            if path.name.startswith("unreadable"):
                raise PermissionError(path)
            return open_file(path, *args, **kwargs)

        with mock.patch.object(Path, "open", open_if_readable):
            self.assertEqual(disk_cache.trim(self.folder, 150, program=70), 90)
        self.assertEqual(self.names(), ["object", "unreadable_result"])

    def test_room_is_made_only_where_it_is_missing(self):
        rows = {
            "enough": (100, 80, 0, ["new", "old"]),
            "some is missing": (70, 80, 40, ["new"]),
            "more is missing than half of the cache": (0, 1000, 40, ["new"]),
        }
        for name, (free, room, deleted, names) in rows.items():
            with self.subTest(name):
                self.write("cas/aa/old", 40, 1, 1)
                self.write("cas/bb/new", 20, 9, 9)
                with mock.patch("shutil.disk_usage", return_value=mock.Mock(free=free)):
                    self.assertEqual(disk_cache.make_room(self.folder, room), deleted)
                self.assertEqual(self.names(), names)
        self.assertEqual(disk_cache.make_room(self.folder / "missing", 1), 0)

    def test_results_that_name_missing_files_are_deleted(self):
        there, missing = b"a" * 64, b"b" * 64
        self.write(f"cas/aa/{there.decode()}", 10, 1, 1)
        self.write("ac/aa/whole", 80, 1, 1, begin=b"\n@" + there + b"out")
        self.write("ac/bb/half", 200, 1, 1, begin=b"\n@" + there + b"\n@" + missing)
        self.write("ac/cc/empty", 80, 1, 1, begin=b"\n@" + hashlib.sha256().hexdigest().encode())
        self.assertEqual(disk_cache.trim(self.folder, 1000), 0)
        self.assertEqual(self.names(), [there.decode(), "empty", "whole"])

    def test_a_result_that_is_written_meanwhile_stays(self):
        digest = b"a" * 64
        self.write("ac/aa/result", 80, 1, 1, begin=b"\n@" + digest)
        read = Path.read_bytes

        def write_and_read(path):
            self.write(f"cas/aa/{digest.decode()}", 10, 1, 1)
            return read(path)

        with mock.patch.object(Path, "read_bytes", write_and_read):
            disk_cache.trim(self.folder, 1000)
        self.assertEqual(self.names(), [digest.decode(), "result"])

    def test_a_folder_that_is_not_there(self):
        self.assertEqual(disk_cache.trim(self.folder / "nothing", 0), 0)


if __name__ == "__main__":
    unittest.main()
