#ifndef CLIENTSET_EXPANSIONS_NAMESPACE_H_
#define CLIENTSET_EXPANSIONS_NAMESPACE_H_

#include <utility>

#include "absl/status/statusor.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "clientset/rest/client.h"

namespace kube::expansions {

// Methods of NamespaceClient in addition to the verbs. Thread-safe. (client-go:
// `NamespaceExpansion`)
class NamespaceExpansion {
 public:
  explicit NamespaceExpansion(rest::Client client) : client_(std::move(client)) {}

  // Replaces the finalizers of a namespace by object.spec.finalizers. A namespace that is being
  // deleted disappears when it has no finalizers left. Blocks; returns the errors of
  // TypedClient::Update.
  absl::StatusOr<api::core::v1::Namespace> Finalize(
      const Context& ctx, const api::core::v1::Namespace& object,
      const api::meta::v1::UpdateOptions& options = {}) const;

 private:
  rest::Client client_;
};

}  // namespace kube::expansions

#endif  // CLIENTSET_EXPANSIONS_NAMESPACE_H_
