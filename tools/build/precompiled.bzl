"""Precompiled headers for this project's own targets: half of the time of a compilation goes into a few headers.

The compilers find NAME.h.gch by themselves when they are given `-include NAME.h`. g++ ignores one that was made with other
options; clang refuses it, so whoever uses this rule must compile with the options of the rule.
"""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

_ACTION = "c++-compile"

def _precompiled_header_impl(ctx):
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    context = cc_common.merge_cc_infos(
        cc_infos = [dep[CcInfo] for dep in ctx.attr.deps],
    ).compilation_context
    header = ctx.actions.declare_file(ctx.label.name + ".h")
    ctx.actions.write(header, "".join(["#include <%s>\n" % path for path in ctx.attr.includes]))
    compiled = ctx.actions.declare_file(ctx.label.name + ".h.gch")
    fragment = ctx.fragments.cpp
    variables = cc_common.create_compile_variables(
        feature_configuration = features,
        cc_toolchain = toolchain,
        user_compile_flags = fragment.copts + fragment.cxxopts,
        source_file = header.path,
        output_file = compiled.path,
        include_directories = context.includes,
        quote_include_directories = context.quote_includes,
        system_include_directories = context.system_includes,
        preprocessor_defines = context.defines,
        # As tests in fastbuild.
        use_pic = True,
    )
    command_line = cc_common.get_memory_inefficient_command_line(
        feature_configuration = features,
        action_name = _ACTION,
        variables = variables,
    )

    # clang writes absolute paths, and each action has a folder of its own. Those below this root are written relative to
    # it, and read relative to the root that .bazelrc names: the working folder. It also writes when each header was last
    # modified, which differs from what the disk cache brings to another checkout: without times it compares sizes.
    clang = []
    if "clang" in toolchain.compiler_executable:
        clang = ["-Xclang", "-relocatable-pch", "-Xclang", "-isysroot", "-Xclang", "/proc/self/cwd", "-Xclang", "-fno-pch-timestamp"]

        # What the headers need of templates is made once, here, and not in each source: a third of the time of a compilation.
        clang.append("-fpch-instantiate-templates")

    # "-x c++-header" must come before the file, which "-c FILE" of the command line names.
    ctx.actions.run(
        executable = cc_common.get_tool_for_action(feature_configuration = features, action_name = _ACTION),
        arguments = ["-x", "c++-header"] + command_line + clang,
        env = {"PATH": "/usr/bin:/bin", "PWD": "/proc/self/cwd"},
        inputs = depset([header], transitive = [context.headers, toolchain.all_files]),
        outputs = [compiled],
        mnemonic = "CppPrecompile",
        progress_message = "Precompiling %s" % header.short_path,
    )
    own = cc_common.create_compilation_context(headers = depset([header, compiled]))
    return [
        DefaultInfo(files = depset([compiled])),
        cc_common.merge_cc_infos(cc_infos = [CcInfo(compilation_context = own)] + [dep[CcInfo] for dep in ctx.attr.deps]),
    ]

precompiled_header = rule(
    implementation = _precompiled_header_impl,
    doc = "NAME.h, which includes what is given, and its precompiled form.",
    attrs = {
        "includes": attr.string_list(doc = "Paths, as in #include <PATH>.", mandatory = True),
        "deps": attr.label_list(doc = "The libraries of those headers.", providers = [CcInfo]),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
