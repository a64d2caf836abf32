"""The one place of versions. Bazel loads it; scripts read it through tools/version NAME.

Nothing else in this repository may spell one of them; a test refuses it.
"""

# The Kubernetes release that the API types, the fixtures and the real API server come from.
KUBERNETES_VERSION = "1.36.3"

# The release's Go modules: k8s.io/api, k8s.io/apimachinery, k8s.io/client-go and their siblings.
KUBERNETES_MODULES_VERSION = "0.36.3"

# The etcd that the Kubernetes release pins; tools/kube builds it beside the API server.
ETCD_VERSION = "3.6.8"

# The other releases that tools/kube builds on request, each with the etcd that it pins: the newest patches of the two minor
# versions before, and of the one after.
OTHER_KUBERNETES_RELEASES = {
    "1.34.4": "3.6.4",
    "1.35.4": "3.6.5",
    "1.37.2": "3.7.0",
}

# The Go toolchain that every oracle, peer and the real API server are built with, exact to the patch: the newest patch of the
# minor version that the Kubernetes release is built with. tools/install fetches it, whatever Go a machine has.
GO_VERSION = "1.26.11"
