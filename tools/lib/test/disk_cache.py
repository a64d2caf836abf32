"""Keeps Bazel's disk cache within bounds, and usable: Bazel only ever adds to it."""

import contextlib
import re
import shutil
from pathlib import Path

# A whole run of one commit leaves some fifteen gigabytes.
LIMIT = 24 * 10**9
# Larger files are linked programs: half of the bytes, and made again in a second each.
PROGRAM = 4 * 10**6
# What a stage may add to a disk: its outputs, and their copies in the cache.
ROOM = 20 * 10**9
# How a precompiled header begins: g++, clang. No compiler writes the same bytes twice, so every source that includes one
# is compiled again when it is lost.
PRECOMPILED = (b"gpch", b"CPCH")
# Bazel writes digests as text. The empty file needs none of its own.
_DIGEST = re.compile(rb"[0-9a-f]{64}")
_EMPTY = b"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def trim(folder: Path, limit: int = LIMIT, program: int = PROGRAM) -> int:
    """Deletes files if there are too many, and results that name files which are not there.

    If `folder` holds more bytes than `limit`, files go until three quarters of that are left: first those larger than
    `program`, and of each sort what was not used for longest. Returns the number of bytes that this deleted. Files that
    another process deletes or writes meanwhile are no errors, nor are files that may not be read.
    """
    deleted = _delete_oldest(folder, limit, program)
    _delete_dangling(folder)
    return deleted


def make_room(folder: Path, room: int = ROOM) -> int:
    """Deletes files of the cache if less than `room` bytes are free on its disk. Returns the number of bytes that this deleted.

    Without room, tests and compilers fail for reasons of all kinds, and none of them names the disk.
    """
    if not folder.exists():
        return 0
    missing = room - shutil.disk_usage(folder).free
    if missing <= 0:
        return 0
    # Not all of it can be had if other files fill the disk: what is newest is worth more than the attempt.
    present = sum(size for _, _, size, _ in _files(folder))
    return trim(folder, limit=max(present - missing, present // 2))


def _delete_oldest(folder: Path, limit: int, program: int) -> int:
    files = _files(folder, program)
    total = sum(size for _, _, size, _ in files)
    if total <= limit:
        return 0
    deleted = 0
    for _, _, size, path in sorted(files):
        if total - deleted <= limit * 3 // 4:
            break
        path.unlink(missing_ok=True)
        deleted += size
    return deleted


def _files(folder: Path, program: int = PROGRAM) -> list[tuple[bool, float, int, Path]]:
    """The files below a folder: whether to keep one longer than programs, when it was used, its size, its path."""
    files = []
    for path in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):
            stat = path.lstat()
            if path.is_file():
                # Many file systems note reads only once a day, or never.
                used = max(stat.st_atime, stat.st_mtime)
                files.append((stat.st_size <= program or _is_precompiled(path), used, stat.st_size, path))
    return files


def _is_precompiled(path: Path) -> bool:
    with contextlib.suppress(PermissionError), path.open("rb") as file:
        return file.read(4) in PRECOMPILED
    return False


def _delete_dangling(folder: Path) -> None:
    """Deletes each result in ac/ that names a file missing in cas/.

    Bazel takes such a result for a miss, runs the action, and keeps the old result: it would miss for ever. It writes a
    result after the files that it names, so results are read first: another Bazel may be at work.
    """
    named = {}
    for path in (folder / "ac").rglob("*"):
        with contextlib.suppress(FileNotFoundError, IsADirectoryError, PermissionError):
            named[path] = set(_DIGEST.findall(path.read_bytes()))
    contents = {path.name.encode() for path in (folder / "cas").rglob("*")} | {_EMPTY}
    for path, digests in named.items():
        if not contents >= digests:
            path.unlink(missing_ok=True)
