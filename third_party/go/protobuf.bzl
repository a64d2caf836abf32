"""Protobuf methods of hand-written Go types, by Kubernetes' own generator, as its hack/update-codegen.sh calls it."""

_TOOLS = [
    "golang.org/x/tools/cmd/goimports",
    "k8s.io/code-generator/cmd/go-to-protobuf",
    "k8s.io/code-generator/cmd/go-to-protobuf/protoc-gen-gogo",
]

# Whose generated.proto and gogo.proto are imported.
_IMPORTED = [
    "github.com/gogo/protobuf",
    "k8s.io/apiextensions-apiserver",
    "k8s.io/apimachinery",
]

# "-" reads a package and writes nothing for it.
_APIMACHINERY_PACKAGES = ["-k8s.io/apimachinery/pkg/" + package for package in [
    "util/intstr",
    "api/resource",
    "runtime/schema",
    "runtime",
    "apis/meta/v1",
]]
_API_PACKAGES = ["-k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"]

def _execute(ctx, what, command, **kwargs):
    result = ctx.execute(command, **kwargs)
    if result.return_code != 0:
        fail("{} of @{}: {}".format(what, ctx.name, result.stderr))
    return result.stdout.strip()

def protobuf_methods(ctx, go, package, files, environment, timeout):
    """Writes the protobuf methods of the types in FILES of PACKAGE's program.

    It needs protoc in PATH, and fails otherwise.

    Args:
      ctx: of a repository rule whose attribute `protobuf_modules` has the modules of the generator.
      go: path of the go command.
      package: of this repository, with the Go files of a program.
      files: names of those that have types.
      environment: of the go command.
      timeout: of each command, in seconds.

    Returns:
      the text of generated.pb.go, whose package is main.
    """
    name = package.split("/")[-1]
    root = str(ctx.path("protobuf"))
    folder = root + "/src/" + name

    # The generator makes a library of it: the package that it writes has the name of its folder.
    for file in files:
        text = ctx.read(Label(package + ":" + file))
        ctx.file(folder + "/" + file, text.replace("\npackage main\n", "\npackage {}\n".format(name)))
    modules = ["\t{} {}\n".format(path, version) for path, version in sorted(ctx.attr.protobuf_modules.items())]
    ctx.file(folder + "/go.mod", "module {}\ngo {}\nrequire (\n{})\n".format(name, ctx.attr.go_version, "".join(modules)))
    ctx.file(root + "/header.txt")
    ctx.symlink(go, root + "/bin/go")
    options = {
        "environment": dict(environment, GOBIN = root + "/bin", PATH = root + "/bin:" + ctx.os.environ["PATH"]),
        "timeout": timeout,
        "working_directory": folder,
    }
    _execute(ctx, "install go-to-protobuf", [go, "install"] + _TOOLS, **options)
    for module in _IMPORTED:
        unpacked = _execute(ctx, "find " + module, [go, "list", "-m", "-f", "{{.Dir}}", module], **options)
        ctx.symlink(unpacked, root + "/import/" + module)
    _execute(ctx, "run go-to-protobuf", [
        root + "/bin/go-to-protobuf",
        "--go-header-file=" + root + "/header.txt",
        "--apimachinery-packages=" + ",".join(_APIMACHINERY_PACKAGES),
        "--packages=" + ",".join(_API_PACKAGES + [name]),
        "--output-dir=" + root + "/src",
        "--proto-import=" + root + "/import",
        "--proto-import=" + root + "/import/github.com/gogo/protobuf/protobuf",
    ], **options)
    return ctx.read(folder + "/generated.pb.go").replace("\npackage {}\n".format(name), "\npackage main\n")
