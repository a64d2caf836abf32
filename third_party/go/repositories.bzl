"""The Go programs and the files of Go modules that this project's tests use."""

load("//third_party/go:defs.bzl", "go_module_files", "go_module_protos", "go_modules", "go_programs")
load("//tools:versions.bzl", "GO_VERSION", "KUBERNETES_MODULES_VERSION")

# Every module that a program imports. Kubernetes' own follow tools/versions.bzl; the others are what that release pins.
_MODULES = {
    "github.com/prometheus/client_model": "v0.6.2",
    "github.com/prometheus/common": "v0.67.5",
    "go.yaml.in/yaml/v2": "v2.4.4",
    "gopkg.in/evanphx/json-patch.v4": "v4.13.0",
    "k8s.io/api": "v" + KUBERNETES_MODULES_VERSION,
    "k8s.io/apiextensions-apiserver": "v" + KUBERNETES_MODULES_VERSION,
    "k8s.io/apimachinery": "v" + KUBERNETES_MODULES_VERSION,
    "k8s.io/apiserver": "v" + KUBERNETES_MODULES_VERSION,
    "k8s.io/client-go": "v" + KUBERNETES_MODULES_VERSION,
    "k8s.io/klog/v2": "v2.140.0",
    "k8s.io/kube-aggregator": "v" + KUBERNETES_MODULES_VERSION,
    "k8s.io/metrics": "v" + KUBERNETES_MODULES_VERSION,
    "sigs.k8s.io/json": "v0.0.0-20250730193827-2d320260d730",
    "sigs.k8s.io/randfill": "v1.0.0",
    "sigs.k8s.io/yaml": "v1.6.0",
}

# What writes protobuf methods of Go types. The tool's version is what that release pins.
_PROTOBUF_MODULES = {
    "golang.org/x/tools": "v0.41.0",
    "k8s.io/apiextensions-apiserver": "v" + KUBERNETES_MODULES_VERSION,
    "k8s.io/apimachinery": "v" + KUBERNETES_MODULES_VERSION,
    "k8s.io/code-generator": "v" + KUBERNETES_MODULES_VERSION,
}

# Packages with a program's Go files; the program has the name of its folder.
_PROGRAMS = [
    "//apimachinery/base/expfmt_check",
    "//apimachinery/codec/json_text_oracle",
    "//apimachinery/codec/stream_oracle",
    "//apimachinery/types/values_oracle",
    "//codegen/import_kubernetes",
    "//tests/differential/customresource/customresource_oracle",
    "//tests/differential/jsonpath/jsonpath_oracle",
    "//tests/differential/resource/resource_oracle",
    "//tests/differential/patch/patch_oracle",
    "//tests/differential/roundtrip/random_objects",
    "//tests/differential/schema/schema_oracle",
    "//tests/differential/envtest/client_go_program",
    "//tests/differential/version/version_oracle",
    "//tests/differential/fields/fields_oracle",
    "//tests/differential/url/url_oracle",
    "//tests/differential/labels/labels_oracle",
    "//tests/differential/validation/validation_oracle",
    "//tests/differential/unstructured/unstructured_oracle",
    "//tests/differential/errors/errors_oracle",
    "//tests/differential/rest/rest_oracle",
    "//tests/differential/exec/exec_oracle",
    "//tests/differential/meta/meta_oracle",
    "//tests/differential/watch/watch_oracle",
    "//tests/differential/typed/typed_oracle",
    "//tests/differential/discovery/discovery_oracle",
    "//tests/differential/clientset/clientset_oracle",
    "//tests/differential/informers/informers_oracle",
    "//tests/differential/clientset/calls_oracle",
    "//tests/differential/queryparams/queryparams_oracle",
    "//tests/differential/restmapper/restmapper_oracle",
    "//tests/differential/scheme/scheme_oracle",
    "//tests/differential/cache/cache_oracle",
    "//tests/differential/events/events_oracle",
    "//tests/differential/clientcmd/clientcmd_oracle",
    "//tests/integration/informers_program",
    "//tests/integration/leader_election_candidates",
    "//tests/kitchen_sink/crds/crd_judge",
    "//tests/kitchen_sink/kitchen_oracle",
    "//apimachinery/codec/yaml_oracle",
]

# buildifier: disable=unnamed-macro
def go_repositories():
    """@oracles//:PROGRAM, @k8s_api_testdata//:RELEASE (see tests/oracle.h), @k8s_protos, @kubernetes_modules: for tests and benchmarks."""
    go_programs(
        name = "oracles",
        go_version = GO_VERSION,
        modules = _MODULES,
        programs = _PROGRAMS,
        protobuf_modules = _PROTOBUF_MODULES,
        protobuf_types = {"//tests/kitchen_sink/kitchen_oracle": [
            "base.go",
            "sink.go",
        ]},
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
