#include "apiserver/special/binding.h"

#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/types/time.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/call/query_options.h"
#include "apiserver/errors/plain_error.h"
#include "apiserver/object.h"
#include "apiserver/registry/registry.h"
#include "apiserver/special/special_answer.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

namespace corev1 = api::core::v1;

// Gives the pod the condition PodScheduled, or replaces the one that says that no node fits.
// (kube-apiserver: `UpdatePodCondition`)
void SetScheduled(corev1::Pod& pod) {
  corev1::PodCondition scheduled;
  scheduled.type = "PodScheduled";
  scheduled.status = "True";
  scheduled.last_transition_time = Time(base::WallNow());
  for (corev1::PodCondition& each : pod.status.conditions) {
    if (each.type != scheduled.type) continue;
    if (each.status == scheduled.status) {
      scheduled.last_transition_time = each.last_transition_time;
    }
    each = std::move(scheduled);
    return;
  }
  pod.status.conditions.push_back(std::move(scheduled));
}

}  // namespace

absl::StatusOr<httpserver::Response> ServeBinding(Core& core, Call& call) {
  KUBE_ASSIGN_OR_RETURN(const codec::AnyObject body, BodyOf(call, "v1", "Binding"));
  const corev1::Binding& binding = *body.As<corev1::Binding>();
  const absl::string_view kind = binding.target.kind.view();
  if (!kind.empty() && kind != "Node") {
    return PlainError(absl::StrCat("target.kind: Unsupported value: \"", kind,
                                   "\": supported values: \"Node\", \"<empty>\""));
  }
  if (binding.target.name.empty()) return PlainError("target.name: Required value");
  KUBE_RETURN_IF_ERROR(CheckWithWebhooks(call, body));
  Target target = call.target();
  // For the resource bindings, the name is in the body.
  if (target.name.empty()) target.name = binding.metadata.name;
  target.resource = call.resources->Find("", "v1", "pods");
  const schema::GroupResource named = {.group = "", .resource = "pods/binding"};
  const auto bind = [&](const StoredObject& current) -> absl::StatusOr<Object> {
    Object bound = current.object().Copy();
    corev1::Pod& pod = *bound.As<corev1::Pod>();
    if (!pod.spec.node_name.empty()) {
      return errors::Conflict(named, target.name,
                              absl::StrCat("pod ", target.name, " is already assigned to node \"",
                                           pod.spec.node_name.view(), "\""));
    }
    if (pod.metadata.deletion_timestamp.has_value()) {
      return errors::Conflict(
          named, target.name,
          absl::StrCat("pod ", target.name, " is being deleted, cannot be assigned to a host"));
    }
    pod.spec.node_name = binding.target.name;
    for (const auto& [key, value] : binding.metadata.annotations) {
      pod.metadata.annotations[key] = value;
    }
    SetScheduled(pod);
    return bound;
  };
  target.subresource = "binding";
  KUBE_ASSIGN_OR_RETURN(const bool dry_run, IsDryRun(call));
  KUBE_RETURN_IF_ERROR(core.registry.Update(target, bind, {.dry_run = dry_run}).status());
  return Success(call);
}

}  // namespace kube::apiserver::internal
