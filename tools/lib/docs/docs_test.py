#!/usr/bin/env python3
"""Tests of the parts of tools/docs."""

import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import doxygen_input
import public_headers

# name: (header, what Doxygen gets); the same where the second is None
HEADERS = {
    "function": ("// Does it.\nvoid F();\n", "/// Does it.\nvoid F();\n"),
    "lines": ("// It.\n//\n// More.\nvoid F();\n", "/// It.\n///\n/// More.\nvoid F();\n"),
    "class and member": (
        "// A.\nclass A final : public B {\n public:\n  // F.\n  void F() {\n    // Inside.\n    G();\n  }\n};\n",
        "/// A.\nclass A final : public B {\n public:\n  /// F.\n  void F() {\n    // Inside.\n    G();\n  }\n};\n",
    ),
    "template": (
        "template <typename T, class U = A<T>>\nstruct A {\n  int a;  // it\n};\n",
        "template <typename T, class U = A<T>>\nstruct A {\n  int a;  ///< it\n};\n",
    ),
    "enumerators": (
        "enum class E {\n  // A.\n  kA,\n  kB,  // B\n  kC = 3  // C\n};\n",
        "enum class E {\n  /// A.\n  kA,\n  kB,  ///< B\n  kC = 3  ///< C\n};\n",
    ),
    "namespace": ("// All.\nnamespace a {\n// It.\nint i;\n}\n", "/// @file\n/// All.\nnamespace a {\n/// It.\nint i;\n}\n"),
    "end of the line": ("int a = {};  // it\n", "int a = {};  ///< it\n"),
    "end of the line, going on": (
        "struct A {\n  int a;  // it\n          // goes on\n  // B.\n  int b;\n};\n",
        "struct A {\n  int a;  ///< it\n          ///< goes on\n  /// B.\n  int b;\n};\n",
    ),
    "macro": ("// Does it.\n#define F(x) x\n", "/// Does it.\n#define F(x) x\n"),
    "divider": ("// ---- these\n// F.\nvoid F();\n", "// ---- these\n/// F.\nvoid F();\n"),
    "list": ("// * one\n//   goes on\nint i;\n", "/// - one\n///   goes on\nint i;\n"),
    "code": (
        "// So:\n//\n//   F(a);  // #1\n//\n// More.\nint i;\n",
        "/// So:\n///\n/// @code{.cpp}\n///   F(a);  // #1\n///\n/// @endcode\n/// More.\nint i;\n",
    ),
    "code at the end": ("//   F();\nint i;\n", "/// @code{.cpp}\n///   F();\n/// @endcode\nint i;\n"),
    "special characters": (
        '// a@b <c> \\d #e &f 100% "g" ::h i::j --k $l\nint i;\n',
        '/// a\\@b \\<c\\> \\\\d \\#e \\&f 100\\% \\"g\\" \\::h i::j \\-\\-k \\$l\nint i;\n',
    ),
    "words of code": ("// `a<b>` and `--c`, d`\nint i;\n", "/// <code>a\\<b\\></code> and <code>\\-\\-c</code>, d`\nint i;\n"),
    "not above a declaration": ("// About the file.\n\nint i;\n", None),
    "above the end of a scope": ("struct A {\n  int i;\n  // No more.\n};\n", None),
    "above an access specifier": ("class A {\n  // Next.\n private:\n};\n", None),
    "above an include": ('// For it.\n#include "a.h"\n', None),
    "in a declaration": ("void F(int a,  // the a\n       // The b.\n       int b);\n", None),
    "in an initializer": ("int a[] = {\n    // The first.\n    1,  // one\n};\n", None),
    "behind the end of a scope": ("namespace a {\n}  // namespace a\n", None),
    "for a tool": ("A(int i);  // NOLINT(google-explicit-constructor)\n", None),
    "slashes in a literal": ('const char a[] = "// b";\n', None),
}

BUILD = """
load("//tools/build:cc.bzl", "cc_kube_library")

package(default_visibility = ["//visibility:{default}"])

cc_kube_library(
    name = "open",
    hdrs = ["open.h", "internal/more.h", "generated.h"],
    visibility = ["//visibility:public"],
)

cc_kube_library(
    name = "closed",
    srcs = ["closed.cc"],
    hdrs = ["closed.h"],
    visibility = ["//visibility:private"],
)

cc_kube_library(
    name = "other",
    hdrs = ["other.h"],
)

cc_kube_test(
    name = "test",
    hdrs = ["test.h"],
    visibility = ["//visibility:public"],
)
"""


class DocsTest(unittest.TestCase):
    def test_headers(self):
        for name, (header, want) in HEADERS.items():
            with self.subTest(name):
                self.assertEqual(doxygen_input.filtered(header), header if want is None else want)

    def test_public_headers(self):
        with tempfile.TemporaryDirectory() as root:
            for folder, default in {"net": "private", "net/http": "public", "other": "public"}.items():
                os.makedirs(os.path.join(root, folder, "internal"))
                for name in ("open.h", "closed.h", "other.h", "test.h", "internal/more.h", "BUILD.bazel"):
                    with open(os.path.join(root, folder, name), "w", encoding="utf-8") as file:
                        file.write(BUILD.replace("{default}", default) if name == "BUILD.bazel" else "")
            found = sorted(public_headers.all_headers(root))
            self.assertEqual(found, ["net/http/open.h", "net/http/other.h", "net/open.h"])

    def test_files(self):
        with tempfile.TemporaryDirectory() as root:
            os.chdir(root)
            os.mkdir("a")
            with open("a/b.h", "w", encoding="utf-8") as file:
                file.write("// B.\nint b;\n")
            doxygen_input.main("out", "a/b.h")
            with open("out/a/b.h", encoding="utf-8") as file:
                self.assertEqual(file.read(), "/// B.\nint b;\n")


if __name__ == "__main__":
    unittest.main()
