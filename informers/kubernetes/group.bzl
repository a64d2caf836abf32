"""The informers of a group and version of Kubernetes: for the BUILD files that codegen/import_kubernetes writes."""

load("//codegen:kube_library.bzl", "kube_informers_library")

def kubernetes_informers(name, library):
    """A library with "informers.h", the informers of the kinds of `library`.

    Args:
      name: of the library.
      library: the kube_library of the kinds.
    """
    kube_informers_library(
        name = name,
        factory = False,
        header = "informers.h",
        library = library,
        visibility = ["//visibility:public"],
    )
