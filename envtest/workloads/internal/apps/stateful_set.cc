#include "envtest/workloads/internal/apps/stateful_set.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "envtest/workloads/internal/apps/controller_revisions.h"
#include "envtest/workloads/internal/apps/stateful_pods.h"
#include "envtest/workloads/internal/cluster/pods.h"

namespace kube::envtest::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;

bool IsDeleted(const corev1::Pod& pod) { return pod.metadata.deletion_timestamp.has_value(); }

absl::string_view RevisionNameOf(const corev1::Pod& pod) {
  const String* name = pod.metadata.labels.find(kRevisionHashLabel);
  return name == nullptr ? absl::string_view() : name->view();
}

// One sync of a stateful set, as in kube-controller-manager, which plans writes instead of making
// them. The pods are divided into replicas (ordinals that should exist) and condemned ones. In this
// order, it creates or replaces replicas from the lowest ordinal up, removes condemned pods from
// the highest ordinal down, and replaces pods of an old revision from the highest ordinal down.
// With OrderedReady, it stops at the first pod that is not available.
class Sync {
 public:
  Sync(const appsv1::StatefulSet& set, const Objects<corev1::Pod>& pods,
       const Objects<corev1::PersistentVolumeClaim>& claims, const Revisions& revisions,
       absl::Time now);

  StatefulSetPlan Run();

 private:
  using PodPtr = std::shared_ptr<const corev1::Pod>;

  int replicas() const { return set_.spec.replicas.value_or(1); }
  int start() const { return set_.spec.ordinals ? set_.spec.ordinals->start : 0; }
  bool ordered() const { return set_.spec.pod_management_policy != "Parallel"; }
  bool rolls() const { return set_.spec.update_strategy.type == "RollingUpdate"; }
  int Partition() const;

  void FindCurrent();
  void Sort();
  void Count();
  bool IsRunningAndReady(const corev1::Pod& pod) const;
  bool IsAvailable(const corev1::Pod& pod) const;
  bool IsUnavailable(const PodPtr& pod) const;
  PodPtr FirstUnavailable() const;
  void Remove(const PodPtr& pod) { plan_.remove.push_back(pod); }

  bool PlanReplica(size_t index);
  bool PlanCondemned(const PodPtr& pod, const PodPtr& first_unavailable);
  void PlanUpdate();
  void CreatePod(int ordinal);
  bool CreateClaims(int ordinal);
  void UpdateClaims(const corev1::Pod& pod, int ordinal, bool condemned);
  void FinishUpdate();
  void LimitHistory();

  const appsv1::StatefulSet& set_;
  const Objects<corev1::Pod>& pods_;
  const Objects<corev1::PersistentVolumeClaim>& claims_;
  const absl::Time now_;
  // The revision of pods that are not updated yet.
  std::string current_name_;
  corev1::PodTemplateSpec current_template_;
  std::string update_name_;
  std::vector<PodPtr> replicas_;   // by ordinal, from start(); null if the pod is missing
  std::vector<PodPtr> condemned_;  // all others, highest ordinal first
  appsv1::StatefulSetStatus status_;
  StatefulSetPlan plan_;
};

Sync::Sync(const appsv1::StatefulSet& set, const Objects<corev1::Pod>& pods,
           const Objects<corev1::PersistentVolumeClaim>& claims, const Revisions& revisions,
           absl::Time now)
    : set_(set), pods_(pods), claims_(claims), now_(now) {
  plan_.revision = PlanRevision(set, revisions);
  update_name_ = std::string(plan_.revision.newest.metadata.name);
  FindCurrent();
  Sort();
}

int Sync::Partition() const {
  const auto& rolling = set_.spec.update_strategy.rolling_update;
  return rolling ? rolling->partition.value_or(0) : 0;
}

void Sync::FindCurrent() {
  current_name_ = update_name_;
  current_template_ = set_.spec.template_;
  for (const auto& each : plan_.revision.others) {
    if (each->metadata.name != set_.status.current_revision) continue;
    current_name_ = std::string(each->metadata.name);
    current_template_ = TemplateOf(*each, set_.spec.template_);
  }
}

void Sync::Sort() {
  replicas_.resize(static_cast<size_t>(replicas()));
  for (const PodPtr& pod : pods_) {
    const int ordinal = OrdinalOf(set_, *pod);
    if (ordinal < 0) continue;
    if (ordinal >= start() && ordinal < start() + replicas()) {
      replicas_[static_cast<size_t>(ordinal - start())] = pod;
    } else {
      condemned_.push_back(pod);
    }
  }
  std::sort(condemned_.begin(), condemned_.end(), [&](const PodPtr& a, const PodPtr& b) {
    return OrdinalOf(set_, *a) > OrdinalOf(set_, *b);
  });
}

bool Sync::IsRunningAndReady(const corev1::Pod& pod) const {
  return pod.status.phase == "Running" && IsReady(pod);
}

bool Sync::IsAvailable(const corev1::Pod& pod) const {
  return AvailableFrom(pod, set_.spec.min_ready_seconds) <= now_;
}

bool Sync::IsUnavailable(const PodPtr& pod) const {
  return pod == nullptr || !IsAvailable(*pod) || IsDeleted(*pod);
}

// Returns null if all are available, or if the first unavailable one does not exist.
Sync::PodPtr Sync::FirstUnavailable() const {
  for (const PodPtr& pod : replicas_) {
    if (IsUnavailable(pod)) return pod;
  }
  for (auto pod = condemned_.rbegin(); pod != condemned_.rend(); ++pod) {
    if (IsUnavailable(*pod)) return *pod;
  }
  return nullptr;
}

// (Go: `updateStatus`)
void Sync::Count() {
  status_.observed_generation = set_.metadata.generation;
  status_.current_revision = current_name_;
  status_.update_revision = update_name_;
  status_.collision_count = plan_.revision.collision_count.value_or(0);
  status_.conditions = set_.status.conditions;
  for (const PodPtr& pod : pods_) {
    if (OrdinalOf(set_, *pod) < 0) continue;
    ++status_.replicas;
    if (IsRunningAndReady(*pod)) {
      ++status_.ready_replicas;
      const absl::Time available = AvailableFrom(*pod, set_.spec.min_ready_seconds);
      if (available <= now_) {
        ++status_.available_replicas;
      } else {
        plan_.again = std::min(plan_.again, available);
      }
    }
    if (IsDeleted(*pod)) continue;
    if (RevisionNameOf(*pod) == current_name_) ++status_.current_replicas;
    if (RevisionNameOf(*pod) == update_name_) ++status_.updated_replicas;
  }
}

// Returns false if a claim that is being deleted must disappear first.
bool Sync::CreateClaims(int ordinal) {
  const std::string pod_name = absl::StrCat(set_.metadata.name.view(), "-", ordinal);
  std::vector<corev1::PersistentVolumeClaim> missing;
  for (corev1::PersistentVolumeClaim& wanted : ClaimsOf(set_, ordinal)) {
    const auto found = std::find_if(claims_.begin(), claims_.end(), [&](const auto& claim) {
      return claim->metadata.name == wanted.metadata.name;
    });
    if (found == claims_.end()) {
      wanted.metadata.owner_references = ClaimOwners(wanted, set_, {}, false);
      missing.push_back(std::move(wanted));
    } else if (IsStale(**found, set_, pod_name)) {
      return false;
    }
  }
  std::move(missing.begin(), missing.end(), std::back_inserter(plan_.create_claims));
  return true;
}

void Sync::UpdateClaims(const corev1::Pod& pod, int ordinal, bool condemned) {
  for (const corev1::PersistentVolumeClaim& wanted : ClaimsOf(set_, ordinal)) {
    for (const auto& claim : claims_) {
      if (claim->metadata.name != wanted.metadata.name) continue;
      const auto owners = ClaimOwners(*claim, set_, pod.metadata, condemned);
      if (owners == claim->metadata.owner_references) continue;
      plan_.update_claims.push_back(*claim);
      plan_.update_claims.back().metadata.owner_references = owners;
    }
  }
}

// Pods below the partition get the current revision, and so do pods that are replaced during an
// update without a partition. (Go: `newVersionedStatefulSetPod`)
void Sync::CreatePod(int ordinal) {
  if (!CreateClaims(ordinal)) return;
  const bool partitioned = static_cast<bool>(set_.spec.update_strategy.rolling_update);
  const int updated_from = partitioned ? Partition() : rolls() ? set_.status.current_replicas : 0;
  const bool current = ordinal < start() + updated_from;
  plan_.create.push_back(NewStatefulPod(set_, current ? current_template_ : set_.spec.template_,
                                        current ? current_name_ : update_name_, ordinal));
}

// Returns whether the pods after it must wait. (Go: `processReplica`)
bool Sync::PlanReplica(size_t index) {
  const PodPtr& pod = replicas_[index];
  const int ordinal = start() + static_cast<int>(index);
  if (pod == nullptr) {
    CreatePod(ordinal);
    return true;
  }
  if (HasEnded(*pod)) {
    if (IsDeleted(*pod)) return true;
    const absl::Time replace = ReplaceFrom(*pod);
    plan_.again = std::min(plan_.again, replace);
    if (replace <= now_) Remove(pod);
    return true;
  }
  if (pod->status.phase == "Pending") CreateClaims(ordinal);
  if (ordered() && IsUnavailable(pod)) return true;
  UpdateClaims(*pod, ordinal, false);
  if (!HasIdentity(*pod)) {
    plan_.update.push_back(*pod);
    SetIdentity(ordinal, plan_.update.back());
  }
  return false;
}

// Returns whether the pods after it must wait. (Go: `processCondemned`)
bool Sync::PlanCondemned(const PodPtr& pod, const PodPtr& first_unavailable) {
  if (IsDeleted(*pod)) return true;
  const bool healthy = IsRunningAndReady(*pod) && IsAvailable(*pod);
  if (ordered() && !healthy && pod != first_unavailable) return true;
  Remove(pod);
  return true;
}

// Replaces the pod with the highest outdated ordinal once all above it are available.
void Sync::PlanUpdate() {
  if (!rolls()) return;
  for (int index = replicas() - 1; index >= Partition(); --index) {
    const PodPtr& pod = replicas_[static_cast<size_t>(index)];
    if (pod != nullptr && RevisionNameOf(*pod) != update_name_ && !IsDeleted(*pod)) {
      // Kubernetes does not check whether the pod is already being removed.
      if (std::find(plan_.remove.begin(), plan_.remove.end(), pod) == plan_.remove.end()) {
        Remove(pod);
        if (RevisionNameOf(*pod) == current_name_) --status_.current_replicas;
      }
      return;
    }
    if (IsUnavailable(pod)) return;
  }
}

// (Go: `completeRollingUpdate`)
void Sync::FinishUpdate() {
  const int32_t wanted = replicas();
  if (!rolls() || status_.updated_replicas != wanted || status_.ready_replicas != wanted ||
      status_.replicas != wanted) {
    return;
  }
  status_.current_replicas = status_.updated_replicas;
  status_.current_revision = status_.update_revision;
}

// (Go: `truncateHistory`)
void Sync::LimitHistory() {
  std::set<std::string> live = {current_name_};
  for (const PodPtr& pod : pods_) live.insert(std::string(RevisionNameOf(*pod)));
  Revisions& history = plan_.remove_revisions;
  for (const auto& each : plan_.revision.others) {
    if (live.count(std::string(each->metadata.name)) == 0) history.push_back(each);
  }
  const auto limit = static_cast<size_t>(set_.spec.revision_history_limit.value_or(10));
  history.resize(history.size() > limit ? history.size() - limit : 0);
}

StatefulSetPlan Sync::Run() {
  Count();
  if (!set_.metadata.deletion_timestamp.has_value()) {
    bool wait = false;
    for (size_t i = 0; i < replicas_.size() && !wait; ++i) wait = PlanReplica(i) && ordered();
    if (!wait) {
      for (const PodPtr& pod : condemned_) UpdateClaims(*pod, OrdinalOf(set_, *pod), true);
      const PodPtr first_unavailable = FirstUnavailable();
      for (size_t i = 0; i < condemned_.size() && !wait; ++i) {
        wait = PlanCondemned(condemned_[i], first_unavailable) && ordered();
      }
    }
    if (!wait) PlanUpdate();
  }
  FinishUpdate();
  LimitHistory();
  if (status_ != set_.status) plan_.status = std::move(status_);
  return std::move(plan_);
}

}  // namespace

StatefulSetPlan PlanStatefulSet(const appsv1::StatefulSet& set, const Objects<corev1::Pod>& pods,
                                const Objects<corev1::PersistentVolumeClaim>& claims,
                                const Revisions& revisions, absl::Time now) {
  return Sync(set, pods, claims, revisions, now).Run();
}

}  // namespace kube::envtest::internal
