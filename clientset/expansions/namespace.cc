#include "clientset/expansions/namespace.h"

#include "absl/status/statusor.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "clientset/typed/typed_client.h"

namespace kube::expansions {

namespace corev1 = api::core::v1;

absl::StatusOr<corev1::Namespace> NamespaceExpansion::Finalize(
    const Context& ctx, const corev1::Namespace& object,
    const api::meta::v1::UpdateOptions& options) const {
  return typed::TypedClient<corev1::Namespace, corev1::NamespaceList>(client_,
                                                                      {.version = "v1",
                                                                       .plural = "namespaces",
                                                                       .kind = "Namespace",
                                                                       .namespaced = false,
                                                                       .built_in = true})
      .UpdateSubresource(ctx, object.metadata.name.view(),
                         {.name = "finalize", .version = "v1", .kind = "Namespace"}, object,
                         options);
}

}  // namespace kube::expansions
