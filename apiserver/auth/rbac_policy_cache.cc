#include "apiserver/auth/rbac_policy_cache.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/mutex.h"
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

RbacObjects RbacPolicyCache::Read() const {
  return {.cluster_roles = ObjectsOf(storage_, kClusterRoles),
          .roles = ObjectsOf(storage_, kRoles),
          .cluster_role_bindings = ObjectsOf(storage_, kClusterRoleBindings),
          .role_bindings = ObjectsOf(storage_, kRoleBindings)};
}

std::shared_ptr<const RbacPolicy> RbacPolicyCache::Get() {
  base::MutexLock lock(mutex_);
  if (watches_.empty()) {
    for (absl::string_view each : {kClusterRoles, kRoles, kClusterRoleBindings, kRoleBindings}) {
      watches_.push_back(storage_.Watch(each, "", [writes = writes_] { ++*writes; }));
    }
  }
  // A write during Read increments the counter, so that the next call reads again.
  const uint64_t writes = writes_->load();
  if (policy_ == nullptr || policy_writes_ != writes) {
    policy_ = std::make_shared<const RbacPolicy>(Read());
    policy_writes_ = writes;
  }
  return policy_;
}

}  // namespace kube::apiserver::internal
