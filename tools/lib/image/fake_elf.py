"""ELF files for tests: headers, an interpreter, what a library needs, and its versions. No code: nothing can run them."""

import struct

_AMD64, _BASE = 62, 0x400000


def make(interpreter="", needed=(), soname="", runpath="", rpath="", needs_versions=(), defines_versions=(), machine=_AMD64):
    """Returns an ELF file of 64 bits.

    `needs_versions` are pairs of a soname and a version. All strings must be ASCII.
    """
    strings = b"\0"

    def add(text):
        nonlocal strings
        at = len(strings)
        strings += text.encode() + b"\0"
        return at

    entries = [(1, add(name)) for name in needed]
    entries += [(tag, add(text)) for tag, text in ((14, soname), (15, rpath), (29, runpath)) if text]
    verneed = b"".join(
        struct.pack("<HHIII", 1, 1, add(library), 16, 32 if index + 1 < len(needs_versions) else 0)
        + struct.pack("<IHHII", 0, 0, 2, add(version), 0)
        for index, (library, version) in enumerate(needs_versions)
    )
    verdef = b"".join(
        struct.pack("<HHHHIII", 1, 0, index + 1, 1, 0, 20, 28 if index + 1 < len(defines_versions) else 0)
        + struct.pack("<II", add(version), 0)
        for index, version in enumerate(defines_versions)
    )
    # Three segments, of which the first is loaded and holds the whole file.
    start = 64 + 3 * 56
    parts = {"interpreter": interpreter.encode() + b"\0", "strings": strings, "verneed": verneed, "verdef": verdef}
    places, body = {}, b""
    for name, part in parts.items():
        places[name] = start + len(body)
        body += part
    entries.append((5, _BASE + places["strings"]))
    if verneed:
        entries.append((0x6FFFFFFE, _BASE + places["verneed"]))
    if verdef:
        entries.append((0x6FFFFFFC, _BASE + places["verdef"]))
    dynamic = b"".join(struct.pack("<qQ", tag, value) for tag, value in [*entries, (0, 0)])
    dynamic_at = start + len(body)
    body += dynamic

    def segment(kind, at, size):
        return struct.pack("<IIQQQQQQ", kind, 4, at, _BASE + at, _BASE + at, size, size, 1)

    header = b"\x7fELF" + bytes([2, 1, 1]) + bytes(9)
    header += struct.pack("<HHIQQQIHHHHHH", 3, machine, 1, 0, 64, 0, 0, 64, 56, 3, 0, 0, 0)
    segments = segment(1, 0, start + len(body)) + segment(2, dynamic_at, len(dynamic))
    segments += segment(3, places["interpreter"], len(interpreter) + 1) if interpreter else segment(0, 0, 0)
    return header + segments + body
