"""Keeps Bazel's disk cache within bounds: Bazel only ever adds to it."""

import contextlib
from pathlib import Path

# A whole run of one commit leaves some fifteen gigabytes.
LIMIT = 24 * 10**9


def trim(folder: Path, limit: int = LIMIT) -> int:
    """If `folder` holds more bytes than `limit`, deletes what was not used for longest until three quarters of that are left.

    Returns the number of bytes deleted. Bazel takes a missing file for a cache miss. Files that another process
    deletes or writes meanwhile are no errors.
    """
    files = []
    for path in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):
            stat = path.lstat()
            if path.is_file():
                # Many file systems note reads only once a day, or never.
                files.append((max(stat.st_atime, stat.st_mtime), stat.st_size, path))
    total = sum(size for _, size, _ in files)
    if total <= limit:
        return 0
    deleted = 0
    for _, size, path in sorted(files):
        if total - deleted <= limit * 3 // 4:
            break
        path.unlink(missing_ok=True)
        deleted += size
    return deleted
