#include "apiserver/validation/validate_kinds.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/autoscaling/v2/types.kube.h"
#include "api/coordination/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/events/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "api/networking/v1/types.kube.h"
#include "api/policy/v1/types.kube.h"
#include "apimachinery/types/quantity.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/validation/dns.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/object_meta.h"
#include "apimachinery/validation/value.h"
#include "apiserver/errors/field_errors.h"
#include "apiserver/object.h"
#include "apiserver/services/validate_service.h"
#include "apiserver/validation/validate_event.h"
#include "apiserver/validation/validate_mutating_policies.h"
#include "apiserver/validation/validate_pod_update.h"
#include "apiserver/validation/validate_policies.h"
#include "apiserver/validation/validate_rbac.h"
#include "apiserver/validation/validate_webhooks.h"

namespace kube::apiserver::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace autoscalingv2 = api::autoscaling::v2;
namespace coordinationv1 = api::coordination::v1;
namespace corev1 = api::core::v1;
namespace eventsv1 = api::events::v1;
namespace metav1 = api::meta::v1;
namespace networkingv1 = api::networking::v1;
namespace policyv1 = api::policy::v1;
namespace field = validation::field;
using field::ErrorList;
using field::Path;

constexpr absl::string_view kImmutable = "field is immutable";
constexpr absl::string_view kImmutableWhenSet = "field is immutable when `immutable` is set";

void CheckRequired(ErrorList& wrong, const Path& path, const String& value) {
  if (value.empty()) wrong.push_back(field::Required(path, ""));
}

// ---- data

template <typename Data>
void CheckKeys(ErrorList& wrong, const Data& data, const Path& path) {
  for (const auto& [key, value] : data) {
    AppendInvalid(wrong, path.Key(key.view()), key.view(), validation::IsConfigMapKey(key.view()));
  }
}

// Maximum size of the data of a config map or secret.
constexpr int kMaxDataBytes = 1024 * 1024;

// Checks the total size of all values.
template <typename... Data>
void CheckSize(ErrorList& wrong, const Path& path, const Data&... data) {
  size_t size = 0;
  const auto add = [&size](const auto& map) {
    for (const auto& [key, value] : map) size += value.view().size();
  };
  (add(data), ...);
  if (size > kMaxDataBytes) wrong.push_back(field::TooLong(path, kMaxDataBytes));
}

void CheckConfigMap(ErrorList& wrong, const corev1::ConfigMap& map) {
  const Path data("data");
  for (const auto& [key, value] : map.data) {
    AppendInvalid(wrong, data.Key(key.view()), key.view(), validation::IsConfigMapKey(key.view()));
    if (!map.binary_data.contains(key)) continue;
    wrong.push_back(field::Invalid(data.Key(key.view()), std::string(key),
                                   "duplicate of key present in binaryData"));
  }
  CheckKeys(wrong, map.binary_data, Path("binaryData"));
  CheckSize(wrong, Path(""), map.data, map.binary_data);
}

void CheckSecret(ErrorList& wrong, const corev1::Secret& secret) {
  const Path data("data");
  CheckKeys(wrong, secret.data, data);
  CheckSize(wrong, data, secret.data);
  const auto require = [&](absl::string_view key) {
    if (!secret.data.contains(key)) wrong.push_back(field::Required(data.Key(key), ""));
  };
  const auto require_json = [&](absl::string_view key) {
    const Bytes* const value = secret.data.find(key);
    if (value == nullptr) {
      wrong.push_back(field::Required(data.Key(key), ""));
    } else if (const auto json = unstructured::ParseJson(value->view()); !json.ok()) {
      wrong.push_back(
          field::Invalid(data.Key(key), "<secret contents redacted>", json.status().message()));
    }
  };
  if (secret.type == "kubernetes.io/tls") {
    require("tls.crt");
    require("tls.key");
  } else if (secret.type == "kubernetes.io/basic-auth") {
    // One of the two keys is enough.
    if (secret.data.contains("username") || secret.data.contains("password")) return;
    require("username");
    require("password");
  } else if (secret.type == "kubernetes.io/ssh-auth") {
    require("ssh-privatekey");
  } else if (secret.type == "kubernetes.io/dockerconfigjson") {
    require_json(".dockerconfigjson");
  } else if (secret.type == "kubernetes.io/dockercfg") {
    require_json(".dockercfg");
  } else if (secret.type == "kubernetes.io/service-account-token") {
    // The controller of tokens fills in the rest.
    constexpr absl::string_view kAccount = "kubernetes.io/service-account.name";
    const auto* const account = secret.metadata.annotations.find(kAccount);
    if (account == nullptr || account->empty()) {
      wrong.push_back(field::Required(Path("metadata").Child("annotations").Key(kAccount), ""));
    }
  }
}

template <typename T>
void CheckStays(ErrorList& wrong, const T& now, const T& old) {
  if (!old.immutable.value_or(false)) return;
  if (!now.immutable.value_or(false)) {
    wrong.push_back(field::Forbidden(Path("immutable"), kImmutableWhenSet));
  }
  if (!(now.data == old.data)) {
    wrong.push_back(field::Forbidden(Path("data"), kImmutableWhenSet));
  }
  if constexpr (requires { now.binary_data; }) {
    if (now.binary_data == old.binary_data) return;
    wrong.push_back(field::Forbidden(Path("binaryData"), kImmutableWhenSet));
  }
}

void CheckClaim(ErrorList& wrong, const corev1::PersistentVolumeClaim& claim) {
  const Path spec("spec");
  if (claim.spec.access_modes.empty()) {
    wrong.push_back(
        field::Required(spec.Child("accessModes"), "at least 1 access mode is required"));
  }
  if (!claim.spec.resources.requests.contains("storage")) {
    wrong.push_back(field::Required(spec.Child("resources").Key("storage"), ""));
  }
}

constexpr absl::string_view kClaimStays =
    "spec is immutable after creation except resources.requests and volumeAttributesClassName for "
    "bound claims";

constexpr char kClassAnnotation[] = "volume.beta.kubernetes.io/storage-class";

std::string ClassAnnotationOf(const metav1::ObjectMeta& metadata) {
  const String* const annotation = metadata.annotations.find(kClassAnnotation);
  return annotation == nullptr ? "" : std::string(*annotation);
}

// Returns whether the storage class moves from the annotation to the member (kube-apiserver:
// `validateStorageClassUpgradeFromAnnotation`).
bool TakesClassOfAnnotation(const corev1::PersistentVolumeClaim& now,
                            const corev1::PersistentVolumeClaim& old) {
  const String* const before = old.metadata.annotations.find(kClassAnnotation);
  const String* const after = now.metadata.annotations.find(kClassAnnotation);
  return before != nullptr && !old.spec.storage_class_name.has_value() &&
         now.spec.storage_class_name == *before && (after == nullptr || *after == *before);
}

// Returns whether a claim without a storage class gets one (kube-apiserver:
// `validateStorageClassUpgradeFromNil`).
bool TakesFirstClass(const corev1::PersistentVolumeClaim& now,
                     const corev1::PersistentVolumeClaim& old) {
  const String* const before = old.metadata.annotations.find(kClassAnnotation);
  return now.spec.storage_class_name.has_value() && !old.spec.storage_class_name.has_value() &&
         (before == nullptr || now.spec.storage_class_name == *before);
}

// Removes a storage class that may be set from `spec`, which is a copy of that of `now`.
void CheckClass(ErrorList& wrong, const corev1::PersistentVolumeClaim& now,
                const corev1::PersistentVolumeClaim& old, corev1::PersistentVolumeClaimSpec& spec) {
  if (TakesClassOfAnnotation(now, old)) {
    spec.storage_class_name.reset();
    return;
  }
  if (ClassAnnotationOf(now.metadata) != ClassAnnotationOf(old.metadata)) {
    wrong.push_back(field::Invalid(Path("metadata").Child("annotations").Child(kClassAnnotation),
                                   ClassAnnotationOf(now.metadata), kImmutable));
  }
  if (TakesFirstClass(now, old)) spec.storage_class_name.reset();
}

// kube-apiserver: `ValidatePersistentVolumeClaimUpdate`.
void CheckClaimStays(ErrorList& wrong, const corev1::PersistentVolumeClaim& now,
                     const corev1::PersistentVolumeClaim& old) {
  const Path spec("spec");
  const bool bound = now.status.phase == "Bound";
  corev1::PersistentVolumeClaimSpec changed = now.spec;
  // The controller sets the volume once.
  if (old.spec.volume_name.empty()) changed.volume_name = "";
  CheckClass(wrong, now, old, changed);
  const Quantity* const old_size = old.spec.resources.requests.find("storage");
  if (bound && old_size != nullptr) changed.resources.requests["storage"] = *old_size;
  if (bound) changed.volume_attributes_class_name = old.spec.volume_attributes_class_name;
  if (!(changed == old.spec)) wrong.push_back(field::Forbidden(spec, kClaimStays));
  const Quantity* const size = now.spec.resources.requests.find("storage");
  const Quantity* const capacity = old.status.capacity.find("storage");
  const auto amount = [](const Quantity* of) { return of == nullptr ? Quantity("0") : *of; };
  if (amount(size) < amount(old_size) && amount(size) <= amount(capacity)) {
    wrong.push_back(field::Forbidden(spec.Child("resources").Child("requests").Child("storage"),
                                     "field can not be less than status.capacity"));
  }
  if (now.spec.volume_mode != old.spec.volume_mode) {
    wrong.push_back(field::Invalid(Path("volumeMode"),
                                   now.spec.volume_mode.has_value()
                                       ? field::JsonText(now.spec.volume_mode->view())
                                       : field::JsonValue{"null"},
                                   kImmutable));
  }
}

// Returns the stable name of a node label (kube-apiserver: `betaToGALabel`).
std::string StableLabel(absl::string_view label) {
  constexpr std::pair<absl::string_view, absl::string_view> kStable[] = {
      {"failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"},
      {"failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"},
      {"beta.kubernetes.io/os", "kubernetes.io/os"},
      {"beta.kubernetes.io/arch", "kubernetes.io/arch"},
      {"beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type"}};
  for (const auto& [beta, stable] : kStable) {
    if (label == beta) return std::string(stable);
  }
  return std::string(label);
}

void TakeStableLabels(const List<corev1::NodeSelectorRequirement>& now,
                      List<corev1::NodeSelectorRequirement>& old) {
  for (size_t i = 0; i < old.size() && i < now.size(); ++i) {
    if (now[i].key == StableLabel(old[i].key.view())) old[i].key = now[i].key;
  }
}

// The affinity is immutable once it is set, except that labels may take their stable names
// (kube-apiserver: `validatePvNodeAffinity`).
void CheckNodeAffinityStays(ErrorList& wrong, const corev1::VolumeNodeAffinity* now,
                            const corev1::VolumeNodeAffinity* old) {
  if (old == nullptr) return;
  corev1::VolumeNodeAffinity before = *old;
  if (now != nullptr && now->required && before.required) {
    const auto& terms = now->required->node_selector_terms;
    auto& old_terms = before.required->node_selector_terms;
    for (size_t i = 0; i < old_terms.size() && i < terms.size(); ++i) {
      TakeStableLabels(terms[i].match_expressions, old_terms[i].match_expressions);
      TakeStableLabels(terms[i].match_fields, old_terms[i].match_fields);
    }
  }
  if (now != nullptr && *now == before) return;
  // As upstream, which shows its internal struct with the names of Go's fields.
  std::string json = "null";
  if (now != nullptr && !now->required) json = R"({"Required":null})";
  if (now != nullptr && now->required) {
    json = absl::StrCat(R"({"Required":{"NodeSelectorTerms":)",
                        InternalJson(now->required->node_selector_terms), "}}");
  }
  wrong.push_back(
      field::Invalid(Path("nodeAffinity"), field::JsonValue{json},
                     absl::StrCat(kImmutable, ", except for updating from beta label to GA")));
}

// kube-apiserver: `ValidatePersistentVolumeUpdate`.
void CheckVolumeStays(ErrorList& wrong, const corev1::PersistentVolumeSpec& now,
                      const corev1::PersistentVolumeSpec& old) {
  // Only the source of the data is immutable.
  corev1::PersistentVolumeSpec changed = now;
  changed.capacity = old.capacity;
  changed.access_modes = old.access_modes;
  changed.claim_ref = old.claim_ref;
  changed.persistent_volume_reclaim_policy = old.persistent_volume_reclaim_policy;
  changed.storage_class_name = old.storage_class_name;
  changed.mount_options = old.mount_options;
  changed.volume_mode = old.volume_mode;
  changed.node_affinity = old.node_affinity;
  changed.volume_attributes_class_name = old.volume_attributes_class_name;
  if (old.csi && changed.csi && !old.csi->controller_expand_secret_ref) {
    changed.csi->controller_expand_secret_ref.reset();
  }
  if (!(changed == old)) {
    wrong.push_back(field::Forbidden(Path("spec").Child("persistentvolumesource"),
                                     "spec.persistentvolumesource is immutable after creation"));
  }
  if (now.volume_mode != old.volume_mode) {
    wrong.push_back(field::Invalid(Path("volumeMode"),
                                   now.volume_mode.has_value()
                                       ? field::JsonText(now.volume_mode->view())
                                       : field::JsonValue{"null"},
                                   kImmutable));
  }
  CheckNodeAffinityStays(wrong, now.node_affinity.get(), old.node_affinity.get());
  if (old.volume_attributes_class_name.has_value() &&
      !now.volume_attributes_class_name.has_value()) {
    wrong.push_back(field::Forbidden(Path("spec").Child("volumeAttributesClassName"),
                                     "update from non-nil value to nil is forbidden"));
  }
}

// ---- others

// A controller sets each of these once.
void CheckNodeStays(ErrorList& wrong, const corev1::NodeSpec& now, const corev1::NodeSpec& old) {
  const Path spec("spec");
  const auto forbid_networks = [&] {
    wrong.push_back(field::Forbidden(
        spec.Child("podCIDRs"), "node updates may not change podCIDR except from \"\" to valid"));
  };
  if (!old.pod_cidrs.empty() && now.pod_cidrs.size() != old.pod_cidrs.size()) {
    forbid_networks();
  } else {
    for (size_t i = 0; i < old.pod_cidrs.size(); ++i) {
      if (now.pod_cidrs[i] != old.pod_cidrs[i]) forbid_networks();
    }
  }
  if (!old.provider_id.empty() && now.provider_id != old.provider_id) {
    wrong.push_back(
        field::Forbidden(spec.Child("providerID"),
                         "node updates may not change providerID except from \"\" to valid"));
  }
  if (now.external_id != old.external_id) {
    wrong.push_back(field::Forbidden(spec.Child("externalID"), "may not be updated"));
  }
}

// kube-apiserver: `ValidateControllerRevisionCreate`.
void CheckRevision(ErrorList& wrong, const appsv1::ControllerRevision& revision, bool is_new) {
  field::Append(wrong, validation::ValidateNonnegativeField(revision.revision, Path("revision")));
  if (!is_new) return;
  const std::string json = field::JsonOf(revision.data).json;
  if (json.empty() || json == "null") {
    wrong.push_back(field::Required(Path("data"), "data is mandatory"));
  } else if (json[0] != '{') {
    wrong.push_back(field::Required(Path("data"), "data must be a valid JSON object"));
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

void CheckIngress(ErrorList& wrong, const networkingv1::Ingress& ingress) {
  if (ingress.spec.default_backend || !ingress.spec.rules.empty()) return;
  wrong.push_back(field::Invalid(Path("spec"), field::JsonValue{"null"},
                                 "either `defaultBackend` or `rules` must be specified"));
}

void CheckBudget(ErrorList& wrong, const policyv1::PodDisruptionBudget& budget) {
  const policyv1::PodDisruptionBudgetSpec& spec = budget.spec;
  if (!spec.min_available.has_value() || !spec.max_unavailable.has_value()) return;
  wrong.push_back(field::Invalid(Path("spec"), field::JsonOf(spec),
                                 "minAvailable and maxUnavailable cannot be both set"));
}

void CheckAutoscaler(ErrorList& wrong, const autoscalingv2::HorizontalPodAutoscaler& scaler) {
  const Path spec("spec");
  const autoscalingv2::HorizontalPodAutoscalerSpec& of = scaler.spec;
  const Path maximum = spec.Child("maxReplicas");
  if (of.max_replicas < 1) {
    wrong.push_back(field::Required(maximum, "must be set and greater than 0"));
  }
  if (of.max_replicas < of.min_replicas.value_or(1)) {
    wrong.push_back(field::Invalid(maximum, int64_t{of.max_replicas},
                                   "must be greater than or equal to `minReplicas`"));
  }
  const Path target = spec.Child("scaleTargetRef");
  CheckRequired(wrong, target.Child("kind"), of.scale_target_ref.kind);
  CheckRequired(wrong, target.Child("name"), of.scale_target_ref.name);
  const absl::string_view version = of.scale_target_ref.api_version.view();
  const bool core = of.scale_target_ref.kind == "ReplicationController";
  if (!core && version.find('/') == absl::string_view::npos) {
    wrong.push_back(field::Invalid(target.Child("apiVersion"), std::string(version),
                                   "apiVersion must specify API group"));
  }
}

}  // namespace

void CheckOtherKinds(ErrorList& wrong, const Object& object, const Object* old) {
  if (const auto* of = object.As<corev1::Service>()) {
    CheckService(wrong, *of, old == nullptr ? nullptr : old->As<corev1::Service>());
  }
  if (const auto* of = object.As<corev1::ConfigMap>()) CheckConfigMap(wrong, *of);
  if (const auto* of = object.As<corev1::Secret>()) CheckSecret(wrong, *of);
  if (const auto* of = object.As<corev1::PersistentVolumeClaim>()) CheckClaim(wrong, *of);
  if (const auto* of = object.As<coordinationv1::Lease>()) CheckLease(wrong, *of);
  if (const auto* of = object.As<corev1::Event>()) CheckEvent(wrong, *of);
  if (const auto* of = object.As<eventsv1::Event>()) {
    CheckEvent(wrong, *of, old == nullptr ? nullptr : old->As<eventsv1::Event>());
  }
  if (const auto* of = object.As<appsv1::ControllerRevision>()) {
    CheckRevision(wrong, *of, /*is_new=*/old == nullptr);
  }
  CheckRbac(wrong, object, old);
  if (const auto* of = object.As<networkingv1::Ingress>()) CheckIngress(wrong, *of);
  if (const auto* of = object.As<policyv1::PodDisruptionBudget>()) CheckBudget(wrong, *of);
  if (const auto* of = object.As<autoscalingv2::HorizontalPodAutoscaler>()) {
    CheckAutoscaler(wrong, *of);
  }
  CheckWebhooks(wrong, object, old);
  CheckPolicies(wrong, object, old);
  CheckMutatingPolicies(wrong, object, old);
}

void CheckOtherKindsStay(ErrorList& wrong, const Object& object, const Object& old) {
  if (const auto* now = object.As<corev1::Service>()) {
    CheckServiceStays(wrong, *now, *old.As<corev1::Service>());
  }
  if (const auto* now = object.As<corev1::PersistentVolumeClaim>()) {
    CheckClaimStays(wrong, *now, *old.As<corev1::PersistentVolumeClaim>());
  }
  if (const auto* now = object.As<corev1::PersistentVolume>()) {
    CheckVolumeStays(wrong, now->spec, old.As<corev1::PersistentVolume>()->spec);
  }
  if (const auto* now = object.As<corev1::Node>()) {
    CheckNodeStays(wrong, now->spec, old.As<corev1::Node>()->spec);
  }
  if (const auto* now = object.As<appsv1::ControllerRevision>()) {
    const auto& before = *old.As<appsv1::ControllerRevision>();
    if (!(now->data == before.data)) {
      wrong.push_back(field::Invalid(Path("data"), field::JsonOf(now->data), kImmutable));
    }
  }
  if (const auto* now = object.As<corev1::ConfigMap>()) {
    CheckStays(wrong, *now, *old.As<corev1::ConfigMap>());
  }
  if (const auto* now = object.As<corev1::Secret>()) {
    const auto& before = *old.As<corev1::Secret>();
    if (now->type != before.type) {
      wrong.push_back(field::Invalid(Path("type"), field::JsonText(now->type.view()), kImmutable));
    }
    CheckStays(wrong, *now, before);
  }
  CheckRbacStays(wrong, object, old);
}

}  // namespace kube::apiserver::internal
