#ifndef APISERVER_REGISTRY_NAMESPACE_OBJECTS_H_
#define APISERVER_REGISTRY_NAMESPACE_OBJECTS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "apiserver/resources.h"

// The objects that controllers of kube-controller-manager keep in every namespace: the service
// account "default" and the config map "kube-root-ca.crt" with the certificate authority of the
// server (kube-controller-manager: `pkg/controller/serviceaccount`,
// `pkg/controller/certificates/rootcacertpublisher`). Thread-safe.
namespace kube::apiserver::internal {

class Registry;

inline constexpr absl::string_view kDefaultAccount = "default";
inline constexpr absl::string_view kRootCaMap = "kube-root-ca.crt";
inline constexpr absl::string_view kRootCaKey = "ca.crt";
// The annotation of the config map, which says what it is for, and its value.
inline constexpr absl::string_view kDescription = "kubernetes.io/description";
inline constexpr absl::string_view kRootCaDescription =
    "The certificate authority of the API server, for clients that reach it at an address within "
    "the cluster.";

// Returns whether an object with this name, in the resource that is stored under this name, is one
// of them.
bool IsNamespaceObject(absl::string_view storage, absl::string_view name);

// Creates those that the namespace lacks, and repairs the config map. Without `root_ca`, which is
// PEM, there is no config map: nothing could be verified with it.
void EnsureNamespaceObjects(Registry& registry, const Resources& resources,
                            const std::string& namespace_name, const std::string& root_ca);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_REGISTRY_NAMESPACE_OBJECTS_H_
