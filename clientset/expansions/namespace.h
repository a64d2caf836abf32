#ifndef CLIENTSET_EXPANSIONS_NAMESPACE_H_
#define CLIENTSET_EXPANSIONS_NAMESPACE_H_

#include <utility>

#include "absl/status/statusor.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "clientset/rest/client.h"

namespace kube::expansions {

// What NamespaceClient has besides the verbs. (client-go's NamespaceExpansion) Thread-safe.
class NamespaceExpansion {
 public:
  explicit NamespaceExpansion(rest::Client client) : client_(std::move(client)) {}

  // Puts the namespace's spec.finalizers in the place of those it has: without any, one that is
  // being deleted goes away. Errors as Update.
  absl::StatusOr<api::core::v1::Namespace> Finalize(
      const Context& ctx, const api::core::v1::Namespace& object,
      const api::meta::v1::UpdateOptions& options = {}) const;

 private:
  rest::Client client_;
};

}  // namespace kube::expansions

#endif  // CLIENTSET_EXPANSIONS_NAMESPACE_H_
