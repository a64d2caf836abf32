"""kube_crd_library: C++ types, clients and informers of the custom resources of others, from their CustomResourceDefinitions.

    load("@client_cpp//codegen:kube_crd_library.bzl", "kube_crd_library")

    kube_crd_library(
        name = "widgets",
        crds = ["widgets.yaml"],
    )

The definitions, as a project ships them, become IDL (//cmd/import_crd), of which kube_library makes the same targets as of IDL that
people write: widgets, widgets_client, widgets_informers, widgets_applies, widgets_kinds and widgets_crds (kube_library.bzl). Of
example.com/v1 the header is "PACKAGE/widgets.kube.h" and the namespace kube::crd::com::example::v1. docs/crds.md says what becomes
of a schema, and when to write IDL instead.

Where the files have several groups or versions, each that is wanted is named, since Bazel must know the names of files before it
knows what is in them. Each then has a header of its own, such as "PACKAGE/widgets/example.com/v1.kube.h":

    kube_crd_library(
        name = "widgets",
        crds = glob(["crds/*.yaml"]),
        versions = [
            "example.com/v1",
            "example.com/v1beta1",
        ],
    )

WIDGETS_imported is the IDL, for those who want to read it or to check it in.
"""

load("//codegen:kube_library.bzl", "kube_library")

_META = Label("//api/meta/v1")

# The type of the subresource scale.
_AUTOSCALING = Label("//api/autoscaling/v1")

def _kube_import_crds_impl(ctx):
    files = [file for file in ctx.files.crds if file.extension in ["json", "yaml", "yml"]]
    if not files:
        fail("%s: no file of `crds` ends with .yaml, .yml or .json" % ctx.label)
    args = ctx.actions.args()
    if ctx.attr.package_prefix:
        args.add("--package", ctx.attr.package_prefix)
    if ctx.attr.versions:
        outputs = [ctx.actions.declare_file("%s/%s.proto" % (ctx.attr.library, version)) for version in ctx.attr.versions]
        args.add("--out-dir", outputs[0].path[:-len("/%s.proto" % ctx.attr.versions[0])])
        args.add_all(ctx.attr.versions, before_each = "--version")
    else:
        outputs = [ctx.actions.declare_file(ctx.attr.library + ".proto")]
        args.add("--out", outputs[0])
    args.add("--")
    args.add_all(files)
    ctx.actions.run(
        executable = ctx.executable._import_crd,
        arguments = [args],
        inputs = files,
        outputs = outputs,
        mnemonic = "KubeImportCrds",
        progress_message = "Importing CustomResourceDefinitions of %s" % ctx.label,
    )
    return [DefaultInfo(
        files = depset(outputs),
        data_runfiles = ctx.runfiles(files = outputs),
    )]

_kube_import_crds = rule(
    implementation = _kube_import_crds_impl,
    attrs = {
        "crds": attr.label_list(mandatory = True, allow_files = True),
        "library": attr.string(mandatory = True),
        "package_prefix": attr.string(),
        "versions": attr.string_list(),
        "_import_crd": attr.label(
            default = Label("//cmd/import_crd"),
            executable = True,
            cfg = "exec",
        ),
    },
)

def kube_crd_library(name, crds, versions = [], package_prefix = "", visibility = None, **kwargs):
    """A cc_library of the kinds of CustomResourceDefinitions, and the other targets of a kube_library.

    Args:
      name: of the cc_library. NAME_imported is the IDL; the other targets are those of kube_library.
      crds: files with definitions of apiextensions.k8s.io/v1, or targets of them. Only those that end with .yaml, .yml or .json are
        read; in them, objects of other kinds are skipped.
      versions: groups and versions to import: "cert-manager.io/v1". May be left out if the files have only one.
      package_prefix: of the package that each version has in the IDL, and of its C++ namespace. Default: kube.crd.
      visibility: of the targets.
      **kwargs: more attributes of kube_library: client, tags, testonly ...
    """
    _kube_import_crds(
        name = name + "_imported",
        crds = crds,
        library = name,
        package_prefix = package_prefix,
        tags = ["manual"],
        versions = versions,
        visibility = visibility,
        **{key: kwargs[key] for key in ["testonly"] if key in kwargs}
    )
    kube_library(
        name = name,
        srcs = [":" + name + "_imported"],
        client_deps = [str(_AUTOSCALING)],
        visibility = visibility,
        deps = [str(_META)],
        **kwargs
    )
