#include "envtest/workloads/internal/apps/daemon_set.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/intstr/percent.h"
#include "apimachinery/types/int_or_string.h"
#include "apimachinery/types/opt.h"
#include "envtest/workloads/internal/apps/controller_revisions.h"
#include "envtest/workloads/internal/apps/daemon_pods.h"
#include "envtest/workloads/internal/cluster/pods.h"

namespace kube::envtest::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;

// Maximum number of pods created or deleted at once. (Go: `BurstReplicas`)
constexpr size_t kBurst = 250;

bool IsDeleted(const corev1::Pod& pod) { return pod.metadata.deletion_timestamp.has_value(); }

// One sync of a daemon set, as in kube-controller-manager, which plans writes instead of making
// them. Pods are sorted by the node they are for; PlanNode treats each node by itself. Only if that
// leads to no change, Roll replaces old pods: RollOver by deleting them (maxUnavailable),
// RollSurging by creating a second pod on the node (maxSurge).
class Sync {
 public:
  Sync(const appsv1::DaemonSet& set, const Objects<corev1::Pod>& pods,
       const Objects<corev1::Node>& nodes, const Revisions& revisions, absl::Time now);

  DaemonSetPlan Run();

 private:
  using PodPtr = std::shared_ptr<const corev1::Pod>;
  struct Place {
    std::shared_ptr<const corev1::Node> node = {};  // null if the node does not exist
    DaemonFit fit = {};
    std::vector<PodPtr> pods = {};  // oldest first
  };
  // The pods of a node that are not being deleted.
  struct Pair {
    PodPtr updated = {};
    PodPtr old = {};
    bool too_many = false;
  };

  bool rolls() const { return set_.spec.update_strategy.type == "RollingUpdate"; }
  int Count(bool surge, int nodes) const;
  bool surges() const { return Count(true, 1) > 0; }
  bool IsAvailable(const PodPtr& pod);
  Pair PairOf(const Place& place) const;

  void Sort();
  void PlanNode(const Place& place);
  void PlanSurge(const std::vector<PodPtr>& running);
  void RollOver(int max_unavailable);
  void RollSurging(int max_surge, int desired);
  void Roll();
  void Create(const Place& place);
  void Remove(const PodPtr& pod) { plan_.remove.push_back(pod); }
  appsv1::DaemonSetStatus Status();
  void LimitHistory();

  const appsv1::DaemonSet& set_;
  const Objects<corev1::Pod>& pods_;
  const absl::Time now_;
  std::string hash_;
  std::map<std::string, Place> places_;  // by node name
  DaemonSetPlan plan_;
};

Sync::Sync(const appsv1::DaemonSet& set, const Objects<corev1::Pod>& pods,
           const Objects<corev1::Node>& nodes, const Revisions& revisions, absl::Time now)
    : set_(set), pods_(pods), now_(now) {
  plan_.revision = PlanRevision(set, revisions);
  hash_ =
      std::string(plan_.revision.newest.metadata.labels.value_or(kRevisionHashLabel, "").view());
  for (const auto& node : nodes) {
    places_[std::string(node->metadata.name)] = {.node = node, .fit = FitOf(*node, set)};
  }
  Sort();
}

void Sync::Sort() {
  for (const PodPtr& pod : pods_) {
    // Only its removal is left, which others do.
    if (HasEnded(*pod) && IsDeleted(*pod)) continue;
    const std::string node = TargetNode(*pod);
    if (!node.empty()) places_[node].pods.push_back(pod);
  }
  const auto key = [](const corev1::Pod& pod) {
    return std::make_tuple(pod.spec.node_name.empty(), pod.metadata.creation_timestamp,
                           pod.metadata.name.view());
  };
  for (auto& [name, place] : places_) {
    std::sort(place.pods.begin(), place.pods.end(),
              [&](const PodPtr& a, const PodPtr& b) { return key(*a) < key(*b); });
  }
}

// Returns maxSurge or maxUnavailable. (Go: `SurgeCount`, `UnavailableCount`)
int Sync::Count(bool surge, int nodes) const {
  const auto& rolling = set_.spec.update_strategy.rolling_update;
  if (!rolls() || !rolling) return 0;
  const Opt<IntOrString>& value = surge ? rolling->max_surge : rolling->max_unavailable;
  // The values were validated by the server.
  return static_cast<int>(intstr::GetScaledValueFromIntOrPercent(value.value_or(IntOrString()),
                                                                 nodes, intstr::Rounding::kUp)
                              .value_or(0));
}

bool Sync::IsAvailable(const PodPtr& pod) {
  const absl::Time available = AvailableFrom(*pod, set_.spec.min_ready_seconds);
  if (available <= now_) return true;
  plan_.again = std::min(plan_.again, available);
  return false;
}

void Sync::Create(const Place& place) {
  plan_.create.push_back(NewDaemonPod(set_, place.node->metadata.name.view(), hash_));
}

// (Go: `podsShouldBeOnNode`)
void Sync::PlanNode(const Place& place) {
  if (place.node == nullptr) {
    // Pods without a node are deleted by nobody else.
    for (const PodPtr& pod : place.pods) {
      if (pod->spec.node_name.empty()) Remove(pod);
    }
    return;
  }
  if (place.fit.should_run && place.pods.empty()) return Create(place);
  std::vector<PodPtr> running;
  for (const PodPtr& pod : place.pods) {
    if (IsDeleted(*pod)) continue;
    if (!place.fit.should_stay) {
      Remove(pod);
    } else if (!HasEnded(*pod)) {
      running.push_back(pod);
    } else if (ReplaceFrom(*pod) <= now_) {
      Remove(pod);
    } else {
      plan_.again = std::min(plan_.again, ReplaceFrom(*pod));
    }
  }
  if (!place.fit.should_stay) return;
  if (!surges()) {
    for (size_t i = 1; i < running.size(); ++i) Remove(running[i]);
  } else if (running.empty()) {
    if (place.fit.should_run) Create(place);
  } else if (running.size() > 1) {
    PlanSurge(running);
  }
}

// The oldest pod of the new and of an old revision may coexist until the new one is available.
void Sync::PlanSurge(const std::vector<PodPtr>& running) {
  PodPtr updated;
  PodPtr old;
  for (const PodPtr& pod : running) {
    PodPtr& place = pod->metadata.labels.value_or(kRevisionHashLabel, "") == hash_ ? updated : old;
    if (place == nullptr) {
      place = pod;
    } else {
      Remove(pod);
    }
  }
  if (updated != nullptr && old != nullptr && (!IsReady(*old) || IsAvailable(updated))) Remove(old);
}

// (Go: `findUpdatedPodsOnNode`)
Sync::Pair Sync::PairOf(const Place& place) const {
  Pair pair;
  for (const PodPtr& pod : place.pods) {
    if (IsDeleted(*pod)) continue;
    PodPtr& half = IsUpdated(*pod, set_, hash_) ? pair.updated : pair.old;
    if (half != nullptr) pair.too_many = true;
    half = pod;
  }
  return pair;
}

// Deletes old pods while at most `max_unavailable` nodes lack an available pod. PlanNode creates
// the new ones later.
void Sync::RollOver(int max_unavailable) {
  int unavailable = 0;
  std::vector<PodPtr> candidates;
  for (const auto& [name, place] : places_) {
    if (!place.fit.should_run && place.pods.empty()) continue;
    const Pair pair = PairOf(place);
    if (pair.too_many || (pair.updated == nullptr) == (pair.old == nullptr)) {
      ++unavailable;
    } else if (pair.updated != nullptr) {
      if (!IsAvailable(pair.updated)) ++unavailable;
    } else if (!IsAvailable(pair.old)) {
      Remove(pair.old);
      ++unavailable;
    } else {
      candidates.push_back(pair.old);
    }
  }
  for (const PodPtr& pod : candidates) {
    if (unavailable >= max_unavailable) return;
    Remove(pod);
    ++unavailable;
  }
}

// Creates new pods beside old ones, on at most `max_surge` nodes at a time.
void Sync::RollSurging(int max_surge, int desired) {
  int surge = 0;
  int available = 0;
  std::vector<const Place*> candidates;
  std::vector<PodPtr> misplaced;
  for (const auto& [name, place] : places_) {
    const Pair pair = PairOf(place);
    if (pair.too_many) {
      ++surge;
      continue;
    }
    const PodPtr& counted = pair.old != nullptr ? pair.old : pair.updated;
    const bool is_available = counted != nullptr && IsAvailable(counted);
    if (is_available) ++available;
    if (pair.old == nullptr) continue;
    if (pair.updated != nullptr) {
      if (IsAvailable(pair.updated)) {
        Remove(pair.old);
      } else {
        ++surge;
      }
    } else if (!place.fit.should_run) {
      if (is_available) {
        misplaced.push_back(pair.old);
      } else {
        Remove(pair.old);
      }
    } else if (is_available) {
      candidates.push_back(&place);
    } else {
      Create(place);
    }
  }
  for (const PodPtr& pod : misplaced) {
    if (available <= desired) break;
    Remove(pod);
    --available;
  }
  for (const Place* place : candidates) {
    if (surge >= max_surge) return;
    Create(*place);
    ++surge;
  }
}

// (Go: `rollingUpdate`)
void Sync::Roll() {
  const auto desired = static_cast<int>(std::count_if(
      places_.begin(), places_.end(), [](const auto& each) { return each.second.fit.should_run; }));
  const int max_surge = Count(true, desired);
  int max_unavailable = Count(false, desired);
  if (max_surge > 0) return RollSurging(max_surge, desired);
  if (desired > 0 && max_unavailable == 0) max_unavailable = 1;
  RollOver(max_unavailable);
}

// (Go: `updateDaemonSetStatus`)
appsv1::DaemonSetStatus Sync::Status() {
  appsv1::DaemonSetStatus status;
  status.observed_generation = set_.metadata.generation;
  status.conditions = set_.status.conditions;
  if (plan_.revision.collision_count.has_value()) {
    status.collision_count = *plan_.revision.collision_count;
  }
  for (const auto& [name, place] : places_) {
    if (place.node == nullptr) continue;
    if (!place.fit.should_run) {
      if (!place.pods.empty()) ++status.number_misscheduled;
      continue;
    }
    ++status.desired_number_scheduled;
    if (place.pods.empty()) continue;
    ++status.current_number_scheduled;
    const PodPtr& pod = place.pods[0];
    if (IsReady(*pod)) {
      ++status.number_ready;
      if (IsAvailable(pod)) ++status.number_available;
    }
    if (IsUpdated(*pod, set_, hash_)) ++status.updated_number_scheduled;
  }
  status.number_unavailable = status.desired_number_scheduled - status.number_available;
  return status;
}

// (Go: `cleanupHistory`)
void Sync::LimitHistory() {
  std::set<std::string> live;
  for (const PodPtr& pod : pods_) {
    live.insert(std::string(pod->metadata.labels.value_or(kRevisionHashLabel, "").view()));
  }
  const Revisions& others = plan_.revision.others;
  int64_t excess =
      static_cast<int64_t>(others.size()) - set_.spec.revision_history_limit.value_or(10);
  for (const auto& each : others) {
    if (excess <= 0) return;
    const auto hash = each->metadata.labels.value_or(kRevisionHashLabel, "");
    if (live.count(std::string(hash.view())) != 0) continue;
    plan_.remove_revisions.push_back(each);
    --excess;
  }
}

DaemonSetPlan Sync::Run() {
  for (const auto& [name, place] : places_) PlanNode(place);
  if (rolls() && plan_.create.empty() && plan_.remove.empty()) Roll();
  if (plan_.create.size() > kBurst) plan_.create.resize(kBurst);
  if (plan_.remove.size() > kBurst) plan_.remove.resize(kBurst);
  LimitHistory();
  appsv1::DaemonSetStatus status = Status();
  if (status != set_.status) plan_.status = std::move(status);
  return std::move(plan_);
}

}  // namespace

DaemonSetPlan PlanDaemonSet(const appsv1::DaemonSet& set, const Objects<corev1::Pod>& pods,
                            const Objects<corev1::Node>& nodes, const Revisions& revisions,
                            absl::Time now) {
  if (set.metadata.deletion_timestamp.has_value()) return {};
  return Sync(set, pods, nodes, revisions, now).Run();
}

}  // namespace kube::envtest::internal
