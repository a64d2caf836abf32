"""The Abseil that this workspace substitutes: as far as client_cpp can see, one that was built here.

It has upstream's labels and its own define, which tells the program that client_cpp was compiled against it.
"""

load("@client_cpp//third_party/abseil:targets.bzl", "ABSEIL_TARGETS")

_BUILD = """
cc_library(
    name = "{name}",
    {attributes}
    visibility = ["//visibility:public"],
)
"""

_EVERYTHING = """hdrs = glob(["include/absl/**"]),
    defines = ["DOWNSTREAM_ABSEIL"],
    includes = ["include"],
    linkopts = ["-Wl,--as-needed", {}, "-Wl,--no-as-needed"],"""

def _own_abseil_impl(ctx):
    ctx.symlink("/usr/include/absl", "include/absl")
    libraries = ctx.execute(["sh", "-c", "cd /usr/lib/$(uname -m)-linux-gnu && ls libabsl_*.so"]).stdout.strip().split("\n")
    linkopts = ", ".join(['"-l:{}"'.format(library) for library in libraries])
    ctx.file("BUILD.bazel", _BUILD.format(name = "everything", attributes = _EVERYTHING.format(linkopts)))
    for package, targets in ABSEIL_TARGETS.items():
        targets = [_BUILD.format(name = name, attributes = 'deps = ["//:everything"],') for name in targets]
        ctx.file("absl/" + package + "/BUILD.bazel", "".join(targets))

own_abseil_repository = repository_rule(
    implementation = _own_abseil_impl,
    local = True,
)
