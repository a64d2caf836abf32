#include "apimachinery/meta/finalizers.h"

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/meta/deletion.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::meta {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// behaviour.md: UTIL-13
TEST(Finalizers, AddAndRemove_SayWhetherChanged_RemoveDropsDuplicates) {
  api::meta::v1::ObjectMeta metadata;
  EXPECT_FALSE(ContainsFinalizer(metadata, "a/a"));
  EXPECT_FALSE(RemoveFinalizer(metadata, "a/a"));
  EXPECT_TRUE(AddFinalizer(metadata, "a/a"));
  EXPECT_TRUE(AddFinalizer(metadata, "b/b"));
  EXPECT_FALSE(AddFinalizer(metadata, "a/a"));
  EXPECT_THAT(metadata.finalizers, ElementsAre("a/a", "b/b"));
  EXPECT_TRUE(ContainsFinalizer(metadata, "b/b"));
  EXPECT_FALSE(ContainsFinalizer(metadata, "b"));
  metadata.finalizers.push_back("a/a");
  EXPECT_TRUE(RemoveFinalizer(metadata, "a/a"));
  EXPECT_THAT(metadata.finalizers, ElementsAre("b/b"));
  EXPECT_TRUE(RemoveFinalizer(metadata, "b/b"));
  EXPECT_THAT(metadata.finalizers, IsEmpty());
}

constexpr char kFinalizer[] = "example.com/cleanup";

absl::Status CleanUp(const api::core::v1::Pod& pod) {
  return pod.metadata.name == "busy" ? absl::UnavailableError("busy") : absl::OkStatus();
}

absl::Status Finalize(api::core::v1::Pod& pod) {
  if (meta::IsBeingDeleted(pod) && meta::ContainsFinalizer(pod, kFinalizer)) {
    KUBE_RETURN_IF_ERROR(CleanUp(pod));
    meta::RemoveFinalizer(pod, kFinalizer);  // and update the object
  }
  return absl::OkStatus();
}

TEST(Finalizers, AreRemovedAfterTheCleanUp_AsInTheHeader) {
  api::core::v1::Pod pod = {.metadata = {.name = "busy", .finalizers = {kFinalizer}}};
  EXPECT_THAT(Finalize(pod), base::IsOk());
  EXPECT_THAT(pod.metadata.finalizers, ElementsAre(kFinalizer)) << "it is not deleted";
  pod.metadata.deletion_timestamp = absl::FromUnixSeconds(7);
  EXPECT_THAT(Finalize(pod), base::StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_THAT(pod.metadata.finalizers, ElementsAre(kFinalizer)) << "the clean-up failed";
  pod.metadata.name = "web-0";
  EXPECT_THAT(Finalize(pod), base::IsOk());
  EXPECT_THAT(pod.metadata.finalizers, IsEmpty());
}

}  // namespace
}  // namespace kube::meta
