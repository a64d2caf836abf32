#include "apiserver/strategy/kept_fields.h"

#include <cstddef>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/certificates/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/time.h"
#include "apiserver/object.h"
#include "apiserver/services/service_fields.h"

namespace kube::apiserver::internal {
namespace {

namespace certificatesv1 = api::certificates::v1;
namespace corev1 = api::core::v1;
using certificatesv1::CertificateSigningRequest;
using Conditions = List<certificatesv1::CertificateSigningRequestCondition>;

// ---- certificate signing requests

std::vector<size_t> IndicesOf(const Conditions& conditions, absl::string_view type) {
  std::vector<size_t> indices;
  for (size_t i = 0; i < conditions.size(); ++i) {
    if (conditions[i].type == type) indices.push_back(i);
  }
  return indices;
}

// Keeps the conditions of a type: an update of the status cannot approve or deny a request.
void KeepConditions(const Conditions& old, absl::string_view type, Conditions& conditions) {
  const std::vector<size_t> before = IndicesOf(old, type);
  const std::vector<size_t> now = IndicesOf(conditions, type);
  // Validation rejects conditions that were added or removed.
  if (before.size() != now.size()) return;
  for (size_t i = 0; i < now.size(); ++i) conditions[now[i]] = old[before[i]];
}

void SetTimes(const Conditions& old, absl::Time now, Conditions& conditions) {
  for (auto& condition : conditions) {
    if (condition.last_update_time.IsZero()) condition.last_update_time = Time(now);
    if (!condition.last_transition_time.IsZero()) continue;
    condition.last_transition_time = Time(now);
    for (const auto& each : old) {
      if (each.type != condition.type || each.status != condition.status ||
          each.last_transition_time.IsZero()) {
        continue;
      }
      condition.last_transition_time = each.last_transition_time;
      break;
    }
  }
}

// Keeps the spec. Each subresource changes only its part of the status.
void KeepFields(absl::string_view subresource, const CertificateSigningRequest& old, absl::Time now,
                CertificateSigningRequest& request) {
  request.spec = old.spec;
  Conditions& conditions = request.status.conditions;
  if (subresource == "status") {
    KeepConditions(old.status.conditions, "Approved", conditions);
    KeepConditions(old.status.conditions, "Denied", conditions);
    SetTimes(old.status.conditions, now, conditions);
  } else if (subresource == "approval") {
    SetTimes(old.status.conditions, now, conditions);
    const Conditions wanted = conditions;
    request.status = old.status;
    request.status.conditions = wanted;
  }
}

// ---- claims

bool IsClaimOrSnapshot(const corev1::TypedLocalObjectReference& source) {
  const absl::string_view group =
      source.api_group.has_value() ? source.api_group->view() : absl::string_view();
  if (source.kind == "PersistentVolumeClaim") return group.empty();
  return source.kind == "VolumeSnapshot" && group == "snapshot.storage.k8s.io";
}

}  // namespace

void NormalizeDataSources(const corev1::PersistentVolumeClaim* old,
                          corev1::PersistentVolumeClaim& claim) {
  corev1::PersistentVolumeClaimSpec& spec = claim.spec;
  const bool in_use = old != nullptr && (old->spec.data_source || old->spec.data_source_ref);
  if (!in_use && !spec.data_source_ref && spec.data_source &&
      !IsClaimOrSnapshot(*spec.data_source)) {
    spec.data_source.reset();
  }
  if (spec.data_source && !spec.data_source_ref) {
    spec.data_source_ref.emplace();
    spec.data_source_ref->kind = spec.data_source->kind;
    spec.data_source_ref->name = spec.data_source->name;
    spec.data_source_ref->api_group = spec.data_source->api_group;
  } else if (spec.data_source_ref && !spec.data_source &&
             spec.data_source_ref->namespace_.value_or("").empty()) {
    spec.data_source.emplace();
    spec.data_source->kind = spec.data_source_ref->kind;
    spec.data_source->name = spec.data_source_ref->name;
    spec.data_source->api_group = spec.data_source_ref->api_group;
  }
}

void KeepFields(absl::string_view subresource, const Object& old, absl::Time now, Object& object) {
  if (auto* request = object.As<CertificateSigningRequest>()) {
    KeepFields(subresource, *old.As<CertificateSigningRequest>(), now, *request);
  }
  if (auto* space = object.As<corev1::Namespace>(); space != nullptr && subresource == "finalize") {
    space->status = old.As<corev1::Namespace>()->status;
  }
  if (!subresource.empty()) return;
  if (auto* claim = object.As<corev1::PersistentVolumeClaim>()) {
    NormalizeDataSources(old.As<corev1::PersistentVolumeClaim>(), *claim);
  }
  if (auto* service = object.As<corev1::Service>()) {
    DropTypeDependentFields(*old.As<corev1::Service>(), *service);
  }
}

}  // namespace kube::apiserver::internal
