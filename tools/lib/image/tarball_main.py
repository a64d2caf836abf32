#!/usr/bin/env python3
"""Writes a program with its libraries and other files as a .tar.gz: what the rule kube_tarball calls."""

import argparse
import os
import sys

sys.dont_write_bytecode = True
import libraries
import tarball
from errors import ImageError


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, metavar="FILE", help="an ELF file, best without its debug information")
    parser.add_argument("--name", required=True, help="of the program and of the folder in the tar file")
    parser.add_argument("--file", action="append", default=[], metavar="FILE", help="beside the program; several are possible")
    parser.add_argument("--out", required=True, metavar="FILE")
    options = parser.parse_args(arguments)
    try:
        files = {os.path.basename(path): libraries.read(path) for path in options.file}
        data = tarball.make(options.program, options.name, files, libraries.Machine())
    except ImageError as error:
        print(f"make tarball: {error}", file=sys.stderr)
        return 1
    try:
        with open(options.out, "wb") as file:
            file.write(data)
    except OSError as error:
        print(f"make tarball: {options.out}: cannot be written: {error.strerror}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
