#include "codegen/crds/known_formats.h"

#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

TEST(IsKnownFormat, ByType) {
  EXPECT_TRUE(IsKnownFormat("string", "date-time"));
  EXPECT_TRUE(IsKnownFormat("string", "datetime"));
  EXPECT_TRUE(IsKnownFormat("string", "k8s-short-name"));
  EXPECT_TRUE(IsKnownFormat("", "uuid"));
  EXPECT_TRUE(IsKnownFormat("integer", "int64"));
  EXPECT_TRUE(IsKnownFormat("number", "double"));
  EXPECT_FALSE(IsKnownFormat("string", "int64"));
  EXPECT_FALSE(IsKnownFormat("number", "int64"));
  EXPECT_FALSE(IsKnownFormat("string", "k8s-label-key"));
  EXPECT_FALSE(IsKnownFormat("boolean", "byte"));
}

}  // namespace
}  // namespace kube::codegen
