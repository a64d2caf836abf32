#!/usr/bin/env python3
"""Each rule catches its bad samples and passes its good ones; each sample is a whole file."""

import unittest
from typing import NamedTuple

import declarations
import main
import versions
import walls
import words


class Sample(NamedTuple):
    rule: str
    path: str
    bad: list[str]
    good: list[str]
    allowed: tuple[str, ...] = ()  # paths at which the bad samples may stand


def header(guard, body=""):
    return f"// What it is.\n#ifndef {guard}\n#define {guard}\n\n{body}\n#endif  // {guard}\n"


def library(*targets):
    return 'load("//tools/build:cc.bzl", "cc_kube_library", "cc_kube_test")\n' + "\n".join(targets) + "\n"


X_H = "NET_X_H_"
MACHINE = "/" + "root/x"
KUBERNETES = versions.VERSIONS["KUBERNETES_VERSION"]
SAMPLES = [
    Sample(
        "using-namespace",
        "net/x.cc",
        bad=["using namespace std;", "void F() {\n  using namespace absl;\n}"],
        good=["using std::string;", "// using namespace std;", 'auto s = "using namespace std";'],
    ),
    Sample(
        "sleep",
        "net/x.cc",
        bad=[
            "sleep(1);",
            "usleep(1);",
            "::nanosleep(&t, nullptr);",
            "std::this_thread::sleep_for(1s);",
            "std::this_thread::sleep_until(t);",
            "absl::SleepFor(d);",
        ],
        good=["runtime.Sleep(ctx, d);", "// sleep(1)", "int sleep_count;", "GoToSleep(1);"],
        allowed=("apimachinery/base/x.cc",),
    ),
    Sample(
        "locale",
        "net/x.cc",
        bad=["double d = strtod(text, nullptr);", "std::strftime(a, n, f, t);", "c = std::tolower(c);"],
        good=["absl::SimpleAtod(text, &d);", "c = absl::ascii_tolower(c);", "std::to_chars(a, b, d);"],
        allowed=("net/x_test.cc",),
    ),
    Sample(
        "locale-date",
        "net/x.cc",
        bad=[
            'absl::FormatTime("%a, %d %b %Y", t, utc);',
            'absl::ParseTime(\n    "%d %B", text, &t, &error);',
        ],
        good=['absl::FormatTime("%Y-%m-%dT%H:%M:%E*SZ", t, utc);', "absl::ParseTime(absl::RFC3339_full, text);"],
        allowed=("net/x_test.cc",),
    ),
    Sample("sleep", "apimachinery/base/x_test.cc", bad=["usleep(1);"], good=["clock.Step(d);"]),
    Sample(
        "clock",
        "net/x_test.cc",
        bad=[
            "auto t = std::chrono::steady_clock::now();",
            "auto t = std::chrono::system_clock::now();",
            "auto t = Clock<std::chrono::high_resolution_clock::now>();",
            "auto t = absl::Now();",
            "srand48(time(nullptr));",
            "auto t = std::time(NULL);",
            "clock_gettime(CLOCK_MONOTONIC, &t);",
            "gettimeofday(&t, nullptr);",
        ],
        good=["auto t = clock.Now();", "std::chrono::steady_clock::time_point t;", "uptime(nullptr);"],
        allowed=("apimachinery/base/x.cc",),
    ),
    Sample(
        "thread",
        "clientset/x.cc",
        bad=[
            "std::thread t(F);",
            "std::jthread t(F);",
            "t.detach();",
            "std::condition_variable c;",
            "std::condition_variable_any c;",
            "std::mutex m;",
            "std::shared_mutex m;",
            "pthread_create(&t, nullptr, F, nullptr);",
            "auto f = std::async(F);",
            "std::promise<int> p;",
            "std::latch l(1);",
        ],
        good=["base::Thread thread_;", "std::atomic<int> a;", "std::this_thread::get_id();", "std::thread_count;"],
        allowed=("apimachinery/base/x.cc", "apimachinery/base/x_test.cc"),
    ),
    Sample(
        "random",
        "net/x.cc",
        bad=["std::random_device d;", "std::mt19937 g;", "std::mt19937_64 g;", "int i = rand();", "absl::BitGen g;"],
        good=["runtime.Random();", "int brand();"],
        allowed=("apimachinery/base/x.cc",),
    ),
    Sample(
        "k8s-namespace",
        "net/x.cc",
        bad=["namespace k8s {}", "namespace k8s::net {}", "k8s::Pod p;"],
        good=["namespace kube {}", 'auto group = "k8s.io";', "// k8s::Pod", "int my_k8s;"],
    ),
    Sample(
        "curl",
        "clientset/rest/x.cc",
        bad=["#include <curl/curl.h>", '#include "curl/multi.h"'],
        good=['#include "net/httpclient/transport.h"', "// #include <curl/curl.h>"],
        allowed=("net/httpclient/internal/x.cc",),
    ),
    Sample(
        "std-string-view",
        "net/x.cc",
        bad=["std::string_view s;", "#include <string_view>", "using std::literals::string_view_literals;"],
        good=["absl::string_view s;", '#include "absl/strings/string_view.h"', '#include "apimachinery/base/string_view.h"'],
        allowed=("apimachinery/types/x.h", "apimachinery/base/string_view.h", "apimachinery/base/string_view_test.cc"),
    ),
    Sample(
        "absl-synchronization",
        "apimachinery/base/x.cc",
        bad=['#include "absl/synchronization/mutex.h"', "absl::Mutex m;", "absl::Notification n;"],
        good=['#include "absl/base/thread_annotations.h"', "base::Mutex m;"],
    ),
    Sample(
        "absl-log",
        "net/x.cc",
        bad=['#include "absl/log/log.h"', '#include "absl/log/check.h"'],
        good=['#include "apimachinery/base/check.h"', '#include "absl/base/log_severity.h"'],
    ),
    Sample(
        "absl-std-twins",
        "net/x.cc",
        bad=['#include "absl/types/optional.h"', "absl::optional<int> o;", "absl::variant<int> v;", "absl::any a;"],
        good=['#include "absl/types/span.h"', "std::optional<int> o;", "absl::AnyInvocable<void()> f;"],
    ),
    Sample(
        "throw",
        "net/x_test.cc",
        bad=["throw 1;", "[] { throw std::runtime_error(s); }();"],
        good=["// does not throw", "EXPECT_NO_THROW(F());", "void F() noexcept;"],
    ),
    Sample(
        "header-guard",
        "net/x.h",
        bad=[
            "#pragma once\n",
            header("X_H_"),
            header("NET_X_H"),
            "int a;\n",
            f"#ifndef {X_H}\nint a;\n#define {X_H}\n#define OTHER\n#endif  // {X_H}\n#include <x>\n",
            f"#ifndef {X_H}\n#define {X_H}\n#endif\n",
        ],
        good=[header(X_H, "#include <string>\n#define A 1")],
        allowed=("net/x.cc",),
    ),
    Sample(
        "header-guard", "net/http-server/x.h", bad=[header(X_H)], good=[header("NET_HTTP_SERVER_X_H_")]
    ),
    Sample(
        "global-alias",
        "net/x.h",
        bad=[
            header(X_H, "using X = int;"),
            header(X_H, "template <typename T> using X = T;"),
            header(X_H, "using absl::StrCat;"),
            header(X_H, "typedef int X;"),
            header(X_H, "namespace kube {\nclass X {};\n}  // namespace kube\nnamespace x = kube::net;"),
        ],
        good=[
            header(X_H, "namespace kube {\nusing X = int;\nnamespace x = kube::net;\n}  // namespace kube"),
            header(X_H, "namespace kube::net {\nclass X {\n  using Y = int;\n};\n}"),
        ],
        allowed=("net/x.cc",),
    ),
    Sample(
        "macro",
        "net/x.h",
        bad=[header(X_H, "#define KUBE_MAX 1"), header(X_H, "#  define KUBE_MAX(a) a")],
        good=[header(X_H, "#ifdef KUBE_X\n#undef KUBE_X\n#endif"), header(X_H, "// #define A 1")],
        allowed=("net/x.cc",),
    ),
    Sample(
        "raw-new",
        "net/x.cc",
        bad=["auto* p = new int;", "delete p;", "delete[] p;", "new (place) int(1);", "void operator delete(void* p);"],
        good=["X(const X&) = delete;", "#include <new>", "// a new one", "int new_size;", 'auto s = "new";'],
    ),
    Sample(
        "output",
        "net/x.cc",
        bad=["std::cout << 1;", "std::cerr << 1;", 'printf("a");', "std::fprintf(f, s);", "fputs(s, stderr);"],
        good=["std::snprintf(b, n, s);", "// std::cout", 'int main() {\n}\nvoid F() { printf("a"); }'],
        allowed=("net/x_test.cc", "examples/x.cc", "benchmarks/x.h", "tests/x.cc", "tools/x.cc"),
    ),
    Sample(
        "output", "net/x.cc", bad=["int Fmain();\nint domain(int a);\nvoid F() { std::cout << 1; }"], good=["int a;"]
    ),
    Sample(
        "skip-without-reason",
        "net/x_test.cc",
        bad=["if (!found) GTEST_SKIP();", 'GTEST_SKIP() << "no Go";'],
        good=['GTEST_SKIP() << "SKIPPED: no Go";', 'std::cout << "SKIPPED: no Go\\n";\nGTEST_SKIP();', "if (PrintSkipped(s)) GTEST_SKIP();"],
    ),
    Sample(
        "riddle",
        "net/x.h",
        bad=[
            "// Of a watch.\n",
            "int a;  // Of a watch.\n",
            "class A {\n  // Reads a name.\n  // Of a watch.\n};\n",
            "// The same of a list.\n",
            "// Returns null if there is none.\n",
            "// Empty where there are\n// none.\n",
            "// Waits so long.\n",
            "// So many connections are kept.\n",
            "int a = 1;  // so often a request is sent\n",
            "// Returns what there is.\n",
            "// Whoever takes it closes it.\n",
            "/* Read by whoever\n   asks. */\n",
            "// Sends it again (REST-5).\n",
            "/// WQ-12\n",
        ],
        good=[
            "// Reads the name of a watch. A value of zero means none.\n",
            "// Returns null if no object has this key.\n",
            "// Waits so long as the lease is valid, as long as a minute.\n// Of: what it belongs to\n",
            "// The same object, offset and size. So there are many.\n",
            "// UTF-8, UTF-16, SHA-256, RFC-7230, ISO-8601, KEP-3157, HTTP-2, US-ASCII, X-509, foo-1.\n",
            'auto s = "// Of a watch: WQ-4";\nOf is(none);\n',
            "int so, many;  // so\nint b;  // many\n",
            "",
        ],
        allowed=("net/x.cc", "net/internal/x.h", "net/testing/x.h", "net/differential/x.h", "tests/x.h"),
    ),
    Sample(
        "include-layer",
        "clientset/x.cc",
        bad=['#include "envtest/fake/x.h"', '#include "net/httpserver/x.h"', '#include "tests/x.h"', '#include "codegen/x.h"'],
        good=['#include "apimachinery/base/x.h"', '#include "clientset/y.h"', "#include <informers>", '#include "x/informers/y.h"'],
    ),
    Sample(
        "include-layer",
        "clientset/x_test.cc",
        bad=['#include "informers/x.h"', '#include "benchmarks/x.h"'],
        good=['#include "apiserver/server.h"', '#include "tests/oracle/oracle.h"'],
    ),
    Sample(
        "include-layer",
        "envtest/fake/x.h",
        bad=['#include "informers/x.h"', '#include "net/httpserver/x.h"'],
        good=['#include "clientset/x.h"', '#include "envtest/x.h"', '#include "apiserver/x.h"'],
    ),
    Sample(
        "include-layer",
        "apiserver/x.h",
        bad=['#include "clientset/x.h"', '#include "envtest/x.h"'],
        good=['#include "net/httpserver/x.h"', '#include "api/core/v1/types.h"', '#include "apiserver/y.h"'],
        allowed=("envtest/x.h",),
    ),
    Sample(
        "include-layer",
        "apimachinery/codec/x.cc",
        bad=['#include "apimachinery/errors/x.h"', '#include "api/meta/v1/types.kube.h"'],
        good=['#include "apimachinery/types/string.h"'],
    ),
    Sample(
        "include-layer",
        "apimachinery/errors/x.cc",
        bad=['#include "api/core/v1/types.kube.h"', '#include "net/x.h"'],
        good=['#include "apimachinery/schema/x.h"', '#include "apimachinery/codec/x.h"', '#include "api/meta/v1/types.kube.h"'],
    ),
    Sample(
        "include-layer",
        "api/meta/v1/x.cc",
        bad=['#include "apimachinery/errors/x.h"', '#include "api/core/v1/types.kube.h"'],
        good=['#include "apimachinery/codec/x.h"'],
    ),
    Sample("include-layer", "net/x.cc", bad=['#include "api/x.h"'], good=['#include "apimachinery/x.h"']),
    Sample(
        "include-layer",
        "net/websocket/x.cc",
        bad=['#include "net/httpclient/x.h"', '#include "net/spdy/x.h"'],
        good=['#include "net/http/x.h"', '#include "net/io/x.h"', '#include "apimachinery/base/x.h"'],
    ),
    Sample(
        "include-layer",
        "codegen/x.cc",
        bad=['#include "apimachinery/errors/x.h"', '#include "apimachinery/unstructured/unstructured.h"', '#include "api/meta/v1/x.h"'],
        good=['#include "codegen/y.h"', '#include "apimachinery/codec/x.h"', '#include "apimachinery/unstructured/value_json.h"'],
    ),
    Sample(
        "include-layer",
        "apimachinery/unstructured/value_json.cc",
        bad=['#include "api/meta/v1/x.h"'],
        good=['#include "apimachinery/codec/x.h"'],
    ),
    Sample("include-layer", "controller/x.cc", bad=['#include "examples/x.h"'], good=['#include "net/x.h"']),
    Sample(
        "dep-layer",
        "listers/BUILD.bazel",
        bad=[
            library('cc_kube_library(name = "x", deps = ["//informers:x"])'),
            library('cc_kube_library(name = "x", deps = ["@absl"] + select({"//conditions:default": ["//net:x"]}))'),
            library('[cc_kube_library(name = n, deps = ["//tests:x"]) for n in NAMES]'),
            library('cc_kube_test(name = "x_test", deps = ["//informers"])'),
        ],
        good=[
            library('cc_kube_library(name = "x", deps = ["//clientset:x", ":y", "@absl//informers:x"])'),
            library('cc_kube_library(name = "x", data = ["//informers:x"])'),
            library('cc_kube_library(name = "x", testonly = True, deps = ["//tests:x"])'),
            library('cc_kube_test(name = "x_test", deps = select({"//benchmarks:x": ["//apiserver:x"]}))'),
        ],
    ),
    Sample(
        "dep-layer",
        "codegen/BUILD.bazel",
        bad=[
            library('cc_kube_library(name = "x", deps = ["//apimachinery/unstructured"])'),
            library('cc_kube_library(name = "x", deps = ["//api/meta/v1"])'),
        ],
        good=[library('cc_kube_library(name = "x", deps = ["//apimachinery/unstructured:value_json", "//apimachinery/base:status"])')],
    ),
    Sample(
        "build-syntax",
        "net/BUILD.bazel",
        bad=['cc_kube_library(name = "x"'],
        good=[library('cc_kube_library(name = "x")')],
        allowed=("net/BUILD.txt",),
    ),
    Sample(
        "untested-library",
        "net/BUILD.bazel",
        bad=[
            library('cc_kube_library(name = "x")'),
            library('cc_kube_library(name = "x", testonly = True)'),
            library('cc_kube_library(name = "x")', 'cc_kube_fuzz_test(name = "x_test")'),
            library('cc_kube_library(name = "x")', 'cc_kube_test(name = "y_test")'),
        ],
        good=[library('cc_kube_library(name = "x")', 'cc_kube_test(name = "x_test")')],
    ),
    Sample(
        "plain-cc-rule",
        "net/BUILD.bazel",
        bad=['cc_library(name = "x")', 'cc_test(name = "x")', 'cc_binary(name = "x")'],
        good=['cc_kube_library(name = "x")', 'cc_proto_library(name = "x")'],
        allowed=("examples/BUILD.bazel", "third_party/x.BUILD", "tests/downstream_workspace/BUILD.bazel"),
    ),
    Sample(
        "internal-visibility",
        "net/x/BUILD.bazel",
        bad=[
            library('cc_kube_library(name = "x", hdrs = ["internal/x.h"], visibility = ["//net:__subpackages__"])'),
            library('cc_kube_library(name = "x", hdrs = ["internal/x.h"], visibility = ["//visibility:public"])'),
            library('cc_kube_library(name = "x", hdrs = ["internal/x.h"], visibility = ["//net/xy:__pkg__"])'),
            library('package(default_visibility = ["//:__subpackages__"])', 'cc_kube_library(name = "x", hdrs = ["internal/x.h"])'),
        ],
        good=[
            library('cc_kube_library(name = "x", hdrs = ["internal/x.h"])'),
            library('cc_kube_library(name = "x", hdrs = ["internal/x.h"], visibility = ["//net/x:__subpackages__"])'),
            library('cc_kube_library(name = "x", hdrs = ["x.h", "internal/x.h"], visibility = ["//visibility:public"])'),
        ],
    ),
    Sample(
        "public-internal-type",
        "net/x.h",
        bad=[
            "namespace kube::net {\ninternal::X F();\n}",
            "namespace kube::net {\nvoid F(const std::vector<internal::X>& x) {}\n}",
            "namespace kube::net {\nvoid F(std::function<void()> f = {}, internal::X x = {});\n}",
            "namespace kube::net {\nusing X = internal::X;\n}",
            "struct A {\n  internal::X x = {};\n};",
            "class A : public B<internal::X> {};",
            "class A {\n public:\n  void F() { G(); }\n  internal::X x() const;\n};",
            "class A {\n private:\n  int a;\n protected:\n  explicit A(std::unique_ptr<kube::other::internal::X> x) : x_(x) {}\n};",
            "template <typename T>\nclass A {\n public:\n  template <typename U> requires(true) internal::X F(U u);\n};",
            "namespace internal {\nclass X;\n}\ninternal::X F();",
            "#define A {\ninternal::X F();",
        ],
        good=[
            "namespace kube::net::internal {\ninternal::X F();\n}",
            "namespace kube::net {\nnamespace internal {\nclass X { public: internal::Y y; };\n}\n}",
            "class A {\n  internal::X x_;\n public:\n  void F();\n private:\n  internal::Y y_;\n};",
            "class A {\n public:\n  void F() { internal::X x; }\n};",
            "class A {\n public:\n  explicit A(int x) : x_(internal::X(x)), y_{internal::Y()} {}\n};",
            "class A {\n public:\n  A(int a = internal::kX, B b = {});\n  friend class internal::X;\n};",
            "class A : public B, private internal::X {};",
            "template <internal::Source T>\nrequires(!internal::kIs<T>)\nvoid F(const T& t);",
            "// internal::X F();",
        ],
        allowed=("net/internal/x.h", "net/testing/x.h", "net/x.cc", "tests/x.h"),
    ),
    Sample(
        "testing-target",
        "net/BUILD.bazel",
        bad=[
            library('cc_kube_library(name = "x", deps = ["//net/testing:x"])'),
            library('cc_kube_library(name = "x", deps = select({"//conditions:default": ["//net/testing"]}))'),
        ],
        good=[
            library('cc_kube_library(name = "x", testonly = True, deps = ["//net/testing:x"])'),
            library('cc_kube_test(name = "x_test", deps = ["//net/testing:x"])'),
            library('cc_kube_library(name = "x", deps = ["//net/testing_of_x:x"])'),
        ],
    ),
    Sample(
        "testing-target",
        "net/testing/BUILD.bazel",
        bad=[library('cc_kube_library(name = "x")')],
        good=[library('cc_kube_library(name = "x", testonly = True)'), library('cc_kube_test(name = "x_test")')],
    ),
    Sample("test-support", "net/fake_peer.h", bad=[""], good=[], allowed=("net/testing/fake_peer.h", "tests/fake_x.h")),
    Sample("test-support", "net/internal/scripted_peer.cc", bad=[""], good=[], allowed=("net/fake_peer_test.cc",)),
    Sample("test-support", "net/test_peer.h", bad=[""], good=[], allowed=("net/testing/test_peer.h",)),
    Sample("test-support", "net/testing/peer_for_test.h", bad=[""], good=[], allowed=("net/testing/peer.h",)),
    Sample(
        "testing-include",
        "net/x.cc",
        bad=['#include "net/testing/fake_peer.h"\n'],
        good=['#include "net/peer.h"\n'],
        allowed=("net/x_test.cc", "net/testing/x.cc", "net/differential/x.cc", "tests/x.cc"),
    ),
    Sample(
        "namespace",
        "clientset/rest/internal/x.cc",
        bad=[f"namespace {name} {{\n}}\n" for name in ["kube::net", "kube", "kube::restful", "kube::rest"]],
        good=["namespace kube::rest::internal {\n}\n", "namespace kube::api::core::v1 {\n}\n"],
        allowed=("clientset/rest/x_test.cc", "tests/x.cc"),
    ),
    Sample("namespace", "apimachinery/codec/json/x.h", bad=["namespace kube::json {\n}\n"], good=["namespace kube::codec {\n}\n"]),
    Sample(
        "build-order",
        "net/BUILD.bazel",
        bad=[
            library('cc_kube_library(name = "b")', 'cc_kube_library(name = "a")'),
            library('cc_kube_test(name = "a_test")', 'cc_kube_library(name = "a")'),
            library('cc_kube_library(name = "a")', 'cc_kube_library(name = "ab")', 'cc_kube_test(name = "a_test")'),
        ],
        good=[
            library('cc_kube_library(name = "a")', 'cc_kube_test(name = "a_test")', 'cc_kube_library(name = "ab")'),
            library('cc_kube_library(name = "a")', '[cc_kube_test(name = n + "_test") for n in ["0"]]', 'cc_kube_library(name = "b")'),
        ],
    ),
    Sample("file-length", "net/x.h", bad=["\n" * 501], good=["\n" * 500], allowed=("net/x.cc", "net/x.txt")),
    Sample("file-length", "net/x.cc", bad=["\n" * 801], good=["\n" * 800], allowed=("net/x.md",)),
    Sample("file-length", "tools/x", bad=["#!/bin/bash\n" * 801], good=["\n" * 801]),
    Sample("final-newline", "net/x.txt", bad=["a"], good=["a\n", ""], allowed=("net/testdata/x.json", "net/corpus/x")),
    Sample(
        "whitespace",
        "net/x.cc",
        bad=["int a; \n", "\tint a;\n", 'auto s = "\t";\n', "\n  \n", "int a;\r\n"],
        good=['auto s = "\\t";\n', "\n\n"],
        allowed=("net/x.go", "net/testdata/x.cc"),
    ),
    Sample("whitespace", "tools/x", bad=["#!/bin/bash\n\techo\n"], good=["all:\n\techo\n"]),
    Sample(
        "machine-path",
        "docs/x.md",
        bad=[f"in {MACHINE}\n", f'"{MACHINE}"\n', "cd /" + "home/someone/x\n"],
        good=["https://example.com" + MACHINE + "\n", "~/.kube/config\n", "${HOME}" + MACHINE + "\n"],
    ),
    Sample(
        "version",
        "docs/x.md",
        bad=[f"{version}\n" for version in versions.VERSIONS.values()] + [f'"v{KUBERNETES}".\n', f"v{KUBERNETES}-rc.1\n"],
        good=[f"1{KUBERNETES}\n", f"{KUBERNETES}0\n", f"1.{KUBERNETES}\n", f"{KUBERNETES}.4\n"],
        allowed=("tools/versions.bzl",),
    ),
]


def found(rule, path, text, reasons_text=""):
    findings = main.lint({path: text}, reasons_text, whole_tree=False)
    return [finding for finding in findings if finding.rule == rule]


class RulesTest(unittest.TestCase):
    def test_samples(self):
        for sample in SAMPLES:
            for text in sample.bad:
                with self.subTest("bad", rule=sample.rule, path=sample.path, text=text[:200]):
                    self.assertTrue(found(sample.rule, sample.path, text))
                for path in sample.allowed:
                    with self.subTest("allowed", rule=sample.rule, path=path, text=text[:200]):
                        self.assertEqual(found(sample.rule, path, text), [])
            for text in sample.good:
                with self.subTest("good", rule=sample.rule, path=sample.path, text=text[:200]):
                    self.assertEqual(found(sample.rule, sample.path, text), [])

    def test_every_rule_has_samples(self):
        self.assertEqual(set(main.RULES), {sample.rule for sample in SAMPLES})

    def test_every_banned_word_is_found(self):
        for ban in words.BANS:
            for word in ban.words:
                with self.subTest(rule=ban.rule, word=word):
                    self.assertTrue(found(ban.rule, "net/x.cc", f"a = {word} ;"))

    def test_generated_files_are_exempt(self):
        text = "// Code generated by protoc-gen-kube. DO NOT EDIT.\nthrow 1;"
        self.assertEqual(main.lint({"net/x.cc": text}, "", whole_tree=False), [])

    def test_finding_names_place_rule_and_what_to_do(self):
        text = '/* one\n two */\nauto s = R"(\n)";\nint a = 1\'000;\nthrow a;\n'
        findings = [str(finding) for finding in main.lint({"net/x.cc": text}, "", whole_tree=False)]
        message = "net/x.cc:6: throw: throw: return an absl::Status; a bug of ours is a CHECK"
        self.assertEqual(findings, [message])


class TreeRulesTest(unittest.TestCase):
    def findings(self, rule, sources):
        return [finding for finding in main.lint(sources, "", whole_tree=False) if finding.rule == rule]

    def test_internal_include(self):
        include = '#include "net/x/internal/a.h"\n'
        generated = "// Code generated by hand.\n"
        for path in ["net/y/b.cc", "net/b.cc", "net/y/b_test.cc", "tests/b.cc", "net/xy/b.cc"]:
            self.assertTrue(self.findings("internal-include", {path: include}), path)
            self.assertTrue(self.findings("internal-include", {path: generated + include}), path)
        for path in ["net/x/b.cc", "net/x/y/b.cc", "net/x/internal/b.h", "net/x/testing/b.h", "net/b.md"]:
            self.assertEqual(self.findings("internal-include", {path: include}), [], path)

    def test_folder_size(self):
        files = {f"net/x/f{number}.cc": "" for number in range(45)}
        self.assertEqual(self.findings("folder-size", files | {"net/x/f_test.cc": "", "net/x/y/f.cc": ""}), [])
        self.assertTrue(self.findings("folder-size", files | {"net/x/f.h": ""}))

    def test_adr_numbers(self):
        index = {"docs/adr/README.md": "[1](0001-a.md) [2](0002-b.md) [3](0003-c.md)"}
        self.assertEqual(self.findings("adr-numbers", index | {"docs/adr/0001-a.md": "", "docs/adr/0002-b.md": ""}), [])
        self.assertTrue(self.findings("adr-numbers", index | {"docs/adr/0001-a.md": "", "docs/adr/0003-c.md": ""}))
        self.assertTrue(self.findings("adr-numbers", index | {"docs/adr/0001-a.md": "", "docs/adr/0002-x.md": ""}))

    def test_project_card(self):
        sources = {path + "x" if path.endswith("/") else path: "" for path in walls.CARD_PATHS}
        sources["BUILD.bazel"] = " ".join(walls.CARD_LABELS)
        self.assertEqual(self.findings("project-card", sources), [])
        for path in sources:
            lacks = {other: text for other, text in sources.items() if other != path} | {"ARCHITECTURE.md": ""}
            self.assertTrue(self.findings("project-card", lacks), path)


class DeclarationsTest(unittest.TestCase):
    def test_lines_and_texts(self):
        code = "namespace a {\n#if X\nint f(int a = {});\n#endif\nclass B {\n  int c;\n\n public:\n  B() : c{1} {}\n};\n}\n"
        found = [(line, text) for line, text in declarations.public(code)]
        self.assertEqual(found, [(1, "namespace a"), (3, "int f(int a = {})"), (5, "class B"), (9, "B() : c")])


class OneDefinitionTest(unittest.TestCase):
    FIRST = "namespace kube::net {\nclass A final : public B {\n  struct Inner { int x; };\n};\n}  // namespace kube::net\n"

    def lint(self, text, path="net/b.cc"):
        sources = {"net/a.h": header("NET_A_H_", self.FIRST), path: text}
        findings = main.lint(sources, "", whole_tree=False)
        return [str(finding) for finding in findings if finding.rule == "one-definition"]

    def test_bad(self):
        message = "one-definition: kube::net::A is defined in net/a.h, too: rename it, or use an anonymous namespace"
        for line, text in [
            (1, "namespace kube::net { struct A { int x; }; }"),
            (3, "namespace kube {\nnamespace net {\nclass [[nodiscard]] A {};\n}}"),
            (2, "namespace kube::net {\ntemplate <class T = int> struct A {};\n}"),
            (3, "namespace kube::net {\nvoid F() { if (x) {} }\nunion A {};\n}"),
            (3, "namespace kube::net {\n#define X {\nstruct A {};\n}"),
        ]:
            with self.subTest(text):
                self.assertEqual(self.lint(text), [f"net/b.cc:{line}: {message}"])

    def test_good(self):
        for text in [
            "namespace kube::net { class A; }",
            "namespace kube::net { A F() { return A{}; } }",
            "namespace kube::net { struct A F() { return {}; } }",
            "namespace kube::net { template <> struct A<int> {}; }",
            "namespace kube::net { namespace { struct A {}; } }",
            "namespace kube::other { struct A {}; }",
            "namespace kube::net { struct B { struct A {}; }; }",
            "namespace kube::net { void F() { struct A {}; } }",
            "namespace kube::net { enum class A { kX }; }",
            "namespace kube::net { struct Inner {}; }",
            "// namespace kube::net { struct A {}; }",
            "namespace kube::net { struct A {}; }\nint main() {}\n",
            "// Code generated by hand.\nnamespace kube::net { struct A {}; }",
        ]:
            with self.subTest(text):
                self.assertEqual(self.lint(text), [])

    def test_tests_and_the_same_file(self):
        text = "namespace kube::net { struct A {}; }"
        for path in ["net/a_test.cc", "net/testing/a.h", "tests/a.h", "benchmarks/x/a.cc"]:
            self.assertEqual(self.lint(text, path), [], path)
        self.assertEqual(main.lint({"net/x.cc": f"{text}\n{text}\n"}, "", whole_tree=False), [])

    def test_reason(self):
        sources = {"net/a.cc": self.FIRST, "net/b.cc": self.FIRST}
        self.assertEqual(main.lint(sources, "one-definition net/b.cc never in one program", whole_tree=True), [])


class ReasonsTest(unittest.TestCase):
    LIBRARY = library('cc_kube_library(name = "x")', 'cc_kube_library(name = "y")')

    def messages(self, sources, reasons_text, whole_tree=True):
        return [str(finding) for finding in main.lint(sources, reasons_text, whole_tree)]

    def test_reason_covers_its_rule_and_path_only(self):
        text = "throw 1;\n"
        reason = "# comment\n\nthrow  net/*.cc  the library below throws\n"
        self.assertEqual(self.messages({"net/x.cc": text}, reason), [])
        self.assertEqual(len(self.messages({"net/x.cc": text, "api/x.cc": text}, reason)), 1)
        self.assertEqual(len(self.messages({"net/x.cc": text + "delete p;\n"}, reason)), 1)

    def test_reason_for_a_target(self):
        findings = self.messages({"net/BUILD.bazel": self.LIBRARY}, "untested-library net:x only declarations")
        self.assertEqual(len(findings), 1)
        self.assertIn("net/BUILD.bazel:3: untested-library: net:y has no test", findings[0])

    def test_reason_that_nothing_needs(self):
        reason = "throw net/x.cc the library below throws"
        self.assertEqual(
            self.messages({"net/x.cc": "int a;\n"}, reason),
            [f"{main.REASONS_PATH}:1: reasons: nothing needs the reason for throw net/x.cc: remove the line"],
        )
        self.assertEqual(self.messages({"net/x.cc": "int a;\n"}, reason, whole_tree=False), [])

    def test_bad_lines(self):
        for line in ["throw net/x.cc", "thorw net/x.cc the library below throws"]:
            with self.subTest(line):
                self.assertEqual(len(self.messages({}, line)), 1)


if __name__ == "__main__":
    unittest.main()
