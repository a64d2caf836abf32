#include "apiserver/auth/rbac_policy_cache.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apiserver/auth/rbac_policy.h"
#include "apiserver/object.h"
#include "apiserver/storage.h"

namespace kube::apiserver::internal {
namespace {

constexpr absl::string_view kClusterRoles = "rbac.authorization.k8s.io/clusterroles";
constexpr absl::string_view kRoles = "rbac.authorization.k8s.io/roles";
constexpr absl::string_view kClusterRoleBindings = "rbac.authorization.k8s.io/clusterrolebindings";
constexpr absl::string_view kRoleBindings = "rbac.authorization.k8s.io/rolebindings";

std::vector<ObjectPtr> ObjectsOf(const Storage& storage, absl::string_view resource) {
  std::vector<ObjectPtr> objects;
  absl::StatusOr<ListResult> list = storage.List(resource, {});
  // A list of the latest revision does not fail.
  if (!list.ok()) return objects;
  objects.reserve(list->items.size());
  for (ListItem& item : list->items) objects.push_back(std::move(item.object));
  return objects;
}

}  // namespace

RbacPolicyCache::RbacPolicyCache(Storage& storage)
    : view_(storage,
            {std::string(kClusterRoles), std::string(kRoles), std::string(kClusterRoleBindings),
             std::string(kRoleBindings)},
            [](const Storage& read) {
              return std::make_shared<const RbacPolicy>(
                  RbacObjects{.cluster_roles = ObjectsOf(read, kClusterRoles),
                              .roles = ObjectsOf(read, kRoles),
                              .cluster_role_bindings = ObjectsOf(read, kClusterRoleBindings),
                              .role_bindings = ObjectsOf(read, kRoleBindings)});
            }) {}

}  // namespace kube::apiserver::internal
