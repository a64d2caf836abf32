#include "apiserver/strategy/deletion.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apiextensions/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/meta/deletion.h"
#include "apimachinery/meta/finalizers.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"
#include "apiserver/strategy/definition_status.h"
#include "apiserver/strategy/strategy.h"

namespace kube::apiserver::internal {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;

using api::apiextensions::v1::CustomResourceDefinition;

constexpr absl::string_view kOrphan = "orphan";
constexpr absl::string_view kForeground = "foregroundDeletion";

// Returns the finalizer for the propagation policy of the deletion, or "".
absl::string_view PolicyFinalizer(const Strategy& strategy, const metav1::ObjectMeta& metadata,
                                  const metav1::DeleteOptions& options) {
  if (options.orphan_dependents.has_value()) return *options.orphan_dependents ? kOrphan : "";
  if (options.propagation_policy.has_value()) {
    if (*options.propagation_policy == "Orphan") return kOrphan;
    return *options.propagation_policy == "Foreground" ? kForeground : "";
  }
  if (meta::ContainsFinalizer(metadata, kOrphan)) return kOrphan;
  if (meta::ContainsFinalizer(metadata, kForeground)) return kForeground;
  return strategy.orphans_dependents ? kOrphan : "";
}

// Returns whether it changed anything.
bool SetPolicyFinalizer(metav1::ObjectMeta& metadata, absl::string_view finalizer) {
  bool changed = false;
  for (absl::string_view each : {kOrphan, kForeground}) {
    changed |= each == finalizer ? meta::AddFinalizer(metadata, each)
                                 : meta::RemoveFinalizer(metadata, each);
  }
  return changed;
}

void SetDeletionTime(metav1::ObjectMeta& metadata, absl::Time time, int64_t grace) {
  const bool first = !meta::IsBeingDeleted(metadata);
  metadata.deletion_timestamp = Time(time);
  metadata.deletion_grace_period_seconds = grace;
  if (first && metadata.generation > 0) ++metadata.generation;
}

// Returns the grace period of a pod in seconds (kube-apiserver: `podStrategy.CheckGracefulDelete`).
int64_t GraceOf(const corev1::Pod& pod, const Opt<int64_t>& wanted) {
  const int64_t period = wanted.value_or(pod.spec.termination_grace_period_seconds.value_or(0));
  if (pod.spec.node_name.empty()) return 0;
  if (pod.status.phase == "Failed" || pod.status.phase == "Succeeded") return 0;
  return period < 0 ? 1 : period;
}

// Deletes a pod that is already being deleted. Its grace period can only become shorter.
DeletionPlan Shorten(metav1::ObjectMeta& metadata, const metav1::DeleteOptions& options,
                     absl::Time now) {
  const int64_t old = *metadata.deletion_grace_period_seconds;
  if (!options.grace_period_seconds.has_value()) return {};
  int64_t period = *options.grace_period_seconds < 0 ? 1 : *options.grace_period_seconds;
  if (period >= old) return {};
  absl::Time time = metadata.deletion_timestamp->ToAbslTime() + absl::Seconds(period - old);
  if (time < now) {
    time = now;
    if (period != 0) period = 1;
  }
  SetDeletionTime(metadata, time, period);
  return {.store = true, .remove = period == 0 && metadata.finalizers.empty()};
}

DeletionPlan PlanNamespace(corev1::Namespace& space, absl::Time now) {
  const bool first = !meta::IsBeingDeleted(space.metadata);
  if (first) {
    space.metadata.deletion_timestamp = Time(now);
    space.status.phase = "Terminating";
  }
  const bool held = !space.spec.finalizers.empty() || !space.metadata.finalizers.empty();
  return {.store = first && held, .remove = !held};
}

// The finalizer keeps the definition until its objects are deleted (kube-apiserver: `REST.Delete`).
DeletionPlan PlanDefinition(CustomResourceDefinition& crd, absl::Time now) {
  crd.metadata.deletion_timestamp = Time(now);
  meta::AddFinalizer(crd.metadata, kCleanupFinalizer);
  SetCondition(crd,
               {.type = "Terminating",
                .status = "True",
                .reason = "InstanceDeletionPending",
                .message = "CustomResourceDefinition marked for deletion; CustomResource deletion "
                           "will begin soon"},
               now);
  return {.store = true, .remove = false};
}

bool IsImmortal(absl::string_view name) {
  return name == "default" || name == "kube-system" || name == "kube-public";
}

}  // namespace

absl::Status CheckPreconditions(const Resource& resource, const metav1::ObjectMeta& metadata,
                                const metav1::DeleteOptions& options) {
  if (!options.preconditions) return absl::OkStatus();
  // As upstream, this error names the kind instead of the resource.
  const schema::GroupResource named = {.group = std::string(resource.kind->group),
                                       .resource = std::string(resource.kind->kind)};
  const metav1::Preconditions& wanted = *options.preconditions;
  if (wanted.uid.has_value() && *wanted.uid != metadata.uid) {
    return errors::Conflict(
        named, metadata.name.view(),
        absl::StrCat("the UID in the precondition (", wanted.uid->view(),
                     ") does not match the UID in record (", metadata.uid.view(),
                     "). The object might have been deleted and then recreated"));
  }
  if (wanted.resource_version.has_value() &&
      *wanted.resource_version != metadata.resource_version) {
    return errors::Conflict(
        named, metadata.name.view(),
        absl::StrCat("the ResourceVersion in the precondition (", wanted.resource_version->view(),
                     ") does not match the ResourceVersion in record (",
                     metadata.resource_version.view(), "). The object might have been modified"));
  }
  return absl::OkStatus();
}

absl::StatusOr<DeletionPlan> PlanDeletion(const Resource& resource, Object& object,
                                          const metav1::DeleteOptions& options, absl::Time now) {
  metav1::ObjectMeta& metadata = object.metadata();
  KUBE_RETURN_IF_ERROR(CheckPreconditions(resource, metadata, options));
  if (auto* space = object.As<corev1::Namespace>()) {
    if (IsImmortal(space->metadata.name.view())) {
      return errors::Forbidden(resource.group_resource(), space->metadata.name.view(),
                               "this namespace may not be deleted");
    }
    return PlanNamespace(*space, now);
  }

  if (auto* crd = object.As<CustomResourceDefinition>();
      crd != nullptr && !meta::IsBeingDeleted(metadata)) {
    return PlanDefinition(*crd, now);
  }

  const Strategy& strategy = StrategyOf(*resource.kind);
  const auto* pod = object.As<corev1::Pod>();
  std::optional<int64_t> grace;
  if (pod != nullptr) {
    if (!meta::IsBeingDeleted(metadata)) {
      grace = GraceOf(*pod, options.grace_period_seconds);
    } else if (metadata.deletion_grace_period_seconds.value_or(0) != 0) {
      return Shorten(metadata, options, now);
    }
  }
  const bool policy_changed =
      SetPolicyFinalizer(metadata, PolicyFinalizer(strategy, metadata, options));
  const bool held = !metadata.finalizers.empty();
  if (grace.has_value()) {
    SetDeletionTime(metadata, now + absl::Seconds(*grace), *grace);
    return DeletionPlan{.store = true, .remove = *grace == 0 && !held};
  }
  if (!held) return DeletionPlan{.store = false, .remove = true};
  if (meta::IsBeingDeleted(metadata) && !policy_changed) return DeletionPlan{};
  const absl::Time time = meta::IsBeingDeleted(metadata)
                              ? std::min(metadata.deletion_timestamp->ToAbslTime(), now)
                              : now;
  SetDeletionTime(metadata, time, 0);
  return DeletionPlan{.store = true, .remove = false};
}

bool IsReleased(const Object& object) {
  const metav1::ObjectMeta& metadata = object.metadata();
  if (!meta::IsBeingDeleted(metadata) || !metadata.finalizers.empty()) return false;
  if (const auto* space = object.As<corev1::Namespace>()) return space->spec.finalizers.empty();
  if (object.As<CustomResourceDefinition>() != nullptr) return true;
  return metadata.deletion_grace_period_seconds.has_value() &&
         *metadata.deletion_grace_period_seconds == 0;
}

}  // namespace kube::apiserver::internal
