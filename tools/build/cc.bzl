"""Rules for this project's own C++ targets: the native rules with the project's compiler options.

Users' targets do not come through here: nothing that a monorepo compiles is forced to take our warnings.
"""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library", "cc_test")

# -Wthread-safety comes with --config=clang: g++ does not know it.
_WARNINGS = [
    "-Wall",
    "-Wextra",
    "-Wshadow",
    "-Wnon-virtual-dtor",
]

def _copts(more):
    """Warnings stop our own build, never that of a monorepo with another compiler than ours."""
    return _WARNINGS + (["-Werror"] if native.repository_name() == "@" else []) + more

def _precompiled(name):
    """What a target of ours adds to its copts and deps to begin with a precompiled header of this package."""
    if native.repository_name() != "@":
        return [], []
    return (
        select({
            "//tools/build:fastbuild": ["-include", "$(BINDIR)/tools/build/%s.h" % name],
            "//conditions:default": [],
        }),
        select({
            "//tools/build:fastbuild": ["//tools/build:%s" % name],
            "//conditions:default": [],
        }),
    )

_GTEST = ["@com_google_googletest//:gtest_main"]

def cc_kube_library(name, srcs = [], copts = [], deps = [], **kwargs):
    """A library: one header or one family of small headers, private unless it says otherwise."""
    more_copts, more_deps = _precompiled("precompiled") if srcs else ([], [])
    cc_library(name = name, srcs = srcs, copts = _copts(copts) + more_copts, deps = deps + more_deps, **kwargs)

def cc_kube_binary(name, copts = [], deps = [], **kwargs):
    """A program."""
    more_copts, more_deps = _precompiled("precompiled")
    cc_binary(name = name, copts = _copts(copts) + more_copts, deps = deps + more_deps, **kwargs)

def cc_kube_release_binary(name, linkopts = [], tags = [], **kwargs):
    """A program with Abseil in it, as a monorepo's or a release has it: to be measured beside other programs."""

    # The archives come before the shared libraries.
    cc_kube_binary(
        name = name,
        additional_linker_inputs = ["//tools/build:abseil_archives"],
        linkopts = linkopts + [
            "-Wl,--start-group",
            "-Wl,@$(location //tools/build:abseil_archives)",
            "-Wl,--end-group",
        ],
        tags = tags + ["gcc_only"],
        **kwargs
    )

def cc_kube_test(name, copts = [], deps = [], size = "small", tags = [], **kwargs):
    """A GoogleTest program; gtest_main and gmock are among its deps already."""
    more_copts, more_deps = _precompiled("precompiled_googletest")

    # The unit tests run the code that these compare with upstream under the sanitizers.
    if native.package_name().endswith("/differential"):
        tags = tags + ["gcc_only"]
    cc_test(
        name = name,
        size = size,
        copts = _copts(copts) + more_copts,
        tags = tags,
        deps = deps + _GTEST + more_deps,
        **kwargs
    )

def cc_kube_benchmark(name, copts = [], deps = [], **kwargs):
    """A google-benchmark program: `tools/bench` builds it with -c opt and runs it. Never part of a test run."""
    cc_binary(
        name = name,
        testonly = True,
        copts = _copts(copts),
        deps = deps + ["@com_google_benchmark//:benchmark_main"],
        **kwargs
    )

def cc_kube_fuzz_test(name, srcs, corpus = [], deps = [], copts = [], tags = [], **kwargs):
    """A libFuzzer target with --config=fuzz, and otherwise a test that replays the corpus.

    `tools/test --only fuzz` runs every one of them for a share of its time budget.

    Args:
      name: the test; its name ends in _fuzz_test.
      srcs: define LLVMFuzzerTestOneInput.
      corpus: files to start from, and to replay.
      deps: of the target.
      copts: more compiler options.
      tags: more tags; "fuzz" is how the fuzz stage finds the target.
      **kwargs: to cc_test.
    """
    cc_test(
        name = name,
        size = "small",
        srcs = srcs + select({
            "//tools/build:fuzz": [],
            "//conditions:default": ["//tools/build:replay_main.cc"],
        }),
        args = ["$(locations %s)" % f for f in corpus],
        copts = _copts(copts),
        data = corpus,
        linkopts = select({
            "//tools/build:fuzz": ["-fsanitize=fuzzer"],
            "//conditions:default": [],
        }),
        tags = tags + ["fuzz"],
        deps = deps,
        **kwargs
    )
