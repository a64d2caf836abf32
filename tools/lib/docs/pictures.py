#!/usr/bin/env python3
"""Draws the pictures of the guides: pictures.py [--write] FILE.dot...; tools/docs --pictures writes.

Beside each NAME.dot is NAME.svg, made of it by graphviz in the style below. Without --write, and without graphviz, it is compared that each
was made of the present text: an SVG begins with the digest of what it was made of, since another release of graphviz draws it a little
differently. Boxes have a background of their own and lines a middle grey, so that a picture is readable on white and on dark pages.
"""

import hashlib
import os
import re
import subprocess
import sys

_STYLE = [
    "-Gbgcolor=transparent", "-Gfontname=sans-serif", "-Gfontsize=13", "-Gfontcolor=#737a82", "-Gcolor=#737a82", "-Gnodesep=0.25", "-Granksep=0.4",
    "-Nshape=box", "-Nstyle=rounded,filled", "-Nfillcolor=#e6effa", "-Ncolor=#4a76a8", "-Nfontcolor=#14202e", "-Nfontname=sans-serif",
    "-Nfontsize=13", "-Nheight=0.3", "-Nmargin=0.12,0.06",
    "-Ecolor=#737a82", "-Efontcolor=#737a82", "-Efontname=sans-serif", "-Efontsize=12", "-Earrowsize=0.7",
]  # fmt: skip
_DIGEST = re.compile(r"<!-- Made of [\w.-]+ by tools/docs, sha256 (\w+) -->")


def digest(dot):
    return hashlib.sha256("\n".join([dot, *_STYLE]).encode()).hexdigest()


def picture(drawn, name, dot):
    """What graphviz drew -> the file: without its comments and the names of edges, which browsers show as tool tips."""
    svg = drawn[drawn.index("<svg") :]
    svg = re.sub(r"<!--.*?-->\n?|<title>.*?</title>\n?", "", svg, flags=re.DOTALL)
    return f"<!-- Made of {name} by tools/docs, sha256 {digest(dot)} -->\n{svg.rstrip()}\n"


def draw(path, dot):
    drawn = subprocess.run(["dot", "-Tsvg", *_STYLE], input=dot, stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
    return picture(drawn, os.path.basename(path), dot)


def wrong(dot, svg):
    """Whether a picture (None: there is none) was not made of this text."""
    made = _DIGEST.match(svg or "")
    return not made or made[1] != digest(dot)


def read(path):
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return file.read()


def main(arguments):
    paths = [each for each in arguments if each != "--write"]
    findings = 0
    for path in paths:
        dot, svg_path = read(path), re.sub(r"\.dot$", ".svg", path)
        if not wrong(dot, read(svg_path)):
            continue
        if "--write" in arguments:
            with open(svg_path, "w", encoding="utf-8") as file:
                file.write(draw(path, dot))
            continue
        findings += 1
        print(f"{svg_path}: not made of the present {os.path.basename(path)}: run tools/docs --pictures")
    print(f"{len(paths)} pictures, {findings} findings")
    return 1 if findings or not paths else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
