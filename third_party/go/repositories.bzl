"""The Go programs and the files of Go modules that this project's tests use."""

load("//tests/imported_crds:crd_projects.bzl", "CRD_PROJECTS")
load("//third_party/go:defs.bzl", "go_module_crds", "go_module_files", "go_module_protos", "go_modules", "go_programs")
load("//tools:versions.bzl", "GO_VERSION", "KUBERNETES_MODULES_VERSION", "KUBERNETES_VERSION")

# Every module that a program imports. Kubernetes' own follow tools/versions.bzl; the others are what that release pins.
_MODULES = {
    "cel.dev/expr": "v0.25.1",
    "github.com/google/cel-go": "v0.26.0",
    "github.com/google/gnostic-models": "v0.7.0",
    "github.com/gorilla/websocket": "v1.5.4-0.20250319132907-e064f32e3674",
    "github.com/moby/spdystream": "v0.5.1",
    "github.com/prometheus/client_model": "v0.6.2",
    "github.com/prometheus/common": "v0.67.5",
    "go.yaml.in/yaml/v2": "v2.4.4",
    "google.golang.org/protobuf": "v1.36.12-0.20260120151049-f2248ac996af",
    "gopkg.in/evanphx/json-patch.v4": "v4.13.0",
    "k8s.io/api": "v" + KUBERNETES_MODULES_VERSION,
    "k8s.io/apiextensions-apiserver": "v" + KUBERNETES_MODULES_VERSION,
    "k8s.io/apimachinery": "v" + KUBERNETES_MODULES_VERSION,
    "k8s.io/apiserver": "v" + KUBERNETES_MODULES_VERSION,
    "k8s.io/client-go": "v" + KUBERNETES_MODULES_VERSION,
    "k8s.io/cri-api": "v" + KUBERNETES_MODULES_VERSION,
    "k8s.io/cri-streaming": "v" + KUBERNETES_MODULES_VERSION,
    "k8s.io/klog/v2": "v2.140.0",
    "k8s.io/kube-aggregator": "v" + KUBERNETES_MODULES_VERSION,
    "k8s.io/kube-openapi": "v0.0.0-20260317180543-43fb72c5454a",
    "k8s.io/metrics": "v" + KUBERNETES_MODULES_VERSION,
    "k8s.io/streaming": "v" + KUBERNETES_MODULES_VERSION,
    "sigs.k8s.io/json": "v0.0.0-20250730193827-2d320260d730",
    "sigs.k8s.io/randfill": "v1.0.0",
    "sigs.k8s.io/structured-merge-diff/v6": "v6.3.3",
    "sigs.k8s.io/yaml": "v1.6.0",
}

# Every module that a program over controller-runtime imports. This release needs modules of a later Kubernetes release than the one
# that the other programs are built with, so they cannot share a build. All versions are those of its go.mod.
_CONTROLLER_MODULES = {
    "github.com/go-logr/logr": "v1.4.3",
    "github.com/prometheus/common": "v0.70.0",
    "k8s.io/api": "v0.37.0",
    "k8s.io/apimachinery": "v0.37.0",
    "k8s.io/client-go": "v0.37.0",
    "sigs.k8s.io/controller-runtime": "v0.25.0",
}

# Every module that a program over packages of Kubernetes itself imports.
_KUBERNETES_MODULES = {
    "k8s.io/api": "v" + KUBERNETES_MODULES_VERSION,
    "k8s.io/apimachinery": "v" + KUBERNETES_MODULES_VERSION,
    "k8s.io/apiserver": "v" + KUBERNETES_MODULES_VERSION,
    "k8s.io/kubernetes": "v" + KUBERNETES_VERSION,
}

# Modules that live in the repository of k8s.io/kubernetes, whose go.mod asks for them as v0.0.0 and replaces them by folders: its lines
# with `=> ./staging/src/k8s.io/`.
_STAGED = [
    "api",
    "apiextensions-apiserver",
    "apimachinery",
    "apiserver",
    "cli-runtime",
    "client-go",
    "cloud-provider",
    "cluster-bootstrap",
    "code-generator",
    "component-base",
    "component-helpers",
    "controller-manager",
    "cri-api",
    "cri-client",
    "cri-streaming",
    "csi-translation-lib",
    "dynamic-resource-allocation",
    "endpointslice",
    "externaljwt",
    "kms",
    "kube-aggregator",
    "kube-controller-manager",
    "kube-proxy",
    "kube-scheduler",
    "kubectl",
    "kubelet",
    "metrics",
    "mount-utils",
    "pod-security-admission",
    "sample-apiserver",
    "sample-cli-plugin",
    "sample-controller",
    "streaming",
]

# What writes protobuf methods of Go types. The tool's version is what that release pins.
_PROTOBUF_MODULES = {
    "golang.org/x/tools": "v0.41.0",
    "k8s.io/apiextensions-apiserver": "v" + KUBERNETES_MODULES_VERSION,
    "k8s.io/apimachinery": "v" + KUBERNETES_MODULES_VERSION,
    "k8s.io/code-generator": "v" + KUBERNETES_MODULES_VERSION,
}

# Each program, and the package with its Go files.
_PROGRAMS = {
    "apply_oracle": "//tests/every_kind/apply_oracle",
    "cache_oracle": "//informers/differential/oracle",
    "calls_oracle": "//clientset/kubernetes/differential/calls_oracle",
    "cel_oracle": "//apimachinery/cel/differential/oracle",
    "client_go_program": "//apiserver/differential/oracle",
    "clientcmd_oracle": "//clientset/clientcmd/differential/oracle",
    "clientset_oracle": "//clientset/kubernetes/differential/oracle",
    "crd_judge": "//tests/kitchen_sink/crds/crd_judge",
    "customresource_oracle": "//apimachinery/crd_schema/differential/oracle",
    "discovery_oracle": "//clientset/discovery/differential/oracle",
    "dynamic_oracle": "//clientset/dynamic/differential/oracle",
    "errors_oracle": "//apimachinery/errors/differential/oracle",
    "events_oracle": "//controller/events/differential/oracle",
    "exec_oracle": "//clientset/rest/differential/exec_oracle",
    "expfmt_check": "//apimachinery/base/expfmt_check",
    "fields_oracle": "//apimachinery/fields/differential/oracle",
    "foreign_client_go": "//tests/foreign_clients/client_go",
    "import_kubernetes": "//codegen/import_kubernetes",
    "informers_oracle": "//informers/kubernetes/differential/oracle",
    "informers_program": "//tests/integration/informers_program",
    "json_text_oracle": "//apimachinery/codec/json/oracle",
    "jsonpath_oracle": "//apimachinery/jsonpath/differential/oracle",
    "kitchen_oracle": "//tests/kitchen_sink/kitchen_oracle",
    "labels_oracle": "//apimachinery/labels/differential/oracle",
    "leader_election_candidates": "//tests/integration/leader_election_candidates",
    "managedfields_oracle": "//apimachinery/managedfields/differential/oracle",
    "meta_oracle": "//apimachinery/meta/differential/oracle",
    "openapi_oracle": "//apiserver/openapi/differential/oracle",
    "patch_oracle": "//apimachinery/patch/differential/oracle",
    "queryparams_oracle": "//apimachinery/queryparams/differential/oracle",
    "random_objects": "//apimachinery/codec/differential/oracle",
    "resource_oracle": "//apimachinery/resource/differential/oracle",
    "rest_oracle": "//clientset/rest/differential/oracle",
    "restmapper_oracle": "//apimachinery/restmapper/differential/oracle",
    "schema_oracle": "//apimachinery/schema/differential/oracle",
    "scheme_oracle": "//apimachinery/scheme/differential/oracle",
    "sharding_oracle": "//apimachinery/sharding/differential/oracle",
    "spdy_oracle": "//net/spdy/differential/oracle",
    "stream_oracle": "//apimachinery/codec/stream/oracle",
    "streaming_program": "//apiserver/streaming/differential/oracle",
    "streaming_node": "//clientset/remotecommand/differential/node",
    "tokens_oracle": "//apiserver/tokens/differential/oracle",
    "type_check_oracle": "//apiserver/type_checking/differential/oracle",
    "typed_oracle": "//clientset/typed/differential/oracle",
    "unstructured_oracle": "//apimachinery/unstructured/differential/oracle",
    "url_oracle": "//net/url/differential/oracle",
    "validation_oracle": "//apimachinery/validation/differential/oracle",
    "values_oracle": "//apimachinery/types/values_oracle",
    "version_oracle": "//apimachinery/version/differential/oracle",
    "watch_oracle": "//apimachinery/watch/differential/oracle",
    "websocket_oracle": "//net/websocket/differential/oracle",
    "yaml_oracle": "//apimachinery/codec/yaml/oracle",
}

_CONTROLLER_PROGRAMS = {
    "controller_runtime_oracle": "//controller/differential/oracle",
    "webhook_oracle": "//webhook/differential/oracle",
}

_KUBERNETES_PROGRAMS = {
    "rbac_oracle": "//apiserver/auth/differential/oracle",
}

# Packages of this repository that programs and tests import.
_LIBRARIES = [
    "//apimachinery/managedfields/differential/exactjson",
    "//apimachinery/managedfields/differential/fixture",
    "//tests/oracle",
]

# Tests that modules have of themselves: the module, the folder of the package, and files that are omitted. They record what they
# do: instead of a package that they share they import one of ours.
_MODULE_TESTS = {
    # The omitted file has only benchmarks, with large files of their own.
    "upstream_merge": ["sigs.k8s.io/structured-merge-diff/v6", "merge", "real_test.go"],
}
_REPLACED_IMPORTS = {
    "sigs.k8s.io/structured-merge-diff/v6/internal/fixture": "kube/apimachinery/managedfields/differential/fixture",
}

# buildifier: disable=unnamed-macro
def go_repositories():
    """@oracles//:PROGRAM, @controller_oracles//:PROGRAM, @kubernetes_oracles//:PROGRAM, @k8s_api_testdata//:RELEASE (see tests/oracle/oracle.h), @k8s_protos, @kubernetes_modules and others: for tests and benchmarks."""
    go_programs(
        name = "oracles",
        go_version = GO_VERSION,
        libraries = _LIBRARIES,
        module_tests = _MODULE_TESTS,
        modules = _MODULES,
        programs = _PROGRAMS,
        protobuf_modules = _PROTOBUF_MODULES,
        protobuf_types = {"//tests/kitchen_sink/kitchen_oracle": [
            "base.go",
            "sink.go",
        ]},
        replaced_imports = _REPLACED_IMPORTS,
    )
    go_programs(
        name = "controller_oracles",
        go_version = GO_VERSION,
        libraries = ["//tests/oracle"],
        modules = _CONTROLLER_MODULES,
        programs = _CONTROLLER_PROGRAMS,
    )
    go_programs(
        name = "kubernetes_oracles",
        go_version = GO_VERSION,
        libraries = ["//tests/oracle"],
        modules = _KUBERNETES_MODULES,
        programs = _KUBERNETES_PROGRAMS,
        replaced_modules = {"k8s.io/" + name: "v" + KUBERNETES_MODULES_VERSION for name in _STAGED},
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

    # Custom resource definitions of other projects.
    for name, module, version, folder in [
        ("gateway_api_crds", "sigs.k8s.io/gateway-api", "v1.4.0", "config/crd/standard"),
        ("prometheus_operator_crds", "github.com/prometheus-operator/prometheus-operator", "v0.85.0", "example/prometheus-operator-crd"),
        ("snapshotter_crds", "github.com/kubernetes-csi/external-snapshotter/client/v8", "v8.2.0", "config/crd"),
    ]:
        go_module_files(
            name = name,
            folders = [folder],
            go_version = GO_VERSION,
            module = module,
            version = version,
        )

    # The same of more projects, to be imported as C++ types.
    for project in CRD_PROJECTS:
        go_module_crds(
            name = "crds_of_" + project.name,
            crd_versions = project.versions,
            go_version = GO_VERSION,
            module = project.module,
            paths = project.paths,
            version = project.version,
        )

    # The tests of the Common Expression Language.
    go_module_files(
        name = "cel_conformance",
        folders = ["tests/simple/testdata"],
        go_version = GO_VERSION,
        module = "cel.dev/expr",
        version = _MODULES["cel.dev/expr"],
    )

    # The OpenAPI documents that Kubernetes publishes, v2 and v3.
    go_module_files(
        name = "kubernetes_openapi_spec",
        folders = ["api/openapi-spec"],
        go_version = GO_VERSION,
        module = "k8s.io/kubernetes",
        version = "v" + KUBERNETES_VERSION,
    )

    # core/v1 and what it imports, for protobuf's own classes: a peer in benchmarks.
    go_module_protos(
        name = "k8s_protos",
        go_version = GO_VERSION,
        modules = {
            "k8s.io/api": "v" + KUBERNETES_MODULES_VERSION,
            "k8s.io/apimachinery": "v" + KUBERNETES_MODULES_VERSION,
        },
        protos = [
            "k8s.io/api/core/v1/generated.proto",
            "k8s.io/apimachinery/pkg/api/resource/generated.proto",
            "k8s.io/apimachinery/pkg/apis/meta/v1/generated.proto",
            "k8s.io/apimachinery/pkg/runtime/generated.proto",
            "k8s.io/apimachinery/pkg/runtime/schema/generated.proto",
            "k8s.io/apimachinery/pkg/util/intstr/generated.proto",
        ],
    )

    # What codegen/import_kubernetes reads.
    go_modules(
        name = "kubernetes_modules",
        go_version = GO_VERSION,
        modules = [
            "k8s.io/api",
            "k8s.io/apiextensions-apiserver",
            "k8s.io/apimachinery",
            "k8s.io/client-go",
            "k8s.io/kube-aggregator",
            "k8s.io/metrics",
        ],
        version = "v" + KUBERNETES_MODULES_VERSION,
    )
