"""kube_operator: a program that runs controllers, its manifests, and its image.

    load("@client_cpp//tools/build:operator.bzl", "kube_operator")

    kube_operator(
        name = "widget_operator",
        srcs = ["main.cc"],
        crds = ["//api:widget_crds"],
        deps = [
            ":operator",
            "@client_cpp//controller:operator",
        ],
    )

widget_operator is a cc_binary: `bazel run :widget_operator -- --kubeconfig=...` runs it against a cluster.

widget_operator_install_yaml is widget_operator_install.yaml: what a cluster needs to run it (docs/manifests.md). The program, whose
main calls RunOperator, prints it itself, so it must run on the machine that builds it.

widget_operator_kustomize is the same as a folder for kustomize: `kubectl apply -k .../widget_operator_kustomize/config/default`.

widget_operator_image is widget_operator_image.tar: an image for `docker load`, `podman load`, `kind load image-archive`, skopeo and
crane. No daemon and no network takes part. docs/manifests.md says what is in it.

Nothing builds the last three unasked.
"""

load("@rules_cc//cc:defs.bzl", "cc_binary")

def _kube_manifests_impl(ctx):
    flags = ctx.actions.args()
    if ctx.outputs.out:
        # Its first argument is the output.
        command = "out=$1; shift; exec \"$@\" >\"$out\""
        output = ctx.outputs.out
        flags.add(output)
        flags.add(ctx.executable.program)
        flags.add("--print-manifests")
    else:
        command = "exec \"$@\""
        output = ctx.actions.declare_directory(ctx.label.name)
        flags.add(ctx.executable.program)
        flags.add("--print-manifests=" + output.path)
    flags.add_joined(ctx.files.crds, format_joined = "--manifests-crds=%s", join_with = ",")
    flags.add_all(ctx.attr.flags)
    ctx.actions.run_shell(
        arguments = [flags],
        command = command,
        inputs = ctx.files.crds,
        mnemonic = "KubeManifests",
        outputs = [output],
        progress_message = "Printing manifests of %s" % ctx.attr.program.label,
        tools = [ctx.attr.program[DefaultInfo].files_to_run],
        use_default_shell_env = True,
    )
    return [DefaultInfo(
        files = depset([output]),
        runfiles = ctx.runfiles(files = [output]),
    )]

_kube_manifests = rule(
    implementation = _kube_manifests_impl,
    doc = "What a program prints with --print-manifests: a file, or without `out` a folder.",
    attrs = {
        "crds": attr.label_list(allow_files = True),
        "flags": attr.string_list(),
        "out": attr.output(),
        # As it is used, with the options of its compilation: not once more for the machine that builds.
        "program": attr.label(cfg = "target", executable = True, mandatory = True),
    },
)

def _kube_image_impl(ctx):
    flags = ctx.actions.args()
    flags.add(ctx.file._main)
    flags.add("--program", ctx.file.stripped)
    flags.add("--entrypoint", ctx.attr.entrypoint)
    flags.add("--name", ctx.attr.image_name)
    flags.add("--tag", ctx.attr.image_tag)
    flags.add("--out", ctx.outputs.out)
    inputs = [ctx.file._main, ctx.file.stripped] + ctx.files._sources
    if ctx.file.base:
        flags.add("--base", ctx.file.base.path)
        inputs.append(ctx.file.base)
    for key in sorted(ctx.attr.labels):
        flags.add("--label=%s=%s" % (key, ctx.attr.labels[key]))
    ctx.actions.run_shell(
        arguments = [flags],
        command = "exec python3 -B \"$@\"",
        # Another machine has other libraries, and Bazel knows nothing of them.
        execution_requirements = {
            "no-cache": "1",
            "no-remote": "1",
        },
        # The libraries of the program that the workspace has itself.
        inputs = depset(inputs, transitive = [ctx.attr.program[DefaultInfo].default_runfiles.files]),
        mnemonic = "KubeImage",
        outputs = [ctx.outputs.out],
        progress_message = "Making the image of %s" % ctx.attr.program.label,
        use_default_shell_env = True,
    )
    return [DefaultInfo(
        files = depset([ctx.outputs.out]),
        runfiles = ctx.runfiles(files = [ctx.outputs.out]),
    )]

_kube_image = rule(
    implementation = _kube_image_impl,
    doc = "An image of a program, as a tar file.",
    attrs = {
        "base": attr.label(allow_single_file = True),
        "entrypoint": attr.string(mandatory = True),
        "image_name": attr.string(mandatory = True),
        "image_tag": attr.string(mandatory = True),
        "labels": attr.string_dict(),
        "out": attr.output(mandatory = True),
        "program": attr.label(cfg = "target", executable = True, mandatory = True),
        "stripped": attr.label(allow_single_file = True, mandatory = True),
        "_main": attr.label(allow_single_file = True, default = Label("//tools/lib/image:main.py")),
        "_sources": attr.label_list(default = [Label("//tools/lib/image:sources")]),
    },
)

def _stripped(binary):
    """The file that a cc_binary makes of its program without debug information."""
    if ":" in binary:
        return binary + ".stripped"
    if "//" in binary:
        package = binary.split("//")[1]
        return "%s:%s.stripped" % (binary, package.split("/")[-1])
    return ":%s.stripped" % binary

def kube_operator(
        name,
        binary = None,
        crds = None,
        manifests_flags = [],
        image_base = None,
        image_name = None,
        image_tag = "latest",
        image_labels = {},
        tags = [],
        testonly = False,
        visibility = None,
        **kwargs):
    """A program that runs controllers, its manifests, and its image.

    The image has libraries of the machine that builds it: its action is not sent to other machines and not cached. Bazel does not
    know when these libraries change: after an upgrade of the machine call `bazel clean`.

    Args:
      name: the program. NAME_install_yaml, NAME_kustomize and NAME_image are the other targets.
      binary: a cc_binary, if there is one already. NAME is an alias of it then, and there are no `srcs` and `deps`.
      crds: files with the definitions of its kinds: the NAME_crds of each kube_library.
      manifests_flags: more flags for printing manifests, such as "--manifests-namespace=widgets".
      image_base: an image to stand on: a tar file with an OCI layout or of `docker save`, or a folder with an OCI layout. Libraries
        that it has are used from there, so it should be of the distribution that builds the program. Default: none.
      image_name: of the image, without a tag: "registry.example.com/team/widgets". Default: NAME, with "-" for "_". If a name or a
        tag is given, the manifests have it, too; otherwise the program says which image they have.
      image_tag: of the image.
      image_labels: of the image, by keys such as "org.opencontainers.image.source".
      tags: of all targets.
      testonly: of all targets.
      visibility: of all targets.
      **kwargs: attributes of the cc_binary: srcs, deps, copts, data ... Files of `data` are not in the image.
    """
    if binary != None:
        if kwargs:
            fail("kube_operator %s: with `binary`, %s cannot be given" % (name, ", ".join(sorted(kwargs))))
        native.alias(name = name, actual = binary, tags = tags, testonly = testonly, visibility = visibility)
    else:
        # Whatever --dynamic_mode says: libraries of the workspace belong into the program.
        cc_binary(
            name = name,
            tags = tags,
            testonly = testonly,
            visibility = visibility,
            **dict({"linkstatic": True}, **kwargs)
        )

    flags = []
    if image_name != None or image_tag != "latest":
        flags = ["--manifests-image=%s:%s" % (image_name or name.replace("_", "-"), image_tag)]
    more = {
        "tags": tags + ["manual"],
        "testonly": testonly,
        "visibility": visibility,
    }
    manifests = dict(
        more,
        crds = [crds] if type(crds) == "string" else crds,
        flags = flags + manifests_flags,
        program = ":" + name,
    )
    _kube_manifests(
        name = name + "_install_yaml",
        out = name + "_install.yaml",
        **manifests
    )
    _kube_manifests(
        name = name + "_kustomize",
        **manifests
    )
    _kube_image(
        name = name + "_image",
        base = image_base,
        entrypoint = name,
        image_name = image_name or name.replace("_", "-"),
        image_tag = image_tag,
        labels = image_labels,
        out = name + "_image.tar",
        program = ":" + name,
        stripped = _stripped(binary or name),
        **more
    )
