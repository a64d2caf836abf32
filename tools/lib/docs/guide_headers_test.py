#!/usr/bin/env python3
"""Tests of guide_headers.py."""

import contextlib
import io
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import guide_headers

SEARCH = """#include "base/sim.h"
namespace kube::base {

// Options of SearchSeeds.
struct SeedOptions {
  int seeds = 1;
  void Reset();
};

inline constexpr int kSeeds = 7;
using Program = int;
template <typename T>
class SimRuntime final {};
enum class Order { kFifo };
template <Thing T>
int16_t PriorityOf(const T& event);
std::vector<std::string> SearchSeeds(Program program,
                                     const SeedOptions& options);
template <typename T>
concept Thing = true;
#define KUBE_TRY(x) x

template <>
struct std::hash<Program> {};

// ---- implementation

class Hidden {};
}
"""
SOURCE = """#include "absl/time/time.h"
#include "api/apps/v1/types.applies.kube.h"
#include "api/apps/v1/types.kube.h"
#include "base/search.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "informers/kubernetes/core/v1/informers.h"

void Search() {
  SearchSeeds(1, {.seeds = kSeeds});
}
void Scale() {
  ApplyOf<appsv1::Deployment> web = client.AppsV1().Deployments();
  factory.Core().V1().Pods();
}
"""
BUILD = """
cc_kube_library(
    name = "search",
    hdrs = ["search.h"],
)
cc_kube_library(
    name = "private_things",
    hdrs = ["internal/more.h"],
)
"""
BUNDLE = """
cc_kube_test(
    name = "bundle_test",
    deps = ["//base:private_things"],
)
cc_kube_library(
    name = "NAME",
    deps = [
        ":crds",
        "//base:search",
        "//net/pager:pager",
        "@com_google_absl//absl/status",
    ],
)
"""
OPERATOR = """
cc_kube_library(
    name = "operator",
    deps = ["//controller/manager"],
)
"""
GUIDE = """# Guide

```cpp
void Search() {
  SearchSeeds(1, {.seeds = kSeeds});
}
```

The end.
"""


class GuideHeadersTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        self.write("base/search.h", SEARCH)
        self.write("base/BUILD.bazel", BUILD)
        self.write("clientset/BUILD.bazel", BUNDLE.replace("NAME", "clientset"))
        self.write("envtest/BUILD.bazel", BUNDLE.replace("NAME", "envtest"))
        self.write("controller/BUILD.bazel", OPERATOR)
        self.write("docs/snippets/search_test.cc", SOURCE)
        self.write("docs/guide.md", GUIDE)

    def write(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def run_main(self, *arguments):
        with contextlib.redirect_stdout(io.StringIO()) as output:
            return guide_headers.main(self.root, list(arguments)), output.getvalue()

    def table(self, guide):
        return guide_headers.table(guide, guide_headers.Checkout(self.root))[2:]

    def test_names_that_a_header_declares(self):
        want = {"SeedOptions", "kSeeds", "Program", "SimRuntime", "Order", "PriorityOf", "SearchSeeds", "Thing", "KUBE_TRY"}
        self.assertEqual(guide_headers.declared(SEARCH), want)

    def test_a_row_for_each_header_of_which_a_block_uses_a_name(self):
        self.assertEqual(self.table(GUIDE), ["| `SearchSeeds`, `kSeeds` | `base/search.h` | `//base:search` | `//clientset`, `//envtest` |"])

    def test_generated_headers_by_how_their_group_is_written(self):
        self.assertEqual(
            self.table("```cpp\n" + SOURCE.partition("}\n")[2].rstrip() + "\n```\n"),
            [
                "| `ApplyOf<appsv1::Deployment>` | `api/apps/v1/types.applies.kube.h` | `//api/apps/v1:v1_applies` | - |",
                "| `appsv1::` | `api/apps/v1/types.kube.h` | `//api/apps/v1` | - |",
                "| `AppsV1()` | `clientset/kubernetes/apps/v1/client.h` | `//clientset/kubernetes:apps_v1` | - |",
                "| `Core().V1()` | `informers/kubernetes/core/v1/informers.h` | `//informers/kubernetes:core_v1` | - |",
            ],
        )

    def test_what_has_no_row(self):
        self.assertEqual(self.table("```cpp\nint x;\n```\n"), [])
        self.assertEqual(self.table(GUIDE.replace("```cpp", "```go")), [])
        checkout = guide_headers.Checkout(self.root)
        self.assertEqual(checkout.target("base/internal/more.h"), "//base:private_things")
        self.assertIsNone(checkout.target("base/other.h"))
        self.assertIsNone(checkout.target("nowhere/other.h"))

    def test_the_bundles_of_a_target_are_those_that_have_it_as_a_dep(self):
        checkout = guide_headers.Checkout(self.root)
        self.assertEqual(checkout.bundles("//base:search"), ["//clientset", "//envtest"])
        self.assertEqual(checkout.bundles("//envtest:crds"), ["//envtest"])
        self.assertEqual(checkout.bundles("//net/pager"), ["//clientset", "//envtest"])
        self.assertEqual(checkout.bundles("//base:private_things"), [])
        self.assertEqual(checkout.bundles("//controller/manager"), ["//controller:operator"], "by the name of its target")

    def test_a_name_that_a_header_only_announces_is_that_of_another_header(self):
        self.write("base/more.h", "class SimRuntime;\nclass Announced;\n")
        self.write("docs/snippets/search_test.cc", '#include "base/more.h"\n#include "base/search.h"\nSimRuntime& sim; Announced& it;\n')
        self.write("base/BUILD.bazel", BUILD + 'cc_kube_library(\n    name = "more",\n    hdrs = ["more.h"],\n)\n')
        rows = self.table("```cpp\nSimRuntime& sim; Announced& it;\n```\n")
        self.assertEqual([row.partition(" | `base/")[0] for row in rows], ["| `Announced`", "| `SimRuntime`"])

    def test_names_of_fakes_are_used_by_their_whole_name(self):
        self.assertEqual(guide_headers.used("envtest/fake/clientset.h", {"Clientset"}, "Clientset c;"), set())
        want = {"fake::Clientset"}
        self.assertEqual(guide_headers.used("envtest/fake/clientset.h", {"Clientset"}, "fake::Clientset c;"), want)

    def test_a_guide_without_its_rows_is_a_finding_and_is_written(self):
        code, output = self.run_main("docs/guide.md")
        self.assertEqual(code, 1)
        self.assertIn("lacks | `SearchSeeds`, `kSeeds` | `base/search.h` | `//base:search` | `//clientset`, `//envtest` |", output)
        self.assertEqual(self.run_main("--write", "docs/guide.md")[0], 0)
        self.assertEqual(self.run_main("docs/guide.md"), (0, "1 guides, 0 findings\n"))
        self.write("docs/snippets/search_test.cc", SOURCE.replace("kSeeds", "7"))
        self.assertEqual(self.run_main("docs/guide.md")[0], 1, "the code has changed")
        self.assertEqual(self.run_main()[0], 1, "there is nothing to look at")

    def test_sections_after_the_table_stay(self):
        self.run_main("--write", "docs/guide.md")
        with open(os.path.join(self.root, "docs/guide.md"), encoding="utf-8") as file:
            guide = file.read()
        last = "\n## Deviations\n\nNone.\n\n### Of parts\n\nNone.\n"
        self.write("docs/guide.md", guide + last)
        self.assertEqual(self.run_main("docs/guide.md"), (0, "1 guides, 0 findings\n"))
        self.write("docs/snippets/search_test.cc", SOURCE.replace("kSeeds", "7"))
        self.run_main("--write", "docs/guide.md")
        with open(os.path.join(self.root, "docs/guide.md"), encoding="utf-8") as file:
            self.assertEqual(file.read(), GUIDE + last, "no row is left: the section goes, and nothing else")


if __name__ == "__main__":
    unittest.main()
