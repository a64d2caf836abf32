#ifndef CLIENTSET_EXPANSIONS_NODE_H_
#define CLIENTSET_EXPANSIONS_NODE_H_

#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "clientset/rest/client.h"

namespace kube::expansions {

// Methods of NodeClient in addition to the verbs. Thread-safe. (client-go: `NodeExpansion`)
class NodeExpansion {
 public:
  explicit NodeExpansion(rest::Client client) : client_(std::move(client)) {}

  // Applies `data`, a strategic merge patch, to the status of a node. Blocks; returns the errors of
  // typed::TypedClient::Patch.
  absl::StatusOr<api::core::v1::Node> PatchStatus(const Context& ctx, absl::string_view name,
                                                  absl::string_view data) const;

 private:
  rest::Client client_;
};

}  // namespace kube::expansions

#endif  // CLIENTSET_EXPANSIONS_NODE_H_
