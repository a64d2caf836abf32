#include "apimachinery/meta/finalizers.h"

#include "api/meta/v1/types.kube.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::meta {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Finalizers, AddRemoveContains) {
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

}  // namespace
}  // namespace kube::meta
