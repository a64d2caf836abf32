"""The clients of a group and version of Kubernetes: for the BUILD files that codegen/import_kubernetes writes."""

load("//codegen:kube_library.bzl", "kube_client_library")

# The kinds with hand-written functions, by their libraries.
_EXPANSIONS = {
    "//api/core/v1": {
        "Event": "event",
        "Namespace": "namespace",
        "Node": "node",
        "Pod": "pod",
        "Service": "service",
    },
}

def kubernetes_group(name, library, deps = []):
    """A library with "client.h", the clients of the kinds of `library` and that of their group.

    Args:
      name: of the library.
      library: the kube_library of the kinds.
      deps: those of the types of subresources.
    """
    kube_client_library(
        name = name,
        expansions = {
            kind: ("clientset/expansions/%s.h" % target, "//clientset/expansions:" + target)
            for kind, target in _EXPANSIONS.get(library, {}).items()
        },
        header = "client.h",
        library = library,
        visibility = ["//visibility:public"],
        deps = deps,
    )
