// Each round reads all cluster roles and writes those whose rules have to change. A role may select
// roles that are aggregated themselves, so each write leads to another round, until a round writes
// nothing. Roles that select each other could go on for ever; they are left alone after kMaxRounds.

#include "apiserver/registry/role_aggregator.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/rbac/v1/types.kube.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/types/list.h"
#include "apiserver/object.h"
#include "apiserver/registry/aggregated_rules.h"
#include "apiserver/registry/registry.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"

namespace kube::apiserver::internal {
namespace {

namespace rbacv1 = api::rbac::v1;

constexpr absl::string_view kGroup = "rbac.authorization.k8s.io";
constexpr absl::string_view kStorage = "rbac.authorization.k8s.io/clusterroles";
constexpr int kMaxRounds = 100;

}  // namespace

void RoleAggregator::Observe(const Resource& resource) {
  if (enabled_ && resource.storage == kStorage) changed_ = true;
}

void RoleAggregator::Settle() {
  int rounds = 0;
  while (changed_) {
    {
      base::MutexLock lock(mutex_);
      if (settling_) return;
      settling_ = true;
    }
    changed_ = false;
    AggregateAll();
    if (++rounds == kMaxRounds) changed_ = false;
    base::MutexLock lock(mutex_);
    settling_ = false;
  }
}

void RoleAggregator::AggregateAll() {
  absl::StatusOr<ListResult> list = storage_.List(kStorage, {});
  if (!list.ok()) return;
  std::vector<ObjectPtr> objects;
  std::vector<const rbacv1::ClusterRole*> all;
  for (ListItem& item : list->items) {
    objects.push_back(std::move(item.object));
    all.push_back(objects.back()->object().As<rbacv1::ClusterRole>());
  }
  for (size_t i = 0; i < all.size(); ++i) {
    const std::optional<List<rbacv1::PolicyRule>> rules = AggregatedRules(*all[i], all);
    if (!rules.has_value() || *rules == all[i]->rules) continue;
    const ObjectPtr written = Write(*all[i], *rules);
    if (written == nullptr) continue;
    // The roles behind it see the new rules.
    objects[i] = written;
    all[i] = written->object().As<rbacv1::ClusterRole>();
  }
}

ObjectPtr RoleAggregator::Write(const rbacv1::ClusterRole& role,
                                const List<rbacv1::PolicyRule>& rules) {
  const std::shared_ptr<const Resources> resources = resources_.Get();
  absl::StatusOr<Written> written = registry_.Update(
      {.resource = resources->Find(kGroup, "v1", "clusterroles"), .name = role.metadata.name},
      [&](const StoredObject& current) -> absl::StatusOr<Object> {
        // It was changed meanwhile, which leads to another round.
        if (current.metadata().resource_version != role.metadata.resource_version) {
          return absl::CancelledError("role was modified");
        }
        Object changed = current.object().Copy();
        changed.As<rbacv1::ClusterRole>()->rules = rules;
        return changed;
      });
  return written.ok() ? std::move(written->object) : nullptr;
}

}  // namespace kube::apiserver::internal
