#include "apiserver/special/eviction.h"

#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "api/policy/v1/types.kube.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/time.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/call/query_options.h"
#include "apiserver/object.h"
#include "apiserver/registry/registry.h"
#include "apiserver/special/disruption_budgets.h"
#include "apiserver/special/special_answer.h"
#include "apiserver/strategy/deletion.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
namespace policyv1 = api::policy::v1;

// (kube-apiserver: `EvictionsRetry`, without its pauses)
constexpr int kTries = 20;

// Gives the pod the condition DisruptionTarget, which says that it was evicted.
void SetDisrupted(corev1::Pod& pod) {
  corev1::PodCondition disrupted;
  disrupted.type = "DisruptionTarget";
  disrupted.status = "True";
  disrupted.last_transition_time = Time(base::WallNow());
  disrupted.reason = "EvictionByEvictionAPI";
  disrupted.message = "Eviction API: evicting";
  List<corev1::PodCondition>& conditions = pod.status.conditions;
  for (size_t i = 0; i < conditions.size(); ++i) {
    if (conditions[i].type != disrupted.type) continue;
    if (conditions[i].status == disrupted.status) {
      disrupted.last_transition_time = conditions[i].last_transition_time;
    }
    conditions[i] = std::move(disrupted);
    return;
  }
  conditions.push_back(std::move(disrupted));
}

// Stores the condition in the pod if the preconditions of `options` hold, and makes a precondition
// on the resource version one on the new version.
absl::Status AddCondition(Core& core, Target target, metav1::DeleteOptions& options) {
  target.subresource = "status";
  KUBE_ASSIGN_OR_RETURN(
      const Written written,
      core.registry.Update(target, [&](const StoredObject& current) -> absl::StatusOr<Object> {
        Object object = current.object().Copy();
        KUBE_RETURN_IF_ERROR(CheckPreconditions(*target.resource, object.metadata(), options));
        SetDisrupted(*object.As<corev1::Pod>());
        return object;
      }));
  if (options.preconditions && options.preconditions->resource_version.has_value()) {
    options.preconditions->resource_version = written.object->metadata().resource_version;
  }
  return absl::OkStatus();
}

// Sets the condition, and deletes the pod. (kube-apiserver: `addConditionAndDeletePod`)
absl::Status DeletePod(Core& core, const Target& target, metav1::DeleteOptions options,
                       bool dry_run) {
  if (!dry_run) KUBE_RETURN_IF_ERROR(AddCondition(core, target, options));
  return core.registry.Delete(target, options, {.dry_run = dry_run}).status();
}

bool IsPinned(const metav1::DeleteOptions& options) {
  return options.preconditions && options.preconditions->resource_version.has_value();
}

// Returns the options for the deletion of exactly this version of a pod.
metav1::DeleteOptions Pinned(metav1::DeleteOptions options, const corev1::Pod& pod) {
  if (IsPinned(options)) return options;
  if (!options.preconditions) options.preconditions.emplace();
  options.preconditions->resource_version = pod.metadata.resource_version;
  return options;
}

// Deletes a pod if its disruption budgets allow it. A pod that is evicted because it was not ready
// or did not run must not have changed meanwhile.
absl::Status Evict(Core& core, const Call& call, const Target& target,
                   const metav1::DeleteOptions& options, bool dry_run) {
  for (int tries = 1;; ++tries) {
    KUBE_ASSIGN_OR_RETURN(const ObjectPtr stored, core.registry.Get(target));
    const corev1::Pod& pod = *stored->object().As<corev1::Pod>();
    if (!IsBeyondBudgets(pod)) {
      KUBE_ASSIGN_OR_RETURN(const EvictionPermission permission,
                            AskDisruptionBudgets(core, call, pod, dry_run));
      const absl::Status deleted =
          DeletePod(core, target, permission.unhealthy ? Pinned(options, pod) : options, dry_run);
      if (errors::IsConflict(deleted) && permission.unhealthy && !IsPinned(options)) {
        return StillProcessedError(permission.budget);
      }
      return deleted;
    }
    const bool waits =
        pod.status.phase == "Pending" && !pod.metadata.deletion_timestamp.has_value();
    const absl::Status deleted =
        DeletePod(core, target, waits ? Pinned(options, pod) : options, dry_run);
    if (!errors::IsConflict(deleted) || IsPinned(options) || tries == kTries) return deleted;
  }
}

}  // namespace

absl::StatusOr<httpserver::Response> ServeEviction(Core& core, Call& call) {
  KUBE_ASSIGN_OR_RETURN(const codec::AnyObject body, BodyOf(call, "policy/v1", "Eviction"));
  const policyv1::Eviction& eviction = *body.As<policyv1::Eviction>();
  Target target = call.target();
  target.subresource.clear();
  if (eviction.metadata.name != call.info.name) {
    return errors::BadRequest("name in URL does not match name in Eviction object");
  }
  metav1::DeleteOptions options;
  if (eviction.delete_options) options = *eviction.delete_options;
  KUBE_RETURN_IF_ERROR(CheckWithWebhooks(call, body));
  KUBE_ASSIGN_OR_RETURN(const bool dry_query, IsDryRun(call));
  const bool dry_run = dry_query || !options.dry_run.empty();
  KUBE_RETURN_IF_ERROR(Evict(core, call, target, options, dry_run));
  return Success(call);
}

}  // namespace kube::apiserver::internal
