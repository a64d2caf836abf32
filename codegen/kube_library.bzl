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

A third, NAME_client, has a typed client of each resource, and one of each group and version: "foo/widget.client.kube.h"
(docs/clientset.md). It is a header: a program compiles and links the functions that it calls. It has typed::ResourceTraits of
each kind, too.

A fourth, NAME_informers, has an informer of each that can be listed and watched, and a factory of them:
"foo/widget.informers.kube.h" (docs/informers.md), a header, too.

A fifth, NAME_applies, has what server-side apply sends: "foo/widget.applies.kube.h" defines TApplyConfiguration, in which every
member is optional, for each message T that is not the list of a kind, and makes it kube::ApplyOf<T> (docs/typed-clients.md).
Nothing builds it unasked.

A sixth, NAME_crds, is the file NAME_crds.yaml: the CustomResourceDefinitions of the kinds (docs/crds.md). Nothing builds it unasked.
"""

load("@rules_cc//cc:defs.bzl", "cc_library")
load("@rules_proto//proto:defs.bzl", "ProtoInfo", "proto_library")
load("//tools/build:cc.bzl", "cc_kube_library")

_VOCABULARY = [
    Label("//codegen:options_proto"),
    Label("//codegen:types_proto"),
]
_RUNTIME = Label("//apimachinery/types:table")
_APPLY_OF = Label("//apimachinery/types:apply_of")
_KIND_INFO = Label("//apimachinery/types:kind_info")
_KIND_TABLE = Label("//apimachinery/types:kind_table")

# What kube.Value is in C++.
_VALUE = Label("//apimachinery/unstructured:value")

# What every header of clients includes.
_CLIENT_DEPS = [
    Label("//api/meta/v1"),
    Label("//apimachinery/base:context"),
    Label("//apimachinery/types:apply_of"),
    Label("//apimachinery/types:message_type"),
    Label("//clientset/rest:client"),
    Label("//clientset/typed:resource"),
    Label("//clientset/typed:resource_traits"),
    Label("//clientset/typed:typed_client"),
    Label("@com_google_absl//absl/status:statusor"),
    Label("@com_google_absl//absl/strings"),
]

# What every header of informers includes.
_INFORMER_DEPS = [
    Label("//clientset/typed:resource"),
    Label("//clientset/typed:resource_traits"),
    Label("//informers:shared_informer_factory_core"),
]

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

def _run_plugin(ctx, protos, options, outputs, progress_message):
    # From the files, not from descriptors: Bazel's lack the comments.
    args = ctx.actions.args()
    args.add_all(depset(transitive = [proto.transitive_proto_path for proto in protos]), format_each = "-I%s")
    args.add(ctx.executable._plugin, format = "--plugin=protoc-gen-kube=%s")
    args.add("--kube_out=" + "/".join([part for part in [ctx.bin_dir.path, ctx.label.workspace_root] if part]))
    args.add_all(options, format_each = "--kube_opt=%s")
    args.add_all([_import_path(proto, src) for proto in protos for src in proto.direct_sources])
    ctx.actions.run(
        executable = ctx.executable._protoc,
        arguments = [args],
        inputs = depset(transitive = [proto.transitive_sources for proto in protos]),
        tools = [ctx.executable._plugin],
        outputs = outputs,
        mnemonic = "KubeGenerate",
        progress_message = progress_message,
    )

def _kube_generate_impl(ctx):
    proto = ctx.attr.proto[ProtoInfo]
    headers = [ctx.actions.declare_file(_output_path(ctx, proto, src, "kube.h")) for src in proto.direct_sources]
    sources = [ctx.actions.declare_file(_output_path(ctx, proto, src, "kube.cc")) for src in proto.direct_sources]
    applies_headers = [ctx.actions.declare_file(_output_path(ctx, proto, src, "applies.kube.h")) for src in proto.direct_sources]
    applies_sources = [ctx.actions.declare_file(_output_path(ctx, proto, src, "applies.kube.cc")) for src in proto.direct_sources]
    kinds_headers = [ctx.actions.declare_file(_output_path(ctx, proto, src, "kinds.kube.h")) for src in proto.direct_sources]
    kinds_sources = [ctx.actions.declare_file(_output_path(ctx, proto, src, "kinds.kube.cc")) for src in proto.direct_sources]
    outputs = headers + sources + applies_headers + applies_sources + kinds_headers + kinds_sources

    _run_plugin(ctx, [proto], [], outputs, "Generating C++ types of %s" % ctx.label)
    return [
        DefaultInfo(
            files = depset(outputs),
            data_runfiles = ctx.runfiles(files = outputs),
        ),
        OutputGroupInfo(
            applies_headers = depset(applies_headers),
            applies_sources = depset(applies_sources),
            headers = depset(headers),
            kinds_headers = depset(kinds_headers),
            kinds_sources = depset(kinds_sources),
            sources = depset(sources),
        ),
    ]

_TOOLS = {
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
}

_kube_generate = rule(
    implementation = _kube_generate_impl,
    attrs = dict(_TOOLS, proto = attr.label(mandatory = True, providers = [ProtoInfo])),
)

def _generate_headers(ctx, option, suffix, more_options, more_protos):
    """A header for each .proto file, which the option OPTION=PROTO=HEADER asks for."""
    proto = ctx.attr.proto[ProtoInfo]
    options, headers = [], []
    for src in proto.direct_sources:
        name = ctx.attr.header or _output_path(ctx, proto, src, suffix)
        headers.append(ctx.actions.declare_file(name))
        path = "/".join([part for part in [ctx.label.package, name] if part])
        options.append("%s=%s=%s" % (option, _import_path(proto, src), path))
        options.extend([each % _import_path(proto, src) for each in more_options])
    _run_plugin(ctx, [proto] + more_protos, options, headers, "Generating %s of %s" % (option, ctx.label))
    return [DefaultInfo(
        files = depset(headers),
        data_runfiles = ctx.runfiles(files = headers),
    )]

def _kube_generate_clients_impl(ctx):
    expansions = ["expansion=%%s=%s=%s" % each for each in ctx.attr.expansions.items()]
    protos = [each[ProtoInfo] for each in ctx.attr.subresource_protos]
    return _generate_headers(ctx, "clients", "client.kube.h", expansions, protos)

_HEADERS = dict(
    _TOOLS,
    header = attr.string(),
    proto = attr.label(mandatory = True, providers = [ProtoInfo]),
)

_kube_generate_clients = rule(
    implementation = _kube_generate_clients_impl,
    attrs = dict(
        _HEADERS,
        expansions = attr.string_dict(),
        subresource_protos = attr.label_list(providers = [ProtoInfo]),
    ),
)

def _kube_generate_crds_impl(ctx):
    crds = ctx.actions.declare_file(ctx.label.name + ".yaml")
    path = "/".join([part for part in [ctx.label.package, crds.basename] if part])
    protos = [proto[ProtoInfo] for proto in ctx.attr.protos]
    if protos:
        _run_plugin(ctx, protos, ["crds=" + path], [crds], "Generating CRDs of %s" % ctx.label)
    else:
        ctx.actions.write(crds, "")  # protoc needs a file
    return [DefaultInfo(
        files = depset([crds]),
        data_runfiles = ctx.runfiles(files = [crds]),
    )]

_kube_generate_crds = rule(
    implementation = _kube_generate_crds_impl,
    attrs = dict(_TOOLS, protos = attr.label_list(mandatory = True, providers = [ProtoInfo])),
)

def _kube_generate_informers_impl(ctx):
    factory = ["factory=%s"] if ctx.attr.factory else []
    return _generate_headers(ctx, "informers", "informers.kube.h", factory, [])

def _kube_generate_definitions_impl(ctx):
    definitions = ctx.actions.declare_file(ctx.label.name + ".txt")
    path = "/".join([part for part in [ctx.label.package, definitions.basename] if part])
    protos = [proto[ProtoInfo] for proto in ctx.attr.protos]
    _run_plugin(ctx, protos, ["definitions=" + path], [definitions], "Generating definitions of %s" % ctx.label)
    return [DefaultInfo(files = depset([definitions]))]

_kube_generate_definitions = rule(
    implementation = _kube_generate_definitions_impl,
    attrs = dict(_TOOLS, protos = attr.label_list(mandatory = True, providers = [ProtoInfo])),
)

_kube_generate_informers = rule(
    implementation = _kube_generate_informers_impl,
    attrs = dict(_HEADERS, factory = attr.bool()),
)

def _full(label):
    """A label as str(Label) has it, so that one is not listed twice."""
    return label if ":" in label else label + ":" + label.rpartition("/")[2]

def _idl(label):
    """The proto_library of a kube_library: //a/b is //a/b:b_idl, //a:b is //a:b_idl."""
    return _full(label) + "_idl"

def _applies(label):
    """The apply configurations of a kube_library: //a/b is //a/b:b_applies."""
    return _full(label) + "_applies"

def _own_rule():
    """Warnings are errors in our own build only; a user's cc_library gets the user's options."""
    own_build = not _RUNTIME.workspace_name and native.repository_name() == "@"
    return cc_kube_library if own_build else cc_library

def kube_client_library(name, library, deps = [], expansions = {}, header = "", visibility = None, **kwargs):
    """A cc_library of the typed clients of a kube_library: what NAME_client of one is, for libraries without it.

    Args:
      name: of the cc_library. NAME_generated is the headers.
      library: the kube_library.
      deps: kube_library targets of the types of subresources: "//api/autoscaling/v1" of a scale.
      expansions: headers and libraries of hand-written functions: {"Pod": ("clientset/expansions/pod.h", LABEL)}.
      header: of a library of one file, the name of what is generated: "client.h". Default: FILE.client.kube.h.
      visibility: of the library.
      **kwargs: more attributes of the cc_library.
    """
    _kube_generate_clients(
        name = name + "_generated",
        expansions = {kind: each[0] for kind, each in expansions.items()},
        header = header,
        proto = _idl(library),
        subresource_protos = [_idl(dep) for dep in deps],
        tags = ["manual"],
        visibility = visibility,
        **{key: kwargs[key] for key in ["testonly"] if key in kwargs}
    )
    more = [library] + deps + [each[1] for each in expansions.values()]
    _own_rule()(
        name = name,
        hdrs = [name + "_generated"],
        visibility = visibility,
        deps = depset([str(label) for label in _CLIENT_DEPS] + [_full(label) for label in more]).to_list(),
        **kwargs
    )

def kube_crds(name, libraries, visibility = None, **kwargs):
    """NAME.yaml, the CustomResourceDefinitions of kube_library targets: of kinds whose versions are in several of them.

    Args:
      name: of the target, and of the file.
      libraries: kube_library targets. Without any the file is empty.
      visibility: of the target.
      **kwargs: more attributes of it: testonly, tags ...
    """
    _kube_generate_crds(
        name = name,
        protos = [_idl(library) for library in libraries],
        visibility = visibility,
        **kwargs
    )

def kube_definitions(name, libraries, visibility = None, **kwargs):
    """NAME.txt, what OpenAPI documents say of the messages of kube_library targets beyond their tables (codegen/definitions/definitions.h).

    Args:
      name: of the target, and of the file.
      libraries: kube_library targets. Each of their files has kinds.
      visibility: of the target.
      **kwargs: more attributes of it: testonly, tags ...
    """
    _kube_generate_definitions(
        name = name,
        protos = [_idl(library) for library in libraries],
        visibility = visibility,
        **kwargs
    )

def kube_informers_library(name, library, factory = True, header = "", visibility = None, **kwargs):
    """A cc_library of the informers of a kube_library: what NAME_informers of one is, for libraries without it.

    Args:
      name: of the cc_library. NAME_generated is the headers.
      library: the kube_library.
      factory: whether each file has a class SharedInformerFactory.
      header: of a library of one file, the name of what is generated: "informers.h". Default: FILE.informers.kube.h.
      visibility: of the library.
      **kwargs: more attributes of the cc_library.
    """
    _kube_generate_informers(
        name = name + "_generated",
        factory = factory,
        header = header,
        proto = _idl(library),
        tags = ["manual"],
        visibility = visibility,
        **{key: kwargs[key] for key in ["testonly"] if key in kwargs}
    )
    _own_rule()(
        name = name,
        hdrs = [name + "_generated"],
        visibility = visibility,
        deps = [str(label) for label in _INFORMER_DEPS] + [library],
        **kwargs
    )

def kube_library(name, srcs, deps = [], client = True, client_deps = [], visibility = None, **kwargs):
    """A cc_library of the types that .proto files describe.

    Args:
      name: of the cc_library. NAME_idl, a proto_library of the same files, is what other kube_library targets import, and
        NAME_applies, a cc_library, has the apply configurations: an alias for one needs an alias for the others.
        NAME_kinds, a cc_library, lists the kinds. NAME_crds is a YAML file of their CRDs. NAME_generated is the files that
        are generated.
      srcs: .proto files of this package, written or generated.
      deps: kube_library targets whose files `srcs` import. A target's own deps can be imported, too.
      client: whether there are NAME_client and NAME_informers, cc_libraries of typed clients and of informers.
      client_deps: kube_library targets of the types of subresources: "@client_cpp//api/autoscaling/v1" of a scale.
      visibility: of the library, of its apply configurations, of its list of kinds and of its IDL.
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
    for group in ["headers", "sources", "applies_headers", "applies_sources", "kinds_headers", "kinds_sources"]:
        native.filegroup(
            name = name + "_" + group,
            srcs = [name + "_generated"],
            output_group = group,
            tags = ["manual"],
            visibility = ["//visibility:private"],
            **common
        )

    rule = _own_rule()
    rule(
        name = name,
        srcs = [name + "_sources"],
        hdrs = [name + "_headers"],
        linkopts = ["-Wl,--gc-sections"] + kwargs.pop("linkopts", []),
        visibility = visibility,
        deps = deps + [str(_RUNTIME), str(_VALUE)],
        **kwargs
    )
    rule(
        name = name + "_applies",
        srcs = [name + "_applies_sources"],
        hdrs = [name + "_applies_headers"],
        visibility = visibility,
        # The types themselves: a list of a kind has no apply configuration.
        deps = [":" + name] + deps + [_applies(dep) for dep in deps] + [str(_APPLY_OF), str(_RUNTIME), str(_VALUE)],
        **dict(kwargs, tags = kwargs.get("tags", []) + ["manual"])
    )
    rule(
        name = name + "_kinds",
        srcs = [name + "_kinds_sources"],
        hdrs = [name + "_kinds_headers"],
        visibility = visibility,
        deps = [":" + name, str(_KIND_INFO), str(_KIND_TABLE)],
        **kwargs
    )
    kube_crds(
        name = name + "_crds",
        libraries = [":" + name],
        tags = ["manual"],
        visibility = visibility,
        **common
    )
    if client:
        kube_client_library(
            name = name + "_client",
            library = ":" + name,
            deps = client_deps,
            visibility = visibility,
            **kwargs
        )
        kube_informers_library(
            name = name + "_informers",
            library = ":" + name,
            visibility = visibility,
            **kwargs
        )
