#include "envtest/workloads/internal/apps/rollout.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/intstr/percent.h"
#include "apimachinery/types/int_or_string.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/string.h"

namespace kube::envtest::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;

// (Go: `maxRevHistoryLengthInChars`)
constexpr size_t kMaxHistorySize = 2000;
constexpr size_t kMaxNameSize = 253;

// Annotations that are not copied from a deployment to its replica sets.
constexpr absl::string_view kOwnAnnotations[] = {
    "kubectl.kubernetes.io/last-applied-configuration",
    kRevision,
    kRevisionHistory,
    kDesiredReplicas,
    kMaxReplicas,
    "deprecated.deployment.rollback.to",
};

int32_t Wanted(const appsv1::Deployment& deployment) { return *deployment.spec.replicas; }
int32_t Wanted(const appsv1::ReplicaSet& set) { return *set.spec.replicas; }

Fenceposts FencepostsOf(const appsv1::Deployment& deployment) {
  if (!IsRollingUpdate(deployment) || !deployment.spec.strategy.rolling_update) return {};
  const appsv1::RollingUpdateDeployment& rolling = *deployment.spec.strategy.rolling_update;
  // The values were validated by the server.
  return ResolveFenceposts(rolling.max_surge, rolling.max_unavailable, Wanted(deployment))
      .value_or(Fenceposts());
}

// Returns -1 if the annotation is missing or not a count.
int32_t CountIn(const appsv1::ReplicaSet& set, absl::string_view annotation) {
  int32_t count = 0;
  const String* text = set.metadata.annotations.find(annotation);
  if (text == nullptr || !absl::SimpleAtoi(text->view(), &count) || count < 0) return -1;
  return count;
}

bool SetAnnotation(Map<String>& annotations, absl::string_view key, absl::string_view value) {
  const String* old = annotations.find(key);
  if (old != nullptr && *old == value) return false;
  annotations[key] = value;
  return true;
}

// Returns by how much a replica set grows if it keeps its share. (Go: `getReplicaSetFraction`)
int32_t Fraction(const appsv1::ReplicaSet& set, const appsv1::Deployment& deployment) {
  if (Wanted(deployment) == 0) return -Wanted(set);
  int32_t before = CountIn(set, kMaxReplicas);
  if (before <= 0) before = deployment.status.replicas;
  if (before == 0) return 0;
  const double max = Wanted(deployment) + MaxSurge(deployment);
  return static_cast<int32_t>(std::round(Wanted(set) * max / before)) - Wanted(set);
}

void AppendToHistory(Map<String>& annotations, absl::string_view revision) {
  const std::string history(annotations.value_or(kRevisionHistory, ""));
  if (history.empty()) {
    annotations[kRevisionHistory] = revision;
    return;
  }
  std::vector<std::string> revisions = absl::StrSplit(history, ',');
  size_t size = history.size() + revision.size() + 1;
  size_t first = 0;
  while (size > kMaxHistorySize && first < revisions.size()) {
    size -= revisions[first++].size() + 1;
  }
  revisions.erase(revisions.begin(), revisions.begin() + static_cast<std::ptrdiff_t>(first));
  revisions.emplace_back(revision);
  annotations[kRevisionHistory] = absl::StrJoin(revisions, ",");
}

}  // namespace

absl::StatusOr<Fenceposts> ResolveFenceposts(const Opt<IntOrString>& max_surge,
                                             const Opt<IntOrString>& max_unavailable,
                                             int32_t desired) {
  KUBE_ASSIGN_OR_RETURN(const int64_t surge,
                        intstr::GetScaledValueFromIntOrPercent(max_surge.value_or(IntOrString()),
                                                               desired, intstr::Rounding::kUp));
  KUBE_ASSIGN_OR_RETURN(int64_t unavailable, intstr::GetScaledValueFromIntOrPercent(
                                                 max_unavailable.value_or(IntOrString()), desired,
                                                 intstr::Rounding::kDown));
  // A surge may be impossible because of a quota.
  if (surge == 0 && unavailable == 0) unavailable = 1;
  return Fenceposts{.surge = static_cast<int32_t>(surge),
                    .unavailable = static_cast<int32_t>(unavailable)};
}

bool IsRollingUpdate(const appsv1::Deployment& deployment) {
  return deployment.spec.strategy.type == "RollingUpdate";
}

int32_t MaxSurge(const appsv1::Deployment& deployment) { return FencepostsOf(deployment).surge; }

int32_t MaxUnavailable(const appsv1::Deployment& deployment) {
  return std::min(FencepostsOf(deployment).unavailable, Wanted(deployment));
}

int32_t WantedReplicas(const ReplicaSetRefs& sets) {
  int32_t total = 0;
  for (const appsv1::ReplicaSet* set : sets) total += set == nullptr ? 0 : Wanted(*set);
  return total;
}

int32_t NewReplicas(const appsv1::Deployment& deployment, const ReplicaSetRefs& all,
                    const appsv1::ReplicaSet& newest) {
  if (!IsRollingUpdate(deployment)) return Wanted(deployment);
  const int32_t room = Wanted(deployment) + MaxSurge(deployment) - WantedReplicas(all);
  if (room <= 0) return Wanted(newest);
  return Wanted(newest) + std::min(room, Wanted(deployment) - Wanted(newest));
}

int32_t Proportion(const appsv1::ReplicaSet& set, const appsv1::Deployment& deployment,
                   int32_t to_add, int32_t added) {
  if (Wanted(set) == 0 || to_add == 0 || to_add == added) return 0;
  const int32_t fraction = Fraction(set, deployment);
  const int32_t allowed = to_add - added;
  return to_add > 0 ? std::min(fraction, allowed) : std::max(fraction, allowed);
}

bool IsSaturated(const appsv1::Deployment& deployment, const appsv1::ReplicaSet* newest) {
  return newest != nullptr && Wanted(*newest) == Wanted(deployment) &&
         DesiredReplicas(*newest) == Wanted(deployment) &&
         newest->status.available_replicas == Wanted(deployment);
}

int32_t DesiredReplicas(const appsv1::ReplicaSet& set) { return CountIn(set, kDesiredReplicas); }

bool SetReplicasAnnotations(const appsv1::Deployment& deployment, appsv1::ReplicaSet& set) {
  const int32_t wanted = Wanted(deployment);
  Map<String>& annotations = set.metadata.annotations;
  const bool desired = SetAnnotation(annotations, kDesiredReplicas, absl::StrCat(wanted));
  return SetAnnotation(annotations, kMaxReplicas, absl::StrCat(wanted + MaxSurge(deployment))) ||
         desired;
}

int64_t RevisionOf(const appsv1::ReplicaSet& set) {
  int64_t revision = 0;
  const String* text = set.metadata.annotations.find(kRevision);
  if (text == nullptr || !absl::SimpleAtoi(text->view(), &revision)) return 0;
  return revision;
}

int64_t MaxRevision(const ReplicaSetRefs& sets) {
  int64_t max = 0;
  for (const appsv1::ReplicaSet* set : sets) max = std::max(max, RevisionOf(*set));
  return max;
}

bool SetRevision(const appsv1::Deployment& deployment, int64_t revision, appsv1::ReplicaSet& set) {
  bool changed = false;
  Map<String>& annotations = set.metadata.annotations;
  for (const auto& [key, value] : deployment.metadata.annotations) {
    const bool own = std::find(std::begin(kOwnAnnotations), std::end(kOwnAnnotations),
                               key.view()) != std::end(kOwnAnnotations);
    if (!own && SetAnnotation(annotations, key.view(), value.view())) changed = true;
  }
  const std::string before(annotations.value_or(kRevision, ""));
  int64_t number = 0;
  // A value that is not a number was set by somebody else and is kept.
  if (!before.empty() && !absl::SimpleAtoi(before, &number)) return false;
  if (number >= revision) return changed;
  annotations[kRevision] = absl::StrCat(revision);
  if (!before.empty()) AppendToHistory(annotations, before);
  return true;
}

bool IsSameTemplate(const corev1::PodTemplateSpec& a, const corev1::PodTemplateSpec& b) {
  if (a.spec != b.spec) return false;
  api::meta::v1::ObjectMeta first = a.metadata;
  api::meta::v1::ObjectMeta second = b.metadata;
  first.labels.erase(kTemplateHashLabel);
  second.labels.erase(kTemplateHashLabel);
  return first == second;
}

std::string ReplicaSetName(absl::string_view deployment, absl::string_view hash) {
  return absl::StrCat(deployment.substr(0, kMaxNameSize - 1 - hash.size()), "-", hash);
}

}  // namespace kube::envtest::internal
