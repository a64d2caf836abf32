"""The same Abseil for MODULE.bazel (module_extension does not exist in Bazel 4)."""

load("//:abseil.bzl", "own_abseil_repository")

def _own_impl(_ctx):
    own_abseil_repository(name = "com_google_absl")

own = module_extension(implementation = _own_impl)
