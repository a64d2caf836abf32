#include "envtest/workloads/internal/adoption.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/batch/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/labels/label_selector.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/schema/group_version.h"
#include "envtest/workloads/internal/apps/stateful_pods.h"
#include "envtest/workloads/internal/batch/job.h"
#include "envtest/workloads/internal/cluster/cluster.h"
#include "envtest/workloads/internal/cluster/grouping.h"
#include "envtest/workloads/internal/cluster/outcome.h"
#include "envtest/workloads/internal/cluster/pods.h"
#include "envtest/workloads/internal/cluster/ref_manager.h"

namespace kube::envtest::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace batchv1 = api::batch::v1;
namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;

schema::GroupVersionKind Apps(absl::string_view kind) {
  return {.group = "apps", .version = "v1", .kind = std::string(kind)};
}

// The rules of one kind of controllers.
struct Rules {
  schema::GroupVersionKind kind = {};
  absl::string_view finalizer = "";
  bool releases = true;
  // Whether this is the claim after which the controllers may work.
  bool completes = true;
};

struct Pass {
  const Context& ctx;
  Outcome& outcome;
  std::set<std::string> seen = {};
};

// Returns whether the owner still exists and is not being deleted.
template <typename Owners, typename Owner>
bool CanAdopt(Pass& pass, const Owners& owners, const Owner& owner) {
  const auto fresh = owners.client()
                         .Namespace(owner.metadata.namespace_.view())
                         .Get(pass.ctx, owner.metadata.name.view());
  if (!fresh.ok()) {
    if (!errors::IsNotFound(fresh.status())) pass.outcome.Note(fresh.status(), "a controller");
    return false;
  }
  return fresh->metadata.uid == owner.metadata.uid &&
         !fresh->metadata.deletion_timestamp.has_value();
}

// What an owner may have to claim or release. All other objects, which may be many, are not its
// concern.
template <typename T>
struct Candidates {
  std::map<std::string, Objects<T>> own = {};      // by the UID of their controller
  std::map<std::string, Objects<T>> orphans = {};  // by namespace

  Objects<T> For(const metav1::ObjectMeta& owner) const {
    Objects<T> all = Of(own, owner.uid);
    const Objects<T> loose = Of(orphans, owner.namespace_);
    all.insert(all.end(), loose.begin(), loose.end());
    return all;
  }
};

template <typename T>
Candidates<T> CandidatesOf(const Objects<T>& objects) {
  Candidates<T> candidates = {.own = ByController(objects)};
  for (const auto& object : objects) {
    if (meta::GetControllerOf(object->metadata) != nullptr) continue;
    candidates.orphans[std::string(object->metadata.namespace_)].push_back(object);
  }
  return candidates;
}

// Lets each of `owners` claim those of `objects` for which `looks(owner, object)` holds; the object
// matches if both its labels do and `member(owner, object)` holds. An object that was written in
// this pass is left alone, as the list of all was made before.
template <typename Owners, typename Dependents, typename Looks, typename Member>
void ClaimAll(Pass& pass, const Rules& rules, const Owners& owners, Dependents& objects,
              const Looks& looks, const Member& member) {
  const auto all_owners = owners.All();
  if (all_owners.empty()) return;
  const auto candidates = CandidatesOf(objects.All());
  std::set<std::string> written;  // UIDs
  for (const auto& owner : all_owners) {
    if (rules.completes) pass.seen.insert(std::string(owner->metadata.uid));
    const auto all = candidates.For(owner->metadata);
    if (all.empty()) continue;
    const absl::StatusOr<labels::Selector> selector =
        labels::LabelSelectorAsSelector(owner->spec.selector.get());
    if (!selector.ok()) continue;
    std::optional<bool> can_adopt;
    for (const auto& object : all) {
      if (!looks(*owner, *object) || written.count(std::string(object->metadata.uid)) != 0) {
        continue;
      }
      const bool matches = selector->Matches(object->metadata.labels) && member(*owner, *object);
      const Claim claim = ClaimOf(owner->metadata, matches, object->metadata);
      if (claim == Claim::kIgnore || claim == Claim::kKeep) continue;
      if (claim == Claim::kRelease && !rules.releases) continue;
      auto changed = *object;
      if (claim == Claim::kRelease) {
        Release(owner->metadata, rules.finalizer, changed.metadata);
      } else {
        if (!can_adopt.has_value()) can_adopt = CanAdopt(pass, owners, *owner);
        if (!*can_adopt) continue;
        Adopt(owner->metadata, rules.kind, rules.finalizer, changed.metadata);
      }
      written.insert(std::string(object->metadata.uid));
      const absl::Status status = objects.Update(pass.ctx, changed);
      // Otherwise the object is gone.
      if (!errors::IsNotFound(status)) pass.outcome.Note(status, "the owner of an object");
    }
  }
}

constexpr auto kAll = [](const auto&, const auto&) { return true; };

// (Go: `syncJob`, which leaves finished jobs and those of others alone)
bool IsAtWork(const batchv1::Job& job, const corev1::Pod&) {
  const auto& manager = job.spec.managed_by;
  if (manager.has_value() && *manager != "kubernetes.io/job-controller") return false;
  for (const batchv1::JobCondition& each : job.status.conditions) {
    if ((each.type == "Complete" || each.type == "Failed") && each.status == "True") return false;
  }
  return true;
}

bool IsActiveOne(const appsv1::ReplicaSet&, const corev1::Pod& pod) { return IsActive(pod); }

bool HasItsName(const appsv1::StatefulSet& set, const corev1::Pod& pod) {
  return OrdinalOf(set, pod) >= 0;
}

}  // namespace

std::set<std::string> AdoptAndRelease(const Context& ctx, Cluster& cluster, Outcome& outcome) {
  Pass pass = {.ctx = ctx, .outcome = outcome};
  ClaimAll(pass, {.kind = Apps("Deployment")}, cluster.deployments, cluster.replica_sets, kAll,
           kAll);
  ClaimAll(pass, {.kind = Apps("ReplicaSet")}, cluster.replica_sets, cluster.pods, IsActiveOne,
           kAll);
  ClaimAll(pass, {.kind = Apps("StatefulSet")}, cluster.stateful_sets, cluster.pods, kAll,
           HasItsName);
  ClaimAll(pass, {.kind = Apps("StatefulSet"), .releases = false, .completes = false},
           cluster.stateful_sets, cluster.revisions, kAll, kAll);
  ClaimAll(pass, {.kind = Apps("DaemonSet")}, cluster.daemon_sets, cluster.pods, kAll, kAll);
  ClaimAll(pass, {.kind = Apps("DaemonSet"), .completes = false}, cluster.daemon_sets,
           cluster.revisions, kAll, kAll);
  ClaimAll(pass,
           {.kind = {.group = "batch", .version = "v1", .kind = "Job"}, .finalizer = kJobTracking},
           cluster.jobs, cluster.pods, IsAtWork, kAll);
  return std::move(pass.seen);
}

}  // namespace kube::envtest::internal
