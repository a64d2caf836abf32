#include "apiserver/strategy/strategy.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apiextensions/v1/types.kube.h"
#include "api/apps/v1/types.kube.h"
#include "api/batch/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/codec/reflect.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/validation/object_meta.h"
#include "apiserver/defaults/pod_defaults.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"
#include "apiserver/strategy/custom.h"
#include "apiserver/strategy/kept_fields.h"

namespace kube::apiserver::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace batchv1 = api::batch::v1;
namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
using api::apiextensions::v1::CustomResourceDefinition;

constexpr char kNamespaceName[] = "kubernetes.io/metadata.name";

constexpr absl::string_view kPodFields[] = {"spec.nodeName",      "spec.restartPolicy",
                                            "spec.schedulerName", "spec.serviceAccountName",
                                            "spec.hostNetwork",   "status.phase",
                                            "status.podIP",       "status.podIPs",
                                            "spec.host",          "status.nominatedNodeName"};
constexpr absl::string_view kEventFields[] = {"involvedObject.kind",
                                              "involvedObject.namespace",
                                              "involvedObject.name",
                                              "involvedObject.uid",
                                              "involvedObject.apiVersion",
                                              "involvedObject.resourceVersion",
                                              "involvedObject.fieldPath",
                                              "reason",
                                              "reportingComponent",
                                              "source",
                                              "type"};
constexpr absl::string_view kNewEventFields[] = {
    "regarding.kind",       "regarding.namespace",
    "regarding.name",       "regarding.uid",
    "regarding.apiVersion", "regarding.resourceVersion",
    "regarding.fieldPath",  "reason",
    "reportingController",  "type"};
constexpr absl::string_view kNodeFields[] = {"spec.unschedulable"};
constexpr absl::string_view kReplicasFields[] = {"status.replicas"};
constexpr absl::string_view kPhaseFields[] = {"status.phase"};
constexpr absl::string_view kTypeFields[] = {"type"};
constexpr absl::string_view kServiceFields[] = {"spec.clusterIP", "spec.type"};
constexpr absl::string_view kJobFields[] = {"status.successful"};
constexpr absl::string_view kSignerFields[] = {"spec.signerName"};
constexpr absl::string_view kSliceFields[] = {"spec.nodeName", "spec.driver"};

constexpr absl::string_view kAdmission = "admissionregistration.k8s.io";
constexpr absl::string_view kRbac = "rbac.authorization.k8s.io";
constexpr absl::string_view kStorage = "storage.k8s.io";

// Kinds that are not listed have the defaults of Strategy.
const Strategy kStrategies[] = {
    {.group = "",
     .kind = "Pod",
     .generation = true,
     .returns_deleted = true,
     .selectable = kPodFields},
    {.group = "",
     .kind = "Namespace",
     .returns_deleted = true,
     .name_rule = validation::NameIsDnsLabel,
     .selectable = kPhaseFields},
    {.group = "", .kind = "Node", .creates_with_status = true, .selectable = kNodeFields},
    {.group = "", .kind = "Secret", .selectable = kTypeFields},
    {.group = "",
     .kind = "Event",
     .create_on_update = true,
     .name_rule = validation::NameIsPathSegment,
     .selectable = kEventFields},
    {.group = "", .kind = "Endpoints", .create_on_update = true},
    {.group = "", .kind = "LimitRange", .create_on_update = true},
    {.group = "",
     .kind = "ReplicationController",
     .generation = true,
     .orphans_dependents = true,
     .selectable = kReplicasFields},
    {.group = "", .kind = "PodTemplate", .generation = true, .returns_deleted = true},
    {.group = "", .kind = "ResourceQuota", .returns_deleted = true},
    {.group = "", .kind = "ServiceAccount", .returns_deleted = true},
    {.group = "", .kind = "PersistentVolume", .returns_deleted = true},
    {.group = "", .kind = "PersistentVolumeClaim", .returns_deleted = true},
    {.group = "",
     .kind = "Service",
     .returns_deleted = true,
     .create_on_update = true,
     .name_rule = validation::NameIsDnsLabel,
     .selectable = kServiceFields},
    {.group = "events.k8s.io",
     .kind = "Event",
     .create_on_update = true,
     .selectable = kNewEventFields},
    {.group = "apps",
     .kind = "Deployment",
     .generation = true,
     .generation_of_annotations = true,
     .status_keeps_labels = true},
    {.group = "apps", .kind = "ReplicaSet", .generation = true},
    {.group = "apps", .kind = "StatefulSet", .generation = true},
    {.group = "apps", .kind = "DaemonSet", .generation = true},
    {.group = "batch",
     .kind = "Job",
     .generation = true,
     .orphans_dependents = true,
     .selectable = kJobFields},
    {.group = "batch", .kind = "CronJob", .generation = true},
    {.group = "policy",
     .kind = "PodDisruptionBudget",
     .generation = true,
     .unconditional_update = false},
    {.group = "discovery.k8s.io",
     .kind = "EndpointSlice",
     .generation = true,
     .generation_of_labels = true},
    {.group = "networking.k8s.io", .kind = "Ingress", .generation = true},
    {.group = "networking.k8s.io", .kind = "IngressClass", .generation = true},
    {.group = "networking.k8s.io", .kind = "NetworkPolicy", .generation = true},
    {.group = "networking.k8s.io", .kind = "ServiceCIDR", .status_keeps_metadata = true},
    {.group = "scheduling.k8s.io",
     .kind = "PriorityClass",
     .generation = true,
     .generation_stays = true},
    {.group = "coordination.k8s.io",
     .kind = "Lease",
     .unconditional_update = false,
     .create_on_update = true},
    {.group = "node.k8s.io",
     .kind = "RuntimeClass",
     .unconditional_update = false,
     .create_on_update = true},
    {.group = "flowcontrol.apiserver.k8s.io", .kind = "FlowSchema", .generation = true},
    {.group = "flowcontrol.apiserver.k8s.io",
     .kind = "PriorityLevelConfiguration",
     .generation = true},
    {.group = kAdmission,
     .kind = "ValidatingAdmissionPolicy",
     .generation = true,
     .unconditional_update = false,
     .status_keeps_metadata = true},
    {.group = kAdmission,
     .kind = "ValidatingAdmissionPolicyBinding",
     .generation = true,
     .unconditional_update = false},
    {.group = kAdmission,
     .kind = "MutatingAdmissionPolicy",
     .generation = true,
     .unconditional_update = false},
    {.group = kAdmission,
     .kind = "MutatingAdmissionPolicyBinding",
     .generation = true,
     .unconditional_update = false},
    {.group = kAdmission,
     .kind = "ValidatingWebhookConfiguration",
     .generation = true,
     .unconditional_update = false},
    {.group = kAdmission,
     .kind = "MutatingWebhookConfiguration",
     .generation = true,
     .unconditional_update = false},
    {.group = "apiextensions.k8s.io",
     .kind = "CustomResourceDefinition",
     .generation = true,
     .unconditional_update = false},
    {.group = "certificates.k8s.io",
     .kind = "CertificateSigningRequest",
     .selectable = kSignerFields},
    {.group = kRbac,
     .kind = "Role",
     .create_on_update = true,
     .name_rule = validation::NameIsPathSegment},
    {.group = kRbac,
     .kind = "RoleBinding",
     .create_on_update = true,
     .name_rule = validation::NameIsPathSegment},
    {.group = kRbac,
     .kind = "ClusterRole",
     .create_on_update = true,
     .name_rule = validation::NameIsPathSegment},
    {.group = kRbac,
     .kind = "ClusterRoleBinding",
     .create_on_update = true,
     .name_rule = validation::NameIsPathSegment},
    {.group = kStorage,
     .kind = "CSIDriver",
     .returns_deleted = true,
     .unconditional_update = false},
    {.group = kStorage, .kind = "CSINode", .returns_deleted = true, .unconditional_update = false},
    {.group = kStorage, .kind = "CSIStorageCapacity", .unconditional_update = false},
    {.group = kStorage, .kind = "StorageClass", .returns_deleted = true},
    {.group = kStorage, .kind = "VolumeAttributesClass", .returns_deleted = true},
    {.group = kStorage,
     .kind = "VolumeAttachment",
     .returns_deleted = true,
     .unconditional_update = false,
     .status_keeps_metadata = true},
    {.group = "resource.k8s.io",
     .kind = "DeviceClass",
     .generation = true,
     .returns_deleted = true},
    {.group = "resource.k8s.io",
     .kind = "ResourceClaim",
     .returns_deleted = true,
     .status_keeps_metadata = true},
    {.group = "resource.k8s.io", .kind = "ResourceClaimTemplate", .returns_deleted = true},
    {.group = "resource.k8s.io",
     .kind = "ResourceSlice",
     .generation = true,
     .returns_deleted = true,
     .selectable = kSliceFields},
};

void ClearStatus(Object& object) {
  object.any().CopyMember("status", codec::AnyObject(object.kind())).IgnoreError();
}

// Returns whether everything except apiVersion, kind, metadata and status is equal.
bool SameContent(const codec::AnyObject& a, const codec::AnyObject& b) {
  const codec::ValueView left = a.View();
  const codec::ValueView right = b.View();
  for (size_t i = 0; i < left.size(); ++i) {
    const absl::string_view name = left.member_name(i);
    if (name == "kind" || name == "apiVersion" || name == "metadata" || name == "status") continue;
    if (!(left.member(i) == right.member(i))) return false;
  }
  return true;
}

// A Job selects its pods by its own UID, which its template's labels contain (kube-apiserver:
// `generateSelector`).
void GenerateSelector(batchv1::Job& job) {
  if (job.spec.manual_selector.value_or(false)) return;
  Map<String>& labels = job.spec.template_.metadata.labels;
  for (absl::string_view prefix : {"", "batch.kubernetes.io/"}) {
    // Validation rejects labels with other values.
    const std::string uid = absl::StrCat(prefix, "controller-uid");
    const std::string name = absl::StrCat(prefix, "job-name");
    if (!labels.contains(uid)) labels[uid] = job.metadata.uid;
    if (!labels.contains(name)) labels[name] = job.metadata.name;
  }
  if (job.metadata.labels.empty()) job.metadata.labels = labels;
  if (!job.spec.selector) job.spec.selector.emplace();
  constexpr absl::string_view kUid = "batch.kubernetes.io/controller-uid";
  Map<String>& selected = job.spec.selector->match_labels;
  if (!selected.contains(kUid)) selected[kUid] = job.metadata.uid;
}

// From now on there may be objects of the version that is stored.
void AddStoredVersion(CustomResourceDefinition& crd) {
  List<String>& stored = crd.status.stored_versions;
  for (const auto& version : crd.spec.versions) {
    if (!version.storage) continue;
    if (std::find(stored.begin(), stored.end(), version.name) == stored.end()) {
      stored.push_back(version.name);
    }
    return;
  }
}

// Fills in the fields of a new object that clients do not write.
void FillStatus(Object& object) {
  if (auto* pod = object.As<corev1::Pod>()) {
    pod->status.phase = "Pending";
    pod->status.qos_class = QosClassOf(pod->spec);
    SetGatedCondition(*pod, base::WallNow());
  }
  if (auto* job = object.As<batchv1::Job>()) GenerateSelector(*job);
  if (auto* crd = object.As<CustomResourceDefinition>()) AddStoredVersion(*crd);
  if (auto* volume = object.As<corev1::PersistentVolume>()) {
    volume->status.phase = "Pending";
    volume->status.last_phase_transition_time = Time(base::WallNow());
  }
  if (auto* claim = object.As<corev1::PersistentVolumeClaim>()) {
    claim->status.phase = "Pending";
    NormalizeDataSources(nullptr, *claim);
  }
  if (auto* space = object.As<corev1::Namespace>()) {
    space->status.phase = "Active";
    space->metadata.labels[kNamespaceName] = space->metadata.name;
    for (const String& finalizer : space->spec.finalizers) {
      if (finalizer == "kubernetes") return;
    }
    space->spec.finalizers.push_back("kubernetes");
  }
}

constexpr char kTemplateGeneration[] = "deprecated.daemonset.template.generation";

// Counts the changes of a DaemonSet's template.
void CountTemplates(appsv1::DaemonSet& set, const appsv1::DaemonSet* old) {
  int64_t count = 1;
  if (old != nullptr) {
    const String* const before = old->metadata.annotations.find(kTemplateGeneration);
    if (before == nullptr || !absl::SimpleAtoi(before->view(), &count)) count = 1;
    if (!(set.spec.template_ == old->spec.template_)) ++count;
  }
  set.metadata.annotations[kTemplateGeneration] = absl::StrCat(count);
}

bool HasStatus(const Resource& resource) { return resource.FindSubresource("status") != nullptr; }

// For these subresources of pods, everything else stays unchanged.
void PrepareForPartOfPod(absl::string_view subresource, const Object& old, Object& object) {
  Object prepared = old.Copy();
  prepared.any().CopyMember("metadata", object.any()).IgnoreError();
  meta::ResetForStatus(prepared.metadata(), old.metadata());
  corev1::PodSpec& spec = prepared.As<corev1::Pod>()->spec;
  const corev1::PodSpec& wanted = object.As<corev1::Pod>()->spec;
  if (subresource == "ephemeralcontainers") {
    spec.ephemeral_containers = wanted.ephemeral_containers;
  } else {
    for (size_t i = 0; i < spec.containers.size() && i < wanted.containers.size(); ++i) {
      if (spec.containers[i].name != wanted.containers[i].name) continue;
      spec.containers[i].resources = wanted.containers[i].resources;
      spec.containers[i].resize_policy = wanted.containers[i].resize_policy;
    }
  }
  object = std::move(prepared);
}

// Sets the time of a volume's phase transition if the client does not.
void SetPhaseTransition(const corev1::PersistentVolumeStatus& old,
                        corev1::PersistentVolumeStatus& status) {
  Opt<Time>& at = status.last_phase_transition_time;
  if (status.phase == old.phase) {
    if (!at.has_value()) at = old.last_phase_transition_time;
  } else if (!at.has_value() || at == old.last_phase_transition_time) {
    at = Time(base::WallNow());
  }
}

// For an update of the status, everything except the status and some metadata stays unchanged.
void PrepareForStatusUpdate(const Strategy& strategy, const Object& old, Object& object) {
  Object prepared = old.Copy();
  prepared.any().CopyMember("status", object.any()).IgnoreError();
  prepared.any().CopyMember("metadata", object.any()).IgnoreError();
  metav1::ObjectMeta& metadata = prepared.metadata();
  if (strategy.status_keeps_labels) metadata.labels = old.metadata().labels;
  if (strategy.status_keeps_metadata) meta::ResetForStatus(metadata, old.metadata());
  if (auto* pod = prepared.As<corev1::Pod>()) {
    metadata.owner_references = old.metadata().owner_references;
    if (pod->status.qos_class.empty())
      pod->status.qos_class = old.As<corev1::Pod>()->status.qos_class;
  }
  if (auto* volume = prepared.As<corev1::PersistentVolume>()) {
    SetPhaseTransition(old.As<corev1::PersistentVolume>()->status, volume->status);
  }
  object = std::move(prepared);
}

}  // namespace

const Strategy& StrategyOf(const KindInfo& kind) {
  static constexpr Strategy kOtherwise;
  // The custom resources' strategy (kube-apiserver: `customResourceStrategy`); custom.h has the
  // rest.
  static constexpr Strategy kCustom = {.unconditional_update = false};
  if (kind.message == &unstructured::Unstructured::kMessage) return kCustom;
  for (const Strategy& each : kStrategies) {
    if (each.group == kind.group && each.kind == kind.kind) return each;
  }
  return kOtherwise;
}

void PrepareForCreate(const Resource& resource, Object& object) {
  if (resource.custom != nullptr) return PrepareCustomForCreate(*resource.custom, object);
  const Strategy& strategy = StrategyOf(*resource.kind);
  if (HasStatus(resource) && !strategy.creates_with_status) ClearStatus(object);
  FillStatus(object);
  if (auto* set = object.As<appsv1::DaemonSet>()) CountTemplates(*set, nullptr);
  if (strategy.generation) object.metadata().generation = 1;
}

void PrepareForUpdate(const Resource& resource, absl::string_view subresource, const Object& old,
                      Object& object) {
  if (resource.custom != nullptr) {
    return PrepareCustomForUpdate(*resource.custom, subresource, old, object);
  }
  const Strategy& strategy = StrategyOf(*resource.kind);
  if (subresource == "ephemeralcontainers" || subresource == "resize") {
    PrepareForPartOfPod(subresource, old, object);
  }
  metav1::ObjectMeta& metadata = object.metadata();
  metadata.generation = old.metadata().generation;
  if (subresource == "status") {
    PrepareForStatusUpdate(strategy, old, object);
    KeepFields(subresource, old, base::WallNow(), object);
    object.metadata().generation = old.metadata().generation;
    return;
  }
  if (HasStatus(resource) && subresource.empty()) {
    object.any().CopyMember("status", old.any()).IgnoreError();
  }
  KeepFields(subresource, old, base::WallNow(), object);
  if (auto* space = object.As<corev1::Namespace>(); space != nullptr && subresource.empty()) {
    space->spec.finalizers = old.As<corev1::Namespace>()->spec.finalizers;
    space->metadata.labels[kNamespaceName] = space->metadata.name;
  }
  if (auto* set = object.As<appsv1::DaemonSet>()) {
    CountTemplates(*set, old.As<appsv1::DaemonSet>());
  }
  if (auto* crd = object.As<CustomResourceDefinition>()) AddStoredVersion(*crd);
  // A binding does not change the desired state of the pod.
  if (!strategy.generation || strategy.generation_stays || subresource == "binding") return;
  const metav1::ObjectMeta& before = old.metadata();
  const bool changed =
      !SameContent(object.any(), old.any()) ||
      (strategy.generation_of_annotations && !(metadata.annotations == before.annotations)) ||
      (strategy.generation_of_labels && !(metadata.labels == before.labels));
  if (changed) metadata.generation = old.metadata().generation + 1;
}

}  // namespace kube::apiserver::internal
