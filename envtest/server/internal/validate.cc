#include "envtest/server/internal/validate.h"

#include <cstdint>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/batch/v1/types.kube.h"
#include "api/coordination/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/labels/label_selector.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/validation/dns.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/messages.h"
#include "apimachinery/validation/object_meta.h"
#include "apimachinery/validation/value.h"
#include "envtest/server/internal/strategy.h"
#include "envtest/server/object.h"
#include "envtest/server/resources.h"

namespace kube::envtest::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace batchv1 = api::batch::v1;
namespace coordinationv1 = api::coordination::v1;
namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
namespace field = validation::field;
using field::ErrorList;
using field::Path;

constexpr absl::string_view kImmutable = "field is immutable";

void Append(ErrorList& wrong, const Path& path, absl::string_view value,
            const validation::Messages& messages) {
  for (const std::string& message : messages) {
    wrong.push_back(field::Invalid(path, std::string(value), message));
  }
}

void CheckNonnegative(ErrorList& wrong, const Path& path, int64_t value) {
  field::Append(wrong, validation::ValidateNonnegativeField(value, path));
}

// ---- pods

void CheckContainers(ErrorList& wrong, const List<corev1::Container>& containers, const Path& path,
                     std::set<std::string>& names) {
  for (size_t i = 0; i < containers.size(); ++i) {
    const corev1::Container& container = containers[i];
    const Path at = path.Index(i);
    if (container.name.empty()) {
      wrong.push_back(field::Required(at.Child("name"), ""));
    } else {
      Append(wrong, at.Child("name"), container.name.view(),
             validation::IsDns1123Label(container.name.view()));
      if (!names.insert(container.name).second) {
        wrong.push_back(field::Duplicate(at.Child("name"), std::string(container.name)));
      }
    }
    for (size_t p = 0; p < container.ports.size(); ++p) {
      const int32_t port = container.ports[p].container_port;
      if (port != 0 && validation::IsValidPortNum(port).empty()) continue;
      const Path port_path = at.Child("ports").Index(p).Child("containerPort");
      if (port == 0) {
        wrong.push_back(field::Required(port_path, ""));
      } else {
        wrong.push_back(
            field::Invalid(port_path, int64_t{port}, validation::IsValidPortNum(port).front()));
      }
    }
  }
}

void CheckPodSpec(ErrorList& wrong, const corev1::PodSpec& spec, const Path& path,
                  bool needs_image) {
  std::set<std::string> names;
  const Path containers = path.Child("containers");
  if (spec.containers.empty()) wrong.push_back(field::Required(containers, ""));
  CheckContainers(wrong, spec.containers, containers, names);
  for (size_t i = 0; needs_image && i < spec.containers.size(); ++i) {
    if (spec.containers[i].image.empty()) {
      wrong.push_back(field::Required(containers.Index(i).Child("image"), ""));
    }
  }
  CheckContainers(wrong, spec.init_containers, path.Child("initContainers"), names);
  const absl::string_view restart = spec.restart_policy.view();
  if (restart != "Always" && restart != "OnFailure" && restart != "Never") {
    wrong.push_back(field::NotSupported(path.Child("restartPolicy"), field::JsonText(restart),
                                        {"Always", "OnFailure", "Never"}));
  }
}

// What of a pod an update may not change, but for what upstream lists. (ValidatePodUpdate)
bool SameImmutablePodSpec(const corev1::PodSpec& spec, const corev1::PodSpec& old) {
  corev1::PodSpec changed = spec;
  if (changed.containers.size() != old.containers.size()) return false;
  for (size_t i = 0; i < old.containers.size(); ++i) {
    changed.containers[i].image = old.containers[i].image;
  }
  for (size_t i = 0; i < old.init_containers.size() && i < changed.init_containers.size(); ++i) {
    changed.init_containers[i].image = old.init_containers[i].image;
  }
  changed.active_deadline_seconds = old.active_deadline_seconds;
  changed.termination_grace_period_seconds = old.termination_grace_period_seconds;
  changed.tolerations = old.tolerations;
  changed.scheduling_gates = old.scheduling_gates;
  return changed == old;
}

// ---- workloads

field::JsonValue LabelsJson(const Map<String>& labels) {
  if (labels.is_null()) return {.json = "null"};
  Map<unstructured::Value> values;
  for (const auto& [key, value] : labels) values[key] = unstructured::Value(value);
  absl::StatusOr<std::string> json = unstructured::EncodeJson(unstructured::Value(values));
  return {.json = json.ok() ? *json : "null"};
}

void CheckSelector(ErrorList& wrong, const Box<metav1::LabelSelector>& selector,
                   const Map<String>& labels, const Path& path) {
  const Path at = path.Child("selector");
  const bool empty =
      !selector || (selector->match_labels.empty() && selector->match_expressions.empty());
  if (!selector) {
    wrong.push_back(field::Required(at, ""));
  } else if (empty) {
    wrong.push_back(
        field::Invalid(at, field::JsonOf(*selector), "empty selector is invalid for deployment"));
  }
  const absl::StatusOr<labels::Selector> parsed = labels::LabelSelectorAsSelector(selector.get());
  if (parsed.ok() && parsed->Matches(labels) && !empty) return;
  if (selector && empty) return;
  wrong.push_back(field::Invalid(path.Child("template").Child("metadata").Child("labels"),
                                 LabelsJson(labels),
                                 "`selector` does not match template `labels`"));
}

template <typename Workload>
void CheckWorkload(ErrorList& wrong, const Workload& workload) {
  const Path spec("spec");
  if constexpr (requires { workload.spec.replicas; }) {
    CheckNonnegative(wrong, spec.Child("replicas"), workload.spec.replicas.value_or(0));
  }
  CheckSelector(wrong, workload.spec.selector, workload.spec.template_.metadata.labels, spec);
  CheckPodSpec(wrong, workload.spec.template_.spec, spec.Child("template").Child("spec"),
               /*needs_image=*/true);
}

template <typename Workload>
void CheckSameSelector(ErrorList& wrong, const Workload& now, const Workload& old) {
  if (now.spec.selector == old.spec.selector) return;
  wrong.push_back(field::Invalid(
      Path("spec").Child("selector"),
      now.spec.selector ? field::JsonOf(*now.spec.selector) : field::JsonValue{"null"},
      kImmutable));
}

// ---- others

void CheckService(ErrorList& wrong, const corev1::Service& service) {
  const Path ports = Path("spec").Child("ports");
  const bool needs_ports = service.spec.type != "ExternalName" && service.spec.cluster_ip != "None";
  if (needs_ports && service.spec.ports.empty()) wrong.push_back(field::Required(ports, ""));
  for (size_t i = 0; i < service.spec.ports.size(); ++i) {
    const corev1::ServicePort& port = service.spec.ports[i];
    if (service.spec.ports.size() > 1 && port.name.empty()) {
      wrong.push_back(field::Required(ports.Index(i).Child("name"), ""));
    }
    for (const std::string& message : validation::IsValidPortNum(port.port)) {
      wrong.push_back(field::Invalid(ports.Index(i).Child("port"), int64_t{port.port}, message));
    }
  }
}

template <typename Data>
void CheckKeys(ErrorList& wrong, const Data& data, const Path& path) {
  for (const auto& [key, value] : data) {
    Append(wrong, path.Key(key.view()), key.view(), validation::IsConfigMapKey(key.view()));
  }
}

void CheckLease(ErrorList& wrong, const coordinationv1::Lease& lease) {
  const Path spec("spec");
  if (lease.spec.lease_duration_seconds.has_value() && *lease.spec.lease_duration_seconds <= 0) {
    wrong.push_back(field::Invalid(spec.Child("leaseDurationSeconds"),
                                   int64_t{*lease.spec.lease_duration_seconds},
                                   "must be greater than 0"));
  }
  if (lease.spec.lease_transitions.has_value() && *lease.spec.lease_transitions < 0) {
    wrong.push_back(field::Invalid(spec.Child("leaseTransitions"),
                                   int64_t{*lease.spec.lease_transitions},
                                   "must be greater than or equal to 0"));
  }
}

void CheckJob(ErrorList& wrong, const batchv1::JobSpec& job, const Path& path) {
  CheckNonnegative(wrong, path.Child("parallelism"), job.parallelism.value_or(0));
  CheckNonnegative(wrong, path.Child("completions"), job.completions.value_or(0));
  CheckNonnegative(wrong, path.Child("backoffLimit"), job.backoff_limit.value_or(0));
  const Path pod = path.Child("template").Child("spec");
  CheckPodSpec(wrong, job.template_.spec, pod, /*needs_image=*/true);
  if (job.template_.spec.restart_policy == "Always") {
    wrong.push_back(field::NotSupported(pod.Child("restartPolicy"), field::JsonText("Always"),
                                        {"OnFailure", "Never"}));
  }
}

// What the content of an object must be, whether it is new or not.
ErrorList CheckContent(const Object& object) {
  ErrorList wrong;
  const Path spec("spec");
  if (const auto* of = object.As<corev1::Pod>()) CheckPodSpec(wrong, of->spec, spec, true);
  if (const auto* of = object.As<appsv1::Deployment>()) CheckWorkload(wrong, *of);
  if (const auto* of = object.As<appsv1::ReplicaSet>()) CheckWorkload(wrong, *of);
  if (const auto* of = object.As<appsv1::StatefulSet>()) CheckWorkload(wrong, *of);
  if (const auto* of = object.As<appsv1::DaemonSet>()) CheckWorkload(wrong, *of);
  if (const auto* of = object.As<batchv1::Job>()) CheckJob(wrong, of->spec, spec);
  if (const auto* of = object.As<batchv1::CronJob>()) {
    if (of->spec.schedule.empty()) wrong.push_back(field::Required(spec.Child("schedule"), ""));
    CheckJob(wrong, of->spec.job_template.spec, spec.Child("jobTemplate").Child("spec"));
  }
  if (const auto* of = object.As<corev1::Service>()) CheckService(wrong, *of);
  if (const auto* of = object.As<coordinationv1::Lease>()) CheckLease(wrong, *of);
  if (const auto* of = object.As<corev1::ConfigMap>()) {
    CheckKeys(wrong, of->data, Path("data"));
    CheckKeys(wrong, of->binary_data, Path("binaryData"));
  }
  if (const auto* of = object.As<corev1::Secret>()) CheckKeys(wrong, of->data, Path("data"));
  return wrong;
}

// What must stay as it was.
ErrorList CheckImmutable(const Object& object, const Object& old) {
  ErrorList wrong;
  if (const auto* now = object.As<corev1::Pod>()) {
    if (!SameImmutablePodSpec(now->spec, old.As<corev1::Pod>()->spec)) {
      wrong.push_back(field::Forbidden(
          Path("spec"),
          "pod updates may not change fields other than `spec.containers[*].image`,"
          "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only "
          "additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be "
          "set to 1 if it was previously negative)"));
    }
  }
  if (const auto* now = object.As<appsv1::Deployment>()) {
    CheckSameSelector(wrong, *now, *old.As<appsv1::Deployment>());
  }
  if (const auto* now = object.As<appsv1::ReplicaSet>()) {
    CheckSameSelector(wrong, *now, *old.As<appsv1::ReplicaSet>());
  }
  if (const auto* now = object.As<appsv1::DaemonSet>()) {
    CheckSameSelector(wrong, *now, *old.As<appsv1::DaemonSet>());
  }
  if (const auto* now = object.As<corev1::ConfigMap>()) {
    const auto& before = *old.As<corev1::ConfigMap>();
    if (before.immutable.value_or(false)) {
      const absl::string_view detail = "field is immutable when `immutable` is set";
      if (!now->immutable.value_or(false)) {
        wrong.push_back(field::Forbidden(Path("immutable"), detail));
      }
      if (!(now->data == before.data)) wrong.push_back(field::Forbidden(Path("data"), detail));
      if (!(now->binary_data == before.binary_data)) {
        wrong.push_back(field::Forbidden(Path("binaryData"), detail));
      }
    }
  }
  if (const auto* now = object.As<corev1::Secret>()) {
    const auto& before = *old.As<corev1::Secret>();
    if (now->type != before.type) {
      wrong.push_back(field::Invalid(Path("type"), field::JsonText(now->type.view()), kImmutable));
    }
  }
  return wrong;
}

}  // namespace

ErrorList ValidateCreate(const Resource& resource, const Object& object) {
  const Strategy& strategy = StrategyOf(*resource.kind);
  const auto rule =
      strategy.name_rule == nullptr ? validation::NameIsDnsSubdomain : strategy.name_rule;
  ErrorList wrong = validation::ValidateObjectMeta(object.metadata(), resource.namespaced(), rule,
                                                   Path("metadata"));
  field::Append(wrong, CheckContent(object));
  return wrong;
}

ErrorList ValidateUpdate(const Resource&, absl::string_view subresource, const Object& object,
                         const Object& old) {
  // Twice, as a real server says it: once for all kinds, and once by the kind's own rules.
  ErrorList wrong =
      validation::ValidateObjectMetaUpdate(object.metadata(), old.metadata(), Path("metadata"));
  field::Append(wrong, ErrorList(wrong));
  if (!subresource.empty()) return wrong;
  field::Append(wrong, CheckContent(object));
  field::Append(wrong, CheckImmutable(object, old));
  return wrong;
}

}  // namespace kube::envtest::internal
