#include "envtest/workloads/internal/apps/deployment.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/meta/owner_reference.h"
#include "envtest/workloads/internal/apps/deployment_status.h"
#include "envtest/workloads/internal/apps/rollout.h"
#include "envtest/workloads/internal/apps/template_hash.h"
#include "envtest/workloads/internal/cluster/pods.h"

namespace kube::envtest::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;

bool IsOlder(const appsv1::ReplicaSet& a, const appsv1::ReplicaSet& b) {
  return std::make_tuple(a.metadata.creation_timestamp, a.metadata.name.view()) <
         std::make_tuple(b.metadata.creation_timestamp, b.metadata.name.view());
}

// One sync of a deployment, as in kube-controller-manager, which plans writes instead of making
// them, and continues as if they had been made. The new replica set is the oldest one whose
// template equals that of the deployment. A paused deployment is only scaled, and so is one whose
// size has changed since its replica sets were annotated. Otherwise RollOut scales the new replica
// set up and old ones down step by step, or Recreate removes the old pods before it creates new
// ones.
class Sync {
 public:
  Sync(const appsv1::Deployment& deployment, const Objects<appsv1::ReplicaSet>& sets,
       const Objects<corev1::Pod>& pods, absl::Time now);

  DeploymentPlan Run();

 private:
  // What is planned for one of the deployment's replica sets.
  struct Entry {
    appsv1::ReplicaSet set = {};
    std::shared_ptr<const appsv1::ReplicaSet> stored = {};  // null for a new one
    bool changed = false;
  };

  int32_t Wanted() const { return *deployment_.spec.replicas; }
  ReplicaSetRefs All() const;
  const appsv1::ReplicaSet* NewestSet() const;
  std::vector<Entry*> Old();
  std::vector<Entry*> ActiveOld();

  void MarkPaused();
  void SyncRevision();
  bool CreateNewest();
  bool ScaleTo(Entry& entry, int32_t replicas);
  bool IsScalingEvent() const;
  void ScaleAll();
  void ScaleProportionally();
  bool ScaleUpNewest();
  bool ScaleDownOld();
  bool OldPodsRun() const;
  void RollOut();
  void Recreate();
  void CleanUp();
  void SetStatus(appsv1::DeploymentStatus status) { deployment_.status = std::move(status); }

  const appsv1::Deployment& stored_;
  const Objects<appsv1::ReplicaSet>& all_sets_;
  const Objects<corev1::Pod>& pods_;
  const absl::Time now_;
  appsv1::Deployment deployment_;
  std::vector<Entry> entries_;  // oldest first; a new one is added at the end
  Entry* newest_ = nullptr;
  DeploymentPlan plan_;
};

Sync::Sync(const appsv1::Deployment& deployment, const Objects<appsv1::ReplicaSet>& sets,
           const Objects<corev1::Pod>& pods, absl::Time now)
    : stored_(deployment), all_sets_(sets), pods_(pods), now_(now), deployment_(deployment) {
  for (const auto& set : sets) {
    if (!meta::IsControlledBy(set->metadata, deployment.metadata)) continue;
    entries_.push_back({.set = *set, .stored = set});
  }
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) { return IsOlder(a.set, b.set); });
  entries_.reserve(entries_.size() + 1);
  for (Entry& entry : entries_) {
    if (newest_ == nullptr && IsSameTemplate(entry.set.spec.template_, deployment.spec.template_)) {
      newest_ = &entry;
    }
  }
}

ReplicaSetRefs Sync::All() const {
  ReplicaSetRefs all;
  for (const Entry& entry : entries_) all.push_back(&entry.set);
  return all;
}

const appsv1::ReplicaSet* Sync::NewestSet() const {
  return newest_ == nullptr ? nullptr : &newest_->set;
}

std::vector<Sync::Entry*> Sync::Old() {
  std::vector<Entry*> old;
  for (Entry& entry : entries_) {
    if (&entry != newest_) old.push_back(&entry);
  }
  return old;
}

std::vector<Sync::Entry*> Sync::ActiveOld() {
  std::vector<Entry*> old = Old();
  old.erase(std::remove_if(old.begin(), old.end(),
                           [](const Entry* each) { return *each->set.spec.replicas == 0; }),
            old.end());
  return old;
}

// (Go: `checkPausedConditions`)
void Sync::MarkPaused() {
  if (!HasProgressDeadline(deployment_)) return;
  const appsv1::DeploymentCondition* current = FindCondition(deployment_.status, "Progressing");
  if (current != nullptr && current->reason == "ProgressDeadlineExceeded") return;
  const bool was_paused = current != nullptr && current->reason == "DeploymentPaused";
  if (deployment_.spec.paused == was_paused) return;
  SetCondition(deployment_.status, deployment_.spec.paused
                                       ? NewCondition("Progressing", "Unknown", "DeploymentPaused",
                                                      "Deployment is paused", now_)
                                       : NewCondition("Progressing", "Unknown", "DeploymentResumed",
                                                      "Deployment is resumed", now_));
}

// Updates the revision of an existing new replica set. (Go: `getNewReplicaSet`, first part)
void Sync::SyncRevision() {
  if (newest_ == nullptr) return;
  ReplicaSetRefs old;
  for (const Entry* entry : Old()) old.push_back(&entry->set);
  appsv1::ReplicaSet& set = newest_->set;
  if (SetRevision(deployment_, MaxRevision(old) + 1, set)) newest_->changed = true;
  if (set.spec.min_ready_seconds != deployment_.spec.min_ready_seconds) {
    set.spec.min_ready_seconds = deployment_.spec.min_ready_seconds;
    newest_->changed = true;
  }
  deployment_.metadata.annotations[kRevision] = set.metadata.annotations.value_or(kRevision, "");
  if (HasProgressDeadline(deployment_) &&
      FindCondition(deployment_.status, "Progressing") == nullptr) {
    SetCondition(deployment_.status, NewCondition("Progressing", "True", "FoundNewReplicaSet",
                                                  absl::StrCat("Found new replica set \"",
                                                               set.metadata.name.view(), "\""),
                                                  now_));
  }
}

// Plans the new replica set if it does not exist. Returns false if its name is taken; the next sync
// tries another name. (Go: `getNewReplicaSet`, second part)
bool Sync::CreateNewest() {
  if (newest_ != nullptr) return true;
  const std::string hash =
      TemplateHash(deployment_.spec.template_, deployment_.status.collision_count);
  appsv1::ReplicaSet set;
  set.metadata.name = ReplicaSetName(deployment_.metadata.name.view(), hash);
  for (const auto& other : all_sets_) {
    if (other->metadata.name != set.metadata.name) continue;
    deployment_.status.collision_count = deployment_.status.collision_count.value_or(0) + 1;
    return false;
  }
  set.metadata.namespace_ = deployment_.metadata.namespace_;
  set.metadata.owner_references.push_back(meta::NewControllerRef(
      deployment_.metadata, {.group = "apps", .version = "v1", .kind = "Deployment"}));
  set.spec.replicas = 0;
  set.spec.min_ready_seconds = deployment_.spec.min_ready_seconds;
  set.spec.selector = deployment_.spec.selector;
  set.spec.selector->match_labels[kTemplateHashLabel] = hash;
  set.spec.template_ = deployment_.spec.template_;
  set.spec.template_.metadata.labels[kTemplateHashLabel] = hash;
  set.metadata.labels = set.spec.template_.metadata.labels;

  const int64_t revision = MaxRevision(All()) + 1;
  set.spec.replicas = NewReplicas(deployment_, All(), set);
  SetRevision(deployment_, revision, set);
  SetReplicasAnnotations(deployment_, set);
  deployment_.metadata.annotations[kRevision] = absl::StrCat(revision);
  if (HasProgressDeadline(deployment_)) {
    SetCondition(deployment_.status, NewCondition("Progressing", "True", "NewReplicaSetCreated",
                                                  absl::StrCat("Created new replica set \"",
                                                               set.metadata.name.view(), "\""),
                                                  now_));
  }
  entries_.push_back({.set = std::move(set), .changed = true});
  newest_ = &entries_.back();
  return true;
}

// Returns whether the size changes. (Go: `scaleReplicaSet`)
bool Sync::ScaleTo(Entry& entry, int32_t replicas) {
  if (*entry.set.spec.replicas == replicas) return false;
  entry.set.spec.replicas = replicas;
  SetReplicasAnnotations(deployment_, entry.set);
  entry.changed = true;
  return true;
}

bool Sync::IsScalingEvent() const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    const int32_t desired = DesiredReplicas(entry.set);
    return *entry.set.spec.replicas > 0 && desired >= 0 && desired != Wanted();
  });
}

// (Go: `scale`)
void Sync::ScaleAll() {
  std::vector<Entry*> active = ActiveOld();
  if (newest_ != nullptr && *newest_->set.spec.replicas > 0) active.push_back(newest_);
  if (entries_.empty()) return;
  if (active.size() <= 1) {
    Entry* only = !active.empty() ? active[0] : newest_ != nullptr ? newest_ : &entries_.back();
    ScaleTo(*only, Wanted());
    return;
  }
  if (IsSaturated(deployment_, NewestSet())) {
    for (Entry* entry : ActiveOld()) ScaleTo(*entry, 0);
    return;
  }
  if (IsRollingUpdate(deployment_)) ScaleProportionally();
}

void Sync::ScaleProportionally() {
  std::vector<Entry*> active = ActiveOld();
  if (newest_ != nullptr && *newest_->set.spec.replicas > 0) active.push_back(newest_);
  ReplicaSetRefs sets;
  for (const Entry* entry : active) sets.push_back(&entry->set);
  const int32_t allowed = Wanted() > 0 ? Wanted() + MaxSurge(deployment_) : 0;
  const int32_t to_add = allowed - WantedReplicas(sets);
  // Largest first; among equals the newest if they grow, and the oldest if they shrink.
  std::sort(active.begin(), active.end(), [&](const Entry* a, const Entry* b) {
    const int32_t size_a = *a->set.spec.replicas;
    const int32_t size_b = *b->set.spec.replicas;
    if (size_a != size_b) return size_a > size_b;
    return to_add > 0 ? IsOlder(b->set, a->set) : IsOlder(a->set, b->set);
  });
  int32_t added = 0;
  std::vector<int32_t> sizes;
  for (const Entry* entry : active) {
    const int32_t share = Proportion(entry->set, deployment_, to_add, added);
    sizes.push_back(*entry->set.spec.replicas + share);
    added += share;
  }
  // The largest one gets what is left from rounding.
  sizes[0] = std::max(sizes[0] + to_add - added, 0);
  for (size_t i = 0; i < active.size(); ++i) {
    active[i]->set.spec.replicas = sizes[i];
    const bool annotated = SetReplicasAnnotations(deployment_, active[i]->set);
    if (annotated || sizes[i] != *active[i]->stored->spec.replicas) active[i]->changed = true;
  }
}

// (Go: `reconcileNewReplicaSet`)
bool Sync::ScaleUpNewest() {
  const int32_t size = *newest_->set.spec.replicas;
  if (size == Wanted()) return false;
  if (size > Wanted()) return ScaleTo(*newest_, Wanted());
  return ScaleTo(*newest_, NewReplicas(deployment_, All(), newest_->set));
}

// Removes unavailable pods first, then as many as the new pods make up for.
// (Go: `reconcileOldReplicaSets`)
bool Sync::ScaleDownOld() {
  const std::vector<Entry*> old = ActiveOld();
  if (old.empty()) return false;
  const int32_t min_available = Wanted() - MaxUnavailable(deployment_);
  const int32_t new_unavailable =
      *newest_->set.spec.replicas - newest_->set.status.available_replicas;
  int32_t unhealthy = WantedReplicas(All()) - min_available - new_unavailable;
  if (unhealthy <= 0) return false;
  bool scaled = false;
  int32_t available = newest_->set.status.available_replicas;
  for (Entry* entry : old) {
    const int32_t size = *entry->set.spec.replicas;
    available += entry->set.status.available_replicas;
    const int32_t less = std::min(unhealthy, size - entry->set.status.available_replicas);
    if (less <= 0) continue;
    if (ScaleTo(*entry, size - less)) scaled = true;
    unhealthy -= less;
  }
  int32_t spare = available - min_available;
  for (Entry* entry : old) {
    if (spare <= 0) break;
    const int32_t size = *entry->set.spec.replicas;
    const int32_t less = std::min(size, spare);
    if (ScaleTo(*entry, size - less)) scaled = true;
    spare -= less;
  }
  return scaled;
}

// (Go: `oldPodsRunning`)
bool Sync::OldPodsRun() const {
  for (const Entry& entry : entries_) {
    if (&entry != newest_ && entry.set.status.replicas > 0) return true;
  }
  return std::any_of(pods_.begin(), pods_.end(), [&](const auto& pod) {
    if (newest_ != nullptr && meta::IsControlledBy(pod->metadata, newest_->set.metadata)) {
      return false;
    }
    return pod->status.phase != "Failed" && pod->status.phase != "Succeeded";
  });
}

// (Go: `rolloutRolling`)
void Sync::RollOut() {
  if (!CreateNewest()) return;
  const bool scaled = ScaleUpNewest() || ScaleDownOld();
  if (!scaled && IsComplete(deployment_, deployment_.status)) CleanUp();
  SetStatus(RolloutStatus(deployment_, All(), NewestSet(), now_));
}

// (Go: `rolloutRecreate`)
void Sync::Recreate() {
  bool scaled = false;
  for (Entry* entry : ActiveOld()) scaled = ScaleTo(*entry, 0) || scaled;
  if (!scaled && !OldPodsRun()) {
    if (!CreateNewest()) return;
    ScaleTo(*newest_, Wanted());
    if (IsComplete(deployment_, deployment_.status)) CleanUp();
  }
  SetStatus(RolloutStatus(deployment_, All(), NewestSet(), now_));
}

// (Go: `cleanupDeployment`)
void Sync::CleanUp() {
  const auto& limit = deployment_.spec.revision_history_limit;
  if (!limit.has_value() || *limit == std::numeric_limits<int32_t>::max()) return;
  std::vector<Entry*> old;
  for (Entry* entry : Old()) {
    if (!entry->set.metadata.deletion_timestamp.has_value()) old.push_back(entry);
  }
  std::stable_sort(old.begin(), old.end(), [](const Entry* a, const Entry* b) {
    return RevisionOf(a->set) < RevisionOf(b->set);
  });
  const int64_t excess = static_cast<int64_t>(old.size()) - *limit;
  for (int64_t i = 0; i < excess; ++i) {
    const appsv1::ReplicaSet& set = old[static_cast<size_t>(i)]->set;
    const bool empty = set.status.replicas == 0 && *set.spec.replicas == 0 &&
                       set.metadata.generation <= set.status.observed_generation;
    if (empty) plan_.remove.push_back(old[static_cast<size_t>(i)]->stored);
  }
}

DeploymentPlan Sync::Run() {
  if (deployment_.metadata.deletion_timestamp.has_value()) {
    SetStatus(CountStatus(deployment_, All(), NewestSet(), now_));
  } else {
    MarkPaused();
    SyncRevision();
    if (deployment_.spec.paused || IsScalingEvent()) {
      ScaleAll();
      if (deployment_.spec.paused) CleanUp();
      SetStatus(CountStatus(deployment_, All(), NewestSet(), now_));
    } else if (IsRollingUpdate(deployment_)) {
      RollOut();
    } else {
      Recreate();
    }
  }
  for (Entry& entry : entries_) {
    if (!entry.changed) continue;
    (entry.stored == nullptr ? plan_.create : plan_.update).push_back(std::move(entry.set));
  }
  plan_.again = NextProgressCheck(deployment_, deployment_.status);
  if (deployment_ != stored_) plan_.status = std::move(deployment_);
  return std::move(plan_);
}

}  // namespace

DeploymentPlan PlanDeployment(const appsv1::Deployment& deployment,
                              const Objects<appsv1::ReplicaSet>& sets,
                              const Objects<corev1::Pod>& pods, absl::Time now) {
  return Sync(deployment, sets, pods, now).Run();
}

}  // namespace kube::envtest::internal
