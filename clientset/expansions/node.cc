#include "clientset/expansions/node.h"

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/patch/patch_type.h"
#include "clientset/typed/typed_client.h"

namespace kube::expansions {

namespace corev1 = api::core::v1;

absl::StatusOr<corev1::Node> NodeExpansion::PatchStatus(const Context& ctx, absl::string_view name,
                                                        absl::string_view data) const {
  return typed::TypedClient<corev1::Node, corev1::NodeList>(client_, {.version = "v1",
                                                                      .plural = "nodes",
                                                                      .kind = "Node",
                                                                      .namespaced = false,
                                                                      .built_in = true})
      .Patch(ctx, name, patch::PatchType::kStrategicMerge, data, {}, {"status"});
}

}  // namespace kube::expansions
