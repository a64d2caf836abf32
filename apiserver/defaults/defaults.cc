#include "apiserver/defaults/defaults.h"

#include <cstdint>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "api/apps/v1/types.kube.h"
#include "api/autoscaling/v1/types.kube.h"
#include "api/autoscaling/v2/types.kube.h"
#include "api/batch/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/discovery/v1/types.kube.h"
#include "api/networking/v1/types.kube.h"
#include "api/rbac/v1/types.kube.h"
#include "api/resource/v1/types.kube.h"
#include "api/scheduling/v1/types.kube.h"
#include "api/storage/v1/types.kube.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/crd_schema/crd_validation.h"
#include "apiserver/defaults/admission_defaults.h"
#include "apiserver/defaults/overlaid.h"
#include "apiserver/defaults/pod_defaults.h"

namespace kube::apiserver::internal {
namespace {

namespace apiextensionsv1 = api::apiextensions::v1;
namespace appsv1 = api::apps::v1;
namespace autoscalingv1 = api::autoscaling::v1;
namespace autoscalingv2 = api::autoscaling::v2;
namespace batchv1 = api::batch::v1;
namespace corev1 = api::core::v1;
namespace discoveryv1 = api::discovery::v1;
namespace networkingv1 = api::networking::v1;
namespace rbacv1 = api::rbac::v1;
namespace resourcev1 = api::resource::v1;
namespace schedulingv1 = api::scheduling::v1;
namespace storagev1 = api::storage::v1;

template <typename T, typename U>
void Default(Opt<T>& member, U value) {
  if (!member.has_value()) member = value;
}
void Default(String& member, absl::string_view value) {
  if (member.empty()) member = value;
}

void SetDefaults(corev1::Pod& pod) { SetPodDefaults(pod); }

void SetDefaults(corev1::PodTemplate& pod_template) {
  SetPodSpecDefaults(pod_template.template_.spec);
}

void SetDefaults(corev1::ReplicationController& controller) {
  corev1::ReplicationControllerSpec& spec = controller.spec;
  if (spec.template_) {
    SetPodSpecDefaults(spec.template_->spec);
    const Map<String>& labels = spec.template_->metadata.labels;
    if (spec.selector.empty()) spec.selector = labels;
    if (controller.metadata.labels.empty()) controller.metadata.labels = labels;
  }
  Default(spec.replicas, 1);
}

// `stringData` overrides `data`, and is not stored.
void SetDefaults(corev1::Secret& secret) {
  Default(secret.type, "Opaque");
  secret.data = Overlaid(std::move(secret.data), secret.string_data);
  secret.string_data.clear();
}

void SetDefaults(corev1::Service& service) {
  corev1::ServiceSpec& spec = service.spec;
  Default(spec.session_affinity, "None");
  Default(spec.type, "ClusterIP");
  for (corev1::ServicePort& port : spec.ports) {
    Default(port.protocol, "TCP");
    if (port.target_port == IntOrString()) port.target_port = port.port;
  }
  for (corev1::LoadBalancerIngress& ingress : service.status.load_balancer.ingress) {
    if (spec.type == "LoadBalancer" && !ingress.ip.empty()) Default(ingress.ip_mode, "VIP");
  }
  const bool is_external = spec.type == "NodePort" || spec.type == "LoadBalancer" ||
                           (spec.type == "ClusterIP" && !spec.external_ips.empty());
  if (is_external) Default(spec.external_traffic_policy, "Cluster");
  if (spec.type != "ExternalName") Default(spec.internal_traffic_policy, "Cluster");
  if (spec.session_affinity == "ClientIP") {
    if (!spec.session_affinity_config) spec.session_affinity_config.emplace();
    if (!spec.session_affinity_config->client_ip) spec.session_affinity_config->client_ip.emplace();
    Default(spec.session_affinity_config->client_ip->timeout_seconds, 10800);
  } else {
    spec.session_affinity_config.reset();
  }
  if (spec.type == "LoadBalancer") Default(spec.allocate_load_balancer_node_ports, true);
}

void SetDefaults(corev1::PersistentVolumeClaim& claim) {
  Default(claim.spec.volume_mode, "Filesystem");
  Default(claim.status.phase, "Pending");
}

// For containers the default limit is the maximum, and the default request is the default limit, or
// else the minimum.
void SetDefaults(corev1::LimitRange& range) {
  const auto fill = [](Map<Quantity>& to, const Map<Quantity>& from) {
    if (!from.empty()) to = Overlaid(from, to);
  };
  for (corev1::LimitRangeItem& item : range.spec.limits) {
    if (item.type != "Container") continue;
    fill(item.default_, item.max);
    fill(item.default_request, item.default_);
    fill(item.default_request, item.min);
  }
}

void SetDefaults(corev1::PersistentVolume& volume) {
  Default(volume.spec.persistent_volume_reclaim_policy, "Retain");
  Default(volume.spec.volume_mode, "Filesystem");
  if (volume.spec.host_path) Default(volume.spec.host_path->type, "");
  Default(volume.status.phase, "Pending");
}

// `podCIDR` is the first of `podCIDRs`. If they differ, the former counts.
void SetNetworks(corev1::NodeSpec& spec) {
  const bool differs = !spec.pod_cidrs.empty() && spec.pod_cidrs[0] != spec.pod_cidr;
  if (spec.pod_cidr.empty()) {
    if (!spec.pod_cidrs.empty()) spec.pod_cidr = spec.pod_cidrs[0];
  } else if (spec.pod_cidrs.empty() || differs) {
    spec.pod_cidrs = {spec.pod_cidr};
  }
}

void SetDefaults(corev1::Node& node) {
  SetNetworks(node.spec);
  if (node.status.allocatable.empty()) node.status.allocatable = node.status.capacity;
}

void SetDefaults(corev1::Namespace& space) {
  Default(space.status.phase, "Active");
  // A name that is to be generated is not known yet.
  if (space.metadata.name.empty()) return;
  space.metadata.labels["kubernetes.io/metadata.name"] = space.metadata.name;
}

void SetDefaults(corev1::Endpoints& endpoints) {
  for (corev1::EndpointSubset& subset : endpoints.subsets) {
    for (corev1::EndpointPort& port : subset.ports) Default(port.protocol, "TCP");
  }
}

void SetDefaults(appsv1::Deployment& deployment) {
  appsv1::DeploymentSpec& spec = deployment.spec;
  SetPodSpecDefaults(spec.template_.spec);
  Default(spec.replicas, 1);
  Default(spec.strategy.type, "RollingUpdate");
  if (spec.strategy.type == "RollingUpdate") {
    if (!spec.strategy.rolling_update) spec.strategy.rolling_update.emplace();
    Default(spec.strategy.rolling_update->max_unavailable, IntOrString("25%"));
    Default(spec.strategy.rolling_update->max_surge, IntOrString("25%"));
  }
  Default(spec.revision_history_limit, 10);
  Default(spec.progress_deadline_seconds, 600);
}

void SetDefaults(appsv1::ReplicaSet& set) {
  Default(set.spec.replicas, 1);
  SetPodSpecDefaults(set.spec.template_.spec);
}

void SetDefaults(appsv1::StatefulSet& set) {
  appsv1::StatefulSetSpec& spec = set.spec;
  SetPodSpecDefaults(spec.template_.spec);
  Default(spec.pod_management_policy, "OrderedReady");
  Default(spec.update_strategy.type, "RollingUpdate");
  if (spec.update_strategy.type == "RollingUpdate") {
    if (!spec.update_strategy.rolling_update) spec.update_strategy.rolling_update.emplace();
    Default(spec.update_strategy.rolling_update->partition, 0);
  }
  if (!spec.persistent_volume_claim_retention_policy) {
    spec.persistent_volume_claim_retention_policy.emplace();
  }
  Default(spec.persistent_volume_claim_retention_policy->when_deleted, "Retain");
  Default(spec.persistent_volume_claim_retention_policy->when_scaled, "Retain");
  Default(spec.replicas, 1);
  Default(spec.revision_history_limit, 10);
  for (corev1::PersistentVolumeClaim& claim : spec.volume_claim_templates) {
    claim.api_version = "v1";
    claim.kind = "PersistentVolumeClaim";
    SetDefaults(claim);
  }
}

void SetDefaults(appsv1::DaemonSet& set) {
  appsv1::DaemonSetSpec& spec = set.spec;
  SetPodSpecDefaults(spec.template_.spec);
  Default(spec.update_strategy.type, "RollingUpdate");
  if (spec.update_strategy.type == "RollingUpdate") {
    if (!spec.update_strategy.rolling_update) spec.update_strategy.rolling_update.emplace();
    Default(spec.update_strategy.rolling_update->max_unavailable, IntOrString(1));
    Default(spec.update_strategy.rolling_update->max_surge, IntOrString(0));
  }
  Default(spec.revision_history_limit, 10);
}

void SetDefaults(batchv1::JobSpec& spec) {
  SetPodSpecDefaults(spec.template_.spec);
  if (!spec.completions.has_value() && !spec.parallelism.has_value()) spec.completions = 1;
  Default(spec.parallelism, 1);
  const bool is_indexed = spec.backoff_limit_per_index.has_value();
  Default(spec.backoff_limit, is_indexed ? INT32_MAX : 6);
  Default(spec.completion_mode, "NonIndexed");
  Default(spec.suspend, false);
  Default(spec.pod_replacement_policy, spec.pod_failure_policy ? "Failed" : "TerminatingOrFailed");
  Default(spec.manual_selector, false);
}

void SetDefaults(batchv1::Job& job) {
  SetDefaults(job.spec);
  if (job.metadata.labels.empty()) job.metadata.labels = job.spec.template_.metadata.labels;
}

void SetDefaults(batchv1::CronJob& job) {
  batchv1::CronJobSpec& spec = job.spec;
  SetPodSpecDefaults(spec.job_template.spec.template_.spec);
  Default(spec.concurrency_policy, "Allow");
  Default(spec.suspend, false);
  Default(spec.successful_jobs_history_limit, 3);
  Default(spec.failed_jobs_history_limit, 1);
}

// Other metrics than CPU are in an annotation. Upstream sets the target when it converts the
// object, before it looks at who owns what.
void SetDefaults(autoscalingv1::HorizontalPodAutoscaler& scaler) {
  Default(scaler.spec.min_replicas, 1);
  constexpr absl::string_view kMetrics = "autoscaling.alpha.kubernetes.io/metrics";
  if (scaler.metadata.annotations.contains(kMetrics)) return;
  Default(scaler.spec.target_cpu_utilization_percentage, 80);
}

// A direction that has rules gets the other defaults too, and so does the other direction.
autoscalingv2::HPAScalingPolicy ScalingPolicy(absl::string_view type, int32_t value) {
  autoscalingv2::HPAScalingPolicy policy;
  policy.type = type;
  policy.value = value;
  policy.period_seconds = 15;
  return policy;
}
void SetScaleUpDefaults(Box<autoscalingv2::HPAScalingRules>& rules) {
  if (!rules) rules.emplace();
  Default(rules->stabilization_window_seconds, 0);
  Default(rules->select_policy, "Max");
  if (!rules->policies.is_null()) return;
  rules->policies = {ScalingPolicy("Pods", 4), ScalingPolicy("Percent", 100)};
}
void SetScaleDownDefaults(Box<autoscalingv2::HPAScalingRules>& rules) {
  if (!rules) rules.emplace();
  Default(rules->select_policy, "Max");
  if (rules->policies.is_null()) rules->policies = {ScalingPolicy("Percent", 100)};
}

// Without metrics, the target is a CPU utilization of 80 %.
void SetDefaults(autoscalingv2::HorizontalPodAutoscaler& scaler) {
  Default(scaler.spec.min_replicas, 1);
  if (scaler.spec.behavior) {
    SetScaleUpDefaults(scaler.spec.behavior->scale_up);
    SetScaleDownDefaults(scaler.spec.behavior->scale_down);
  }
  if (!scaler.spec.metrics.empty()) return;
  autoscalingv2::MetricSpec metric;
  metric.type = "Resource";
  autoscalingv2::ResourceMetricSource& source = metric.resource.emplace();
  source.name = "cpu";
  source.target.type = "Utilization";
  source.target.average_utilization = 80;
  scaler.spec.metrics.push_back(std::move(metric));
}

void SetDefaults(discoveryv1::EndpointSlice& slice) {
  for (discoveryv1::EndpointPort& port : slice.ports) {
    if (!port.name.has_value()) port.name = "";
    Default(port.protocol, "TCP");
  }
}

void SetDefaults(networkingv1::NetworkPolicy& policy) {
  networkingv1::NetworkPolicySpec& spec = policy.spec;
  if (spec.policy_types.empty()) {
    spec.policy_types.push_back("Ingress");
    if (!spec.egress.empty()) spec.policy_types.push_back("Egress");
  }
  const auto set_protocols = [](List<networkingv1::NetworkPolicyPort>& ports) {
    for (networkingv1::NetworkPolicyPort& port : ports) Default(port.protocol, "TCP");
  };
  for (networkingv1::NetworkPolicyIngressRule& rule : spec.ingress) set_protocols(rule.ports);
  for (networkingv1::NetworkPolicyEgressRule& rule : spec.egress) set_protocols(rule.ports);
}

template <typename Binding>
void SetBindingDefaults(Binding& binding) {
  Default(binding.role_ref.api_group, "rbac.authorization.k8s.io");
  for (rbacv1::Subject& subject : binding.subjects) {
    if (subject.kind != "ServiceAccount") Default(subject.api_group, "rbac.authorization.k8s.io");
  }
}
void SetDefaults(rbacv1::RoleBinding& binding) { SetBindingDefaults(binding); }
void SetDefaults(rbacv1::ClusterRoleBinding& binding) { SetBindingDefaults(binding); }

void SetDefaults(schedulingv1::PriorityClass& priority) {
  Default(priority.preemption_policy, "PreemptLowerPriority");
}

void SetDefaults(storagev1::StorageClass& storage) {
  Default(storage.reclaim_policy, "Delete");
  Default(storage.volume_binding_mode, "Immediate");
}

void SetDefaults(apiextensionsv1::CustomResourceDefinition& definition) {
  crd_schema::SetDefaults(definition);
}

void SetDefaults(storagev1::CSIDriver& driver) {
  storagev1::CSIDriverSpec& spec = driver.spec;
  Default(spec.attach_required, true);
  Default(spec.pod_info_on_mount, false);
  Default(spec.storage_capacity, false);
  Default(spec.fs_group_policy, "ReadWriteOnceWithFSType");
  if (spec.volume_lifecycle_modes.empty()) spec.volume_lifecycle_modes = {"Persistent"};
  Default(spec.requires_republish, false);
  Default(spec.se_linux_mount, false);
}

void SetDefaults(resourcev1::ResourceClaimSpec& spec) {
  const auto fill = [](auto& request) {
    Default(request.allocation_mode, "ExactCount");
    if (request.allocation_mode == "ExactCount" && request.count == 0) request.count = 1;
  };
  for (resourcev1::DeviceRequest& request : spec.devices.requests) {
    if (request.exactly) fill(*request.exactly);
    for (resourcev1::DeviceSubRequest& each : request.first_available) fill(each);
  }
}
void SetDefaults(resourcev1::ResourceClaim& claim) { SetDefaults(claim.spec); }
void SetDefaults(resourcev1::ResourceClaimTemplate& claim) { SetDefaults(claim.spec.spec); }

// Sets the defaults if the object is a T, and returns whether it is.
template <typename T>
bool SetIf(codec::AnyObject& object) {
  T* typed = object.As<T>();
  if (typed == nullptr) return false;
  SetDefaults(*typed);
  return true;
}

template <typename... T>
void SetIfAny(codec::AnyObject& object) {
  (void)(SetIf<T>(object) || ...);
}

}  // namespace

void SetDefaults(codec::AnyObject& object) {
  SetIfAny<corev1::Pod, corev1::PodTemplate, corev1::ReplicationController, corev1::Secret,
           corev1::Service, corev1::LimitRange, corev1::PersistentVolumeClaim,
           corev1::PersistentVolume, corev1::Node, corev1::Namespace, corev1::Endpoints,
           appsv1::Deployment, appsv1::ReplicaSet, appsv1::StatefulSet, appsv1::DaemonSet,
           batchv1::Job, batchv1::CronJob, autoscalingv2::HorizontalPodAutoscaler,
           discoveryv1::EndpointSlice, networkingv1::NetworkPolicy, rbacv1::RoleBinding,
           rbacv1::ClusterRoleBinding, schedulingv1::PriorityClass, storagev1::StorageClass,
           storagev1::CSIDriver, autoscalingv1::HorizontalPodAutoscaler, resourcev1::ResourceClaim,
           resourcev1::ResourceClaimTemplate, apiextensionsv1::CustomResourceDefinition>(object);
  SetAdmissionDefaults(object);
}

}  // namespace kube::apiserver::internal
