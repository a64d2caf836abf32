#include "envtest/workloads/internal/cluster/ref_manager.h"

#include "api/meta/v1/types.kube.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/time.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace metav1 = api::meta::v1;

constexpr const char* kFinalizer = "batch.kubernetes.io/job-tracking";

schema::GroupVersionKind JobKind() { return {.group = "batch", .version = "v1", .kind = "Job"}; }

metav1::ObjectMeta Controller(const char* uid = "u") {
  metav1::ObjectMeta metadata;
  metadata.name = "sum";
  metadata.namespace_ = "default";
  metadata.uid = uid;
  return metadata;
}

metav1::ObjectMeta Orphan() {
  metav1::ObjectMeta metadata;
  metadata.name = "p";
  metadata.namespace_ = "default";
  return metadata;
}

metav1::ObjectMeta OwnedBy(const metav1::ObjectMeta& controller) {
  metav1::ObjectMeta metadata = Orphan();
  metadata.owner_references.push_back(meta::NewControllerRef(controller, JobKind()));
  return metadata;
}

metav1::ObjectMeta Deleted(metav1::ObjectMeta metadata) {
  metadata.deletion_timestamp = Time::FromUnixSeconds(1'000'000);
  return metadata;
}

TEST(ClaimOf, EachOwnerAndMatch_DecidesAsUpstream) {
  metav1::ObjectMeta elsewhere = Orphan();
  elsewhere.namespace_ = "other";
  const struct {
    const char* name;
    metav1::ObjectMeta controller;
    metav1::ObjectMeta object;
    Claim if_it_matches;
    Claim otherwise;
  } kCases[] = {
      {"own", Controller(), OwnedBy(Controller()), Claim::kKeep, Claim::kRelease},
      {"of another one", Controller(), OwnedBy(Controller("v")), Claim::kIgnore, Claim::kIgnore},
      {"orphan", Controller(), Orphan(), Claim::kAdopt, Claim::kIgnore},
      {"orphan of another namespace", Controller(), elsewhere, Claim::kIgnore, Claim::kIgnore},
      {"orphan that is being deleted", Controller(), Deleted(Orphan()), Claim::kIgnore,
       Claim::kIgnore},
      {"own, deleted controller", Deleted(Controller()), OwnedBy(Controller()), Claim::kKeep,
       Claim::kIgnore},
      {"orphan, deleted controller", Deleted(Controller()), Orphan(), Claim::kIgnore,
       Claim::kIgnore},
  };
  for (const auto& each : kCases) {
    SCOPED_TRACE(each.name);
    EXPECT_EQ(ClaimOf(each.controller, true, each.object), each.if_it_matches);
    EXPECT_EQ(ClaimOf(each.controller, false, each.object), each.otherwise);
  }
}

TEST(Adopt, AnOrphan_IsControlledAndTracked_UntilItIsReleased) {
  metav1::ObjectMeta object = Orphan();
  object.finalizers.push_back("example.com/hold");
  metav1::OwnerReference plain;
  plain.uid = "v";
  object.owner_references.push_back(plain);
  const metav1::ObjectMeta before = object;

  Adopt(Controller(), JobKind(), kFinalizer, object);
  EXPECT_TRUE(meta::IsControlledBy(object, Controller()));
  ASSERT_EQ(object.owner_references.size(), 2u);
  EXPECT_EQ(object.owner_references[1].api_version, "batch/v1");
  EXPECT_EQ(object.owner_references[1].kind, "Job");
  ASSERT_EQ(object.finalizers.size(), 2u);
  EXPECT_EQ(object.finalizers[1], kFinalizer);

  Release(Controller(), kFinalizer, object);
  EXPECT_EQ(object, before);
}

TEST(Adopt, AnOwnerThatIsNotTheController_BecomesIt) {
  metav1::ObjectMeta object = Orphan();
  metav1::OwnerReference plain;
  plain.uid = "u";
  object.owner_references.push_back(plain);
  Adopt(Controller(), JobKind(), "", object);
  EXPECT_EQ(object.owner_references.size(), 1u);
  EXPECT_TRUE(meta::IsControlledBy(object, Controller()));
  EXPECT_TRUE(object.finalizers.empty());
}

}  // namespace
}  // namespace kube::envtest::internal
