#include "envtest/server/internal/bootstrap.h"

#include <memory>
#include <utility>

#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/codec/any_object.h"
#include "envtest/server/internal/core.h"
#include "envtest/server/object.h"
#include "envtest/server/resources.h"

namespace kube::envtest::internal {

void Bootstrap(Core& core) {
  const std::shared_ptr<const Resources> resources = core.resources.Get();
  const Resource& namespaces = *resources->Find("", "v1", "namespaces");
  for (absl::string_view name : {"default", "kube-system", "kube-public", "kube-node-lease"}) {
    Object object{codec::AnyObject(*namespaces.kind)};
    object.metadata().name = name;
    KUBE_CHECK_OK(core.registry.Create({.resource = &namespaces}, std::move(object)));
  }
}

}  // namespace kube::envtest::internal
