"""Makes a tar file of a program for machines that have none of its libraries: unpack it anywhere, and start it.

In it is one folder: a script with the name of the program, which starts it with the loader and the libraries beside it,
`libexec` with the program, `lib` with the loader and the libraries, and the files that were given, such as a licence.
"""

import os
import re

import elf
import layers
import libraries
from errors import ImageError

_NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]*$")
# exec: a signal to the script's process, and the end of its parent, are those of the program.
_SCRIPT = """#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
exec "$here/lib/{loader}" --library-path "$here/lib" "$here/libexec/{name}" "$@"
"""
# A program without libraries needs no loader.
_PLAIN_SCRIPT = """#!/bin/sh
exec "$(dirname "$(readlink -f "$0")")/libexec/{name}" "$@"
"""


def make(program_path, name, files, machine):
    """Returns the bytes of the compressed tar file. `files` has the contents of more files by their names.

    The same program, libraries and files make the same bytes.
    """
    if not _NAME.match(name) or name in ("lib", "libexec"):
        raise ImageError(f'program name "{name}": it must be letters, digits, ".", "_" and "-", and neither lib nor libexec')
    data = libraries.read(program_path)
    program = elf.parse(data, program_path)
    found = libraries.find(program_path, program, machine)
    content = layers.Files()
    content.add(f"{name}/libexec/{name}", data, 0o755)
    script = _PLAIN_SCRIPT
    loader = os.path.basename(found.loader)
    if found.loader:
        script = _SCRIPT
        path = machine.path(found.loader)
        content.add(f"{name}/lib/{loader}", libraries.read(path, f", the loader of {program_path}"), 0o755)
    for soname, library in found.libraries.items():
        content.add(f"{name}/lib/{soname}", library.data)
    content.add(f"{name}/{name}", script.format(loader=loader, name=name).encode(), 0o755)
    for file_name, text in files.items():
        if not _NAME.match(file_name) or file_name in (name, "lib", "libexec"):
            raise ImageError(f'file name "{file_name}": it must be letters, digits, ".", "_" and "-", and not taken')
        content.add(f"{name}/{file_name}", text)
    return layers.compressed(content.tar()).blob
