#include "apimachinery/patch/patch_type.h"

#include <optional>

#include "gtest/gtest.h"

namespace kube::patch {
namespace {

// behaviour.md: COD-11
TEST(PatchType, MediaType_OfEachType_ParsesAsThatType) {
  EXPECT_EQ(MediaType(PatchType::kStrategicMerge), "application/strategic-merge-patch+json");
  for (const PatchType type :
       {PatchType::kJson, PatchType::kMerge, PatchType::kStrategicMerge, PatchType::kApply}) {
    EXPECT_EQ(ParseMediaType(MediaType(type)), type);
  }
  EXPECT_EQ(ParseMediaType("application/json"), std::nullopt);
}

}  // namespace
}  // namespace kube::patch
