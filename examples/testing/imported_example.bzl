"""An example that works with the kinds of another project, whose definitions third_party/go fetches."""

load("//examples/testing:example_test.bzl", "example_test")
load("//tools/build:cc.bzl", "cc_kube_binary")

def _main_or_stub_impl(ctx):
    source = ctx.actions.declare_file(ctx.label.name + ".cc")
    if [file for file in ctx.files.crds if file.extension == "skipped"]:
        ctx.actions.write(source, "int main() { return 1; }\n")
    else:
        ctx.actions.symlink(output = source, target_file = ctx.file.main)
    return [DefaultInfo(files = depset([source]))]

_main_or_stub = rule(
    implementation = _main_or_stub_impl,
    attrs = {
        "crds": attr.label(mandatory = True),
        "main": attr.label(
            allow_single_file = [".cc"],
            mandatory = True,
        ),
    },
)

def imported_example(name, crds, deps, **kwargs):
    """A program of main.cc, and NAME_test, which is skipped where the definitions cannot be had.

    Args:
      name: of the program.
      crds: the definitions: @crds_of_PROJECT//:crds. Where they cannot be had, the types that main.cc uses are not there.
      deps: of the program.
      **kwargs: to example_test.
    """
    _main_or_stub(
        name = name + "_main",
        crds = crds,
        main = "main.cc",
    )
    cc_kube_binary(
        name = name,
        srcs = [":" + name + "_main"],
        deps = deps,
    )
    example_test(
        name = name + "_test",
        crds = crds,
        **kwargs
    )
