"""kube_library: C++ types of a Kubernetes API, from its IDL.

    load("@client_cpp//codegen:kube_library.bzl", "kube_library")

    kube_library(
        name = "widget",
        srcs = ["widget.proto"],
        deps = ["@client_cpp//api/meta/v1"],
    )

The IDL is proto3 with the options of kube/options.proto, whose comment explains it; kube/types.proto has Time, Quantity
and their like. Both can be imported without a dep. For foo/widget.proto the library has "foo/widget.kube.h": a struct for
each message, in the namespace that the file's package names.

Which files may be imported: those of `deps`, which name other kube_library targets, by their paths from the root of their
workspace. A program links the tables of the kinds that it uses and of no others.

A second target, NAME_kinds, lists the kinds for programs that learn at run time which one they need: "foo/widget.kinds.kube.h"
has Kinds() in the same namespace (apimachinery/types/kind_info.h). It links them all.
"""

load("@rules_cc//cc:defs.bzl", "cc_library")
load("@rules_proto//proto:defs.bzl", "ProtoInfo", "proto_library")
load("//tools/build:cc.bzl", "cc_kube_library")

_VOCABULARY = [
    Label("//codegen:options_proto"),
    Label("//codegen:types_proto"),
]
_RUNTIME = Label("//apimachinery/types:table")
_KIND_INFO = Label("//apimachinery/types:kind_info")
_KIND_TABLE = Label("//apimachinery/types:kind_table")

def _import_path(proto, src):
    """How an import names a .proto file: by its path from the root of its workspace, written or generated."""
    root = proto.proto_source_root
    return src.path if root == "." else src.path[len(root) + 1:]

def _output_path(ctx, proto, src, suffix):
    """Of a .proto file of this package: its path in the package, with another suffix."""
    path = _import_path(proto, src)
    if ctx.label.package:
        path = path[len(ctx.label.package) + 1:]
    return path[:-len("proto")] + suffix

def _kube_generate_impl(ctx):
    proto = ctx.attr.proto[ProtoInfo]
    headers = [ctx.actions.declare_file(_output_path(ctx, proto, src, "kube.h")) for src in proto.direct_sources]
    sources = [ctx.actions.declare_file(_output_path(ctx, proto, src, "kube.cc")) for src in proto.direct_sources]
    kinds_headers = [ctx.actions.declare_file(_output_path(ctx, proto, src, "kinds.kube.h")) for src in proto.direct_sources]
    kinds_sources = [ctx.actions.declare_file(_output_path(ctx, proto, src, "kinds.kube.cc")) for src in proto.direct_sources]
    outputs = headers + sources + kinds_headers + kinds_sources

    # From the files, not from descriptors: Bazel's lack the comments.
    args = ctx.actions.args()
    args.add_all(proto.transitive_proto_path, format_each = "-I%s")
    args.add(ctx.executable._plugin, format = "--plugin=protoc-gen-kube=%s")
    args.add("--kube_out=" + "/".join([part for part in [ctx.bin_dir.path, ctx.label.workspace_root] if part]))
    args.add_all([_import_path(proto, src) for src in proto.direct_sources])
    ctx.actions.run(
        executable = ctx.executable._protoc,
        arguments = [args],
        inputs = proto.transitive_sources,
        tools = [ctx.executable._plugin],
        outputs = outputs,
        mnemonic = "KubeGenerate",
        progress_message = "Generating C++ types of %s" % ctx.label,
    )
    return [
        DefaultInfo(
            files = depset(outputs),
            data_runfiles = ctx.runfiles(files = outputs),
        ),
        OutputGroupInfo(
            headers = depset(headers),
            kinds_headers = depset(kinds_headers),
            kinds_sources = depset(kinds_sources),
            sources = depset(sources),
        ),
    ]

_kube_generate = rule(
    implementation = _kube_generate_impl,
    attrs = {
        "proto": attr.label(mandatory = True, providers = [ProtoInfo]),
        "_plugin": attr.label(
            default = Label("//codegen:protoc-gen-kube"),
            executable = True,
            cfg = "exec",
        ),
        "_protoc": attr.label(
            default = Label("@com_google_protobuf//:protoc"),
            executable = True,
            allow_single_file = True,
            cfg = "exec",
        ),
    },
)

def _idl(label):
    """The proto_library of a kube_library: //a/b is //a/b:b_idl, //a:b is //a:b_idl."""
    if ":" not in label:
        label = label + ":" + label.rpartition("/")[2]
    return label + "_idl"

def kube_library(name, srcs, deps = [], visibility = None, **kwargs):
    """A cc_library of the types that .proto files describe.

    Args:
      name: of the cc_library. NAME_idl, a proto_library of the same files, is what other kube_library targets import:
        an alias for one needs an alias for the other. NAME_kinds, a cc_library, lists the kinds. NAME_generated is the
        files that are generated.
      srcs: .proto files of this package, written or generated.
      deps: kube_library targets whose files `srcs` import. A target's own deps can be imported, too.
      visibility: of the library, of its list of kinds and of its IDL.
      **kwargs: more attributes of the cc_library: tags, testonly, compatible_with ...
    """
    common = {key: kwargs[key] for key in ["testonly"] if key in kwargs}
    proto_library(
        name = name + "_idl",
        srcs = srcs,
        tags = ["manual"],
        visibility = visibility,
        deps = [str(label) for label in _VOCABULARY] + [_idl(dep) for dep in deps],
        **common
    )
    _kube_generate(
        name = name + "_generated",
        proto = name + "_idl",
        tags = ["manual"],
        visibility = visibility,
        **common
    )
    for group in ["headers", "sources", "kinds_headers", "kinds_sources"]:
        native.filegroup(
            name = name + "_" + group,
            srcs = [name + "_generated"],
            output_group = group,
            tags = ["manual"],
            visibility = ["//visibility:private"],
            **common
        )

    # Warnings are errors in our own build only; a user's cc_library gets the user's options.
    own_build = not _RUNTIME.workspace_name and native.repository_name() == "@"
    rule = cc_kube_library if own_build else cc_library
    rule(
        name = name,
        srcs = [name + "_sources"],
        hdrs = [name + "_headers"],
        linkopts = ["-Wl,--gc-sections"] + kwargs.pop("linkopts", []),
        visibility = visibility,
        deps = deps + [str(_RUNTIME)],
        **kwargs
    )
    rule(
        name = name + "_kinds",
        srcs = [name + "_kinds_sources"],
        hdrs = [name + "_kinds_headers"],
        visibility = visibility,
        deps = [":" + name, str(_KIND_INFO), str(_KIND_TABLE)],
        **kwargs
    )
