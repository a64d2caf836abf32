#!/usr/bin/env python3
"""Writes the image of a program as a tar file, without a daemon: what the rule kube_operator calls.

The tar file is an OCI layout that `docker load` reads, too. In it are the program, the libraries that it needs and, without a
base image, the loader, all of the build machine; certificates of authorities, a user 65532, /tmp. The same program, libraries
and options make the same bytes.
"""

import argparse
import sys

sys.dont_write_bytecode = True
import image
import libraries
from errors import ImageError


def _label(text):
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise argparse.ArgumentTypeError(f'"{text}" is not KEY=VALUE')
    return key, value


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, metavar="FILE", help="an ELF file, best without its debug information")
    parser.add_argument("--entrypoint", required=True, metavar="NAME", help="what the program is called in /usr/local/bin of the image")
    parser.add_argument("--name", required=True, help="of the image, without a tag: registry.example.com/team/widgets")
    parser.add_argument("--tag", default="latest")
    parser.add_argument("--label", action="append", default=[], type=_label, metavar="KEY=VALUE", help="of the image; several are possible")
    parser.add_argument("--base", metavar="FILE-OR-FOLDER", help="an OCI layout, or a tar file of one or of `docker save`")
    parser.add_argument("--out", required=True, metavar="FILE")
    options = parser.parse_args(arguments)
    request = image.Request(
        program=options.program,
        entrypoint=options.entrypoint,
        name=options.name,
        tag=options.tag,
        labels=dict(options.label),
        base=options.base,
    )
    try:
        data = image.make(request, libraries.Machine())
    except ImageError as error:
        print(f"make image: {error}", file=sys.stderr)
        return 1
    try:
        with open(options.out, "wb") as file:
            file.write(data)
    except OSError as error:
        print(f"make image: {options.out}: cannot be written: {error.strerror}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
