"""Reads of an ELF file what the dynamic loader reads: which libraries it needs, in which versions, and where it looks for them.

Everything is found through the program headers, as the loader does it: sections may have been stripped.
"""

import struct
from typing import NamedTuple

from errors import ImageError

_PT_LOAD, _PT_DYNAMIC, _PT_INTERP = 1, 2, 3
_DT_NULL, _DT_NEEDED, _DT_STRTAB, _DT_SONAME, _DT_RPATH, _DT_RUNPATH = 0, 1, 5, 14, 15, 29
_DT_VERDEF, _DT_VERNEED = 0x6FFFFFFC, 0x6FFFFFFE
_VER_FLG_WEAK = 2

# (e_machine, bits, byte order) -> the architecture as images name it, and Debian's name of the folders of its libraries.
_ARCHITECTURES = {
    (3, 32, "<"): ("386", "i386-linux-gnu"),
    (21, 64, "<"): ("ppc64le", "powerpc64le-linux-gnu"),
    (22, 64, ">"): ("s390x", "s390x-linux-gnu"),
    (40, 32, "<"): ("arm", "arm-linux-gnueabihf"),
    (62, 64, "<"): ("amd64", "x86_64-linux-gnu"),
    (183, 64, "<"): ("arm64", "aarch64-linux-gnu"),
    (243, 64, "<"): ("riscv64", "riscv64-linux-gnu"),
    (258, 64, "<"): ("loong64", "loongarch64-linux-gnu"),
}


class Elf(NamedTuple):
    machine: tuple[int, int, str]  # e_machine, bits, byte order: those of a program and of its libraries are equal
    interpreter: str  # the path of the loader; "" in libraries and in static programs
    needed: list[str]  # sonames
    soname: str
    rpath: list[str]
    runpath: list[str]
    versions_needed: list[tuple[str, str]]  # soname, version
    versions_defined: list[str]

    @property
    def architecture(self):
        return _ARCHITECTURES[self.machine][0]

    @property
    def multiarch(self):
        return _ARCHITECTURES[self.machine][1]


def parse(data, path):
    """Returns what is in these bytes; `path` is for errors."""
    try:
        return _parse(data, path)
    except (struct.error, IndexError, ValueError) as error:
        raise ImageError(f"{path}: an ELF file that is damaged or cut off: {error}") from error


def is_elf(data):
    return data[:4] == b"\x7fELF"


class _Reader:
    """The parts of one file, by the addresses that they have in memory."""

    def __init__(self, data, order, loads):
        self.data = data
        self.order = order
        self.loads = loads  # (address, offset, size)
        self.strings = 0

    def offset(self, address):
        for start, offset, size in self.loads:
            if start <= address < start + size:
                return offset + address - start
        raise ValueError(f"no segment has the address {address:#x}")

    def unpack(self, layout, address):
        return struct.unpack_from(self.order + layout, self.data, self.offset(address))

    def string(self, index):
        start = self.offset(self.strings + index)
        return self.data[start : self.data.index(b"\0", start)].decode()


def _parse(data, path):
    if not is_elf(data):
        raise ImageError(f"{path}: not an ELF file")
    bits = {1: 32, 2: 64}.get(data[4])
    order = {1: "<", 2: ">"}.get(data[5])
    if bits is None or order is None:
        raise ValueError("neither 32 nor 64 bits")
    machine = (struct.unpack_from(order + "H", data, 18)[0], bits, order)
    if machine not in _ARCHITECTURES:
        raise ImageError(f"{path}: a program of a machine that is not known here: e_machine {machine[0]}, {bits} bits")

    interpreter, dynamic, loads = "", b"", []
    for kind, offset, address, size in _segments(data, bits, order):
        if kind == _PT_LOAD:
            loads.append((address, offset, size))
        elif kind == _PT_INTERP:
            interpreter = data[offset : offset + size].rstrip(b"\0").decode()
        elif kind == _PT_DYNAMIC:
            dynamic = data[offset : offset + size]

    reader = _Reader(data, order, loads)
    entries = list(_dynamic_entries(dynamic, bits, order))
    values = dict(entries)
    reader.strings = values.get(_DT_STRTAB, 0)

    def text(tag):
        return reader.string(values[tag]) if tag in values else ""

    return Elf(
        machine=machine,
        interpreter=interpreter,
        needed=[reader.string(value) for tag, value in entries if tag == _DT_NEEDED],
        soname=text(_DT_SONAME),
        rpath=[folder for folder in text(_DT_RPATH).split(":") if folder],
        runpath=[folder for folder in text(_DT_RUNPATH).split(":") if folder],
        versions_needed=_versions_needed(reader, values[_DT_VERNEED]) if _DT_VERNEED in values else [],
        versions_defined=_versions_defined(reader, values[_DT_VERDEF]) if _DT_VERDEF in values else [],
    )


def _segments(data, bits, order):
    """Yields (type, offset, address, size in the file)."""
    (start,) = struct.unpack_from(order + ("Q" if bits == 64 else "I"), data, 32 if bits == 64 else 28)
    size, count = struct.unpack_from(order + "HH", data, 54 if bits == 64 else 42)
    for index in range(count):
        if bits == 64:
            kind, _, offset, address, _, length = struct.unpack_from(order + "IIQQQQ", data, start + index * size)
        else:
            kind, offset, address, _, length = struct.unpack_from(order + "IIIII", data, start + index * size)
        if kind in (_PT_LOAD, _PT_DYNAMIC, _PT_INTERP) and offset + length > len(data):
            raise ValueError("it ends within a segment")
        yield kind, offset, address, length


def _dynamic_entries(dynamic, bits, order):
    layout = struct.Struct(order + ("qQ" if bits == 64 else "iI"))
    for start in range(0, len(dynamic) - layout.size + 1, layout.size):
        tag, value = layout.unpack_from(dynamic, start)
        if tag == _DT_NULL:
            return
        yield tag, value


def _versions_needed(reader, address):
    result = []
    while True:
        _, count, library, first, following = reader.unpack("HHIII", address)
        entry = address + first
        for _ in range(count):
            _, flags, _, name, further = reader.unpack("IHHII", entry)
            if not flags & _VER_FLG_WEAK:
                result.append((reader.string(library), reader.string(name)))
            entry += further
        if not following:
            return result
        address += following


def _versions_defined(reader, address):
    result = []
    while True:
        _, _, _, _, _, first, following = reader.unpack("HHHHIII", address)
        # The versions that it inherits from come after its own name, and are defined themselves.
        (name,) = reader.unpack("I", address + first)
        result.append(reader.string(name))
        if not following:
            return result
        address += following
