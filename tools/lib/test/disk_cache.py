"""Keeps Bazel's disk cache within bounds: Bazel only ever adds to it."""

import contextlib
from pathlib import Path

# A whole run of one commit leaves some fifteen gigabytes.
LIMIT = 24 * 10**9
# Larger files are linked programs: half of the bytes, and made again in a second each.
PROGRAM = 4 * 10**6


def trim(folder: Path, limit: int = LIMIT, program: int = PROGRAM) -> int:
    """If `folder` holds more bytes than `limit`, deletes files until three quarters of that are left.

    Files larger than `program` go first, and of each sort what was not used for longest. Returns the number of bytes
    deleted. Bazel takes a missing file for a cache miss. Files that another process deletes or writes meanwhile are
    no errors.
    """
    files = []
    for path in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):
            stat = path.lstat()
            if path.is_file():
                # Many file systems note reads only once a day, or never.
                used = max(stat.st_atime, stat.st_mtime)
                files.append((stat.st_size <= program, used, stat.st_size, path))
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
