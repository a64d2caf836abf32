#include "envtest/workloads/internal/apps/stateful_pods.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
using testing::ElementsAre;

appsv1::StatefulSet SetOf(absl::string_view when_deleted = "Delete",
                          absl::string_view when_scaled = "Delete") {
  appsv1::StatefulSet set;
  set.metadata.name = "db";
  set.metadata.uid = "set-uid";
  auto& policy = set.spec.persistent_volume_claim_retention_policy.emplace();
  policy.when_deleted = when_deleted;
  policy.when_scaled = when_scaled;
  return set;
}

metav1::OwnerReference OwnerOf(absl::string_view kind, absl::string_view name,
                               absl::string_view uid, bool controller = true) {
  metav1::OwnerReference owner;
  owner.api_version = kind == "Pod" ? "v1" : "apps/v1";
  owner.kind = kind;
  owner.name = name;
  owner.uid = uid;
  owner.controller = controller;
  return owner;
}

std::vector<std::string> Uids(const List<metav1::OwnerReference>& owners) {
  std::vector<std::string> uids;
  for (const metav1::OwnerReference& each : owners) uids.emplace_back(each.uid);
  return uids;
}

TEST(OrdinalOf, IsTheNumberBehindTheName) {
  const struct {
    const char* pod;
    int ordinal;
  } kCases[] = {{"db-0", 0},   {"db-17", 17}, {"db", -1},    {"db-", -1},   {"db-x", -1},
                {"db--1", -1}, {"db-01", -1}, {"web-1", -1}, {"db1-1", -1}, {"db-1-2", -1}};
  for (const auto& each : kCases) {
    corev1::Pod pod;
    pod.metadata.name = each.pod;
    EXPECT_EQ(OrdinalOf(SetOf(), pod), each.ordinal) << each.pod;
  }
}

TEST(SetIdentity, APodWithoutLabels_HasItsIdentityAfterwards) {
  corev1::Pod pod;
  pod.metadata.name = "db-7";
  pod.metadata.labels["statefulset.kubernetes.io/pod-name"] = "db-6";
  EXPECT_FALSE(HasIdentity(pod));
  SetIdentity(7, pod);
  EXPECT_TRUE(HasIdentity(pod));
  EXPECT_EQ(pod.metadata.labels.value_or("apps.kubernetes.io/pod-index", ""), "7");
}

TEST(PodOfClaim, EachClaimOfAnOrdinal_IsForItsPod) {
  appsv1::StatefulSet set = SetOf();
  set.spec.volume_claim_templates.emplace_back().metadata.name = "data";
  set.spec.volume_claim_templates.emplace_back().metadata.name = "data-db";
  for (const auto& claim : ClaimsOf(set, 3)) EXPECT_EQ(PodOfClaim(set, claim), "db-3");
  EXPECT_EQ(PodOfClaim(set, corev1::PersistentVolumeClaim()), "");
}

TEST(ClaimOwners, EachPolicy_SetsOwnersAndKeepsThoseOfOthers) {
  corev1::PersistentVolumeClaim claim;
  metav1::ObjectMeta pod;
  pod.name = "db-0";
  pod.uid = "pod-uid";
  claim.metadata.owner_references = {OwnerOf("Deployment", "web", "other", false)};
  EXPECT_THAT(Uids(ClaimOwners(claim, SetOf(), pod, false)), ElementsAre("other", "set-uid"));
  EXPECT_THAT(Uids(ClaimOwners(claim, SetOf(), pod, true)), ElementsAre("other", "pod-uid"));
  EXPECT_THAT(Uids(ClaimOwners(claim, SetOf("Retain", "Retain"), pod, true)), ElementsAre("other"));
  claim.metadata.owner_references = {OwnerOf("StatefulSet", "db", "set-uid")};
  EXPECT_THAT(Uids(ClaimOwners(claim, SetOf("Retain", "Delete"), pod, true)),
              ElementsAre("pod-uid"));

  claim.metadata.owner_references = {OwnerOf("Deployment", "web", "other")};
  EXPECT_THAT(Uids(ClaimOwners(claim, SetOf(), pod, false)), ElementsAre("other"))
      << "it has a controller already";
  claim.metadata.owner_references = {OwnerOf("StatefulSet", "db", "earlier")};
  EXPECT_THAT(Uids(ClaimOwners(claim, SetOf(), pod, false)), ElementsAre("earlier"))
      << "the collector is about to delete it";
}

TEST(IsStale, ClaimOfAnEarlierPodOrDeleted_IsTrue) {
  corev1::PersistentVolumeClaim claim;
  EXPECT_FALSE(IsStale(claim, SetOf(), "db-0"));
  claim.metadata.owner_references = {OwnerOf("Pod", "db-0", "earlier")};
  EXPECT_TRUE(IsStale(claim, SetOf(), "db-0"));
  EXPECT_FALSE(IsStale(claim, SetOf(), "db-1"));
  EXPECT_FALSE(IsStale(claim, SetOf("Delete", "Retain"), "db-0"));
  claim.metadata.deletion_timestamp = Time(absl::UnixEpoch());
  EXPECT_TRUE(IsStale(claim, SetOf("Delete", "Retain"), "db-0"));
}

}  // namespace
}  // namespace kube::envtest::internal
