#!/usr/bin/env python3
"""Tests of tools/check_deps: a table of small trees, and the output of a query."""

import os
import tempfile
import unittest

import check_deps

STRINGS = "@com_google_absl//absl/strings:strings"
STATUS = "@com_google_absl//absl/status:status"
ABSEIL = {"absl/strings/str_cat.h": STRINGS, "absl/status/status.h": STATUS}
CURL = "@curl//:curl"
GTEST_MAIN = "@com_google_googletest//:gtest_main"


def target(label, srcs=(), hdrs=(), deps=(), kind="cc_library", actual=""):
    package = label.partition(":")[0]
    srcs, hdrs = ([f"{package}:{file}" for file in files] for files in (srcs, hdrs))
    place = package.removeprefix("//") + "/BUILD.bazel:7"
    return check_deps.Target(kind, label, place, srcs, hdrs, list(deps), actual)


def user(*deps, kind="cc_library"):
    """//user:u of one file, u.cc."""
    return target("//user:u", srcs=["u.cc"], deps=deps, kind=kind)


A = target("//a:a", srcs=["internal/hidden.h", "a.cc"], hdrs=["a.h", "internal/more.h"])
GENERATED = [
    target("//a:apps", hdrs=["apps_generated"]),
    target("//a:apps_generated", kind="_kube_generate_clients")._replace(header="apps/client.h"),
    target("//a:core", hdrs=["core_generated"]),
    target("//a:core_generated", kind="_kube_generate_clients")._replace(header="core/client.h"),
]
KEPT = target("//kept:kept", hdrs=["kept.h"])
KEPT_HERE = target("//user:k", hdrs=["k.h"])
FILES = {
    **dict.fromkeys(["a/a.h", "a/a.cc", "a/internal/hidden.h", "a/internal/more.h", "a/nobody.h"], ""),
    **dict.fromkeys(["a/BUILD.bazel", "b/b.h", "b/BUILD.bazel", "kept/kept.h", "kept/BUILD.bazel", "user/k.h"], ""),
    "user/BUILD.bazel": 'deps = [\n    "//kept",  # keep: registers itself\n    ":k",  # keep\n    "//a",\n]\n',
}

# name: (targets, files, findings without their hints)
TREES = {
    "used deps": ([A, user("//a:a", STRINGS, CURL)], ["a/a.h", "absl/strings/str_cat.h", "curl/multi.h"], []),
    "missing dep on ours": ([A, user()], ["a/a.h"], ["user/u.cc:1: //user:u includes a/a.h: add //a:a to deps"]),
    "missing dep on Abseil": (
        [user()],
        ["vector", "absl/strings/str_cat.h"],
        [f"user/u.cc:2: //user:u includes absl/strings/str_cat.h: add {STRINGS} to deps"],
    ),
    "missing dep on a library": (
        [user()],
        ["curl/curl.h"],
        ["user/u.cc:1: //user:u includes curl/curl.h: add @curl//:curl to deps"],
    ),
    "a dep of a dep is not one's own": (
        [A, target("//b:b", hdrs=["b.h"], deps=["//a:a"]), user("//b:b")],
        ["a/a.h", "b/b.h"],
        [
            "b/BUILD.bazel:7: //b:b includes nothing of //a:a: remove it, or mark it # keep",
            "user/u.cc:1: //user:u includes a/a.h: add //a:a to deps",
        ],
    ),
    "header of an Abseil target that is not listed": (
        [user()],
        ["absl/log/log.h"],
        ["user/u.cc:1: //user:u includes absl/log/log.h: no target of third_party/abseil/targets.bzl has it"],
    ),
    "private header": (
        [A, user("//a:a")],
        ["a/a.h", "a/internal/hidden.h"],
        ["user/u.cc:2: //user:u includes a/internal/hidden.h: it is private to //a:a"],
    ),
    "header of no target": (
        [A, user("//a:a")],
        ["a/a.h", "a/nobody.h"],
        ["user/u.cc:2: //user:u includes a/nobody.h: no target has it in its hdrs"],
    ),
    "unused deps": (
        [A, user("//a:a", STRINGS, CURL)],
        [],
        [
            f"user/BUILD.bazel:7: //user:u includes nothing of {dep}: remove it, or mark it # keep"
            for dep in ("//a:a", STRINGS, CURL)
        ],
    ),
    "unused deps that are kept": ([A, KEPT, KEPT_HERE, user("//a:a", "//kept:kept", "//user:k")], ["a/a.h"], []),
    "the main of tests is not for its headers": ([user(GTEST_MAIN, kind="cc_test")], [], []),
    "the main of tests brings GoogleTest": ([user(GTEST_MAIN, kind="cc_test")], ["gtest/gtest.h"], []),
    "dep without headers": ([target("//a:main", srcs=["a.cc"]), user("//a:main")], [], []),
    "dep through an alias": (
        [A, target("//p:p", kind="alias", actual="//a:a"), user("//p:p")],
        ["a/a.h"],
        [],
    ),
    "unused dep through an alias": (
        [A, target("//p:p", kind="alias", actual="//a:a"), user("//p:p")],
        [],
        ["user/BUILD.bazel:7: //user:u includes nothing of //p:p: remove it, or mark it # keep"],
    ),
    "protobuf header below a prefix": (
        [
            target("//a/b:x_proto", srcs=["c/x.proto"], kind="proto_library")._replace(strip_import_prefix="/a/b"),
            target("//a/b:x_cc_proto", deps=["//a/b:x_proto"], kind="cc_proto_library"),
            user("//a/b:x_cc_proto"),
        ],
        ["c/x.pb.h"],
        [],
    ),
    "protobuf header": (
        [
            target("//a:x_proto", srcs=["x.proto"], kind="proto_library"),
            target("//a:x_cc_proto", deps=["//a:x_proto"], kind="cc_proto_library"),
            user("//a:x_cc_proto"),
        ],
        ["a/x.pb.h"],
        [],
    ),
    "generated header that its target names": (
        [target("//a:gen", hdrs=["gen.h"]), user("//a:gen")],
        ["a/gen.h"],
        [],
    ),
    "generated header that its target does not name": (
        [target("//a:gen", hdrs=["generated_files"]), user("//a:gen")],
        ["a/types.h", "a/internal/types.h"],
        [],
    ),
    "generated header of another folder": (
        [A, target("//b:gen", hdrs=["generated_files"]), user("//b:gen")],
        ["a/types.h"],
        ["user/u.cc:1: //user:u includes a/types.h: no target has it in its hdrs"],
    ),
    "generated header whose name its rule says": ([*GENERATED, user("//a:apps")], ["a/apps/client.h"], []),
    "generated header of another target of that package": (
        [*GENERATED, user("//a:apps", "//a:core")],
        ["a/core/client.h"],
        ["user/BUILD.bazel:7: //user:u includes nothing of //a:apps: remove it, or mark it # keep"],
    ),
    "a bundle hands on its deps": ([A, target("//b:all", deps=["//a:a", STRINGS])], [], []),
    "a bundle is no dep on what it bundles": (
        [A, target("//b:all", deps=["//a:a"]), user("//b:all")],
        ["a/a.h"],
        ["user/u.cc:1: //user:u includes a/a.h: add //a:a to deps"],
    ),
    "generated source": ([A, target("//user:u", srcs=["u.cc", "gen.cc"], deps=["//a:a"])], [], []),
}


class CheckDepsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name

    def write(self, path, text):
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)

    def check(self, targets, u_cc):
        for path, text in FILES.items():
            self.write(path, text)
        self.write("user/u.cc", u_cc)
        _, findings = check_deps.check_tree(self.root, {t.label: t for t in targets}, ABSEIL)
        return sorted(findings)

    def test_trees(self):
        for name, (targets, includes, findings) in TREES.items():
            with self.subTest(name):
                text = "".join(f'#include "{include}"\n' for include in includes)
                self.assertEqual(self.check(targets, text), sorted(findings))

    def test_an_example_may_include_what_comes_along(self):
        bundle = target("//b:all", deps=["//a:a"])
        rows = {
            "in a bundle": ("a/a.h", [A, bundle], []),
            "in a bundle behind an alias": ("a/a.h", [A, bundle, target("//p:p", kind="alias", actual="//b:all")], []),
            "generated": ("c/x.h", [target("//c:gen", hdrs=["generated"]), target("//b:all", deps=["//c:gen"])], []),
            "not along": (
                "b/b.h",
                [A, target("//b:b", hdrs=["b.h"]), bundle],
                ["examples/e/u.cc:1: //examples/e:u includes b/b.h: add //b:b to deps"],
            ),
        }
        self.write("examples/e/BUILD.bazel", "")
        for name, (include, targets, findings) in rows.items():
            with self.subTest(name):
                self.write("examples/e/u.cc", f'#include "{include}"\n')
                example = target("//examples/e:u", srcs=["u.cc"], deps=[targets[-1].label])
                self.assertEqual(self.check([*targets, example], ""), findings)

    def test_what_shows_a_bundle_may_include_what_the_bundle_names(self):
        more = target("//a:more", hdrs=["more.h"], deps=["//a:a"])
        bundle = target("//b:all", deps=["//a:more", "//b:rest"])
        rest = target("//b:rest", deps=["//a:rest"])
        targets = [A, more, bundle, rest, target("//a:rest", hdrs=["rest.h"])]
        shown = {
            "//b:bundle_test": "b/u.cc",
            "//b:more_bundle_test": "b/u.cc",
            "//docs/snippets:readme": "docs/snippets/readme.cc",
            "//docs/snippets/s:u": "docs/snippets/s/u.cc",
        }
        for label, path in shown.items():
            folder = os.path.dirname(path)
            self.write(f"{folder}/BUILD.bazel", "")
            missing = f"{path}:1: {label} includes a/a.h: add //a:a to deps"
            rows = {"a/more.h": [], "a/rest.h": [], "a/a.h": [missing]}
            for include, findings in rows.items():
                with self.subTest(label, include=include):
                    self.write(path, f'#include "{include}"\n')
                    user = target(label, srcs=[os.path.basename(path)], deps=["//b:all"])
                    self.assertEqual(self.check([*targets, user], ""), findings)

    def test_what_shows_a_bundle_may_include_the_types_of_a_client(self):
        targets = [
            A,
            target("//a:types", hdrs=["types_headers"], deps=["//a:a"]),
            target("//a:apps", hdrs=["apps_generated"], deps=["//a:types", "//a:a"]),
            target("//a:apps_generated", kind="_kube_generate_clients")._replace(header="apps/client.h"),
        ]
        self.write("b/BUILD.bazel", "")
        missing = "b/u.cc:2: //b:bundle_test includes a/a.h: add //a:a to deps"
        for include, findings in {"a/types.kube.h": [], "a/a.h": [missing]}.items():
            with self.subTest(include):
                self.write("b/u.cc", f'#include "a/apps/client.h"\n#include "{include}"\n')
                bundle_test = target("//b:bundle_test", srcs=["u.cc"], deps=["//a:apps"])
                self.assertEqual(self.check([*targets, bundle_test], ""), findings)

    def test_what_is_no_include(self):
        text = '// #include "a/a.h"\nconst char s[] = R"(\n#include "a/a.h"\n)";\n'
        self.assertEqual(self.check([A, user()], text), [])

    def test_optional_header_needs_a_dep_only_where_a_target_has_it(self):
        log = '#if __has_include("absl/log/log.h")\n#include "absl/log/log.h"\n#endif\n'
        self.assertEqual(self.check([user()], log), [])
        status = log.replace("log/log.h", "status/status.h")
        missing = f"user/u.cc:2: //user:u includes absl/status/status.h: add {STATUS} to deps"
        self.assertEqual(self.check([user()], status), [missing])
        self.assertEqual(self.check([user(STATUS)], status), [])

    def test_query(self):
        text = f"""<?xml version="1.1" encoding="UTF-8" standalone="no"?>
<query version="2">
  <rule class="cc_library" location="{self.root}/a/BUILD.bazel:20:16" name="//a:x">
    <string name="name" value="x"/>
    <list name="deps"><label value="//b:b"/><label value="{STRINGS}"/></list>
    <list name="copts"><string value="-Wall"/></list>
    <list name="srcs"><label value="//a:x.cc"/></list>
    <list name="hdrs"><label value="//a:x.h"/></list>
    <list name="textual_hdrs"><label value="//a:x.inc"/></list>
    <rule-input name="//a:x.cc"/>
  </rule>
  <rule class="proto_library" location="{self.root}/a/BUILD.bazel:30:14" name="//a:p">
    <string name="strip_import_prefix" value="/a"/>
    <list name="srcs"><label value="//a:p.proto"/></list>
  </rule>
  <rule class="_kube_generate_clients" location="{self.root}/a/BUILD.bazel:40:1" name="//a:g">
    <string name="header" value="v1/client.h"/>
  </rule>
  <rule class="alias" location="{self.root}/BUILD.bazel:1:6" name="//:x"><label name="actual" value="//a:x"/></rule>
</query>"""
        x = ("cc_library", "//a:x", "a/BUILD.bazel:20", ["//a:x.cc"], ["//a:x.h", "//a:x.inc"], ["//b:b", STRINGS], "", "", "")
        alias = ("alias", "//:x", "BUILD.bazel:1", [], [], [], "//a:x", "", "")
        protos = ("proto_library", "//a:p", "a/BUILD.bazel:30", ["//a:p.proto"], [], [], "", "/a", "")
        generated = ("_kube_generate_clients", "//a:g", "a/BUILD.bazel:40", [], [], [], "", "", "v1/client.h")
        want = {"//a:x": x, "//:x": alias, "//a:p": protos, "//a:g": generated}
        self.assertEqual(check_deps.parse_query(text, self.root), want)

    def test_abseil_headers(self):
        starlark = '"""Doc."""\n\nABSEIL_TARGETS = {\n    "status": {"status": ["status.h"]},  # one\n}\n'
        headers = {"absl/status/status.h": STATUS}
        self.assertEqual(check_deps.abseil_headers(starlark), headers)


if __name__ == "__main__":
    unittest.main()
