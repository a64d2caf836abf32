#!/usr/bin/env python3
"""Lists the headers that users include: public_headers.py ROOT

They are the hdrs of public libraries, but for those in folders named internal, and parts of the embedded server.
"""

import ast
import os
import sys

FOLDERS = ("apimachinery", "net", "clientset", "listers", "informers", "controller", "apiserver", "envtest", "webhook")
_PUBLIC = "//visibility:public"
_PARTS = ("apimachinery/crd_schema/",)


def strings(node):
    return [each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)]


def headers(build):
    """Those of one BUILD file, as it names them."""
    found, default = [], []
    for node in ast.walk(ast.parse(build)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        attributes = {keyword.arg: strings(keyword.value) for keyword in node.keywords}
        if node.func.id == "package":
            default = attributes.get("default_visibility", [])
        elif node.func.id == "cc_kube_library":
            found.append((attributes.get("hdrs", []), attributes.get("visibility")))
    public = [hdrs for hdrs, visibility in found if _PUBLIC in (default if visibility is None else visibility)]
    return sorted({hdr for hdrs in public for hdr in hdrs})


def all_headers(root):
    """Paths below the root."""
    for top in FOLDERS:
        for folder, _, names in os.walk(os.path.join(root, top)):
            if "BUILD.bazel" not in names:
                continue
            with open(os.path.join(folder, "BUILD.bazel"), encoding="utf-8") as file:
                listed = headers(file.read())
            for header in (os.path.join(os.path.relpath(folder, root), each) for each in listed):
                written = os.path.exists(os.path.join(root, header))  # not generated
                if written and "internal/" not in header and not header.startswith(_PARTS):
                    yield header


if __name__ == "__main__":
    print("\n".join(sorted(all_headers(sys.argv[1]))))
