#include "examples/memcached_operator/operator.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.applies.kube.h"
#include "api/core/v1/types.applies.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/conditions.h"
#include "apimachinery/types/apply_of.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "controller/events/event_types.h"
#include "examples/memcached_operator/webhook.h"

namespace cache {
namespace {

namespace appsv1 = kube::api::apps::v1;
namespace corev1 = kube::api::core::v1;
namespace metav1 = kube::api::meta::v1;
using kube::controller::Result;
using v1alpha1::Memcached;

constexpr char kImage[] = "memcached:1.6.26-alpine3.19";

kube::ApplyOf<appsv1::Deployment> DeploymentOf(const Memcached& memcached) {
  const kube::Map<kube::String> labels = {{"app.kubernetes.io/name", "memcached"},
                                          {"app.kubernetes.io/instance", memcached.metadata.name}};
  const std::string port = absl::StrCat("--port=", memcached.spec.container_port);
  const kube::ApplyOf<corev1::SecurityContext> no_privileges = {
      .capabilities = {{.drop = {"ALL"}}},
      .run_as_user = 1001,
      .run_as_non_root = true,
      .allow_privilege_escalation = false};
  const kube::ApplyOf<corev1::Container> server = {
      .name = "memcached",
      .image = kImage,
      .command = {"memcached", port, "--memory-limit=64", "-o", "modern", "-v"},
      .ports = {{.name = "memcached", .container_port = memcached.spec.container_port}},
      .image_pull_policy = corev1::kPullIfNotPresent,
      .security_context = no_privileges};
  const kube::ApplyOf<corev1::SeccompProfile> profile = {
      .type = corev1::kSeccompProfileTypeRuntimeDefault};
  const kube::ApplyOf<corev1::PodTemplateSpec> pod = {
      .metadata = {{.labels = labels}},
      .spec = {{.containers = {server},
                .security_context = {{.run_as_non_root = true, .seccomp_profile = profile}}}}};
  return {.metadata = {{.name = memcached.metadata.name, .labels = labels}},
          .spec = {{.replicas = memcached.spec.size.value_or(1),
                    .selector = {{.match_labels = labels}},
                    .template_ = pod}}};
}

// Returns the condition that says why the rollout does not proceed; null if it does.
const appsv1::DeploymentCondition* FailureOf(const appsv1::Deployment& deployment) {
  for (const appsv1::DeploymentCondition& condition : deployment.status.conditions) {
    const bool is_stuck = condition.type == appsv1::kDeploymentProgressing &&
                          condition.status == corev1::kConditionFalse;
    const bool is_refused = condition.type == appsv1::kDeploymentReplicaFailure &&
                            condition.status == corev1::kConditionTrue;
    if (is_stuck || is_refused) return &condition;
  }
  return nullptr;
}

metav1::Condition ConditionOf(const Memcached& memcached, absl::string_view type, bool is_true,
                              absl::string_view reason, absl::string_view message) {
  return {.type = type,
          .status = is_true ? metav1::kConditionTrue : metav1::kConditionFalse,
          .observed_generation = memcached.metadata.generation,
          .reason = reason,
          .message = message};
}

}  // namespace

kube::List<metav1::Condition> ConditionsOf(const Memcached& memcached,
                                           const appsv1::Deployment& deployment) {
  const int32_t size = memcached.spec.size.value_or(1);
  const appsv1::DeploymentStatus& status = deployment.status;
  const bool is_available = status.available_replicas >= size;
  const bool is_deployed = status.observed_generation >= deployment.metadata.generation &&
                           status.updated_replicas == size && status.replicas == size &&
                           status.available_replicas == size;
  const appsv1::DeploymentCondition* failure = FailureOf(deployment);
  const bool has_failed = failure != nullptr;
  const bool is_progressing = !is_deployed && !has_failed;
  const std::string servers = absl::StrCat(status.available_replicas, " of ", size, " servers");
  return {ConditionOf(memcached, kAvailable, is_available,
                      is_available ? "AllServersAvailable" : "ServersMissing", servers),
          ConditionOf(memcached, kProgressing, is_progressing,
                      is_progressing ? "RollingOut" : "RolloutEnded", servers),
          ConditionOf(memcached, kDegraded, has_failed,
                      has_failed ? failure->reason.view() : "AsExpected",
                      has_failed ? failure->message.view() : "")};
}

MemcachedOperator::MemcachedOperator(kube::controller::Manager& manager)
    : memcacheds_(manager), deployments_(memcacheds_.Owns<appsv1::Deployment>()) {
  memcacheds_.Finalizes(kFinalizer, [this](Request& request) { return Finalize(request); });
  memcacheds_.Reconciles([this](Request& request) { return Reconcile(request); });
  manager.webhooks().Defaults<Memcached>(Complete);
  manager.webhooks().Validates<Memcached>(Validate);
}

absl::StatusOr<Result> MemcachedOperator::Reconcile(Request& request) {
  const Memcached& memcached = *request.object();
  const absl::StatusOr<appsv1::Deployment> deployment =
      deployments_.Apply(request, DeploymentOf(memcached));
  if (!deployment.ok()) {
    const metav1::Condition degraded = ConditionOf(
        memcached, kDegraded, true, "DeploymentNotApplied", deployment.status().message());
    KUBE_RETURN_IF_ERROR(memcacheds_.SetCondition(request, degraded));
    return deployment.status();
  }
  const kube::List<metav1::Condition> conditions = ConditionsOf(memcached, *deployment);
  const auto change = [&](v1alpha1::MemcachedStatus& status) {
    for (const metav1::Condition& condition : conditions) {
      kube::meta::SetStatusCondition(status.conditions, condition);
    }
  };
  KUBE_RETURN_IF_ERROR(memcacheds_.EditStatus(request, change));
  if (!kube::meta::IsStatusConditionTrue(memcached.status.conditions, kAvailable) &&
      kube::meta::IsStatusConditionTrue(conditions, kAvailable)) {
    request.Event(kube::events::kEventTypeNormal, kAvailable, "all servers are available");
  }
  // The Deployment's next change calls this function again.
  return Result();
}

absl::Status MemcachedOperator::Finalize(Request& request) {
  const std::string message =
      absl::StrCat("custom resource ", request.name().name, " is being deleted from the namespace ",
                   request.name().namespace_name);
  const metav1::Condition degraded =
      ConditionOf(*request.object(), kDegraded, true, "Finalizing", message);
  KUBE_RETURN_IF_ERROR(
      kube::errors::IgnoreNotFound(memcacheds_.SetCondition(request, degraded).status()));
  request.Event(kube::events::kEventTypeWarning, "Deleting", message);
  return absl::OkStatus();
}

}  // namespace cache
