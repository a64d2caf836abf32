#include "apiserver/tracking/reset_fields.h"

#include <cstddef>
#include <iterator>
#include <vector>

#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/types/kind_info.h"
#include "apiserver/resources.h"

namespace kube::apiserver::internal {
namespace {

using managedfields::FieldFilter;
using managedfields::Path;
using managedfields::PathElement;

// What the endpoints of one kind reset. Paths are separated by spaces, their elements by dots.
struct Row {
  absl::string_view group;
  absl::string_view kind;
  absl::string_view subresource;
  absl::string_view excluded;
};

constexpr absl::string_view kFlowControl = "flowcontrol.apiserver.k8s.io";
constexpr absl::string_view kAdmission = "admissionregistration.k8s.io";

constexpr Row kRows[] = {
    {kAdmission, "ValidatingAdmissionPolicy", "", "status"},
    {kAdmission, "ValidatingAdmissionPolicy", "status", "spec metadata"},
    {"apiextensions.k8s.io", "CustomResourceDefinition", "", "status"},
    {"apiextensions.k8s.io", "CustomResourceDefinition", "status", "spec"},
    {"apiregistration.k8s.io", "APIService", "", "status"},
    {"apiregistration.k8s.io", "APIService", "status", "spec metadata"},
    {"apps", "DaemonSet", "", "status"},
    {"apps", "DaemonSet", "status", "spec"},
    {"apps", "Deployment", "", "status"},
    {"apps", "Deployment", "status", "spec metadata.labels"},
    {"apps", "ReplicaSet", "", "status"},
    {"apps", "ReplicaSet", "status", "spec"},
    {"apps", "StatefulSet", "", "status"},
    {"apps", "StatefulSet", "status", "spec"},
    {"autoscaling", "HorizontalPodAutoscaler", "", "status"},
    {"autoscaling", "HorizontalPodAutoscaler", "status", "spec"},
    {"batch", "CronJob", "", "status"},
    {"batch", "CronJob", "status", "spec"},
    {"batch", "Job", "", "status"},
    {"batch", "Job", "status", "spec"},
    {"certificates.k8s.io", "CertificateSigningRequest", "", "spec status"},
    {"certificates.k8s.io", "CertificateSigningRequest", "status", "spec status.conditions"},
    {"certificates.k8s.io", "CertificateSigningRequest", "approval", "spec status.certificate"},
    {"", "Namespace", "", "status"},
    {"", "Namespace", "status", "spec"},
    {"", "Namespace", "finalize", "status"},
    {"", "Node", "", "status"},
    {"", "Node", "status", "spec"},
    {"", "PersistentVolume", "", "status"},
    {"", "PersistentVolume", "status", "spec"},
    {"", "PersistentVolumeClaim", "", "status"},
    {"", "PersistentVolumeClaim", "status", "spec"},
    {"", "Pod", "", "status"},
    {"", "Pod", "status", "spec metadata.deletionTimestamp metadata.ownerReferences"},
    {"", "ReplicationController", "", "status"},
    {"", "ReplicationController", "status", "spec"},
    {"", "ResourceQuota", "", "status"},
    {"", "ResourceQuota", "status", "spec"},
    {"", "Service", "", "status"},
    {"", "Service", "status", "spec"},
    {kFlowControl, "FlowSchema", "", "status"},
    {kFlowControl, "FlowSchema", "status", "spec metadata"},
    {kFlowControl, "PriorityLevelConfiguration", "", "status"},
    {kFlowControl, "PriorityLevelConfiguration", "status", "spec metadata"},
    {"networking.k8s.io", "Ingress", "", "status"},
    {"networking.k8s.io", "Ingress", "status", "spec"},
    {"networking.k8s.io", "ServiceCIDR", "", "status"},
    {"networking.k8s.io", "ServiceCIDR", "status", "spec metadata"},
    {"policy", "PodDisruptionBudget", "", "status"},
    {"policy", "PodDisruptionBudget", "status", "spec"},
    {"resource.k8s.io", "ResourceClaim", "", "status"},
    {"resource.k8s.io", "ResourceClaim", "status", "spec metadata"},
    {"storage.k8s.io", "VolumeAttachment", "", "status"},
    {"storage.k8s.io", "VolumeAttachment", "status", "spec metadata"},
};

FieldFilter Without(absl::string_view paths) {
  FieldFilter filter;
  for (absl::string_view text : absl::StrSplit(paths, ' ', absl::SkipEmpty())) {
    Path path;
    for (absl::string_view name : absl::StrSplit(text, '.')) {
      path.push_back(PathElement::Field(name));
    }
    filter.excluded.Insert(path);
  }
  return filter;
}

struct Filters {
  Filters() {
    for (const Row& row : kRows) of_rows.push_back(Without(row.excluded));
  }

  std::vector<FieldFilter> of_rows;
  const FieldFilter of_custom = Without("status");
  const FieldFilter of_custom_status = Without("metadata spec");
  const FieldFilter none = {};
};

}  // namespace

const FieldFilter& ResetFieldsOf(const Resource& resource, absl::string_view subresource) {
  static base::NoDestructor<Filters> made;
  const Filters& filters = *made;
  if (resource.custom != nullptr) {
    if (subresource == "status") return filters.of_custom_status;
    const bool has_status = resource.FindSubresource("status") != nullptr;
    return subresource.empty() && has_status ? filters.of_custom : filters.none;
  }
  const KindInfo& kind = *resource.kind;
  for (size_t i = 0; i < std::size(kRows); ++i) {
    const Row& row = kRows[i];
    if (row.group == kind.group && row.kind == kind.kind && row.subresource == subresource) {
      return filters.of_rows[i];
    }
  }
  return filters.none;
}

}  // namespace kube::apiserver::internal
