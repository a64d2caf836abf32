#include "apiserver/cluster/bootstrap.h"

#include <utility>

#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/codec/any_object.h"
#include "apiserver/object.h"
#include "apiserver/registry/registry.h"
#include "apiserver/resources.h"

namespace kube::apiserver::internal {

void Bootstrap(Registry& registry, const Resources& resources) {
  const Resource& namespaces = *resources.Find("", "v1", "namespaces");
  for (const absl::string_view name : kFirstNamespaces) {
    Object object{codec::AnyObject(*namespaces.kind)};
    object.metadata().name = name;
    KUBE_CHECK_OK(registry.Create({.resource = &namespaces}, std::move(object)));
  }
}

}  // namespace kube::apiserver::internal
