"""Layers of images: tar files that depend on nothing but the files in them, and the file system that those of a base make."""

import gzip
import hashlib
import io
import os
import tarfile
from typing import NamedTuple

from errors import ImageError

MEDIA_TYPE = "application/vnd.oci.image.layer.v1.tar+gzip"

_MAX_LINKS = 40


class Layer(NamedTuple):
    blob: bytes  # compressed
    media_type: str
    diff_id: str  # the digest of what is compressed


def digest(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


def cause(error):
    """What an exception of tarfile says: after the first line it tells each compression that it has tried."""
    return (str(error).splitlines() or ["it ends too early"])[0].rstrip(":")


def compressed(tar):
    """A layer of a tar file. The same bytes become the same layer, whenever and wherever."""
    out = io.BytesIO()
    with gzip.GzipFile(filename="", fileobj=out, mode="wb", compresslevel=6, mtime=0) as file:
        file.write(tar)
    return Layer(blob=out.getvalue(), media_type=MEDIA_TYPE, diff_id=digest(tar))


def member(name, mode, kind=tarfile.REGTYPE, size=0):
    """An entry of a tar file that belongs to root, and was made when time began."""
    info = tarfile.TarInfo(name)
    info.mode = mode
    info.type = kind
    info.size = size
    info.mtime = 0
    info.uid = info.gid = 0
    info.uname = info.gname = ""
    return info


class Files:
    """The files of a new layer. Folders above them come along, but for those that the base has: with their modes, or links."""

    def __init__(self, base=None):
        self.base = base
        self.entries = {}  # path without a slash before it -> (kind, mode, data)

    def __bool__(self):
        return bool(self.entries)

    def add(self, path, data, mode=0o644):
        path = self._place(path)
        self.entries[path] = (tarfile.REGTYPE, mode, data)

    def add_unless_there(self, path, data, mode=0o644):
        if self.base is None or not self.base.exists(path):
            self.add(path, data, mode)

    def add_folder(self, path, mode=0o755):
        if self.base is None or not self.base.exists(path):
            self.entries[self._place(path)] = (tarfile.DIRTYPE, mode, b"")

    def tar(self):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as tar:
            for path in sorted(self.entries):
                kind, mode, data = self.entries[path]
                tar.addfile(member(path, mode, kind, len(data)), io.BytesIO(data))
        return out.getvalue()

    def _place(self, path):
        """Where the path is once the links of the base are followed; adds the folders above it that are missing."""
        if self.base is not None:
            path = self.base.resolve(path)
        path = path.strip("/")
        above = os.path.dirname(path)
        while above:
            if self.base is None or not self.base.exists(above):
                self.entries.setdefault(above, (tarfile.DIRTYPE, 0o755, b""))
            above = os.path.dirname(above)
        return path


class FileSystem:
    """What the layers of a base image have, the lower first. Keeps the contents of libraries only."""

    def __init__(self, name):
        self.name = name
        self.links = {}  # path -> where it leads
        self.files = {}  # path -> contents, or None
        self.folders = {""}

    def apply(self, tar, what):
        """Adds a layer, which may be compressed."""
        try:
            with tarfile.open(fileobj=io.BytesIO(tar), mode="r:*") as layer:
                for info in layer:
                    self._apply(layer, info)
        except (tarfile.TarError, EOFError, OSError) as error:
            raise ImageError(f"{self.name}: {what} is not a tar file, or one in gzip: {cause(error)}") from error

    def exists(self, path):
        path = self.resolve(path)
        return path in self.files or path in self.folders

    def read(self, path):
        """Returns the contents of a library, or None."""
        return self.files.get(self.resolve(path))

    def resolve(self, path):
        """Follows all links; what does not exist stays as it is."""
        followed = 0
        done, rest = "", [part for part in path.split("/") if part not in ("", ".")]
        while rest:
            part = rest.pop(0)
            if part == "..":
                done = os.path.dirname(done)
                continue
            here = f"{done}/{part}".lstrip("/")
            target = self.links.get(here)
            if target is None:
                done = here
                continue
            followed += 1
            if followed > _MAX_LINKS:
                raise ImageError(f"{self.name}: {path}: too many links, or links in a circle")
            if target.startswith("/"):
                done = ""
            rest = [each for each in target.split("/") if each not in ("", ".")] + rest
        return done

    def _apply(self, layer, info):
        path = os.path.normpath("/" + info.name).lstrip("/")
        folder, name = os.path.split(path)
        if name == ".wh..wh..opq":
            self._remove_below(folder)
        elif name.startswith(".wh."):
            self._remove(os.path.join(folder, name[len(".wh.") :]))
        elif info.isdir():
            self.links.pop(path, None)
            self.files.pop(path, None)
            self.folders.add(path)
        else:
            self._remove(path)
            if info.issym():
                self.links[path] = info.linkname
            elif info.islnk():
                self.files[path] = self.files.get(os.path.normpath("/" + info.linkname).lstrip("/"))
            else:
                self.files[path] = layer.extractfile(info).read() if info.isfile() and ".so" in name else None

    def _remove(self, path):
        self.links.pop(path, None)
        self.files.pop(path, None)
        self.folders.discard(path)
        self._remove_below(path)

    def _remove_below(self, folder):
        start = folder + "/" if folder else ""
        for paths in (self.links, self.files):
            for path in [path for path in paths if path.startswith(start)]:
                del paths[path]
        self.folders = {path for path in self.folders if not path or not path.startswith(start)}
