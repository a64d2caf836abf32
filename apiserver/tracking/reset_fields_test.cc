#include "apiserver/tracking/reset_fields.h"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/kind_info.h"
#include "apiserver/custom_kind.h"
#include "apiserver/resources.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using api::apiextensions::v1::CustomResourceDefinition;
using base::IsOk;
using managedfields::FieldFilter;

// An endpoint, and the paths that kube-apiserver 1.36 resets there.
struct Endpoint {
  absl::string_view api_version;
  absl::string_view kind;
  absl::string_view subresource;
  absl::string_view paths;
};

constexpr Endpoint kEndpoints[] = {
    {"admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", "", ".status"},
    {"admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", "status", ".metadata .spec"},
    {"apiextensions.k8s.io/v1", "CustomResourceDefinition", "", ".status"},
    {"apiextensions.k8s.io/v1", "CustomResourceDefinition", "status", ".spec"},
    {"apiregistration.k8s.io/v1", "APIService", "", ".status"},
    {"apiregistration.k8s.io/v1", "APIService", "status", ".metadata .spec"},
    {"apps/v1", "DaemonSet", "", ".status"},
    {"apps/v1", "DaemonSet", "status", ".spec"},
    {"apps/v1", "Deployment", "", ".status"},
    {"apps/v1", "Deployment", "status", ".spec .metadata.labels"},
    {"apps/v1", "ReplicaSet", "", ".status"},
    {"apps/v1", "ReplicaSet", "status", ".spec"},
    {"apps/v1", "StatefulSet", "", ".status"},
    {"apps/v1", "StatefulSet", "status", ".spec"},
    {"autoscaling/v1", "HorizontalPodAutoscaler", "", ".status"},
    {"autoscaling/v1", "HorizontalPodAutoscaler", "status", ".spec"},
    {"autoscaling/v2", "HorizontalPodAutoscaler", "", ".status"},
    {"autoscaling/v2", "HorizontalPodAutoscaler", "status", ".spec"},
    {"batch/v1", "CronJob", "", ".status"},
    {"batch/v1", "CronJob", "status", ".spec"},
    {"batch/v1", "Job", "", ".status"},
    {"batch/v1", "Job", "status", ".spec"},
    {"certificates.k8s.io/v1", "CertificateSigningRequest", "", ".spec .status"},
    {"certificates.k8s.io/v1", "CertificateSigningRequest", "status", ".spec .status.conditions"},
    {"certificates.k8s.io/v1", "CertificateSigningRequest", "approval",
     ".spec .status.certificate"},
    {"flowcontrol.apiserver.k8s.io/v1", "FlowSchema", "", ".status"},
    {"flowcontrol.apiserver.k8s.io/v1", "FlowSchema", "status", ".metadata .spec"},
    {"flowcontrol.apiserver.k8s.io/v1", "PriorityLevelConfiguration", "", ".status"},
    {"flowcontrol.apiserver.k8s.io/v1", "PriorityLevelConfiguration", "status", ".metadata .spec"},
    {"networking.k8s.io/v1", "Ingress", "", ".status"},
    {"networking.k8s.io/v1", "Ingress", "status", ".spec"},
    {"networking.k8s.io/v1", "ServiceCIDR", "", ".status"},
    {"networking.k8s.io/v1", "ServiceCIDR", "status", ".metadata .spec"},
    {"policy/v1", "PodDisruptionBudget", "", ".status"},
    {"policy/v1", "PodDisruptionBudget", "status", ".spec"},
    {"resource.k8s.io/v1", "ResourceClaim", "", ".status"},
    {"resource.k8s.io/v1", "ResourceClaim", "status", ".metadata .spec"},
    {"storage.k8s.io/v1", "VolumeAttachment", "", ".status"},
    {"storage.k8s.io/v1", "VolumeAttachment", "status", ".metadata .spec"},
    {"v1", "Namespace", "", ".status"},
    {"v1", "Namespace", "finalize", ".status"},
    {"v1", "Namespace", "status", ".spec"},
    {"v1", "Node", "", ".status"},
    {"v1", "Node", "status", ".spec"},
    {"v1", "PersistentVolume", "", ".status"},
    {"v1", "PersistentVolume", "status", ".spec"},
    {"v1", "PersistentVolumeClaim", "", ".status"},
    {"v1", "PersistentVolumeClaim", "status", ".spec"},
    {"v1", "Pod", "", ".status"},
    {"v1", "Pod", "status", ".spec .metadata.deletionTimestamp .metadata.ownerReferences"},
    {"v1", "ReplicationController", "", ".status"},
    {"v1", "ReplicationController", "status", ".spec"},
    {"v1", "ResourceQuota", "", ".status"},
    {"v1", "ResourceQuota", "status", ".spec"},
    {"v1", "Service", "", ".status"},
    {"v1", "Service", "status", ".spec"},
};

std::string PathsOf(const Resource& resource, absl::string_view subresource) {
  const FieldFilter filter = ResetFieldsOf(resource, subresource);
  EXPECT_TRUE(filter.included_patterns.empty());
  return absl::StrReplaceAll(filter.excluded.ToString(), {{"\n", " "}});
}

const Endpoint* Find(const Resource& resource, absl::string_view subresource) {
  for (const Endpoint& each : kEndpoints) {
    if (each.api_version == resource.ApiVersion() && each.kind == resource.kind->kind &&
        each.subresource == subresource) {
      return &each;
    }
  }
  return nullptr;
}

TEST(ResetFieldsTest, EachEndpoint_ResetsWhatUpstreamResets) {
  const Resources resources = Resources::BuiltIn();
  std::set<const Endpoint*> met;
  for (const schema::GroupVersion& version : resources.group_versions()) {
    for (const Resource* resource : resources.InGroupVersion(version)) {
      std::vector<absl::string_view> subresources = {""};
      for (const SubresourceInfo& each : resource->kind->subresources) {
        subresources.push_back(each.name);
      }
      for (const absl::string_view subresource : subresources) {
        const Endpoint* want = Find(*resource, subresource);
        if (want != nullptr) met.insert(want);
        EXPECT_EQ(PathsOf(*resource, subresource), want == nullptr ? "" : want->paths)
            << resource->ApiVersion() << " " << resource->kind->plural << " " << subresource;
      }
    }
  }
  for (const Endpoint& each : kEndpoints) {
    EXPECT_EQ(met.count(&each), size_t{1})
        << "no such endpoint: " << each.api_version << " " << each.kind << " " << each.subresource;
  }
}

// Returns the resources of a definition with the version v1, which has a status, and v2.
Resources WithDogs() {
  const auto definition = codec::DecodeJson<CustomResourceDefinition>(
      R"({"metadata":{"name":"dogs.example.com"},)"
      R"("spec":{"group":"example.com","scope":"Namespaced","names":{"kind":"Dog"},"versions":[)"
      R"({"name":"v1","served":true,"storage":true,"subresources":{"status":{}},)"
      R"("schema":{"openAPIV3Schema":{"type":"object"}}},)"
      R"({"name":"v2","served":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]},)"
      R"("status":{"acceptedNames":{"plural":"dogs","singular":"dog","kind":"Dog",)"
      R"("listKind":"DogList"}}})");
  EXPECT_THAT(definition, IsOk());
  const auto kinds = CustomKind::MakeAll(*definition);
  EXPECT_THAT(kinds, IsOk());
  return Resources::With({{.kind = (*kinds)[0]}, {.kind = (*kinds)[1]}});
}

TEST(ResetFieldsTest, CustomResource_ResetsTheStatusIfItHasOne) {
  const Resources resources = WithDogs();
  const Resource* dogs = resources.Find("example.com", "v1", "dogs");
  ASSERT_NE(dogs, nullptr);
  EXPECT_EQ(PathsOf(*dogs, ""), ".status");
  EXPECT_EQ(PathsOf(*dogs, "status"), ".metadata .spec");
  const Resource* others = resources.Find("example.com", "v2", "dogs");
  ASSERT_NE(others, nullptr);
  EXPECT_EQ(PathsOf(*others, ""), "");
}

}  // namespace
}  // namespace kube::apiserver::internal
