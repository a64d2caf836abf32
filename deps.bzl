"""For the WORKSPACE of a Bazel monorepo that uses client_cpp, and for our own; docs/bazel.md shows how.

With MODULE.bazel nothing here is needed.
"""

load("//third_party:debian.bzl", "debian_dev_repositories", "debian_repositories", "unless_defined")
load("//third_party/go:repositories.bzl", "go_repositories")
load("//third_party/rust:defs.bzl", "rust_repositories")

# Bazel's own rules and platforms, as Debian's Bazel brings them.
_DEBIAN_RULES = {
    "bazel_skylib": "/usr/share/bazel/tools/skylib",
    "platforms": "/usr/share/bazel/tools/platforms",
    "rules_java": "/usr/share/bazel/rules/java",
    "rules_proto": "/usr/share/bazel/rules/proto",
}

def _own_folder_impl(ctx):
    for file in ctx.path(ctx.attr.build_file).dirname.readdir():
        ctx.symlink(file, file.basename)

_own_folder = repository_rule(
    doc = "A folder of this repository as a repository, wherever this repository is: local_repository needs a path.",
    implementation = _own_folder_impl,
    local = True,
    attrs = {"build_file": attr.label(mandatory = True)},
)

# buildifier: disable=unnamed-macro
def client_cpp_dependencies():
    """Defines what client_cpp's libraries need, except what the workspace has defined before the call."""

    # Debian's rules_cc needs a newer Bazel; ours only re-exports the native rules.
    unless_defined(_own_folder, name = "rules_cc", build_file = Label("//third_party/rules_cc:BUILD.bazel"))
    for name, path in _DEBIAN_RULES.items():
        unless_defined(native.local_repository, name = name, path = path)
    debian_repositories()

# buildifier: disable=unnamed-macro
def client_cpp_dev_dependencies():
    """Defines what client_cpp's own tests and benchmarks need besides. No user's workspace has to call it."""

    # Otherwise the first test downloads it.
    unless_defined(
        _own_folder,
        name = "remote_coverage_tools",
        build_file = Label("//third_party/coverage_tools:BUILD.bazel"),
    )
    debian_dev_repositories()
    go_repositories()
    rust_repositories()
