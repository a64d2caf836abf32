"""The Go programs and the files of Go modules that this project's tests use."""

load("//third_party/go:defs.bzl", "go_module_files", "go_programs")
load("//tools:versions.bzl", "GO_VERSION", "KUBERNETES_MODULES_VERSION")

# Every module that a program imports. Kubernetes' own follow tools/versions.bzl; the others are what that release pins.
_MODULES = {
    "github.com/prometheus/client_model": "v0.6.2",
    "github.com/prometheus/common": "v0.67.5",
    "k8s.io/apimachinery": "v" + KUBERNETES_MODULES_VERSION,
    "sigs.k8s.io/yaml": "v1.6.0",
}

# Packages with a program's Go files; the program has the name of its folder.
_PROGRAMS = [
    "//apimachinery/base/expfmt_check",
    "//apimachinery/codec/yaml_oracle",
]

# buildifier: disable=unnamed-macro
def go_repositories():
    """@oracles//:PROGRAM and @k8s_api_testdata//:RELEASE, as `data` of tests (see tests/oracle.h)."""
    go_programs(
        name = "oracles",
        go_version = GO_VERSION,
        modules = _MODULES,
        programs = _PROGRAMS,
    )

    # Every kind as JSON, protobuf and YAML, as it was written by this release and by the three before it.
    go_module_files(
        name = "k8s_api_testdata",
        folders = [
            "testdata/HEAD",
            "testdata/v1.33.0",
            "testdata/v1.34.0",
            "testdata/v1.35.0",
        ],
        go_version = GO_VERSION,
        module = "k8s.io/api",
        version = "v" + KUBERNETES_MODULES_VERSION,
    )
