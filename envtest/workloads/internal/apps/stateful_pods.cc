#include "envtest/workloads/internal/apps/stateful_pods.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/list.h"
#include "envtest/workloads/internal/apps/controller_revisions.h"
#include "envtest/workloads/internal/cluster/pods.h"

namespace kube::envtest::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;

constexpr absl::string_view kPodName = "statefulset.kubernetes.io/pod-name";

schema::GroupVersionKind SetKind() {
  return {.group = "apps", .version = "v1", .kind = "StatefulSet"};
}

schema::GroupVersionKind PodKind() { return {.version = "v1", .kind = "Pod"}; }

std::string PodName(const appsv1::StatefulSet& set, int ordinal) {
  return absl::StrCat(set.metadata.name.view(), "-", ordinal);
}

bool IsTo(const metav1::OwnerReference& reference, absl::string_view kind, absl::string_view name) {
  return reference.kind == kind && reference.name == name &&
         reference.api_version == (kind == "Pod" ? "v1" : "apps/v1");
}

bool DeletesWhenScaled(const appsv1::StatefulSet& set) {
  const auto& policy = set.spec.persistent_volume_claim_retention_policy;
  return policy && policy->when_scaled == "Delete";
}

bool DeletesWhenDeleted(const appsv1::StatefulSet& set) {
  const auto& policy = set.spec.persistent_volume_claim_retention_policy;
  return policy && policy->when_deleted == "Delete";
}

// Replaces volumes of the template that have the name of a claim. (Go: `updateStorage`)
void AddClaimVolumes(const appsv1::StatefulSet& set, int ordinal, corev1::Pod& pod) {
  List<corev1::Volume> volumes;
  for (const corev1::PersistentVolumeClaim& each : set.spec.volume_claim_templates) {
    corev1::Volume& volume = volumes.emplace_back();
    volume.name = each.metadata.name;
    volume.persistent_volume_claim.emplace().claim_name =
        absl::StrCat(each.metadata.name.view(), "-", PodName(set, ordinal));
  }
  for (corev1::Volume& each : pod.spec.volumes) {
    const bool taken = std::any_of(volumes.begin(), volumes.end(),
                                   [&](const auto& other) { return other.name == each.name; });
    if (!taken) volumes.push_back(std::move(each));
  }
  pod.spec.volumes = std::move(volumes);
}

}  // namespace

int OrdinalOf(const appsv1::StatefulSet& set, const corev1::Pod& pod) {
  absl::string_view number = pod.metadata.name.view();
  int ordinal = -1;
  if (!absl::ConsumePrefix(&number, set.metadata.name.view()) ||
      !absl::ConsumePrefix(&number, "-") || !absl::SimpleAtoi(number, &ordinal) ||
      absl::StrCat(ordinal) != number) {
    return -1;
  }
  return ordinal;
}

corev1::Pod NewStatefulPod(const appsv1::StatefulSet& set,
                           const corev1::PodTemplateSpec& pod_template, absl::string_view revision,
                           int ordinal) {
  corev1::Pod pod =
      PodFrom(pod_template, set.metadata, meta::NewControllerRef(set.metadata, SetKind()));
  pod.metadata.name = PodName(set, ordinal);
  SetIdentity(ordinal, pod);
  pod.metadata.labels[kRevisionHashLabel] = revision;
  pod.spec.hostname = pod.metadata.name;
  pod.spec.subdomain = set.spec.service_name;
  AddClaimVolumes(set, ordinal, pod);
  return pod;
}

bool HasIdentity(const corev1::Pod& pod) {
  return pod.metadata.labels.value_or(kPodName, "") == pod.metadata.name;
}

void SetIdentity(int ordinal, corev1::Pod& pod) {
  pod.metadata.labels[kPodName] = pod.metadata.name;
  pod.metadata.labels["apps.kubernetes.io/pod-index"] = absl::StrCat(ordinal);
}

std::vector<corev1::PersistentVolumeClaim> ClaimsOf(const appsv1::StatefulSet& set, int ordinal) {
  std::vector<corev1::PersistentVolumeClaim> claims;
  for (const corev1::PersistentVolumeClaim& each : set.spec.volume_claim_templates) {
    corev1::PersistentVolumeClaim claim = each;
    claim.metadata.name = absl::StrCat(each.metadata.name.view(), "-", PodName(set, ordinal));
    claim.metadata.namespace_ = set.metadata.namespace_;
    if (set.spec.selector) {
      for (const auto& [key, value] : set.spec.selector->match_labels) {
        claim.metadata.labels[key.view()] = value;
      }
    }
    claims.push_back(std::move(claim));
  }
  return claims;
}

std::string PodOfClaim(const appsv1::StatefulSet& set, const corev1::PersistentVolumeClaim& claim) {
  for (const corev1::PersistentVolumeClaim& each : set.spec.volume_claim_templates) {
    absl::string_view name = claim.metadata.name.view();
    if (!absl::ConsumePrefix(&name, each.metadata.name.view()) ||
        !absl::ConsumePrefix(&name, "-")) {
      continue;
    }
    corev1::Pod pod;
    pod.metadata.name = name;
    // The name of one template may begin with that of another one.
    if (OrdinalOf(set, pod) >= 0) return std::string(name);
  }
  return "";
}

List<metav1::OwnerReference> ClaimOwners(const corev1::PersistentVolumeClaim& claim,
                                         const appsv1::StatefulSet& set,
                                         const metav1::ObjectMeta& pod, bool condemned) {
  metav1::ObjectMeta rest;
  for (const metav1::OwnerReference& each : claim.metadata.owner_references) {
    const bool to_set = IsTo(each, "StatefulSet", set.metadata.name.view());
    const bool to_pod = IsTo(each, "Pod", pod.name.view());
    // The garbage collector takes care of claims of an earlier set or pod of this name.
    if ((to_set && each.uid != set.metadata.uid) || (to_pod && each.uid != pod.uid)) {
      return claim.metadata.owner_references;
    }
    if (!to_set && !to_pod) rest.owner_references.push_back(each);
  }
  if (meta::HasControllerReference(rest)) return rest.owner_references;
  if (condemned && DeletesWhenScaled(set)) {
    rest.owner_references.push_back(meta::NewControllerRef(pod, PodKind()));
  } else if (DeletesWhenDeleted(set)) {
    rest.owner_references.push_back(meta::NewControllerRef(set.metadata, SetKind()));
  }
  return rest.owner_references;
}

bool IsStale(const corev1::PersistentVolumeClaim& claim, const appsv1::StatefulSet& set,
             absl::string_view pod_name) {
  if (claim.metadata.deletion_timestamp.has_value()) return true;
  const auto& owners = claim.metadata.owner_references;
  return DeletesWhenScaled(set) && std::any_of(owners.begin(), owners.end(), [&](const auto& each) {
           return IsTo(each, "Pod", pod_name);
         });
}

}  // namespace kube::envtest::internal
