"""Programs with a planted mistake, each beside the same program without it."""

load("//tools/build:cc.bzl", "cc_kube_fuzz_test", "cc_kube_test")

# Only tests/meta/run builds them.
_TAGS = ["manual"]

def planted_test(name, deps):
    """Two tests from NAME_test.cc: NAME_sound_test, and NAME_planted_test, which is compiled with PLANTED."""
    cc_kube_test(name = name + "_sound_test", srcs = [name + "_test.cc"], tags = _TAGS, deps = deps)
    cc_kube_test(
        name = name + "_planted_test",
        srcs = [name + "_test.cc"],
        local_defines = ["PLANTED"],
        tags = _TAGS,
        deps = deps,
    )

def planted_fuzz_test(name):
    """The same for a fuzz target, NAME_fuzz_test.cc."""
    cc_kube_fuzz_test(name = name + "_sound_fuzz_test", srcs = [name + "_fuzz_test.cc"], tags = _TAGS)
    cc_kube_fuzz_test(
        name = name + "_planted_fuzz_test",
        srcs = [name + "_fuzz_test.cc"],
        local_defines = ["PLANTED"],
        tags = _TAGS,
    )
