"""A program as a tar file that runs on any machine of its architecture: for those who do not build it."""

def _kube_tarball_impl(ctx):
    flags = ctx.actions.args()
    flags.add(ctx.file._main)
    flags.add("--program", ctx.file.stripped)
    flags.add("--name", ctx.attr.program_name)
    flags.add("--out", ctx.outputs.out)
    for file in ctx.files.files:
        flags.add("--file", file)
    ctx.actions.run_shell(
        arguments = [flags],
        command = "exec python3 -B \"$@\"",
        # Another machine has other libraries, and Bazel knows nothing of them.
        execution_requirements = {
            "no-cache": "1",
            "no-remote": "1",
        },
        # The libraries of the program that the workspace has itself.
        inputs = depset(
            [ctx.file._main, ctx.file.stripped] + ctx.files._sources + ctx.files.files,
            transitive = [ctx.attr.program[DefaultInfo].default_runfiles.files],
        ),
        mnemonic = "KubeTarball",
        outputs = [ctx.outputs.out],
        progress_message = "Packing %s" % ctx.attr.program.label,
        use_default_shell_env = True,
    )
    return [DefaultInfo(
        files = depset([ctx.outputs.out]),
        runfiles = ctx.runfiles(files = [ctx.outputs.out]),
    )]

kube_tarball = rule(
    implementation = _kube_tarball_impl,
    doc = "A program without debug information, the loader and the libraries of the machine that builds it, and other files, as a .tar.gz.",
    attrs = {
        "files": attr.label_list(allow_files = True),
        "out": attr.output(mandatory = True),
        "program": attr.label(cfg = "target", executable = True, mandatory = True),
        "program_name": attr.string(mandatory = True),
        "stripped": attr.label(allow_single_file = True, mandatory = True),
        "_main": attr.label(allow_single_file = True, default = Label("//tools/lib/image:tarball_main.py")),
        "_sources": attr.label_list(default = [Label("//tools/lib/image:sources")]),
    },
)
