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
#include "apimachinery/types/list.h"
#include "apimachinery/types/time.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/call/query_options.h"
#include "apiserver/object.h"
#include "apiserver/registry/registry.h"
#include "apiserver/special/special_answer.h"
#include "apiserver/strategy/deletion.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
namespace policyv1 = api::policy::v1;

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
  if (!dry_run) KUBE_RETURN_IF_ERROR(AddCondition(core, target, options));
  KUBE_ASSIGN_OR_RETURN(const Deleted deleted,
                        core.registry.Delete(target, options, {.dry_run = dry_run}));
  return Success(call);
}

}  // namespace kube::apiserver::internal
