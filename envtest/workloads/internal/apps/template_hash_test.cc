#include "envtest/workloads/internal/apps/template_hash.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "api/core/v1/types.kube.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace corev1 = api::core::v1;

corev1::PodTemplateSpec TemplateOf(int image) {
  corev1::PodTemplateSpec result;
  result.metadata.labels = {{"app", "web"}, {"tier", "front"}};
  result.spec.containers = {{.name = "web", .image = absl::StrCat("web:", image)}};
  return result;
}

TEST(TemplateHash, SameTemplate_HasTheSameHash) {
  EXPECT_EQ(TemplateHash(TemplateOf(1), std::nullopt), TemplateHash(TemplateOf(1), std::nullopt));
  EXPECT_EQ(TemplateHash(TemplateOf(1), std::nullopt), "6c4744d59c");
}

TEST(TemplateHash, DifferentTemplates_HaveDifferentHashes) {
  std::set<std::string> hashes;
  for (int i = 0; i < 1000; ++i) {
    const std::string hash = TemplateHash(TemplateOf(i), std::nullopt);
    EXPECT_LE(hash.size(), 10u);
    EXPECT_THAT(hash, testing::MatchesRegex("[bcdfghjklmnpqrstvwxz2456789]+"));
    hashes.insert(hash);
  }
  EXPECT_EQ(hashes.size(), 1000u);
}

TEST(TemplateHash, EachCollisionCount_HasAnotherHash) {
  std::set<std::string> hashes = {TemplateHash(TemplateOf(1), std::nullopt)};
  for (int32_t i = 0; i < 100; ++i) hashes.insert(TemplateHash(TemplateOf(1), i));
  EXPECT_EQ(hashes.size(), 101u);
}

}  // namespace
}  // namespace kube::envtest::internal
