#!/usr/bin/env python3
"""bazelrc_test.py OURS GUIDE...: every option that our builds need is in each guide's block, or is known to be our own.

A guide is a Markdown file, whose first block that begins with "build --" counts, or a .bazelrc.
"""

import re
import sys

# What is for our own workspace: where its cache is, what its tests may reach, how much of our machines it takes, and
# how fast it is there.
OWN = {
    "--copt=--param=ggc-min-expand=200",
    "--copt=--param=ggc-min-heapsize=262144",
    "--sandbox_default_allow_network=false",
    "--linkopt=-fuse-ld=lld",
    "--disk_cache=~/.cache/client-cpp/bazel",
    "--local_ram_resources=HOST_RAM*.6",
    "--strategy=CppArchive=local",
    "--strategy=CppCompile=local",
    "--strategy=CppLink=local",
    "--strategy=CppPrecompile=local",
}


def options(text):
    """Of `build` lines, without configurations such as build:asan."""
    return {option for line in text.splitlines() if line.startswith("build ") for option in line.split()[1:]}


def block(markdown):
    found = re.search(r"^```\n(build --.*?)\n```$", markdown, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def read(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return options(block(text) if path.endswith(".md") else text)


def findings(ours, guides):
    for option in sorted(OWN - ours):
        yield f"our .bazelrc has no {option} any more: take it out of OWN"
    for path, found in guides.items():
        for option in sorted(ours - OWN - found):
            yield f"{path}: lacks {option}, which our own builds have"


def main(ours, *guides):
    assert options("build --a --b=1\nbuild:c --c\n# build --d\ntest --e\n") == {"--a", "--b=1"}
    assert options(block("x\n```\nbuild --a\n# b\nbuild --c\n```\n```\nbuild --d\n```\n")) == {"--a", "--c"}
    assert list(findings(OWN | {"--a", "--b"}, {"guide": {"--a"}})) == ["guide: lacks --b, which our own builds have"]
    found = list(findings(read(ours), {path: read(path) for path in guides}))
    print("\n".join(found) or f"{len(guides)} guides have what our builds need")
    return 1 if found or not guides else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
