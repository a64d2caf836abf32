"""Finds the libraries of a program as the dynamic loader finds them: on the build machine, or in a base image."""

import glob
import os
from typing import NamedTuple

import elf
from errors import ImageError

# What glibc opens without being linked with it: names of hosts before glibc 2.34, and the end of threads.
_OPENED_BY_LIBC = ("libgcc_s.so.1", "libnss_dns.so.2", "libnss_files.so.2")


class Library(NamedTuple):
    path: str  # where it is on the build machine
    data: bytes
    elf: elf.Elf


class Found(NamedTuple):
    """What must be in the image besides the program, and not in its base."""

    loader: str  # the path that the program names, or "" if the base has it or nothing is needed
    folder: str  # where the loader looks for all libraries without further ado
    libraries: dict[str, Library]  # by soname


class Machine:
    """The build machine's folders of libraries. `root` is for tests."""

    def __init__(self, root="/"):
        self.root = root
        self.configured = list(self._configured("etc/ld.so.conf", set()))

    def path(self, path):
        return os.path.join(self.root, path.lstrip("/"))

    def folders(self, multiarch):
        return [*self.configured, *usual_folders(multiarch)]

    def _configured(self, path, seen):
        """The folders of a file as of ld.so.conf, and of those that it includes."""
        if path in seen:
            return
        seen.add(path)
        try:
            with open(self.path(path), encoding="utf-8", errors="replace") as file:
                lines = [line.partition("#")[0].strip() for line in file]
        except OSError:
            return
        for line in lines:
            if line.startswith("include"):
                for pattern in line.split()[1:]:
                    pattern = os.path.join(os.path.dirname("/" + path.lstrip("/")), pattern)
                    for included in sorted(glob.glob(self.path(pattern))):
                        yield from self._configured(os.path.relpath(included, self.root), seen)
            elif line.startswith("/"):
                yield line


def usual_folders(multiarch):
    """Where loaders look last, and without a cache: Debian's folders, and those of other distributions."""
    return [f"/lib/{multiarch}", f"/usr/lib/{multiarch}", "/lib64", "/usr/lib64", "/lib", "/usr/lib"]


def read(path, why=""):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise ImageError(f"{path}: cannot be read{why}: {error.strerror}") from error


def find(program_path, program, machine, base=None):
    """Returns what the program needs and the base lacks.

    Libraries that the base has are used from there if its loader is the program's. Raises ImageError if a library is
    nowhere, or if the base's is too old.
    """
    if not program.interpreter:
        if program.needed:
            raise ImageError(f"{program_path}: it needs {program.needed[0]}, but names no loader")
        return Found(loader="", folder="", libraries={})
    if base is not None and not base.exists(program.interpreter):
        base = None
    search = _Search(program_path, program, machine, base)
    search.run()
    folder = search.libc_folder or os.path.dirname(program.interpreter)
    return Found(loader="" if base is not None else program.interpreter, folder=folder, libraries=search.found)


class _Search:
    def __init__(self, program_path, program, machine, base):
        self.program_path = program_path
        self.program = program
        self.machine = machine
        self.base = base
        self.found = {}
        self.in_base = {}  # soname -> (path, Elf)
        self.libc_folder = ""
        # Programs and libraries whose own needs are still to be looked at, with the RPATHs of those that loaded them.
        self.waiting = []

    def run(self):
        self.waiting.append((self.program_path, self.program, []))
        self._look_at_waiting()
        if "libc.so.6" in self.found:
            for soname in _OPENED_BY_LIBC:
                library, folder = self._on_machine(soname, [])
                if library is not None and soname not in self.found:
                    self._take(soname, library, folder, [])
            self._look_at_waiting()

    def _look_at_waiting(self):
        while self.waiting:
            path, user, inherited = self.waiting.pop(0)
            # An RPATH holds for the libraries of libraries, too, and is nothing beside a RUNPATH.
            rpath = inherited if user.runpath else self._expand(user.rpath, path) + inherited
            folders = rpath + self._expand(user.runpath, path)
            for soname in user.needed:
                # The loader is a library, too, and in the image by its path.
                if soname != os.path.basename(self.program.interpreter):
                    self._add(soname, path, folders, rpath)
            self._check_versions(path, user)

    def _expand(self, folders, path):
        origin = os.path.dirname(os.path.abspath(path))
        expanded = [folder.replace("${ORIGIN}", "$ORIGIN").replace("$ORIGIN", origin) for folder in folders]
        # $LIB and $PLATFORM name variants of folders, which the usual folders have as well.
        return [folder for folder in expanded if "$" not in folder]

    def _add(self, soname, user, folders, rpath):
        if soname in self.found or soname in self.in_base:
            return
        if self._take_from_base(soname):
            return
        library, folder = self._on_machine(soname, folders)
        if library is None:
            raise ImageError(f"{user}: it needs {soname}, which is in no folder of libraries of the build machine")
        self._take(soname, library, folder, rpath)

    def _take(self, soname, library, folder, rpath):
        self.found[soname] = library
        if soname == "libc.so.6":
            self.libc_folder = folder
        self.waiting.append((library.path, library.elf, rpath))

    def _take_from_base(self, soname):
        if self.base is None:
            return False
        for folder in usual_folders(self.program.multiarch):
            data = self.base.read(f"{folder}/{soname}")
            if data is None or not elf.is_elf(data):
                continue
            parsed = elf.parse(data, f"{self.base.name}: {folder}/{soname}")
            if parsed.machine == self.program.machine:
                self.in_base[soname] = (f"{folder}/{soname}", parsed)
                if soname == "libc.so.6":
                    self.libc_folder = folder
                return True
        return False

    def _on_machine(self, soname, folders):
        """Returns the library and its folder, or (None, "")."""
        own = [f"{folder}/{soname}" for folder in folders]
        shared = [self.machine.path(f"{folder}/{soname}") for folder in self.machine.folders(self.program.multiarch)]
        for path in own + shared:
            if not os.path.isfile(path):
                continue
            data = read(path)
            # A linker script, or a library of another machine: the loader goes on, too.
            if not elf.is_elf(data):
                continue
            parsed = elf.parse(data, path)
            if parsed.machine == self.program.machine:
                folder = os.path.dirname(path)
                if self.machine.root != "/" and path in shared:
                    folder = "/" + os.path.relpath(folder, self.machine.root)
                return Library(path=path, data=data, elf=parsed), folder
        return None, ""

    def _check_versions(self, path, user):
        for soname, version in user.versions_needed:
            where, provider = self.in_base.get(soname, ("", None))
            if provider is not None and provider.versions_defined and version not in provider.versions_defined:
                raise ImageError(
                    f"{self.base.name}: {where} has no {version}, which {path} needs: take a base image of the "
                    "distribution that the program is built on, or build it on that of the base image"
                )
